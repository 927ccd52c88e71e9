#include "app/workbench/session/dragged_simulation.h"

#include <stdexcept>
#include <utility>

namespace pliant {
namespace {

constexpr int kClockSize = 3;  // numbers that Simulation::Save() puts before those of DoSave()

}  // namespace

DraggedSimulation::DraggedSimulation(std::shared_ptr<const Experiment> experiment, size_t index,
                                     std::vector<LiveDrag> drags, std::unique_ptr<Simulation> first)
    : Simulation(experiment->scene, {}),  // the simulation inside divides its steps itself
      experiment_(std::move(experiment)),
      index_(index),
      drags_(std::move(drags)),
      present_(std::move(first)),
      known_(EndsOf(*experiment_, drags_)) {}

void DraggedSimulation::KeepConstraintForces() {
  keeps_constraint_forces_ = true;
  present_->KeepConstraintForces();
}

StepOutcome DraggedSimulation::DoAdvance(double step) {
  if (KnowsTooLittle()) ExtendScene();
  const StepOutcome outcome = present_->Advance(step);
  const std::vector<SimulationEvent>& events = present_->events();
  for (; forwarded_ < events.size(); ++forwarded_)
    Happened(events[forwarded_].time, events[forwarded_].what);
  return outcome;
}

bool DraggedSimulation::KnowsTooLittle() const {
  for (size_t i = 0; i < drags_.size(); ++i) {
    if (StepEnd() >= known_[i] && drags_[i].trail->End() > known_[i]) return true;
  }
  return false;
}

void DraggedSimulation::ExtendScene() {
  const auto more = WithLongerDrags(*experiment_, drags_);
  Translation translation = TranslateFor(*more, index_);
  const Eigen::VectorXd state = present_->Save();
  if (translation.simulation == nullptr || translation.simulation->Save().size() != state.size()) {
    throw std::logic_error("a longer drag changed the translation of the scene");
  }
  translation.simulation->Restore(state);
  present_ = std::move(translation.simulation);
  if (keeps_constraint_forces_) present_->KeepConstraintForces();
  known_ = EndsOf(*more, drags_);
  forwarded_ = 0;
}

int DraggedSimulation::DoStateSize() const {
  // Without the clock, which Simulation::Save() adds.
  return static_cast<int>(present_->Save().size()) - kClockSize;
}

std::vector<StateBlock> DraggedSimulation::DoStateLayout() const {
  std::vector<StateBlock> blocks = present_->StateLayout();
  blocks.erase(blocks.begin(), blocks.begin() + kClockSize);  // each number of the clock is one
  return blocks;
}

void DraggedSimulation::DoSave(Eigen::Ref<Eigen::VectorXd> state) const {
  state = present_->Save().tail(state.size());
}

void DraggedSimulation::DoRestore(const Eigen::Ref<const Eigen::VectorXd>& state) {
  Eigen::VectorXd whole = Save();  // the clock is already restored
  whole.tail(state.size()) = state;
  present_->Restore(whole);
  forwarded_ = present_->events().size();
}

}  // namespace pliant
