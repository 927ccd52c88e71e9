// The numbers that a search found, beside those with which it began and their bounds.

#ifndef PLIANT_EXPERIMENTS_SEARCHES_NUMBER_TABLE_H_
#define PLIANT_EXPERIMENTS_SEARCHES_NUMBER_TABLE_H_

#include "experiments/searches/search_record.h"
#include "solvers/translation.h"

namespace pliant {

// A row for each number: start, best, bounds, and whether the best one is at a bound, where a better motion may lie
// beyond. Its remark says what the best motion is a file of. No row where no trial made a motion.
FindingTable TableOfNumbers(const SearchRecord& record);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_SEARCHES_NUMBER_TABLE_H_
