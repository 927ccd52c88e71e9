#include "solvers/linear_algebra/bordered_cholesky.h"

namespace pliant {

std::optional<Eigen::MatrixXd> InverseOfFactor(const Eigen::MatrixXd& C) {
  const Eigen::LLT<Eigen::MatrixXd> factor(C);
  if (factor.info() != Eigen::Success) return std::nullopt;
  return factor.matrixL().solve(Eigen::MatrixXd::Identity(C.rows(), C.cols()));
}

}  // namespace pliant
