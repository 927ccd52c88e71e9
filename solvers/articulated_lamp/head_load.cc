#include "solvers/articulated_lamp/head_load.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "models/problem.h"

namespace pliant::articulated_lamp {

HeadLoad::HeadLoad(const LampParameters& lamp, double gravity, std::vector<double> times,
                   std::vector<double> masses)
    : lamp_(lamp, gravity), times_(std::move(times)), masses_(std::move(masses)) {
  if (masses_.empty() || masses_.size() != times_.size()) {
    throw BadInput({"head_load_times",
                    "head_load and head_load_times need the same number of entries",
                    "give the time of each mass"});
  }
  for (size_t i = 0; i < times_.size(); ++i) {
    if (!std::isfinite(times_[i]) || (i > 0 && !(times_[i] > times_[i - 1]))) {
      throw BadInput({"head_load_times", "the times of a load must grow", "sort them"});
    }
    if (!(masses_[i] >= 0.0) || !std::isfinite(masses_[i])) {
      throw BadInput({"head_load", "the masses of a load must be finite and at least 0", ""});
    }
  }
}

double HeadLoad::MassAt(double time) const {
  const auto after = std::ranges::upper_bound(times_, time) - times_.begin();
  if (after == 0) return masses_.front();
  if (after == std::ssize(times_)) return masses_.back();
  const auto i = static_cast<size_t>(after);
  const double share = (time - times_[i - 1]) / (times_[i] - times_[i - 1]);
  return masses_[i - 1] + share * (masses_[i] - masses_[i - 1]);
}

Lamp HeadLoad::Carrying(double mass) const {
  const LampParameters& alone = lamp_.parameters();
  return Lamp(alone.WithHeadMass(alone.links.back().mass + mass), lamp_.gravity());
}

HeadLoad::Held HeadLoad::At(double mass, const LampVector& q, const LampVector& v) const {
  const LampLink& head = lamp_.parameters().links.back();
  const LinkState at = LinkStates<double>(lamp_, q, v).back();
  const double inertia = head.inertia * mass / head.mass;
  const Eigen::Vector2d momentum = mass * at.centre_velocity;
  return {0.5 * momentum.dot(at.centre_velocity) + 0.5 * inertia * at.rate * at.rate +
              mass * lamp_.gravity() * at.centre.y(),
          momentum,
          at.centre.x() * momentum.y() - at.centre.y() * momentum.x() - inertia * at.rate};
}

}  // namespace pliant::articulated_lamp
