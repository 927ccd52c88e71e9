// Measures of motions that were made by hand.

#include "experiments/searches/motion_measures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "experiments/searches/run_searches.h"
#include "models/scene/shapes.h"
#include "solvers/backends.h"
#include "tests/experiments/shipped_file.h"

namespace pliant {
namespace {

using testing::DoubleNear;
using testing::Eq;
using testing::Optional;

// A chain that nobody measures, then three points of unequal mass.
Scene ChainAndTriangle() {
  Scene scene;
  scene.dimension = 2;
  Body other = MakeChain("rope", {0, 0, 0}, {1, 0, 0}, 3, 1.0);
  Body body = {.name = "triangle"};
  body.rest.resize(3, 3);
  body.rest << 0.0, 1.0, 0.0,  //
      0.0, 0.0, 2.0,           //
      0.0, 0.0, 0.0;
  body.mass = Eigen::Vector3d(1.0, 2.0, 5.0);
  scene.bodies = {other, body};
  return scene;
}

BackendInfo WithEffort() {
  return {.extras = {{"something_m", "m", ""}, {"deformation_effort_J", "J", ""}}};
}

// The triangle turned by `angle` and moved by `shift`; the rope is anywhere.
Observation Seen(const Scene& scene, double angle, const Eigen::Vector3d& shift) {
  Observation seen;
  seen.points.setRandom(3, scene.PointCount());
  const Eigen::Matrix3d turn = Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ()).matrix();
  seen.points.rightCols(3) = (turn * scene.bodies[1].rest).colwise() + shift;
  seen.velocities = Eigen::Matrix3Xd::Constant(3, scene.PointCount(), 77.0);
  seen.extras = {3.0, 0.0};
  return seen;
}

TEST(MotionMeter, FollowsTheCentreOfMassOfItsBody) {
  const Scene scene = ChainAndTriangle();
  MotionMeter meter(scene, 1, WithEffort(), false);
  const Observation start = Seen(scene, 0.0, {1.0, 2.0, 0.0});
  Observation end = Seen(scene, 0.0, {4.5, 0.0, 0.0});
  end.velocities->rightCols(3) << 1.0, 2.0, -1.0,  //
      0.0, 0.0, 0.0, 0.0, 0.0, 0.0;
  end.extras = {3.0, 250.0};
  meter.Begin(start);
  const MotionMeasures measures = meter.End(end, {});
  EXPECT_THAT(measures[Measure::kDistance], Optional(DoubleNear(3.5, 1e-14)));
  // (1·1 + 2·2 − 5·1)/8
  EXPECT_THAT(measures[Measure::kEndSpeed], Optional(DoubleNear(0.0, 1e-14)));
  EXPECT_THAT(measures[Measure::kEnergy], Optional(Eq(250.0)));
  EXPECT_THAT(measures[Measure::kEndHeight], Optional(DoubleNear(-2.0, 1e-14)));
  EXPECT_FALSE(measures[Measure::kTorqueEffort]);
  EXPECT_FALSE(measures[Measure::kHeight]);
  EXPECT_FALSE(measures[Measure::kUprightness]);
}

// Moved alone the body ends as it began; turned by 60° each point is off by its distance from the centre.
TEST(MotionMeter, ComparesTheEndWithTheStartMovedAlong) {
  const Scene scene = ChainAndTriangle();
  MotionMeter meter(scene, 1, WithEffort(), false);
  const double turn = 0.4;
  meter.Begin(Seen(scene, turn, {1.0, 2.0, 0.0}));
  Observation end = Seen(scene, turn, {4.5, 0.0, 0.0});
  end.velocities->rightCols(3) << 0.0, 3.0, -1.0,  //
      0.0, 4.0, 0.0, 0.0, 0.0, 0.0;
  MotionMeasures measures = meter.End(end, {});
  EXPECT_THAT(measures[Measure::kEndShape], Optional(DoubleNear(0.0, 1e-14)));
  EXPECT_THAT(measures[Measure::kEndMotion], Optional(DoubleNear(5.0, 1e-14)));
  end = Seen(scene, turn + std::numbers::pi / 3.0, {4.5, 0.0, 0.0});
  measures = meter.End(end, {});
  // The centre of mass of the triangle is (0.25, 1.25); the farthest corner is (1, 0).
  EXPECT_THAT(measures[Measure::kEndShape],
              Optional(DoubleNear(Eigen::Vector2d(0.75, -1.25).norm(), 1e-12)));
}

TEST(MotionMeter, EffortsOfHingesAreThoseTheFormulationKeeps) {
  const Scene scene = ChainAndTriangle();
  const BackendInfo lamp = {.extras = {{"hinge_effort_rad2_s3", "rad²/s³", ""},
                                       {"clearance_m", "m", ""},
                                       {"torque_effort_N2_m2_s", "N² m² s", ""}}};
  EXPECT_TRUE(IsMeasured(Measure::kTorqueEffort, lamp));
  EXPECT_TRUE(IsMeasured(Measure::kHingeEffort, lamp));
  EXPECT_FALSE(IsMeasured(Measure::kEnergy, lamp));
  MotionMeter meter(scene, 1, lamp, false);
  Observation seen = Seen(scene, 0.0, {0, 0, 0});
  seen.extras = {70.0, 1.0, 8.0};
  meter.Begin(seen);
  const MotionMeasures measures = meter.End(seen, {});
  EXPECT_THAT(measures[Measure::kTorqueEffort], Optional(Eq(8.0)));
  EXPECT_THAT(measures[Measure::kHingeEffort], Optional(Eq(70.0)));
  EXPECT_FALSE(measures[Measure::kEnergy]);
}

TEST(MotionMeter, NetEnergyIsWhatControlsAndDampingDidLessWhatIsStored) {
  const Scene scene = ChainAndTriangle();
  MotionMeter meter(scene, 1, WithEffort(), false);
  Observation start = Seen(scene, 0.0, {0, 0, 0}), end = start;
  start.elastic_energy = 4.0;
  end.elastic_energy = 14.0;
  end.work = Exchange{};
  (*end.work)[WorkClass::kControl] = 100.0;
  (*end.work)[WorkClass::kDamping] = -30.0;
  (*end.work)[WorkClass::kContact] = -1000.0;  // no force of deformation
  meter.Begin(start);
  EXPECT_THAT(meter.End(end, {})[Measure::kNetEnergy], Optional(Eq(60.0)));
  // Modes integrate their power by a rule of their own, which at long steps is far from what happened.
  const std::vector<ModeEnergy> modes = {{"bend", 9.0, 7.0}, {"shear", 5.0, -3.0}};
  const MotionMeasures measures = meter.End(end, modes);
  EXPECT_THAT(measures[Measure::kNetEnergy], Optional(Eq(60.0)));
  ASSERT_EQ(measures.modes.size(), 2u);
  EXPECT_EQ(measures.modes[1].work, -3.0);
}

// A character with hinges stores nothing in its deformation: what its torques did is all.
TEST(MotionMeter, NetEnergyOfHingesIsTheWorkOfControl) {
  const Scene scene = ChainAndTriangle();
  MotionMeter meter(scene, 1, WithEffort(), false);
  Observation seen = Seen(scene, 0.0, {0, 0, 0});
  seen.work = Exchange{};
  (*seen.work)[WorkClass::kControl] = 12.0;
  (*seen.work)[WorkClass::kDamping] = -3.0;  // of stops
  meter.Begin(seen);
  EXPECT_THAT(meter.End(seen, {})[Measure::kNetEnergy], Optional(Eq(12.0)));
}

// The gait whose net energy was −51 J at 1 ms, 82 J at half and 130 J at a quarter of that by the rule of the modes.
TEST(MotionMeter, NetEnergyOfAGaitIsRightAtTheShippedStep) {
  std::vector<double> net;
  for (const std::string step : {"0.001", "0.0005", "0.00025"}) {
    const SearchPlan plan = ReadSearchPlan(
        ReadExperiment(ShippedFile("faloutsos-bounding-faster"), {"run.step=" + step}));
    const auto problem = plan.Problem();
    net.push_back(problem->Evaluate(problem->numbers().start)
                      .terms[static_cast<size_t>(Measure::kNetEnergy)]);
  }
  EXPECT_NEAR(net[0], 173.0, 15.0);
  EXPECT_NEAR(net[1], 173.0, 7.5);
  EXPECT_NEAR(net[2], 173.0, 3.0);
}

TEST(MotionMeter, HeightIsTheHighestRiseAndNotTheLast) {
  const Scene scene = ChainAndTriangle();
  MotionMeter meter(scene, 1, WithEffort(), true);
  meter.Begin(Seen(scene, 0.0, {0, 1.0, 0}));
  for (const double y : {0.5, 3.25, 2.0}) meter.Add(Seen(scene, 0.0, {0, y, 0}));
  const MotionMeasures measures = meter.End(Seen(scene, 0.0, {0, 0, 0}), {});
  EXPECT_THAT(measures[Measure::kHeight], Optional(DoubleNear(2.25, 1e-14)));
}

TEST(MotionMeter, UprightnessIsTheMeanCosineOfTheTilt) {
  const Scene scene = ChainAndTriangle();
  MotionMeter meter(scene, 1, WithEffort(), true);
  const std::vector<double> angles = {0.0, 0.5, -1.2, 3.0, std::numbers::pi};
  double sum = 0.0;
  for (const double angle : angles) sum += std::cos(angle);
  meter.Begin(Seen(scene, angles[0], {0, 0, 0}));
  for (size_t i = 1; i < angles.size(); ++i) meter.Add(Seen(scene, angles[i], {1, 2, 0}));
  const MotionMeasures measures = meter.End(Seen(scene, 0.3, {0, 0, 0}), {});
  EXPECT_THAT(measures[Measure::kUprightness],
              Optional(DoubleNear(sum / static_cast<double>(angles.size()), 1e-12)));
}

TEST(MotionMeter, ABodyTurnedInsideOutIsUprightByTheNearestRotation) {
  // Flat, and pressed through itself: no rotation does that, and to stay is nearest.
  Scene scene;
  Body body = {.name = "cushion"};
  body.rest = (Eigen::Matrix3Xd(3, 4) << 2, -2, -2, 2,  //
               0.3, -0.3, 0.3, -0.3,                    //
               1, 1, -1, -1)
                  .finished();
  body.mass = Eigen::Vector4d::Ones();
  scene.bodies = {body};
  Observation seen;
  seen.points = Eigen::Vector3d(1.0, -0.5, 1.0).asDiagonal() * body.rest;
  seen.velocities = Eigen::Matrix3Xd::Zero(3, 4);
  seen.extras = {3.0, 0.0};
  MotionMeter meter(scene, 0, WithEffort(), true);
  meter.Begin(seen);
  EXPECT_THAT(meter.End(seen, {})[Measure::kUprightness], Optional(DoubleNear(1.0, 1e-12)));
}

TEST(MotionMeter, BeginsAnew) {
  const Scene scene = ChainAndTriangle();
  MotionMeter meter(scene, 1, WithEffort(), true);
  for (int i = 0; i < 2; ++i) {
    meter.Begin(Seen(scene, 0.0, {1.0 * i, 0, 0}));
    meter.Add(Seen(scene, 0.0, {0, 5.0 - i, 0}));
    const MotionMeasures measures = meter.End(Seen(scene, 0.0, {7.0, 0, 0}), {});
    EXPECT_THAT(measures[Measure::kDistance], Optional(DoubleNear(7.0 - i, 1e-14)));
    EXPECT_THAT(measures[Measure::kHeight], Optional(DoubleNear(5.0 - i, 1e-14)));
    EXPECT_THAT(measures[Measure::kUprightness], Optional(DoubleNear(1.0, 1e-12)));
  }
}

TEST(MotionMeter, WhatAFormulationDoesNotDefineIsAbsent) {
  const Scene scene = ChainAndTriangle();
  BackendInfo kinematic;
  MotionMeter meter(scene, 1, kinematic, false);
  Observation seen = Seen(scene, 0.0, {0, 0, 0});
  seen.velocities.reset();
  seen.extras.clear();
  meter.Begin(seen);
  const MotionMeasures measures = meter.End(seen, {});
  EXPECT_TRUE(measures[Measure::kDistance]);
  EXPECT_FALSE(measures[Measure::kEndSpeed]);
  EXPECT_FALSE(measures[Measure::kEndMotion]);
  EXPECT_TRUE(measures[Measure::kEndShape]);
  EXPECT_FALSE(measures[Measure::kEnergy]);
  EXPECT_FALSE(measures[Measure::kNetEnergy]);
  EXPECT_FALSE(IsMeasured(Measure::kEnergy, kinematic));
  EXPECT_TRUE(IsMeasured(Measure::kEnergy, WithEffort()));
  EXPECT_TRUE(IsMeasured(Measure::kHeight, kinematic));
}

// W of cost functions is what dynamic-ffd calls its effort: the two names must not part.
TEST(MotionMeter, DynamicFfdMeasuresEnergy) {
  EXPECT_TRUE(IsMeasured(Measure::kEnergy, FindBackend("dynamic-ffd")->info()));
}

}  // namespace
}  // namespace pliant
