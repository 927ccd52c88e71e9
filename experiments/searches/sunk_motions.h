// Motions that a search found below the ground: a cost that asks for nothing that lies in an obstacle, of which the
// formulation lets a part of the body pass, is lowest there.

#ifndef PLIANT_EXPERIMENTS_SEARCHES_SUNK_MOTIONS_H_
#define PLIANT_EXPERIMENTS_SEARCHES_SUNK_MOTIONS_H_

#include <string>
#include <vector>

#include "experiments/bundles/bundle.h"
#include "experiments/searches/search_record.h"

namespace pliant {

// One line for each of the motions (start, best, …) with a body deep in an obstacle (RunOutcome::sunk), and one for the
// best motions of all searches with what to do. Empty where none has.
std::vector<std::string> WarningsOfSunkMotions(const SearchRecord& record,
                                               const std::vector<Bundle>& motions);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_SEARCHES_SUNK_MOTIONS_H_
