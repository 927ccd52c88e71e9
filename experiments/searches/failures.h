// Why trials of a search made no motion.

#ifndef PLIANT_EXPERIMENTS_SEARCHES_FAILURES_H_
#define PLIANT_EXPERIMENTS_SEARCHES_FAILURES_H_

#include "experiments/searches/search_record.h"
#include "solvers/translation.h"

namespace pliant {

// A row for each reason with the number of trials that it ended, the most frequent first, five at most. Reasons that
// differ in numbers only ("diverged at step 2") are one, in the words of the first. No row where no trial failed.
FindingTable TableOfFailures(const SearchRecord& record);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_SEARCHES_FAILURES_H_
