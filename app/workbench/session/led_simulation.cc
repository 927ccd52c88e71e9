#include "app/workbench/session/led_simulation.h"

#include <stdexcept>
#include <utility>

namespace pliant {
namespace {

constexpr int kClockSize = 3;  // of Simulation::Save(), in front of what a simulation saves itself

double KnownIn(const Scene& scene, const HandLead& lead) {
  return lead.tool == HandTool::kNail ? scene.nails.back().path.times().back()
                                      : scene.forces.back().until;
}

}  // namespace

LedSimulation::LedSimulation(std::shared_ptr<const Experiment> experiment, size_t index,
                             HandLead lead, std::unique_ptr<Simulation> first)
    : Simulation(experiment->scene),
      experiment_(std::move(experiment)),
      index_(index),
      lead_(std::move(lead)),
      present_(std::move(first)),
      known_(KnownIn(*experiment_->scene, lead_)) {}

void LedSimulation::KeepConstraintForces() {
  keeps_constraint_forces_ = true;
  present_->KeepConstraintForces();
}

StepOutcome LedSimulation::DoAdvance(double step) {
  if (StepEnd() >= known_ && lead_.trail->End() > known_) LearnMore();
  const StepOutcome outcome = present_->Advance(step);
  const std::vector<SimulationEvent>& events = present_->events();
  for (; told_ < events.size(); ++told_) Happened(events[told_].time, events[told_].what);
  return outcome;
}

void LedSimulation::LearnMore() {
  const auto more = FollowingLead(*experiment_, lead_);
  Translation translation = TranslateFor(*more, index_);
  const Eigen::VectorXd state = present_->Save();
  if (translation.simulation == nullptr || translation.simulation->Save().size() != state.size()) {
    throw std::logic_error("what a hand does later has changed the translation of the scene");
  }
  translation.simulation->Restore(state);
  present_ = std::move(translation.simulation);
  if (keeps_constraint_forces_) present_->KeepConstraintForces();
  known_ = KnownIn(*more->scene, lead_);
  told_ = 0;
}

int LedSimulation::DoStateSize() const {
  // Without the clock, which is saved by each simulation in front of its state.
  return static_cast<int>(present_->Save().size()) - kClockSize;
}

void LedSimulation::DoSave(Eigen::Ref<Eigen::VectorXd> state) const {
  state = present_->Save().tail(state.size());
}

void LedSimulation::DoRestore(const Eigen::Ref<const Eigen::VectorXd>& state) {
  Eigen::VectorXd whole = Save();  // the clock is restored already
  whole.tail(state.size()) = state;
  present_->Restore(whole);
  told_ = present_->events().size();
}

}  // namespace pliant
