#include "models/geometry/quadrature.h"

#include <cassert>
#include <cmath>

#include "models/geometry/spectrum.h"

namespace pliant {

// Nodes are the eigenvalues of the Jacobi matrix of the Legendre polynomials, weights the squares
// of the first entries of its eigenvectors [Golub & Welsch 1969].
QuadratureRule GaussLegendre(int n) {
  assert(n >= 1);
  Eigen::MatrixXd jacobi = Eigen::MatrixXd::Zero(n, n);
  for (int i = 1; i < n; ++i) {
    jacobi(i, i - 1) = jacobi(i - 1, i) = i / std::sqrt(4.0 * i * i - 1.0);
  }
  const Spectrum spectrum = SpectrumOf(jacobi);
  return {(0.5 * (spectrum.values.array() + 1.0)).matrix(),
          spectrum.vectors.row(0).cwiseAbs2().transpose()};
}

}  // namespace pliant
