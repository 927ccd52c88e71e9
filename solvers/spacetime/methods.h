// Which of the two methods, augmented Lagrangian (solve.h) and interior point (interior_point.h), solves a program.

#ifndef PLIANT_SOLVERS_SPACETIME_METHODS_H_
#define PLIANT_SOLVERS_SPACETIME_METHODS_H_

#include <Eigen/Core>
#include <string>
#include <utility>
#include <vector>

#include "solvers/spacetime/program.h"
#include "solvers/spacetime/solve.h"

namespace pliant {

// Of several solutions the cheapest counts.
enum class SpacetimeStrategy {
  kAugmentedLagrangian,
  kInteriorPoint,
  // The augmented Lagrangian; where it does not converge, also the interior point, from the same guess and from where the
  // first got to. Without Ipopt the augmented Lagrangian alone, and the message says so.
  kEither,
  kBoth,  // the interior point also where the augmented Lagrangian converges, from both, too
};
const std::vector<std::pair<std::string, SpacetimeStrategy>>& StrategyWords();
// The word for one method.
std::string WordOf(SpacetimeMethod method);

// Does it need Ipopt?
bool NeedsInteriorPoint(SpacetimeStrategy strategy);

// The violation that is acceptable at the end of a search on a mesh of so many intervals. Accelerations are second differences, so
// that their rounding error grows as n²: on meshes of more than 34 (a jump of 0.7 s in steps of 0.02 s) it may be up to
// violation_tolerance · (n/34)².
double AcceptableViolation(const SpacetimeOptions& options, int intervals);

// As Solve(). The summary says which method found x, and counts the effort of all. All share the budgets of `options`.
SpacetimeSummary SolveBy(SpacetimeStrategy strategy, const SpacetimeProgram& program,
                         const SpacetimeOptions& options, Eigen::VectorXd* x,
                         Eigen::VectorXd* multipliers = nullptr,
                         MinimizerFactory make_minimizer = MakeCeresMinimizer);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SPACETIME_METHODS_H_
