// What the comments of experiments/faloutsos-condition-*.toml claim, on the files as they are
// shipped.

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <string>
#include <vector>

#include "solvers/simulation.h"
#include "tests/experiments/claims/shipped.h"
#include "tests/observed.h"

namespace pliant {
namespace {

struct Conditions {
  double raw, equilibrated, modes;
};

Conditions ConditionsOf(const Observation& o) {
  return {*o.condition_number, *o.extras[0], *o.extras[1]};
}

// With the second squash turned by so many degrees; overrides as --set takes them.
Conditions AtAngle(double degrees, std::vector<std::string> overrides = {}) {
  overrides.push_back("backends.dynamic-ffd.modes.entry.turned.angle=" +
                      std::to_string(degrees * std::numbers::pi / 180.0));
  const Experiment experiment = Shipped("faloutsos-condition-angle", overrides);
  const Translation translation = TranslateFor(experiment, 0);
  const Observation o = Observed(*translation.simulation);
  return ConditionsOf(o);
}

TEST(ConditionOverAngle, GrowsAsTheInverseSquareOfTheCosine) {
  EXPECT_LT(AtAngle(0).modes, 2.0);
  EXPECT_LT(AtAngle(0).equilibrated, 1.01);
  Conditions before = AtAngle(40);
  for (double degrees : {50.0, 60.0, 70.0, 80.0, 85.0, 88.0, 89.0}) {
    const Conditions here = AtAngle(degrees);
    EXPECT_GT(here.raw, before.raw) << degrees;
    EXPECT_GT(here.equilibrated, before.equilibrated) << degrees;
    EXPECT_GT(here.modes, before.modes) << degrees;
    before = here;
  }
  const Conditions at88 = AtAngle(88), at89 = AtAngle(89), at89half = AtAngle(89.5);
  EXPECT_NEAR(at89.modes / at88.modes, 4.0, 0.02);
  EXPECT_NEAR(at89half.modes / at89.modes, 4.0, 0.02);
  EXPECT_NEAR(at89half.raw / at89.raw, 4.0, 0.02);
}

TEST(ConditionOverAngle, OfTheModesAndOfTheScaledMatrixAgree) {
  for (double degrees : {60.0, 75.0, 85.0, 89.0}) {
    const Conditions here = AtAngle(degrees);
    EXPECT_NEAR(here.equilibrated / here.modes, 1.0, 0.05) << degrees;
    EXPECT_NEAR(here.raw / here.modes, 4.2, 0.5) << degrees;
  }
}

TEST(ConditionOverAngle, RawNumberHidesItInTheUnitsOfTheSource) {
  const std::vector<std::string> pixels = {
      "scene.body.table.file=\"../../data/shapes/table-in-pixels.toml\""};
  const Conditions flat = AtAngle(0, pixels);
  for (double degrees : {30.0, 60.0, 80.0, 85.0, 89.0}) {
    const Conditions here = AtAngle(degrees, pixels);
    EXPECT_NEAR(here.raw / flat.raw, 1.0, 0.01) << degrees;
    // What is free of units is the same as in metres.
    EXPECT_NEAR(here.modes, AtAngle(degrees).modes, 1e-6 * here.modes);
  }
  EXPECT_GT(AtAngle(89.9, pixels).raw, 2.0 * flat.raw);
}

TEST(ConditionOverAngle, TwoSquashesInOneDirectionAreRefusedByName) {
  const Experiment experiment =
      Shipped("faloutsos-condition-angle",
              {"backends.dynamic-ffd.modes.entry.turned.angle=1.5707963267948966"});
  try {
    TranslateFor(experiment, 0);
    ADD_FAILURE() << "accepted";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("'vertical' and 'turned' are parallel"),
              std::string::npos)
        << error.what();
  }
}

// faloutsos-condition-time.toml: one of its backends, at each recorded time.
struct Instant {
  double time;
  Conditions condition;
  double height;  // of the body, against the start [1]
  bool touches;
};
std::vector<Instant> Bounce(size_t backend) {
  const Experiment experiment = Shipped("faloutsos-condition-time");
  std::vector<Instant> instants;
  double rest = 0.0;
  RunShipped(experiment, backend, [&](const Frame& frame) {
    const auto y = frame.observation.points.row(1);
    if (instants.empty()) rest = y.maxCoeff() - y.minCoeff();
    instants.push_back({frame.observation.time, ConditionsOf(frame.observation),
                        (y.maxCoeff() - y.minCoeff()) / rest, y.minCoeff() < 0.0});
  });
  return instants;
}

// Local minima of the raw number.
std::vector<Instant> Dips(const std::vector<Instant>& instants) {
  std::vector<Instant> dips;
  for (size_t i = 1; i + 1 < instants.size(); ++i) {
    const double here = instants[i].condition.raw;
    if (here < instants[i - 1].condition.raw && here <= instants[i + 1].condition.raw) {
      dips.push_back(instants[i]);
    }
  }
  return dips;
}

TEST(ConditionOverTime, AboutTheCornerItDipsWhileTheGroundSquashesTheTable) {
  const std::vector<Instant> instants = Bounce(0);
  EXPECT_NEAR(instants.front().condition.raw, 48.3, 0.1);
  const std::vector<Instant> dips = Dips(instants);
  ASSERT_GE(dips.size(), 4u);
  double deepest_in_the_air = 100.0, deepest_on_the_floor = 100.0;
  for (const Instant& dip : dips) {
    // On the floor from 0.41 s to 0.73 s, and from 1.18 s on.
    const bool in_the_air = dip.time > 0.75 && dip.time < 1.15;
    double& deepest = in_the_air ? deepest_in_the_air : deepest_on_the_floor;
    deepest = std::min(deepest, dip.condition.raw);
    EXPECT_LT(dip.height, 1.0) << dip.time;
  }
  EXPECT_NEAR(deepest_on_the_floor, 42.0, 0.5);
  EXPECT_GT(deepest_in_the_air, 46.0);
  for (const Instant& instant : instants) {
    const bool in_the_air = instant.time > 0.75 && instant.time < 1.15;
    EXPECT_FALSE(in_the_air && instant.touches) << instant.time;
    if (instant.condition.raw < 45.0) {
      EXPECT_LT(instant.height, 0.95) << instant.time;
    }
    EXPECT_NEAR(instant.condition.modes / instants.front().condition.modes, 1.0, 1e-5);
  }
}

TEST(ConditionOverTime, AboutTheCentreOfMassNothingDips) {
  const std::vector<Instant> instants = Bounce(1);
  double squashed = 1.0;
  for (const Instant& instant : instants) {
    squashed = std::min(squashed, instant.height);
    EXPECT_NEAR(instant.condition.raw / instants.front().condition.raw, 1.0, 1e-5);
    EXPECT_NEAR(instant.condition.equilibrated / instants.front().condition.equilibrated, 1.0,
                1e-5);
    EXPECT_NEAR(instant.condition.modes / instants.front().condition.modes, 1.0, 1e-5);
  }
  EXPECT_LT(squashed, 0.9);
}

}  // namespace
}  // namespace pliant
