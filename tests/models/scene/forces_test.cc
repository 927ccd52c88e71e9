#include "models/scene/forces.h"

#include <gtest/gtest.h>

#include "models/scene/shapes.h"
#include "tests/scenes.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

// Two points, a spring between them, one to an anchor, both damped.
Scene SpringScene(double rest_length) {
  Scene scene = SceneOf({MakeChain("a", {0, 0, 0}, {1, 0.5, -0.3}, 2, 3.0)});
  const Spring inner = {.name = "inner",
                        .b = PointRef{0, 1},
                        .stiffness = 7.0,
                        .damping = 0.4,
                        .rest_length = rest_length};
  Spring outer = inner;
  outer.name = "outer";
  outer.a = {0, 1};
  outer.b.reset();
  outer.anchor = {2, 2, 1};
  scene.springs = {inner, outer};
  return scene;
}

TEST(SceneForces, SpringForceIsMinusTheGradientOfItsEnergy) {
  for (double rest_length : {0.0, 0.4}) {
    const Scene scene = SpringScene(rest_length);
    const SceneForces forces(scene);
    Eigen::Matrix3Xd x = scene.InitialPoints(), f = Eigen::Matrix3Xd::Zero(3, 2);
    forces.AddSprings(x, f);
    const double h = 1e-6;
    for (int i = 0; i < 2; ++i) {
      for (int k = 0; k < 3; ++k) {
        Eigen::Matrix3Xd after = x, before = x;
        after(k, i) += h;
        before(k, i) -= h;
        const double slope = (forces.SpringEnergy(after) - forces.SpringEnergy(before)) / (2 * h);
        EXPECT_NEAR(f(k, i), -slope, 1e-8);
      }
    }
  }
}

TEST(SceneForces, SpringDampingTakesEnergyAndKeepsInnerMomentum) {
  for (double rest_length : {0.0, 0.4}) {
    Scene scene = SpringScene(rest_length);
    scene.springs.pop_back();
    const SceneForces forces(scene);
    const Eigen::Matrix3Xd x = scene.InitialPoints();
    Eigen::Matrix3Xd v(3, 2), f = Eigen::Matrix3Xd::Zero(3, 2);
    v << 1, -2, 0.3, 4, 1, -1;
    forces.AddSpringDamping(x, v, f);
    EXPECT_LT(f.cwiseProduct(v).sum(), 0.0);
    EXPECT_LT(Vector3d(f.col(0) + f.col(1)).norm(), 1e-15);
    // A rigid rotation stretches no spring; along-the-line damping must not see it.
    if (rest_length > 0.0) {
      for (int i = 0; i < 2; ++i) v.col(i) = Vector3d(0.3, 1, 2).cross(Vector3d(x.col(i)));
      f.setZero();
      forces.AddSpringDamping(x, v, f);
      EXPECT_LT(f.norm(), 1e-14);
    }
  }
}

TEST(SceneForces, GravityIsMinusTheGradientOfItsEnergy) {
  const Scene scene = SpringScene(0.0);
  const SceneForces forces(scene);
  Eigen::Matrix3Xd x = scene.InitialPoints(), f = Eigen::Matrix3Xd::Zero(3, 2);
  forces.AddGravity(f);
  EXPECT_LT((f.col(0) - 1.5 * scene.gravity).norm(), 1e-15);
  Eigen::Matrix3Xd moved = x;
  moved.col(0) += Vector3d(0.1, 0.2, 0.3);
  EXPECT_NEAR(forces.GravitationalEnergy(moved) - forces.GravitationalEnergy(x), 1.5 * 9.81 * 0.2,
              1e-12);
}

TEST(SceneForces, TimedForcesAndImpulsesActInTheirHalfOpenIntervals) {
  Scene scene = SpringScene(0.0);
  scene.forces.push_back(
      {.name = "push", .point = {0, 1}, .force = {1, 0, 0}, .from = 1.0, .until = 2.0});
  scene.impulses.push_back({.name = "kick", .point = {0, 0}, .impulse = {0, 2, 0}, .time = 0.5});
  const SceneForces forces(scene);
  for (const auto& [time, expected] :
       std::vector<std::pair<double, double>>{{0.9, 0}, {1.0, 1}, {1.99, 1}, {2.0, 0}}) {
    Eigen::Matrix3Xd f = Eigen::Matrix3Xd::Zero(3, 2);
    forces.AddTimedForces(time, f);
    EXPECT_EQ(f(0, 1), expected) << time;
  }
  Eigen::Matrix3Xd p = Eigen::Matrix3Xd::Zero(3, 2);
  EXPECT_FALSE(forces.AddImpulses(0.4, 0.5, p));
  EXPECT_TRUE(forces.AddImpulses(0.5, 0.6, p));
  EXPECT_EQ(p(1, 0), 2.0);
}

}  // namespace
}  // namespace pliant
