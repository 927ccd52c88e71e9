#include "experiments/runs/record_forces.h"

#include "experiments/runs/series.h"

namespace pliant {
namespace {

using Vectors = std::optional<Eigen::Matrix3Xd>;

Vectors MeanSince(const Vectors& before, const Vectors& now, double passed) {
  if (!before || !now) return std::nullopt;
  return Eigen::Matrix3Xd((*now - *before) / passed);
}

}  // namespace

RecordForces::RecordForces(const std::vector<Probe>& probes, const BackendInfo& info,
                           Simulation* simulation)
    : simulation_(simulation),
      needs_holds_(NeedHoldForces(probes)),
      from_the_start_(simulation->time() == 0.0) {
  if (needs_holds_) simulation->KeepConstraintForces();
  const bool of_points = NeedContactForces(probes);
  if (of_points || !ImpulseColumnsToSum(info, simulation->scene()).empty()) {
    contact_.emplace(*simulation, info,
                     of_points ? ContactSums::Of::kPointsToo : ContactSums::Of::kPairs);
  }
}

void RecordForces::EndStep() {
  if (contact_) contact_->AddStep();
}

const ProbeForces* RecordForces::Record(const Observation& now) {
  if (!needs_holds_ && !contact_) return nullptr;
  if (needs_holds_) forces_.holds = simulation_->ConstraintForces();
  if (contact_) RecordContact(now);
  return &forces_;
}

void RecordForces::RecordContact(const Observation& now) {
  ContactVectors impulses = contact_->At(now);
  if (time_before_ && now.time > *time_before_) {
    const double passed = now.time - *time_before_;
    forces_.contact_force = {MeanSince(before_.points, impulses.points, passed),
                             MeanSince(before_.pairs, impulses.pairs, passed)};
  }
  if (from_the_start_) forces_.contact_impulse = impulses;
  time_before_ = now.time;
  before_ = std::move(impulses);
}

}  // namespace pliant
