// What a solve reports of rows: cost and worst violation of each kind, and the line that says how it ended.

#ifndef PLIANT_SOLVERS_SPACETIME_ROW_KINDS_H_
#define PLIANT_SOLVERS_SPACETIME_ROW_KINDS_H_

#include <Eigen/Core>
#include <string>

#include "solvers/spacetime/solve.h"

namespace pliant {

// Adds costs, kinds and the worst violation of the rows, whose values are `values`, in the order of the program.
void AddKinds(const SpacetimeProgram& program, const Eigen::VectorXd& values,
              SpacetimeSummary* summary);

// Its message, once all else is known. `stopped`: by whoever watched.
std::string MessageOf(const SpacetimeSummary& summary, bool stopped);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SPACETIME_ROW_KINDS_H_
