// The distance between two parts of surfaces as a function of the products of their edge vectors.
//
//   point and face   r = (p − a, b − a, c − a)   |r₀ − u r₁ − v r₂|,  u, v ≥ 0, u + v ≤ 1
//   edge and edge    r = (c − a, b − a, d − c)   |r₀ − u r₁ + v r₂|,  u, v ∈ [0, 1]
//   point and edge   r = (p − a, b − a, 0)       |r₀ − u r₁|,         u ∈ [0, 1]
//
// With the Gram matrix C = rᵀr the squared distance is D(C) = min zᵀ C z over z = (1, −u, ∓v), so that
// ∂D/∂C = z zᵀ at the minimum, whichever corners, sides or faces are closest. C is objective, and
// quadratic in the corners: a discrete gradient in C keeps energy, momentum and angular momentum
// [Gonzalez 2000].

#ifndef PLIANT_MODELS_CONTACT_PAIR_GAP_H_
#define PLIANT_MODELS_CONTACT_PAIR_GAP_H_

#include <Eigen/Core>

namespace pliant {

enum class PairKind { kPointFace, kEdgeEdge, kPointEdge };

struct PairGap {
  double squared;     // D [m²]
  Eigen::Vector3d z;  // the minimum
};
PairGap GapOf(PairKind kind, const Eigen::Matrix3d& gram);

// r = corners · PairVectors(kind), 4×3: corners in the order of continuous.h (p a b c, a b c d, p a b).
Eigen::Matrix<double, 4, 3> PairVectors(PairKind kind);

// How far, from 0 to `most` ≤ 1, the corners may go straight from `from` to `to` while at least the part `left` < 1 of their gap
// stays: the gap changes by no more than the fastest corners of both parts move relative to the mean of all, so that it can be
// gone through by what is left of it [Li et al. 2021, Alg. 1]. It ends where at most half as much again as `left` asks for
// is left, or after 50 gaps.
double FreeWay(PairKind kind, const Eigen::Matrix<double, 3, 4>& from,
               const Eigen::Matrix<double, 3, 4>& to, double left, double most);

}  // namespace pliant

#endif  // PLIANT_MODELS_CONTACT_PAIR_GAP_H_
