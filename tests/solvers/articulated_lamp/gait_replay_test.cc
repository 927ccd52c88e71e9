// Gaits, replayed by the simulation lap after lap.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "models/articulated_lamp/kinematics.h"
#include "solvers/articulated_lamp/backend.h"
#include "solvers/articulated_lamp/plan_regulator.h"
#include "tests/reference/complaints.h"
#include "tests/solvers/articulated_lamp/lamp_scene.h"

namespace pliant::articulated_lamp {
namespace {

constexpr double kLap = 0.88;  // s

ParameterValues Gait(ParameterValues more = {}) {
  more.insert({{"controller", std::string("planned")},
               {"jump_distance", 0.3},
               {"jump_stance", 0.3},
               {"jump_rest", 0.3},
               {"jump_loop", true},
               {"integrator", std::string("midpoint")},
               {"plan_limit_margin", 0.005},
               {"plan_friction_margin", 0.05}});
  return more;
}

struct Laps {
  std::vector<double> off;  // of the base from the plan at the end of each lap [m]
  double furthest = 0.0;    // of the base from the plan at any time [m]
};

Laps RunLaps(const ParameterValues& parameters, double h, int laps) {
  const auto simulation = Translated(LampScene(), parameters);
  Observation o;
  simulation->Observe(&o);
  EXPECT_NEAR(Extra(o, "plan_duration_s"), kLap, 1e-12);
  EXPECT_EQ(Extra(o, "base_off_plan_m"), 0.0);
  EXPECT_EQ(Extra(o, "hinges_off_plan_rad"), 0.0);  // it begins as the plan does
  Laps ran;
  const auto steps = static_cast<int>(std::lround(kLap / h));
  for (int i = 1; i <= laps * steps; ++i) {
    EXPECT_EQ(simulation->Advance(h).kind, StepOutcome::Kind::kAdvanced);
    simulation->Observe(&o);
    ran.furthest = std::max(ran.furthest, Extra(o, "base_off_plan_m"));
    if (i % steps == 0) ran.off.push_back(Extra(o, "base_off_plan_m"));
  }
  EXPECT_NEAR(o.points(0, 0), 0.3 * laps, 2.0 * ran.off.back() + 1e-12);
  return ran;
}

// On a fine mesh the deviation shrinks with the step, at the order of the stepper, over three laps.
TEST(GaitReplay, ConvergesToThePlan) {
  const ParameterValues fine = Gait({{"tracking", std::string("lqr")},
                                     {"plan_step", 0.0025},
                                     {"plan_refinements", std::int64_t{3}}});
  std::vector<double> off;
  for (const double h : {8e-4, 4e-4, 2e-4}) off.push_back(RunLaps(fine, h, 3).furthest);
  EXPECT_LT(off[2], 5e-4);
  EXPECT_GT(std::log2(off[0] / off[1]), 0.8) << off[0] << " " << off[1] << " " << off[2];
  EXPECT_GT(std::log2(off[1] / off[2]), 0.8);
}

// The regulator knows where the base should be: what is off does not add up. A servo of the hinges does not know it.
TEST(GaitReplay, TheRegulatorKeepsItsPlaceForTwentyLaps) {
  const Laps regulated = RunLaps(Gait({{"tracking", std::string("lqr")}}), 2e-4, 20);
  EXPECT_LT(regulated.furthest, 0.001);
  EXPECT_LT(regulated.off.back(), 1.2 * regulated.off[3]);
  const Laps servo = RunLaps(Gait(), 2e-4, 20);
  EXPECT_GT(servo.off.back(), 3.0 * servo.off[3]);
}

// The gains of a loop are those of the first of many laps that end: what is far ahead does not matter.
TEST(GaitRegulator, IsThatOfTheFirstOfManyLaps) {
  LampJumpProblem problem = {.distance = 0.3};
  problem.stance_duration = problem.landing_duration = 0.3;
  problem.loop = true;
  const LampJumpMotion motion = SolveLampJump(problem, {});
  ASSERT_TRUE(motion.summary().converged());
  const PlanRegulator regulator(problem, motion.trajectory, {});
  const LampPhase &stance = motion.trajectory.phases[0], &flight = motion.trajectory.phases[1],
                  &landing = motion.trajectory.phases[2];
  ASSERT_EQ(stance.intervals(), landing.intervals());
  LampPhase whole = landing;  // on the ground between two flights, in steps of the same length
  whole.duration += stance.duration;
  for (size_t i = 1; i < stance.nodes.size(); ++i) {
    whole.nodes.push_back(stance.nodes[i]);
    whole.nodes.back().q.head<2>() = landing.nodes.back().q.head<2>();
  }
  LampTrajectory laps = {{stance, flight}};
  for (int lap = 1; lap < 12; ++lap) {
    laps.phases.push_back(whole);
    laps.phases.push_back(flight);
  }
  laps.phases.push_back(landing);
  for (size_t p = 1; p < laps.phases.size(); ++p) {
    laps.phases[p].start = laps.phases[p - 1].start + laps.phases[p - 1].duration;
  }
  problem.loop = false;
  const PlanRegulator many(problem, laps, {});
  const double size = regulator.At(0, 0.0).norm(), lap = motion.trajectory.duration();
  EXPECT_GT(size, 1.0);
  for (const double time : {0.0, 0.1, 0.299}) {
    EXPECT_LT((regulator.At(0, time) - many.At(0, time)).norm(), 1e-6 * size) << time;
    EXPECT_LT((regulator.At(1, 0.3 + 0.9 * time) - many.At(1, 0.3 + 0.9 * time)).norm(),
              1e-6 * size);
    EXPECT_LT((regulator.At(2, 0.58 + time) - many.At(2, 0.58 + time)).norm(), 1e-6 * size);
    // Where a lap ends the next one begins.
    EXPECT_LT((regulator.At(0, time) - many.At(2, lap + time)).norm(), 1e-6 * size) << time;
  }
  // The last lap of those that end is another.
  EXPECT_GT((many.AtEnd() - regulator.AtEnd()).norm(), 0.01 * size);
}

TEST(GaitReplay, SaysHowItBegins) {
  const Translation translation =
      TheBackend().Translate(std::make_shared<const Scene>(LampScene()), Gait());
  const std::vector<TranslatedElement> entries = translation.record.Entries();
  const auto lamp = std::ranges::find(entries, "body.lamp", &TranslatedElement::element);
  ASSERT_NE(lamp, entries.end());
  EXPECT_EQ(lamp->fidelity, Fidelity::kApproximated);
  EXPECT_NE(lamp->reason.find("begins within its gait"), std::string::npos) << lamp->reason;
}

TEST(GaitReplay, WarnsOfWhatLaterLapsMayMeet) {
  Scene scene = LampScene();
  const auto warnings = [&] {
    return TheBackend().Translate(std::make_shared<const Scene>(scene), Gait()).warnings;
  };
  EXPECT_TRUE(warnings().empty());
  scene.obstacles.push_back({"step", Box{.half_size = {0.2, 0.05, 1.0}},
                             Path::Still(Eigen::Vector3d(1.5, 0.05, 0.0)), 0.8, 0.0});
  ASSERT_EQ(warnings().size(), 1u);
  EXPECT_NE(warnings()[0].find("later laps may meet 'step'"), std::string::npos);
}

TEST(GaitReplay, KnowsNoPosesAsAGuess) {
  ControlTable table;
  table.body = "lamp";
  table.servos = {{.name = "base hinge", .stiffness = 20.0, .damping = 1.0}};
  ControlTable::Entry still;
  still.name = "still";
  still.is_final = true;
  still.targets = {{"base hinge", Radians(-25)}};
  table.poses = {still};
  reference::ExpectBadInput("control", {"cannot be a loop"}, [&] {
    TheBackend().Translate(std::make_shared<const Scene>(LampScene()), Gait({{"control", table}}));
  });
}

}  // namespace
}  // namespace pliant::articulated_lamp
