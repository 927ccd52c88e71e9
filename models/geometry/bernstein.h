// Bernstein polynomials, the basis of Bézier lattices [Faloutsos 1995, Eq. 4.1]:
//
//   B_i^n(u) = C(n,i) (1 − u)^{n−i} u^i,   i = 0 … n.
//
// The source prints B(s,i) without the binomial coefficient where it names the symbols (under
// Eq. 4.3 and in Appendix A); Eq. 4.1 has it, and without it the basis does not sum to one.

#ifndef PLIANT_MODELS_GEOMETRY_BERNSTEIN_H_
#define PLIANT_MODELS_GEOMETRY_BERNSTEIN_H_

#include <Eigen/Core>

namespace pliant {

// The degree+1 polynomials at u, which may lie outside [0, 1]. They sum to one and Σ i/n B_i = u.
// degree ≥ 0. O(degree²).
Eigen::VectorXd Bernstein(int degree, double u);

}  // namespace pliant

#endif  // PLIANT_MODELS_GEOMETRY_BERNSTEIN_H_
