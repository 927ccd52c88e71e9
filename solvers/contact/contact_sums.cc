#include "solvers/contact/contact_sums.h"

#include <algorithm>
#include <string>

#include "models/scene/contact_pairs.h"
#include "models/scene/switch_times.h"

namespace pliant {
namespace {

using Vectors = std::optional<Eigen::Matrix3Xd>;

void Add(double factor, const Vectors& vectors, Vectors* sums) {
  if (!*sums) return;
  if (vectors) {
    **sums += factor * *vectors;
  } else {
    sums->reset();
  }
}

// Of contact_impulse_{x,y,z}.{pair} in Observation::extras, which has one for the scene, each body or each pair.
std::vector<size_t> PlacesOfImpulses(const Scene& scene, const BackendInfo& info) {
  const size_t pairs = ContactPairs(scene).size();
  std::vector<size_t> places;
  size_t at = 0;
  for (const SeriesColumn& extra : info.extras) {
    const bool of_pairs = extra.name.find("{pair}") != std::string::npos;
    const bool of_bodies = extra.name.find("{body}") != std::string::npos;
    const size_t count = of_pairs ? pairs : of_bodies ? scene.bodies.size() : 1;
    for (size_t i = 0; i < count; ++i, ++at) {
      if (extra.name.starts_with("contact_impulse_")) places.push_back(at);
    }
  }
  return places;
}

}  // namespace

ContactSums::ContactSums(const Simulation& simulation, const BackendInfo& info, Of of)
    : simulation_(simulation),
      knowing_(simulation.AsKnowsContactForces()),
      counted_(PlacesOfImpulses(simulation.scene(), info)),
      switch_times_(SwitchTimes(simulation.scene())),
      time_(simulation.time()) {
  if (knowing_ == nullptr) return;
  known_ = knowing_->KnownContact();
  known_.of_points = known_.of_points && of == Of::kPointsToo;
  const Scene& scene = simulation.scene();
  if (known_.of_points) sums_.points = Eigen::Matrix3Xd::Zero(3, scene.PointCount());
  if (known_.of_last_step) return;
  sums_.pairs = Eigen::Matrix3Xd::Zero(3, static_cast<Eigen::Index>(ContactPairs(scene).size()));
  before_ = Present();
}

ContactVectors ContactSums::Present() const {
  ContactVectors forces;
  if (known_.of_points) forces.points = knowing_->ContactForces();
  if (!known_.of_last_step) forces.pairs = knowing_->PairForces();
  return forces;
}

bool ContactSums::IsDivided(double begin, double end) const {
  const double same = kSameSwitchTime * (end - begin);
  const auto inside = std::ranges::upper_bound(switch_times_, begin + same);
  return inside != switch_times_.end() && *inside < end - same;
}

void ContactSums::AddStep() {
  const double step = simulation_.time() - time_;
  if (known_.of_last_step && IsDivided(time_, simulation_.time())) sums_.points.reset();
  time_ = simulation_.time();
  if (knowing_ == nullptr) return;
  ContactVectors forces = Present();
  const double factor = known_.of_last_step ? step : 0.5 * step;
  Add(factor, forces.points, &sums_.points);
  if (known_.of_last_step) return;
  Add(factor, forces.pairs, &sums_.pairs);
  Add(factor, before_.points, &sums_.points);
  Add(factor, before_.pairs, &sums_.pairs);
  before_ = std::move(forces);
}

Vectors ContactSums::CountedPairs(const Observation& now) const {
  if (counted_.empty()) return knowing_ == nullptr ? std::nullopt : knowing_->PairImpulses();
  const Eigen::Index pairs = static_cast<Eigen::Index>(counted_.size()) / 3;
  Eigen::Matrix3Xd impulses(3, pairs);
  for (size_t i = 0; i < counted_.size(); ++i) {
    const std::optional<double>& value = now.extras[counted_[i]];
    if (!value) return std::nullopt;
    const auto place = static_cast<Eigen::Index>(i);
    impulses(place / pairs, place % pairs) = *value;
  }
  return impulses;
}

ContactVectors ContactSums::At(const Observation& now) const {
  if (sums_.pairs) return sums_;
  return {sums_.points, CountedPairs(now)};
}

}  // namespace pliant
