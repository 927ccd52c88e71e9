#include "solvers/linear_algebra/condition.h"

#include <limits>

#include "models/geometry/spectrum.h"

namespace pliant {

double ConditionNumber(const Eigen::Ref<const Eigen::MatrixXd>& matrix) {
  if (matrix.size() == 0 || !matrix.allFinite()) return std::numeric_limits<double>::quiet_NaN();
  const Eigen::VectorXd eigenvalues = EigenvaluesOf(matrix);
  const double largest = eigenvalues[eigenvalues.size() - 1], smallest = eigenvalues[0];
  const double zero =
      largest * static_cast<double>(matrix.rows()) * std::numeric_limits<double>::epsilon();
  if (smallest <= zero) return std::numeric_limits<double>::infinity();
  return largest / smallest;
}

double EquilibratedConditionNumber(const Eigen::Ref<const Eigen::MatrixXd>& matrix) {
  const Eigen::VectorXd diagonal = matrix.diagonal();
  if (matrix.size() > 0 && !(diagonal.minCoeff() > 0.0)) {
    return std::numeric_limits<double>::infinity();
  }
  const Eigen::VectorXd scale = diagonal.cwiseSqrt().cwiseInverse();
  return ConditionNumber(scale.asDiagonal() * matrix * scale.asDiagonal());
}

}  // namespace pliant
