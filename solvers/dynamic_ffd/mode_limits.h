// Limits l ≤ γ ≤ u of modes: hard stops without bounce. The source states |γ| ≤ 1 and never
// enforces it.
//
// A mode that ends a step beyond a limit is put back on it at constant generalized momentum M v,
// and one that then still moves outwards is stopped by impulses λ on the amplitudes alone,
//
//   v⁺ = M(q⁺)⁻¹ M(q) v,      v ← v + M⁻¹ e_k λ,   λ = −γ̇_k / (M⁻¹)_kk,
//
// which have no net force or torque: linear and angular momentum are conserved, energy is lost.

#ifndef PLIANT_SOLVERS_DYNAMIC_FFD_MODE_LIMITS_H_
#define PLIANT_SOLVERS_DYNAMIC_FFD_MODE_LIMITS_H_

#include <Eigen/Core>

#include "solvers/dynamic_ffd/ffd_part.h"

namespace pliant::dynamic_ffd {

// Is some amplitude beyond its limits, or on one and moving outwards? O(D).
bool MeetsLimit(const FfdPart& part, const VectorRef& q, const VectorRef& v);

// Puts (q, v) of the part back as above. False when M is singular.
bool StopAtLimits(const FfdPart& part, MutableVectorRef q, MutableVectorRef v);

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_SOLVERS_DYNAMIC_FFD_MODE_LIMITS_H_
