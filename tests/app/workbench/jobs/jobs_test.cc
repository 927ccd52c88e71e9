// Background jobs whose progress a page displays, tested without a window.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "app/plots/canvas.h"
#include "app/workbench/jobs/background_job.h"
#include "app/workbench/jobs/export_job.h"
#include "app/workbench/jobs/plan_job.h"
#include "app/workbench/session/pane_worker.h"
#include "experiments/comparison/comparison.h"
#include "experiments/files/experiment.h"
#include "tests/experiments/bundles/scratch.h"
#include "tests/experiments/shipped_file.h"

namespace pliant {
namespace {

using ::testing::HasSubstr;

struct CountNews {
  std::vector<int> counts;
  std::optional<std::string> end;
};
using CountJob = BackgroundJob<CountNews>;

void Sleep(int milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

::testing::AssertionResult Soon(const std::function<bool()>& done) {
  for (int i = 0; i < 10000; ++i) {
    if (done()) return ::testing::AssertionSuccess();
    Sleep(1);
  }
  return ::testing::AssertionFailure() << "not within ten seconds";
}

// Counts until it is stopped, and rests after every number.
class CountJobTest : public ::testing::Test {
 protected:
  void Collect() {
    CountNews news = job_.Collect();
    counts_.insert(counts_.end(), news.counts.begin(), news.counts.end());
    if (news.end) end_ = news.end;
  }

  CountJob job_{[](CountJob* job, const std::stop_token& stop) -> std::string {
    for (int i = 0;; ++i) {
      job->Report([i](CountNews* news) { news->counts.push_back(i); });
      if (!job->WaitWhilePaused(stop, 1e-4)) return "stopped at a rest";
    }
  }};
  std::vector<int> counts_;
  std::optional<std::string> end_;
};

TEST_F(CountJobTest, HaltsWhilePausedGoesOnWhereItWasAndLosesNoNews) {
  ASSERT_TRUE(Soon([&] { return Collect(), counts_.size() > 5; }));
  job_.SetPaused(true);
  Sleep(50);
  Collect();
  const size_t then = counts_.size();
  Sleep(100);
  Collect();
  EXPECT_EQ(counts_.size(), then);
  EXPECT_FALSE(job_.finished());
  job_.SetPaused(false);
  ASSERT_TRUE(Soon([&] { return Collect(), counts_.size() > then + 5; }));
  Sleep(20);  // several of them at once
  Collect();
  for (size_t i = 0; i < counts_.size(); ++i) ASSERT_EQ(counts_[i], static_cast<int>(i));
  EXPECT_FALSE(end_);
  job_.Stop();
  ASSERT_TRUE(Soon([&] { return job_.finished(); }));
  Collect();
  EXPECT_EQ(end_, "stopped at a rest");
}

TEST_F(CountJobTest, StopsWhilePaused) {
  job_.SetPaused(true);
  Sleep(20);
  job_.Stop();
  ASSERT_TRUE(Soon([&] { return job_.finished(); }));
  Collect();
  EXPECT_EQ(end_, "stopped at a rest");
}

TEST(BackgroundJobTest, TellsWhatWasNewBeforeItEndedByWhatItThrew) {
  CountJob job([](CountJob* own, const std::stop_token&) -> std::string {
    own->Report([](CountNews* news) { news->counts.push_back(7); });
    throw std::runtime_error("the rope is cut");
  });
  ASSERT_TRUE(Soon([&] { return job.finished(); }));
  const CountNews news = job.Collect();
  EXPECT_EQ(news.counts, std::vector<int>{7});
  EXPECT_EQ(news.end, "the rope is cut");
  EXPECT_FALSE(job.Collect().end) << "told once";
}

// A flight of 45 s has so many unknowns that its plan takes minutes.
std::shared_ptr<const Experiment> LongPlan() {
  return std::make_shared<const Experiment>(ReadExperiment(
      ShippedFile("lamp-jump"),
      {"backends.tracked.jump_flight=45.0", "backends.torques-alone.jump_flight=45.0"}));
}

TEST(PlannedBackendsTest, AreLampsAndBodiesInTheirLattices) {
  const Experiment lamp = ReadExperiment(ShippedFile("lamp-jump"), {});
  EXPECT_EQ(PlannedBackends(lamp).size(), lamp.backends.size());
  const auto jelly =
      std::make_shared<const Experiment>(ReadExperiment(ShippedFile("jelly-jump"), {}));
  EXPECT_EQ(PlannedBackends(*jelly).size(), jelly->backends.size());
  const auto plan = BeginPlan(jelly, 0, 0.0);
  ASSERT_TRUE(Soon([&] { return plan->finished(); }));
  const PlanNews news = plan->Collect();
  EXPECT_EQ(news.end, "converged");
  ASSERT_FALSE(news.iterations.empty());
  EXPECT_EQ(news.iterations.back().poses.size(), static_cast<size_t>(kGhosts));
}

TEST(PreparationTest, OfALongPlanStopsWithoutItsEnd) {
  const std::shared_ptr<const Experiment> experiment = LongPlan();
  const size_t lamp = PlannedBackends(*experiment).at(0);
  const auto plan = BeginPlan(experiment, lamp, 0.0);
  PaneWorker pane(experiment, lamp);
  std::stop_source stop;
  ScratchFolder scratch;
  std::vector<BackendRun> runs;
  std::jthread comparison([&] {
    ComparisonHooks hooks = {.stop = stop.get_token()};
    runs = RunComparison(*experiment, scratch.path(), hooks);
  });
  Sleep(500);
  EXPECT_FALSE(plan->finished());
  EXPECT_FALSE(pane.finished());
  plan->Stop();
  pane.Stop();
  stop.request_stop();
  ASSERT_TRUE(Soon([&] { return plan->finished() && pane.finished(); }));
  EXPECT_THAT(plan->Collect().end.value_or(""), HasSubstr("stopped"));
  const PaneNews news = pane.Collect();
  EXPECT_FALSE(news.start);
  ASSERT_TRUE(news.end);
  EXPECT_EQ(news.end->failure, "");
  EXPECT_EQ(news.end->outcome.kind, OutcomeKind::kCancelled);
  EXPECT_EQ(news.end->outcome.reason, "cancelled before it began");
  comparison.join();
  ASSERT_EQ(runs.size(), experiment->backends.size());
  for (const BackendRun& run : runs) {
    EXPECT_EQ(run.outcome.kind, OutcomeKind::kCancelled);
    EXPECT_TRUE(run.bundle.empty());
  }
}

class ExportJobTest : public ::testing::Test {
 protected:
  ExportJobTest() { EnsureApplication(); }
  static std::shared_ptr<const Experiment> Drop(const std::string& duration) {
    return std::make_shared<const Experiment>(
        ReadExperiment("experiments/drop.toml", {"run.duration=" + duration}));
  }
  // The bundles of a short run.
  std::vector<std::filesystem::path> Bundles() {
    ExportJob job({Drop("0.02"), scratch_ / "runs", {}, "", {}, {}});
    EXPECT_TRUE(Soon([&] { return job.result().has_value(); }));
    return job.result()->bundles;
  }
  // With the drawing of the window's thread.
  ExportResult Finish(ExportJob* job) {
    EXPECT_TRUE(Soon([&] {
      while (job->Draw()) continue;
      return job->result().has_value();
    }));
    return job->result().value_or(ExportResult{});
  }

  ScratchFolder scratch_;
};

TEST_F(ExportJobTest, TellsHowFarItIsAndStopsWhereItIs) {
  ExportJob job({Drop("200"), scratch_ / "runs", {}, "", {}, scratch_ / "report.html"});
  ASSERT_TRUE(Soon([&] { return job.fraction() > 0.0; }));
  EXPECT_LT(job.fraction(), 1.0);
  EXPECT_FALSE(job.result());
  job.Stop();
  const ExportResult result = Finish(&job);
  EXPECT_TRUE(result.stopped);
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "figures")) << "no report is begun";
}

TEST_F(ExportJobTest, StopsWhileItWaitsForADrawing) {
  const std::vector<std::filesystem::path> bundles = Bundles();
  ASSERT_EQ(bundles.size(), 4u);
  ExportJob job({nullptr, {}, bundles, "", {}, scratch_ / "report.html"});
  const std::filesystem::path first = scratch_ / "figures" / "key-frames.png";
  ASSERT_TRUE(Soon([&] { return std::filesystem::exists(first); }));
  Sleep(100);
  EXPECT_FALSE(job.result()) << "nobody draws for it";
  job.Stop();
  ASSERT_TRUE(Soon([&] { return job.result().has_value(); }));
  EXPECT_TRUE(job.result()->stopped);
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "report.html"));
}

TEST_F(ExportJobTest, TellsWhatWentWrongInADrawing) {
  const std::vector<std::filesystem::path> bundles = Bundles();
  std::filesystem::create_directories(scratch_ / "figures" / "total-energy.svg");  // no file
  ExportJob job({nullptr, {}, bundles, "", {}, scratch_ / "report.html"});
  const ExportResult result = Finish(&job);
  EXPECT_THAT(result.failure, HasSubstr("total-energy.svg"));
  EXPECT_FALSE(result.stopped);
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "report.html"));
}

}  // namespace
}  // namespace pliant
