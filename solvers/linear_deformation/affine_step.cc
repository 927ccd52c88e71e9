#include "solvers/linear_deformation/affine_step.h"

#include <algorithm>
#include <cstddef>

#include "solvers/linear_deformation/affine_treatments.h"

namespace pliant::linear_deformation {

std::string AffineStep::WhyNot(const Scene& scene, const std::vector<LinearBody>& bodies,
                               const std::vector<LinearMaterial>& materials) {
  if (bodies.empty()) return "there are no bodies";
  if (!scene.behaviours.empty()) return "behaviours change the constraints during the run";
  if (!scene.sliders.empty()) return "sliders hold only one direction of a point";
  if (!scene.combinations.empty()) return "combinations hold several points at once";
  const auto switched = [](const auto& held) { return !held.hold.always(); };
  if (std::any_of(scene.nails.begin(), scene.nails.end(), switched) ||
      std::any_of(scene.attachments.begin(), scene.attachments.end(), switched)) {
    return "nails or attachments begin or end during the run";
  }
  for (size_t b = 0; b < bodies.size(); ++b) {
    const std::string name = "body '" + scene.bodies[b].name + "' ";
    if (scene.bodies[b].rigid) return name + "is rigid";
    if (!bodies[b].is_affine()) return name + "is not affine, which takes order = 1";
  }
  for (const LinearMaterial& material : materials) {
    if (material.source_damping > 0.0) return "source_damping is not linear in the rates";
    if (material.rayleigh_mass > 0.0) return "damping by mass does not damp strain alone";
    if (material.law != materials[0].law) return "the bodies have materials of different laws";
  }
  for (size_t b = 0; b < bodies.size(); ++b) {
    const std::string name = "body '" + scene.bodies[b].name + "' ";
    if (bodies[b].inertia() != Inertia::kPoints) return name + "has the inertia of a box";
    if (bodies[b].material_dimension() == 0) return name + "has no extent";
    if (bodies[b].material_dimension() != bodies[0].material_dimension()) {
      return name + "differs in dimension from body '" + scene.bodies[0].name + "'";
    }
  }
  return "";
}

std::unique_ptr<AffineStep> AffineStep::Make(const Scene& scene,
                                             const std::vector<LinearBody>& bodies,
                                             const std::vector<LinearMaterial>& materials,
                                             const FeedbackOptions& feedback,
                                             InternalEnergy treatment,
                                             const ConstraintMatrix& matrix) {
  return treatment == InternalEnergy::kExplicit
             ? MakeExplicitAffineStep(scene, bodies, materials, feedback, matrix)
             : MakeImplicitAffineStep(scene, bodies, materials, feedback,
                                      treatment == InternalEnergy::kLinearised, matrix);
}

}  // namespace pliant::linear_deformation
