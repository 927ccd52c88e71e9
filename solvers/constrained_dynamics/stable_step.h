// How long a step of semi-implicit Euler may be for linearly deformable bodies. Constraints only
// take motions away, so that the bodies by themselves bound the step.

#ifndef PLIANT_SOLVERS_CONSTRAINED_DYNAMICS_STABLE_STEP_H_
#define PLIANT_SOLVERS_CONSTRAINED_DYNAMICS_STABLE_STEP_H_

#include "models/linear_deformation/linear_body.h"
#include "models/linear_deformation/material.h"
#include "models/scene/scene.h"
#include "solvers/contact/penalty.h"

namespace pliant {

struct StableStep {
  double free;          // s, nothing in contact; infinite when nothing is stiff
  double all_contacts;  // s, every point in contact
};

// For small motions about rest of body `index` of the scene. Bounds, not more than about a factor
// of 2 short: Σ k_n p pᵀ ≤ max(k_n/m_n) M_b. O(n + (d k)³).
StableStep EstimateStableStep(const Scene& scene, int index, const LinearBody& body,
                              const LinearMaterial& material, const PenaltyOptions& contact);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_CONSTRAINED_DYNAMICS_STABLE_STEP_H_
