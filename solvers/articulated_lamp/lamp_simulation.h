// An articulated lamp on a floor, moved by its pose control [Chitimalli 2008].

#ifndef PLIANT_SOLVERS_ARTICULATED_LAMP_LAMP_SIMULATION_H_
#define PLIANT_SOLVERS_ARTICULATED_LAMP_LAMP_SIMULATION_H_

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "models/scene/forces.h"
#include "solvers/articulated_lamp/head_load.h"
#include "solvers/articulated_lamp/hinge_control.h"
#include "solvers/articulated_lamp/hinge_stops.h"
#include "solvers/articulated_lamp/lamp_body.h"
#include "solvers/articulated_lamp/link_contact.h"
#include "solvers/articulated_lamp/located_step.h"
#include "solvers/articulated_lamp/planned_jump.h"
#include "solvers/control/tables.h"
#include "solvers/retunable.h"
#include "solvers/simulation.h"

namespace pliant::articulated_lamp {

// Columns that only the lamp shows.
std::vector<SeriesColumn> LampExtras();

std::vector<ArrayGroup> ArrayGroups();  // of Arrays()

// The control of a table for the lamp at body 0 of the scene; none when it is empty. Throws
// BadInput with paths that begin with "control".
std::optional<HingeControl> BindHingeControl(const std::shared_ptr<const Scene>& scene,
                                             const ControlTable& table,
                                             const HingeControlOptions& options);

class ArticulatedLampSimulation final : public Simulation, public Retunable, public PlanFollower {
 public:
  // `scene` holds one body, the lamp. At most one of `control` and `plan` is there; `links`: where something may touch them. `load`: on
  // the head, if there is any.
  ArticulatedLampSimulation(std::shared_ptr<const Scene> scene, LampBody body, LampStepper stepper,
                            const HingeStops& stops, std::optional<HingeControl> control,
                            std::optional<PlannedJump> plan, std::optional<LinkContact> links,
                            const HingeControlOptions& options,
                            LampIntegrator integrator = LampIntegrator::kSemiImplicitEuler,
                            std::optional<HeadLoad> load = std::nullopt);

  const LampVector& q() const { return q_; }
  const LampVector& v() const { return v_; }
  const LampStepper& stepper() const { return stepper_; }
  const LampAngles& torques() const { return torques_; }  // of the servos in the last step [N·m]

  // `control` needs no new translation.
  bool Retune(const ParameterValues& parameters) override;
  // Of each hinge: work of its servo.
  std::span<const ModeEnergy> mode_energies() const override { return energies_; }
  Retunable* AsRetunable() override { return this; }
  std::optional<PlanRecord> plan_record() const override;
  const PlanFollower* AsPlanFollower() const override { return this; }
  std::vector<NamedArray> Arrays(std::string_view group) const override;

 protected:
  StepOutcome DoAdvance(double step) override;
  void DoObserve(Observation* observation) const override;
  int DoStateSize() const override;
  std::vector<StateBlock> DoStateLayout() const override;
  void DoSave(Eigen::Ref<Eigen::VectorXd> state) const override;
  void DoRestore(const Eigen::Ref<const Eigen::VectorXd>& state) override;

 private:
  void StartControl();
  int ReplanNumbers() const;  // of the state
  // Torques at `share` of a step from `begin`, of a lamp at (q, v): 1 at its end, ½ in its middle.
  HingeTorques ServoTorques(double begin, double step, double share, const LampPlacement& placement,
                            const LampVector& q, const LampVector& v) const;
  StepOutcome AdvanceLoaded(double step);
  void AdvanceByEuler(double step);
  void AdvanceByMidpoint(double step);
  int EndsDown(const LampPlacement& placement, const LampVector& q) const;  // of the base
  // What the scene pushes in a step of `step` seconds from now.
  void GatherPushes(double step);
  // All forces at a state, those of contact in touch_.
  LampPushes PushesAt(const LampPlacement& placement, const LampVector& q, const LampVector& v);
  // The part's work and impulse of `pushes` that last `time` seconds; 1 for impulses.
  void AccountPushes(LampPushes pushes, double time, WorkClass work, const StepPart& part,
                     const LampPlacement& placement, const LampVector& where);
  // The same of touch_, of which springs take no part in the work.
  void AccountTouch(const StepPart& part, const LampPlacement& placement, const LampVector& where);
  void AddMomentum(const LampStepper::Pushed& pushed, double time, const LampVector& where);
  const LampFloor& Under() const;
  bool IsImpact(double resting_speed, const StepPart& part) const;
  void Account(double step, const StepPart& part);
  // `placement` is that of (x, y, …) = `where`, at which the forces of the part act.
  void AccountMomentum(const StepPart& part, const LampPlacement& placement,
                       const LampVector& where);

  LampBody body_;
  LampStepper stepper_;
  HingeStops stops_;
  std::optional<HingeControl> control_;
  std::optional<PlannedJump> plan_;
  std::optional<double> plan_work_, cost_of_transport_;  // of the first plan
  HingeControlOptions options_;
  LampIntegrator integrator_;
  std::optional<HeadLoad> load_;

  std::vector<int> pushed_points_;           // of the body
  SceneForces scene_forces_;                 // on them
  std::vector<LampPush> forces_, impulses_;  // in this step [N], [N·s]
  mutable std::optional<LinkContact> links_;
  LinkContact::Forces touch_;  // of links_, where it was asked last
  std::vector<LampPush> all_;  // scratch: forces_ and touch_

  LampVector q_, v_;
  Eigen::Vector3d impulse_ = Eigen::Vector3d::Zero();  // of the floor, in the last step
  double last_step_ = 1.0;                             // s
  LampAngles torques_ = LampAngles::Zero();
  double torque_squares_ = 0.0, acceleration_squares_ = 0.0;  // ∫ Σ τ² dt, ∫ Σ φ̈² dt
  double tracking_squares_ = 0.0;                             // ∫ Σ (τ − τ_plan)² dt
  Exchange work_;
  std::vector<ModeEnergy> energies_;
  Eigen::Matrix3Xd x_;  // scratch
};

}  // namespace pliant::articulated_lamp

#endif  // PLIANT_SOLVERS_ARTICULATED_LAMP_LAMP_SIMULATION_H_
