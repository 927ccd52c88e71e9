// The trials of a search so far, stored while it runs. Each trial is written in one piece as soon
// as it ends: a killed search loses only the present trial.
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

#include "experiments/searches/search_record.h"

namespace pliant {

inline constexpr char kResolvedFile[] = "optimize.toml";

class HistoryLog {
 public:
  // Creates a new log at `folder`, in one step: existing contents stay until then. `resolved` is
  // the whole file; the record determines the columns, and contains the trials that are already
  // known. Throws StorageError, as does everything below.
  HistoryLog(const std::filesystem::path& folder, const std::string& resolved,
             const SearchRecord& record);
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
// searches define the columns. An incomplete last line is skipped. Throws FileError for anything
// else that is not of the form above, StorageError for what cannot be read.
void ReadHistoryLog(const std::filesystem::path& folder, SearchRecord* record);

// To be called after the search, when its trials are stored elsewhere. Throws StorageError.
void RemoveHistoryLog(const std::filesystem::path& folder);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_SEARCHES_HISTORY_LOG_H_
