// What a search has tried so far, kept while it runs. Each trial is handed to the system in one
// piece as soon as there is one: a search that is killed has lost the trial at hand and no other.
//
//   out/<experiment>/.optimize.unfinished/
//     optimize.toml   the whole file, everything resolved
//     trials.csv      the columns of history.csv, and why a trial failed, as a JSON text;
//                     the trials of several searches in the order of the clock

#ifndef PLIANT_EXPERIMENTS_SEARCHES_HISTORY_LOG_H_
#define PLIANT_EXPERIMENTS_SEARCHES_HISTORY_LOG_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "experiments/searches/optimization_record.h"

namespace pliant {

inline constexpr char kResolvedFile[] = "optimize.toml";

class HistoryLog {
 public:
  // Puts a new log in place at `folder`, in one step: what is there already stays until then.
  // `resolved` is the whole file; the record says the columns, and holds the trials that are known
  // already. Throws StorageError, as does everything below.
  HistoryLog(const std::filesystem::path& folder, const std::string& resolved,
             const OptimizationRecord& record);
  ~HistoryLog();
  HistoryLog(const HistoryLog&) = delete;
  HistoryLog& operator=(const HistoryLog&) = delete;

  // The next trial of a search, numbered from 0.
  void Add(size_t search, const Trial& trial);

 private:
  std::vector<std::int64_t> evaluations_;  // by search
  std::filesystem::path path_;
  int descriptor_ = -1;  // of the file of trials; without a buffer, unlike OutputFile
};

// Adds the trials of the log at `folder` to the histories of `record`, whose terms, numbers and
// searches say what is to be found. A last line that is not whole is passed over. Throws FileError
// for anything else that is not of the form above, StorageError for what cannot be read.
void ReadHistoryLog(const std::filesystem::path& folder, OptimizationRecord* record);

// For when the search is over, and its trials are somewhere else. Throws StorageError.
void RemoveHistoryLog(const std::filesystem::path& folder);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_SEARCHES_HISTORY_LOG_H_
