// The state of the simulation of a lamp, to be saved and restored; its layout is in arrays.cc.

#include "solvers/articulated_lamp/lamp_simulation.h"

namespace pliant::articulated_lamp {
namespace {

using Eigen::VectorXd;

// Of a plan made on the way: time, q, v, and whether it was tried.
constexpr int kReplanNumbers = 2 + 2 * kLampDof;

}  // namespace

// q, v, the floor's impulse and its step, torques, their squares, those of the accelerations and of
// the torques that track, work, energies of the hinges, entry points of links, control; the plans made on the way, by what they were made from.
int ArticulatedLampSimulation::DoStateSize() const {
  return 2 * kLampDof + 4 + kLampHinges + 3 + Exchange::kNumbers + 2 * kLampHinges +
         (links_ ? links_->StateSize() : 0) + (control_ ? control_->StateSize() : 0) +
         ReplanNumbers();
}

int ArticulatedLampSimulation::ReplanNumbers() const {
  const int most = plan_ ? plan_->most_replans() : 0;
  return most > 0 ? 1 + most * kReplanNumbers : 0;
}

void ArticulatedLampSimulation::DoSave(Eigen::Ref<VectorXd> state) const {
  Eigen::Index at = 0;
  auto next = [&](Eigen::Index size) {
    at += size;
    return state.segment(at - size, size);
  };
  next(kLampDof) = q_;
  next(kLampDof) = v_;
  next(3) = impulse_;
  next(1)[0] = last_step_;
  next(kLampHinges) = torques_;
  next(3) << torque_squares_, acceleration_squares_, tracking_squares_;
  next(Exchange::kNumbers) = work_.Numbers();
  for (const ModeEnergy& energy : energies_) next(2) << energy.spent, energy.work;
  if (links_) links_->Save(next(links_->StateSize()));
  if (control_) control_->Save(next(control_->StateSize()));
  if (ReplanNumbers() == 0) return;
  next(1)[0] = static_cast<double>(plan_->replans().size());
  for (const Replan& replan : plan_->replans()) {
    next(kReplanNumbers) << replan.time, replan.from.q, replan.from.v, replan.planned ? 1.0 : 0.0;
  }
  state.tail(state.size() - at).setZero();
}

void ArticulatedLampSimulation::DoRestore(const Eigen::Ref<const VectorXd>& state) {
  Eigen::Index at = 0;
  auto next = [&](Eigen::Index size) {
    at += size;
    return state.segment(at - size, size);
  };
  q_ = next(kLampDof);
  v_ = next(kLampDof);
  impulse_ = next(3);
  last_step_ = next(1)[0];
  torques_ = next(kLampHinges);
  torque_squares_ = next(1)[0];
  acceleration_squares_ = next(1)[0];
  tracking_squares_ = next(1)[0];
  work_ = Exchange::FromNumbers(next(Exchange::kNumbers));
  for (ModeEnergy& energy : energies_) {
    energy.spent = next(1)[0];
    energy.work = next(1)[0];
  }
  if (links_) links_->Restore(next(links_->StateSize()));
  if (control_) control_->Restore(next(control_->StateSize()));
  if (ReplanNumbers() == 0) return;
  std::vector<Replan> replans(static_cast<size_t>(next(1)[0]));
  for (Replan& replan : replans) {
    replan.time = next(1)[0];
    replan.from.q = next(kLampDof);
    replan.from.v = next(kLampDof);
    replan.planned = next(1)[0] != 0.0;
  }
  plan_->Restore(replans);
}

}  // namespace pliant::articulated_lamp
