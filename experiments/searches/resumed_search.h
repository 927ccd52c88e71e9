// Where a search that was stopped is found again.

#ifndef PLIANT_EXPERIMENTS_SEARCHES_RESUMED_SEARCH_H_
#define PLIANT_EXPERIMENTS_SEARCHES_RESUMED_SEARCH_H_

#include <filesystem>
#include <string>

#include "experiments/searches/run_searches.h"

namespace pliant {

// Whether --resume would find a search to go on with.
bool HasSearchToResume(const SearchPlan& plan, const std::filesystem::path& out);

// Which of `name`, `name`-2, … a resumed search goes on with, up to the first under which `out` has no search: one of
// the same file that has not ended, else one of the same file, else one of the same file but for the number of trials and
// the seconds; of several the first. The plan's own name where there is none, which RunSearches() then refuses.
std::string NameForResumedSearch(const SearchPlan& plan, const std::filesystem::path& out);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_SEARCHES_RESUMED_SEARCH_H_
