// Probes that are elsewhere on other rungs of a ladder: the point [4, 1, 1] of a grid is another material point where the grid is
// finer, and no limit of what it measures means anything.

#ifndef PLIANT_EXPERIMENTS_REFINEMENT_MOVED_PROBES_H_
#define PLIANT_EXPERIMENTS_REFINEMENT_MOVED_PROBES_H_

#include <string>
#include <vector>

#include "experiments/refinement/ladder.h"

namespace pliant {

// A sentence for each probe of which a place in its rest shape is farther from that of the coarsest rung than a
// hundredth of the size of its body: where it is, and how to name a place instead.
std::vector<std::string> MovedProbes(const Ladder& ladder);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_REFINEMENT_MOVED_PROBES_H_
