// What a report takes from bundles on the disk.

#include "app/report/report_data.h"

#include <gmock/gmock.h>

#include "app/report/report.h"
#include "app/report/search_report.h"
#include "experiments/bundles/storage.h"
#include "experiments/searches/run_searches.h"
#include "models/problem.h"
#include "tests/experiments/bundles.h"
#include "tests/experiments/claims/shipped.h"
#include "tests/says.h"

namespace pliant {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Optional;
using ::testing::SizeIs;

// One run of each sort.
std::vector<Bundle> AllSorts(const ScratchFolder& folder, const std::string& head = "") {
  const Experiment experiment = FallingExperiment(
      folder,
      Falling("plain") + Falling("drifts", "drift = 0.5") + Falling("diverges", "diverges_at = 9") +
          Falling("refuses", "refuses = true") + Falling("moves", "kinematic = true"),
      head);
  std::vector<Bundle> bundles;
  for (size_t i = 0; i < experiment.backends.size(); ++i) {
    bundles.push_back(
        Bundle::Open(RunTestBackend(experiment, i, folder / "runs").bundle, TestBackends()));
  }
  return bundles;
}

TEST(CollectReport, KeepsRunsTablesAndFramesInStep) {
  const ScratchFolder folder;
  const ReportData data = CollectReport(AllSorts(folder));
  EXPECT_EQ(data.title, "A fall");
  const std::vector<std::string> labels = {"plain", "drifts", "diverges", "refuses", "moves"};
  ASSERT_THAT(data.runs, SizeIs(5));
  for (size_t i = 0; i < labels.size(); ++i) {
    EXPECT_EQ(data.runs[i].label, labels[i]);
    EXPECT_EQ(data.runs[i].series.label, labels[i]);
    EXPECT_EQ(data.table.rows[i].label, labels[i]);
    EXPECT_EQ(data.strip.rows[i].label, labels[i]);
    EXPECT_THAT(data.runs[i].manifest_sha256, SizeIs(64));
  }
  EXPECT_THAT(data.runs[0].series.rows, SizeIs(6));
  EXPECT_THAT(data.runs[3].series.rows, IsEmpty());
  EXPECT_THAT(data.runs[1].values.at("drift"), testing::VariantWith<double>(0.5));
  EXPECT_TRUE(data.runs[2].series.diverged);
}

TEST(CollectReport, MeasuresDistancesToTheReferenceButNotOfIt) {
  const ScratchFolder folder;
  const ReportData data = CollectReport(AllSorts(folder, "reference = 'plain'\n"));
  EXPECT_EQ(data.reference, "plain");
  auto distances = [&](size_t run) {
    std::vector<std::optional<double>> values;
    const RunSeries& series = data.runs[run].series;
    for (size_t c = 0; c < series.columns.size(); ++c) {
      if (series.columns[c].name != ReferenceDistanceColumns()[0].name) continue;
      for (const SeriesRow& row : series.rows) values.push_back(row[c]);
    }
    return values;
  };
  EXPECT_THAT(distances(0), IsEmpty());
  ASSERT_THAT(distances(1), SizeIs(6));
  EXPECT_THAT(distances(1)[0], Optional(0.0));
  EXPECT_THAT(distances(1)[5], Optional(testing::DoubleNear(0.5 * 0.2, 1e-12)));
  EXPECT_THAT(distances(2), ElementsAre(Optional(0.0), Optional(0.0), Optional(0.0)))
      << "until it diverged";
  EXPECT_THAT(distances(3), IsEmpty());
  EXPECT_THAT(CollectReport(AllSorts(folder)).reference, IsEmpty());
}

// The first bundle's own experiment names only its own backend.
TEST(CollectReport, TheReferenceNeedNotBeTheFirstRun) {
  const ScratchFolder folder;
  const ReportData data = CollectReport(AllSorts(folder, "reference = 'drifts'\n"));
  EXPECT_EQ(data.reference, "drifts");
  const auto has_distance = [&](size_t run) {
    const std::vector<SeriesColumn>& columns = data.runs[run].series.columns;
    return std::any_of(columns.begin(), columns.end(), [](const SeriesColumn& column) {
      return column.name == ReferenceDistanceColumns()[0].name;
    });
  };
  EXPECT_TRUE(has_distance(0));
  EXPECT_FALSE(has_distance(1));
  EXPECT_THAT(data.table.problems, IsEmpty());
}

TEST(CollectReport, ShowsTheLastGoodStateOfADivergedRunOnce) {
  const ScratchFolder folder;
  const ReportData data = CollectReport(AllSorts(folder));
  const FilmstripRow& row = data.strip.rows[2];
  EXPECT_TRUE(row.diverged);
  EXPECT_THAT(row.outcome, HasSubstr("diverged at step 9"));
  ASSERT_THAT(row.frames, SizeIs(6));  // 0, 0.04, … 0.2 s; the last good state is at 0.08 s
  int shown = 0;
  for (const auto& frame : row.frames) shown += frame ? 1 : 0;
  EXPECT_EQ(shown, 4);
  ASSERT_TRUE(row.frames[3]);
  EXPECT_EQ(row.frames[3]->remark, "last good state, 0.08 s");
  EXPECT_THAT(row.frames[2]->remark, IsEmpty());
  for (const auto& frame : data.strip.rows[0].frames) {
    ASSERT_TRUE(frame);
    EXPECT_THAT(frame->remark, IsEmpty());
  }
}

TEST(CollectReport, SaysWhyARunHasNoFrames) {
  const ScratchFolder folder;
  const ReportData data = CollectReport(AllSorts(folder));
  EXPECT_THAT(data.strip.rows[3].refusal, testing::Not(IsEmpty()));
  EXPECT_THAT(data.strip.rows[3].frames, IsEmpty());
  EXPECT_EQ(data.strip.rows[3].outcome, "refused the scene");
}

TEST(CollectReport, TellsRunsOfOneLabelApart) {
  const ScratchFolder folder, other;
  std::vector<Bundle> bundles = AllSorts(folder);
  bundles.push_back(FallingBundle(other, "drift = 1.0", "plain"));
  const ReportData data = CollectReport(bundles);
  EXPECT_EQ(data.runs[0].label, "plain");
  EXPECT_EQ(data.runs[1].label, "plain (2)");
  EXPECT_EQ(data.runs[2].label, "drifts");
}

std::vector<std::string> LabelsOf(const ReportData& data) {
  std::vector<std::string> labels;
  for (const ReportRun& run : data.runs) labels.push_back(run.label);
  return labels;
}

// Whatever the order of the folders.
TEST(CollectReport, PutsRunsInTheOrderOfTheirExperiment) {
  const ScratchFolder folder;
  const Experiment experiment =
      FallingExperiment(folder, Falling("zero") + Falling("one", "drift = 0.5") + Falling("two"));
  std::vector<Bundle> bundles;
  for (const size_t i : {1u, 2u, 0u}) {
    bundles.push_back(
        Bundle::Open(RunTestBackend(experiment, i, folder / "runs").bundle, TestBackends()));
  }
  const ReportData data = CollectReport(bundles);
  EXPECT_THAT(LabelsOf(data), ElementsAre("zero", "one", "two"));
  EXPECT_EQ(data.table.rows[1].label, "one");
  EXPECT_THAT(data.runs[1].values.at("drift"), testing::VariantWith<double>(0.5));

  // A bundle that does not contain its place: as given.
  const std::filesystem::path manifest = bundles[2].path() / "manifest.json";
  std::string text = ReadFile(manifest);
  text.erase(text.find("  \"place\": 0,\n"), std::string("  \"place\": 0,\n").size());
  WriteFile(manifest, text);
  bundles[2] = Bundle::Open(bundles[2].path(), TestBackends());
  EXPECT_THAT(LabelsOf(CollectReport(bundles)), ElementsAre("one", "two", "zero"));
}

TEST(CollectReport, PutsRunsOfSeveralExperimentsAsGiven) {
  const ScratchFolder folder, other;
  const auto run = [](const ScratchFolder& in, const std::string& name, size_t i) {
    const Experiment experiment =
        FallingExperiment(in, Falling("a") + Falling("b"), "name = '" + name + "'\n");
    return Bundle::Open(RunTestBackend(experiment, i, in / "runs").bundle, TestBackends());
  };
  std::vector<Bundle> bundles;
  bundles.push_back(run(folder, "first", 1));
  bundles.push_back(run(other, "second", 0));
  EXPECT_THAT(LabelsOf(CollectReport(bundles)), ElementsAre("first/b", "second/a"));
}

TEST(CollectReport, RefusesNoBundlesAndMixedScenes) {
  EXPECT_THROW(CollectReport({}), BadInput);
  const ScratchFolder folder, other;
  std::vector<Bundle> bundles = AllSorts(folder);
  FallingExperiment(other, Falling("a"));
  const Experiment weightless =
      ReadExperiment(other / "fall.toml", {"scene.gravity=[0,0,0]"}, TestBackends());
  bundles.push_back(
      Bundle::Open(RunTestBackend(weightless, 0, other / "runs").bundle, TestBackends()));
  EXPECT_THROW(CollectReport(bundles), BadInput);
}

TEST(WriteReport, TakesBundlesOfEverySort) {
  const ScratchFolder folder;
  WriteReport(AllSorts(folder, "reference = 'plain'\n"), folder / "out" / "report.html");
  const std::string page = ReadFile(folder / "out" / "report.html");
  EXPECT_THAT(page, Says({"diverged at step 9", "Not defined for moves.", "reference-distance"}));
}

TEST(WriteReport, SaysWhereItCannotWrite) {
  const ScratchFolder folder;
  WriteFile(folder / "file", "");
  EXPECT_THROW(WriteReport(AllSorts(folder), folder / "file" / "report.html"), StorageError);
}

TEST(OutcomeLine, IsOneLineForEveryOutcome) {
  RunOutcome outcome = {.step = 10, .time = 0.5};
  EXPECT_EQ(OutcomeLine(outcome), "completed: 10 steps, 0.5 s");
  outcome.kind = OutcomeKind::kNotConverged;
  outcome.not_converged_steps = 3;
  outcome.reason = "sweeps did not converge, first at step 2";
  EXPECT_EQ(OutcomeLine(outcome),
            "did not converge in 3 of 10 steps: sweeps did not converge, first at step 2");
  outcome.kind = OutcomeKind::kCompleted;  // few enough of them
  EXPECT_EQ(OutcomeLine(outcome),
            "completed: 10 steps, 0.5 s; 3 did not converge: sweeps did not converge, first at "
            "step 2");
  outcome.kind = OutcomeKind::kGainedEnergy;
  outcome.reason = "passive parts made 2 J";
  EXPECT_EQ(OutcomeLine(outcome), "gained energy: passive parts made 2 J");
  outcome.kind = OutcomeKind::kCancelled;
  outcome.reason = "cancelled at step 10";
  EXPECT_EQ(OutcomeLine(outcome), "cancelled at step 10");
}

TEST(SearchReport, ShowsCostBesideFeasibilityAndGhosts) {
  const ScratchFolder folder;
  const SearchesResult result = RunSearches(
      ReadSearchPlan(Shipped("lamp-jump-search", {"optimize.trials=2", "optimize.restarts=1"})),
      folder.path(), 2, /*resume=*/false, {});
  const std::filesystem::path html = result.folder / "report.html";
  WriteSearchReport(result.folder, html);
  const std::string page = ReadFile(html);
  for (const char* part :
       {"Cost and feasibility", "landing_error_m", "floor_cone_excess_max_N", "21 poses"}) {
    EXPECT_THAT(page, HasSubstr(part));
  }
  EXPECT_TRUE(std::filesystem::exists(result.folder / "figures" / "ghosts.pdf"));
}

}  // namespace
}  // namespace pliant
