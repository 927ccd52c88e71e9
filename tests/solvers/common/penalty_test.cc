#include "solvers/contact/penalty.h"

#include <gtest/gtest.h>

#include "models/scene/shapes.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

// Two points over a floor with friction μ; the second is far above it.
Scene Floor(double friction, Path motion = Path::Still(Vector3d::Zero())) {
  Scene scene;
  scene.bodies.push_back(MakeChain("c", {0, 0, 0}, {0, 5, 0}, 2, 1.0));
  scene.obstacles.push_back({"floor", Plane{}, std::move(motion), friction});
  return scene;
}

struct Contact {
  explicit Contact(const Scene& scene, PenaltyOptions options = {1000, 10, 500, 5})
      : contact(scene, options) {}
  Vector3d Force(const Vector3d& x, const Vector3d& v, double time = 0.0) {
    Eigen::Matrix3Xd f = Eigen::Matrix3Xd::Zero(3, 2);
    power = contact.AddForces(time, Points(x, {0, 5, 0}), Points(v, {0, 0, 0}), f);
    EXPECT_EQ(Vector3d(f.col(1)), Vector3d::Zero());
    return f.col(0);
  }
  void Update(const Vector3d& x, const Vector3d& v, double time = 0.0) {
    contact.Update(time, Points(x, {0, 5, 0}), Points(v, {0, 0, 0}));
  }
  static Eigen::Matrix3Xd Points(const Vector3d& a, const Vector3d& b) {
    Eigen::Matrix3Xd points(3, 2);
    points << a, b;
    return points;
  }
  PenaltyContact contact;
  double power = 0.0;
};

TEST(PenaltyContact, PushesAlongTheNormalInProportionToDepthAndApproach) {
  Contact c(Floor(0.0));
  EXPECT_LT((c.Force({0, -0.1, 0}, {0, 0, 0}) - Vector3d(0, 100, 0)).norm(), 1e-12);
  EXPECT_LT((c.Force({0, -0.1, 0}, {0, -2, 0}) - Vector3d(0, 120, 0)).norm(), 1e-12);
  EXPECT_NEAR(c.power, -240.0, 1e-12);
  EXPECT_EQ(c.Force({0, 0.1, 0}, {0, -2, 0}), Vector3d::Zero());
}

TEST(PenaltyContact, NeverPulls) {
  Contact c(Floor(0.5));
  EXPECT_EQ(c.Force({0, -0.1, 0}, {0, 50, 0}), Vector3d::Zero());
}

TEST(PenaltyContact, FrictionIsCappedByCoulomb) {
  Contact c(Floor(0.3));
  c.Update({0, -0.1, 0}, {0, 0, 0});
  // Far from the entry point: sliding, |f_t| = μ f_n.
  EXPECT_LT((c.Force({1, -0.1, 0}, {0, 0, 0}) - Vector3d(-30, 100, 0)).norm(), 1e-12);
  // Near it: sticking, f_t = −K_t Δ.
  EXPECT_LT((c.Force({0.01, -0.1, 0.02}, {0, 0, 0}) - Vector3d(-5, 100, -10)).norm(), 1e-12);
}

TEST(PenaltyContact, TheTangentialDamperActsAgainstSlidingOnly) {
  Contact c(Floor(10.0));
  // No entry point yet: −F u_t, and the normal part of u is left to the normal damper.
  EXPECT_LT((c.Force({0, -0.1, 0}, {2, -1, 3}) - Vector3d(-10, 110, -15)).norm(), 1e-12);
  EXPECT_NEAR(c.power, -20.0 - 110.0 - 45.0, 1e-12);
}

TEST(PenaltyContact, TheTangentialSpringDoesNotFeelTheDepth) {
  Contact c(Floor(10.0));
  c.Update({0, -0.01, 0}, {0, 0, 0});
  // Deeper than where it came in, and aside: −K_t along the surface, K d from the surface.
  EXPECT_LT((c.Force({0.02, -0.2, 0}, {0, 0, 0}) - Vector3d(-10, 200, 0)).norm(), 1e-12);
}

TEST(PenaltyContact, TheEntryPointIsDraggedAlongTheSurface) {
  Contact c(Floor(0.3));
  c.Update({0, -0.01, 0}, {0, 0, 0});
  c.Update({1, -0.1, 0}, {0, 0, 0});  // slides: the spring is left with μ K d = 30 N
  // Deeper again, so that nothing is capped: the spring of 30 N and no more.
  EXPECT_LT((c.Force({1, -0.5, 0}, {0, 0, 0}) - Vector3d(-30, 500, 0)).norm(), 1e-9);
}

TEST(PenaltyContact, AFloorThatRisesIsApproachedAtTheRelativeVelocity) {
  Eigen::Matrix3Xd keys(3, 2);
  keys << 0, 0, 0, 2, 0, 0;
  Contact c(Floor(0.0, Path({0.0, 1.0}, keys, Path::Interpolation::kLinear)));
  // At 0.5 s the floor is at 1 m and rises at 2 m/s: K 0.1 + C 2 on a point at rest.
  EXPECT_LT((c.Force({0, 0.9, 0}, {0, 0, 0}, 0.5) - Vector3d(0, 120, 0)).norm(), 1e-9);
  EXPECT_EQ(c.power, 0.0);  // which does not move, so that nothing works on it
  c.Force({0, 0.9, 0}, {0, 2, 0}, 0.5);
  EXPECT_NEAR(c.power, 100.0 * 2.0, 1e-9);  // lifted by the floor
}

TEST(PenaltyContact, EntryPointIsForgottenOnLeavingAndDraggedWhenSliding) {
  Contact c(Floor(0.3));
  c.Update({0, -0.1, 0}, {0, 0, 0});
  c.Update({1, -0.1, 0}, {0, 0, 0});  // slides: the spring is shortened to the cap, 30 N / K_t
  EXPECT_LT((c.Force({1, -0.1, 0}, {0, 0, 0}) - Vector3d(-30, 100, 0)).norm(), 1e-9);
  EXPECT_LT((c.Force({0.95, -0.1, 0}, {0, 0, 0}) - Vector3d(-5, 100, 0)).norm(), 1e-9);
  c.Update({1, 0.1, 0}, {0, 0, 0});  // leaves
  c.Update({2, -0.1, 0}, {0, 0, 0});
  EXPECT_LT((c.Force({2, -0.1, 0}, {0, 0, 0}) - Vector3d(0, 100, 0)).norm(), 1e-12);
}

TEST(PenaltyContact, AMovingObstacleCarriesWhatSticksToIt) {
  Eigen::Matrix3Xd keys(3, 2);
  keys << 0, 2, 0, 0, 0, 0;
  Contact c(Floor(5.0, Path({0.0, 1.0}, keys, Path::Interpolation::kLinear)));
  c.Update({0, -0.1, 0}, {2, 0, 0}, 0.0);
  // Carried along: no relative motion, no friction.
  EXPECT_LT((c.Force({1, -0.1, 0}, {2, 0, 0}, 0.5) - Vector3d(0, 100, 0)).norm(), 1e-12);
  // Left behind: pulled along.
  EXPECT_GT(c.Force({0.9, -0.1, 0}, {2, 0, 0}, 0.5).x(), 0.0);
}

TEST(PenaltyContact, RestoresItsEntryPoints) {
  const Scene scene = Floor(0.3);
  Contact a(scene), b(scene);
  a.Update({0.1, -0.1, 0}, {0, 0, 0});
  Eigen::VectorXd state(a.contact.StateSize());
  a.contact.Save(state);
  b.contact.Restore(state);
  EXPECT_EQ(a.Force({0.13, -0.1, 0}, {1, 0, 0}), b.Force({0.13, -0.1, 0}, {1, 0, 0}));
}

}  // namespace
}  // namespace pliant
