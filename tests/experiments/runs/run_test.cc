#include "experiments/runs/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "models/scene/number_text.h"
#include "models/scene/shapes.h"
#include "solvers/parallel/cancellation.h"
#include "tests/experiments/falling.h"

namespace pliant {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// One recorded time, kept.
struct Kept {
  double time;
  Eigen::Matrix3Xd points;
  Eigen::VectorXd state;
  SeriesRow row;
};

// A chain that falls for a second: 10 steps, a frame every 2.
class RunTest : public ::testing::Test {
 protected:
  RunTest() {
    auto scene = std::make_shared<Scene>();
    scene->bodies.push_back(MakeChain("rope", {0, 0, 0}, {1, 0, 0}, 3, 2.0));
    experiment_.scene = scene;
    experiment_.plan = {.duration = 1.0, .step = 0.1, .record_every = 0.2, .seed = 1};
    experiment_.backends.push_back({"falling", nullptr, {}, 0.1});
  }

  std::unique_ptr<Simulation> Simulate(const Mishap& mishap) {
    backend_ = FallingBackend(mishap);
    experiment_.backends[0].backend = &backend_;
    return backend_.Translate(experiment_.scene, {}).simulation;
  }

  RunOutcome RunAll(Simulation* simulation, RunHooks hooks = {}) {
    kept_.clear();
    hooks.on_frame = [this](const Frame& frame) {
      kept_.push_back({frame.observation.time, frame.observation.points, frame.state, frame.row});
    };
    return pliant::Run(experiment_, 0, simulation, hooks);
  }

  std::vector<double> Times() const {
    std::vector<double> times;
    for (const Kept& kept : kept_) times.push_back(kept.time);
    return times;
  }

  Experiment experiment_;
  FallingBackend backend_;
  std::vector<Kept> kept_;
};

TEST_F(RunTest, RecordsStartEveryMultipleAndEnd) {
  experiment_.plan.record_every = 0.3;  // does not divide the duration
  const auto simulation = Simulate({});
  const RunOutcome outcome = RunAll(simulation.get());
  EXPECT_EQ(outcome.kind, OutcomeKind::kCompleted);
  EXPECT_EQ(outcome.step, 10);
  EXPECT_EQ(outcome.time, 1.0);
  EXPECT_EQ(outcome.reason, "");
  EXPECT_THAT(Times(), ElementsAre(0.0, 3 * 0.1, 6 * 0.1, 9 * 0.1, 1.0));
  EXPECT_NEAR(kept_.back().points(1, 0), -0.5 * 9.81, 1e-14);
}

TEST_F(RunTest, EachStepIsTimedFromTheSecondFrameOn) {
  const auto simulation = Simulate({});
  const RunOutcome outcome = RunAll(simulation.get());
  const size_t step_time =
      SeriesColumns(backend_.info()).size() - 3;  // before that of CPU time and the extra
  double total = 0.0;
  for (size_t i = 0; i < kept_.size(); ++i) {
    ASSERT_EQ(kept_[i].row[step_time].has_value(), i > 0);
    if (i > 0) total += 2 * *kept_[i].row[step_time];  // two steps to a frame
  }
  EXPECT_NEAR(total, outcome.wall_seconds, 1e-12);
}

TEST_F(RunTest, DivergenceKeepsTheLastGoodStateAndNamesTheStep) {
  const auto simulation = Simulate({.diverges_at = 6});
  const RunOutcome outcome = RunAll(simulation.get());
  EXPECT_EQ(outcome.kind, OutcomeKind::kDiverged);
  EXPECT_EQ(outcome.step, 6);
  EXPECT_EQ(outcome.time, 5 * 0.1);
  EXPECT_EQ(outcome.quantity, "height");
  EXPECT_EQ(outcome.reason, "diverged at step 6: height");
  EXPECT_THAT(Times(), ElementsAre(0.0, 2 * 0.1, 4 * 0.1, 5 * 0.1));
  EXPECT_TRUE(kept_.back().points.allFinite());
  EXPECT_EQ(simulation->Save(), kept_.back().state);
}

// Whether or not the state was saved just there.
TEST_F(RunTest, DivergenceFarFromAnyFrameGoesBackByOneStep) {
  experiment_.plan.duration = experiment_.plan.record_every = 20.0;
  for (const int step : {2, 33, 34, 65, 110}) {
    const auto simulation = Simulate({.diverges_at = step});
    const RunOutcome outcome = RunAll(simulation.get());
    EXPECT_EQ(outcome.step, step);
    const auto whole = Simulate({});
    for (int i = 1; i < step; ++i) whole->Advance(0.1);
    EXPECT_EQ(simulation->Save(), whole->Save());
    EXPECT_EQ(outcome.time, whole->time());
    EXPECT_EQ(kept_.back().state, whole->Save());
  }
}

TEST_F(RunTest, DivergenceRightAfterAFrameRecordsNoSecondFrame) {
  const auto simulation = Simulate({.diverges_at = 5});
  RunAll(simulation.get());
  EXPECT_THAT(Times(), ElementsAre(0.0, 2 * 0.1, 4 * 0.1));
}

TEST_F(RunTest, DivergenceThatTheSimulationMissesIsFoundAtTheNextFrame) {
  const auto simulation = Simulate({.spoils_points_at = 5});
  const RunOutcome outcome = RunAll(simulation.get());
  EXPECT_EQ(outcome.kind, OutcomeKind::kDiverged);
  EXPECT_EQ(outcome.step, 6);
  EXPECT_EQ(outcome.time, 4 * 0.1);
  EXPECT_THAT(outcome.reason, HasSubstr("no longer has a finite position"));
  EXPECT_THAT(Times(), ElementsAre(0.0, 2 * 0.1, 4 * 0.1));
  EXPECT_EQ(simulation->Save(), kept_.back().state);
}

TEST_F(RunTest, DivergenceAfterOneThatWasMissedGoesBackToTheLastFrame) {
  const auto simulation = Simulate({.diverges_at = 6, .spoils_points_at = 5});
  const RunOutcome outcome = RunAll(simulation.get());
  EXPECT_EQ(outcome.kind, OutcomeKind::kDiverged);
  EXPECT_EQ(outcome.time, 4 * 0.1);
  EXPECT_THAT(Times(), ElementsAre(0.0, 2 * 0.1, 4 * 0.1));
}

TEST_F(RunTest, NotConvergingGoesOnToTheEndAndIsJudgedByItsShare) {
  EXPECT_EQ(RunAll(Simulate({.not_converged_at = 3}).get()).kind, OutcomeKind::kCompleted)
      << "one step of ten is allowed";
  kept_.clear();
  experiment_.plan.not_converged_share = 0.05;
  const auto simulation = Simulate({.not_converged_at = 3});
  const RunOutcome outcome = RunAll(simulation.get());
  EXPECT_EQ(outcome.kind, OutcomeKind::kNotConverged);
  EXPECT_EQ(outcome.step, 10);
  EXPECT_EQ(outcome.not_converged_steps, 1);
  EXPECT_EQ(outcome.reason, "the fall did not converge, first at step 3");
  EXPECT_EQ(kept_.back().time, 1.0);
}

// It falls over a ball between two of its points, and through a plate that is thinner than a
// hundredth of its way in a step.
TEST_F(RunTest, WhatGoesThroughAnObstacleIsAnEventAndWhereForbiddenAnOutcome) {
  auto scene = std::make_shared<Scene>(*experiment_.scene);
  scene->obstacles.push_back({"ball", Sphere{0.1}, Path::Still(Eigen::Vector3d(0.25, -1.0, 0))});
  scene->obstacles.push_back(
      {"plate", Box{Eigen::Vector3d(1, 0.001, 1)}, Path::Still(Eigen::Vector3d(0, -3.0, 0))});
  experiment_.scene = scene;
  RunOutcome outcome = RunAll(Simulate({}).get());
  EXPECT_EQ(outcome.kind, OutcomeKind::kCompleted);
  ASSERT_EQ(outcome.events.size(), 2u);
  EXPECT_THAT(outcome.events[0].what,
              HasSubstr("body 'rope' went through obstacle 'ball', at (0.25, -1.1"));
  EXPECT_NEAR(outcome.events[0].time, std::sqrt(2.0 * 1.1 / 9.81), 0.02);
  EXPECT_NEAR(outcome.events[1].time, std::sqrt(2.0 * 3.0 / 9.81), 0.02);
  experiment_.plan.may_go_through = false;
  outcome = RunAll(Simulate({}).get());
  EXPECT_EQ(outcome.kind, OutcomeKind::kWentThrough);
  EXPECT_TRUE(RanToItsEnd(outcome.kind));
  EXPECT_EQ(outcome.quantity, "body 'rope'");
  EXPECT_THAT(outcome.reason, HasSubstr("went through obstacle 'ball'"));
  EXPECT_THAT(outcome.reason, HasSubstr(", at " + ThreeDigits(outcome.events[0].time) + " s"));
}

// A plane has no other side: nothing goes through it, however deep it falls.
TEST_F(RunTest, ABodyDeepInAnObstacleIsSaidWithDepthShareAndTime) {
  auto scene = std::make_shared<Scene>(*experiment_.scene);
  scene->bodies = {MakeChain("rope", {0, 0, 0}, {2, 0, 0}, 3, 2.0)};
  scene->obstacles.push_back({"ground", Plane{}, Path::Still(Eigen::Vector3d(0, -1.0, 0))});
  experiment_.scene = scene;
  const RunOutcome outcome = RunAll(Simulate({}).get());
  EXPECT_EQ(outcome.kind, OutcomeKind::kCompleted);
  EXPECT_TRUE(outcome.events.empty());
  ASSERT_TRUE(outcome.sunk);
  EXPECT_EQ(outcome.sunk->body, "rope");
  EXPECT_EQ(outcome.sunk->obstacle, "ground");
  EXPECT_NEAR(outcome.sunk->depth, 0.5 * 9.81 - 1.0, 1e-12);
  EXPECT_NEAR(outcome.sunk->share, 0.5 * (0.5 * 9.81 - 1.0), 1e-12);  // the rope is 2 m long
  EXPECT_EQ(outcome.sunk->time, 1.0);
  EXPECT_THAT(
      SunkInWords(outcome),
      HasSubstr("body 'rope' is 3.9 m deep in obstacle 'ground' at 1 s, 195 % of its size"));
}

TEST_F(RunTest, ABodyThatSinksInByATenthOfItsSizeOrWentThroughIsNotSaidToLieDeep) {
  auto scene = std::make_shared<Scene>(*experiment_.scene);
  const double fall = 0.5 * 9.81;
  scene->obstacles.push_back({"ground", Plane{}, Path::Still(Eigen::Vector3d(0, 0.099 - fall, 0))});
  experiment_.scene = scene;
  EXPECT_FALSE(RunAll(Simulate({}).get()).sunk);
  scene = std::make_shared<Scene>(*scene);
  scene->obstacles[0].motion = Path::Still(Eigen::Vector3d(0, 0.101 - fall, 0));
  experiment_.scene = scene;
  EXPECT_TRUE(RunAll(Simulate({}).get()).sunk);
  // Records as the rope falls past find points 0.15 m deep in the plate.
  scene = std::make_shared<Scene>(*scene);
  scene->obstacles[0] = {"plate", Box{Eigen::Vector3d(2, 0.5, 1)},
                         Path::Still(Eigen::Vector3d(0, -1.75, 0))};
  experiment_.scene = scene;
  const RunOutcome through = RunAll(Simulate({}).get());
  EXPECT_EQ(through.events.size(), 1u);
  EXPECT_FALSE(through.sunk);
}

TEST_F(RunTest, WhatTheEndLeavesOpenIsKeptTheWorstFirst) {
  const RunOutcome outcome = RunAll(Simulate({.leaves_open = 25}).get());
  EXPECT_EQ(outcome.unmet_count, 25);
  ASSERT_EQ(outcome.unmet.size(), 20u);
  EXPECT_EQ(outcome.unmet[0].name, "joint 25");
  EXPECT_EQ(UnmetInWords(outcome), "open at the end: joint 25 by 0.025 m, and 24 more");
  const FindingTable table = TableOfUnmet("open", outcome.unmet, outcome.unmet_count);
  EXPECT_EQ(table.rows.size(), 20u);
  EXPECT_THAT(table.remark, HasSubstr("5 more"));
  EXPECT_EQ(UnmetInWords(RunAll(Simulate({}).get())), "");
}

TEST_F(RunTest, StopEndsAfterTheStepWithAFrameThere) {
  const auto simulation = Simulate({});
  std::stop_source stop;
  RunHooks hooks = {.stop = stop.get_token()};
  int steps = 0;
  hooks.on_step = [&](double time, double duration) {
    EXPECT_EQ(duration, 1.0);
    EXPECT_EQ(time, ++steps * 0.1);
    if (steps == 3) stop.request_stop();
  };
  const RunOutcome outcome = RunAll(simulation.get(), hooks);
  EXPECT_EQ(outcome.kind, OutcomeKind::kCancelled);
  EXPECT_EQ(outcome.step, 3);
  EXPECT_THAT(Times(), ElementsAre(0.0, 2 * 0.1, 3 * 0.1));
}

// A step that takes long hears of the stop itself, and leaves its work half done.
class HaltedMidway final : public FallingSimulation {
 public:
  HaltedMidway(std::shared_ptr<const Scene> scene, int halts_at, std::stop_source stop)
      : FallingSimulation(std::move(scene), {}), halts_at_(halts_at), stop_(std::move(stop)) {}

 protected:
  StepOutcome DoAdvance(double step) override {
    const StepOutcome outcome = FallingSimulation::DoAdvance(step);
    if (++steps_ == halts_at_) stop_.request_stop();
    ThrowIfCancelled();
    return outcome;
  }

 private:
  int halts_at_, steps_ = 0;
  std::stop_source stop_;
};

TEST_F(RunTest, StopInTheMidstOfAStepGoesBackToTheLastFrame) {
  Simulate({});
  std::stop_source stop;
  HaltedMidway simulation(experiment_.scene, 6, stop);
  const RunOutcome outcome = RunAll(&simulation, {.stop = stop.get_token()});
  EXPECT_EQ(outcome.kind, OutcomeKind::kCancelled);
  EXPECT_EQ(outcome.step, 4);
  EXPECT_EQ(outcome.time, 4 * 0.1);
  EXPECT_EQ(outcome.reason, "cancelled at step 4");
  EXPECT_THAT(Times(), ElementsAre(0.0, 2 * 0.1, 4 * 0.1));
  EXPECT_EQ(simulation.Save(), kept_.back().state);
}

TEST_F(RunTest, TheWallTimeEndsInTheMidstOfAStepToo) {
  Simulate({});
  HaltedMidway simulation(experiment_.scene, -1, {});
  experiment_.plan.max_wall_seconds = 1e-9;
  const RunOutcome outcome = RunAll(&simulation);
  EXPECT_EQ(outcome.kind, OutcomeKind::kBudgetExceeded);
  EXPECT_EQ(outcome.step, 0);
  EXPECT_EQ(outcome.reason, "max_wall_seconds exceeded at step 0");
  EXPECT_THAT(Times(), ElementsAre(0.0));
}

TEST_F(RunTest, StopInTheLastStepIsACompletedRun) {
  const auto simulation = Simulate({});
  std::stop_source stop;
  RunHooks hooks = {.stop = stop.get_token()};
  hooks.on_step = [&](double time, double) {
    if (time > 0.95) stop.request_stop();
  };
  EXPECT_EQ(RunAll(simulation.get(), hooks).kind, OutcomeKind::kCompleted);
}

TEST_F(RunTest, FromARestoredFrameEndsAsTheWholeRunDid) {
  const auto whole = Simulate({.drift = 0.3});
  RunAll(whole.get());
  const std::vector<Kept> all = kept_;
  ASSERT_EQ(all.size(), 6u);

  const auto rest = Simulate({.drift = 0.3});
  rest->Restore(all[2].state);
  const RunOutcome outcome = RunAll(rest.get());
  EXPECT_EQ(outcome.step, 10);
  ASSERT_EQ(kept_.size(), 4u);
  for (size_t i = 0; i < kept_.size(); ++i) {
    EXPECT_EQ(kept_[i].time, all[i + 2].time);
    EXPECT_EQ(kept_[i].points, all[i + 2].points);
    EXPECT_EQ(kept_[i].state, all[i + 2].state);
  }
}

}  // namespace
}  // namespace pliant
