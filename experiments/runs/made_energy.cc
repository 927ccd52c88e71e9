#include "experiments/runs/made_energy.h"

#include <algorithm>
#include <cmath>

#include "models/geometry/extent.h"
#include "models/scene/forces.h"

namespace pliant {
namespace {

// Of the scene's size: a scene at rest is not judged by its rounding.
constexpr double kLift = 1e-3;
// Of the largest energy in the sum.
constexpr double kRounding = 1e-10;
// Sizes of the scene per second: what moves more slowly is at rest.
constexpr double kAtRest = 1e-6;

// Of all material, with the diagonal of the box around all points as its size: what lifts it a
// little, and what it has while it hardly moves [J].
double LeastEnergy(const Scene& scene) {
  const Eigen::Matrix3Xd x = scene.InitialPoints();
  const double size = DiagonalOf(x);
  const double mass = scene.Masses().sum(), slow = kAtRest * size;
  return kLift * mass * scene.gravity.norm() * size + 0.5 * mass * slow * slow;
}

double ActiveWork(const Exchange& exchange) {
  double work = exchange.TotalWork();
  for (const WorkClass passive : kPassiveClasses) work -= exchange[passive];
  return work;
}

// ½ Σ |change| over energies and classes of work: each joule left somewhere and arrived somewhere.
double Exchanged(const EnergyBalance& from, const EnergyBalance& to) {
  double sum = std::abs(to.kinetic - from.kinetic) + std::abs(to.stored - from.stored) +
               std::abs(to.gravitational - from.gravitational);
  for (int c = 0; c < kWorkClasses; ++c) {
    sum += std::abs(to.exchange.work[c] - from.exchange.work[c]);
  }
  return 0.5 * sum;
}

}  // namespace

double MadeEnergy::Rise::Add(double value) {
  lowest_ = std::min(lowest_.value_or(value), value);
  return value - *lowest_;
}

MadeEnergy::MadeEnergy(const Scene& scene) : floor_(LeastEnergy(scene)) {}

double MadeEnergy::Add(double time, const EnergyBalance& balance) {
  if (!first_) first_ = balance;
  largest_kept_ = std::max(largest_kept_, balance.kinetic + balance.stored);
  largest_exchanged_ = std::max(largest_exchanged_, Exchanged(*first_, balance));
  rounding_ = std::max({rounding_, kRounding * std::abs(balance.gravitational),
                        kRounding * (balance.kinetic + balance.stored)});
  double largest = integration_.Add(balance.residual);
  std::string by = "integration";
  for (size_t i = 0; i < kPassiveClasses.size(); ++i) {
    const double rise = passive_[i].Add(balance.exchange[kPassiveClasses[i]]);
    if (rise <= largest) continue;
    largest = rise;
    by = ToString(kPassiveClasses[i]);
  }
  const double made = total_.Add(balance.total() - ActiveWork(balance.exchange));
  made_.push_back({time, made, std::move(by)});
  const double constraints = balance.exchange[WorkClass::kConstraint];
  const double by_constraints = lost_by_constraints_.Add(-constraints);
  const double by_integration = lost_by_integration_.Add(-balance.residual);
  losses_.push_back({time, lost_.Add(-constraints - balance.residual),
                     by_constraints > by_integration ? "constraint" : "integration"});
  return made;
}

double MadeEnergy::AtStake() const { return std::max({largest_kept_, largest_exchanged_, floor_}); }

std::optional<MadeEnergy::Finding> MadeEnergy::Beyond(double tolerated_share) const {
  return BeyondIn(made_, tolerated_share);
}

std::optional<MadeEnergy::Finding> MadeEnergy::LostBeyond(double tolerated_share) const {
  return BeyondIn(losses_, tolerated_share);
}

std::optional<MadeEnergy::Finding> MadeEnergy::BeyondIn(const std::vector<Made>& all,
                                                        double tolerated_share) const {
  const double stake = AtStake(), tolerated = std::max(tolerated_share * stake, rounding_);
  std::optional<Finding> found;
  for (const Made& made : all) {
    if (!(made.energy > tolerated)) continue;
    if (!found) found = Finding{0.0, 0.0, made.time, ""};
    if (made.energy > found->made) {
      found->made = made.energy;
      found->share = made.energy / stake;
      found->by = made.by;
    }
  }
  return found;
}

}  // namespace pliant
