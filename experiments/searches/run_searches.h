// Motion synthesis: runs the searches of the [optimize] table of an experiment file.
//
//   minimise    cost(motion of the experiment with numbers x)      lower ≤ x ≤ upper
//
// by each method, from each seed, with the same number of trials. What is left is the folder
// `out`/<experiment>/optimize:
//
//   optimize.toml       the whole file, everything resolved: `pliant optimize` reads it again
//   history.csv         every trial of every search
//   optimization.json   outcome, searches, the best motion, what failed and why
//   start/, best/       the motion of the start and the best one, as run bundles
//   LABEL/              that of each backend the search is held against
//
// written beside its name and put in place when complete, like a run bundle. While the search runs
// its trials are in `.optimize.unfinished` beside it (history_log.h), which stays when it is
// killed.

#ifndef PLIANT_EXPERIMENTS_SEARCHES_RUN_SEARCHES_H_
#define PLIANT_EXPERIMENTS_SEARCHES_RUN_SEARCHES_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/files/document.h"
#include "experiments/files/experiment.h"
#include "experiments/searches/controller_problem.h"
#include "experiments/searches/motion_cost.h"
#include "experiments/searches/search_record.h"
#include "experiments/searches/varied_numbers.h"
#include "solvers/search/search.h"
#include "solvers/search/search_methods.h"

namespace pliant {

// Folder of the results, in that of the experiment.
inline constexpr char kSearchFolder[] = "optimize";

// One method from one seed.
struct SearchChoice {
  std::string label;
  const SearchMethod* method = nullptr;
  ParameterValues parameters;  // as given; absent ones have their defaults
  std::uint64_t seed = 1;
};

struct SearchPlan {
  Experiment experiment;
  size_t backend = 0;          // index of the one that is searched
  int body = 0;                // whose motion is measured
  std::vector<size_t> others;  // backends that run unchanged, for comparison
  std::vector<Varied> varied;
  MotionCostFunction cost;
  std::int64_t trials = 0;                                   // of each search, at most
  double seconds = std::numeric_limits<double>::infinity();  // of computing, of each search
  std::vector<SearchChoice> searches;  // method after method, each from all seeds
  FileValue table;                     // [optimize], completed
  // What the backend warns of at the bounds and not at the start, a line for each bound of a [[optimize.vary]]: poses
  // that the stops of the body prevent.
  std::vector<std::string> warnings;

  std::unique_ptr<ControllerProblem> Problem() const;
  // The whole file as one TOML text. Reading it gives the same searches.
  std::string Resolved() const;
};

// Whether the experiment's file has an [optimize] table.
bool HasSearchPlan(const Experiment& experiment);

// The cost of the [optimize] table alone. Throws FileError where there is none or it has a mistake.
struct SearchCost {
  std::optional<std::string> body;  // whose motion is measured; the first when absent
  MotionCostFunction cost;
  size_t backend = 0;  // index of the one that is searched
};
SearchCost ReadSearchCost(const Experiment& experiment);

// Reads and validates the [optimize] table of an experiment that was read; tries the start and both
// ends of the bounds for whether the backend takes them. `only`: the labels in the file, or names of methods, to search
// by; all of the file when empty. Throws FileError for every mistake, and BadInput for a method that there is not.
SearchPlan ReadSearchPlan(Experiment experiment, const std::vector<std::string>& only = {});

int TrialsIn(const std::vector<SearchHistory>& histories);  // of all together

struct SearchesHooks {
  // Called once before the first trial when a search is resumed: the trials that are not run again.
  std::function<void(const std::vector<SearchHistory>& past)> on_past;
  // Called after each trial, one call at a time.
  std::function<void(size_t search, const Trial& trial)> on_trial;
  std::stop_token stop;  // ends all searches after their present trial
};

struct SearchesResult {
  enum class Outcome { kCompleted, kCancelled, kFailed };  // failed: not one trial has a cost
  Outcome outcome = Outcome::kCompleted;
  std::vector<SearchHistory> histories;  // of each search
  struct Place {
    size_t search, trial;
  };
  std::vector<RecordedOther> others;
  std::optional<Place> best;     // first of the lowest cost; absent when there is none
  std::filesystem::path folder;  // empty when stopped before the first trial
};

// "completed", "cancelled", "failed".
std::string_view ToString(SearchesResult::Outcome outcome);

// The record of the searches before their first trial.
SearchRecord MakeRecord(const SearchPlan& plan, const ControllerProblem& problem);

std::optional<SearchesResult::Place> BestOf(const std::vector<SearchHistory>& histories);

// Where a search can leave its results so that nothing is lost: the name of the experiment, or that
// followed by -2, -3, …, under which `out` has no search yet or one of the same file, which then is
// resumed.
struct PlaceForSearch {
  std::string name;
  bool resumes = false;
};
PlaceForSearch FindPlaceForSearch(const SearchPlan& plan, const std::filesystem::path& out);

// The first of `name`, `name`-2, … under which `out` has no search, finished or not.
std::string NameForNewSearch(const std::string& name, const std::filesystem::path& out);

// Searches, and leaves the folder described above. With `resume` the trials of a search that was
// killed, or those recorded in a folder that is there already, whichever are more, are not run
// again; it must be of the same file but for the number of trials. Throws StorageError when it cannot write, FileError when
// the recorded folder is damaged or of another file.
SearchesResult RunSearches(const SearchPlan& plan, const std::filesystem::path& out, int threads,
                           bool resume, const SearchesHooks& hooks);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_SEARCHES_RUN_SEARCHES_H_
