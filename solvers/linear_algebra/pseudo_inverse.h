#ifndef PLIANT_SOLVERS_LINEAR_ALGEBRA_PSEUDO_INVERSE_H_
#define PLIANT_SOLVERS_LINEAR_ALGEBRA_PSEUDO_INVERSE_H_

#include <Eigen/Core>

namespace pliant {

// The inverse of a symmetric positive semidefinite matrix on the directions whose eigenvalue is
// above `limit`, zero on the others. Allocates nothing.
Eigen::Matrix3d PseudoInverse(const Eigen::Matrix3d& matrix, double limit);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_LINEAR_ALGEBRA_PSEUDO_INVERSE_H_
