// What the experiments of the lamp say at their top.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>

#include "experiments/runs/series.h"
#include "experiments/searches/run_searches.h"
#include "tests/experiments/bundles/scratch.h"
#include "tests/experiments/claims/shipped.h"

namespace pliant {
namespace {

// A run of one backend: its extras by name, and points of interest, frame by frame.
struct LampRun {
  std::map<std::string, std::vector<double>> extras;
  std::vector<double> times, base_x, base_y, mid_hinge;
  Exchange work;

  double end(const std::string& extra) const { return extras.at(extra).back(); }
  double most(const std::string& extra) const {
    const std::vector<double>& values = extras.at(extra);
    return *std::max_element(values.begin(), values.end());
  }
};

// Angle of the upper arm to the lower one, clockwise; points 6, 8 and 9, 11 are their ends.
double MidHinge(const Eigen::Matrix3Xd& x) {
  const Eigen::Vector3d lower = x.col(8) - x.col(6), upper = x.col(11) - x.col(9);
  return std::atan2(-lower.cross(upper).z(), lower.dot(upper));
}

LampRun RunLamp(const Experiment& experiment, const std::string& label) {
  size_t index = 0;
  while (experiment.backends.at(index).label != label) ++index;
  const auto& columns = experiment.backends[index].backend->info().extras;
  LampRun run;
  RunShipped(experiment, index, [&](const Frame& frame) {
    const Observation& o = frame.observation;
    for (size_t i = 0; i < columns.size(); ++i) {
      if (o.extras[i]) run.extras[columns[i].name].push_back(*o.extras[i]);
    }
    run.times.push_back(o.time);
    run.base_x.push_back(o.points(0, 0));
    run.base_y.push_back(o.points(1, 0));
    run.mid_hinge.push_back(MidHinge(o.points));
    run.work = *o.work;
  });
  return run;
}

TEST(LampDance, AsPrintedItThrowsItselfAwayAndTheOthersStayAndArrive) {
  const Experiment experiment = Shipped("lamp-dance");
  const LampRun printed = RunLamp(experiment, "printed");
  EXPECT_GT(printed.most("clearance_m"), 1.0);
  EXPECT_GT(printed.most("hinge_excess_rad"), 0.05);
  for (const std::string label : {"consistent", "sign-corrected"}) {
    const LampRun run = RunLamp(experiment, label);
    EXPECT_LT(run.most("clearance_m"), 0.01) << label;
    EXPECT_LT(run.most("hinge_excess_rad"), 1e-3) << label;
    EXPECT_LT(run.most("floor_cone_excess_N"), 1e-9) << label;
    // At the end of the bow, 1.6 s.
    EXPECT_NEAR(run.mid_hinge[80], 1.25, 0.03) << label;
  }
  EXPECT_GT(RunLamp(experiment, "consistent").most("floor_friction_force_N"), 0.5);
}

TEST(LampTimed, TheConsistentLawIsHalfWayAtHalfTimeAndThereAtItsEnd) {
  const Experiment experiment = Shipped("lamp-timed");
  const auto share = [](const LampRun& run) {  // of the way from rest to bow, at its half time
    return (run.mid_hinge[60] - run.mid_hinge[40]) / (1.25 - run.mid_hinge[40]);
  };
  const LampRun consistent = RunLamp(experiment, "consistent");
  EXPECT_NEAR(share(consistent), 0.5, 0.1);
  EXPECT_NEAR(consistent.mid_hinge[79], 1.25, 0.03);
  EXPECT_GT(std::abs(share(RunLamp(experiment, "sign-corrected")) - 0.5), 0.15);
}

TEST(LampJump, TheServoNeedsLittleToKeepToThePlanAndWithoutItTheLandingGoesWrong) {
  const Experiment experiment = Shipped("lamp-jump");
  const LampRun tracked = RunLamp(experiment, "tracked");
  EXPECT_NEAR(tracked.base_x.back(), 0.3, 3e-3);
  EXPECT_LT(tracked.most("base_off_plan_m"), 5e-3);
  EXPECT_LT(tracked.end("tracking_effort_N2_m2_s"), 0.05 * tracked.end("torque_effort_N2_m2_s"));
  const LampRun alone = RunLamp(experiment, "torques-alone");
  EXPECT_EQ(alone.end("tracking_effort_N2_m2_s"), 0.0);
  EXPECT_GT(alone.most("hinges_off_plan_rad"), 20.0 * tracked.most("hinges_off_plan_rad"));
}

TEST(LampJump, FartherCostsMoreAndLandsWhereItShould) {
  const Experiment experiment = Shipped("lamp-jump-distance");
  double effort = 0.0;
  for (const auto& [label, distance] : std::map<std::string, double>{
           {"0-3-m", 0.3}, {"0-6-m", 0.6}, {"0-9-m", 0.9}, {"1-2-m", 1.2}}) {
    const LampRun run = RunLamp(experiment, label);
    EXPECT_NEAR(run.base_x.back(), distance, 0.01) << label;
    EXPECT_GT(run.end("torque_effort_N2_m2_s"), 1.3 * effort) << label;
    effort = run.end("torque_effort_N2_m2_s");
  }
}

TEST(LampJump, TheFreeTimeInTheAirCostsLeast) {
  const Experiment experiment = Shipped("lamp-jump-flight");
  const auto cost = [&](const std::string& label) {
    const LampRun run = RunLamp(experiment, label);
    EXPECT_NEAR(run.base_x.back(), 0.3, 0.01) << label;
    return run.end("torque_effort_N2_m2_s") + 1e-5 * run.end("hinge_effort_rad2_s3");
  };
  const double free = cost("free");
  EXPECT_LT(free, 0.95 * cost("short"));
  EXPECT_LT(free, 0.95 * cost("long"));
}

TEST(LampJump, ASoftLandingCostsTorqueAndSavesTheImpact) {
  const Experiment experiment = Shipped("lamp-jump-landing");
  const LampRun plastic = RunLamp(experiment, "plastic"), soft = RunLamp(experiment, "soft");
  EXPECT_GT(soft.end("torque_effort_N2_m2_s"), 2.0 * plastic.end("torque_effort_N2_m2_s"));
  EXPECT_LT(plastic.work[WorkClass::kContact], 2.0 * soft.work[WorkClass::kContact]);
  EXPECT_NEAR(soft.base_x.back(), 0.3, 0.01);
}

TEST(LampJump, OntoAStepItStandsOnTop) {
  const Experiment experiment = Shipped("lamp-jump-step");
  std::map<std::string, double> cost;
  for (const std::string label : {"given", "free"}) {
    const LampRun run = RunLamp(experiment, label);
    EXPECT_NEAR(run.base_x.back(), 0.5, 0.02) << label;
    EXPECT_NEAR(run.base_y.back(), 0.1, 1e-3) << label;
    EXPECT_LT(run.most("base_off_plan_m"), 0.02) << label;
    cost[label] = run.end("torque_effort_N2_m2_s") + 1e-5 * run.end("hinge_effort_rad2_s3");
  }
  EXPECT_LT(cost["free"], cost["given"]);
}

TEST(LampJump, OverAHurdleItsBaseGoesHigher) {
  const LampRun run = RunLamp(Shipped("lamp-jump-hurdle"), "articulated-lamp");
  EXPECT_NEAR(run.base_x.back(), 0.6, 0.02);
  double over = 1.0;  // height of the middle of the base above the hurdle, where it is over it
  for (size_t i = 0; i < run.times.size(); ++i) {
    if (std::abs(run.base_x[i] - 0.3) < 0.02) over = std::min(over, run.base_y[i] - 0.2);
  }
  EXPECT_LT(over, 0.5);
  EXPECT_GT(over, 0.0);
  EXPECT_LT(run.most("base_off_plan_m"), 0.02);
}

TEST(LampSkiJump, WhatTheSlopeGivesNeedNotBeJumpedFor) {
  const Experiment experiment = Shipped("lamp-ski-jump");
  const LampRun near = RunLamp(experiment, "near"), far = RunLamp(experiment, "far");
  EXPECT_NEAR(near.base_x.back(), 0.4, 0.03);
  EXPECT_NEAR(far.base_x.back(), 0.7, 0.03);
  for (const LampRun* run : {&near, &far}) EXPECT_NEAR(run->base_y.back(), 0.0, 1e-3);
  EXPECT_GT(far.end("torque_effort_N2_m2_s"), 2.0 * near.end("torque_effort_N2_m2_s"));
  const LampRun level = RunLamp(Shipped("lamp-jump-distance"), "0-6-m");
  EXPECT_LT(far.end("torque_effort_N2_m2_s"), 0.5 * level.end("torque_effort_N2_m2_s"));
}

TEST(LampTranscriptions, TheCubicsLeaveLeastToTheServo) {
  const Experiment experiment = Shipped("lamp-jump-transcriptions");
  const LampRun cubic = RunLamp(experiment, "hermite");
  for (const std::string label : {"trapezoidal", "finite-differences"}) {
    const LampRun run = RunLamp(experiment, label);
    EXPECT_NEAR(run.base_x.back(), 0.3, 0.03) << label;
    EXPECT_GT(run.end("tracking_effort_N2_m2_s"), cubic.end("tracking_effort_N2_m2_s")) << label;
  }
}

TEST(LampWarm, ThePlanFromPosesIsTheSame) {
  const Experiment experiment = Shipped("lamp-jump-warm");
  const LampRun cold = RunLamp(experiment, "from-a-line"), warm = RunLamp(experiment, "from-poses");
  EXPECT_NEAR(warm.end("torque_effort_N2_m2_s"), cold.end("torque_effort_N2_m2_s"),
              0.01 * cold.end("torque_effort_N2_m2_s"));
  // They come there from elsewhere.
  const auto evaluations = [&](size_t index) {
    const Translation translation = TranslateFor(experiment, index);
    for (const auto& row : translation.findings.at(0).rows) {
      if (row.at(0) == "evaluations") return row.at(1);
    }
    return std::string();
  };
  EXPECT_NE(evaluations(0), "");
  EXPECT_NE(evaluations(0), evaluations(1));
}

double EffortWith(const std::string& experiment, const std::string& change) {
  const LampRun run = RunLamp(Shipped(experiment, {change}), "articulated-lamp");
  EXPECT_NEAR(run.base_x.back(), 0.6, 0.02) << change;
  return run.end("torque_effort_N2_m2_s");
}

TEST(LampJump, LessFrictionTakesMoreTorque) {
  const std::string key = "scene.obstacle.ground.friction=";
  EXPECT_GT(EffortWith("lamp-jump-friction", key + "0.5"),
            1.1 * EffortWith("lamp-jump-friction", key + "0.8"));
}

TEST(LampJump, AHeavierHeadTakesMoreTorque) {
  const auto shapes = std::filesystem::absolute(PLIANT_SOURCE_DIR) / "data" / "shapes";
  const auto with = [&](const char* file) {
    return EffortWith("lamp-jump-head",
                      "scene.body.lamp.file=\"" + (shapes / file).string() + "\"");
  };
  EXPECT_GT(with("lamp-heavy-head.toml"), 1.2 * with("lamp.toml"));
}

// A tenth of the trials: the plan is better than what a search finds by then, by the same cost, and no
// search gets a trial more than another. With all trials the best search comes within 5 % of it.
TEST(LampSearch, ThePlanCostsLessThanWhatSearchesFindInATenthOfTheTrials) {
  const ScratchFolder folder;
  const SearchPlan plan =
      ReadSearchPlan(Shipped("lamp-jump-search", {"optimize.trials=200", "optimize.restarts=1"}));
  const SearchesResult result = RunSearches(plan, folder.path(), 2, false, {});
  ASSERT_TRUE(result.best);
  for (const SearchHistory& history : result.histories) EXPECT_EQ(history.trials.size(), 200u);
  ASSERT_EQ(result.others.size(), 1u);
  const MotionScore& planned = result.others[0].score;
  EXPECT_EQ(planned.failure, "");
  EXPECT_EQ(planned.violation, 0.0);
  EXPECT_NEAR(planned.cost, 9.11, 1.2);  // what the plan says; the rest is the servo and the impact
  const SearchHistory& best = result.histories[result.best->search];
  EXPECT_LT(planned.cost, best.trials[result.best->trial].score.cost);
  EXPECT_LT(best.trials.back().best_cost, 0.5 * best.trials.front().score.cost);
}

// A search of a shipped experiment, with the record it leaves.
SearchRecord Searched(const std::string& name, const std::vector<std::string>& overrides,
                      const ScratchFolder& folder) {
  const SearchesResult result =
      RunSearches(ReadSearchPlan(Shipped(name, overrides)), folder.path(), 2, false, {});
  return ReadSearchRecord(result.folder);
}

// Throws where no trial has a cost.
const MotionScore& BestScore(const SearchRecord& record) {
  const auto best = BestOf(record.histories).value();
  return record.histories[best.search].trials[best.trial].score;
}

// Who is best depends on who judges: by joules a search beats the plan, which has far less torque.
TEST(LampSearch, ASearchForLittleEnergySpendsLessThanThePlan) {
  const ScratchFolder folder;
  const SearchRecord record = Searched(
      "lamp-jump-energy", {"optimize.trials=300", "optimize.restarts=1", "run.seed=2"}, folder);
  const MotionScore& found = BestScore(record);
  const MotionScore& planned = record.others.at(0).score;
  EXPECT_EQ(found.violation, 0.0);
  EXPECT_EQ(planned.violation, 0.0);
  EXPECT_LT(found.cost, 0.9 * planned.cost);
  const auto torque = static_cast<size_t>(Measure::kTorqueEffort);
  EXPECT_GT(found.terms[torque], 2.0 * planned.terms[torque]);
}

TEST(LampSearch, TheTableJumpsAsFarForManyTimesTheEnergy) {
  const ScratchFolder folder;
  const SearchRecord record = Searched(
      "lamp-table-jump", {"optimize.trials=500", "optimize.restarts=1", "run.seed=1"}, folder);
  EXPECT_GT(record.histories[0].trials.front().score.violation, 5.0);
  const MotionScore& best = BestScore(record);
  EXPECT_EQ(best.violation, 0.0);
  EXPECT_GT(best.cost, 100.0);
}

}  // namespace
}  // namespace pliant
