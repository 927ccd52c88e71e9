// The simulation of linearly deformable bodies: state R, Ṙ of each body, work, contact.

#ifndef PLIANT_SOLVERS_LINEAR_DEFORMATION_LINEAR_DEFORMATION_SIMULATION_H_
#define PLIANT_SOLVERS_LINEAR_DEFORMATION_LINEAR_DEFORMATION_SIMULATION_H_

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <vector>

#include "solvers/contact/barrier_step.h"
#include "solvers/contact_forces.h"
#include "solvers/integration/second_order.h"
#include "solvers/linear_deformation/constraint_switches.h"
#include "solvers/linear_deformation/linear_deformation_system.h"
#include "solvers/simulation.h"
#include "solvers/step_limit.h"

namespace pliant::linear_deformation {

// Columns that only this formulation shows.
std::vector<SeriesColumn> LinearDeformationExtras();

class LinearDeformationSimulation final : public Simulation,
                                          public StepLimited,
                                          public KnowsContactForces {
 public:
  LinearDeformationSimulation(std::shared_ptr<const Scene> scene,
                              std::unique_ptr<LinearDeformationSystem> system,
                              const IntegratorOptions& integrator, std::vector<StepLimit> limits);

  const LinearDeformationSystem& system() const { return *system_; }
  std::vector<StepLimit> StepLimits() const override { return limits_; }
  std::vector<MethodPieces> Pieces() const override;  // see AddDeformedGrid()
  // λ on the points of each active row in the present state, including the feedback
  // that closes gaps. Excludes impulses: those that match velocities and those of
  // contact.
  std::optional<Eigen::Matrix3Xd> ConstraintForces() const override;
  // Of the penalties in the present state, and of impulses the mean over the last step; absent with a
  // barrier between bodies.
  std::optional<Eigen::Matrix3Xd> ContactForces() const override;
  std::optional<Eigen::Matrix3Xd> PairForces() const override;    // of penalties and barriers
  std::optional<Eigen::Matrix3Xd> PairImpulses() const override;  // of contact by impulses
  ContactKnowledge KnownContact() const override {
    return {system_->barrier() == nullptr, system_->bumps()};
  }
  const KnowsContactForces* AsKnowsContactForces() const override { return this; }
  std::vector<NamedArray> Arrays(std::string_view group) const override;
  const StepLimited* AsStepLimited() const override { return this; }

 protected:
  StepOutcome DoAdvance(double step) override;
  void DoObserve(Observation* observation) const override;
  int DoStateSize() const override;
  std::vector<StateBlock> DoStateLayout() const override;
  void DoSave(Eigen::Ref<Eigen::VectorXd> state) const override;
  void DoRestore(const Eigen::Ref<const Eigen::VectorXd>& state) override;

 private:
  void TallyForces() const;                                      // of the present state
  std::vector<std::optional<double>> SizesOfPairForces() const;  // magnitudes [N]
  // Constraints that begin or end, and points that follow cubics, at the beginning of the step.
  bool SwitchConstraints(double begin, double end);
  void LeadPoints(double begin, double end);
  bool ApplyImpulses();  // Did velocities change?
  void HoldRows();
  // The forces with which contact by impulses supports what rests in this step. False if they did not converge.
  bool Support(double step);
  StepOutcome Integrate(double t, double step, Eigen::VectorXd* q, Eigen::VectorXd* v,
                        Exchange* work);
  StepOutcome CheckState(const Eigen::VectorXd& q, const Eigen::VectorXd& v) const;
  void WatchForCollapse();
  void WatchForContradiction();
  void WatchSourceDamping(double step);

  std::unique_ptr<LinearDeformationSystem> system_;
  Integrator integrator_;
  BarrierStep barrier_step_;
  std::vector<StepLimit> limits_;
  const IntegratorOptions scheme_;
  // Bodies whose source's damping has not yet been found beyond its limit, with their fastest motion.
  std::vector<std::pair<int, StiffestMotion>> source_damped_;
  bool counts_iterations_;
  bool velocities_jump_ = false;  // may they ever, after the start?
  bool affine_step_;              // the system makes the step, not the integrator
  std::vector<int> with_volume_;  // bodies that may collapse

  // State, with the contact of the system.
  Eigen::VectorXd q_, v_;
  Exchange work_;
  mutable ContactTally tally_;  // scratch of DoObserve
  double last_step_ = 0.0;      // s; 0 before the first one since the start or DoRestore()
  bool started_ = false;        // have the initial velocities been matched to the constraints?
  double matching_work_ = 0.0;  // J, of velocity-matching impulses, part of work_
  ConstraintSwitches switches_;
  Eigen::VectorXd collapsed_;  // of each body: 1 while its smallest det m is not positive
  bool contradicts_ = false;   // do active constraints exceed what bodies can do?

  Eigen::VectorXd trial_q_, trial_v_;                // scratch of Support()
  Eigen::Matrix3Xd impulses_, points_, velocities_;  // scratch
  mutable Eigen::VectorXd rates_;                    // scratch of DoObserve and ConstraintForces
};

}  // namespace pliant::linear_deformation

#endif  // PLIANT_SOLVERS_LINEAR_DEFORMATION_LINEAR_DEFORMATION_SIMULATION_H_
