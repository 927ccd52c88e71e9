#include "solvers/kinematic_response/reaction.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace pliant::kinematic_response {

// The pressure of held surfaces takes the knee, and beyond it the stiffnesses, of the reaction.
void ReactionOptions::Bind(ParameterBinder& binder, const OfScene& bodies_ride,
                           const OfScene& some_held) {
  const auto some_ride = [bodies_ride](const Scene& scene) {
    return bodies_ride(scene) && HasObstacles(scene);
  };
  const auto presses = [this, some_ride, some_held](const Scene& scene) {
    return some_ride(scene) || (foundation_stiffness > 0.0 && some_held(scene));
  };
  const std::string with_pressure =
      "a body rides and the scene has obstacles, or a held body has a foundation_stiffness";
  const auto bends = [this, presses](const Scene& scene) {
    return std::isfinite(knee) && presses(scene);
  };
  binder.OnlyWhen(
      with_pressure + " and a reaction_knee",
      [=](const Scene& scene) { return some_ride(scene) || bends(scene); },
      [&] {
        binder.Real("contact_stiffness", &contact.stiffness, "N/m", MoreThan(0.0),
                    "reaction of a pressed point per elastic displacement along the obstacle's "
                    "normal; moves the proxy of a riding body");
      });
  binder.OnlyWhen("a body rides and the scene has obstacles", some_ride, [&] {
    binder.Real("contact_damping", &contact.damping, "N s/m", AtLeast(0.0),
                "damping of a pressed point of a riding body along the normal");
    binder.OnlyWhen("an obstacle has friction", HasFriction, [&] {
      binder.Real("contact_tangential_stiffness", &contact.tangential_stiffness, "N/m",
                  AtLeast(0.0),
                  "stiffness of the spring to the position where a pressed point of a riding body "
                  "first touched");
      binder.Real("contact_tangential_damping", &contact.tangential_damping, "N s/m", AtLeast(0.0),
                  "damping of a pressed point of a riding body along the obstacle's surface");
    });
  });
  binder.OnlyWhen(with_pressure, presses, [&] {
    binder.Real(
        "reaction_knee", &knee, "m", {.lower = 0.0, .infinite = true},
        "elastic displacement beyond which reaction_stiffness_beyond applies; inf is Hooke's "
        "law throughout");
    binder.OnlyWhen("reaction_knee is finite", bends, [&] {
      binder.Real("reaction_stiffness_beyond", &stiffness_beyond, "N/m", AtLeast(0.0),
                  "reaction of a pressed point per elastic displacement beyond the knee");
    });
  });
  binder.OnlyWhen("a body is held", some_held, [&] {
    binder.Real(
        "foundation_stiffness", &foundation_stiffness, "N/m^3", AtLeast(0.0),
        "pressure on a held surface per unit of elastic displacement, interpolated from the "
        "coarse levels; beyond reaction_knee it follows reaction_stiffness_beyond; 0: none");
  });
}

double ReactionOptions::Force(double displacement) const {
  const double x = std::max(0.0, displacement);
  return contact.stiffness * std::min(x, knee) + stiffness_beyond * std::max(0.0, x - knee);
}

double ReactionOptions::Energy(double displacement) const {
  const double x = std::max(0.0, displacement);
  const double first = std::min(x, knee), beyond = std::max(0.0, x - knee);
  return 0.5 * contact.stiffness * first * first +
         beyond * (contact.stiffness * first + 0.5 * stiffness_beyond * beyond);
}

}  // namespace pliant::kinematic_response
