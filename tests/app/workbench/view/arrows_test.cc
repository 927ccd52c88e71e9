// What arrows show, for motions whose arrows are known.

#include "app/workbench/view/arrows.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <memory>

#include "models/scene/shapes.h"
#include "solvers/backends.h"

namespace pliant {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

// A bent chain of four points, with a spring on the last one.
Scene BentScene() {
  Scene scene;
  scene.bodies.push_back(MakeChain("rope", {0, 0, 0}, {1, 0.2, 0}, 4, 2.0));
  scene.bodies[0].rest.col(1) += Vector3d(0, 0.3, 0.2);
  scene.bodies[0].rest.col(2) += Vector3d(0.1, 0, -0.4);
  scene.gravity = {0, -10, 0};
  return scene;
}

void Add(Recording* recording, double time, const Matrix3Xd& x, const Matrix3Xd& v) {
  auto frame = std::make_shared<PaneFrame>();
  frame->time = time;
  frame->points = x.cast<float>();
  frame->velocities = v.cast<float>();
  recording->Add(frame);
}

Matrix3Xd Still(const Scene& scene) { return Matrix3Xd::Zero(3, scene.PointCount()); }

TEST(Arrows, SceneForcesAreGravitySpringsAndWhatActsNow) {
  Scene scene = BentScene();
  Spring spring;
  spring.a = {0, 3};
  spring.anchor = scene.InitialPoints().col(3) + Vector3d(0, 2, 0);
  spring.stiffness = 7.0;
  spring.damping = 3.0;
  scene.springs.push_back(spring);
  TimedForce push;
  push.point = {0, 0};
  push.force = {4, 0, 0};
  push.until = 1.0;
  scene.forces.push_back(push);
  Matrix3Xd v = Still(scene);
  v.col(3) = Vector3d(1, 0, 0);
  Recording run;
  Add(&run, 0.5, scene.InitialPoints(), v);
  Add(&run, 1.5, scene.InitialPoints(), v);
  const auto now = ArrowsOf(ArrowKind::kSceneForces, scene, run, 0);
  ASSERT_TRUE(now);
  const double weight = 10.0 * scene.bodies[0].mass[0];
  EXPECT_LT((now->vectors.col(0) - Vector3d(4, -weight, 0)).norm(), 1e-6);
  EXPECT_LT((now->vectors.col(1) - Vector3d(0, -10.0 * scene.bodies[0].mass[1], 0)).norm(), 1e-6);
  const double last = 10.0 * scene.bodies[0].mass[3];
  EXPECT_LT((now->vectors.col(3) - Vector3d(-3, 14 - last, 0)).norm(), 1e-5);
  const auto later = ArrowsOf(ArrowKind::kSceneForces, scene, run, 1);
  EXPECT_LT((later->vectors.col(0) - Vector3d(0, -weight, 0)).norm(), 1e-6);
}

TEST(Arrows, InnerForcesVanishInFreeFallAndBearTheWeightAtRest) {
  const Scene scene = BentScene();
  const Matrix3Xd x = scene.InitialPoints();
  Recording falling, resting;
  for (int k = 0; k < 3; ++k) {
    const double t = 0.1 * k;
    Matrix3Xd v = Still(scene);
    v.row(1).setConstant(-10.0 * t);
    Matrix3Xd fallen = x;
    fallen.row(1).array() -= 5.0 * t * t;
    Add(&falling, t, fallen, v);
    Add(&resting, t, x, Still(scene));
  }
  for (const size_t k : {0, 1, 2}) {  // the last looks back
    const auto free = ArrowsOf(ArrowKind::kInnerForces, scene, falling, k);
    ASSERT_TRUE(free);
    EXPECT_LT(free->Longest(), 1e-4) << k;
    const auto held = ArrowsOf(ArrowKind::kInnerForces, scene, resting, k);
    for (int i = 0; i < 4; ++i) {
      const Vector3d weight(0, -10.0 * scene.bodies[0].mass[i], 0);
      EXPECT_LT((held->vectors.col(i) + weight).norm(), 1e-5);
    }
  }
}

TEST(Arrows, InnerForcesLeaveOutImpulsesOfTheScene) {
  Scene scene = BentScene();
  scene.gravity.setZero();
  Impulse kick;
  kick.point = {0, 2};
  kick.impulse = {0, 3, 0};
  kick.time = 0.05;
  scene.impulses.push_back(kick);
  Recording run;
  Matrix3Xd v = Still(scene);
  Add(&run, 0.0, scene.InitialPoints(), v);
  v.col(2) = kick.impulse / scene.bodies[0].mass[2];
  Add(&run, 0.1, scene.InitialPoints(), v);
  EXPECT_LT(ArrowsOf(ArrowKind::kInnerForces, scene, run, 0)->Longest(), 1e-4);
}

TEST(Arrows, OffsetsAreWhatARigidMotionDoesNotExplain) {
  for (const int dimension : {2, 3}) {
    Scene scene = BentScene();
    scene.dimension = dimension;
    if (dimension == 2) scene.bodies[0].rest.row(2).setZero();
    const Vector3d axis = dimension == 2 ? Vector3d(0, 0, 1) : Vector3d(1, 2, -1).normalized();
    const Matrix3Xd x = scene.InitialPoints();
    for (const double angle : {0.4, 2.8}) {
      const Eigen::Matrix3d turn = Eigen::AngleAxisd(angle, axis).toRotationMatrix();
      Recording run;
      Add(&run, 0.0, (turn * x).colwise() + Vector3d(3, -1, 0), Still(scene));
      Matrix3Xd stretched = x;
      stretched.row(0) *= 1.1;
      Add(&run, 0.1, turn * stretched, Still(scene));
      EXPECT_LT(ArrowsOf(ArrowKind::kOffsets, scene, run, 0)->Longest(), 2e-6);
      const auto offsets = ArrowsOf(ArrowKind::kOffsets, scene, run, 1);
      // The fit may turn a little more: no offset is larger than without.
      const double extent = (x.row(0).maxCoeff() - x.row(0).minCoeff());
      EXPECT_GT(offsets->Longest(), 0.01 * extent);
      EXPECT_LT(offsets->Longest(), 0.1 * extent);
    }
  }
}

TEST(Arrows, AngularVelocityIsThatOfARigidTurn) {
  const Scene scene = BentScene();
  const Vector3d omega(0.5, -2.0, 1.0), drift(3, 0, 1);
  const Matrix3Xd x = scene.InitialPoints();
  Matrix3Xd v(3, 4);
  for (int i = 0; i < 4; ++i) v.col(i) = drift + omega.cross(Vector3d(x.col(i)));
  Recording run;
  Add(&run, 0.0, x, v);
  const auto turning = ArrowsOf(ArrowKind::kAngularVelocity, scene, run, 0);
  ASSERT_TRUE(turning);
  ASSERT_EQ(turning->vectors.cols(), 1);  // one for each body
  EXPECT_LT((turning->vectors.col(0) - omega).norm(), 1e-5);
  const Vector3d centre = x * scene.bodies[0].mass / scene.bodies[0].mass.sum();
  EXPECT_LT((turning->origins.col(0) - centre).norm(), 1e-6);
}

TEST(Arrows, AStraightRopeTellsNothingAboutItsOwnAxis) {
  Scene scene;
  scene.bodies.push_back(MakeChain("rope", {0, 0, 0}, {1, 0, 0}, 3, 2.0));
  Matrix3Xd v = Matrix3Xd::Zero(3, 3);
  const Matrix3Xd x = scene.InitialPoints();
  for (int i = 0; i < 3; ++i) v.col(i) = Vector3d(0, 0, 2).cross(Vector3d(x.col(i)));
  Recording run;
  Add(&run, 0.0, x, v);
  const auto turning = ArrowsOf(ArrowKind::kAngularVelocity, scene, run, 0);
  EXPECT_LT((turning->vectors.col(0) - Vector3d(0, 0, 2)).norm(), 1e-5);
}

// A rod hangs from a nail: at the nailed point the inner force is that of the nail and the pull of
// the rod, which is the weight of its other end.
TEST(Arrows, InnerForcesLessConstraintForcesAreThoseOfTheBody) {
  auto scene = std::make_shared<Scene>();
  scene->bodies.push_back(MakeChain("rod", {0, 0, 0}, {0, -1, 0}, 2, 3.0));
  scene->gravity = {0, -10, 0};
  scene->nails = {{"hook", {0, 0}, Path::Still(Vector3d::Zero())}};
  for (const char* formulation : {"displacement-constraints", "position-based"}) {
    const auto simulation = FindBackend(formulation)->Translate(scene, {}).simulation;
    ASSERT_NE(simulation, nullptr);
    simulation->KeepConstraintForces();
    Recording run;
    for (int k = 0; k < 4; ++k) {
      for (int i = 0; i < 5; ++i) simulation->Advance(1e-3);
      Observation o;
      simulation->Observe(&o);
      auto frame = std::make_shared<PaneFrame>();
      frame->time = o.time;
      frame->points = o.points.cast<float>();
      frame->velocities = o.velocities->cast<float>();
      frame->constraint_forces = simulation->ConstraintForces().value().cast<float>();
      run.Add(frame);
    }
    for (const size_t k : {1, 2, 3}) {
      const auto inner = ArrowsOf(ArrowKind::kInnerForces, *scene, run, k);
      const auto nail = ArrowsOf(ArrowKind::kConstraintForces, *scene, run, k);
      ASSERT_TRUE(inner && nail);
      EXPECT_LT((nail->vectors.col(0) - Vector3d(0, 30, 0)).norm(), 1e-3) << formulation;
      EXPECT_TRUE(nail->vectors.col(1).isZero(0.0));
      EXPECT_LT((nail->origins - run[k].points.cast<double>()).norm(), 1e-12);
      const Matrix3Xd body = inner->vectors - nail->vectors;
      EXPECT_LT((body.col(0) - Vector3d(0, -15, 0)).norm(), 1e-2) << body;
      EXPECT_LT((body.col(1) - Vector3d(0, 15, 0)).norm(), 1e-2) << body;
    }
  }
}

TEST(Arrows, WithoutVelocitiesThereAreOffsetsAndNoForces) {
  const Scene scene = BentScene();
  Recording run;
  for (const double t : {0.0, 0.1}) Add(&run, t, scene.InitialPoints(), Matrix3Xd(3, 0));
  EXPECT_FALSE(ArrowsOf(ArrowKind::kSceneForces, scene, run, 0));
  EXPECT_FALSE(ArrowsOf(ArrowKind::kInnerForces, scene, run, 0));
  EXPECT_FALSE(ArrowsOf(ArrowKind::kConstraintForces, scene, run, 0));
  EXPECT_FALSE(ArrowsOf(ArrowKind::kAngularVelocity, scene, run, 0));
  EXPECT_TRUE(ArrowsOf(ArrowKind::kOffsets, scene, run, 0));
  Recording first;
  Add(&first, 0.0, scene.InitialPoints(), Still(scene));
  EXPECT_FALSE(ArrowsOf(ArrowKind::kInnerForces, scene, first,
                        0));  // nothing to compare with yet
}

}  // namespace
}  // namespace pliant
