// How far a point of a spacetime program is from the first-order conditions of an optimum [Nocedal &
// Wright 2006, Thm. 12.1]. With the Lagrange function
//
//   𝓛(x; y, z) = J(x) + Σ_j y_j c_j(x) − Σ_k z_k g_k(x),      z_k ≥ 0
//
// in the notation of program.h, rows in their own units:
//
//   stationarity      ‖∇𝓛‖∞ / ‖∇J‖∞           over all unknowns, whatever their units
//   complementarity   max_k |z_k g_k| / J
//   feasibility       the largest scaled violation, s|c| or s·max(0, −g)
//
// The quotients are pure numbers: 0 at an optimum, of the order of 1 where nothing is balanced.

#ifndef PLIANT_SOLVERS_SPACETIME_OPTIMALITY_H_
#define PLIANT_SOLVERS_SPACETIME_OPTIMALITY_H_

#include <Eigen/Core>

#include "solvers/spacetime/program.h"

namespace pliant {

struct OptimalityResiduals {
  double stationarity = 0.0;
  double complementarity = 0.0;
  double feasibility = 0.0;
};

// y and z of each row [unit of J per unit of the row], 0 for cost, from the multipliers λ of
// AugmentedLagrangian: that is half the size of J and weighs its rows, so y = 2 ω s λ, and so is z.
Eigen::VectorXd RowMultipliers(const SpacetimeProgram& program, const Eigen::VectorXd& multipliers);
// λ from y and z.
Eigen::VectorXd LagrangianMultipliers(const SpacetimeProgram& program,
                                      const Eigen::VectorXd& row_multipliers);

// `row_multipliers`: y and z, one for each row. `values`: all rows at x, where they are known; evaluates
// the terms once, with derivatives.
OptimalityResiduals ResidualsAt(const SpacetimeProgram& program, const Eigen::VectorXd& x,
                                const Eigen::VectorXd& row_multipliers,
                                const Eigen::VectorXd& values);
OptimalityResiduals ResidualsAt(const SpacetimeProgram& program, const Eigen::VectorXd& x,
                                const Eigen::VectorXd& row_multipliers);

// The largest cosine of the angle between the violations w_j, √ω s c or √ω s min(0, g) of each row, and
// their derivatives by one unknown [Moré, Garbow & Hillstrom 1980, the test gtol of lmdif]: 0 where
// ½ Σ w² is stationary, so that with y = ω s² c the linearised constraints contradict each other,
// Σ y ∇c = 0 although Σ y c > 0; 0 also where nothing is violated.
double ViolationCosine(const SpacetimeProgram& program, const Eigen::VectorXd& x);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SPACETIME_OPTIMALITY_H_
