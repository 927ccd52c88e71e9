// A simulation in which the user drags a point while it runs: where the drag goes is not known in
// advance. It runs the scene with the drag as far as it is known. Whenever more is known it
// translates the longer scene and restores the present state into the new simulation. Formulations
// need no support for this, and the result is bit for bit the run of the scene with the whole drag.
// No Qt.

#ifndef PLIANT_APP_WORKBENCH_SESSION_DRAGGED_SIMULATION_H_
#define PLIANT_APP_WORKBENCH_SESSION_DRAGGED_SIMULATION_H_

#include <Eigen/Core>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "app/workbench/edits/hand_gesture.h"
#include "experiments/files/experiment.h"
#include "solvers/simulation.h"

namespace pliant {

class DraggedSimulation : public Simulation {
 public:
  // `first` is the simulation by the backend at `index` of `experiment`, whose scene holds the drag
  // as WithDrag() adds it. A step must not end after drag.trail->End().
  DraggedSimulation(std::shared_ptr<const Experiment> experiment, size_t index, LiveDrag drag,
                    std::unique_ptr<Simulation> first);

  std::span<const ModeEnergy> mode_energies() const override { return present_->mode_energies(); }
  std::vector<UnmetConstraint> UnmetConstraints() const override {
    return present_->UnmetConstraints();
  }
  std::optional<Eigen::Matrix3Xd> ConstraintForces() const override {
    return present_->ConstraintForces();
  }
  void KeepConstraintForces() override;

  std::vector<MethodPieces> Pieces() const override { return present_->Pieces(); }

 protected:
  StepOutcome DoAdvance(double step) override;
  void DoObserve(Observation* observation) const override { present_->Observe(observation); }
  int DoStateSize() const override;
  void DoSave(Eigen::Ref<Eigen::VectorXd> state) const override;
  void DoRestore(const Eigen::Ref<const Eigen::VectorXd>& state) override;

 private:
  void ExtendScene();

  const std::shared_ptr<const Experiment> experiment_;
  const size_t index_;
  const LiveDrag drag_;
  std::unique_ptr<Simulation> present_;
  double known_;          // s, the end of the drag in the scene of present_
  size_t forwarded_ = 0;  // of the events of present_
  bool keeps_constraint_forces_ = false;
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_SESSION_DRAGGED_SIMULATION_H_
