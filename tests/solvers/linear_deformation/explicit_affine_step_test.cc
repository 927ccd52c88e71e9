// The explicit treatment of affine_step.h is the motion of the equations.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "models/scene/shapes.h"
#include "tests/solvers/linear_deformation/affine_steps.h"

namespace pliant::linear_deformation {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

TEST_P(AffineSteps, ExplicitIsTheMotionOfTheEquations) {
  const Scene scene = Pair();
  const bool has_volume = LinearBody(GetParam().body, GetParam().dimension, 1).has_volume();
  for (const LinearMaterial& material : Laws(has_volume)) {
    const Exchange work = ExpectExplicitIsPlain(scene, material, 400, {1e-9, 1e-8, 1e-9});
    EXPECT_GT(std::abs(work[WorkClass::kMovedNail]), 1e-3);
  }
}

// Bodies are taken several at a time: chains of as many as fill blocks of them, and of fewer and
// more, in which every body is another one.
TEST_P(AffineSteps, ExplicitIsTheMotionOfAnyNumberOfBodies) {
  const SizeCase& c = GetParam();
  const LinearMaterial material{300.0, 200.0, 1.5, 0.0};
  for (int bodies : {1, 2, 3, 4, 5, 7, 8, 9}) {
    Scene scene;
    scene.dimension = c.dimension;
    for (int b = 0; b < bodies; ++b) {
      Body body = c.body;
      body.name += std::to_string(b);
      body.mass *= 1.0 + 0.2 * b;
      body.rest *= 1.0 - 0.05 * b;
      body.orientation = Eigen::AngleAxisd(0.3 * b, Vector3d::UnitZ());
      body.stretch(0, 0) = 1.0 + 0.01 * b;
      body.angular_velocity = Vector3d(0, 0, 1.0 - 0.3 * b);
      scene.bodies.push_back(body);
      if (b == 0) continue;
      const Eigen::Matrix3Xd points = scene.InitialPoints();
      scene.bodies[b].position = points.col(b * body.size() - 1) - points.col(b * body.size());
      scene.attachments.push_back({"joint", {b - 1, body.size() - 1}, {b, 0}});
    }
    scene.nails = {NailWhereItStarts(scene, "hook", {0, 0})};
    scene.forces = {{"wind", {bodies - 1, 0}, Vector3d(1.0, 2.0, 0.0), 0.0, 1.0}};
    SCOPED_TRACE(bodies);
    ExpectExplicitIsPlain(scene, material, 60, {1e-11, 1e-10, 1e-10});
  }
}

// A hanging chain long enough for the sparse solve, between a moving nail and one that its point
// has to come to.
TEST(Explicit, LongChainIsTheMotionOfTheEquations) {
  for (int points : {2, 3}) {
    Scene scene;
    scene.dimension = 2;
    const int links = 40;
    for (int i = 0; i < links; ++i) {
      scene.bodies.push_back(MakeChain("bar" + std::to_string(i), {0, 0, 0}, {0.2, 0, 0}, points,
                                       1.0 + 0.1 * (i % 3)));
      scene.bodies.back().position = Vector3d(0.2 * i, 0.0, 0.0);
      if (i > 0) {
        scene.attachments.push_back({"joint" + std::to_string(i), {i, 0}, {i - 1, points - 1}});
      }
    }
    Eigen::Matrix3Xd keys = Vector3d::Zero().replicate(1, 3);
    keys(1, 1) = 0.1;
    scene.nails = {{"hand", {0, 0}, Path({0.0, 0.2, 0.5}, keys, Path::Interpolation::kCubic)},
                   {"wall", {links - 1, points - 1}, Path::Still(Vector3d(8.0, 0.02, 0.0))}};
    SCOPED_TRACE(points);
    ExpectExplicitIsPlain(scene, {300.0, 0.0, 1.5, 0.0}, 400, {1e-9, 1e-8, 1e-9});
  }
}

// The last block has lanes without a body: what stands behind the coordinates of the last one is
// neither read nor written, and such lanes take no part in the ledger.
TEST(Explicit, TouchesNothingButItsBodies) {
  for (int links : {1, 2, 3, 4, 5, 7}) {
    const Scene scene = Pendulum(links);
    const LinearMaterial material{300.0, 200.0, 1.5, 0.0};
    const auto system = MakeSystem(scene, 1, material);
    const auto step =
        AffineStep::Make(scene, system->bodies(), std::vector(scene.bodies.size(), material), {},
                         InternalEnergy::kExplicit, system->constraints().matrix());
    VectorXd q_alone, v_alone;
    Exchange work_alone;
    AffineRun(scene, material, InternalEnergy::kExplicit, 1e-3, 20, &q_alone, &v_alone,
              &work_alone);
    for (double behind : {std::nan(""), 7.0}) {
      VectorXd q, v;
      system->InitialState(scene, &q, &v);
      const Eigen::Index size = q.size();
      q.conservativeResize(2 * size + 12);
      v.conservativeResize(2 * size + 12);
      q.tail(size + 12).setConstant(behind);
      v.tail(size + 12).setConstant(behind);
      const VectorXd guard = q.tail(size + 12);
      Exchange work;
      for (int i = 0; i < 20; ++i) {
        ASSERT_TRUE(step->Step(i * 1e-3, 1e-3, kBound, nullptr, q.data(), v.data(), &work));
      }
      EXPECT_EQ(q.head(size), q_alone) << links;
      EXPECT_EQ(v.head(size), v_alone) << links;
      EXPECT_EQ(work.Numbers(), work_alone.Numbers()) << links << " before " << behind;
      for (const VectorXd* x : {&q, &v}) {
        EXPECT_EQ(std::memcmp(x->data() + size, guard.data(), sizeof(double) * guard.size()), 0);
      }
    }
  }
}

TEST(Explicit, JointsStayTogetherWithoutFeedback) {
  const auto simulation = Translate(Pendulum(3), {{"feedback_frequency", 0.0}}).simulation;
  EXPECT_LT(RunFor(simulation.get(), 10.0, 5e-4).constraint_error.value(), 1e-12);
}

// Each coordinate counts by itself, however many there are.
TEST(Explicit, IsBoundedWhileEveryCoordinateIs) {
  const Scene scene = Pendulum(20);
  const auto system = MakeSystem(scene);
  VectorXd q, v, q_after, v_after;
  Exchange work;
  system->InitialState(scene, &q, &v);
  auto step = [&](double bound) {
    q_after = q;
    v_after = v;
    return system->Step(0.0, 1e-3, bound, &q_after, &v_after, &work);
  };
  ASSERT_TRUE(step(kBound));
  const double largest = q_after.cwiseAbs().maxCoeff();
  ASSERT_GT(q_after.norm(), 1.5 * largest);
  EXPECT_TRUE(step(1.001 * largest));
  EXPECT_FALSE(step(0.999 * largest));
  v[0] = std::nan("");
  EXPECT_FALSE(step(kBound));
}

}  // namespace
}  // namespace pliant::linear_deformation
