// What the translation of a scene to linearly deformable bodies says of itself.

#ifndef PLIANT_SOLVERS_CONSTRAINED_DYNAMICS_RECORD_H_
#define PLIANT_SOLVERS_CONSTRAINED_DYNAMICS_RECORD_H_

#include <string>
#include <vector>

#include "models/linear_deformation/material.h"
#include "models/scene/scene.h"
#include "solvers/constrained_dynamics/deformable_system.h"
#include "solvers/constrained_dynamics/stable_step.h"
#include "solvers/translation.h"

namespace pliant {

// Bodies, and how long a step may be. Returns what the strain, springs and contact of the least
// patient body allow, for semi-implicit Euler and the explicit treatment.
StableBodyStep RecordBodies(const Scene& scene, const DeformableSystem& system,
                            const LinearMaterial& material, const ContactOptions& contact,
                            bool warn_of_step, InternalEnergy treatment, TranslationRecord* record,
                            std::vector<std::string>* warnings);

// Nails and attachments: redundant ones, gaps and rates they start with.
void RecordConstraints(const Scene& scene, DeformableSystem* system,
                       const FeedbackOptions& feedback, TranslationRecord* record,
                       std::vector<std::string>* warnings);

// The names, each once, with the number of constraints that share it: "hand, foot (3 points)".
std::string ListedNames(const std::vector<std::string>& names);

// Gaps [m] of redundant constraints that no coordinates can close (DeformableSystem::Contradiction)
// are rounding of the scene's numbers below this.
inline constexpr double kAgreed = 1e-6;
// Names of the constraints that have such gaps after that call.
std::vector<std::string> ContradictoryNames(const DeformableSystem& system);

// Everything else.
void RecordElements(const Scene& scene, const ContactOptions& contact, TranslationRecord* record);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_CONSTRAINED_DYNAMICS_RECORD_H_
