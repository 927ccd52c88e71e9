// The blocks that the terms of a lamp touch.

#ifndef PLIANT_SOLVERS_SPACETIME_LAMP_ROWS_H_
#define PLIANT_SOLVERS_SPACETIME_LAMP_ROWS_H_

#include <vector>

#include "solvers/spacetime/lamp_terms.h"
#include "solvers/spacetime/plan_rows.h"

namespace pliant {

inline std::vector<int> BlocksOf(const std::vector<LampNodeMap>& nodes,
                                 const PhaseClock& clock = {1.0}) {
  std::vector<int> blocks;
  for (const LampNodeMap& node : nodes) {
    if (node.block != LampNodeMap::kGiven) blocks.push_back(node.block);
  }
  if (clock.block) blocks.push_back(*clock.block);
  return blocks;
}

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SPACETIME_LAMP_ROWS_H_
