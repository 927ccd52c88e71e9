// Equilibrium under dead loads: Newton's iteration with a line search on the potential energy
// Π(q) = E(q) − f · q, in load steps that are halved where an iteration fails.

#ifndef PLIANT_SOLVERS_FINITE_ELEMENTS_STATICS_H_
#define PLIANT_SOLVERS_FINITE_ELEMENTS_STATICS_H_

#include <Eigen/Core>
#include <vector>

#include "solvers/finite_elements/discretisation.h"
#include "solvers/finite_elements/reduction.h"

namespace pliant::finite_elements {

struct StaticLoad {
  Eigen::Matrix3Xd force;       // 3×m on the nodes [N], dead
  std::vector<LinearRow> rows;  // constraints on the unknowns 3 node + axis
  Eigen::VectorXd begin, end;   // of the rows, at no and at full load [m]
};

struct StaticOptions {
  int load_steps = 1;
  double tolerance = 1e-10;  // of the largest unbalanced force, relative to the largest nodal force
  int most_iterations = 50;  // of each load step
  int most_halvings = 12;    // of a load step
};

struct StaticSolution {
  bool converged = false;
  int iterations = 0;
  double unbalanced = 0.0;  // N, largest force that is left
};

// Starts from q, which satisfies the rows at `begin`, and ends with q under the full load, or the
// last part of it that was reached. Each iteration assembles and factorises once.
StaticSolution SolveStatics(const Discretisation& bodies, const StaticLoad& load,
                            const StaticOptions& options, Eigen::Matrix3Xd* q);

}  // namespace pliant::finite_elements

#endif  // PLIANT_SOLVERS_FINITE_ELEMENTS_STATICS_H_
