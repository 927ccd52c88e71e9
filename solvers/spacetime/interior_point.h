// Solves a spacetime program by an interior-point method with a filter line search, Ipopt [Wächter & Biegler 2006]: the
// program in the standard form of standard_form.h, with the Hessian of its Lagrange function. It finds what the augmented
// Lagrangian does not where many inequalities meet: limits of torque, little friction.
//
// MUMPS factorises, in one thread: the same program gives the same bytes, with the same number of threads of BLAS (hundreds of iterations
// may magnify a difference in rounding to another optimum). One solve at a time in a process, as
// MUMPS keeps what it works on in variables of its modules; others wait.

#ifndef PLIANT_SOLVERS_SPACETIME_INTERIOR_POINT_H_
#define PLIANT_SOLVERS_SPACETIME_INTERIOR_POINT_H_

#include <Eigen/Core>
#include <string>

#include "solvers/spacetime/program.h"
#include "solvers/spacetime/solve.h"

namespace pliant {

// Was this program built with Ipopt?
bool HasInteriorPoint();
inline constexpr char kNoInteriorPoint[] =
    "the interior-point method needs Ipopt, without which this program was built";
inline constexpr char kHowToGetIt[] = "install coinor-libipopt-dev and build it again";
// Throws BadInput at `where` if not.
void RequireInteriorPoint(const std::string& where);

// As Solve(), which see for the arguments; multipliers are only received. Budgets, watch and cancellation count at each
// iteration. Ends as infeasible only where no x can mend a row; otherwise as not found, at the least violated motion seen: where
// this method gives up proves nothing. Throws std::logic_error without Ipopt.
SpacetimeSummary SolveByInteriorPoint(const SpacetimeProgram& program,
                                      const SpacetimeOptions& options, Eigen::VectorXd* x,
                                      Eigen::VectorXd* multipliers = nullptr);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SPACETIME_INTERIOR_POINT_H_
