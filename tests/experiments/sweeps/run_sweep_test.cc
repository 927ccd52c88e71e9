// Running the points of a sweep, several at a time, again, and only in part.

#include "experiments/sweeps/run_sweep.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <sstream>
#include <utility>

#include "experiments/sweeps/sweep_table.h"
#include "tests/experiments/sweeps/sweeps.h"

namespace pliant {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::ThrowsMessage;

namespace fs = std::filesystem;

// Cells of a table; those in quotes may hold commas.
std::vector<std::vector<std::string>> CellsOf(const std::string& csv) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string>& cells = rows.emplace_back(1);
    bool quoted = false;
    for (const char c : line) {
      if (c == '"') {
        quoted = !quoted;
      } else if (c == ',' && !quoted) {
        cells.emplace_back();
      } else {
        cells.back() += c;
      }
    }
  }
  return rows;
}

// The table without the columns that tell time.
std::string WithoutTimes(const std::string& csv) {
  std::vector<std::vector<std::string>> rows = CellsOf(csv);
  const std::vector<std::string> names = rows.at(0);
  std::string text;
  for (const std::vector<std::string>& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) {
      const bool tells_time = IsTiming(names[i]) || names[i].starts_with("step_time_") ||
                              names[i] == "step_wall_time_max_s" ||
                              names[i] == "preparation_time_s" ||
                              names[i].starts_with("real_time_factor");
      if (!tells_time) text += row[i] + ",";
    }
    text += '\n';
  }
  return text;
}

std::string Cell(const std::string& csv, size_t row, const std::string& column) {
  const auto rows = CellsOf(csv);
  for (size_t i = 0; i < rows.at(0).size(); ++i) {
    if (rows[0][i] == column) return rows.at(row + 1).at(i);
  }
  ADD_FAILURE() << "no column " << column;
  return "";
}

// Three points, of which the second diverges in a.
std::string ThreeDrifts() {
  return "[sweep]\ncombine = 'zip'\n" + Vary("backends.a.drift", "values = [0.5, 1, 2]") +
         Vary("backends.a.diverges_at", "values = [0, 3, 0]");
}

TEST(RunSweep, LeavesABundleForEveryBackendAtEveryPoint) {
  const ScratchFolder folder;
  const Sweep sweep = FallingSweep(folder, Falling("a") + Falling("b"), ThreeDrifts());
  const std::vector<SweepRun> runs = RunSweep(sweep, folder / "runs", {});
  ASSERT_THAT(runs, SizeIs(6));
  for (size_t i = 0; i < runs.size(); ++i) {
    EXPECT_EQ(runs[i].point, i / 2);
    EXPECT_EQ(runs[i].run.label, i % 2 == 0 ? "a" : "b");
    EXPECT_FALSE(runs[i].kept);
    EXPECT_EQ(runs[i].run.bundle,
              folder / "runs" / "fall" / sweep.points[i / 2].name / runs[i].run.label);
    const Bundle bundle = Bundle::Open(runs[i].run.bundle, TestBackends());
    EXPECT_EQ(bundle.outcome().kind, i == 2 ? OutcomeKind::kDiverged : OutcomeKind::kCompleted);
  }
  EXPECT_EQ(sweep.points[2].name, "drift=2_diverges_at=0");
}

TEST(RunSweep, TheTableHasEveryRunWithItsValuesAndWhatIsNotDefinedIsEmpty) {
  const ScratchFolder folder;
  const Sweep sweep = FallingSweep(
      folder, Falling("a") + Falling("b", "kinematic = true") + Falling("c", "refuses = true"),
      ThreeDrifts());
  const std::string csv =
      SweepCsv(sweep, CollectSweep(sweep, RunSweep(sweep, folder / "runs", {})));
  ASSERT_THAT(CellsOf(csv), SizeIs(10));
  EXPECT_EQ(csv.substr(0, csv.find(",residual")),
            "point,backends.a.drift,backends.a.diverges_at,label,backend,outcome,reason");
  EXPECT_EQ(Cell(csv, 4, "label"), "b");
  EXPECT_EQ(Cell(csv, 4, "backends.a.drift"), "1");
  EXPECT_EQ(Cell(csv, 3, "outcome"), "diverged");
  EXPECT_EQ(Cell(csv, 3, "reason"), "diverged at step 3: height");
  EXPECT_EQ(Cell(csv, 3, "iterations_total"), "2");
  EXPECT_EQ(Cell(csv, 6, "iterations_total"), "20");
  EXPECT_EQ(Cell(csv, 6, "momentum_drift_kg_m_s"), "");  // there is gravity
  EXPECT_NE(Cell(csv, 6, "residual_energy_max_J"), "");
  EXPECT_EQ(Cell(csv, 7, "residual_energy_max_J"), "");  // kinematic
  EXPECT_EQ(Cell(csv, 8, "outcome"), "unsupported");
  EXPECT_EQ(Cell(csv, 8, "iterations_total"), "");
  EXPECT_EQ(Cell(csv, 8, "fall_max_s"), "");
}

TEST(RunSweep, DistancesAreMeasuredToTheReferenceOfTheSamePoint) {
  const ScratchFolder folder;
  FallingExperiment(folder, Falling("a") + Falling("b"), "reference = 'b'\n");
  WriteFile(folder / "fall.toml", ReadFile(folder / "fall.toml") +
                                      Vary("backends.a.drift", "values = [0.5, 2]") +
                                      "[[sweep.curve]]\nfigure = 'distance_to_reference_max_m'\n");
  const Sweep sweep = ReadSweep(folder / "fall.toml", {}, {}, TestBackends());
  const SweepTable table = CollectSweep(sweep, RunSweep(sweep, folder / "runs", {}));
  EXPECT_THAT(table.table.problems, IsEmpty());
  const std::string csv = SweepCsv(sweep, table);
  EXPECT_NEAR(std::stod(Cell(csv, 0, "distance_to_reference_max_m")), 0.5 * 0.2, 1e-12);
  EXPECT_EQ(Cell(csv, 1, "distance_to_reference_max_m"), "0");
  EXPECT_NEAR(std::stod(Cell(csv, 2, "distance_to_reference_max_m")), 2.0 * 0.2, 1e-12);
}

// The probe's points go through y = 1 + 2 t − 5 t², whatever drifts along x; `more` has the curves.
Sweep HeightSweep(const ScratchFolder& folder, const std::string& reference,
                  const std::string& figure) {
  FallingExperiment(folder, Falling("a") + Falling("b"), "reference = '" + reference + "'\n");
  WriteFile(folder / "fall.toml",
            ReadFile(folder / "fall.toml") +
                "[[probe]]\nname = 'height'\nmeasure = 'position'\ncomponent = 'y'\n"
                "of = {body = 'net', points = [4]}\n" +
                Vary("backends.a.drift", "values = [0.5, 2]") + "[[sweep.curve]]\nfigure = '" +
                figure + "'\n");
  return ReadSweep(folder / "fall.toml", {}, {}, TestBackends());
}

std::string CsvOf(const Sweep& sweep, const ScratchFolder& folder) {
  return SweepCsv(sweep, CollectSweep(sweep, RunSweep(sweep, folder / "runs", {})));
}

TEST(RunSweep, TheTableHasTheFigureOfTheReferenceOfTheSamePoint) {
  const ScratchFolder folder;
  const std::string csv = CsvOf(HeightSweep(folder, "a", "height_m"), folder);
  for (size_t row = 0; row < 4; ++row) {
    EXPECT_NEAR(std::stod(Cell(csv, row, "reference.height_m")), 1.2, 1e-12);
  }
  EXPECT_THAT(csv, Not(HasSubstr("reference_band.")));
}

TEST(RunSweep, FiguresOfATableAreThoseOfItsOwnColumn) {
  const ScratchFolder folder;
  const auto of_table = [&](const std::string& lines, const std::string& figure) {
    WriteFile(folder / "measured.csv", "time_s,height_m\n" + lines);
    return CsvOf(HeightSweep(folder, "measured.csv", figure), folder);
  };
  EXPECT_EQ(Cell(of_table("0,1\n0.1,1.5\n0.2,1.25\n0.3,9\n", "height_max_m"), 3,
                 "reference.height_max_m"),
            "1.5")
      << "what comes after the end of the runs does not count";
  EXPECT_EQ(Cell(of_table("0,1\n0.1,1.5\n0.2,1.25\n", "height_m"), 0, "reference.height_m"),
            "1.25");
  // A table that ends earlier has no last value, and its largest may come later.
  EXPECT_THAT(of_table("0,1\n0.1,1.5\n", "height_max_m"), Not(HasSubstr("reference.")));
  const Sweep sweep = HeightSweep(folder, "measured.csv", "height_max_m");
  const SweepTable table = CollectSweep(sweep, RunSweep(sweep, folder / "runs", {.resume = true}));
  EXPECT_EQ(table.references.at(0).why_none, "it is of 0 to 0.1 s, the runs are of 0 to 0.2 s");
}

TEST(RunSweep, FiguresOfARunInAnotherFolderNeedTheSameDuration) {
  const ScratchFolder folder;
  const auto kept = [&](const std::vector<std::string>& changes) {
    FallingExperiment(folder, Falling("exact"));
    WriteFile(folder / "fall.toml",
              ReadFile(folder / "fall.toml") +
                  "[[probe]]\nname = 'height'\nmeasure = 'position'\ncomponent = 'y'\n"
                  "of = {body = 'net', points = [4]}\n");
    RunComparison(ReadExperiment(folder / "fall.toml", changes, TestBackends()), folder / "kept",
                  {});
    const Sweep sweep = HeightSweep(folder, "kept/fall/exact", "height_m");
    return CollectSweep(sweep, RunSweep(sweep, folder / "runs", {}));
  };
  EXPECT_NEAR(kept({}).references.at(1).values.at("height_m").value, 1.2, 1e-12);
  const ReferenceFigures longer = kept({"run.duration=0.4"}).references.at(1);
  EXPECT_THAT(longer.values, IsEmpty());
  EXPECT_EQ(longer.why_none, "its run is of 0.4 s, these are of 0.2 s");
}

TEST(RunSweep, SeveralAtATimeLeaveTheBytesOfOneAtATime) {
  const ScratchFolder folder;
  const Sweep sweep = FallingSweep(folder, Falling("a") + Falling("b"),
                                   Vary("backends.a.drift", "from = 0.5\nto = 4.5\ncount = 5") +
                                       Vary("scene.gravity", "values = [[0, -10, 0], [0, -3, 1]]"));
  const std::vector<SweepRun> alone = RunSweep(sweep, folder / "alone", {1, false});
  const std::vector<SweepRun> together = RunSweep(sweep, folder / "together", {4, false});
  ASSERT_EQ(together.size(), alone.size());
  ASSERT_THAT(alone, SizeIs(20));
  for (size_t i = 0; i < alone.size(); ++i) {
    const fs::path &a = alone[i].run.bundle, &b = together[i].run.bundle;
    EXPECT_EQ(a.lexically_relative(folder / "alone"), b.lexically_relative(folder / "together"));
    for (const char* name : {"experiment.toml", "translation.json", "points.h5"}) {
      EXPECT_EQ(ReadFile(a / name), ReadFile(b / name)) << a;
    }
    EXPECT_EQ(WithoutTimes(ReadFile(a / "series.csv")), WithoutTimes(ReadFile(b / "series.csv")));
  }
  EXPECT_EQ(WithoutTimes(SweepCsv(sweep, CollectSweep(sweep, alone))),
            WithoutTimes(SweepCsv(sweep, CollectSweep(sweep, together))));
}

TEST(RunSweep, TellsOfEveryRunOnceAndOfProgressUpToTheEnd) {
  const ScratchFolder folder;
  const Sweep sweep = FallingSweep(folder, Falling("a") + Falling("b"), ThreeDrifts());
  std::multiset<std::string> ended;
  double fraction_before = 0.0;
  SweepHooks hooks;
  hooks.on_end = [&](const SweepRun& run) {
    ended.insert(sweep.points[run.point].name + "/" + run.run.label);
    EXPECT_TRUE(fs::exists(run.run.bundle));
  };
  hooks.on_progress = [&](double fraction) {
    EXPECT_GE(fraction, fraction_before);
    fraction_before = fraction;
  };
  RunSweep(sweep, folder / "runs", {3, false}, hooks);
  EXPECT_EQ(ended.size(), 6u);
  EXPECT_EQ(std::set(ended.begin(), ended.end()).size(), 6u);
  EXPECT_EQ(fraction_before, 1.0);
}

// Points that cost more count for more, and what is kept counts for nothing.
TEST(RunSweep, ReportsProgressByTheCostOfPoints) {
  const ScratchFolder folder;
  Sweep sweep = FallingSweep(folder, Falling("a"), ThreeDrifts());
  for (size_t i = 0; i < 3; ++i) sweep.points[i].cost = std::pow(8.0, static_cast<double>(i));
  std::vector<double> fractions;  // when a run has ended
  const auto run = [&] {
    fractions.clear();
    bool ended = false;
    SweepHooks hooks;
    hooks.on_end = [&](const SweepRun&) { ended = true; };
    hooks.on_progress = [&](double fraction) {
      if (std::exchange(ended, false)) fractions.push_back(fraction);
    };
    RunSweep(sweep, folder / "runs", {1, true}, hooks);
  };
  run();
  EXPECT_THAT(fractions, testing::Pointwise(testing::DoubleEq(), {1.0 / 73.0, 9.0 / 73.0, 1.0}));
  std::filesystem::remove_all(folder / "runs" / sweep.base.name / sweep.points[1].name);
  run();
  EXPECT_THAT(fractions, testing::Pointwise(testing::DoubleEq(), {0.0, 8.0 / 72.0, 1.0}));
}

// Which runs of a resumed sweep were kept: "kk-k…".
std::string KeptOf(const std::vector<SweepRun>& runs) {
  std::string text;
  for (const SweepRun& run : runs) text += run.kept ? 'k' : '-';
  return text;
}

TEST(ResumedSweep, KeepsWhatIsWholeAlsoWhatDiverged) {
  const ScratchFolder folder;
  const Sweep sweep = FallingSweep(folder, Falling("a"), ThreeDrifts());
  const SweepOptions resume = {1, true};
  const std::vector<SweepRun> first = RunSweep(sweep, folder / "runs", resume);
  EXPECT_EQ(KeptOf(first), "---");
  std::vector<std::string> manifests;
  for (const SweepRun& run : first) manifests.push_back(ReadFile(run.run.bundle / "manifest.json"));
  const std::vector<SweepRun> again = RunSweep(sweep, folder / "runs", resume);
  EXPECT_EQ(KeptOf(again), "kkk");
  for (size_t i = 0; i < again.size(); ++i) {
    EXPECT_EQ(ReadFile(again[i].run.bundle / "manifest.json"), manifests[i]);
    EXPECT_EQ(again[i].run.outcome.kind, first[i].run.outcome.kind);
    EXPECT_EQ(again[i].run.warnings, first[i].run.warnings);
  }
  EXPECT_EQ(SweepCsv(sweep, CollectSweep(sweep, again)),
            SweepCsv(sweep, CollectSweep(sweep, first)));
  EXPECT_EQ(KeptOf(RunSweep(sweep, folder / "runs", {})), "---");  // not asked to resume
}

TEST(ResumedSweep, RunsAgainWhatIsDamagedMissingOrOfAnotherExperiment) {
  const ScratchFolder folder;
  const Sweep sweep = FallingSweep(folder, Falling("a") + Falling("b"), ThreeDrifts());
  const SweepOptions resume = {2, true};
  const std::vector<SweepRun> first = RunSweep(sweep, folder / "runs", resume);
  WriteFile(first[1].run.bundle / "series.csv", "time_s\n");
  fs::remove_all(first[3].run.bundle);
  EXPECT_EQ(KeptOf(RunSweep(sweep, folder / "runs", resume)), "k-k-kk");
  // A change of b alone leaves the bundles of a.
  const Sweep changed =
      FallingSweep(folder, Falling("a") + Falling("b", "drift = 0.25"), ThreeDrifts());
  EXPECT_EQ(KeptOf(RunSweep(changed, folder / "runs", resume)), "k-k-k-");
}

TEST(StoppedSweep, KeepsWhatIsCompleteAndGoesOnFromThere) {
  const ScratchFolder folder;
  const Sweep sweep =
      FallingSweep(folder, Falling("a"), Vary("backends.a.drift", "values = [1, 2, 3, 4]"));
  std::stop_source stop;
  SweepHooks hooks = {.stop = stop.get_token()};
  int ended = 0;
  hooks.on_end = [&](const SweepRun&) {
    if (++ended == 2) stop.request_stop();
  };
  const std::vector<SweepRun> runs = RunSweep(sweep, folder / "runs", {1, true}, hooks);
  EXPECT_EQ(runs[1].run.outcome.kind, OutcomeKind::kCompleted);
  EXPECT_EQ(runs[2].run.outcome.kind, OutcomeKind::kCancelled);
  EXPECT_TRUE(runs[2].run.bundle.empty());
  EXPECT_EQ(runs[3].run.label, "a");
  const std::string csv = SweepCsv(sweep, CollectSweep(sweep, runs));
  EXPECT_EQ(Cell(csv, 1, "outcome"), "completed");
  EXPECT_EQ(Cell(csv, 2, "outcome"), "cancelled");
  EXPECT_EQ(Cell(csv, 2, "backend"), "falling");
  EXPECT_EQ(Cell(csv, 2, "iterations_total"), "");
  EXPECT_EQ(KeptOf(RunSweep(sweep, folder / "runs", {1, true})), "kk--");
}

TEST(StoppedSweep, ACancelledBundleIsMadeAgain) {
  const ScratchFolder folder;
  const Sweep sweep = FallingSweep(folder, Falling("a"), Vary("run.seed", "values = [1]"));
  StopAfter stop(3);
  const Experiment& experiment = sweep.points[0].experiment;
  const BackendRun cancelled =
      RunTestBackend(experiment, 0, folder / "runs" / "fall" / sweep.points[0].name, stop.hooks());
  ASSERT_EQ(cancelled.outcome.kind, OutcomeKind::kCancelled);
  const std::vector<SweepRun> runs = RunSweep(sweep, folder / "runs", {1, true});
  EXPECT_FALSE(runs[0].kept);
  EXPECT_EQ(runs[0].run.outcome.kind, OutcomeKind::kCompleted);
}

TEST(RunSweep, StopsWhenNothingCanBeWritten) {
  const ScratchFolder folder;
  const Sweep sweep =
      FallingSweep(folder, Falling("a"), Vary("backends.a.drift", "values = [1, 2, 3, 4]"));
  WriteFile(folder / "runs", "exists but is not a run bundle");
  int ended = 0;
  SweepHooks hooks;
  hooks.on_end = [&](const SweepRun&) { ++ended; };
  EXPECT_THAT(
      [&] {
        RunSweep(sweep, folder / "runs", {2, false}, hooks);
      },
      ThrowsMessage<StorageError>(HasSubstr("Not a directory")));
  EXPECT_EQ(ended, 0);
}

}  // namespace
}  // namespace pliant
