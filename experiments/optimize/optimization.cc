#include "experiments/optimize/optimization.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "experiments/experiment/writer.h"
#include "experiments/optimize/optimization_record.h"
#include "experiments/record/manifest.h"
#include "experiments/record/storage.h"
#include "experiments/run/comparison.h"
#include "solvers/annealing/restarts.h"

namespace pliant {
namespace {

constexpr char kFolder[] = "optimize";
constexpr char kResolvedFile[] = "optimize.toml";

// The file without what may change between parts of one search.
std::string ForResuming(FileValue root) {
  if (FileValue* table = root.Find("optimize")) table->Erase("trials");
  return WriteToml(root);
}

std::vector<SearchHistory> RecordedHistories(const Optimization& optimization,
                                             const std::filesystem::path& folder) {
  const std::filesystem::path resolved = folder / kResolvedFile;
  if (!std::filesystem::exists(folder / kOptimizationFile)) {
    throw FileError(folder.string() + ": there is nothing to resume here");
  }
  const auto source = std::make_shared<FileSource>(FileSource{resolved.string(), folder, false});
  if (ForResuming(ParseToml(ReadFile(resolved), source)) !=
      ForResuming(ParseToml(optimization.Resolved(), source))) {
    throw FileError(resolved.string() +
                    ": was searched with another file; nothing but optimize.trials may change "
                    "before a search is resumed");
  }
  std::vector<SearchHistory> histories = ReadOptimizationRecord(folder).histories;
  if (histories.size() != optimization.searches.size()) {
    throw FileError(
        (folder / kOptimizationFile).string() + ": damaged: " + std::to_string(histories.size()) +
        " searches where the file makes " + std::to_string(optimization.searches.size()));
  }
  return histories;
}

std::vector<Restart> MakeRestarts(const Optimization& optimization, const MotionNumbers& numbers,
                                  std::vector<SearchHistory> past) {
  std::vector<Restart> restarts;
  for (size_t s = 0; s < optimization.searches.size(); ++s) {
    const SearchChoice& choice = optimization.searches[s];
    Restart& restart = restarts.emplace_back();
    restart.budget = optimization.trials;
    restart.start = [&choice, &numbers, budget = optimization.trials] {
      return choice.method->Start(numbers, budget, choice.seed, choice.parameters);
    };
    if (!past.empty()) restart.past = std::move(past[s].trials);
  }
  return restarts;
}

// Runs the motion of these numbers into `folder`/<label>. What diverges leaves a bundle that says
// so.
void LeaveBundle(ControllerProblem* problem, const Eigen::VectorXd& numbers,
                 const std::string& label, const std::filesystem::path& folder) {
  const Experiment experiment = problem->With(numbers, label);
  RunIntoBundle(experiment, 0, TranslateFor(experiment, 0), folder, {});
}

OptimizationRecord MakeRecord(const Optimization& optimization, const ControllerProblem& problem,
                              const OptimizationResult& result) {
  static const std::array<const char*, 3> outcomes = {"completed", "cancelled", "failed"};
  OptimizationRecord record;
  record.experiment = optimization.experiment.name;
  record.title = optimization.experiment.title;
  record.outcome = outcomes[static_cast<size_t>(result.outcome)];
  record.terms = problem.terms();
  record.numbers = problem.numbers().names;
  for (const SearchChoice& choice : optimization.searches) {
    record.searches.push_back({choice.label, choice.method->name(), choice.seed});
  }
  record.histories = result.histories;
  return record;
}

}  // namespace

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
  std::vector<SearchHistory> past;
  if (resume) past = RecordedHistories(optimization, target);

  const auto problem = optimization.Problem();
  const MotionNumbers& numbers = problem->numbers();
  const std::vector<Restart> restarts = MakeRestarts(optimization, numbers, std::move(past));
  const std::string started = UtcNow();
  const auto start = std::chrono::steady_clock::now();
  OptimizationResult result;
  try {
    result.histories = RunRestarts(restarts, [&] { return optimization.Problem(); }, threads,
                                   {hooks.on_trial, hooks.stop});
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
  OptimizationRecord record = MakeRecord(optimization, *problem, result);
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
  record.finished = UtcNow();
  WriteOptimizationRecord(folder.path(), record);
  folder.Commit();
  result.folder = target;
  return result;
}

}  // namespace pliant
