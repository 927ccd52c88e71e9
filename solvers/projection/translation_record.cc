#include "solvers/projection/translation_record.h"

#include <algorithm>
#include <array>
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

std::string WhatCellsKeep(const Body& body) {
  const std::string rigid = "tetrahedra are as rigid as their edges",
                    sheared = "hexahedra shear, and only their edges resist";
  if (body.hexahedra.empty()) return body.tetrahedra.empty() ? "" : rigid;
  return body.tetrahedra.empty() ? sheared : rigid + ", " + sheared;
}

void SayWhatSweepsKeep(const Scene& scene, const ProjectionOptions& options, bool finest_alone,
                       TranslationRecord* record) {
  record->Say("gravity", Fidelity::kExact, "");
  for (const Body& body : scene.bodies) {
    record->Say("body." + body.name + ".velocity", Fidelity::kExact, "");
  }
  for (const Obstacle& obstacle : scene.obstacles) {
    const std::string name = "obstacle." + obstacle.name;
    record->Say(name, Fidelity::kApproximated,
                "points inside are displaced to the surface; they leave with " +
                    Digits(options.bounce) + " of their impact speed" +
                    WhatMeets(obstacle, options.obstacle_contact) +
                    (finest_alone && PlaneOf(obstacle.shape) == nullptr &&
                             options.obstacle_contact == ObstaclesMeet::kSurface
                         ? ", on the finest level only"
                         : ""));
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
  const std::string finest = finest_alone ? ", by the finest level only" : "";
  if (thickness > 0.0) {
    return "; its surface keeps " + ThreeDigits(thickness) + " m from " +
           (rigid ? "" : "itself and ") + "those of other bodies" + finest;
  }
  if (rigid) return "";
  return ContactOf(scene, body, body).ignored ? "; its surface passes through itself"
                                              : "; its surface keeps from itself" + finest;
}

namespace {

// "; block and plank keep the 0 m with which they begin" of the pairs that `counts` admits.
template <typename Counts>
std::string WhatPairsKeep(const Scene& scene, const std::vector<SurfaceContacts::NearAtRest>& pairs,
                          const Counts& counts) {
  constexpr int kNamed = 3;
  constexpr double kOnEachOther = 1e-9;  // m: less is rounding
  std::string text;
  int more = -kNamed;
  for (const auto& [bodies, distance] : pairs) {
    if (!counts(bodies) || ++more > 0) continue;
    const bool inside = distance < -kOnEachOther;
    text += "; '" + scene.bodies[bodies[0]].name + "' and '" + scene.bodies[bodies[1]].name + "' " +
            (inside ? "stay inside each other by " : "keep ") +
            ThreeDigits(std::abs(distance) > kOnEachOther ? std::abs(distance) : 0.0) +
            " m, as at the start";
  }
  return more > 0 ? text + ", and " + std::to_string(more) + " more pairs likewise" : text;
}

void SayContacts(const Scene& scene, const ProjectionOptions& options, const std::string& keep,
                 const std::vector<SurfaceContacts::NearAtRest>& near, TranslationRecord* record) {
  using Bodies = std::array<int, 2>;
  const std::string how = keep + "; faces and edges count, corners are displaced by inverse masses";
  const auto of = [](const BodyContact& contact, const Bodies& bodies) {
    return std::minmax(contact.a, contact.b) == std::minmax(bodies[0], bodies[1]);
  };
  const auto stated = [&](const Bodies& bodies) {
    return std::any_of(scene.contacts.begin(), scene.contacts.end(),
                       [&](const BodyContact& contact) { return of(contact, bodies); });
  };
  const std::string others =
      how + WhatPairsKeep(scene, near, [&](const Bodies& bodies) { return !stated(bodies); });
  record->Say("contact", Fidelity::kApproximated,
              options.surface_friction > 0.0 ? others + "; with surface_friction" : others);
  for (const BodyContact& contact : scene.contacts) {
    if (contact.ignored) continue;
    const std::string name = ContactName(scene, contact);
    record->Say(name, Fidelity::kApproximated,
                how + WhatPairsKeep(scene, near,
                                    [&](const Bodies& bodies) { return of(contact, bodies); }));
    record->Say(name + ".friction", Fidelity::kApproximated,
                "Coulomb's limit on the displacements that hold places that touch together");
    record->Say(name + ".restitution", Fidelity::kApproximated,
                "of each pair of parts that hit, faster than the forces of a step would make them");
  }
}

void SayWhatIsIgnored(const Scene& scene, bool none_meet, TranslationRecord* record) {
  for (const BodyContact& contact : scene.contacts) {
    if (contact.ignored) record->Say(ContactName(scene, contact), Fidelity::kExact, "");
  }
  if (none_meet) {
    record->Say("contact*", Fidelity::kIgnored, "no body has faces or edges that could meet");
  }
}

std::string Keep(double thickness, const std::string& why) {
  return "surfaces keep " + ThreeDigits(thickness) + " m from each other, " + why;
}

}  // namespace

void SayContactOfSurfaces(const Scene& scene, const ProjectionOptions& options,
                          const SurfaceContacts& surfaces, TranslationRecord* record) {
  SayWhatIsIgnored(scene, !surfaces.act(), record);
  if (!surfaces.act()) return;
  SayContacts(scene, options, Keep(surfaces.thickness(), surfaces.why()), surfaces.near_at_rest(),
              record);
}

void SayContactOfSurfaces(const Scene& scene, const ProjectionOptions& options,
                          TranslationRecord* record) {
  const double thickness = options.surface_thickness;
  SayWhatIsIgnored(scene, thickness == 0.0, record);
  if (thickness == 0.0) return;
  SayContacts(scene, options, Keep(thickness, "as surface_thickness says"), {}, record);
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
