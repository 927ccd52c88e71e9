#include "models/geometry/bernstein.h"

#include <cassert>

namespace pliant {

Eigen::VectorXd Bernstein(int degree, double u) {
  assert(degree >= 0);
  // B_i^n = (1 − u) B_i^{n−1} + u B_{i−1}^{n−1}, degree by degree in place.
  Eigen::VectorXd basis = Eigen::VectorXd::Zero(degree + 1);
  basis[0] = 1.0;
  for (int n = 1; n <= degree; ++n) {
    for (int i = n; i > 0; --i) basis[i] = (1.0 - u) * basis[i] + u * basis[i - 1];
    basis[0] *= 1.0 - u;
  }
  return basis;
}

}  // namespace pliant
