// history.csv and optimization.json: the trials of a search, and how it ended.
//
//   history.csv   search         number of the search, from 1
//                 evaluation     runs made by it so far, this one included
//                 cost           inf for a failed trial
//                 violation      above 0 where the cost is a penalty
//                 failed, accepted      0 or 1
//                 current_cost, best_cost   after it: of the accepted motion, of the best one
//                 temperature    at which it was decided; empty where there is none
//                 acceptance     probability with which it was to be accepted; empty for a method without chance
//                 decision       0 the start, 1 not worse, 2 worse and accepted by chance, 3 worse and not accepted,
//                                4 worse while the temperature was being estimated, 5 failed
//                 seconds        of computing since the search began, after it
//                 measures of the motion with their units; then the numbers that were tried

#ifndef PLIANT_EXPERIMENTS_SEARCHES_SEARCH_RECORD_H_
#define PLIANT_EXPERIMENTS_SEARCHES_SEARCH_RECORD_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "solvers/search/search.h"

namespace pliant {

inline constexpr char kSearchFile[] = "optimization.json";
inline constexpr char kHistoryFile[] = "history.csv";

struct RecordedSearch {
  std::string label, method;
  std::uint64_t seed = 1;
  // m, how deep a body of its best motion lies in an obstacle (RunOutcome::sunk); absent where none does, and where the
  // searches were cancelled or the program that searched did not look.
  std::optional<double> best_sunk = {};
};

// A backend that was not searched but ran unchanged, with the same cost function.
struct RecordedOther {
  std::string label;
  MotionScore score;
  double seconds = 0.0;  // to translate it (to plan, where it plans) and to run it once
};

struct SearchRecord {
  std::string experiment, title;
  std::string outcome;            // completed, cancelled, failed
  std::string started, finished;  // UTC, ISO 8601
  double wall_seconds = 0.0;      // of the searches
  int threads = 1;
  std::vector<std::string> terms;    // columns of the measures
  std::vector<std::string> numbers;  // names
  std::vector<double> lower,
      upper;  // their bounds; empty where the program that searched kept none
  // Whether the cost asks for anything that a motion can miss: a weighted sum without limits has no condition and no penalty.
  bool has_conditions = true;
  std::vector<RecordedSearch> searches;
  std::vector<SearchHistory> histories;  // one for each
  std::vector<RecordedOther> others;
};

// Writes both files. Throws StorageError.
void WriteSearchRecord(const std::filesystem::path& folder, const SearchRecord& record);

// Reads them back: trials bit for bit, except for names of penalties. Throws FileError for anything
// not of the form above, StorageError if reading fails.
SearchRecord ReadSearchRecord(const std::filesystem::path& folder);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_SEARCHES_SEARCH_RECORD_H_
