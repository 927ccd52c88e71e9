#include "solvers/kinematic_response/warnings.h"

#include <algorithm>
#include <cmath>

#include "models/scene/forces.h"
#include "models/scene/number_text.h"
#include "solvers/kinematic_response/patch.h"

namespace pliant::kinematic_response {

void WarnOfSinking(const Scene& scene, const RidingBody& rider,
                   const KinematicResponseOptions& options, std::vector<std::string>* warnings) {
  if (rider.maps().Has(MappedControl::kYield)) return;
  const Body& body = scene.bodies[rider.body()];
  if (body.rigid) return;
  const int levels = RidingBody::Levels(body, options);
  double longest = 0.0;
  for (int level = 0; level < levels; ++level) {
    longest += options.yield[options.yield.size() == 1 ? 0 : level];
  }
  const double most = options.reaction.Force(longest) * rider.stiffness().sum();
  const double weight = Gravity(scene).Weight(body.mass.sum());
  if (most >= weight) return;
  warnings->push_back("the offsets of body '" + body.name +
                      "' yield before they carry its weight: all points together give back " +
                      Digits(most) + " N at most, but its weight is " + Digits(weight) +
                      " N; it will sink into the obstacle it lands on");
}

void WarnOfLateLevels(const KinematicResponseOptions& options, std::vector<std::string>* warnings) {
  const std::vector<double>& times = options.damping_time;
  if (options.stages() > 1) return;  // what is late in one stage may be intended for the next
  const auto latest = std::max_element(times.begin(), times.end());
  if (*latest <= times.back()) return;
  warnings->push_back(
      "damping_time of level " + std::to_string(latest - times.begin()) + " is " + Digits(*latest) +
      " s, that of the finest level is " + Digits(times.back()) +
      " s: the finest level absorbs what the coarser one has not yet absorbed, and this amount "
      "depends on the step");
}

StepLimit ContactStepLimit(const Scene& scene, const RidingBody& rider,
                           const ReactionOptions& reaction) {
  const Body& body = scene.bodies[rider.body()];
  const double mass = body.mass.sum(), points = static_cast<double>(body.size());
  const auto stable = [&](double stiffness, double damping) {
    const double c = damping / mass;
    return 4.0 / (c + std::sqrt(c * c + 4.0 * stiffness / mass));
  };
  const PenaltyOptions& contact = reaction.contact;
  const bool bends = std::isfinite(reaction.knee);
  const double steepest =
      bends ? std::max(contact.stiffness, reaction.stiffness_beyond) : contact.stiffness;
  double step = stable(steepest * rider.stiffness().sum(), contact.damping * points);
  if (HasFriction(scene)) {
    step = std::min(
        step, stable(contact.tangential_stiffness * points, contact.tangential_damping * points));
  }
  return {"contact of body '" + body.name + "' with every point pressed", step};
}

void WarnOfRays(const Scene& scene, const std::vector<bool>& rides,
                const KinematicResponseOptions& options, std::vector<std::string>* warnings) {
  const bool all_ride = std::find(rides.begin(), rides.end(), false) == rides.end();
  if (options.casting != CastingRule::kRay || all_ride || !HasObstacles(scene)) return;
  warnings->push_back(
      "casting = \"ray\" depends on the side that a surface faces: an obstacle that comes from its "
      "back draws it through to the far side, and the mirror image of the scene responds "
      "differently; casting = \"nearest\" does not");
  if (options.restriction != Restriction::kAverage || !HasFriction(scene)) return;
  warnings->push_back(
      "restriction = \"average\" depends on the step where friction turns displacements: the "
      "shorter the step, the farther a surface can be dragged; restriction = \"full-weighting\" "
      "depends on it less");
}

}  // namespace pliant::kinematic_response
