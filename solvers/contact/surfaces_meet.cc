// Which scenes have surfaces that a barrier keeps apart, and what a translation record says of it.

#include <algorithm>

#include "models/contact/body_contacts.h"
#include "models/scene/number_text.h"
#include "solvers/contact/surface_barrier.h"

namespace pliant {
namespace {

bool HasFacesOrEdges(const Body& body) { return !body.faces.empty() || !body.edges.empty(); }

// "0.01 m", or the one that is chosen.
std::string Thickness(const Scene& scene, const PenaltyOptions& options) {
  if (options.thickness > 0.0) return ThreeDigits(options.thickness) + " m";
  if (!SurfacesMeet(scene)) return "a chosen thickness";
  const SurfaceBarrier barrier(scene, options, scene.InitialPoints());
  return ThreeDigits(barrier.thickness()) + " m, chosen from the scene";
}

}  // namespace

bool SurfacesMeet(const Scene& scene) {
  const MeetingBodies how(scene);
  const auto has_surface = [&scene](int b) { return HasFacesOrEdges(scene.bodies[b]); };
  const int bodies = static_cast<int>(scene.bodies.size());
  for (int a = 0; a < bodies; ++a) {
    if (!has_surface(a)) continue;
    for (int b = a; b < bodies; ++b) {
      if (has_surface(b) && !how.Of(a, b).ignored) return true;
    }
  }
  return false;
}

bool SurfacesMeetWithFriction(const Scene& scene) {
  return std::any_of(scene.contacts.begin(), scene.contacts.end(),
                     [](const BodyContact& contact) {
                       return !contact.ignored && contact.friction > 0.0;
                     }) &&
         SurfacesMeet(scene);
}

void SaySurfacesMeet(const Scene& scene, const PenaltyOptions& options, TranslationRecord* record) {
  const std::string how =
      "a barrier between faces, edges and points nearer than " + Thickness(scene, options) +
      ", of " + ThreeDigits(options.stiffness) +
      " N/m; steps are divided so that nothing goes through, and one that needs more than 5000 "
      "pieces has not converged";
  for (const BodyContact& contact : scene.contacts) {
    const std::string name = ContactName(scene, contact);
    if (contact.ignored) {
      record->Say(name, Fidelity::kExact, "");
      continue;
    }
    std::string bare;
    for (const int b : {contact.a, contact.b}) {
      if (HasFacesOrEdges(scene.bodies[b])) continue;
      bare = "'" + scene.bodies[b].name + "' has neither faces nor edges";
    }
    record->Say(name, bare.empty() ? Fidelity::kApproximated : Fidelity::kIgnored,
                bare.empty() ? how : bare);
    record->Say(
        name + ".friction", bare.empty() ? Fidelity::kApproximated : Fidelity::kIgnored,
        bare.empty()
            ? "springs and dampers between places that were opposite, limited by Coulomb's cone"
            : bare);
    record->Say(name + ".restitution", Fidelity::kIgnored,
                bare.empty() ? "rebound is elastic, apart from contact_damping" : bare);
  }
  record->Say("contact*", Fidelity::kApproximated, how);
}

}  // namespace pliant
