// What is seen of a plan while it is searched for.

#ifndef PLIANT_SOLVERS_SPACETIME_PLAN_SIGHT_H_
#define PLIANT_SOLVERS_SPACETIME_PLAN_SIGHT_H_

#include <Eigen/Core>
#include <cstddef>
#include <functional>
#include <vector>

#include "solvers/spacetime/solve.h"

namespace pliant {

// The plan after an outer iteration.
struct PlanSight {
  size_t start;      // number of its initial guess
  double mesh_step;  // s
  SpacetimeIteration iteration;
  double duration;                      // s, of the motion
  std::vector<Eigen::Matrix3Xd> poses;  // points of the body, at equal times from 0 to its end [m]
};

// Returns false to stop the search.
using PlanWatch = std::function<bool(const PlanSight&)>;

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SPACETIME_PLAN_SIGHT_H_
