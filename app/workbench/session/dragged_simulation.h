// A simulation in which the user drags points while it runs: where the drags go is not known in
// advance. It runs the scene with the drags as far as they are known. Whenever more is known it
// translates the longer scene and restores the present state into the new simulation. Formulations
// need no support for this, and the result is bit for bit the run of the scene with the whole drags.
// No Qt.

#ifndef PLIANT_APP_WORKBENCH_SESSION_DRAGGED_SIMULATION_H_
#define PLIANT_APP_WORKBENCH_SESSION_DRAGGED_SIMULATION_H_

#include <Eigen/Core>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "app/workbench/edits/hand_gesture.h"
#include "experiments/files/experiment.h"
#include "solvers/contact_forces.h"
#include "solvers/simulation.h"

namespace pliant {

class DraggedSimulation : public Simulation, private KnowsContactForces {
 public:
  // `first` is the simulation by the backend at `index` of `experiment`, whose scene holds the drags
  // as WithDrag() adds one after the other. A step must not end after the trail of a drag that goes on.
  DraggedSimulation(std::shared_ptr<const Experiment> experiment, size_t index,
                    std::vector<LiveDrag> drags, std::unique_ptr<Simulation> first);

  std::span<const ModeEnergy> mode_energies() const override { return present_->mode_energies(); }
  std::vector<UnmetConstraint> UnmetConstraints() const override {
    return present_->UnmetConstraints();
  }
  std::optional<Eigen::Matrix3Xd> ConstraintForces() const override {
    return present_->ConstraintForces();
  }
  std::vector<NamedArray> Arrays(std::string_view group) const override {
    return present_->Arrays(group);
  }
  void KeepConstraintForces() override;

  std::vector<MethodPieces> Pieces() const override { return present_->Pieces(); }
  const KnowsContactForces* AsKnowsContactForces() const override {
    return present_->AsKnowsContactForces() == nullptr ? nullptr : this;
  }

 protected:
  StepOutcome DoAdvance(double step) override;
  void DoObserve(Observation* observation) const override { present_->Observe(observation); }
  int DoStateSize() const override;
  std::vector<StateBlock> DoStateLayout() const override;
  void DoSave(Eigen::Ref<Eigen::VectorXd> state) const override;
  void DoRestore(const Eigen::Ref<const Eigen::VectorXd>& state) override;

 private:
  ContactKnowledge KnownContact() const override { return OfContact().KnownContact(); }
  std::optional<Eigen::Matrix3Xd> ContactForces() const override {
    return OfContact().ContactForces();
  }
  std::optional<Eigen::Matrix3Xd> PairForces() const override { return OfContact().PairForces(); }
  std::optional<Eigen::Matrix3Xd> PairImpulses() const override {
    return OfContact().PairImpulses();
  }
  // Of the simulation inside, which changes.
  const KnowsContactForces& OfContact() const { return *present_->AsKnowsContactForces(); }

  bool KnowsTooLittle() const;  // for the present step, while a trail knows more
  void ExtendScene();

  const std::shared_ptr<const Experiment> experiment_;
  const size_t index_;
  const std::vector<LiveDrag> drags_;
  std::unique_ptr<Simulation> present_;
  std::vector<double> known_;  // s, the end of each drag in the scene of present_
  size_t forwarded_ = 0;       // of the events of present_
  bool keeps_constraint_forces_ = false;
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_SESSION_DRAGGED_SIMULATION_H_
