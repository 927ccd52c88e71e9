// Results that are there already: exports and searches of the workbench replace none.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <thread>

#include "app/plots/canvas.h"
#include "app/workbench/edits/experiment_edit.h"
#include "app/workbench/jobs/export_job.h"
#include "app/workbench/jobs/search_job.h"
#include "experiments/bundles/bundle.h"
#include "experiments/comparison/comparison.h"
#include "experiments/files/experiment.h"
#include "experiments/searches/run_searches.h"
#include "tests/experiments/bundles/scratch.h"
#include "tests/experiments/shipped_file.h"

namespace pliant {
namespace {

using ::testing::HasSubstr;

template <typename Done>
void WaitFor(Done done) {
  for (int i = 0; i < 20000 && !done(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ASSERT_TRUE(done()) << "not within twenty seconds";
}

// The bytes of every file at or below a folder.
std::map<std::string, std::string> Contents(const std::filesystem::path& folder) {
  std::map<std::string, std::string> contents;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) contents[entry.path().string()] = ReadFile(entry.path());
  }
  return contents;
}

class KeptResultsTest : public ::testing::Test {
 protected:
  KeptResultsTest() { EnsureApplication(); }
  static std::shared_ptr<const Experiment> Drop() {
    return std::make_shared<const Experiment>(
        ReadExperiment("experiments/drop.toml", {"run.duration=0.02", "run.record_every=0.01"}));
  }
  ExportResult Export(ExportRequest request) {
    request.runs = scratch_ / "runs";
    ExportJob job(request);
    WaitFor([&] {
      while (job.Draw()) continue;
      return job.result().has_value();
    });
    return job.result().value_or(ExportResult{});
  }

  ScratchFolder scratch_;
};

TEST_F(KeptResultsTest, AReportOfAnEditedExperimentLeavesTheRunsOfTheFile) {
  const auto drop = Drop();
  RunComparison(*drop, scratch_ / "runs", {});
  const auto before = Contents(scratch_ / "runs");
  ASSERT_FALSE(before.empty());
  const auto edited = WithValue(*drop, {"run", "duration"}, "0.01");
  const ExportResult first =
      Export({.experiment = edited, .report = scratch_ / "edited" / "report.html"});
  EXPECT_EQ(first.failure, "");
  ASSERT_EQ(first.bundles.size(), 4u);
  for (const std::filesystem::path& bundle : first.bundles) {
    EXPECT_EQ(bundle.parent_path(), scratch_ / "runs" / "drop-2");
    EXPECT_EQ(Bundle::Open(bundle).experiment().plan.duration, 0.01);
  }
  const auto after = Contents(scratch_ / "runs");
  for (const auto& [file, bytes] : before) EXPECT_TRUE(after.at(file) == bytes) << file;

  // The same once more runs nothing, and the file's own report takes the file's own runs.
  EXPECT_EQ(Export({.experiment = edited, .report = scratch_ / "again" / "report.html"}).bundles,
            first.bundles);
  const ExportResult of_file =
      Export({.experiment = drop, .report = scratch_ / "file" / "report.html"});
  ASSERT_EQ(of_file.bundles.size(), 4u);
  EXPECT_EQ(of_file.bundles[0].parent_path(), scratch_ / "runs" / "drop");
  EXPECT_TRUE(Contents(scratch_ / "runs") == after);
}

TEST_F(KeptResultsTest, MeshesGetANewFolderWhereThereAreSome) {
  const auto drop = Drop();
  const ExportRequest request{.experiment = drop, .format = "obj", .out = scratch_ / "meshes"};
  ASSERT_EQ(Export(request).files.size(), 4u);
  const auto before = Contents(scratch_ / "meshes");
  const ExportResult again = Export(request);
  ASSERT_EQ(again.files.size(), 4u);
  EXPECT_THAT(again.files[0].string(), HasSubstr(drop->backends[0].label + "-2"));
  const auto after = Contents(scratch_ / "meshes");
  EXPECT_EQ(after.size(), 2 * before.size());
  for (const auto& [file, bytes] : before) EXPECT_TRUE(after.at(file) == bytes) << file;
}

class KeptSearchTest : public ::testing::Test {
 protected:
  static std::shared_ptr<const Experiment> Bounding(const std::string& trials,
                                                    const std::string& change = "") {
    std::vector<std::string> changes = {"optimize.trials=" + trials, "optimize.restarts=1",
                                        "run.duration=0.4"};
    if (!change.empty()) changes.push_back(change);
    Experiment bounding = ReadExperiment(ShippedFile("faloutsos-bounding-speed"), changes);
    bounding.name = "bounding";
    return std::make_shared<const Experiment>(std::move(bounding));
  }
  // All news of a search until its end; it is stopped once `stop` says so.
  SearchNews Search(
      const std::shared_ptr<const Experiment>& experiment,
      const std::function<bool(const SearchNews&)>& stop = [](const auto&) { return false; }) {
    const auto job = BeginSearch(experiment, scratch_.path());
    SearchNews all;
    WaitFor([&] {
      SearchNews news = job->Collect();
      if (news.start) {
        all.start = news.start;
        all.name = news.name;
      }
      for (auto& trial : news.trials) all.trials.push_back(std::move(trial));
      if (!news.folder.empty()) all.folder = news.folder;  // it may come before the end
      for (auto& warning : news.warnings) all.warnings.push_back(std::move(warning));
      if (news.end) all.end = news.end;
      if (stop(all)) job->Stop();
      return all.end.has_value();
    });
    return all;
  }
  std::vector<double> CostsIn(const std::string& name) const {
    std::vector<double> costs;
    const SearchRecord record = ReadSearchRecord(scratch_ / name / "optimize");
    for (const Trial& trial : record.histories[0].trials) {
      costs.push_back(trial.score.cost);
    }
    return costs;
  }

  ScratchFolder scratch_;
};

TEST_F(KeptSearchTest, StartAndStopOfAFinishedSearchCutNothing) {
  const SearchNews first = Search(Bounding("12"));
  EXPECT_EQ(first.end, "completed");
  ASSERT_EQ(first.trials.size(), 12u);
  const std::vector<double> costs = CostsIn("bounding");
  ASSERT_EQ(costs.size(), 12u);

  // The same again: there is nothing left to do.
  const SearchNews again = Search(Bounding("12"));
  ASSERT_TRUE(again.start);
  EXPECT_EQ(again.start->histories[0].trials.size(), 12u);
  EXPECT_TRUE(again.trials.empty());
  EXPECT_EQ(CostsIn("bounding"), costs);

  // More trials are allowed: started and stopped it goes on after those.
  const SearchNews stopped =
      Search(Bounding("100000"), [](const SearchNews& all) { return all.start.has_value(); });
  EXPECT_EQ(stopped.end, "cancelled");
  const std::vector<double> longer = CostsIn("bounding");
  ASSERT_GE(longer.size(), 12u);
  EXPECT_EQ(std::vector<double>(longer.begin(), longer.begin() + 12), costs);
  EXPECT_EQ(longer.size(), 12u + stopped.trials.size());
}

TEST_F(KeptSearchTest, MotionsThatTheFloorDoesNotCarryAreWarnedOf) {
  EXPECT_TRUE(Search(Bounding("2")).warnings.empty());
  const SearchNews sunk = Search(Bounding("2", "backends.dynamic-ffd.contact_stiffness=1e-6"));
  ASSERT_EQ(sunk.warnings.size(), 3u);
  EXPECT_THAT(sunk.warnings[1], HasSubstr("best: body '"));
  EXPECT_THAT(sunk.warnings[2],
              HasSubstr("the best motions of 1 of 1 searches lie in an obstacle or a body"));
}

TEST_F(KeptSearchTest, AnEditedExperimentIsSearchedInAFolderOfItsOwn) {
  Search(Bounding("5"));
  const auto before = Contents(scratch_ / "bounding");
  const SearchNews other = Search(WithValue(*Bounding("5"), {"run", "duration"}, "0.3"));
  EXPECT_EQ(other.name, "bounding-2");
  EXPECT_EQ(other.folder, scratch_ / "bounding-2" / "optimize");
  EXPECT_EQ(other.trials.size(), 5u);
  EXPECT_TRUE(Contents(scratch_ / "bounding") == before);
}

}  // namespace
}  // namespace pliant
