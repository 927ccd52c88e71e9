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
// Three treatments of the internal energy V (material.h). C are the columns of R that vary, m =
// C/extent, e = mᵀm − 1; a and b are the moduli of the law at rest, and
//
//   F(δe) = 2 m (2 a δe + ½ b tr(δe) 1)
//
// is the change of ∂V/∂m by a change of the strain.
//
//   explicit     a = W (Q − ∂V/∂R − ∂D/∂Ṙ + Jᵀ λ),             stable for h below about 2/ω
//   implicit     a = W (Q − ∂V/∂R − F(e⁺ − e) − ∂D/∂Ṙ⁺ + Jᵀ λ),   stable for any stiffness
//   linearised   the same with e⁺ − e ≈ h (ṁ⁺ᵀ m + mᵀ ṁ⁺)
//
// and v⁺ = v + h a, R⁺ = R + h v⁺ in all. The implicit ones evaluate strain and drag at the end of
// the step, and everything else, gravity and multipliers included, as the explicit one does. Their
// stress acts along m of the beginning: it has no moment there, so that the spin is kept to
// rounding, and a rotation is not damped. With ever stiffer bodies the implicit treatment becomes
// that of a rigid body by the lengths at the end of each step and forces along those at its
// beginning (SHAKE): symplectic, so that the energy of a rotation oscillates and does not drift.
//
// e⁺ − e = h (ṁ⁺ᵀ m + mᵀ ṁ⁺) + h² ṁ⁺ᵀ ṁ⁺ is quadratic in v⁺. Quasi-Newton iteration: K of the linear
// part, with K[δm] = F(mᵀδm + δmᵀm), is the matrix of all iterations,
//
//   (M + h D + h² K) a = Q − ∂V/∂R − ∂D/∂Ṙ − h K Ṙ − F(h² ṁ⁺ᵀ ṁ⁺) + Jᵀ λ
//
// with the last term from the iterate before. It is never negative, so that the matrix is regular;
// an iteration multiplies the error by about h ω of the rotation, whatever the stiffness. Where a
// body turns by about a radian there may be no solution: the step is halved until there is one.
// The multipliers solve S' λ = …, S' = J (M + h D + h² K)⁻¹ Jᵀ, of d×d blocks with the pattern of S
// (affine_couplings.h), factorised once in every step: O(n) for a chain or a tree.
//
// Where many constraints hold the same bodies, S' is that of their rows reduced to the rank of the
// bodies (row_reduction.h): its span does not depend on the state.
//
// The linearised treatment is the first iterate without that term. A step of a rotation by h ω
// then leaves a strain of h² ω², whose energy nothing paid for: k h⁴ ω⁴, without bound in the
// stiffness k. It is here to be compared with.
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
#include "solvers/linear_deformation/feedback_options.h"
#include "solvers/simulation.h"

namespace pliant::linear_deformation {

enum class InternalEnergy { kExplicit, kImplicit, kLinearised };

class AffineStep {
 public:
  virtual ~AffineStep() = default;

  // Why the scene cannot use this step; empty when it can.
  static std::string WhyNot(const Scene& scene, const std::vector<LinearBody>& bodies,
                            const std::vector<LinearMaterial>& materials);

  // A scene for which WhyNot is empty; one material for each body. `matrix` is that of its constraints and outlives the step.
  static std::unique_ptr<AffineStep> Make(const Scene& scene, const std::vector<LinearBody>& bodies,
                                          const std::vector<LinearMaterial>& materials,
                                          const FeedbackOptions& feedback, InternalEnergy treatment,
                                          const ConstraintMatrix& matrix);

  // Moves q and v by h from time t and adds the work of constraints and damping, and the momentum
  // from nails and gravity. `forces` are generalized forces besides those of the material, gravity
  // and constraints, in the layout of q; null when there are none. Returns false when some
  // coordinate or rate is no longer below `bound`.
  virtual bool Step(double t, double h, double bound, const double* forces, double* q, double* v,
                    Exchange* work) = 0;

  // True if the iteration of the last step converged.
  virtual bool converged() const { return true; }
};

}  // namespace pliant::linear_deformation

#endif  // PLIANT_SOLVERS_LINEAR_DEFORMATION_AFFINE_STEP_H_
