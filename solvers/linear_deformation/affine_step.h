// One step of semi-implicit Euler for scenes of affine bodies of one size, held by nails and
// attachments: the method of linear_deformation_system.h with all sizes known at compile time, one
// pass over the bodies to the right side of the multipliers, their solution, one pass from them to
// the new state, and no memory but its own.
//
// The explicit step takes the first pass four bodies at a time, a lane for each, so that no sum
// over axes crosses lanes; the second, which treats all coordinates alike, takes them as they stand
// in memory. Both are compiled for wide vectors too (wide_vectors.h). Cost for a link of two masses
// in the plane: about 12 ns, and 700 bytes read or written.
//
// Two treatments of the internal energy V (material.h). C are the columns of R that vary, m =
// C/extent.
//
//   explicit   a = W (Q − ∂V/∂R − ∂D/∂Ṙ + Jᵀ λ),                 stable for h below about 2/ω
//   implicit   (M + h D + h² K) a = Q − ∂V/∂R − ∂D/∂Ṙ − h K Ṙ + Jᵀ λ,   stable for any stiffness
//
// and v⁺ = v + h a, R⁺ = R + h v⁺ in both. The implicit one is a linearly implicit Euler step: it
// evaluates strain and drag at the end of the step, linearised at its beginning, and everything
// else, gravity and multipliers included, as the explicit one does. With e = mᵀm − 1 and the moduli
// a, b of the law at rest,
//
//   K[δm] = 2 m (2 a δe + ½ b tr(δe) 1),   δe = mᵀδm + δmᵀm :
//
// the part of the true derivative that comes from the change of strain. It is never negative, so
// that the matrix is regular, and exact to first order in the strain, which is small where bodies
// are stiff. The other part, 2 δm Σ from the stress Σ that a body already carries, is omitted: a
// step of rotation leaves a strain of h² ω², whose stress is spurious, and it would damp the
// rotation of very stiff bodies. Multipliers solve S' λ = …, S' = J (M + h D + h² K)⁻¹ Jᵀ, of d×d
// blocks with the pattern of S, factorised in every step: O(n) for a chain or a tree.
//
// The energy error is of the order of the step: strain oscillations that it does not resolve
// vanish within a few steps (the residual of the ledger shows their energy), swinging is not
// damped.

#ifndef PLIANT_SOLVERS_LINEAR_DEFORMATION_AFFINE_STEP_H_
#define PLIANT_SOLVERS_LINEAR_DEFORMATION_AFFINE_STEP_H_

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "models/linear_deformation/linear_body.h"
#include "models/linear_deformation/material.h"
#include "models/scene/scene.h"
#include "solvers/linear_deformation/constraint_matrix.h"
#include "solvers/linear_deformation/point_constraints.h"
#include "solvers/simulation.h"

namespace pliant::linear_deformation {

enum class InternalEnergy { kExplicit, kImplicit };

class AffineStep {
 public:
  virtual ~AffineStep() = default;

  // Why the scene cannot use this step; empty when it can.
  static std::string WhyNot(const Scene& scene, const std::vector<LinearBody>& bodies,
                            const LinearMaterial& material);

  // A scene for which WhyNot is empty. `matrix` is that of its constraints and outlives the step.
  static std::unique_ptr<AffineStep> Make(const Scene& scene, const std::vector<LinearBody>& bodies,
                                          const LinearMaterial& material,
                                          const FeedbackOptions& feedback, InternalEnergy treatment,
                                          const ConstraintMatrix& matrix);

  // Moves q and v by h from time t and adds the work of constraints and damping. `forces` are
  // generalized forces besides those of the material, gravity and constraints, in the layout of q;
  // null when there are none. Returns false when some coordinate or rate is no longer below
  // `bound`.
  virtual bool Step(double t, double h, double bound, const double* forces, double* q, double* v,
                    Exchange* work) = 0;
};

}  // namespace pliant::linear_deformation

#endif  // PLIANT_SOLVERS_LINEAR_DEFORMATION_AFFINE_STEP_H_
