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

}  // namespace pliant::kinematic_response
