// Planned jumps with stops on the way, replayed by the simulation.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "models/problem.h"
#include "solvers/articulated_lamp/backend.h"
#include "solvers/articulated_lamp/lamp_ground.h"
#include "tests/reference/complaints.h"
#include "tests/solvers/articulated_lamp/lamp_scene.h"

namespace pliant::articulated_lamp {
namespace {

// Two hops of 0.3 m that end in another pose, where stops and cone are away.
ParameterValues Hops(ParameterValues more = {}) {
  more.insert({{"controller", std::string("planned")},
               {"jump_distance", 0.6},
               {"jump_stops", std::vector<double>{0.3}},
               {"jump_end_pose", std::vector<double>{-0.3, 0.7, 0.2}},
               {"integrator", std::string("midpoint")},
               {"plan_limit_margin", 0.005},
               {"plan_friction_margin", 0.05}});
  return more;
}

struct HopsReplay {
  double base_off = 0.0;    // largest distance from the plan on the way [m]
  double stop_off = 0.0;    // of the base from the stop when its stance is half over [m]
  double landed = 0.0;      // x of the base at the end [m]
  double hinges_off = 0.0;  // at the end [rad]
  double replans, replans_found = 0.0;
};

HopsReplay ReplayHops(const ParameterValues& parameters, double h) {
  const auto simulation = Translated(LampScene(), parameters);
  Observation o;
  simulation->Observe(&o);
  const double duration = Extra(o, "plan_duration_s");
  EXPECT_NEAR(duration, 0.6 + 0.28 + 0.5 + 0.28 + 0.5, 1e-12);
  HopsReplay replayed;
  const auto steps = static_cast<int>(std::lround(duration / h));
  for (int i = 1; i <= steps; ++i) {
    EXPECT_EQ(simulation->Advance(h).kind, StepOutcome::Kind::kAdvanced);
    simulation->Observe(&o);
    replayed.base_off = std::max(replayed.base_off, Extra(o, "base_off_plan_m"));
    if (i == static_cast<int>(std::lround(1.13 / h))) {
      replayed.stop_off = (o.points.col(0).head<2>() - Eigen::Vector2d(0.3, 0.0)).norm();
    }
  }
  replayed.landed = o.points(0, 0);
  replayed.hinges_off = Extra(o, "hinges_off_plan_rad");
  if (parameters.contains("replan_every")) {
    replayed.replans = Extra(o, "replans");
    replayed.replans_found = Extra(o, "replans_found");
  }
  return replayed;
}

// On a fine mesh the deviation shrinks with the step, at the order of the stepper, through both landings.
TEST(PlannedHops, TheRegulatedMotionConvergesToThePlan) {
  const ParameterValues fine = Hops({{"tracking", std::string("lqr")},
                                     {"plan_step", 0.0025},
                                     {"plan_refinements", std::int64_t{3}}});
  std::vector<double> off;
  for (const double h : {8e-4, 4e-4, 2e-4}) {
    const HopsReplay replayed = ReplayHops(fine, h);
    EXPECT_LT(replayed.stop_off, 1e-3);
    EXPECT_NEAR(replayed.landed, 0.6, 1e-3);
    EXPECT_LT(replayed.hinges_off, 1e-3);
    off.push_back(replayed.base_off);
  }
  EXPECT_LT(off[2], 2e-4);
  EXPECT_GT(std::log2(off[0] / off[1]), 0.8);
  EXPECT_GT(std::log2(off[1] / off[2]), 0.8);
}

TEST(PlannedHops, AServoHoldsThemToo) {
  const HopsReplay replayed = ReplayHops(Hops(), 2e-4);
  EXPECT_LT(replayed.stop_off, 5e-3);
  EXPECT_NEAR(replayed.landed, 0.6, 5e-3);
  EXPECT_LT(replayed.hinges_off, 0.01);
}

// With a head 10 % heavier than planned each hop carries the lamp too far; plans made on the way, on the stop and after it too, do not let
// it. (With 20 % it tips on the stop, and no more plans are found there.)
TEST(PlannedHops, PlansMadeOnTheWayLandAHeavierHead) {
  const HopsReplay once = ReplayHops(Hops({{"plan_head_factor", 1.0 / 1.1}}), 2e-4);
  const HopsReplay again = ReplayHops(Hops({{"plan_head_factor", 1.0 / 1.1},
                                            {"replan_every", 0.05},
                                            {"plan_step", 0.02},
                                            {"plan_refinements", std::int64_t{0}}}),
                                      2e-4);
  EXPECT_GT(once.landed, 0.61);
  EXPECT_NEAR(again.landed, 0.6, 0.005);
  EXPECT_EQ(again.replans, 33.0);  // until it lands at its goal
  EXPECT_GE(again.replans_found, 20.0);
}

TEST(PlannedHops, WhatTheyCannotDoIsNamed) {
  const auto refused = [](const char* parameter, const std::string& why, ParameterValues more,
                          const Scene& scene = LampScene()) {
    more.insert({"controller", std::string("planned")});
    reference::ExpectBadInput(parameter, {why}, [&] {
      TheBackend().Translate(std::make_shared<const Scene>(scene), more);
    });
  };
  refused("jump_end_pose", "one angle for each of the three hinges",
          {{"jump_end_pose", std::vector<double>{0.1, 0.2}}});
  Scene scene = LampScene();
  scene.obstacles.push_back({"step", Box{.half_size = {0.2, 0.05, 1.0}},
                             Path::Still(Eigen::Vector3d(0.5, 0.05, 0.0)), 0.8, 0.0});
  refused("jump_stops", "land across an edge",
          {{"jump_stops", std::vector<double>{0.3}}, {"jump_distance", 0.9}}, scene);
  ControlTable table;
  table.body = "lamp";
  table.servos = {{.name = "base hinge", .stiffness = 20.0, .damping = 1.0}};
  ControlTable::Entry still;
  still.name = "still";
  still.is_final = true;
  still.targets = {{"base hinge", Radians(-25)}};
  table.poses = {still};
  refused("control", "know one jump only",
          {{"jump_stops", std::vector<double>{0.15}}, {"control", table}});
}

// A stop on a step has its height, and the friction of the step.
TEST(PlannedHops, StandOnTheGroundOfTheScene) {
  Scene scene = LampScene();
  scene.obstacles.push_back({"step", Box{.half_size = {0.2, 0.05, 1.0}},
                             Path::Still(Eigen::Vector3d(0.4, 0.05, 0.0)), 0.5, 0.0});
  const LampBody body = ReadLampBody(scene.bodies[0]);
  const LampJumpProblem problem = JumpFrom(scene, body, 0.9, {0.4});
  ASSERT_EQ(problem.stops.size(), 1u);
  EXPECT_EQ(problem.stops[0].distance, 0.4);
  EXPECT_NEAR(problem.stops[0].height, 0.1, 1e-15);
  EXPECT_EQ(problem.stops[0].friction, 0.5);
  const auto phases = problem.Phases();
  ASSERT_EQ(phases.size(), 5u);
  EXPECT_EQ(phases[1].friction, 0.5);  // where it lands
  EXPECT_EQ(phases[3].friction, 0.8);
}

}  // namespace
}  // namespace pliant::articulated_lamp
