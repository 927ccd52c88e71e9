#include "experiments/claims/units.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/claims/invariance.h"
#include "tests/experiments/shipped_file.h"

namespace pliant {
namespace {

TEST(Units, FactorsFollowFromWhatTheUnitSays) {
  const UnitFactors f{3.0, 5.0, 7.0};
  const auto is = [&](const std::string& unit, double factor) {
    const auto found = FactorOf(unit, f);
    ASSERT_TRUE(found) << unit;
    EXPECT_NEAR(*found, factor, 1e-12 * factor) << unit;
  };
  is("1", 1.0);
  is("rad", 1.0);
  is("m", 3.0);
  is("N/m", 5.0 / 49.0);             // kg/s²
  is("N s/m", 5.0 / 7.0);            // kg/s
  is("J", 5.0 * 9.0 / 49.0);         // kg m²/s²
  is("N m s/rad", 5.0 * 9.0 / 7.0);  // kg m²/s
  is("1/s2", 1.0 / 49.0);
  is("N/m^3", 5.0 / 9.0 / 49.0);  // kg/(m² s²)
  is("N/m³", 5.0 / 9.0 / 49.0);
  is("m/(kg s)", 3.0 / 35.0);
  is("1/W", 343.0 / 45.0);  // s³/(kg m²)
  is("kg m²/s", 45.0 / 7.0);
  is("Pa", 5.0 / (3.0 * 49.0));  // kg/(m s²)
  EXPECT_FALSE(FactorOf("furlong", f));
}

// Every unit that a parameter of a backend has is known.
TEST(Units, OfAllParametersAreKnown) {
  for (const Backend* backend : Backends()) {
    for (const ParameterInfo& info : backend->Parameters())
      EXPECT_TRUE(FactorOf(info.unit, {}))
          << backend->info().name << " " << info.name << " " << info.unit;
  }
}

Invariance Checked(const std::string& name, const std::string& label) {
  Experiment experiment = ReadExperiment(ShippedFile(name));
  KeepBackends(&experiment, {label});
  experiment.plan.duration = 4.0 * experiment.plan.record_every;
  return CheckInvariance(experiment, 0);
}

Sameness Of(const Invariance& invariance, const std::string& view) {
  for (const SeenOtherwise& seen : invariance.views) {
    if (seen.view == view) return seen.sameness;
  }
  ADD_FAILURE() << "no view " << view;
  return Sameness::kNotSeen;
}

TEST(Units, TheMotionIsTheSameInOtherUnitsAndLater) {
  for (const char* name : {"drop", "slope"}) {
    const Invariance invariance = Checked(name, "dynamic-ffd");
    EXPECT_EQ(Of(invariance, "in other units"), Sameness::kSame) << name;
    EXPECT_EQ(Of(invariance, "shifted in time"), Sameness::kSame) << name;
  }
}

// Bones, poses and plans begin at 0 s: a check that moved the scene alone would find a difference that is its own. Bones
// and strokes are moved with the scene; a plan that jumps along x is not turned.
TEST(Units, MotionsThatCannotBeCarriedAreNotCompared) {
  const Invariance skin = Checked("harrison-skeleton", "blind");
  EXPECT_EQ(Of(skin, "translated"), Sameness::kSame);
  EXPECT_EQ(Of(skin, "rotated"), Sameness::kSame);
  EXPECT_EQ(Of(skin, "shifted in time"), Sameness::kNotSeen);
  EXPECT_EQ(Of(skin, "half the records"), Sameness::kSame);
  EXPECT_EQ(Of(Checked("harrison-sculpting", "clay"), "translated"), Sameness::kSame);
  const Invariance table = Checked("faloutsos-bounding-distance", "dynamic-ffd");
  EXPECT_EQ(Of(table, "translated"), Sameness::kSame);
  EXPECT_EQ(Of(table, "shifted in time"), Sameness::kNotSeen);
  const Invariance jump = Checked("lamp-jump", "torques-alone");
  EXPECT_EQ(Of(jump, "shifted in time"), Sameness::kNotSeen);
  EXPECT_EQ(Of(jump, "mirrored in x"), Sameness::kNotSeen);
}

// An obstacle that arrives at its time does so later in the shifted scene; a stiffness that kept its number would not
// be the same stiffness.
TEST(Units, AForgottenQuantityIsFound) {
  const Experiment experiment = ReadExperiment(ShippedFile("drop"));
  const UnitFactors factors;
  const Experiment other = InUnits(experiment, 0, factors);
  EXPECT_EQ(other.scene->gravity.y(),
            experiment.scene->gravity.y() * factors.length / (factors.time * factors.time));
  EXPECT_EQ(other.plan.duration, experiment.plan.duration * factors.time);
  EXPECT_EQ(other.scene->Masses().sum(), experiment.scene->Masses().sum() * factors.mass);
}

}  // namespace
}  // namespace pliant
