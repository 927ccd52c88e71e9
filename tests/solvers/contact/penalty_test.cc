#include "solvers/contact/penalty.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <vector>

#include "models/scene/shapes.h"
#include "tests/scenes.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

// Two points over a floor with friction μ; the second is far above it.
Scene Floor(double friction, Path motion = Path::Still(Vector3d::Zero())) {
  Scene scene = SceneOf({MakeChain("c", {0, 0, 0}, {0, 5, 0}, 2, 1.0)});
  scene.obstacles.push_back({"floor", Plane{}, std::move(motion), friction});
  return scene;
}

struct Contact {
  explicit Contact(const Scene& scene, PenaltyOptions options = {1000, 10, 500, 5})
      : contact(scene, options) {}
  Vector3d Force(const Vector3d& x, const Vector3d& v, double time = 0.0) {
    Eigen::Matrix3Xd f = Eigen::Matrix3Xd::Zero(3, 2);
    rates = {};
    contact.AddForces(time, Points(x, {0, 5, 0}), Points(v, {0, 0, 0}), f, &rates);
    EXPECT_EQ(Vector3d(f.col(1)), Vector3d::Zero());
    return f.col(0);
  }
  double Update(const Vector3d& x, const Vector3d& v, double time = 0.0) {
    return contact.Update(time, Points(x, {0, 5, 0}), Points(v, {0, 0, 0}));
  }
  double Energy(const Vector3d& x, double time = 0.0) const {
    return contact.Energy(time, Points(x, {0, 5, 0}));
  }
  static Eigen::Matrix3Xd Points(const Vector3d& a, const Vector3d& b) {
    Eigen::Matrix3Xd points(3, 2);
    points << a, b;
    return points;
  }
  double active() const { return rates[WorkClass::kMovedObstacle]; }
  double passive() const { return rates[WorkClass::kContact]; }
  PenaltyContact contact;
  Exchange rates;
};

TEST(PenaltyContact, PushesAlongTheNormalInProportionToDepthAndApproach) {
  Contact c(Floor(0.0));
  EXPECT_LT((c.Force({0, -0.1, 0}, {0, 0, 0}) - Vector3d(0, 100, 0)).norm(), 1e-12);
  EXPECT_LT((c.Force({0, -0.1, 0}, {0, -2, 0}) - Vector3d(0, 120, 0)).norm(), 1e-12);
  // Of 120 N at −2 m/s the damper takes 20 N; the rest is stored.
  EXPECT_NEAR(c.passive(), -40.0, 1e-12);
  EXPECT_EQ(c.active(), 0.0);
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
  EXPECT_NEAR(c.passive(), -20.0 - 10.0 - 45.0, 1e-12);
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
  Contact c(Floor(0.0, PathThrough({0.0, 1.0}, {{0, 0, 0}, {0, 2, 0}})));
  // At 0.5 s the floor is at 1 m and rises at 2 m/s: K 0.1 + C 2 on a point at rest.
  EXPECT_LT((c.Force({0, 0.9, 0}, {0, 0, 0}, 0.5) - Vector3d(0, 120, 0)).norm(), 1e-9);
  // The floor gives 240 W: its spring stores 200, its damper takes 40.
  EXPECT_NEAR(c.active(), 240.0, 1e-9);
  EXPECT_NEAR(c.passive(), -40.0, 1e-9);
  c.Force({0, 0.9, 0}, {0, 2, 0}, 0.5);
  EXPECT_NEAR(c.active(), 100.0 * 2.0, 1e-9);  // lifted by the floor
  EXPECT_NEAR(c.passive(), 0.0, 1e-9);
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
  Contact c(Floor(5.0, PathThrough({0.0, 1.0}, {{0, 0, 0}, {2, 0, 0}})));
  c.Update({0, -0.1, 0}, {2, 0, 0}, 0.0);
  // Carried along: no relative motion, no friction.
  EXPECT_LT((c.Force({1, -0.1, 0}, {2, 0, 0}, 0.5) - Vector3d(0, 100, 0)).norm(), 1e-12);
  // Left behind: pulled along.
  EXPECT_GT(c.Force({0.9, -0.1, 0}, {2, 0, 0}, 0.5).x(), 0.0);
}

// Along any motion: dE/dt = active + passive − f·v, between updates of the entry points.
TEST(PenaltyContact, WhatTheForceTakesIsStoredOrLost) {
  for (const ContactLaw law : {ContactLaw::kPenalty, ContactLaw::kBarrier}) {
    for (const double friction : {0.0, 0.3, 5.0}) {
      Eigen::Matrix3Xd keys(3, 2);
      keys << 0, 2, 0, 1, 0, 0;
      PenaltyOptions options = {1000, 10, 500, 5};
      options.law = law;
      Contact c(Floor(friction, Path({0.0, 1.0}, keys, Path::Interpolation::kLinear)), options);
      c.Update({0.3, 0.2, 0}, {0, 0, 0}, 0.25);
      for (const Vector3d& v : {Vector3d(0, 0, 0), Vector3d(3, -1, 0.5), Vector3d(1, 30, -2)}) {
        const Vector3d x(0.32, 0.17, -0.01);
        const Vector3d f = c.Force(x, v, 0.25);
        const double h = 1e-6;
        const double stored =
            (c.Energy(x + h * v, 0.25 + h) - c.Energy(x - h * v, 0.25 - h)) / (2.0 * h);
        const double size = 1.0 + std::abs(stored);  // the difference loses half of the digits
        EXPECT_NEAR(stored, c.active() + c.passive() - f.dot(v), 1e-5 * size);
      }
    }
  }
}

// What slides takes nothing back: its entry point is dragged at the loss of what its spring stored
// beyond the cone, and the rest is lost where the point leaves.
TEST(PenaltyContact, FrictionOnlyTakes) {
  Contact c(Floor(0.3));
  EXPECT_EQ(c.Update({0, -0.1, 0}, {0, 0, 0}), 0.0);
  const double before = c.Energy({0.2, -0.1, 0});
  EXPECT_NEAR(before, 0.5 * 1000 * 0.01 + 0.5 * 500 * 0.04, 1e-12);
  // Pulled to 100 N where the cone allows 30 N: 30²/2K_t stays.
  const double dragged = c.Update({0.2, -0.1, 0}, {0, 0, 0});
  EXPECT_NEAR(dragged, (30.0 * 30.0 - 100.0 * 100.0) / (2.0 * 500.0), 1e-12);
  EXPECT_NEAR(c.Energy({0.2, -0.1, 0}) - before, dragged, 1e-12);
  EXPECT_NEAR(c.Update({0.2, 0.1, 0}, {0, 0, 0}), -30.0 * 30.0 / (2.0 * 500.0), 1e-12);
  EXPECT_EQ(c.Energy({0.2, 0.1, 0}), 0.0);
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

// A smooth floor has no springs along its surface, and no entry points; those of a rough one behind it in the scene
// are its own.
TEST(PenaltyContact, KeepsEntryPointsWhereThereIsFriction) {
  EXPECT_EQ(Contact(Floor(0.0)).contact.StateSize(), 0);
  Scene scene = Floor(0.0);
  scene.obstacles.push_back({"rough", Plane{}, Path::Still({0, -0.05, 0}), 0.3});
  Contact both(scene), rough(Floor(0.3, Path::Still({0, -0.05, 0})));
  EXPECT_EQ(both.contact.StateSize(), 7 * 2);
  const Vector3d x(0.1, -0.1, 0), later(0.13, -0.1, 0), still = Vector3d::Zero();
  both.Update(x, still);
  rough.Update(x, still);
  EXPECT_LT((both.Force(later, still) - rough.Force(later, still) - Vector3d(0, 100, 0)).norm(),
            1e-12);
  EXPECT_EQ(both.Update({0.1, 0.1, 0}, still), rough.Update({0.1, 0.1, 0}, still));
  EXPECT_EQ(both.Force(later, still)[0], 0.0);  // the entry point is forgotten
}

// One obstacle of each kind, its origin moving at `velocity` from `origin`.
Scene With(const ObstacleShape& shape, const Vector3d& origin, const Vector3d& velocity) {
  Scene scene = SceneOf({MakeChain("c", {0, 0, 0}, {0, 5, 0}, 2, 1.0)});
  Eigen::Matrix3Xd keys(3, 2);
  keys << origin, origin + 10.0 * velocity;
  const Path path = velocity.isZero() ? Path::Still(origin)
                                      : Path({0.0, 10.0}, keys, Path::Interpolation::kLinear);
  scene.obstacles.push_back({"obstacle", shape, path, 0.3});
  return scene;
}

struct Kind {
  ObstacleShape shape;
  Vector3d inside, normal;  // a point 0.1 m deep, from the origin, and the normal there
};

std::vector<Kind> Kinds() {
  const Vector3d slope = Vector3d(-0.6, 0.8, 0);
  const Eigen::Matrix3d turn = Eigen::AngleAxisd(0.5, Vector3d::UnitZ()).toRotationMatrix();
  const Vector3d diagonal = Vector3d(1, 2, -2) / 3.0;
  return {{Plane{}, {2, -0.1, 1}, {0, 1, 0}},
          {Plane{slope}, 3.0 * Vector3d(0.8, 0.6, 0) - 0.1 * slope, slope},
          {Sphere{0.5}, 0.4 * diagonal, diagonal},
          {Box{{0.5, 0.4, 0.6}, turn}, turn * Vector3d(-0.4, 0.1, 0.2), turn * Vector3d(-1, 0, 0)},
          {Capsule{{0, 0.7, 0}, 0.3}, {0.2, 0.3, 0}, {1, 0, 0}},
          {Capsule{{0, 0.7, 0}, 0.3},
           Vector3d(0, 0.7, 0) + 0.2 * Vector3d(0, 0.6, 0.8),
           {0, 0.6, 0.8}}};
}

TEST(PenaltyContact, IsTheSameLawOnEveryKindOfObstacleStillOrMoving) {
  for (const Kind& kind : Kinds()) {
    for (const Vector3d& carried : {Vector3d(0, 0, 0), Vector3d(0.4, -0.2, 0.3)}) {
      SCOPED_TRACE(kind.shape.index());
      const Vector3d origin(0.3, -0.2, 0.1);
      const double time = 0.5;
      Contact c(With(kind.shape, origin, carried));
      const Vector3d x = origin + time * carried + kind.inside, &n = kind.normal;
      const Vector3d across = n.cross(Vector3d(0.3, 0.2, 0.9)).normalized();
      // Carried along: the normal force of depth alone.
      EXPECT_LT((c.Force(x, carried, time) - 100.0 * n).norm(), 1e-9);
      EXPECT_NEAR(c.active(), 100.0 * n.dot(carried), 1e-9);
      EXPECT_NEAR(c.passive(), 0.0, 1e-9);
      EXPECT_LT((c.rates.impulse - 100.0 * n).norm(), 1e-9);
      EXPECT_LT((c.rates.angular_impulse - x.cross(100.0 * n)).norm(), 1e-9);
      // Coming in: damped.
      EXPECT_LT((c.Force(x, carried - 2.0 * n, time) - 120.0 * n).norm(), 1e-9);
      // Slow across: the damper, F u. Fast: the cone.
      EXPECT_LT((c.Force(x, carried + 2.0 * across, time) - (100.0 * n - 10.0 * across)).norm(),
                1e-9);
      const Vector3d sliding = c.Force(x, carried + 50.0 * across, time);
      EXPECT_LT((sliding - (100.0 * n - 30.0 * across)).norm(), 1e-9);
      EXPECT_NEAR(c.active(), sliding.dot(carried), 1e-9);
      EXPECT_NEAR(c.passive(), sliding.dot(50.0 * across), 1e-9);
      // An entry point travels with the obstacle.
      c.Update(x, carried, time);
      EXPECT_LT((c.Force(x + carried, carried, time + 1.0) - 100.0 * n).norm(), 1e-9);
      EXPECT_EQ(c.Force(x + 0.11 * n, carried, time), Vector3d::Zero());
    }
  }
}

// From the top of a box to its side and back, through the plane where both are equally near: within
// a step the spring stores what it takes; after it, it lies in the plane of the new face and stores
// the same, whatever its direction was.
TEST(PenaltyContact, FrictionStoresTheSameOnBothFacesOfAnEdge) {
  Scene scene = With(Box{{0.5, 0.5, 0.5}}, {0, 0, 0}, {0, 0, 0});
  scene.obstacles[0].friction = 100.0;
  for (const Vector3d& slip :
       {Vector3d(0.02, 0, 0), Vector3d(0, 0, 0.02), Vector3d(0.01, 0, -0.03)}) {
    Contact c(scene);
    const Vector3d top(0.38, 0.42, 0), step(0.08, 0, 0), side = top + slip + step;
    c.Update(top, {0, 0, 0});
    EXPECT_EQ(c.Update(top + slip, {0, 0, 0}), 0.0);
    const double springs = c.Energy(top + slip) - 0.5 * 1000 * 0.08 * 0.08;
    EXPECT_NEAR(springs, 0.5 * 500 * slip.squaredNorm(), 1e-12);
    const auto near_edge = [&](double part) -> Vector3d { return top + slip + part * step; };
    double taken = 0.0;  // by the point's own motion, in many small ways, midpoint by midpoint
    const int ways = 120000;
    for (int i = 0; i < ways; ++i) {
      taken -= c.Force(near_edge((i + 0.5) / ways), {0, 0, 0}).dot(step) / ways;
    }
    EXPECT_NEAR(c.Energy(side) - c.Energy(top + slip), taken, 1e-4) << "across the edge";
    const double before = c.Energy(side);
    EXPECT_EQ(c.Update(side, {0, 0, 0}), 0.0);
    EXPECT_NEAR(c.Energy(side), before, 1e-12);
    EXPECT_NEAR(c.Force(side, {0, 0, 0}).x(), 1000 * (0.5 - side.x()), 1e-9) << "in the new plane";
  }
}

PenaltyOptions Barrier() {
  PenaltyOptions options = {1000, 10, 500, 5};
  options.law = ContactLaw::kBarrier;
  options.barrier_energy = 0.2;
  options.barrier_length = 0.05;
  return options;
}

TEST(BarrierContact, ForceIsMinusTheDerivativeOfTheEnergyAndPushesOut) {
  for (const Kind& kind : Kinds()) {
    SCOPED_TRACE(kind.shape.index());
    Scene scene = With(kind.shape, {0.3, -0.2, 0.1}, {0, 0, 0});
    scene.obstacles[0].friction = 0.0;
    Contact c(scene, Barrier());
    for (double out : {0.0, 0.1, 0.15, 0.4}) {  // 0.1 m deep to 0.3 m outside
      const Vector3d x = Vector3d(0.3, -0.2, 0.1) + kind.inside + out * kind.normal;
      const Vector3d far = x + 100.0 * kind.normal;
      const double h = 1e-6;
      Vector3d slope;
      for (int i = 0; i < 3; ++i) {
        const Vector3d step = h * Vector3d::Unit(i);
        slope[i] = (c.contact.Energy(0.0, Contact::Points(x + step, far)) -
                    c.contact.Energy(0.0, Contact::Points(x - step, far))) /
                   (2.0 * h);
      }
      Eigen::Matrix3Xd f = Eigen::Matrix3Xd::Zero(3, 2);
      Exchange rates;
      c.contact.AddForces(0.0, Contact::Points(x, far), Contact::Points({0, 0, 0}, {0, 0, 0}), f,
                          &rates);
      const double expected = 0.2 / 0.05 * std::exp(-(out - 0.1) / 0.05);
      EXPECT_LT((f.col(0) - expected * kind.normal).norm(), 1e-9 * expected);
      EXPECT_LT((f.col(0) + slope).norm(), 1e-6 * expected);
      EXPECT_EQ(Vector3d(f.col(1)), Vector3d::Zero());
    }
  }
}

TEST(BarrierContact, WorksOnlyThroughFrictionAndTheMotionOfTheObstacle) {
  const Vector3d carried(0.4, -0.7, 0);
  Contact c(With(Plane{}, {0, 0, 0}, carried), Barrier());
  const Vector3d x = 1.0 * carried + Vector3d(0, 0.02, 0);
  const double push = 0.2 / 0.05 * std::exp(-0.4);
  // Along with the obstacle; the second point of the scene is out of reach.
  EXPECT_LT((c.Force(x, carried, 1.0) - Vector3d(0, push, 0)).norm(), 1e-12);
  EXPECT_NEAR(c.active(), push * carried.y(), 1e-12);
  EXPECT_NEAR(c.passive(), 0.0, 1e-12);
  // Moving at will: what goes into the potential is not work.
  const Vector3d v(10.0, 3.0, 0), f = c.Force(x, v, 1.0);
  EXPECT_NEAR(f.x(), -0.3 * push, 1e-12);
  EXPECT_NEAR(c.active(), f.dot(carried), 1e-12);
  EXPECT_NEAR(c.passive(), f.x() * (v.x() - carried.x()), 1e-12);
}

TEST(BarrierContact, StiffnessAtTheSurfaceIsTheSlopeOfItsForce) {
  Contact c(Floor(0.0), Barrier());
  const double h = 1e-6;
  const double slope =
      (c.Force({0, -h, 0}, {0, 0, 0}).y() - c.Force({0, h, 0}, {0, 0, 0}).y()) / (2.0 * h);
  EXPECT_NEAR(Barrier().normal_stiffness(), slope, 1e-6 * slope);
  EXPECT_EQ(PenaltyOptions({1000, 10, 500, 5}).normal_stiffness(), 1000.0);
}

}  // namespace
}  // namespace pliant
