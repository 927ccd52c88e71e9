// What a simulation of dynamic free-form deformation saves and restores.

#include "solvers/array_blocks.h"
#include "solvers/dynamic_ffd/ffd_simulation.h"

namespace pliant::dynamic_ffd {

using Eigen::VectorXd;

std::vector<StateBlock> DynamicFfdSimulation::DoStateLayout() const {
  StateBlocks layout;
  layout.Add("stage of modes", 1, "1");
  const auto of_body = [this](const FfdPart& part) {
    return " of body '" + scene().bodies[&part - system_->parts().data()].name + "'";
  };
  for (const FfdPart& part : system_->parts()) {
    const bool planar = part.body.dimension() == 2;
    layout.Add("position and " + std::string(planar ? "angle" : "quaternion") + of_body(part),
               part.body.pose_size(), planar ? "m, rad" : "m, 1");
    layout.Add("amplitudes" + of_body(part), part.body.modes(), "1");
  }
  for (const FfdPart& part : system_->parts()) {
    layout.Add("linear and angular velocity" + of_body(part), part.body.twist_size(), "m/s, rad/s");
    layout.Add("rates of amplitudes" + of_body(part), part.body.modes(), "1/s");
  }
  layout.AddExchange();
  layout.Add("effort and work of each mode", 2 * static_cast<int>(energies_.size()), "J");
  layout.Add("evaluations", 1, "1");
  layout.Add("next substep", 1, "s");
  layout.Add("control: active poses and their times, servos, what bodies have noticed",
             system_->ControlStateSize(), "1, s");
  layout.Add("entry points of contacts, whether there is one, and normals there",
             system_->ContactStateSize(), "m, 1");
  layout.Add("unused", DoStateSize() - layout.size(), "1");
  return layout.Take();
}

// Stage, q, v, work, energies of the modes, evaluations, substep, control, entry points of the
// contact; unused entries of a stage with fewer modes are 0.
int DynamicFfdSimulation::DoStateSize() const {
  int moving = 0;  // q and v of the stage that has most
  for (const FfdStage& stage : stages_) {
    moving = std::max(moving, stage.system->coordinates() + stage.system->velocities());
  }
  return moving + Exchange::kNumbers + 3 + 2 * static_cast<int>(energies_.size()) +
         system_->ControlStateSize() + system_->ContactStateSize();
}

void DynamicFfdSimulation::DoSave(Eigen::Ref<VectorXd> state) const {
  Eigen::Index at = 0;
  auto next = [&](Eigen::Index size) {
    at += size;
    return state.segment(at - size, size);
  };
  next(1)[0] = static_cast<double>(stage_);
  next(q_.size()) = q_;
  next(v_.size()) = v_;
  next(Exchange::kNumbers) = work_.Numbers();
  for (const ModeEnergy& energy : energies_) next(2) << energy.spent, energy.work;
  next(1)[0] = static_cast<double>(integrator_.evaluations());
  next(1)[0] = integrator_.substep();
  system_->SaveControl(next(system_->ControlStateSize()));
  system_->SaveContact(next(system_->ContactStateSize()));
  state.tail(state.size() - at).setZero();
}

void DynamicFfdSimulation::DoRestore(const Eigen::Ref<const VectorXd>& state) {
  Eigen::Index at = 0;
  auto next = [&](Eigen::Index size) {
    at += size;
    return state.segment(at - size, size);
  };
  stage_ = static_cast<size_t>(next(1)[0]);
  system_ = stages_[stage_].system.get();
  q_ = next(system_->coordinates());
  v_ = next(system_->velocities());
  work_ = Exchange::FromNumbers(next(Exchange::kNumbers));
  for (ModeEnergy& energy : energies_) {
    energy.spent = next(1)[0];
    energy.work = next(1)[0];
  }
  integrator_.set_evaluations(static_cast<std::int64_t>(next(1)[0]));
  integrator_.set_substep(next(1)[0]);
  system_->RestoreControl(next(system_->ControlStateSize()));
  system_->RestoreContact(next(system_->ContactStateSize()));
  powers_known_ = false;
}

}  // namespace pliant::dynamic_ffd
