// A trial as a row of numbers, and back: the columns of history.csv (search_record.h).

#ifndef PLIANT_EXPERIMENTS_SEARCHES_TRIAL_ROWS_H_
#define PLIANT_EXPERIMENTS_SEARCHES_TRIAL_ROWS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/searches/search_record.h"

namespace pliant {

using TrialRow = std::vector<std::optional<double>>;

// Names of the columns, for the terms and numbers of the record.
std::vector<std::string> TrialColumns(const SearchRecord& record);

// Infinite unless the trial has a finite cost.
double RecordedCost(const Trial& trial);

// `search` from 0, `evaluation` from 1.
TrialRow RowOf(size_t search, std::int64_t evaluation, const Trial& trial);

// Adds the trial of a row to the history of its search. A trial that failed says "failed". Throws
// FileError that begins with `path` when the record has no such search, or another trial comes
// next in it.
Trial& AddTrialOf(const TrialRow& row, const std::string& path, SearchRecord* record);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_SEARCHES_TRIAL_ROWS_H_
