// A planned jump, replayed by the simulation.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "models/scene/problem.h"
#include "solvers/lamp/backend.h"
#include "solvers/lamp/lamp_simulation.h"
#include "tests/solvers/lamp/lamp_scene.h"

namespace pliant {
namespace {

using testing::HasSubstr;

ParameterValues Planned(ParameterValues more = {}) {
  more.emplace("controller", std::string("planned"));
  return more;
}

constexpr double kStart = 0.7;  // m, where the lamp stands

struct Replayed {
  double hinges_off = 0.0, base_off = 0.0;  // largest on the way [rad], [m]
  double tracking, effort, hinges;          // ∫ Σ τ² dt of the servo, of all; ∫ Σ φ̈² dt
  double landed;                            // x of the base at the end [m]
  double highest = 0.0;                     // of the base [m]
};
Replayed Replay(const ParameterValues& parameters, double h) {
  Scene scene = LampScene();
  scene.bodies[0].position.x() = kStart;
  Translation translation =
      ArticulatedLampBackend().Translate(std::make_shared<const Scene>(scene), parameters);
  EXPECT_NE(translation.simulation, nullptr) << translation.record.WhyUnsupported();
  Simulation& simulation = *translation.simulation;
  Replayed replayed;
  Observation o;
  for (int i = 0; i < static_cast<int>(std::lround(1.38 / h)); ++i) {
    EXPECT_EQ(simulation.Advance(h).kind, StepOutcome::Kind::kAdvanced);
    simulation.Observe(&o);
    replayed.hinges_off = std::max(replayed.hinges_off, *o.extras[12]);
    replayed.base_off = std::max(replayed.base_off, *o.extras[13]);
    replayed.highest = std::max(replayed.highest, o.points(1, 0));
  }
  replayed.tracking = *o.extras[11];
  replayed.effort = *o.extras[1];
  replayed.hinges = *o.extras[2];
  replayed.landed = o.points(0, 0);
  return replayed;
}

TEST(PlannedJump, TheSimulationLandsWhereThePlanDoes) {
  const Replayed replayed = Replay(Planned(), 5e-4);
  EXPECT_NEAR(replayed.landed, kStart + 0.3, 3e-3);
  // What the plan costs, on its mesh of 0.01 s: 8.28 for torques, 0.823 for hinges.
  EXPECT_NEAR(replayed.effort, 8.3, 0.5);
  EXPECT_NEAR(1e-5 * replayed.hinges, 0.82, 0.15);
  EXPECT_GT(replayed.highest, 0.05);
  EXPECT_LT(replayed.base_off, 5e-3);
  EXPECT_LT(replayed.hinges_off, 0.05);
  EXPECT_LT(replayed.tracking, 0.05 * replayed.effort);
}

TEST(PlannedJump, TheServoHoldsTheHingesToThePlan) {
  const Replayed held = Replay(Planned(), 5e-4);
  const Replayed free =
      Replay(Planned({{"tracking_stiffness", 0.0}, {"tracking_damping", 0.0}}), 5e-4);
  EXPECT_LT(held.hinges_off, 0.2 * free.hinges_off);
  EXPECT_EQ(free.tracking, 0.0);
  EXPECT_GT(held.tracking, 0.0);
}

TEST(PlannedJump, ATorqueLimitThatBindsIsReported) {
  const auto warnings = [](double limit) {
    return ArticulatedLampBackend()
        .Translate(std::make_shared<const Scene>(LampScene()), Planned({{"torque_limit", limit}}))
        .warnings;
  };
  ASSERT_EQ(warnings(7.0).size(), 1u);
  EXPECT_THAT(warnings(7.0)[0], HasSubstr("the torque limit of 7 N m binds in the plan: "));
  EXPECT_TRUE(warnings(20.0).empty());
}

TEST(PlannedJump, AGoalOutOfReachIsNoPlanAndSaysWhatAndWhen) {
  const Translation translation = ArticulatedLampBackend().Translate(
      std::make_shared<const Scene>(LampScene()),
      Planned({{"hinge_upper", std::vector<double>{0.8, 0.7, 0.7}}}));
  EXPECT_EQ(translation.simulation, nullptr);
  EXPECT_THAT(translation.record.WhyUnsupported(),
              HasSubstr("did not converge: infeasible: worst is 'limit of hinge 2'"));
  EXPECT_THAT(translation.record.WhyUnsupported(), HasSubstr("at t = 0.000 s"));
}

TEST(PlannedJump, WhatAPlanCannotStartFromIsNamed) {
  const auto refused = [](const Scene& scene, const std::string& why) {
    try {
      ArticulatedLampBackend().Translate(std::make_shared<const Scene>(scene), Planned());
      FAIL() << why;
    } catch (const BadInput& bad) {
      EXPECT_EQ(bad.problem().where, "controller");
      EXPECT_THAT(bad.what(), HasSubstr(why));
    }
  };
  Scene scene = LampScene();
  scene.bodies[0].position = {0, 0.1, 0};
  refused(scene, "flat on the ground");
  scene = LampScene();
  scene.bodies[0].velocity = {0.1, 0, 0};
  refused(scene, "from rest");
  scene = LampScene();
  scene.obstacles[0].friction = 0.0;
  refused(scene, "friction");
}

}  // namespace
}  // namespace pliant
