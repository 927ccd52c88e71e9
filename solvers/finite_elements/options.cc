#include "solvers/finite_elements/options.h"

#include <algorithm>

#include "models/contact/has_contact.h"
#include "solvers/contact/penalty.h"
#include "solvers/contact/surface_barrier.h"
#include "solvers/finite_elements/scene_parts.h"

namespace pliant::finite_elements {
namespace {

constexpr int kMostThreads = 256;

bool HasLoad(const Scene& scene) { return !scene.gravity.isZero(0.0) || !scene.forces.empty(); }

}  // namespace

void Options::Bind(ParameterBinder& b) {
  b.Integer(
      "refinement", &refinement, "1", Between(1, 64),
      "elements along each edge of a cell of the body, a cell lies between neighbouring points");
  b.OnlyWhen(
      "the scene has solids, or profiles in plane strain",
      [](const Scene& scene) {
        return std::any_of(scene.bodies.begin(), scene.bodies.end(),
                           [&scene](const Body& body) { return CanLock(scene, body); });
      },
      [&] {
        b.Boolean("locking_free", &locking_free,
                  "the change of volume is averaged in each element, for a Poisson's ratio near ½");
      });
  b.Choice("time_scheme", &time.scheme,
           {{"energy-momentum", TimeScheme::kEnergyMomentum},
            {"generalised-alpha", TimeScheme::kGeneralisedAlpha},
            {"implicit-euler", TimeScheme::kImplicitEuler},
            {"static", TimeScheme::kStatic}},
           "keeps energy and momenta, damps high frequencies, is of first order with strong "
           "damping, or leads through equilibria");
  b.OnlyWhen(
      "time_scheme = static, and gravity or forces act",
      [this](const Scene& scene) { return time.scheme == TimeScheme::kStatic && HasLoad(scene); },
      [&] {
        b.Real("load_time", &load_time, "s", MoreThan(0.0),
               "until then gravity and forces rise from nothing to their full size, evenly");
      });
  b.OnlyWhen(
      "time_scheme = generalised-alpha",
      [this](const Scene&) { return time.scheme == TimeScheme::kGeneralisedAlpha; },
      [&] {
        b.Real("spectral_radius", &time.spectral_radius, "1", Between(0.0, 1.0),
               "ρ∞ of generalised-α: spectral radius of a step at infinite "
               "frequency");
      });
  b.OnlyWhen(
      "time_scheme is not static",
      [this](const Scene&) { return time.scheme != TimeScheme::kStatic; },
      [&] {
        b.Real("step_tolerance", &step_tolerance, "m/s", AtLeast(0.0),
               "steps are divided until their estimated error is below this distance times their "
               "length; 0: they are not; an axis of refinement");
      });
  b.Integer("threads", &threads, "1", Between(1, kMostThreads),
            "number of threads that share the sums over elements; the results do not change");
  b.Real("newton_tolerance", &time.tolerance, "1", MoreThan(0.0),
         "a step has converged when no unbalanced force exceeds this part of the largest force");
  b.Integer("newton_iterations", &time.most_iterations, "1", AtLeast(1.0),
            "most iterations of a step; where they do not suffice, the step is halved; in statics "
            "with contact ten times as many");
  b.OnlyWhen(
      "the scene has obstacles, or bodies that meet",
      [](const Scene& scene) { return HasContact(scene); },
      [&] {
        b.Real("contact_thickness", &contact.thickness, "m", MoreThan(0.0),
               "range of the contact barrier: bodies penetrate obstacles and stay apart from each "
               "other by less than this distance; an axis of refinement");
      });
  BindObstacleContact(&contact.obstacles, b);
  const auto rubs = [](const Scene& scene) {
    return HasFriction(scene) || SurfacesMeetWithFriction(scene);
  };
  b.OnlyWhen(
      "something rubs in the scene, and time_scheme = static",
      [this, rubs](const Scene& scene) {
        return rubs(scene) && time.scheme == TimeScheme::kStatic;
      },
      [&] {
        b.Real("friction_length", &contact.friction_length, "m", MoreThan(0.0),
               "of statics: on less than this way friction rises smoothly: what sticks creeps by "
               "less in each load step");
      });
  b.OnlyWhen(
      "something rubs in the scene, and time_scheme is not static",
      [this, rubs](const Scene& scene) {
        return rubs(scene) && time.scheme != TimeScheme::kStatic;
      },
      [&] {
        b.Real("friction_speed", &contact.friction_speed, "m/s", MoreThan(0.0),
               "below this sliding speed friction rises smoothly: what sticks creeps by less");
      });
}

bool LoadRises(const Scene& scene, const ParameterValues& parameters) {
  const auto scheme = parameters.find("time_scheme");
  const auto* word =
      scheme == parameters.end() ? nullptr : std::get_if<std::string>(&scheme->second);
  return word != nullptr && *word == "static" && HasLoad(scene);
}

}  // namespace pliant::finite_elements
