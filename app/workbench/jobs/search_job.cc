#include "app/workbench/jobs/search_job.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "experiments/searches/motion_table.h"
#include "experiments/searches/run_searches.h"
#include "experiments/searches/sunk_motions.h"
#include "solvers/parallel/cancellation.h"

namespace pliant {
namespace {

// Leaves one core to the window.
int ThreadsOfSearch() {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()) - 1);
}

std::vector<std::string> WarningsAbout(const std::filesystem::path& results) {
  if (results.empty()) return {};
  const SearchRecord record = ReadSearchRecord(results);
  return WarningsOfSunkMotions(record, OpenMotions(record, results));
}

std::string RunSearch(const Experiment& experiment, const std::filesystem::path& out,
                      SearchJob* job, const std::stop_token& stop) {
  SearchPlan plan = [&] {
    const CancelScope cancel(stop);  // it translates the start and both ends of the bounds
    return ReadSearchPlan(experiment);
  }();
  const PlaceForSearch place = FindPlaceForSearch(plan, out);
  plan.experiment.name = place.name;
  SearchRecord record = MakeRecord(plan, *plan.Problem());
  const auto report_start = [&](const std::vector<SearchHistory>& past) {
    record.histories = past;
    job->Report([&](SearchNews* news) {
      news->start = record;
      news->name = place.name;
    });
  };
  if (!place.resumes) report_start(record.histories);
  SearchesHooks hooks;
  hooks.stop = stop;
  hooks.on_past = report_start;
  hooks.on_trial = [&](size_t search, const Trial& trial) {
    job->Report([&](SearchNews* news) { news->trials.emplace_back(search, trial); });
    job->WaitWhilePaused(stop);
  };
  const SearchesResult result = RunSearches(plan, out, ThreadsOfSearch(), place.resumes, hooks);
  job->Report([&](SearchNews* news) {
    news->folder = result.folder;
    news->warnings = WarningsAbout(result.folder);
  });
  const std::string end(ToString(result.outcome));
  const bool failed = result.outcome == SearchesResult::Outcome::kFailed;
  return failed ? end + ": no trial produced a motion" : end;
}

}  // namespace

std::unique_ptr<SearchJob> BeginSearch(std::shared_ptr<const Experiment> experiment,
                                       std::filesystem::path out) {
  return std::make_unique<SearchJob>([experiment = std::move(experiment), out = std::move(out)](
                                         SearchJob* job, const std::stop_token& stop) {
    return RunSearch(*experiment, out, job, stop);
  });
}

}  // namespace pliant
