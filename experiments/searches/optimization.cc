#include "experiments/searches/optimization.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "experiments/bundles/manifest.h"
#include "experiments/bundles/storage.h"
#include "experiments/comparison/comparison.h"
#include "experiments/files/writer.h"
#include "experiments/searches/history_log.h"
#include "experiments/searches/optimization_record.h"
#include "solvers/search/restarts.h"

namespace pliant {
namespace {

constexpr char kFolder[] = "optimize";
constexpr char kUnfinished[] = ".optimize.unfinished";

// The file without the keys that may change between parts of one search.
std::string ForResuming(FileValue root) {
  if (FileValue* table = root.Find("optimize")) {
    for (const char* budget : {"trials", "seconds"}) table->Erase(budget);
  }
  return WriteToml(root);
}

// Does `folder` contain results of this file?
bool IsOf(const Optimization& optimization, const std::filesystem::path& folder) {
  const std::filesystem::path resolved = folder / kResolvedFile;
  const auto source = std::make_shared<FileSource>(FileSource{resolved.string(), folder, false});
  return ForResuming(ParseToml(ReadFile(resolved), source)) ==
         ForResuming(ParseToml(optimization.Resolved(), source));
}

// The trials of a killed search or, without one, of a completed search.
std::vector<SearchHistory> RecordedHistories(const Optimization& optimization,
                                             OptimizationRecord record,
                                             const std::filesystem::path& ended,
                                             const std::filesystem::path& unfinished) {
  const bool has_ended = std::filesystem::exists(ended / kOptimizationFile);
  const bool was_killed = std::filesystem::exists(unfinished / kResolvedFile);
  if (!has_ended && !was_killed) {
    throw FileError(ended.string() + ": there is nothing to resume here");
  }
  if (was_killed && IsOf(optimization, unfinished)) {
    ReadHistoryLog(unfinished, &record);
    return std::move(record.histories);
  }
  if (!has_ended || !IsOf(optimization, ended)) {
    throw FileError(((has_ended ? ended : unfinished) / kResolvedFile).string() +
                    ": belongs to another file; only optimize.trials and optimize.seconds may "
                    "change before a search is resumed");
  }
  std::vector<SearchHistory> histories = ReadOptimizationRecord(ended).histories;
  if (histories.size() != optimization.searches.size()) {
    throw FileError(
        (ended / kOptimizationFile).string() + ": damaged: " + std::to_string(histories.size()) +
        " searches, but the file makes " + std::to_string(optimization.searches.size()));
  }
  return histories;
}

std::vector<Restart> MakeRestarts(const Optimization& optimization, const MotionNumbers& numbers,
                                  const std::vector<SearchHistory>& past) {
  std::vector<Restart> restarts;
  for (size_t s = 0; s < optimization.searches.size(); ++s) {
    const SearchChoice& choice = optimization.searches[s];
    Restart& restart = restarts.emplace_back();
    restart.budget = optimization.trials;
    restart.seconds = optimization.seconds;
    restart.start = [&choice, &numbers, budget = optimization.trials] {
      return choice.method->Start(numbers, budget, choice.seed, choice.parameters);
    };
    restart.past = past[s].trials;
  }
  return restarts;
}

// Runs the motion of these numbers into `folder`/<label>. A run that diverges leaves a bundle that
// says so.
void LeaveBundle(ControllerProblem* problem, const Eigen::VectorXd& numbers,
                 const std::string& label, const std::filesystem::path& folder) {
  const Experiment experiment = problem->With(numbers, label);
  RunIntoBundle(experiment, 0, TranslateFor(experiment, 0), folder, {});
}

// Runs an unchanged backend, once for its score and once into `folder`/<label>.
RecordedOther Judge(const Optimization& optimization, size_t index,
                    const std::filesystem::path& folder) {
  Experiment experiment = optimization.experiment;
  experiment.backends = {experiment.backends[index]};
  experiment.reference.clear();
  RecordedOther other;
  other.label = experiment.backends[0].label;
  const double start = ThreadSeconds();
  const Translation translation = TranslateFor(experiment, 0);
  if (translation.simulation == nullptr) {
    other.score.failure = translation.record.WhyUnsupported();
  } else {
    other.score =
        ScoreRun(experiment, optimization.body, optimization.cost, translation.simulation.get());
  }
  other.seconds = ThreadSeconds() - start;
  RunIntoBundle(experiment, 0, TranslateFor(experiment, 0), folder, {});
  return other;
}

}  // namespace

std::string_view ToString(OptimizationResult::Outcome outcome) {
  switch (outcome) {
    case OptimizationResult::Outcome::kCompleted:
      return "completed";
    case OptimizationResult::Outcome::kCancelled:
      return "cancelled";
    case OptimizationResult::Outcome::kFailed:
      return "failed";
  }
  return "";
}

OptimizationRecord MakeRecord(const Optimization& optimization, const ControllerProblem& problem) {
  OptimizationRecord record;
  record.experiment = optimization.experiment.name;
  record.title = optimization.experiment.title;
  record.terms = problem.terms();
  record.numbers = problem.numbers().names;
  for (const SearchChoice& choice : optimization.searches) {
    record.searches.push_back({choice.label, choice.method->name(), choice.seed});
  }
  record.histories.resize(record.searches.size());
  return record;
}

std::optional<OptimizationResult::Place> BestOf(const std::vector<SearchHistory>& histories) {
  std::optional<OptimizationResult::Place> place;
  const Trial* best = nullptr;
  for (size_t s = 0; s < histories.size(); ++s) {
    const Trial* candidate = histories[s].Best();
    if (candidate == nullptr || (best != nullptr && candidate->score.cost >= best->score.cost)) {
      continue;
    }
    best = candidate;
    place = {s, static_cast<size_t>(candidate - histories[s].trials.data())};
  }
  return place;
}

OptimizationResult RunOptimization(const Optimization& optimization,
                                   const std::filesystem::path& out, int threads, bool resume,
                                   const OptimizationHooks& hooks) {
  using Outcome = OptimizationResult::Outcome;
  const std::filesystem::path target = out / optimization.experiment.name / kFolder;
  const std::filesystem::path unfinished = target.parent_path() / kUnfinished;

  const auto problem = optimization.Problem();
  const MotionNumbers& numbers = problem->numbers();
  OptimizationRecord record = MakeRecord(optimization, *problem);
  if (resume) record.histories = RecordedHistories(optimization, record, target, unfinished);
  const std::vector<Restart> restarts = MakeRestarts(optimization, numbers, record.histories);
  std::optional<HistoryLog> log;  // from the first trial on
  const auto on_trial = [&](size_t search, const Trial& trial) {
    if (!log) log.emplace(unfinished, optimization.Resolved(), record);
    log->Add(search, trial);
    if (hooks.on_trial) hooks.on_trial(search, trial);
  };
  const std::string started = UtcNow();
  const auto start = std::chrono::steady_clock::now();
  OptimizationResult result;
  try {
    result.histories = RunRestarts(restarts, [&] { return optimization.Problem(); }, threads,
                                   {on_trial, hooks.stop});
  } catch (const BadInput& bad) {  // recorded trials that the search would not have made
    throw FileError((target / kHistoryFile).string() + ": " + bad.what());
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;

  result.best = BestOf(result.histories);
  const bool any =
      std::any_of(result.histories.begin(), result.histories.end(),
                  [](const SearchHistory& history) { return !history.trials.empty(); });
  const bool cancelled =
      std::any_of(result.histories.begin(), result.histories.end(),
                  [](const SearchHistory& history) { return history.cancelled; });
  result.outcome = cancelled      ? Outcome::kCancelled
                   : !result.best ? Outcome::kFailed
                                  : Outcome::kCompleted;
  if (!any) return result;

  StagedFolder folder(target, kOptimizationFile);
  record.outcome = ToString(result.outcome);
  record.histories = result.histories;
  record.started = started;
  record.wall_seconds = elapsed.count();
  record.threads = threads;
  WriteFile(folder.path() / kResolvedFile, optimization.Resolved());
  LeaveBundle(problem.get(), numbers.start, "start", folder.path());
  if (result.best) {
    LeaveBundle(problem.get(),
                result.histories[result.best->search].trials[result.best->trial].numbers, "best",
                folder.path());
  }
  for (const size_t index : optimization.others) {
    result.others.push_back(Judge(optimization, index, folder.path()));
  }
  record.others = result.others;
  record.finished = UtcNow();
  WriteOptimizationRecord(folder.path(), record);
  folder.Commit();
  RemoveHistoryLog(unfinished);
  result.folder = target;
  return result;
}

}  // namespace pliant
