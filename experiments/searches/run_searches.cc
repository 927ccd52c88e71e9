#include "experiments/searches/run_searches.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "experiments/bundles/manifest.h"
#include "experiments/bundles/storage.h"
#include "experiments/comparison/comparison.h"
#include "experiments/comparison/kept_run.h"
#include "experiments/files/differences.h"
#include "experiments/files/first_names.h"
#include "experiments/searches/history_log.h"
#include "experiments/searches/resumed_search.h"
#include "experiments/searches/search_record.h"
#include "solvers/cpu_clock.h"
#include "solvers/search/restarts.h"

namespace pliant {
namespace {

constexpr char kUnfinished[] = ".optimize.unfinished";

// In which keys this search differs from that of `folder`, without those that may change between parts of one search.
std::vector<std::string> DifferencesFrom(const SearchPlan& plan,
                                         const std::filesystem::path& folder) {
  const std::filesystem::path resolved = folder / kResolvedFile;
  const auto source = std::make_shared<FileSource>(FileSource{resolved.string(), folder, false});
  const auto read = [&](const std::string& text) {
    FileValue root = ParseToml(text, source);
    if (FileValue* table = root.Find("optimize")) {
      for (const char* budget : {"trials", "seconds"}) table->Erase(budget);
    }
    return root;
  };
  return DifferencesOf(read(plan.Resolved()), read(ReadFile(resolved)));
}

// True if `folder` contains results of this file.
bool IsOf(const SearchPlan& plan, const std::filesystem::path& folder) {
  return DifferencesFrom(plan, folder).empty();
}

// The trials of a completed search and those of a killed one. Each search makes the same trials in
// the same order, so that the longer history continues the shorter one.
std::vector<SearchHistory> RecordedHistories(const SearchPlan& plan, SearchRecord record,
                                             const std::filesystem::path& ended,
                                             const std::filesystem::path& unfinished) {
  const bool has_ended = std::filesystem::exists(ended / kSearchFile);
  const bool was_killed = std::filesystem::exists(unfinished / kResolvedFile);
  if (!has_ended && !was_killed) {
    throw FileError(ended.string() + ": there is nothing to resume here");
  }
  const bool takes_unfinished = was_killed && IsOf(plan, unfinished);
  const bool takes_ended = has_ended && IsOf(plan, ended);
  if (!takes_unfinished && !takes_ended) {
    const std::filesystem::path& there = has_ended ? ended : unfinished;
    const std::vector<std::string> differences = DifferencesFrom(plan, there);
    throw FileError((there / kResolvedFile).string() + ": belongs to another search" +
                    (differences.empty() ? "" : ": " + FirstNames(differences)) +
                    "; only optimize.trials and optimize.seconds may "
                    "change before a search is resumed; without --resume a new one begins under "
                    "another name");
  }
  if (takes_unfinished) ReadHistoryLog(unfinished, &record);
  if (!takes_ended) return std::move(record.histories);
  std::vector<SearchHistory> histories = ReadSearchRecord(ended).histories;
  if (histories.size() != plan.searches.size()) {
    throw FileError((ended / kSearchFile).string() +
                    ": damaged: " + std::to_string(histories.size()) +
                    " searches, but the file makes " + std::to_string(plan.searches.size()));
  }
  for (size_t s = 0; s < histories.size(); ++s) {
    if (record.histories[s].trials.size() > histories[s].trials.size()) {
      histories[s] = std::move(record.histories[s]);
    }
  }
  return histories;
}

// Is there something at the names of a search that RunSearches() would replace?
bool IsTaken(const std::filesystem::path& folder) {
  std::error_code error;
  return std::filesystem::symlink_status(folder, error).type() !=
         std::filesystem::file_type::not_found;
}

std::vector<Restart> MakeRestarts(const SearchPlan& plan, const MotionNumbers& numbers,
                                  const std::vector<SearchHistory>& past) {
  std::vector<Restart> restarts;
  for (size_t s = 0; s < plan.searches.size(); ++s) {
    const SearchChoice& choice = plan.searches[s];
    Restart& restart = restarts.emplace_back();
    restart.budget = plan.trials;
    restart.seconds = plan.seconds;
    restart.start = [&choice, &numbers, budget = plan.trials] {
      return choice.method->Start(numbers, budget, choice.seed, choice.parameters);
    };
    restart.past = past[s].trials;
  }
  return restarts;
}

// Runs the motion of these numbers into `folder`/<label>. A run that diverges leaves a bundle that
// says so.
RunOutcome WriteTrialBundle(ControllerProblem* problem, const Eigen::VectorXd& numbers,
                            const std::string& label, const std::filesystem::path& folder) {
  const Experiment experiment = problem->With(numbers, label);
  return RunIntoBundle(experiment, 0, TranslateFor(experiment, 0), folder, {}).outcome;
}

// How deep the best motion of each search lies in an obstacle; `of_best`: of the best of all. What a search scores are
// observations of a motion, not its records.
void FindSunk(ControllerProblem* problem, const SearchesResult& result, const RunOutcome& of_best,
              SearchRecord* record) {
  for (size_t s = 0; s < result.histories.size(); ++s) {
    const Trial* best = result.histories[s].Best();
    if (best == nullptr) continue;
    std::optional<Sunk> sunk = of_best.sunk;
    if (s != result.best->search) {
      const Experiment experiment = problem->With(best->numbers, "best");
      const Translation translation = TranslateFor(experiment, 0);
      if (translation.simulation == nullptr) continue;
      sunk = Run(experiment, 0, translation.simulation.get(), {}).sunk;
    }
    if (sunk) record->searches[s].best_sunk = sunk->depth;
  }
}

// Runs an unchanged backend, once for its score and once into `folder`/<label>.
RecordedOther Judge(const SearchPlan& plan, size_t index, const std::filesystem::path& folder) {
  Experiment experiment = OfOneBackend(plan.experiment, index);
  experiment.reference.clear();
  RecordedOther other;
  other.label = experiment.backends[0].label;
  const double start = CpuSeconds();
  const Translation translation = TranslateFor(experiment, 0);
  if (translation.simulation == nullptr) {
    other.score.failure = translation.record.WhyUnsupported();
  } else {
    other.score = ScoreRun(experiment, plan.body, plan.cost, translation.simulation.get());
  }
  other.seconds = CpuSeconds() - start;
  RunIntoBundle(experiment, 0, TranslateFor(experiment, 0), folder, {});
  return other;
}

}  // namespace

std::string_view ToString(SearchesResult::Outcome outcome) {
  switch (outcome) {
    case SearchesResult::Outcome::kCompleted:
      return "completed";
    case SearchesResult::Outcome::kCancelled:
      return "cancelled";
    case SearchesResult::Outcome::kFailed:
      return "failed";
  }
  return "";
}

SearchRecord MakeRecord(const SearchPlan& plan, const ControllerProblem& problem) {
  SearchRecord record;
  record.experiment = plan.experiment.name;
  record.title = plan.experiment.title;
  record.terms = problem.terms();
  record.has_conditions = plan.cost.HasConditions();
  const MotionNumbers& numbers = problem.numbers();
  record.numbers = numbers.names;
  record.lower.assign(numbers.lower.begin(), numbers.lower.end());
  record.upper.assign(numbers.upper.begin(), numbers.upper.end());
  for (const SearchChoice& choice : plan.searches) {
    record.searches.push_back({choice.label, choice.method->name(), choice.seed});
  }
  record.histories.resize(record.searches.size());
  return record;
}

std::optional<SearchesResult::Place> BestOf(const std::vector<SearchHistory>& histories) {
  std::optional<SearchesResult::Place> place;
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

PlaceForSearch FindPlaceForSearch(const SearchPlan& plan, const std::filesystem::path& out) {
  SearchPlan named = plan;
  PlaceForSearch place;
  place.name = FirstFreeName(plan.experiment.name, [&](const std::string& name) {
    named.experiment.name = name;
    const std::filesystem::path target = out / name / kSearchFolder;
    const std::filesystem::path unfinished = out / name / kUnfinished;
    place.resumes = IsTaken(target) || IsTaken(unfinished);
    if (!place.resumes) return true;
    try {
      for (const std::filesystem::path& folder : {target, unfinished}) {
        if (IsTaken(folder) && !IsOf(named, folder)) return false;
      }
      RecordedHistories(named, MakeRecord(named, *named.Problem()), target, unfinished);
      return true;
    } catch (const FileError&) {
    } catch (const StorageError&) {
    }
    return false;  // it stays as it is
  });
  return place;
}

std::string NameForNewSearch(const std::string& name, const std::filesystem::path& out) {
  return FirstFreeName(name, [&](const std::string& tried) {
    return !IsTaken(out / tried / kSearchFolder) && !IsTaken(out / tried / kUnfinished);
  });
}

namespace {

enum class Likeness { kNone, kSameButBudget, kSame, kSameUnended };

// What a folder of that name holds of this search. What cannot be read holds nothing.
Likeness LikenessOf(const SearchPlan& plan, const std::filesystem::path& out) {
  const std::filesystem::path target = out / plan.experiment.name / kSearchFolder;
  const std::filesystem::path unfinished = target.parent_path() / kUnfinished;
  Likeness likeness = Likeness::kNone;
  for (const std::filesystem::path& folder : {target, unfinished}) {
    try {
      if (!IsTaken(folder) || !IsOf(plan, folder)) continue;
      Likeness here = Likeness::kSameButBudget;
      if (ReadFile(folder / kResolvedFile) == plan.Resolved()) {
        const bool ended = folder == target && ReadSearchRecord(folder).outcome == "completed";
        here = ended ? Likeness::kSame : Likeness::kSameUnended;
      }
      likeness = std::max(likeness, here);
    } catch (const FileError&) {
    } catch (const StorageError&) {
    }
  }
  return likeness;
}

// The name of the search to go on with; empty where there is none.
std::string NameOfLikest(const SearchPlan& plan, const std::filesystem::path& out) {
  SearchPlan named = plan;
  std::string best;
  Likeness most = Likeness::kNone;
  // The first name without a search ends the numbers.
  FirstFreeName(plan.experiment.name, [&](const std::string& name) {
    named.experiment.name = name;
    const Likeness likeness = LikenessOf(named, out);
    if (likeness > most) {
      best = name;
      most = likeness;
    }
    return !IsTaken(out / name / kSearchFolder) && !IsTaken(out / name / kUnfinished);
  });
  return best;
}

}  // namespace

bool HasSearchToResume(const SearchPlan& plan, const std::filesystem::path& out) {
  return !NameOfLikest(plan, out).empty();
}

std::string NameForResumedSearch(const SearchPlan& plan, const std::filesystem::path& out) {
  const std::string likest = NameOfLikest(plan, out);
  return likest.empty() ? plan.experiment.name : likest;
}

int TrialsIn(const std::vector<SearchHistory>& histories) {
  int trials = 0;
  for (const SearchHistory& history : histories) trials += static_cast<int>(history.trials.size());
  return trials;
}

SearchesResult RunSearches(const SearchPlan& plan, const std::filesystem::path& out, int threads,
                           bool resume, const SearchesHooks& hooks) {
  using Outcome = SearchesResult::Outcome;
  const std::filesystem::path target = out / plan.experiment.name / kSearchFolder;
  const std::filesystem::path unfinished = target.parent_path() / kUnfinished;

  const auto problem = plan.Problem();
  const MotionNumbers& numbers = problem->numbers();
  SearchRecord record = MakeRecord(plan, *problem);
  if (resume) {
    record.histories = RecordedHistories(plan, record, target, unfinished);
    if (hooks.on_past) hooks.on_past(record.histories);
  }
  const std::vector<Restart> restarts = MakeRestarts(plan, numbers, record.histories);
  std::optional<HistoryLog> log;  // from the first trial on
  const auto on_trial = [&](size_t search, const Trial& trial) {
    if (!log) log.emplace(unfinished, plan.Resolved(), record);
    log->Add(search, trial);
    if (hooks.on_trial) hooks.on_trial(search, trial);
  };
  const std::string started = UtcNow();
  const auto start = std::chrono::steady_clock::now();
  SearchesResult result;
  try {
    result.histories =
        RunRestarts(restarts, [&] { return plan.Problem(); }, threads, {on_trial, hooks.stop});
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

  StagedFolder folder(target, kSearchFile);
  record.outcome = ToString(result.outcome);
  record.histories = result.histories;
  record.started = started;
  record.wall_seconds = elapsed.count();
  record.threads = threads;
  WriteFile(folder.path() / kResolvedFile, plan.Resolved());
  WriteTrialBundle(problem.get(), numbers.start, "start", folder.path());
  if (result.best) {
    const RunOutcome of_best = WriteTrialBundle(
        problem.get(), result.histories[result.best->search].trials[result.best->trial].numbers,
        "best", folder.path());
    if (!cancelled && !plan.experiment.scene->obstacles.empty())
      FindSunk(problem.get(), result, of_best, &record);
  }
  for (const size_t index : plan.others) {
    result.others.push_back(Judge(plan, index, folder.path()));
  }
  record.others = result.others;
  record.finished = UtcNow();
  WriteSearchRecord(folder.path(), record);
  folder.Commit();
  RemoveHistoryLog(unfinished);
  result.folder = target;
  return result;
}

}  // namespace pliant
