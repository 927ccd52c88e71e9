#include "app/workbench/session/dragged_simulation.h"

#include <stdexcept>
#include <utility>

namespace pliant {
namespace {

constexpr int kClockSize = 3;  // numbers that Simulation::Save() puts before those of DoSave()

double DragEndIn(const Scene& scene, const LiveDrag& drag) {
  return drag.tool == HandTool::kNail ? scene.nails.back().path.times().back()
                                      : scene.forces.back().until;
}

}  // namespace

DraggedSimulation::DraggedSimulation(std::shared_ptr<const Experiment> experiment, size_t index,
                                     LiveDrag drag, std::unique_ptr<Simulation> first)
    : Simulation(experiment->scene, {}),  // the simulation inside divides its steps itself
      experiment_(std::move(experiment)),
      index_(index),
      drag_(std::move(drag)),
      present_(std::move(first)),
      known_(DragEndIn(*experiment_->scene, drag_)) {}

void DraggedSimulation::KeepConstraintForces() {
  keeps_constraint_forces_ = true;
  present_->KeepConstraintForces();
}

StepOutcome DraggedSimulation::DoAdvance(double step) {
  if (StepEnd() >= known_ && drag_.trail->End() > known_) ExtendScene();
  const StepOutcome outcome = present_->Advance(step);
  const std::vector<SimulationEvent>& events = present_->events();
  for (; forwarded_ < events.size(); ++forwarded_)
    Happened(events[forwarded_].time, events[forwarded_].what);
  return outcome;
}

void DraggedSimulation::ExtendScene() {
  const auto more = WithLongerDrag(*experiment_, drag_);
  Translation translation = TranslateFor(*more, index_);
  const Eigen::VectorXd state = present_->Save();
  if (translation.simulation == nullptr || translation.simulation->Save().size() != state.size()) {
    throw std::logic_error("a longer drag changed the translation of the scene");
  }
  translation.simulation->Restore(state);
  present_ = std::move(translation.simulation);
  if (keeps_constraint_forces_) present_->KeepConstraintForces();
  known_ = DragEndIn(*more->scene, drag_);
  forwarded_ = 0;
}

int DraggedSimulation::DoStateSize() const {
  // Without the clock, which Simulation::Save() adds.
  return static_cast<int>(present_->Save().size()) - kClockSize;
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
