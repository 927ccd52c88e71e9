#include "solvers/finite_elements/options.h"

namespace pliant::finite_elements {

void Options::Bind(ParameterBinder& b) {
  b.Integer(
      "refinement", &refinement, "1", Between(1, 64),
      "elements along each edge of a cell of the body, a cell lies between neighbouring points");
  b.Choice("time_scheme", &time.scheme,
           {{"energy-momentum", TimeScheme::kEnergyMomentum},
            {"generalised-alpha", TimeScheme::kGeneralisedAlpha},
            {"implicit-euler", TimeScheme::kImplicitEuler}},
           "keeps energy and momenta, damps high frequencies, or is of first order with strong "
           "damping");
  b.OnlyWhen(
      "time_scheme = generalised-alpha",
      [this](const Scene&) { return time.scheme == TimeScheme::kGeneralisedAlpha; },
      [&] {
        b.Real("spectral_radius", &time.spectral_radius, "1", Between(0.0, 1.0),
               "ρ of generalised-α: the part of a motion of infinite frequency that a step "
               "leaves");
      });
  b.Real("newton_tolerance", &time.tolerance, "1", MoreThan(0.0),
         "a step has converged when no unbalanced force exceeds this part of the largest force");
  b.Integer("newton_iterations", &time.most_iterations, "1", AtLeast(1.0),
            "most iterations of a step; where they do not suffice, the step is halved");
  b.OnlyWhen(
      "the scene has obstacles", [](const Scene& scene) { return !scene.obstacles.empty(); },
      [&] {
        b.Real("contact_stiffness", &contact_stiffness, "N/m", MoreThan(0.0),
               "penalty stiffness of a contact point, along the normal");
      });
}

}  // namespace pliant::finite_elements
