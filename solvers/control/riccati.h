// The linear regulator: of all inputs u of ẋ = A x + B u the one that minimises
//
//   ∫ xᵀ Q x + uᵀ u dt + xᵀ(T) S_T x(T)
//
// is u = −Bᵀ S x, where xᵀ S x is the least cost from now on, and S follows Riccati's equation backwards in time,
//
//   −Ṡ = Aᵀ S + S A − S B Bᵀ S + Q,   S(T) = S_T  [Anderson & Moore 1990, Sec. 2.3].
//
// S = Y X⁻¹, where (X; Y) follows the linear equation d/dt (X; Y) = H (X; Y) with
//
//   H = ( A   −B Bᵀ )
//       ( −Q  −Aᵀ   ).

#ifndef PLIANT_SOLVERS_CONTROL_RICCATI_H_
#define PLIANT_SOLVERS_CONTROL_RICCATI_H_

#include <Eigen/Core>
#include <optional>

namespace pliant {

// Of ẋ = A x + B u.
struct LinearSystem {
  Eigen::MatrixXd a;  // n×n
  Eigen::MatrixXd b;  // n×m
};

// S `step` seconds before it is `after`, exact where A, B, Q are constant: (X; Y) by the exponential of −step H. With
// the matrices of the middle of the step it is of second order where they vary, for any stiffness.
Eigen::MatrixXd RiccatiBefore(const LinearSystem& system, const Eigen::MatrixXd& q,
                              const Eigen::MatrixXd& after, double step);

// S that stays, for T → ∞: (1; S) spans the stable invariant subspace of H, the kernel of sign(H) + 1 [Roberts 1980], which needs no
// eigenvectors. Absent where there is none: (A, B) cannot be stabilised, a motion that does not decay costs nothing, or rounding
// cannot tell.
std::optional<Eigen::MatrixXd> StationaryRiccati(const LinearSystem& system,
                                                 const Eigen::MatrixXd& q);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_CONTROL_RICCATI_H_
