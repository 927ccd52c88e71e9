// Stability limits of the step for linearly deformable bodies under constraints. Constraints only
// remove motions, so the bodies alone bound the step; but the closing of a gap is a motion of its
// own.

#ifndef PLIANT_SOLVERS_LINEAR_DEFORMATION_STABLE_STEP_H_
#define PLIANT_SOLVERS_LINEAR_DEFORMATION_STABLE_STEP_H_

#include "models/linear_deformation/linear_body.h"
#include "models/linear_deformation/material.h"
#include "models/scene/scene.h"
#include "solvers/contact/penalty.h"
#include "solvers/integration/second_order.h"
#include "solvers/linear_deformation/feedback_options.h"

namespace pliant::linear_deformation {

struct StableBodyStep {
  double free;          // s, nothing in contact; infinite when nothing is stiff
  double all_contacts;  // s, every point in contact
};

// For small motions about rest of body `index` of the scene. Bounds, not more than about a factor
// of 2 short: Σ k_n p pᵀ ≤ max(k_n/m_n) M_b. O(n + (d k)³).
StableBodyStep EstimateStableStep(const Scene& scene, int index, const LinearBody& body,
                                  const LinearMaterial& material, const PenaltyOptions& contact,
                                  const IntegratorOptions& integrator = {});

// Longest step [s] at which c̈ + 2 ζ ω ċ + ω² c = 0 does not grow, whatever the bodies are: with
// ζ = 1, 0.83/ω under semi-implicit Euler and 2.79/ω under Runge–Kutta 4. Infinite without feedback
// and for schemes that choose their own step.
double StableFeedbackStep(const FeedbackOptions& feedback, const IntegratorOptions& integrator);

}  // namespace pliant::linear_deformation

#endif  // PLIANT_SOLVERS_LINEAR_DEFORMATION_STABLE_STEP_H_
