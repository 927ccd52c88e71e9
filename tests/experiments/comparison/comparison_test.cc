#include "experiments/comparison/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "experiments/comparison/kept_run.h"
#include "tests/experiments/bundles.h"
#include "tests/experiments/shipped_file.h"

namespace pliant {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

std::vector<OutcomeKind> KindsOf(const std::vector<BackendRun>& runs) {
  std::vector<OutcomeKind> kinds;
  for (const BackendRun& run : runs) kinds.push_back(run.outcome.kind);
  return kinds;
}

TEST(RunComparison, GoesOnWhenABackendIsRefusedOrDiverges) {
  const ScratchFolder folder;
  const Experiment experiment = FallingExperiment(
      folder, Falling("refused", "refuses = true") + Falling("wild", "diverges_at = 3") +
                  Falling("blind", "spoils_points_at = 2") + Falling("good"));
  const std::vector<BackendRun> runs = RunComparison(experiment, folder / "runs", {});
  EXPECT_THAT(KindsOf(runs), ElementsAre(OutcomeKind::kUnsupported, OutcomeKind::kDiverged,
                                         OutcomeKind::kDiverged, OutcomeKind::kCompleted));
  ASSERT_EQ(runs.size(), 4u);
  for (const BackendRun& run : runs) {
    EXPECT_EQ(run.bundle, folder / "runs" / "fall" / run.label);
    const Bundle bundle = Bundle::Open(run.bundle, TestBackends());
    EXPECT_EQ(bundle.outcome().kind, run.outcome.kind);
    EXPECT_EQ(bundle.label(), run.label);
    EXPECT_GT(bundle.outcome().preparation_seconds, 0.0) << "also of a scene that is refused";
    EXPECT_THAT(run.warnings, ElementsAre("falls, come what may"));
  }
}

// A lamp that follows a plan, and the same lamp limp: what planning costs is a hundred times the rest.
TEST(RunComparison, PlanningAMotionIsInTheCostOfItsRun) {
  const ScratchFolder folder;
  const auto run = [&folder](const std::string& controller) {
    Experiment experiment = ReadExperiment(ShippedFile("lamp-jump"),
                                           {"run.duration=0.02", "name=\"" + controller + "\"",
                                            "backends.tracked.controller=\"" + controller + "\""});
    KeepBackends(&experiment, {"tracked"});
    const std::vector<BackendRun> runs = RunComparison(experiment, folder.path(), {});
    return Bundle::Open(runs.at(0).bundle);
  };
  const Bundle planned = run("planned"), limp = run("consistent");
  ASSERT_FALSE(planned.findings().empty()) << "there is a plan";
  const double preparation = planned.outcome().preparation_seconds;
  EXPECT_GT(preparation, 20.0 * limp.outcome().preparation_seconds);
  EXPECT_EQ(planned.summary().at("preparation_time_s"), preparation);
  const double steps = planned.outcome().cpu_seconds, simulated = planned.outcome().time;
  EXPECT_DOUBLE_EQ(planned.summary().at("real_time_factor_overall").value(),
                   simulated / (steps + preparation));
  EXPECT_DOUBLE_EQ(planned.summary().at("real_time_factor").value(), simulated / steps);
}

TEST(RunComparison, TellsItsProgressInOrder) {
  const ScratchFolder folder;
  const Experiment experiment = FallingExperiment(folder, Falling("a") + Falling("b"));
  std::vector<std::string> told;
  double fraction_before = 0.0, elapsed_before = 0.0;
  ComparisonHooks hooks;
  hooks.on_begin = [&](const std::string& label, const std::vector<std::string>& warnings) {
    EXPECT_THAT(warnings, ElementsAre("falls, come what may"));
    told.push_back("begin " + label);
    fraction_before = elapsed_before = 0.0;
  };
  hooks.on_progress = [&](const std::string& label, double fraction, double elapsed) {
    EXPECT_EQ(told.back(), "begin " + label);
    EXPECT_GT(fraction, fraction_before);
    EXPECT_GE(elapsed, elapsed_before);
    fraction_before = fraction;
    elapsed_before = elapsed;
  };
  hooks.on_end = [&](const BackendRun& run) {
    EXPECT_TRUE(std::filesystem::exists(run.bundle));
    EXPECT_EQ(fraction_before, 1.0);
    told.push_back("end " + run.label);
  };
  RunComparison(experiment, folder / "runs", hooks);
  EXPECT_THAT(told, ElementsAre("begin a", "end a", "begin b", "end b"));
}

TEST(RunComparison, AfterAStopThePresentRunIsCancelledAndTheOthersAreNotTouched) {
  const ScratchFolder folder;
  const Experiment experiment =
      FallingExperiment(folder, Falling("a") + Falling("b") + Falling("c"));
  RunComparison(experiment, folder / "runs", {});
  std::stop_source stop;
  ComparisonHooks hooks = {.stop = stop.get_token()};
  hooks.on_progress = [&](const std::string& label, double fraction, double) {
    if (label == "b" && fraction > 0.5) stop.request_stop();
  };
  const std::vector<BackendRun> runs = RunComparison(experiment, folder / "runs", hooks);
  EXPECT_THAT(KindsOf(runs), ElementsAre(OutcomeKind::kCompleted, OutcomeKind::kCancelled,
                                         OutcomeKind::kCancelled));
  EXPECT_EQ(runs[1].outcome.step, 11);
  EXPECT_EQ(Bundle::Open(runs[1].bundle, TestBackends()).outcome().kind, OutcomeKind::kCancelled);
  EXPECT_EQ(runs[2].label, "c");
  EXPECT_TRUE(runs[2].bundle.empty());
  EXPECT_EQ(Bundle::Open(folder / "runs" / "fall" / "c", TestBackends()).outcome().kind,
            OutcomeKind::kCompleted);
}

TEST(RunComparison, AWrongParameterIsToldBeforeAnythingRuns) {
  const ScratchFolder folder;
  Experiment experiment = FallingExperiment(folder, Falling("a") + Falling("b"));
  experiment.backends[1].parameters["drift"] = std::string("much");
  EXPECT_THAT([&] { RunComparison(experiment, folder / "runs", {}); },
              ThrowsMessage<FileError>(HasSubstr("drift")));
  EXPECT_FALSE(std::filesystem::exists(folder / "runs"));
}

TEST(RunComparison, StopsWhenNothingCanBeWritten) {
  const ScratchFolder folder;
  const Experiment experiment = FallingExperiment(folder, Falling("a") + Falling("b"));
  WriteFile(folder / "runs", "exists but is not a run bundle");
  std::vector<std::string> begun;
  ComparisonHooks hooks;
  hooks.on_begin = [&](const std::string& label, const auto&) { begun.push_back(label); };
  EXPECT_THAT([&] { RunComparison(experiment, folder / "runs", hooks); },
              ThrowsMessage<StorageError>(HasSubstr("Not a directory")));
  EXPECT_THAT(begun, ElementsAre("a"));
}

// The bytes of every file of a folder.
std::map<std::string, std::string> Contents(const std::filesystem::path& folder) {
  std::map<std::string, std::string> contents;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) contents[entry.path().string()] = ReadFile(entry.path());
  }
  return contents;
}

// Runs it where it replaces nothing; the labels that were run, not kept.
std::vector<std::string> RunBeside(Experiment experiment, const std::filesystem::path& out) {
  experiment.name = NameForRuns(experiment, out);
  std::vector<std::string> begun;
  ComparisonHooks hooks;
  hooks.on_begin = [&](const std::string& label, const auto&) { begun.push_back(label); };
  for (const BackendRun& run : RunComparison(experiment, out, hooks, Existing::kKeep)) {
    EXPECT_EQ(run.bundle, out / experiment.name / run.label);
    EXPECT_EQ(Bundle::Open(run.bundle, TestBackends()).outcome().kind, OutcomeKind::kCompleted);
  }
  return begun;
}

TEST(NameForRuns, RunsOfAnotherExperimentGetANameOfTheirOwnAndNothingIsReplaced) {
  const ScratchFolder folder;
  const std::filesystem::path out = folder / "runs";
  const Experiment first = FallingExperiment(folder, Falling("a") + Falling("b"));
  EXPECT_EQ(NameForRuns(first, out), "fall");
  EXPECT_THAT(RunBeside(first, out), ElementsAre("a", "b"));
  const auto before = Contents(out / "fall");

  const Experiment edited = FallingExperiment(folder, Falling("a", "drift = 1.0") + Falling("b"));
  EXPECT_EQ(NameForRuns(edited, out), "fall-2");
  EXPECT_THAT(RunBeside(edited, out), ElementsAre("a", "b"));
  EXPECT_EQ(Contents(out / "fall"), before);

  // Each finds its own runs again, and runs nothing twice.
  const auto all = Contents(out);
  EXPECT_EQ(NameForRuns(first, out), "fall");
  EXPECT_THAT(RunBeside(first, out), ElementsAre());
  EXPECT_EQ(NameForRuns(edited, out), "fall-2");
  EXPECT_THAT(RunBeside(edited, out), ElementsAre());
  EXPECT_EQ(Contents(out), all);

  // A backend more is run beside those that are there.
  const Experiment more =
      FallingExperiment(folder, Falling("a", "drift = 1.0") + Falling("b") + Falling("c"));
  EXPECT_THAT(RunBeside(more, out), ElementsAre("c"));
  EXPECT_TRUE(std::filesystem::exists(out / "fall-2" / "c" / "manifest.json"));
}

TEST(NameForRuns, WhatIsDamagedOrNoBundleStays) {
  const ScratchFolder folder;
  const std::filesystem::path out = folder / "runs";
  const Experiment experiment = FallingExperiment(folder, Falling("a"));
  StopAfter stop(10);
  ASSERT_EQ(RunTestBackend(experiment, 0, out / "fall", stop.hooks()).outcome.kind,
            OutcomeKind::kCancelled);
  // The whole run has the records of a cancelled one again.
  EXPECT_EQ(NameForRuns(experiment, out), "fall");

  RunBeside(experiment, out);
  ASSERT_EQ(NameForRuns(experiment, out), "fall");
  WriteFile(out / "fall" / "a" / "series.csv", "damaged");
  EXPECT_EQ(NameForRuns(experiment, out), "fall-2");

  std::filesystem::remove_all(out / "fall" / "a");
  WriteFile(out / "fall" / "a", "notes of somebody");
  EXPECT_EQ(NameForRuns(experiment, out), "fall-2");
  std::filesystem::create_directories(out / "fall-2");
  std::filesystem::create_directory_symlink("nowhere", out / "fall-2" / "a");
  EXPECT_EQ(NameForRuns(experiment, out), "fall-3");
}

}  // namespace
}  // namespace pliant
