// Contact with obstacles as displacement constraints.

#include "solvers/contact/displacement.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "tests/solvers/displacement_constraints/scenes.h"

namespace pliant::displacement_constraints {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Eigen::VectorXd;

// Closed to far below the displacement of a step.
DisplacementConstraintsOptions Tight() {
  DisplacementConstraintsOptions options = SweptTo(1e-10, 20000);
  options.bounce = 0.0;
  return options;
}

// A rod of 1 m and 2 kg along z.
Scene FallingRod(const Vector3d& centre) {
  Scene scene = Weightless({MakeChain("rod", {0, 0, -0.5}, {0, 0, 0.5}, 2, 2.0)});
  scene.gravity = {0.0, -10.0, 0.0};
  scene.bodies[0].position = centre;
  return scene;
}

Vector3d MeanVelocity(const Observation& o) { return o.velocities->rowwise().mean(); }

TEST(ContactOfBodies, FloorHoldsWhatFallsOnIt) {
  Scene scene = FallingRod({0.0, 0.2, 0.0});
  scene.obstacles = {Floor("floor", Vector3d::UnitY())};
  const double h = 0.005;
  const auto simulation = Start(scene, Tight());
  const Observation end = RunFor(simulation.get(), 400, h);
  EXPECT_NEAR(end.points.row(1).cwiseAbs().maxCoeff(), 0.0, 1e-9);
  // Velocity is that of x', half a step of gravity ahead of the displacement.
  EXPECT_LE(std::abs(MeanVelocity(end).y()), 0.5 * h * 10.0 + 1e-9);
  EXPECT_LT((end.points.col(1) - end.points.col(0) - Vector3d::UnitZ()).norm(), 1e-9);
  EXPECT_LT(MeasurePenetration(scene, simulation->time(), end.points)->max, 1e-9);
  // Falling 0.2 m gave 4 J; contact has taken them.
  EXPECT_NEAR((*end.work)[WorkClass::kContact], -4.0, 0.1);
}

// The two ends of the rod are pushed one after the other; each push turns the rod by an angle whose
// square the linearised mobility leaves out, so that speeds are right to the first order of h.
TEST(ContactOfBodies, BounceFactorScalesTheSpeedOfAHit) {
  for (const double bounce : {0.0, 0.3, 1.0}) {
    for (const double h : {0.01, 0.001}) {
      Scene scene = FallingRod({0.0, 0.01, 0.0});
      scene.gravity.setZero();
      scene.bodies[0].velocity = {0.5, -2.0, 0.0};
      scene.obstacles = {Floor("floor", Vector3d::UnitY())};
      DisplacementConstraintsOptions options = Tight();
      options.bounce = bounce;
      const auto simulation = Start(scene, options);
      const Observation end = RunFor(simulation.get(), static_cast<int>(std::lround(0.03 / h)), h);
      const double left = bounce == 0.0 ? 0.0 : 2.0 * bounce;
      EXPECT_LT((MeanVelocity(end) - Vector3d(0.5, left, 0.0)).norm(), 0.2 * h + 1e-6)
          << "bounce " << bounce;
    }
  }
}

TEST(ContactOfBodies, BouncesOffAMovingFloorByTheRelativeSpeed) {
  const double h = 0.001;
  Scene scene = FallingRod({0.0, 0.01, 0.0});
  scene.gravity.setZero();
  scene.obstacles = {Floor("floor", Vector3d::UnitY())};
  scene.obstacles[0].motion = PathThrough({0.0, 1.0}, {{0, 0, 0}, {0, 1.5, 0}});  // comes up
  DisplacementConstraintsOptions options = Tight();
  options.bounce = 0.5;
  const auto simulation = Start(scene, options);
  const Observation end = RunFor(simulation.get(), 100, h);
  // It comes with 1.5 m/s relative to the floor and leaves with half of that, seen from the floor.
  EXPECT_NEAR(MeanVelocity(end).y(), 1.5 + 0.75, 0.2 * h);
}

TEST(ContactOfBodies, SphereKeepsAChainOutside) {
  Scene scene = Weightless({MakeChain("chain", {-0.5, 0, 0}, {0.5, 0, 0}, 17, 1.0)});
  scene.gravity = {0.0, -10.0, 0.0};
  scene.bodies[0].position = {0.0, 0.35, 0.0};
  scene.obstacles = {{"ball", Sphere{0.3}, Path::Still(Vector3d::Zero()), 0.0}};
  DisplacementConstraintsOptions options = Tight();
  options.tolerance = 1e-6;
  const auto simulation = Start(scene, options);
  for (int i = 0; i < 150; ++i) {
    const Observation o = RunFor(simulation.get(), 1, 0.002);
    // Outside the tangent plane of the step is outside the ball.
    EXPECT_LT(MeasurePenetration(scene, simulation->time(), o.points)->max, 1e-7);
  }
  const Observation end = Observed(*simulation);
  EXPECT_NEAR(end.points.col(8).norm(), 0.3, 1e-3) << "the middle lies on the ball";
  EXPECT_LT(end.points(1, 0), 0.2) << "the ends hang down";
  EXPECT_LT((end.points.row(0) + end.points.row(0).reverse()).norm(), 1e-2) << "evenly";
}

// A valley of two planes at 45°: what slides down one side comes to rest on both.
TEST(ContactOfBodies, WedgeIsTouchedOnBothSides) {
  Scene scene = FallingRod({0.1, 0.15, 0.0});
  scene.obstacles = {Floor("left", {1, 1, 0}), Floor("right", {-1, 1, 0})};
  const auto simulation = Start(scene, Tight());
  const Observation end = RunFor(simulation.get(), 1000, 0.002);
  EXPECT_LT(end.points.topRows<2>().cwiseAbs().maxCoeff(), 1e-6) << "at the bottom";
}

// The same valley is too narrow for the rod to reach its bottom. Without friction this would be an
// equilibrium that any touch upsets: the middle of the rod moves on a circle about the bottom.
TEST(ContactOfBodies, RodAcrossAWedgeRestsOnBothSides) {
  Scene scene = Weightless({MakeChain("rod", {-0.5, 0, 0}, {0.5, 0, 0}, 2, 2.0)});
  scene.gravity = {0.0, -10.0, 0.0};
  scene.bodies[0].position = {0.0, 0.55, 0.0};
  scene.obstacles = {Floor("left", {1, 1, 0}, 0.5), Floor("right", {-1, 1, 0}, 0.5)};
  const double h = 0.002;
  const auto simulation = Start(scene, Tight());
  const Observation end = RunFor(simulation.get(), 500, h);
  EXPECT_LT((end.points.col(0) - Vector3d(-0.5, 0.5, 0.0)).norm(), 1e-5);
  EXPECT_LT((end.points.col(1) - Vector3d(0.5, 0.5, 0.0)).norm(), 1e-5);
  EXPECT_LT(MeanVelocity(end).norm(), h * 10.0);
}

// A rod on a slope of angle α: it stays below μ = tan α and slides with g (sin α − μ cos α) above.
TEST(ContactOfBodies, FrictionOnASlope) {
  const double angle = std::numbers::pi / 6.0, h = 0.002, g = 10.0;
  const Vector3d normal(std::sin(angle), std::cos(angle), 0.0);
  const Vector3d down(std::cos(angle), -std::sin(angle), 0.0);
  for (const double friction : {0.0, 0.2, 0.4, 0.57, 0.59, 1.0}) {
    Scene scene = FallingRod(Vector3d::Zero());
    scene.obstacles = {Floor("slope", normal, friction)};
    const auto simulation = Start(scene, Tight());
    const Observation end = RunFor(simulation.get(), 250, h);
    const double t = 250 * h;
    const double acceleration = std::max(0.0, g * (std::sin(angle) - friction * std::cos(angle)));
    const Vector3d moved = end.points.rowwise().mean();
    // The first step presses half as hard as all later ones.
    EXPECT_NEAR(moved.dot(down), 0.5 * acceleration * t * t, g * h * t) << "friction " << friction;
    EXPECT_NEAR(moved.dot(normal), 0.0, 1e-8);
    if (friction > std::tan(angle)) {
      EXPECT_LT(moved.norm(), 1e-6) << "sticks: to the tolerance of each step";
    } else {
      EXPECT_GT(moved.dot(down), 0.005) << "slides";
      EXPECT_NEAR(MeanVelocity(end).dot(down), acceleration * t, 2 * g * h);
    }
  }
}

// A conveyor: a floor that is carried along takes the rod with it.
TEST(ContactOfBodies, FrictionCarriesAlong) {
  Scene scene = FallingRod(Vector3d::Zero());
  scene.obstacles = {Floor("belt", Vector3d::UnitY(), 0.5)};
  scene.obstacles[0].motion = PathThrough({0.0, 1.0}, {{0, 0, 0}, {0.5, 0, 0}});
  const auto simulation = Start(scene, Tight());
  const Observation end = RunFor(simulation.get(), 100, 0.01);
  EXPECT_NEAR(MeanVelocity(end).x(), 0.5, 1e-6);
  // It slips for v/(μ g) = 0.1 s and loses ½ v²/(μ g).
  EXPECT_NEAR(end.points.row(0).mean(), 0.5 - 0.025, 0.01);
}

// Relaxing one contact of a free point by hand: P_n ≥ 0, |P_t| ≤ μ P_n, no pull, no overshoot.
class RelaxedContact : public testing::Test {
 protected:
  RelaxedContact()
      : segments_(SegmentNet({{0, 1}}, VectorXd::Ones(2), SegmentInertia::kLumped),
                  VelocityUpdate::kCorrected) {
    Matrix3Xd ends = Matrix3Xd::Zero(3, 2);
    ends(2, 1) = 1.0;
    segments_.PlaceAndMeasure(ends);
    contact_.where = WeightedPoint{1, {0}, {1.0}};
    contact_.normal = Vector3d::UnitY();
    contact_.way.setZero();
  }
  Corrector Moves() {
    return {segments_.net(), segments_.geometry(), {}, &segments_.centres, &segments_.axes};
  }

  SegmentSystem segments_;
  Contact contact_;
};

TEST_F(RelaxedContact, PushesOutAndNeverPullsIn) {
  Corrector corrector = Moves();
  contact_.goal = {0.0, 1e-4, 0.0};
  EXPECT_NEAR(Violation(corrector, contact_), 1e-4, 1e-15);
  Relax(corrector, &contact_);
  EXPECT_NEAR(corrector.Point(0).y(), 1e-4, 1e-8);
  EXPECT_NEAR(contact_.impulse.y(), 1e-4, 1e-8) << "a lumped end of 1 kg gives way like a point";
  EXPECT_EQ(corrector.Point(0).x(), 0.0) << "no friction";
  // Something else pushes it further out: what this contact gave is taken back, and no more.
  corrector.Push(0, {0.0, 5e-5, 0.0});
  Relax(corrector, &contact_);
  EXPECT_NEAR(contact_.impulse.y(), 5e-5, 1e-8);
  EXPECT_NEAR(corrector.Point(0).y(), 1e-4, 1e-8);
  corrector.Push(0, {0.0, 1e-3, 0.0});
  Relax(corrector, &contact_);
  EXPECT_EQ(contact_.impulse, Vector3d::Zero());
  EXPECT_NEAR(corrector.Point(0).y(), 1e-3 + 5e-5, 1e-6);
  EXPECT_EQ(Violation(corrector, contact_), 0.0);
}

TEST_F(RelaxedContact, FrictionIsBoundedByThePressure) {
  for (const double friction : {0.3, 5.0}) {
    SetUp();
    contact_.friction = friction;
    contact_.impulse.setZero();
    Corrector corrector = Moves();
    const Vector3d start = corrector.Point(0);
    contact_.goal = start + Vector3d(-2e-4, 1e-4, 0.0);
    Relax(corrector, &contact_);
    const Vector3d moved = corrector.Point(0) - start;
    EXPECT_NEAR(moved.y(), 1e-4, 1e-8);
    EXPECT_NEAR(moved.x(), -std::min(friction * 1e-4, 2e-4), 1e-8);
  }
}

}  // namespace
}  // namespace pliant::displacement_constraints
