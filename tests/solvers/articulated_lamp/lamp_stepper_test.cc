#include "solvers/articulated_lamp/lamp_stepper.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "models/articulated_lamp/dynamics.h"
#include "tests/models/articulated_lamp/random_state.h"
#include "tests/solvers/articulated_lamp/lamp_scene.h"

namespace pliant::articulated_lamp {
namespace {

struct Motion {
  LampVector q, v = LampVector::Zero();
};

// Hinges that hardly turn: they creep by their load over 1e9 N·m·s/rad in each step.
HingeTorques Locked() {
  HingeTorques torques;
  torques.resistance.setConstant(1e9);
  return torques;
}

Motion Moved(const LampStepper& stepper, Motion motion, double h, int steps,
             const HingeTorques& torques = {}) {
  for (int i = 0; i < steps; ++i) {
    stepper.Step(h, LampPlacement(motion.q), torques, &motion.q, &motion.v);
  }
  return motion;
}

LampFloor Slope(double angle, double friction) {
  return {.normal = {std::sin(angle), std::cos(angle)}, .friction = friction};
}

// Standing on a slope that goes down to the right, upright to it.
Motion OnSlope(double angle) {
  Motion motion{RestPose()};
  motion.q[2] = angle;
  return motion;
}

class LampStepping : public testing::Test {
 protected:
  Lamp lamp_{LampParameters{}};
};

TEST_F(LampStepping, IsForwardDynamicsWhereNothingTouches) {
  std::mt19937 generator(kLampSeed);
  const double h = 1e-3;
  for (int trial = 0; trial < 20; ++trial) {
    Motion motion{RandomLampVector(generator, 1.0), RandomLampVector(generator, 3.0)};
    const HingeTorques torques = {.start = RandomLampVector(generator, 2.0).tail<3>()};
    LampVector force = LampVector::Zero();
    force.tail<3>() = torques.start;
    const LampVector v = motion.v + h * ForwardDynamics(lamp_, motion.q, motion.v, force);
    const LampVector q = motion.q + h * v;
    LampStepper(lamp_).Step(h, LampPlacement(motion.q), torques, &motion.q, &motion.v);
    EXPECT_LT((motion.v - v).norm(), 1e-13);
    EXPECT_LT((motion.q - q).norm(), 1e-14);
  }
}

// The point of a push at (q, v), from the states of the links.
Eigen::Vector2d VelocityOf(const Lamp& lamp, const LampPush& push, const LampVector& q,
                           const LampVector& v) {
  const auto link = LinkStates<double>(lamp, q, v)[push.link];
  const Eigen::Vector2d right(link.direction.y(), -link.direction.x());
  const Eigen::Vector2d point =
      link.origin + push.local[0] * link.direction + push.local[1] * right;
  const Eigen::Vector2d arm = point - link.centre;
  return link.centre_velocity + link.rate * Eigen::Vector2d(arm.y(), -arm.x());
}

const std::vector<LampPush> kPushes = {{0, {0.01, 0.04}, {1.0, 2.0}},
                                       {1, {0.1, -0.02}, {-3.0, 0.5}},
                                       {2, {0.3, 0.0}, {0.7, -2.0}},
                                       {3, {0.05, 0.03}, {2.0, 1.0}}};

// Jᵀ f by the velocities that a unit of each coordinate gives the points.
LampVector GeneralisedForce(const Lamp& lamp, const LampVector& q) {
  LampVector force = LampVector::Zero();
  for (const LampPush& push : kPushes) {
    for (int k = 0; k < kLampDof; ++k) {
      force[k] += VelocityOf(lamp, push, q, LampVector::Unit(k)).dot(push.value);
    }
  }
  return force;
}

TEST_F(LampStepping, PushesMoveItAsTheEquationsOfMotionSay) {
  std::mt19937 generator(kLampSeed);
  const double h = 1e-3;
  const LampStepper stepper(lamp_);
  for (int trial = 0; trial < 20; ++trial) {
    const Motion start{RandomLampVector(generator, 1.0), RandomLampVector(generator, 3.0)};
    const LampPlacement placement(start.q);
    const LampVector force = GeneralisedForce(lamp_, start.q);
    Motion moved = start;
    stepper.Step(h, placement, {}, &moved.q, &moved.v, kPushes);
    const LampVector v = start.v + h * ForwardDynamics(lamp_, start.q, start.v, force);
    EXPECT_LT((moved.v - v).norm(), 1e-12);
    LampVector struck = start.v;
    stepper.Impact(placement, start.q, INFINITY, &struck, kPushes);
    EXPECT_LT((MassMatrix(lamp_, start.q) * (struck - start.v) - force).norm(), 1e-11);
    double power = 0.0;
    for (const LampPush& push : kPushes) {
      power += VelocityOf(lamp_, push, start.q, start.v).dot(push.value);
    }
    EXPECT_NEAR(stepper.Push(placement, kPushes).Power(start.v), power, 1e-11);
  }
}

// τ = τ⁰ − R (φ̇⁺ − φ̇) is what moved it, to the last digit.
TEST_F(LampStepping, YieldingTorquesAreThoseThatAct) {
  std::mt19937 generator(kLampSeed);
  const double h = 0.01;
  for (int trial = 0; trial < 20; ++trial) {
    Motion motion{RandomLampVector(generator, 1.0), RandomLampVector(generator, 3.0)};
    const HingeTorques torques = {
        .start = RandomLampVector(generator, 2.0).tail<3>(),
        .resistance = RandomLampVector(generator, 5.0).tail<3>().cwiseAbs()};
    const Motion before = motion;
    LampStepper(lamp_).Step(h, LampPlacement(motion.q), torques, &motion.q, &motion.v);
    LampVector force = LampVector::Zero();
    force.tail<3>() = torques.During((motion.v - before.v).tail<3>());
    const LampVector v = before.v + h * ForwardDynamics(lamp_, before.q, before.v, force);
    EXPECT_LT((motion.v - v).norm(), 1e-12);
  }
}

// The floor stops the base as the plastic impact of the model does.
TEST_F(LampStepping, AFlatBaseLandsAsThePlasticImpact) {
  const LampFloor floor = {.friction = 10.0};
  const LampStepper stepper(lamp_, floor);
  Motion motion{RestPose()};
  motion.v << 0.3, -1.0, 0.0, 0.5, -1.0, 2.0;
  const Impact impact = PlasticImpact(lamp_, motion.q, motion.v);
  const double h = 1e-9;  // gravity and rates have no time
  const Eigen::Vector3d impulse =
      stepper.Step(h, LampPlacement(motion.q), {}, &motion.q, &motion.v);
  EXPECT_LT((motion.v.tail<3>() - impact.rates).norm(), 1e-6);
  EXPECT_LT(motion.v.head<3>().norm(), 1e-12);
  EXPECT_LT((impulse - impact.impulse).norm(), 1e-6);
}

TEST_F(LampStepping, ALockedLampStandsStillForEver) {
  const Motion end = Moved(LampStepper(lamp_, LampFloor{}), {RestPose()}, 1e-3, 2000, Locked());
  EXPECT_LT((end.q - RestPose()).norm(), 1e-5);
  EXPECT_LT(end.v.norm(), 1e-5);
  EXPECT_LT(end.q.head<3>().norm(), 1e-15);
}

TEST_F(LampStepping, FrictionHoldsOrSlidesOnASlope) {
  const double angle = 0.2, t = 0.5, h = 1e-3, g = 9.81;
  const Motion held = Moved(LampStepper(lamp_, Slope(angle, 1.05 * std::tan(angle))),
                            OnSlope(angle), h, 500, Locked());
  EXPECT_LT(held.v.head<3>().norm(), 1e-12);
  EXPECT_LT((held.q - OnSlope(angle).q).head<3>().norm(), 1e-12);

  const double friction = 0.5 * std::tan(angle);
  const Motion slid =
      Moved(LampStepper(lamp_, Slope(angle, friction)), OnSlope(angle), h, 500, Locked());
  const double speed = g * (std::sin(angle) - friction * std::cos(angle)) * t;
  EXPECT_NEAR(slid.v.head<2>().norm(), speed, 1e-6);
  EXPECT_NEAR(slid.v[0], speed * std::cos(angle), 1e-6);
  EXPECT_LT(std::abs(slid.v[2]), 1e-9);
}

TEST_F(LampStepping, AToppledLampTurnsOverTheEdgeOfItsBase) {
  Motion motion{RestPose()};
  motion.q.tail<3>() << 0.9, 0.8, 0.0;  // its weight is far to the right of the base
  ASSERT_GT(CentreOfMass(lamp_, motion.q).x(), 0.1);
  const Motion end = Moved(LampStepper(lamp_, LampFloor{}), motion, 1e-3, 100, Locked());
  EXPECT_GT(end.v[2], 0.1);
  const auto ends = ContactPoints(lamp_, end.q);
  EXPECT_NEAR(ends[1].x(), 0.1, 1e-3);  // the right end is held by friction
  EXPECT_NEAR(ends[1].y(), 0.0, 1e-3);
  EXPECT_GT(ends[0].y(), 1e-3);
}

// A locked lamp with its centre of mass over the middle of its base bounces like a ball.
TEST_F(LampStepping, RestitutionIsTheRatioOfSpeeds) {
  LampParameters symmetric;
  symmetric.hinge_limits[0] = {-2.0, 2.0};
  const LampFloor floor = {.restitution = 0.5};
  const LampStepper stepper(lamp_, floor);
  Motion motion{RestPose()};
  motion.q.tail<3>() << 0.0, 0.0, Radians(-90);  // straight up
  motion.q[1] = 0.1;
  const double speed = std::sqrt(2 * 9.81 * 0.1);
  double highest = 0.0;
  for (int i = 0; i < 4000; ++i) {
    const double before = motion.v[1];
    stepper.Step(1e-4, LampPlacement(motion.q), Locked(), &motion.q, &motion.v);
    if (before < 0.0 && motion.v[1] > 0.0) {
      EXPECT_NEAR(motion.v[1], 0.5 * speed, 0.01 * speed);
      highest = motion.v[1];
      break;
    }
  }
  EXPECT_GT(highest, 0.0);
  EXPECT_LT(std::abs(motion.v[2]), 1e-9);
}

TEST_F(LampStepping, NothingSinksIntoTheFloor) {
  std::mt19937 generator(kLampSeed);
  const LampStepper stepper(lamp_, LampFloor{});
  for (int trial = 0; trial < 10; ++trial) {
    Motion motion{RestPose(), RandomLampVector(generator, 1.0)};
    motion.q[1] = 0.3;
    motion.q[2] = RandomLampVector(generator, 0.4)[0];
    double deepest = 0.0;
    for (int i = 0; i < 1000; ++i) {
      stepper.Step(1e-3, LampPlacement(motion.q), Locked(), &motion.q, &motion.v);
      deepest = std::min(deepest, stepper.Clearance(LampPlacement(motion.q), motion.q));
    }
    EXPECT_GT(deepest, -1e-4) << trial;
    ASSERT_LT(motion.q.norm(), 100.0);
  }
}

TEST_F(LampStepping, ClearanceIsThatOfTheLowerEnd) {
  const LampStepper stepper(lamp_, Slope(0.3, 0.5));
  std::mt19937 generator(kLampSeed);
  for (int trial = 0; trial < 10; ++trial) {
    const LampVector q = RandomLampVector(generator, 1.0);
    double least = 1e9;
    for (const Eigen::Vector2d& end : ContactPoints(lamp_, q)) {
      least = std::min(least, stepper.ground()[0].normal.dot(end));
    }
    EXPECT_NEAR(stepper.Clearance(LampPlacement(q), q), least, 1e-15);
  }
}

// The floor and a ledge on it, from x = 0.5 on, 0.2 m high.
std::vector<LampFloor> FloorAndLedge() {
  const LampFloor ledge = {.height = 0.2, .left = 0.5, .right = 1.5};
  return {LampFloor{}, ledge};
}

TEST_F(LampStepping, AnEndIsOverTheHighestGroundThatItCameFromAbove) {
  const LampStepper stepper(lamp_, FloorAndLedge());
  const auto height_under = [&](double x, double y) { return stepper.Under({x, y})->height; };
  EXPECT_EQ(height_under(0.4, 0.3), 0.0);
  EXPECT_EQ(height_under(0.6, 0.3), 0.2);
  EXPECT_EQ(height_under(0.6, 0.2 - 0.5 * stepper.reach()), 0.2);  // a little too deep
  EXPECT_EQ(height_under(0.6, 0.1), 0.0);                          // came in by the wall
  EXPECT_EQ(height_under(1.6, 0.3), 0.0);
  EXPECT_EQ(height_under(0.4, -1.0), 0.0);  // the plane has no end to come in by
}

TEST_F(LampStepping, ALedgeCarriesTheLampWhereItIs) {
  for (const auto& [x, height] : {std::pair(0.3, 0.0), std::pair(1.0, 0.2)}) {
    LampVector q = RestPose();
    q.head<2>() << x, height;
    const Motion end = Moved(LampStepper(lamp_, FloorAndLedge()), {q}, 1e-3, 500, Locked());
    EXPECT_NEAR(end.q[1], height, 1e-4) << x;
    EXPECT_NEAR(end.q[2], 0.0, 1e-3) << x;
  }
}

TEST_F(LampStepping, OverAnEdgeItTipsDown) {
  LampVector q = RestPose();
  q.head<2>() << 1.55, 0.2;  // its middle is beyond the edge
  const Motion end = Moved(LampStepper(lamp_, FloorAndLedge()), {q}, 1e-3, 200, Locked());
  EXPECT_GT(end.q[2], 0.05);                           // clockwise: the right end falls
  const LampStepper ledge(lamp_, FloorAndLedge()[1]);  // and nothing below
  const Motion fallen = Moved(ledge, {q}, 1e-3, 1000, Locked());
  EXPECT_LT(fallen.q[1], 0.0);
  EXPECT_EQ(ledge.Under({1.6, 0.1}), nullptr);
}

}  // namespace
}  // namespace pliant::articulated_lamp
