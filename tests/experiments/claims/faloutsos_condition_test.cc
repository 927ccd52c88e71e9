// What the comments of experiments/faloutsos-condition-*.toml claim, on the files as they are
// shipped.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "experiments/experiment/experiment.h"
#include "experiments/run/run.h"
#include "solvers/simulation.h"

namespace pliant {
namespace {

const std::string kRoot = PLIANT_SOURCE_DIR;

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
  const Experiment experiment =
      ReadExperiment(kRoot + "/experiments/faloutsos-condition-angle.toml", overrides);
  const Translation translation = TranslateFor(experiment, 0);
  Observation o;
  translation.simulation->Observe(&o);
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
      "scene.body.table.file=\"../data/shapes/table-in-pixels.toml\""};
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
      ReadExperiment(kRoot + "/experiments/faloutsos-condition-angle.toml",
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

}  // namespace
}  // namespace pliant
