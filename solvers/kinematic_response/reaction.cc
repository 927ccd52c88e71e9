#include "solvers/kinematic_response/reaction.h"

#include <algorithm>

namespace pliant::kinematic_response {

void ReactionOptions::Bind(ParameterBinder& binder) {
  binder.Real("contact_stiffness", &contact.stiffness, "N/m", MoreThan(0.0),
              "reaction of a pressed point per elastic displacement along the obstacle's normal; "
              "moves the proxy of a riding body");
  binder.Real("contact_damping", &contact.damping, "N s/m", AtLeast(0.0),
              "damping of a pressed point of a riding body along the normal");
  binder.Real("contact_tangential_stiffness", &contact.tangential_stiffness, "N/m", AtLeast(0.0),
              "stiffness of the spring to the position where a pressed point of a riding body "
              "first touched");
  binder.Real("contact_tangential_damping", &contact.tangential_damping, "N s/m", AtLeast(0.0),
              "damping of a pressed point of a riding body along the obstacle's surface");
  binder.Real("reaction_knee", &knee, "m", {.lower = 0.0, .infinite = true},
              "elastic displacement beyond which reaction_stiffness_beyond applies; inf is Hooke's "
              "law throughout");
  binder.Real("reaction_stiffness_beyond", &stiffness_beyond, "N/m", AtLeast(0.0),
              "reaction of a pressed point per elastic displacement beyond the knee");
  binder.Real("foundation_stiffness", &foundation_stiffness, "N/m^3", AtLeast(0.0),
              "pressure of a held surface per elastic displacement, prolonged from the coarse "
              "levels; beyond reaction_knee it grows as the reaction of a point does; 0: none");
}

double ReactionOptions::Force(double displacement) const {
  const double x = std::max(0.0, displacement);
  return contact.stiffness * std::min(x, knee) + stiffness_beyond * std::max(0.0, x - knee);
}

}  // namespace pliant::kinematic_response
