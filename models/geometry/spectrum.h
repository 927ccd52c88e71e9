// Eigenvalues and eigenvectors of symmetric matrices of any size. Eigen's solver takes seconds to
// compile wherever it is used, so it is compiled here, once.

#ifndef PLIANT_MODELS_GEOMETRY_SPECTRUM_H_
#define PLIANT_MODELS_GEOMETRY_SPECTRUM_H_

#include <Eigen/Core>

namespace pliant {

struct Spectrum {
  Eigen::VectorXd values;   // ascending
  Eigen::MatrixXd vectors;  // in columns, orthonormal
};
// Only the lower half of `symmetric` is read. O(n³), as all below.
Spectrum SpectrumOf(const Eigen::MatrixXd& symmetric);
Eigen::VectorXd EigenvaluesOf(const Eigen::MatrixXd& symmetric);

// The largest λ of K x = λ M x, M positive definite.
double LargestEigenvalue(const Eigen::MatrixXd& K, const Eigen::MatrixXd& M);

}  // namespace pliant

#endif  // PLIANT_MODELS_GEOMETRY_SPECTRUM_H_
