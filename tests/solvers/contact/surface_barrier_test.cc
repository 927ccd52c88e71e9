#include "solvers/contact/surface_barrier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <random>

#include "models/problem.h"
#include "models/scene/shapes.h"
#include "solvers/contact/barrier_step.h"

namespace pliant {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using testing::HasSubstr;

PenaltyOptions Options(double thickness, double damping = 0.0) {
  PenaltyOptions options;
  options.between = BodiesMeetBy::kBarrier;
  options.thickness = thickness;
  options.stiffness = 1000.0;
  options.damping = damping;
  options.tangential_damping = 50.0;
  return options;
}

Scene Floating(int dimension, std::vector<Body> bodies) {
  Scene scene;
  scene.dimension = dimension;
  scene.gravity.setZero();
  scene.bodies = std::move(bodies);
  return scene;
}

// A small plate above a large one, in the plane: two corners over one edge.
Scene Plates(double gap, double friction = 0.0) {
  Scene scene = Floating(
      2, {MakeSheet("large", {2, 1}, {2, 2}, 3.0), MakeSheet("small", {1, 1}, {2, 2}, 2.0)});
  scene.bodies[1].position = {0.1, 1.0 + gap, 0.0};
  if (friction > 0.0) scene.contacts = {{0, 1, false, friction, 0.0}};
  return scene;
}

// What a scene has near contact: all points moved at random by up to `by`.
Matrix3Xd Shaken(const Scene& scene, double by, std::mt19937* random) {
  std::uniform_real_distribution<double> uniform(-by, by);
  Matrix3Xd x = scene.InitialPoints();
  for (Eigen::Index i = 0; i < x.cols(); ++i) {
    for (int k = 0; k < scene.dimension; ++k) x(k, i) += uniform(*random);
  }
  return x;
}

std::vector<Scene> ThinScenes() {
  std::vector<Scene> scenes;
  scenes.push_back(Floating(2, {MakeSheet("a", {1, 1}, {3, 3}, 1.0),
                                MakeChain("b", {-0.6, 0.53, 0}, {0.7, 0.53, 0}, 6, 1.0)}));
  scenes.push_back(
      Floating(3, {MakeSheet("a", {1, 1}, {3, 3}, 1.0), MakeSheet("b", {1, 1}, {4, 4}, 1.0)}));
  scenes.back().bodies[1].position = {0.1, 0.2, 0.03};
  scenes.push_back(Floating(3, {MakeChain("a", {-1, 0, 0}, {1, 0.1, 0}, 5, 1.0),
                                MakeChain("b", {0.1, -1, 0.03}, {0, 1, 0.03}, 5, 1.0)}));
  return scenes;
}

TEST(SurfaceBarrier, ForcesAreMinusTheGradientOfItsEnergyAndBalance) {
  std::mt19937 random(22);
  for (const Scene& scene : ThinScenes()) {
    SurfaceBarrier barrier(scene, Options(0.05), scene.InitialPoints());
    for (int trial = 0; trial < 5; ++trial) {
      const Matrix3Xd x = Shaken(scene, 0.01, &random);
      Matrix3Xd forces = Matrix3Xd::Zero(3, x.cols());
      Exchange rates;
      barrier.AddForces(0.0, x, Matrix3Xd::Zero(3, x.cols()), forces, &rates);
      ASSERT_TRUE(barrier.pushes());
      const double scale = forces.cwiseAbs().maxCoeff(), by = 1e-7;
      for (Eigen::Index i = 0; i < x.cols(); ++i) {
        for (int k = 0; k < scene.dimension; ++k) {
          Matrix3Xd up = x, down = x;
          up(k, i) += by;
          down(k, i) -= by;
          const double slope = (barrier.Energy(0.0, up) - barrier.Energy(0.0, down)) / (2.0 * by);
          EXPECT_NEAR(forces(k, i), -slope, 2e-5 * scale)
              << scene.dimension << " " << i << " " << k;
        }
      }
      Vector3d moment = Vector3d::Zero();
      for (Eigen::Index i = 0; i < x.cols(); ++i) {
        moment += Vector3d(x.col(i)).cross(Vector3d(forces.col(i)));
      }
      EXPECT_LT(forces.rowwise().sum().norm(), 1e-12 * scale);
      EXPECT_LT(moment.norm(), 1e-12 * scale);
      EXPECT_EQ(rates[WorkClass::kContact], 0.0);
    }
  }
}

// Nearly parallel edges of faces: the mollifier is a part of the energy.
TEST(SurfaceBarrier, ParallelEdgesPushByTheGradientToo) {
  Scene scene =
      Floating(3, {MakeSheet("a", {1, 1}, {2, 2}, 1.0), MakeSheet("b", {1, 1}, {2, 2}, 1.0)});
  scene.bodies[1].position = {0.0, 1.03, 0.0};  // beside it: edges along each other
  scene.bodies[1].orientation = Eigen::AngleAxisd(0.01, Vector3d(0.3, 1, 0.5).normalized());
  const Matrix3Xd x = scene.InitialPoints();
  SurfaceBarrier barrier(scene, Options(0.05), x);
  Matrix3Xd forces = Matrix3Xd::Zero(3, x.cols());
  Exchange rates;
  barrier.AddForces(0.0, x, Matrix3Xd::Zero(3, x.cols()), forces, &rates);
  const double scale = forces.cwiseAbs().maxCoeff(), by = 1e-6;
  ASSERT_GT(scale, 0.0);
  for (Eigen::Index i = 0; i < x.cols(); ++i) {
    for (int k = 0; k < 3; ++k) {
      Matrix3Xd up = x, down = x;
      up(k, i) += by;
      down(k, i) -= by;
      EXPECT_NEAR(forces(k, i), (barrier.Energy(0.0, down) - barrier.Energy(0.0, up)) / (2.0 * by),
                  1e-4 * scale);
    }
  }
}

// Rigid bodies that do not turn, by velocity Verlet in pieces that the barrier accepts: an integrator
// of its own. q holds the displacement of both, v their velocities.
struct Sliding {
  Sliding(const Scene& scene, const PenaltyOptions& options)
      : start(scene.InitialPoints()),
        count(scene.bodies[0].size()),
        barrier(scene, options, start),
        mass{scene.bodies[0].mass.sum(), scene.bodies[1].mass.sum()} {}
  Matrix3Xd PointsAt(const VectorXd& at) const {
    Matrix3Xd x = start;
    x.leftCols(count).colwise() += at.head<3>();
    x.rightCols(x.cols() - count).colwise() += at.tail<3>();
    return x;
  }
  StepOutcome Take(double t, double h) {
    const auto kick = [&](double duration) {
      Matrix3Xd rate = start, forces = Matrix3Xd::Zero(3, start.cols());
      rate.leftCols(count).colwise() = Vector3d(v.head<3>());
      rate.rightCols(start.cols() - count).colwise() = Vector3d(v.tail<3>());
      Exchange rates;
      barrier.AddForces(t, PointsAt(q), rate, forces, &rates);
      work.Add(duration, rates);
      v.head<3>() += duration / mass[0] * (forces.leftCols(count).rowwise().sum() + pull[0]);
      v.tail<3>() +=
          duration / mass[1] * (forces.rightCols(start.cols() - count).rowwise().sum() + pull[1]);
    };
    kick(0.5 * h);
    q += h * v;
    kick(0.5 * h);
    return {};
  }
  StepOutcome Step(double h) {
    StepOutcome outcome = divided.Step(
        0.0, h, [this](double t, double piece) { return Take(t, piece); },
        [this](const VectorXd& at, Matrix3Xd* x) { *x = PointsAt(at); }, &barrier, &q, &v, &work);
    work[WorkClass::kContact] += barrier.Update(0.0, PointsAt(q));
    return outcome;
  }
  double Energy() {
    return 0.5 * (mass[0] * v.head<3>().squaredNorm() + mass[1] * v.tail<3>().squaredNorm()) +
           barrier.Energy(0.0, PointsAt(q));
  }
  Matrix3Xd start;
  Eigen::Index count;
  SurfaceBarrier barrier;
  BarrierStep divided;
  double mass[2];
  Vector3d pull[2] = {Vector3d::Zero(), Vector3d::Zero()};
  VectorXd q = VectorXd::Zero(6), v = VectorXd::Zero(6);
  Exchange work;
};

// ½ μ v² = 2 K (d − g)³/(3 g) at the nearest: two corners over one edge.
TEST(SurfaceBarrier, TwoPlatesBounceAsOneDimensionSays) {
  const double d = 0.02, speed = 0.1, reduced = 6.0 / 5.0;
  Sliding sliding(Plates(d), Options(d));
  sliding.v[4] = -speed;  // of the small one
  double nearest = d;
  for (int i = 0; i < 40000; ++i) {
    ASSERT_EQ(sliding.Step(2e-5).kind, StepOutcome::Kind::kAdvanced);
    nearest = std::min(nearest, d + sliding.q[4] - sliding.q[1]);
  }
  const double room = d - nearest;
  EXPECT_NEAR(2.0 * 1000.0 * room * room * room / (3.0 * nearest), 0.5 * reduced * speed * speed,
              1e-4 * 0.5 * reduced * speed * speed);
  EXPECT_NEAR(sliding.v[1], 2.0 * 2.0 / 5.0 * -speed, 1e-6 * speed);
  EXPECT_NEAR(sliding.v[4], (3.0 - 2.0) / 5.0 * speed, 1e-6 * speed);
}

// A hundred and a thousand times the thickness in a step, at many angles: nothing goes through, and momentum stays.
TEST(SurfaceBarrier, NothingPassesHoweverThinAndFast) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (int trial = 0; trial < 30; ++trial) {
    const double d = 0.01, h = 0.01, speed = (trial % 2 == 0 ? 100.0 : 1000.0) * d / h;
    Scene scene =
        Floating(3, {MakeSheet("a", {1, 1}, {3, 3}, 1.0), MakeSheet("b", {0.5, 0.5}, {3, 3}, 1.0)});
    const Vector3d axis(uniform(random), uniform(random), uniform(random));
    scene.bodies[1].orientation = Eigen::AngleAxisd(3.0 * uniform(random), axis.normalized());
    scene.bodies[1].position = {0.1 * uniform(random), 0.1 * uniform(random), 3.0};
    Sliding sliding(scene, Options(d));
    sliding.v[5] = -speed;
    for (int i = 0; i < 12; ++i) {
      ASSERT_EQ(sliding.Step(h).kind, StepOutcome::Kind::kAdvanced) << trial;
    }
    // Equal masses that do not turn: by symmetry along the force, and by momentum.
    EXPECT_GT(3.0 + sliding.q[5] - sliding.q[2], 0.0) << "passed in trial " << trial;
    EXPECT_NEAR(sliding.v[2] + sliding.v[5], -speed, 1e-9 * speed);
    EXPECT_NEAR(sliding.Energy(), 0.5 * speed * speed, 0.03 * 0.5 * speed * speed) << trial;
  }
}

// m μ g: a plate that is pressed on another slows down by it.
TEST(SurfaceBarrier, FrictionSlowsByCoulombsForce) {
  const double friction = 0.3, load = 20.0;
  Sliding sliding(Plates(0.01, friction), Options(0.02, 20.0));
  sliding.mass[0] = 1e9;  // held
  sliding.pull[1] = {0, -load, 0};
  for (int i = 0; i < 20000; ++i) sliding.Step(1e-4);  // at rest
  sliding.v[3] = 1.0;
  const double before = sliding.Energy(), done = sliding.work[WorkClass::kContact];
  for (int i = 0; i < 1000; ++i) sliding.Step(1e-4);
  EXPECT_NEAR(sliding.v[3], 1.0 - friction * load / 2.0 * 0.1, 1e-3);
  EXPECT_NEAR(sliding.Energy() - before, sliding.work[WorkClass::kContact] - done, 1e-3 * before);
}

// Below the cone a plate stands still, pulled aside by less than its springs give way.
TEST(SurfaceBarrier, FrictionSticksBelowTheConeAndReturnsWhatItStores) {
  const double friction = 0.3, load = 20.0;
  Sliding sliding(Plates(0.01, friction), Options(0.02, 20.0));
  sliding.mass[0] = 1e9;
  sliding.pull[1] = {0, -load, 0};
  for (int i = 0; i < 20000; ++i) sliding.Step(1e-4);
  for (int i = 0; i < 40000; ++i) {
    sliding.pull[1].x() = 0.9 * friction * load * std::min(1.0, i / 20000.0);
    sliding.Step(1e-4);
  }
  // Two corners, K_t = 4500 N/m each.
  EXPECT_NEAR(sliding.q[3], 0.9 * friction * load / (2.0 * 4500.0), 1e-6);
  EXPECT_LT(sliding.v.tail<3>().norm(), 1e-6);
  VectorXd state(sliding.barrier.StateSize());
  sliding.barrier.Save(state);
  EXPECT_GT(state.cwiseAbs().maxCoeff(), 0.0);
  // Let go, it comes back to where it was.
  for (int i = 0; i < 40000; ++i) {
    sliding.pull[1].x() = 0.9 * friction * load * std::max(0.0, 1.0 - i / 20000.0);
    sliding.Step(1e-4);
  }
  EXPECT_NEAR(sliding.q[3], 0.0, 1e-6);
  // Above it, it goes.
  sliding.pull[1].x() = 1.1 * friction * load;
  for (int i = 0; i < 5000; ++i) sliding.Step(1e-4);
  EXPECT_GT(sliding.v[3], 0.8 * 0.1 * friction * load / 2.0 * 0.5);
}

// Thin sheets, edge over edge and point over face: the work of friction is what the ledger lacks.
TEST(SurfaceBarrier, SlidingSheetsCloseTheLedger) {
  Scene scene =
      Floating(3, {MakeSheet("a", {2, 2}, {5, 5}, 1.0), MakeSheet("b", {0.5, 0.5}, {3, 3}, 1.0)});
  scene.bodies[1].position = {-0.4, 0.07, 0.012};
  scene.bodies[1].orientation = Eigen::AngleAxisd(0.3, Vector3d::UnitZ());
  scene.contacts = {{0, 1, false, 0.3, 0.0}};
  std::vector<double> residuals;
  for (const double h : {4e-4, 2e-4, 1e-4}) {
    PenaltyOptions options = Options(0.02, 20.0);
    options.tangential_damping = 2.0;  // of dozens of pairs
    Sliding sliding(scene, options);
    sliding.v[3] = 1.0;
    sliding.pull[1] = {0, 0, -10.0};
    sliding.pull[0] = {0, 0, 10.0};
    const double before = sliding.Energy();
    double done = 0.0;
    for (int i = 0; i < static_cast<int>(std::lround(0.4 / h)); ++i) {
      const VectorXd from = sliding.q;
      sliding.Step(h);
      done += sliding.pull[0].dot(Vector3d(sliding.q.head<3>() - from.head<3>())) +
              sliding.pull[1].dot(Vector3d(sliding.q.tail<3>() - from.tail<3>()));
    }
    EXPECT_LT(sliding.work[WorkClass::kContact], -0.1);
    residuals.push_back(
        std::abs(sliding.Energy() - before - done - sliding.work[WorkClass::kContact]));
    EXPECT_NEAR(sliding.v[3] + sliding.v[0], 1.0, 1e-9);
  }
  // Of 0.6 J that friction takes.
  EXPECT_LT(residuals[0], 5e-4);
  EXPECT_LT(residuals[2], 0.75 * residuals[0]) << residuals[0] << " " << residuals[1];
}

TEST(SurfaceBarrier, DampersTakeWhatTheLedgerSays) {
  const double d = 0.02;
  Sliding sliding(Plates(d), Options(d, 300.0));
  sliding.v[4] = -0.1;
  const double before = sliding.Energy();
  for (int i = 0; i < 20000; ++i) sliding.Step(5e-5);
  EXPECT_LT(sliding.Energy(), 0.7 * before);
  EXPECT_NEAR(sliding.Energy() - before, sliding.work[WorkClass::kContact], 1e-4 * before);
}

TEST(SurfaceBarrier, ChoosesAThicknessAndRefusesWhatItCannotHold) {
  const Scene apart = Plates(0.5), near = Plates(0.01), touching = Plates(0.0);
  const auto thickness = [](const Scene& scene, double given) {
    return SurfaceBarrier(scene, Options(given), scene.InitialPoints()).thickness();
  };
  EXPECT_DOUBLE_EQ(thickness(apart, 0.0), 0.05);  // a twentieth of the shortest edge
  EXPECT_NEAR(thickness(near, 0.0), 0.01, 1e-15);
  EXPECT_EQ(thickness(near, 0.02), 0.02);
  const auto why_not = [&](const Scene& scene, double given) -> std::string {
    try {
      thickness(scene, given);
    } catch (const BadInput& bad) {
      return bad.what();
    }
    return "";
  };
  EXPECT_THAT(why_not(touching, 0.0),
              HasSubstr("0 m apart: a barrier keeps apart what does not touch"));
  EXPECT_THAT(why_not(near, 0.5), HasSubstr("less than a twentieth of the thickness of 0.5 m; use "
                                            "contact_thickness = 0.2 or less"));
  EXPECT_EQ(why_not(near, 0.2), "") << "what the message names works";
  EXPECT_NE(why_not(near, 0.201), "") << "and nothing larger";
  EXPECT_THAT(why_not(apart, 1.5), HasSubstr("only 1 m wide"));
}

TEST(SurfaceBarrier, MeetsWhomTheSceneSays) {
  Scene scene = Plates(0.01);
  EXPECT_TRUE(SurfacesMeet(scene));
  EXPECT_FALSE(SurfacesMeetWithFriction(scene));
  scene.contacts = {{0, 1, true}};
  EXPECT_FALSE(SurfacesMeet(scene));
  scene.contacts = {{0, 1, false, 0.2, 0.0}};
  EXPECT_TRUE(SurfacesMeetWithFriction(scene));
}

}  // namespace
}  // namespace pliant
