// What the material of a linearly deformable body stores and dissipates: the potentials and drags
// of a deformation gradient (energies.h), averaged over the samples of the body.
//
//   V_e(R) = 1/N Σ V_e(m_n),   V_c(R) = 1/N Σ V_c(m_n),   m_n = R ∂p/∂r(r_n)
//   Q = − (1 + k_d V̇_e) ∂V_e/∂R − (1 + k_d V̇_c) ∂V_c/∂R − ∂D/∂Ṙ
//
// k_d V̇ ∂V/∂R is the source's damping [Witkin & Welch 1990, Sec. 2.4], applied to each potential by
// itself (the source leaves it open). D is the linear drag, with c = damping · Σ m|r|² / (4 μ), so
// that a body of equal extents that dilates freely loses its speed at the rate `damping`.

#ifndef PLIANT_MODELS_LINEAR_DEFORMATION_MATERIAL_H_
#define PLIANT_MODELS_LINEAR_DEFORMATION_MATERIAL_H_

#include <Eigen/Core>
#include <optional>

#include "models/linear_deformation/linear_body.h"

namespace pliant {

struct LinearMaterial {
  double stretch_stiffness = 1000.0;  // k_e [J] ≥ 0
  double volume_stiffness = 1000.0;   // k_c [J] ≥ 0; no effect where m is not square
  double damping = 2.0;               // 1/s ≥ 0, linear, on the rate of strain only
  double source_damping = 0.0;        // k_d [1/W] ≥ 0
};

using CoordinatesRef = Eigen::Ref<const Eigen::VectorXd>;

// V_e + V_c [J] at coordinates q (d k). O(k d μ samples), as all below.
double DeformationEnergy(const LinearBody& body, const LinearMaterial& material,
                         const CoordinatesRef& q);

// Adds Q (d k) of potentials and damping at coordinates q and rates v; returns the power of the
// damping [W] ≤ 0. Allocates nothing.
double AddMaterialForces(const LinearBody& body, const LinearMaterial& material,
                         const CoordinatesRef& q, const CoordinatesRef& v,
                         Eigen::Ref<Eigen::VectorXd> force);

// Smallest det m of all samples; ≤ 0 where the body is collapsed or mirrored. Not defined unless m
// is square.
std::optional<double> SmallestDeterminant(const LinearBody& body, const CoordinatesRef& q);

// The fastest of the body's small motions about its undeformed shape, without constraints.
struct StiffestMotion {
  double frequency = 0.0;  // rad/s, of the potentials
  double decay = 0.0;      // 1/s, of the linear damping
};
// O((d k)³).
StiffestMotion FindStiffestMotion(const LinearBody& body, const LinearMaterial& material);

}  // namespace pliant

#endif  // PLIANT_MODELS_LINEAR_DEFORMATION_MATERIAL_H_
