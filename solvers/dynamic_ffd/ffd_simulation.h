// Simulates a scene by Lagrange's equations of its lattices [Faloutsos 1995, Ch. 4].

#ifndef PLIANT_SOLVERS_DYNAMIC_FFD_FFD_SIMULATION_H_
#define PLIANT_SOLVERS_DYNAMIC_FFD_FFD_SIMULATION_H_

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "solvers/contact/barrier_step.h"
#include "solvers/contact_forces.h"
#include "solvers/dynamic_ffd/ffd_system.h"
#include "solvers/integration/second_order.h"
#include "solvers/retunable.h"
#include "solvers/simulation.h"
#include "solvers/step_limit.h"

namespace pliant::dynamic_ffd {

// Columns that only this formulation shows.
std::vector<SeriesColumn> DynamicFfdExtras();

// The bodies in other modes, from the first step that begins at this time or later.
struct FfdStage {
  double from;  // s
  std::unique_ptr<DynamicFfdSystem> system;
  std::vector<StepLimit> step_limits = {};  // as the translation estimated them
};

class DynamicFfdSimulation final : public Simulation,
                                   public Retunable,
                                   public StepLimited,
                                   public KnowsContactForces,
                                   public PlanFollower {
 public:
  // Starts at (q, v). Later stages, in order of time, continue the motion of the previous one by
  // CarryOver(), with its control, contact and what its bodies have noticed. The energy change of a
  // change of modes is booked as work of control.
  DynamicFfdSimulation(std::shared_ptr<const Scene> scene, std::unique_ptr<DynamicFfdSystem> system,
                       const IntegratorOptions& integrator, Eigen::VectorXd q, Eigen::VectorXd v,
                       std::vector<FfdStage> later = {}, std::vector<StepLimit> step_limits = {});

  const DynamicFfdSystem& system() const { return *system_; }  // of the present stage
  std::vector<StepLimit> StepLimits() const override;          // of all stages
  // `control` needs no new translation.
  bool Retune(const ParameterValues& parameters) override;
  // Pose control of the bodies that have it, at the start.
  std::vector<ModeControl>& controls() { return stages_.front().system->controls(); }
  // Integrated by the trapezoidal rule over each step.
  std::span<const ModeEnergy> mode_energies() const override { return energies_; }
  std::vector<MethodPieces> Pieces() const override;  // the lattices
  // ∫ Σ |Q_γ γ̇| dt over all modes and bodies since the start [J]: what the source calls the energy
  // consumed by the deformation forces, passive ones included.
  double deformation_effort() const;
  // −k C − c Ċ of the springs that replace nails and attachments, also on bodies in prescribed
  // motion, which do not feel them.
  std::optional<Eigen::Matrix3Xd> ConstraintForces() const override;
  // Of the penalties in the present state; absent with a barrier between bodies.
  std::optional<Eigen::Matrix3Xd> ContactForces() const override;
  std::optional<Eigen::Matrix3Xd> PairForces() const override;
  ContactKnowledge KnownContact() const override { return {system_->barrier() == nullptr}; }
  const KnowsContactForces* AsKnowsContactForces() const override { return this; }
  std::vector<NamedArray> Arrays(std::string_view group) const override;
  const Eigen::VectorXd& q() const { return q_; }
  const Eigen::VectorXd& v() const { return v_; }
  Retunable* AsRetunable() override { return this; }
  const StepLimited* AsStepLimited() const override { return this; }
  const PlanFollower* AsPlanFollower() const override { return this; }
  std::optional<DeformablePlanRecord> deformable_plan() const override;

 protected:
  StepOutcome DoAdvance(double step) override;
  void DoObserve(Observation* observation) const override;
  int DoStateSize() const override;
  std::vector<StateBlock> DoStateLayout() const override;
  void DoSave(Eigen::Ref<Eigen::VectorXd> state) const override;
  void DoRestore(const Eigen::Ref<const Eigen::VectorXd>& state) override;

 private:
  void NameModes();
  void EnterStages(double step);
  void ApplyImpulses();
  void AddModeEnergies(double step);
  StepOutcome Integrate(double step);
  StepOutcome CheckState();

  // Message when a part diverges; stored so that a step builds no strings.
  struct PartNames {
    std::string pose, amplitudes, velocities, mass_matrix;
  };

  std::vector<FfdStage> stages_;
  size_t stage_ = 0;
  DynamicFfdSystem* system_;  // of the present stage
  Integrator integrator_;
  BarrierStep barrier_step_;
  bool counts_iterations_;  // does the scheme iterate or choose its substeps?
  SceneForces forces_;
  std::vector<PartNames> names_;
  Eigen::VectorXd q_, v_;
  Exchange work_;
  mutable ContactTally tally_;           // scratch of DoObserve
  std::vector<ModeEnergy> energies_;     // by name, of all stages
  std::vector<std::vector<int>> slots_;  // by stage, body after body: whose of energies_
  bool powers_known_ = false;
  Eigen::VectorXd powers_, next_powers_;  // of the modes at (q_, v_) [W], once known; scratch
  Eigen::Matrix3Xd impulses_;             // scratch
};

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_SOLVERS_DYNAMIC_FFD_FFD_SIMULATION_H_
