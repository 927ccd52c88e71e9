// The translation record of a scene with linearly deformable bodies.

#ifndef PLIANT_SOLVERS_LINEAR_DEFORMATION_TRANSLATION_RECORD_H_
#define PLIANT_SOLVERS_LINEAR_DEFORMATION_TRANSLATION_RECORD_H_

#include <string>
#include <vector>

#include "models/linear_deformation/material.h"
#include "models/scene/scene.h"
#include "solvers/linear_deformation/linear_deformation_system.h"
#include "solvers/linear_deformation/stable_step.h"
#include "solvers/translation.h"

namespace pliant::linear_deformation {

// The material of a body of the scene.
void RecordMaterial(const Body& body, const LinearBody& linear, const HeldMaterial& held,
                    TranslationRecord* record);

// Bodies, and limits of the step. One material for each body. Returns the limits from strain, springs and contact of the most
// restrictive body, for the explicit treatment.
StableBodyStep RecordBodies(const Scene& scene, const LinearDeformationSystem& system,
                            const std::vector<LinearMaterial>& materials,
                            const ContactOptions& contact, const IntegratorOptions& integrator,
                            const FeedbackOptions& feedback, InternalEnergy treatment,
                            TranslationRecord* record);

// Nails and attachments: redundant ones, gaps and rates they start with.
void RecordConstraints(const Scene& scene, LinearDeformationSystem* system,
                       const FeedbackOptions& feedback, TranslationRecord* record,
                       std::vector<std::string>* warnings);

// The names, each once, with the number of constraints that share it: "hand, foot (3 points)".
std::string ListedNames(const std::vector<std::string>& names);

// Gaps [m] of redundant constraints that no coordinates can close (LinearDeformationSystem::Contradiction)
// are rounding of the scene's numbers below this.
inline constexpr double kAgreed = 1e-6;
// Names of the constraints that have such gaps after that call.
std::vector<std::string> ContradictoryNames(const LinearDeformationSystem& system);

// Everything else.
void RecordElements(const Scene& scene, const ContactOptions& contact, InternalEnergy treatment,
                    TranslationRecord* record);

}  // namespace pliant::linear_deformation

#endif  // PLIANT_SOLVERS_LINEAR_DEFORMATION_TRANSLATION_RECORD_H_
