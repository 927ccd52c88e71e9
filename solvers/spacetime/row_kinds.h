// What a solve reports of its end: cost and worst violation of each kind of row, and the line that says how it ended.

#ifndef PLIANT_SOLVERS_SPACETIME_ROW_KINDS_H_
#define PLIANT_SOLVERS_SPACETIME_ROW_KINDS_H_

#include <Eigen/Core>
#include <optional>
#include <string>

#include "solvers/spacetime/solve.h"

namespace pliant {

// Adds costs, kinds and the worst violation of the rows, whose values are `values`, in the order of the program.
void AddKinds(const SpacetimeProgram& program, const Eigen::VectorXd& values,
              SpacetimeSummary* summary);

// The largest scaled violation of the rows; NaN if one of them is.
double WorstViolation(const SpacetimeProgram& program, const Eigen::VectorXd& values);

// The worst row violated beyond `tolerance` that no x can mend: one of a term without blocks.
std::optional<int> WorstFixedRow(const SpacetimeProgram& program, const Eigen::VectorXd& values,
                                 double tolerance);

// All that is known of an end at x: termination, cost, violation, residuals, counts of rows, kinds and message.
// `multipliers`: λ of AugmentedLagrangian. `values`: all rows at x.
void ReportEnd(const SpacetimeProgram& program, const SpacetimeOptions& options,
               SpacetimeTermination termination, const Eigen::VectorXd& x,
               const Eigen::VectorXd& multipliers, const Eigen::VectorXd& values,
               SpacetimeSummary* summary);

// Its message, once all else is known.
std::string MessageOf(const SpacetimeSummary& summary);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SPACETIME_ROW_KINDS_H_
