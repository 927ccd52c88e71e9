// A simulation of which the future is not known: a hand leads a point, and where to is told while
// it runs. It is the simulation of the scene with what is known so far, made anew, in the state of
// the last one, when more is known: a formulation needs nothing for it, and the run is that of the
// scene with the whole hand in it, bit for bit. No Qt.

#ifndef PLIANT_APP_WORKBENCH_SESSION_LED_SIMULATION_H_
#define PLIANT_APP_WORKBENCH_SESSION_LED_SIMULATION_H_

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

class LedSimulation : public Simulation {
 public:
  // `first` is of the backend at `index` of `experiment`, which has the hand in its scene as
  // WithLead() puts it there. A step must not end after lead.trail->End().
  LedSimulation(std::shared_ptr<const Experiment> experiment, size_t index, HandLead lead,
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
  void LearnMore();

  const std::shared_ptr<const Experiment> experiment_;
  const size_t index_;
  const HandLead lead_;
  std::unique_ptr<Simulation> present_;
  double known_;     // s, up to where present_ knows the hand
  size_t told_ = 0;  // of the events of present_
  bool keeps_constraint_forces_ = false;
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_SESSION_LED_SIMULATION_H_
