#include "solvers/projection/translation_record.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "models/scene/number_text.h"
#include "solvers/projection/scene_edges.h"

namespace pliant {
namespace {

// The translation of `from` and `until`.
void SaySwitches(const Scene& scene, TranslationRecord* record) {
  const auto say = [record](const std::string& name, const HoldTime& hold) {
    const bool begins = hold.from > 0.0;
    record->Say(name + ".switch", begins ? Fidelity::kApproximated : Fidelity::kExact,
                begins ? "points that are apart when it begins to hold are brought together in one "
                         "step, and get the speed of this motion"
                       : "releases at the beginning of the step that contains its time");
  };
  for (const Nail& nail : scene.nails) {
    const std::string name = "nail." + nail.name;
    say(name, nail.hold);
    if (nail.preroll > 0.0) {
      record->Say(name + ".switch", Fidelity::kExact, "a cubic moves the point to the path");
    }
  }
  for (const Attachment& held : scene.attachments) say("attachment." + held.name, held.hold);
  for (const Slider& slider : scene.sliders) say("slider." + slider.name, slider.hold);
}

}  // namespace

void SayWhatSweepsKeep(const Scene& scene, double bounce, bool finest_alone,
                       TranslationRecord* record) {
  record->Say("gravity", Fidelity::kExact, "");
  for (const Body& body : scene.bodies) {
    record->Say("body." + body.name + ".velocity", Fidelity::kExact, "");
  }
  for (const Obstacle& obstacle : scene.obstacles) {
    const std::string name = "obstacle." + obstacle.name;
    record->Say(name, Fidelity::kApproximated,
                "points inside are displaced to the surface; they leave with " + Digits(bounce) +
                    " of their impact speed");
    record->Say(name + ".friction", Fidelity::kApproximated,
                "Coulomb's limit on the displacements that hold a point at its contact position");
    record->Say(name + ".motion", Fidelity::kExact, "");
  }
  const std::string closely = "to the tolerance of the sweeps";
  record->Say("nail.*", Fidelity::kExact, closely);
  record->Say("attachment.*", Fidelity::kExact, closely);
  for (const char* guide : {"slider.*", "limit.*"}) {
    record->Say(guide, finest_alone ? Fidelity::kApproximated : Fidelity::kExact,
                finest_alone ? closely + ", by the finest level only" : closely);
  }
  SayCartoonEffectsIgnored(record);
  SayMaterialIgnored(scene, record);
  SayMotionControlUnsupported(scene, record);
  SaySwitches(scene, record);
}

std::string WhatSurfacesDo(const Scene& scene, int body, bool rigid, double thickness,
                           bool finest_alone) {
  if (scene.bodies[body].faces.empty() || scene.dimension == 2) return "";
  if (thickness == 0.0) return rigid ? "" : "; its surface passes through itself";
  return "; its points keep " + ThreeDigits(thickness) + " m from " +
         (rigid ? "" : "its own faces and ") + "those of other bodies" +
         (finest_alone ? ", by the finest level only" : "");
}

void SayContactOfSurfaces(const Scene& scene, const ProjectionOptions& options,
                          TranslationRecord* record) {
  const bool surfaces =
      scene.dimension == 3 && std::any_of(scene.bodies.begin(), scene.bodies.end(),
                                          [](const Body& body) { return !body.faces.empty(); });
  if (!surfaces || options.surface_thickness == 0.0) {
    SayBodiesPassThrough(scene,
                         surfaces ? "surfaces without surface_thickness pass through each other"
                                  : "only points and faces in space meet, and there are no faces",
                         record);
    return;
  }
  const std::string how = "points keep " + ThreeDigits(options.surface_thickness) +
                          " m from faces; edges may cross between points";
  record->Say("contact", Fidelity::kApproximated,
              options.surface_friction > 0.0 ? how + "; surface_friction acts on all" : how);
  for (const BodyContact& contact : scene.contacts) {
    const std::string name = ContactName(scene, contact);
    if (contact.ignored) {
      record->Say(name, Fidelity::kIgnored, "surface_thickness keeps all surfaces apart");
    } else {
      record->Say(name, Fidelity::kApproximated, how);
    }
    const bool same = contact.friction == options.surface_friction;
    record->Say(name + ".friction", same ? Fidelity::kApproximated : Fidelity::kIgnored,
                same ? "Coulomb's limit on displacements along the face"
                     : "surface_friction is the coefficient of all surfaces");
    record->Say(name + ".restitution", Fidelity::kIgnored, "the corrections determine the bounce");
  }
}

void WarnOfParts(const Scene& scene, const std::vector<bool>& rigid, Translation* translation) {
  for (size_t b = 0; b < scene.bodies.size(); ++b) {
    const Body& body = scene.bodies[b];
    const int parts = rigid[b] ? 1 : SeparateParts(body);
    if (parts == 1) continue;
    translation->warnings.push_back("body '" + body.name + "' has " + std::to_string(parts) +
                                    " parts that no edge joins: each moves separately");
  }
}

void WarnOfOldForms(const Scene& scene, const ProjectionOptions& options,
                    Translation* translation) {
  if (options.velocity_update == VelocityUpdate::kCorrected &&
      (!scene.springs.empty() || options.shape_stiffness > 0.0)) {
    translation->warnings.push_back(
        "velocity_update = corrected: every spring gains energy, by the factor 1 + (omega h)^2/2 "
        "in a step of h, with omega its angular frequency; velocity_update = verlet does not");
  }
  if (std::isfinite(options.break_force) && !std::isfinite(options.break_resolution)) {
    translation->warnings.push_back(
        "break_resolution = inf: the tension of an edge includes what gaps within the tolerance "
        "need, mass times gap/h^2, so that edges may break far below break_force");
  }
}

void WarnOfGap(double gap, double tolerance, const Simulation& simulation,
               Translation* translation) {
  if (gap <= tolerance) return;
  const std::vector<UnmetConstraint> unmet = simulation.UnmetConstraints();
  const std::string size = std::isfinite(gap) ? "of " + Digits(gap) + " m" : "without end";
  translation->warnings.push_back("the initial assembly leaves a gap " + size +
                                  (unmet.empty() ? "" : " (" + unmet[0].name + ")") +
                                  ": held points may be too far apart for edges of constant "
                                  "length, or constraints may contradict each other");
  translation->findings.push_back(TableOfUnmet("Constraints that the initial assembly leaves open",
                                               unmet, static_cast<std::int64_t>(unmet.size())));
}

}  // namespace pliant
