// Condition numbers of small symmetric matrices.

#ifndef PLIANT_SOLVERS_LINEAR_ALGEBRA_CONDITION_H_
#define PLIANT_SOLVERS_LINEAR_ALGEBRA_CONDITION_H_

#include <Eigen/Core>

namespace pliant {

// λ_max/λ_min of a symmetric positive semidefinite matrix; infinite when it is singular to working
// precision, NaN when it is empty or not finite. O(n³): for observation, not for every step.
double ConditionNumber(const Eigen::Ref<const Eigen::MatrixXd>& matrix);

// The same for D⁻¹ᐟ² M D⁻¹ᐟ², D = diag(M): free of the units of the coordinates.
double EquilibratedConditionNumber(const Eigen::Ref<const Eigen::MatrixXd>& matrix);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_LINEAR_ALGEBRA_CONDITION_H_
