// Gauss–Legendre quadrature.

#ifndef PLIANT_MODELS_GEOMETRY_QUADRATURE_H_
#define PLIANT_MODELS_GEOMETRY_QUADRATURE_H_

#include <Eigen/Core>

namespace pliant {

// ∫₀¹ f(s) ds ≈ Σ weights_i f(nodes_i), exact for polynomials up to degree 2 n − 1.
struct QuadratureRule {
  Eigen::VectorXd nodes;    // n, ascending in (0, 1)
  Eigen::VectorXd weights;  // n, > 0, summing to one
};

// n ≥ 1 points. O(n³).
QuadratureRule GaussLegendre(int n);

}  // namespace pliant

#endif  // PLIANT_MODELS_GEOMETRY_QUADRATURE_H_
