// The midpoint rule with located events, against closed forms, against Runge–Kutta, and against itself.

#include "solvers/articulated_lamp/located_step.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "models/articulated_lamp/dynamics.h"
#include "tests/solvers/articulated_lamp/lamp_scene.h"

namespace pliant::articulated_lamp {
namespace {

constexpr double kGravity = 9.81;

// Hinges that are never at a stop.
HingeStops Unlimited() {
  std::array<AngleLimits, kLampHinges> limits;
  limits.fill({-100.0, 100.0});
  return {limits, {}};
}

HingeTorques NoTorques(double, double, const LampPlacement&, const LampVector&, const LampVector&) {
  return {};
}

struct Located {
  LampVector q, v = LampVector::Zero();
  std::vector<StepPart> impacts;
  int parts = 0;

  void Advance(const LampStepper& stepper, const HingeStops& stops, double h, int steps,
               const LampLaw& law = NoTorques, LampPushes forces = {}) {
    for (int i = 0; i < steps; ++i) {
      const auto report = [&](const StepPart& part) {
        ++parts;
        if (part.length > 0.0) return;
        impacts.push_back(part);
        impacts.back().begin += i * h;
      };
      const auto pushes = [forces](const LampPlacement&, const LampVector&, const LampVector&) {
        return forces;
      };
      AdvanceLocated(h, stepper, stops, law, report, &q, &v, pushes);
    }
  }
};

TEST(LocatedStep, AFreeFallIsExact) {
  const LampStepper stepper{Lamp(LampParameters{}, kGravity)};
  Located lamp{RestPose()};
  lamp.v[1] = 2.0;
  lamp.Advance(stepper, Unlimited(), 0.01, 100);
  EXPECT_NEAR(lamp.q[1], 2.0 - 0.5 * kGravity, 1e-12);
  EXPECT_NEAR(lamp.v[1], 2.0 - kGravity, 1e-12);
}

// The lamp falls flat: it lands at √(2 H/g), wherever that lies in a step, and stays.
TEST(LocatedStep, TheTouchdownOfAFallIsWhereItIs) {
  const LampStepper stepper(Lamp(LampParameters{}, kGravity), LampFloor{});
  for (const double height : {0.1, 0.0317, 1e-4}) {
    Located lamp{RestPose()};
    lamp.q[1] = height;
    const LampAngles hinges = lamp.q.tail<3>();
    const auto held = [&](double, double part, const LampPlacement&, const LampVector& q,
                          const LampVector& v) {
      constexpr double kStiffness = 500.0, kDamping = 5.0;
      const LampAngles off = q.tail<3>() - hinges, rates = v.tail<3>();
      HingeTorques torques;
      torques.start = -kStiffness * (off + 0.5 * part * rates) - kDamping * rates;
      torques.resistance.setConstant(0.25 * part * kStiffness + 0.5 * kDamping);
      return torques;
    };
    lamp.Advance(stepper, Unlimited(), 1e-3, 400, held);
    ASSERT_GE(lamp.impacts.size(), 1u);
    EXPECT_NEAR(lamp.impacts[0].begin, std::sqrt(2.0 * height / kGravity), 1e-9);
    EXPECT_NEAR(lamp.impacts[0].v[1], -std::sqrt(2.0 * kGravity * height), 1e-8);
    EXPECT_NEAR(lamp.impacts[0].after[1], 0.0, 1e-12);
    EXPECT_LT(std::abs(lamp.q[1]), 1e-8);
  }
}

// A force on each link in proportion to its mass is another gravity: it brings the touchdown forward or puts it off, and pushes
// on in the rest of the step.
TEST(LocatedStep, AForceMovesTheTouchdownWithinAStep) {
  const LampParameters lamp_of;
  const LampStepper stepper(Lamp(lamp_of, kGravity), LampFloor{.restitution = 0.5});
  const double height = 0.0317;
  for (const double pull : {-5.0, 4.0}) {
    std::vector<LampPush> forces;
    for (int link = 0; link < 4; ++link) {
      const LampLink& of = lamp_of.links[link];
      forces.push_back({link, {of.centre, 0.0}, {0.0, -pull * of.mass}});
    }
    Located lamp{RestPose()};
    lamp.q[1] = height;
    const double all = kGravity + pull, touch = std::sqrt(2.0 * height / all);
    for (const double step : {4e-3, 1e-3}) {
      Located falling{lamp.q};
      const int steps = static_cast<int>(std::ceil(touch / step));
      falling.Advance(stepper, Unlimited(), step, steps, NoTorques, forces);
      ASSERT_GE(falling.impacts.size(), 1u);
      EXPECT_NEAR(falling.impacts[0].begin, touch, 1e-9) << pull << " " << step;
      EXPECT_NEAR(falling.impacts[0].v[1], -all * touch, 1e-8);
      // The middle of the base, after the rest of the step: it was thrown up where no hinge turned.
      EXPECT_GT(falling.impacts[0].after[1], 0.0);
    }
  }
}

TEST(LocatedStep, ABounceKeepsItsShareOfTheSpeed) {
  const LampStepper stepper(Lamp(LampParameters{}, kGravity), LampFloor{.restitution = 0.5});
  Located lamp{RestPose()};
  lamp.q[1] = 0.05;
  lamp.Advance(stepper, Unlimited(), 1e-3, 102);
  ASSERT_GE(lamp.impacts.size(), 1u);
  const double speed = std::sqrt(2.0 * kGravity * 0.05);
  const double w = LampParameters{}.half_width;
  const LampVector& after = lamp.impacts[0].after;
  for (const double side : {-w, w}) EXPECT_NEAR(after[1] - side * after[2], 0.5 * speed, 1e-8);
}

// A force on a point of the upper arm, held against the step in the limit: of second order.
TEST(LocatedStep, AForceOnALinkIsOfSecondOrder) {
  const LampStepper stepper(Lamp(LampParameters{}, kGravity));
  const std::vector<LampPush> forces = {{2, {0.2, 0.01}, {3.0, 6.0}}};
  const auto moved = [&](int steps) {
    Located lamp{RestPose()};
    lamp.v << 0.5, 2.0, 1.0, 4.0, -6.0, 5.0;
    lamp.Advance(stepper, Unlimited(), 0.2 / steps, steps, NoTorques, forces);
    return lamp.q;
  };
  std::vector<LampVector> at;
  for (const int steps : {50, 100, 200, 400}) at.push_back(moved(steps));
  EXPECT_NEAR(std::log2((at[0] - at[1]).norm() / (at[1] - at[2]).norm()), 2.0, 0.1);
  EXPECT_NEAR(std::log2((at[1] - at[2]).norm() / (at[2] - at[3]).norm()), 2.0, 0.05);
}

// The impulses of a scene come first, in a part that takes no time.
TEST(LocatedStep, ImpulsesActAtTheBeginning) {
  const LampStepper stepper(Lamp(LampParameters{}, 0.0));
  const std::vector<LampPush> impulses = {{3, {0.05, 0.0}, {0.2, 0.1}}};
  LampVector q = RestPose(), v = LampVector::Zero();
  std::vector<StepPart> parts;
  AdvanceLocated(
      0.01, stepper, Unlimited(), NoTorques, [&](const StepPart& part) { parts.push_back(part); },
      &q, &v, {}, impulses);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_TRUE(parts[0].pushed);
  EXPECT_EQ(parts[0].length, 0.0);
  EXPECT_FALSE(parts[1].pushed);
  EXPECT_EQ(parts[1].v, parts[0].after);
  LampVector struck = LampVector::Zero();
  stepper.Impact(LampPlacement(RestPose()), RestPose(), INFINITY, &struck, impulses);
  EXPECT_EQ(parts[0].after, struck);
}

// Classical Runge–Kutta of a lamp in flight under constant torques.
Located Flown(const Lamp& lamp, Located start, const LampAngles& torques, double h, int steps) {
  LampVector force = LampVector::Zero();
  force.tail<3>() = torques;
  LampVector& q = start.q;
  LampVector& v = start.v;
  const auto a = [&](const LampVector& at, const LampVector& rate) {
    return ForwardDynamics(lamp, at, rate, force);
  };
  for (int i = 0; i < steps; ++i) {
    const LampVector a1 = a(q, v), v2 = v + 0.5 * h * a1;
    const LampVector a2 = a(q + 0.5 * h * v, v2), v3 = v + 0.5 * h * a2;
    const LampVector a3 = a(q + 0.5 * h * v2, v3), v4 = v + h * a3;
    const LampVector a4 = a(q + h * v3, v4);
    q += h / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4);
    v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
  }
  return start;
}

TEST(LocatedStep, IsOfSecondOrderInFlight) {
  const Lamp lamp(LampParameters{}, kGravity);
  const LampStepper stepper(lamp);
  Located start{RestPose()};
  start.v << 0.5, 2.0, 1.0, 4.0, -6.0, 5.0;
  const LampAngles torques(0.3, -0.2, 0.1);
  const Located exact = Flown(lamp, start, torques, 1e-4, 2000);
  const auto law = [&](double, double, const LampPlacement&, const LampVector&, const LampVector&) {
    HingeTorques constant;
    constant.start = torques;
    return constant;
  };
  double previous = 0.0;
  for (const int steps : {100, 200, 400}) {
    Located by_midpoint = start;
    by_midpoint.Advance(stepper, Unlimited(), 0.2 / steps, steps, law);
    const double error = (by_midpoint.q - exact.q).norm();
    if (previous > 0.0) {
      EXPECT_NEAR(std::log2(previous / error), 2.0, 0.1);
    }
    previous = error;
  }
  EXPECT_LT(previous, 1e-4);
}

// A head that turns into its stop, and comes back: the step is divided where it meets it.
TEST(LocatedStep, IsOfSecondOrderAtAStop) {
  const LampStepper stepper{Lamp(LampParameters{}, 0.0)};
  std::array<AngleLimits, kLampHinges> limits;
  limits.fill({-0.9, 0.95});
  limits[2] = {-0.1, 0.1};
  const HingeStops stops(limits, {});
  const auto turned = [&](int steps) {
    Located lamp{RestPose()};
    lamp.v[5] = 5.0;
    lamp.Advance(stepper, stops, 0.03 / steps, steps);
    return lamp;
  };
  const Located finest = turned(38400);
  EXPECT_LT(finest.v[5], 0.0);
  std::vector<double> errors;
  for (const int steps : {75, 300, 1200, 4800}) {
    const Located lamp = turned(steps);
    errors.push_back((lamp.q - finest.q).norm());
    EXPECT_GT(lamp.parts, steps);
  }
  for (size_t i = 1; i < errors.size(); ++i) {
    EXPECT_GT(0.5 * std::log2(errors[i - 1] / errors[i]), 1.8);
  }
}

// An end that touches the ground is kept there, however small the part of the step that begins then.
TEST(LocatedStep, NothingIsThrownOffTheGround) {
  const LampStepper stepper(Lamp(LampParameters{}, kGravity), LampFloor{});
  Located lamp{RestPose()};
  lamp.q[1] = 0.02;
  lamp.q[2] = 0.15;  // tilted: an end lands, the base rocks, the lamp topples
  lamp.v[2] = -2.0;
  double highest = 0.0, deepest = 0.0;
  for (int i = 0; i < 1000; ++i) {
    lamp.Advance(stepper, Unlimited(), 4e-4, 1);
    ASSERT_TRUE(lamp.q.allFinite());
    highest = std::max(highest, lamp.q[1]);
    deepest = std::min(deepest, stepper.Clearance(LampPlacement(lamp.q), lamp.q));
  }
  EXPECT_LT(highest, 0.1);
  EXPECT_GT(deepest, -1e-5);
  EXPECT_GT(lamp.impacts.size(), 1u);
}

}  // namespace
}  // namespace pliant::articulated_lamp
