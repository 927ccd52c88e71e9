// What several terms of the lamp share: the blocks that they touch, the rows of the friction cone, and the scales of rows.

#ifndef PLIANT_SOLVERS_SPACETIME_LAMP_ROWS_H_
#define PLIANT_SOLVERS_SPACETIME_LAMP_ROWS_H_

#include <vector>

#include "solvers/spacetime/lamp_terms.h"

namespace pliant {

// Scales that make one violation comparable with another; tuned for lamps of about this size.
constexpr double kMomentScale = 10.0;  // per N·m, or N·m·s

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

inline std::vector<int> BlocksOf(const std::vector<LampNodeMap>& nodes,
                                 const LampClock& clock = {1.0}) {
  std::vector<int> blocks;
  for (const LampNodeMap& node : nodes) {
    if (node.block != LampNodeMap::kGiven) blocks.push_back(node.block);
  }
  if (clock.block) blocks.push_back(*clock.block);
  return blocks;
}

// Rows of the cone of two contact points at the ends of the base, from (F_x, F_y, M_c):
// linear, so the same function maps values and derivatives.
constexpr int kConeRows = 4;
template <typename Contact, typename Put>
void Cone(double friction, double half_width, const Contact& contact, const Put& put) {
  put(0, friction * contact[1] - contact[0]);
  put(1, friction * contact[1] + contact[0]);
  put(2, half_width * contact[1] - contact[2]);
  put(3, half_width * contact[1] + contact[2]);
}

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SPACETIME_LAMP_ROWS_H_
