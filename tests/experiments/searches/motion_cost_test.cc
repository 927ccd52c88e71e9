// The cost functions of [Faloutsos 1995, Table 5.1] on motions computed by hand.

#include "experiments/searches/motion_cost.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

using Form = MotionCostFunction::Form;

MotionMeasures Motion(double distance, double speed, double energy) {
  MotionMeasures measures;
  measures[Measure::kDistance] = distance;
  measures[Measure::kEndSpeed] = speed;
  measures[Measure::kEnergy] = energy;
  measures[Measure::kUprightness] = 0.5;
  return measures;
}

MotionCostFunction Function(Form form, double scale = 1.0) {
  return {.form = form, .scale = scale, .penalty = 1e9};
}

constexpr double kWay = 400.0, kSpeed = 25.0, kWork = 6e8;  // √(400·25) = 100

TEST(MotionCost, Table51) {
  const MotionMeasures motion = Motion(kWay, kSpeed, kWork);
  const auto cost = [&](const MotionCostFunction& function) {
    const MotionScore score = ScoreMotion(function, motion);
    EXPECT_EQ(score.violation, 0.0);
    EXPECT_TRUE(score.failure.empty());
    return score.cost;
  };
  EXPECT_DOUBLE_EQ(cost(Function(Form::kInverseDistance)), 1.0 / 400.0);
  EXPECT_DOUBLE_EQ(cost(Function(Form::kEnergyPerDistance)), 1.5e6);
  EXPECT_DOUBLE_EQ(cost(Function(Form::kEnergyPerRootDistanceSpeed, 1e7)), 0.6);
  EXPECT_DOUBLE_EQ(cost(Function(Form::kEnergyPerRootDistanceSpeed, 5e7)), 0.12);
  EXPECT_DOUBLE_EQ(cost(Function(Form::kEnergyPerRootDistance, 5e7)), 0.6);
}

TEST(MotionCost, WeightedSumIsOfWhatHasAWeight) {
  MotionCostFunction function = Function(Form::kWeightedSum, 1e7);  // the scale is not of a sum
  function.weights = {-1.0, 0.0, 1e-8, 0.0, 0.0, -20.0};
  const MotionScore score = ScoreMotion(function, Motion(-50.0, 3.0, kWork));
  EXPECT_DOUBLE_EQ(score.cost, 50.0 + 6.0 - 10.0);
  EXPECT_EQ(score.violation, 0.0);  // backwards is what the weight says it is
}

TEST(MotionCost, WeightedSumMayWeighTheEnergiesOfSingleModes) {
  MotionMeasures motion = Motion(10.0, 3.0, kWork);
  motion.modes = {{"bend", 7.0, -2.0}, {"shear", 5.0, 4.0}};
  MotionCostFunction function = Function(Form::kWeightedSum);
  function.weights[static_cast<size_t>(Measure::kDistance)] = -1.0;
  function.mode_weights = {{"shear", false, 2.0}, {"bend", true, 3.0}, {"bend", false, 0.0}};
  const MotionScore score = ScoreMotion(function, motion);
  EXPECT_DOUBLE_EQ(score.cost, -10.0 + 2.0 * 5.0 + 3.0 * -2.0);
  // A term with a weight is listed, even with weight 0.
  const std::vector<std::string> terms = TermsOf(function);
  ASSERT_EQ(terms.size(), score.terms.size());
  ASSERT_EQ(terms.size(), static_cast<size_t>(kMeasures) + 3);
  EXPECT_EQ(terms[kMeasures], "energy_of.shear_J");
  EXPECT_EQ(terms[kMeasures + 1], "net_energy_of.bend_J");
  EXPECT_THAT(score.terms, testing::Contains(5.0));
  EXPECT_EQ(score.terms[kMeasures + 1], -2.0);
  EXPECT_EQ(score.terms[kMeasures + 2], 7.0);
  motion.modes.pop_back();
  EXPECT_EQ(ScoreMotion(function, motion).failure, "the energy of mode 'shear' is not defined");
}

TEST(MotionCost, WhatHasNoWeightNeedNotBeDefined) {
  const MotionMeasures motion = Motion(10.0, 2.0, kWork);
  MotionCostFunction function = Function(Form::kWeightedSum);
  function.weights[static_cast<size_t>(Measure::kDistance)] = -1.0;
  function.mode_weights = {{"bend", false, 0.0}};
  function.figure_weights = {{"gap_crossing_s", 0.0}};
  const MotionScore score = ScoreMotion(function, motion);
  EXPECT_EQ(score.failure, "");
  EXPECT_DOUBLE_EQ(score.cost, -10.0);
  ASSERT_EQ(score.terms.size(), TermsOf(function).size());
  EXPECT_TRUE(std::isnan(score.terms[kMeasures]));  // recorded as not defined
  EXPECT_TRUE(std::isnan(score.terms[kMeasures + 1]));
  function.figure_weights[0].weight = 1e-9;
  EXPECT_EQ(ScoreMotion(function, motion).failure, "gap_crossing_s is not defined");
}

TEST(MotionCost, BackwardsOrNowhereIsPenalised) {
  struct Case {
    double distance, speed;
    bool bad_without_speed, bad_with_speed;
  };
  for (const Case& c :
       {Case{4.0, 25.0, false, false}, Case{-4.0, 25.0, true, true}, Case{4.0, -25.0, false, true},
        Case{-4.0, -25.0, true, true}, Case{0.0, 25.0, true, true}, Case{4.0, 0.0, false, true}}) {
    const MotionMeasures motion = Motion(c.distance, c.speed, kWork);
    for (const Form form :
         {Form::kInverseDistance, Form::kEnergyPerDistance, Form::kEnergyPerRootDistance}) {
      const MotionScore score = ScoreMotion(Function(form), motion);
      EXPECT_EQ(score.cost == 1e9, c.bad_without_speed) << c.distance << " " << c.speed;
      EXPECT_EQ(score.violation > 0.0, c.bad_without_speed);
      EXPECT_EQ(score.worst.empty(), !c.bad_without_speed);
    }
    const MotionScore score = ScoreMotion(Function(Form::kEnergyPerRootDistanceSpeed), motion);
    EXPECT_EQ(score.cost == 1e9, c.bad_with_speed) << c.distance << " " << c.speed;
    EXPECT_EQ(score.violation > 0.0, c.bad_with_speed);
  }
}

// A jump of 0.3 m ± 1 cm that ends at `distance`, with this speed and height.
MotionScore Jumped(double distance, double speed, double height, Form form = Form::kJump) {
  MotionMeasures motion = Motion(distance, speed, kWork);
  motion[Measure::kEndHeight] = height;
  motion[Measure::kTorqueEffort] = 8.0;
  motion[Measure::kHingeEffort] = 5e4;
  MotionCostFunction function = Function(form);
  function.goal = 0.3;
  function.penalty = 1000.0;
  return ScoreMotion(function, motion);
}

TEST(MotionCost, AJumpCostsItsEffortWhereItMeetsTheGoal) {
  const MotionScore score = Jumped(0.305, -0.004, 0.002);
  EXPECT_DOUBLE_EQ(score.cost, 8.0 + 1e-5 * 5e4);
  EXPECT_EQ(score.violation, 0.0);
  EXPECT_EQ(score.worst, "");
}

// The same sum as that of a plan, but for the rounding of small powers.
TEST(MotionCost, AJumpMayCostTorqueWorkAndJerksByWeights) {
  MotionMeasures motion = Motion(0.3, 0.0, kWork);
  motion[Measure::kEndHeight] = 0.0;
  motion[Measure::kTorqueEffort] = 8.0;
  motion[Measure::kHingeEffort] = 5e4;
  MotionCostFunction function = Function(Form::kJump);
  function.goal = 0.3;
  function.torque_weight = 0.25;
  function.acceleration_weight = 2e-5;
  EXPECT_THAT(function.Reads(), testing::Not(testing::Contains(Measure::kEnergy)));
  function.work_weight = 3.0;
  EXPECT_THAT(function.Reads(), testing::Contains(Measure::kEnergy));
  EXPECT_DOUBLE_EQ(ScoreMotion(function, motion).cost, 0.25 * 8.0 + 2e-5 * 5e4 + 3.0 * kWork);
}

TEST(MotionCost, AJumpMayCostItsEnergy) {
  EXPECT_DOUBLE_EQ(Jumped(0.305, -0.004, 0.002, Form::kEnergyJump).cost, kWork);
  EXPECT_DOUBLE_EQ(Jumped(0.3, 0.51, 0.0, Form::kEnergyJump).cost, kWork + 1000.0 * 0.5);
}

TEST(MotionCost, SaysHowFarFromItsGoalAJumpEnds) {
  for (const Form form : {Form::kJump, Form::kEnergyJump}) {
    const MotionScore score = Jumped(0.27, 0.0, -0.04, form);
    ASSERT_EQ(TermsOf(Function(form)).back(), "landing_error_m");
    ASSERT_EQ(score.terms.size(), TermsOf(Function(form)).size());
    EXPECT_NEAR(score.terms.back(), 0.05, 1e-12);
  }
}

TEST(MotionCost, WhatIsMissingToTheGoalOfAJumpIsPenalisedByTheMetre) {
  struct Case {
    double distance, speed, height, missing;
    const char* worst;
  };
  for (const Case& c : {Case{0.25, 0.0, 0.0, 0.04, "lands off its goal"},
                        Case{0.35, 0.0, 0.0, 0.04, "lands off its goal"},
                        Case{0.3, 0.0, -0.2, 0.19, "does not end as high as it began"},
                        Case{0.3, -0.5, 0.0, 0.49, "is not at rest at the end"},
                        Case{0.25, 0.11, 0.0, 0.14, "is not at rest at the end"}}) {
    const MotionScore score = Jumped(c.distance, c.speed, c.height);
    EXPECT_NEAR(score.cost, 8.5 + 1000.0 * c.missing, 1e-9);
    EXPECT_EQ(score.worst, c.worst);
    EXPECT_GT(score.violation, 3.9);
  }
}

// With end = state: every point is where the start has it, `goal` further, and at rest.
MotionScore JumpedInAllParts(double distance, double shape, double motion_at_end,
                             std::optional<double> short_by = {}) {
  MotionMeasures motion = Motion(distance, 0.0, kWork);
  motion[Measure::kEndHeight] = 0.0;
  motion[Measure::kTorqueEffort] = 8.0;
  motion[Measure::kHingeEffort] = 5e4;
  motion[Measure::kEndShape] = shape;
  motion[Measure::kEndMotion] = motion_at_end;
  motion[Measure::kEndSpeed].reset();  // is not read
  MotionCostFunction function = Function(Form::kJump);
  function.goal = 0.3;
  function.penalty = 1000.0;
  function.end = MotionCostFunction::End::kState;
  function.short_by = short_by;
  return ScoreMotion(function, motion);
}

TEST(MotionCost, AJumpMayHaveToEndInEveryCoordinate) {
  EXPECT_EQ(JumpedInAllParts(0.305, 0.004, 0.006).violation, 0.0);
  struct Case {
    double distance, shape, motion, missing;
    const char* worst;
  };
  for (const Case& c : {Case{0.3, 0.05, 0.0, 0.04, "does not end in its first pose"},
                        Case{0.3, 0.0, 0.06, 0.05, "is not at rest at the end"},
                        Case{0.25, 0.0, 0.0, 0.04, "lands off its goal"}}) {
    const MotionScore score = JumpedInAllParts(c.distance, c.shape, c.motion);
    EXPECT_NEAR(score.cost, 8.5 + 1000.0 * c.missing, 1e-9);
    EXPECT_EQ(score.worst, c.worst);
  }
}

TEST(MotionCost, ToleranceTowardsTheStartIsItsOwn) {
  EXPECT_NEAR(JumpedInAllParts(0.295, 0.0, 0.0, 0.001).cost, 8.5 + 1000.0 * 0.004, 1e-9);
  EXPECT_NEAR(JumpedInAllParts(0.295, 0.0, 0.0, 0.0).cost, 8.5 + 1000.0 * 0.005, 1e-9);
  EXPECT_EQ(JumpedInAllParts(0.2995, 0.0, 0.0, 0.001).violation, 0.0);
  EXPECT_EQ(JumpedInAllParts(0.309, 0.0, 0.0, 0.001).violation, 0.0);
  EXPECT_EQ(JumpedInAllParts(0.295, 0.0, 0.0).violation, 0.0);
}

TEST(MotionCost, SaysWhatItIsMadeOf) {
  const MotionScore score = ScoreMotion(Function(Form::kInverseDistance), Motion(4.0, 2.0, 3.0));
  ASSERT_EQ(score.terms.size(), static_cast<size_t>(kMeasures));
  EXPECT_EQ(score.terms[0], 4.0);
  EXPECT_EQ(score.terms[1], 2.0);
  EXPECT_EQ(score.terms[2], 3.0);
  EXPECT_TRUE(std::isnan(score.terms[3]));
  EXPECT_TRUE(std::isnan(score.terms[4]));
  EXPECT_EQ(score.terms[5], 0.5);
}

TEST(MotionCost, WhatIsNotDefinedIsAFailureAndNotZero) {
  MotionMeasures kinematic = Motion(4.0, 2.0, 3.0);
  kinematic[Measure::kEndSpeed].reset();
  EXPECT_EQ(ScoreMotion(Function(Form::kEnergyPerDistance), kinematic).failure, "");
  EXPECT_EQ(ScoreMotion(Function(Form::kEnergyPerRootDistanceSpeed), kinematic).failure,
            "end_speed is not defined");
}

}  // namespace
}  // namespace pliant
