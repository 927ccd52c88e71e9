// optimize: searches the numbers of an experiment for a better motion.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

#include "app/cli/commands.h"
#include "app/cli/home.h"
#include "app/cli/interrupt.h"
#include "app/cli/output.h"
#include "app/cli/progress.h"
#include "experiments/files/experiment.h"
#include "experiments/searches/distribution.h"
#include "experiments/searches/failures.h"
#include "experiments/searches/method_tables.h"
#include "experiments/searches/motion_table.h"
#include "experiments/searches/number_table.h"
#include "experiments/searches/resumed_search.h"
#include "experiments/searches/run_searches.h"
#include "experiments/searches/sunk_motions.h"
#include "models/scene/number_text.h"
#include "solvers/parallel/cancellation.h"

namespace pliant {
namespace {

std::string Cost(double cost) { return std::isfinite(cost) ? Digits(cost, 5) : "–"; }

// One line for each search: where it started, where it came.
void PrintSearches(const SearchPlan& plan, const SearchesResult& result) {
  size_t width = 6;
  for (const SearchChoice& choice : plan.searches) {
    width = std::max(width, choice.label.size());
  }
  fmt::print("{:<{}}  {:>6}  {:>6}  {:>11}  {:>11}  {:>8}  {:>8}  {:>6}\n", "search", width, "seed",
             "trials", "start cost", "best cost", "at trial", "accepted", "failed");
  for (size_t s = 0; s < result.histories.size(); ++s) {
    const std::vector<Trial>& trials = result.histories[s].trials;
    const SearchChoice& choice = plan.searches[s];
    if (trials.empty()) {
      fmt::print("{:<{}}  {:>6}  not begun\n", choice.label, width, choice.seed);
      continue;
    }
    const Trial* best = result.histories[s].Best();
    const auto accepted = std::count_if(trials.begin(), trials.end(),
                                        [](const Trial& trial) { return trial.accepted; });
    const auto failed = std::count_if(trials.begin(), trials.end(), [](const Trial& trial) {
      return !trial.score.failure.empty();
    });
    fmt::print("{:<{}}  {:>6}  {:>6}  {:>11}  {:>11}  {:>8}  {:>8}  {:>6}{}\n", choice.label, width,
               choice.seed, trials.size(), Cost(trials.front().current_cost),
               Cost(trials.back().best_cost), best == nullptr ? 0 : best - trials.data() + 1,
               accepted, failed, result.best && result.best->search == s ? "  ← best" : "");
  }
}

// What each method finds over its seeds, once there are several.
void PrintDistributions(const SearchRecord& record) {
  if (!HasSeveralSeeds(record)) return;
  const std::vector<MethodDistribution> methods = Distributions(record);
  const std::vector<std::string> not_begun = MethodsNotBegun(record);
  const std::string word = SuccessWord(record);
  size_t width = 6, counts = word.size();
  for (const std::string& label : not_begun) width = std::max(width, label.size());
  for (const MethodDistribution& method : methods) {
    width = std::max(width, method.label.size());
    counts = std::max(counts, SuccessText(method).size());
  }
  fmt::print("\n{:<{}}  {:>{}}  {:>13}  {:>11}  {:>11}  {:>11}  {:>11}  {:>11}  {:>9}\n", "method",
             width, word, counts, "95 % interval", "best", "quartile", "median", "quartile",
             "worst", "seconds");
  for (const MethodDistribution& method : methods) {
    fmt::print("{:<{}}  {:>{}}  {:>13}  {:>11}  {:>11}  {:>11}  {:>11}  {:>11}  {:>9.3f}\n",
               method.label, width, SuccessText(method), counts, IntervalText(method),
               Cost(method.best), Cost(method.lower_quartile), Cost(method.median),
               Cost(method.upper_quartile), Cost(method.worst), method.median_seconds);
  }
  for (const std::string& label : not_begun) {
    fmt::print("{:<{}}  {:>{}}\n", label, width, "not begun", counts);
  }
}

// Nothing when it is cancelled. What comes after a stop, the bundles of what was found, is not.
std::optional<SearchPlan> SearchPlanOf(const OptimizeRequest& request,
                                       const std::stop_token& stop) {
  const CancelScope cancel(stop);
  try {
    return ReadSearchPlan(
        ReadExperiment(ExperimentNamed(request.run.file), OverridesOf(request.run)),
        request.methods);
  } catch (const Cancelled&) {
    return std::nullopt;
  }
}

}  // namespace

int OptimizeCommand(const OptimizeRequest& request) {
  // From here on: plans and trials of the bounds may take long, too.
  const InterruptWatch interrupt(
      "the searches end after their present trials and write what they have found, and the same "
      "command with --resume goes on");
  std::optional<SearchPlan> read = SearchPlanOf(request, interrupt.token());
  if (!read) {
    PrintToStderr("cancelled before the first trial\n");
    return kRunFailed;
  }
  SearchPlan plan = std::move(*read);
  std::string& name = plan.experiment.name;
  if (request.resume) {
    const std::string found = NameForResumedSearch(plan, request.run.out);
    if (found != name) {
      PrintToStderr(
          fmt::format("this search is in {}, which goes on\n", (request.run.out / found).string()));
    }
    name = found;
  } else if (!request.run.overwrite) {
    name = AnnounceName(request.run, name, NameForNewSearch(name, request.run.out),
                        HasSearchToResume(plan, request.run.out)
                            ? "--resume goes on with the search of this file that is there, "
                              "--overwrite replaces what is there"
                            : "they are another search, with which --resume cannot go on; "
                              "--overwrite replaces them");
  }
  const int threads =
      request.threads.value_or(std::max(1, static_cast<int>(std::thread::hardware_concurrency())));

  for (const std::string& warning : plan.warnings) PrintToStderr("warning: " + warning + "\n");

  SearchesResult result;
  {
    Progress progress(1);
    SearchesHooks hooks;
    hooks.stop = interrupt.token();
    const auto total = static_cast<double>(plan.trials) * static_cast<double>(plan.searches.size());
    double done = 0.0;
    hooks.on_past = [&](const std::vector<SearchHistory>& past) {
      done += TrialsIn(past);
      progress.Skip(done / total);
    };
    hooks.on_trial = [&](size_t, const Trial&) { progress.Update(++done / total); };
    progress.Begin(plan.experiment.name);
    result = RunSearches(plan, request.run.out, threads, request.resume, hooks);
    switch (result.outcome) {
      case SearchesResult::Outcome::kCompleted:
        progress.End("completed");
        break;
      case SearchesResult::Outcome::kCancelled:
        progress.End(result.folder.empty() ? "cancelled before the first trial"
                                           : "cancelled; the same command with --resume goes on");
        break;
      case SearchesResult::Outcome::kFailed:
        progress.End("failed: no trial made a motion");
        break;
    }
  }
  if (result.folder.empty()) return kRunFailed;
  PrintSearches(plan, result);
  const SearchRecord record = ReadSearchRecord(result.folder);
  PrintDistributions(record);
  for (const FindingTable& table : TablesOfMethods(record)) {
    fmt::print("\n");
    PrintTable(table);
  }
  const std::vector<Bundle> motions = OpenMotions(record, result.folder);
  for (const FindingTable& table :
       {TableOfFailures(record), TableOfMotions(record, motions), TableOfNumbers(record)}) {
    if (table.rows.empty()) continue;
    fmt::print("\n");
    PrintTable(table);
  }
  const std::vector<std::string> warnings = WarningsOfSunkMotions(record, motions);
  for (size_t i = 0; i < warnings.size(); ++i)
    fmt::print("{}warning: {}\n", i == 0 ? "\n" : "", warnings[i]);
  fmt::print("\n{}\n", result.folder.string());
  WriteReportOfSearch(result.folder, result.folder / "report.html");
  return result.outcome == SearchesResult::Outcome::kCompleted ? kDone : kRunFailed;
}

}  // namespace pliant
