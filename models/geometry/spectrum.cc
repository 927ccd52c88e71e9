#include "models/geometry/spectrum.h"

#include <Eigen/Eigenvalues>

namespace pliant {

using Eigen::MatrixXd;
using Eigen::VectorXd;

Spectrum SpectrumOf(const MatrixXd& symmetric) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(symmetric);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

VectorXd EigenvaluesOf(const MatrixXd& symmetric) {
  return Eigen::SelfAdjointEigenSolver<MatrixXd>(symmetric, Eigen::EigenvaluesOnly).eigenvalues();
}

double LargestEigenvalue(const MatrixXd& K, const MatrixXd& M) {
  if (K.isZero(0.0)) return 0.0;
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver(
      K, M, Eigen::EigenvaluesOnly | Eigen::Ax_lBx);
  return solver.eigenvalues()[K.rows() - 1];
}

}  // namespace pliant
