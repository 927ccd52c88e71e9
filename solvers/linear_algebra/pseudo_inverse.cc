#include "solvers/linear_algebra/pseudo_inverse.h"

#include <Eigen/Eigenvalues>

namespace pliant {

Eigen::Matrix3d PseudoInverse(const Eigen::Matrix3d& matrix, double limit) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(matrix);
  Eigen::Vector3d inverse = solver.eigenvalues();
  for (double& value : inverse) value = value > limit ? 1.0 / value : 0.0;
  return solver.eigenvectors() * inverse.asDiagonal() * solver.eigenvectors().transpose();
}

}  // namespace pliant
