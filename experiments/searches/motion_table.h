// The motions of a search, side by side: the cost of each, the parts of the cost, and how well it
// satisfies the conditions that trajectory optimisation states as constraints.

#ifndef PLIANT_EXPERIMENTS_SEARCHES_MOTION_TABLE_H_
#define PLIANT_EXPERIMENTS_SEARCHES_MOTION_TABLE_H_

#include <filesystem>
#include <vector>

#include "experiments/bundles/bundle.h"
#include "experiments/searches/search_record.h"
#include "solvers/translation.h"

namespace pliant {

// A column for the start and the best motion and for each of the others; a row for the cost, for
// each term, for each of these figures of its bundle (headline.h), and for the seconds of computing
// until it was found:
//
//   residual_energy_relative    the laws of motion: energy that no force accounts for
//   floor_cone_excess_max_N     the friction cone
//   hinge_excess_max_rad        limits of hinges
//   penetration_max_m           the ground
//
// Rows in which nothing is defined are left out, and so are figures of bundles that are not given.
FindingTable TableOfMotions(const SearchRecord& record, const std::vector<Bundle>& bundles);

// The bundles of start, best and others, as far as they are in the folder of the record. Throws
// what Bundle::Open throws.
std::vector<Bundle> OpenMotions(const SearchRecord& record, const std::filesystem::path& folder);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_SEARCHES_MOTION_TABLE_H_
