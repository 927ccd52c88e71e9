// Displacement constraints in motion: the four stages of a step [Palazzi 1993, Fig. 3.1], on one
// level or on several [Palazzi 1993, Figs. 4.2, 4.3].
//
//   1 forces      of the scene on the points of level 0; restricted to all coarser levels
//   for each level, coarsest first:
//     2 dynamics    every segment moves freely under this level's fraction of the forces
//     3 solve       sweeps displace the segments until they meet again; on level 0 each may be
//                   preceded by one over all coarser levels (coarse_sweeps.h)
//     4 velocities  take up the displacements
//       prolongate  the next finer level follows
//
// Each level has velocities of its own, which hold its own part of the motion: a point of the body
// moves with the sum over the levels. They keep their direction while other levels turn the body,
// which is a loss of the method.
//
// Nails and attachments act on level 0 in full; a coarser level ℓ, through the bilinear weights of
// the point, closes the part φ_ℓ / Σ_{k ≤ ℓ} φ_k of the gap it sees and leaves the rest to finer
// levels. Of the way out of an obstacle each level takes its fraction φ_ℓ, and level 0 what is
// left; sliders, limits and contacts of surfaces act on level 0 alone. (In the source contact is a
// force like any other, split by the same fractions; it has no nails.)
//
// Where edges break (tearing.cc) each level loses what no longer holds, and what a coarse level
// does not carry any more feels all of its force on the coarsest level that has it. The points keep
// their velocities: what coarse levels lose of them, the finest takes over.
//
// The ledger is that of step_ledger.h, of the material points. In the work of constraints, which is
// numerical, is therefore also what segments have of kinetic energy that their points do not show:
// relative velocities of the endpoints of a point and, for inertia other than lumped, the difference
// between segments and material points. With several levels, a filter of forces or the source's rules,
// the work of constraints is the remainder; it then has what spreading the forces takes or gives.
// Momentum is explained where masses are lumped at the points and the prolongation keeps it.

#ifndef PLIANT_SOLVERS_DISPLACEMENT_CONSTRAINTS_DISPLACEMENT_SIMULATION_H_
#define PLIANT_SOLVERS_DISPLACEMENT_CONSTRAINTS_DISPLACEMENT_SIMULATION_H_

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/displacement_constraints/hierarchy.h"
#include "models/rigid_bodies/reference_shape.h"
#include "models/scene/forces.h"
#include "solvers/contact/displacement.h"
#include "solvers/contact/surface_contacts.h"
#include "solvers/contact_forces.h"
#include "solvers/displacement_constraints/corrector.h"
#include "solvers/displacement_constraints/levels.h"
#include "solvers/displacement_constraints/phases.h"
#include "solvers/holds/guides.h"
#include "solvers/holds/nails.h"
#include "solvers/parallel/thread_team.h"
#include "solvers/projection/coarse_sweeps.h"
#include "solvers/projection/rigid_pieces.h"
#include "solvers/projection/step_ledger.h"
#include "solvers/projection/step_limits.h"
#include "solvers/projection/tension_resolution.h"
#include "solvers/projection/worst_misfit.h"
#include "solvers/simulation.h"
#include "solvers/step_pictures.h"

namespace pliant::displacement_constraints {

std::vector<ArrayGroup> ArrayGroups();  // of Arrays()

class DisplacementConstraintsSimulation final : public Simulation,
                                                public HasPhases,
                                                public StepLimited,
                                                public KnowsContactForces {
 public:
  // `grids` as from MakeGridLevels(). Every point of a body that is not rigid must have an edge and
  // every edge a length; rigid bodies go with one level only (the backend refuses others).
  DisplacementConstraintsSimulation(std::shared_ptr<const Scene> scene,
                                    const DisplacementConstraintsOptions& options,
                                    const GridLevels* grids);

  const std::vector<Level>& levels() const { return levels_; }
  const RigidPieces& rigid() const { return rigid_; }

  // Called from within every step until another is set, or none; it changes nothing.
  void WatchPhases(PhaseWatcher watcher) { watcher_ = std::move(watcher); }
  void ShowPhases(StepViewer viewer) override;  // takes the place of the watcher

  // Largest gap [m] left by the initial assembly: sweeps without velocities that bring together
  // what the scene puts apart [Palazzi 1993, Sec. 3.4].
  double assembly_gap() const { return assembly_gap_; }
  const SurfaceContacts& surfaces() const { return surfaces_; }
  HasPhases* AsPhased() override { return this; }
  // Empty unless inertia = lumped: an end of a rod has less inertia, by its neighbours.
  std::vector<StepLimit> StepLimits() const override;
  const StepLimited* AsStepLimited() const override { return this; }

 private:
  StepOutcome DoAdvance(double step) override;
  std::vector<UnmetConstraint> UnmetConstraints() const override;
  std::vector<MethodPieces> Pieces() const override;  // segments, apart where they do not meet
  // The impulses [kg m] with which nails, attachments and sliders displaced their points in the
  // sweeps of the last step, over h²: velocities take up the displacements, so that this is the
  // momentum they gave, over h, and its mean force. All levels', each on the point it sees. Of the
  // source's rules, which displace by factors, it is the momentum of the translations, t_f times
  // the impulse; the moment they give may be another. Absent with solver_levels > 1: what sweeps
  // over coarser levels displace next to a nail is no constraint's own.
  std::optional<Eigen::Matrix3Xd> ConstraintForces() const override;
  // The same of contacts with obstacles and between surfaces, with coarse levels too.
  std::optional<Eigen::Matrix3Xd> ContactForces() const override;
  ContactKnowledge KnownContact() const override { return {.of_last_step = true}; }
  const KnowsContactForces* AsKnowsContactForces() const override { return this; }
  std::vector<NamedArray> Arrays(std::string_view group) const override;
  void DoObserve(Observation* observation) const override;
  int DoStateSize() const override;
  std::vector<StateBlock> DoStateLayout() const override;
  void DoSave(Eigen::Ref<Eigen::VectorXd> state) const override;
  void DoRestore(const Eigen::Ref<const Eigen::VectorXd>& state) override;

  // The stages of a step.
  void ApplyForces(double step);
  void Dynamics(int l, double step);
  StepOutcome Solve(int l, double step);
  void UpdateVelocities(int l, double step);
  void Prolongate(int l);
  // True if impulses of corrections have a work of their own (step_ledger.h).
  bool WorksByImpulse() const {
    return grids_ == nullptr && !Filters() && options_.correction == CorrectionRule::kCorrected;
  }
  // True if the filter has forces to spread.
  bool Filters() const {
    return options_.filter_fraction > 0.0 &&
           (ActsOnPoints(scene()) || options_.shape_stiffness > 0.0);
  }
  double WorkOfJoints(double step) const;  // and of coarse levels; after UpdateVelocities() [J]
  // Of segments, beyond that of their points with the velocities `rates`, 3×n [J].
  double HiddenEnergy(const Eigen::Matrix3Xd& rates) const;
  void Account(double step);
  void LeadOut(StepBalance* balance);
  void TakeSpringsAtEnd(double step);
  void HalveAccelerations(double step);  // velocities have h/2 less of them
  // Of an impulse, as a translation: the factor of the source's rules.
  double ShareTaken() const;
  void Tear(double step);
  void Show(StepPhase phase, int l, int sweeps = 0, double gap = 0.0) const;

  // Parts of the stages.
  void SpreadOverLevels();
  void SwitchHolds(double end);  // of a step
  void SetHoldGoals(int l, double time);
  void FindContacts(int l, double step);
  bool FindSurfaceContacts();  // is there a new one? On level 0
  void WarmStart(int l, double step, Corrector& corrector, PointMover& mover);
  void KeepForces(int l, double step);
  // Nails, sliders and obstacles are at their positions at `time`.
  void Sweep(int l, int number, double time, Corrector& corrector, PointMover& mover);
  void SweepThroughLevels();  // above level 0
  WorstMisfit FindWorst(int l, double time, const PointMover& mover);
  Corrector CorrectorOf(int l);
  void FinestPoints(Eigen::Matrix3Xd* points) const;  // of segments and rigid bodies
  void TakePositions();                               // of level 0, to all levels
  // S or S⁻¹ of points or rates of a level; nothing where levels do not keep momentum.
  void Balance(int l, GridLevels::Shift shift, Eigen::Matrix3Xd* points) const;
  const Eigen::Matrix3Xd& Passed(int l) const;      // the part given to the next coarser level
  bool IsIdle(int l) const;                         // nothing moves or acts on the level
  void SetBroken();                                 // all levels follow the edges that hold
  Eigen::VectorXd EdgeTensions(double step) const;  // of level 0, all levels' [N]
  void ApplyForcesOfMissingLevels(int l);

  void MakeHolds();
  void Assemble();
  void SetInitialVelocities();
  WeightedPoint SeenFrom(int l, int point) const;
  void SeeFrom(int l, Hold* hold) const;
  SceneCorrections CorrectionsOf(int l) const;
  std::string Describe(int l, const WorstMisfit& worst) const;

  // Arrays of a level; `forces`: of the scene, restricted to it, 3×n [N].
  void AddLevel(int l, const Eigen::Matrix3Xd& forces, std::vector<NamedArray>* arrays) const;
  void AddMultipliers(std::vector<NamedArray>* arrays) const;
  void AddEquations(std::vector<NamedArray>* arrays) const;

  // Sum over the levels, prolongated to the points of level 0; fill(segments,
  // rates) says what a level adds to its points, 3×n. Valid until the next sum.
  template <typename Fill>
  const Eigen::Matrix3Xd& SumOverLevels(const Fill& fill) const;
  const Eigen::Matrix3Xd& Velocities() const;  // V

  const DisplacementConstraintsOptions options_;
  ThreadTeam team_{options_.threads};
  std::unique_ptr<GridLevels> grids_;  // null for one level
  const SceneForces scene_forces_;
  ContactFinder contact_finder_;
  const ReferenceShape shape_;
  std::optional<CoarseSweeps> coarse_;  // of level 0
  Eigen::VectorXd point_masses_;        // as segments divide them [kg]; for coarse_
  double assembly_gap_ = 0.0;
  TensionResolution tensions_;
  PhaseWatcher watcher_;

  // State: the segments of the levels, and these.
  std::vector<Level> levels_;
  std::vector<char> broken_;  // by edge of level 0; empty where none can break
  RigidPieces rigid_;         // on level 0
  Nails nails_;               // ways of prerolls
  Guides guides_;             // on level 0; no state between steps, nor have these
  SurfaceContacts surfaces_;
  StepLedger ledger_;

  double last_step_ = 0.0;  // s; 0 before the first one since the start or DoRestore()
  // Of the present step; 3×n, points of level 0.
  Eigen::Matrix3Xd velocities_;     // V at its start
  Eigen::Matrix3Xd accelerations_;  // by all forces; in the end by the mean of springs
  // N; the reference shape is among the springs, an impulse a force of one step.
  Eigen::Matrix3Xd springs_, springs_at_end_, timed_, damping_, impulses_;
  Eigen::Matrix3Xd displacements_;  // Δx
  Eigen::Matrix3Xd scratch_;
  double hidden_energy_ = 0.0;        // at its start [J]
  Eigen::Matrix3Xd coarse_impulses_;  // by coarse_, 3×n [kg m]; empty without
  Eigen::VectorXd pulled_before_lead_;
  HeldImpulses held_impulses_;
  std::vector<Contact> predicted_;  // where points would get into an obstacle

  struct LevelSum {
    Eigen::Matrix3Xd rates, scratch, shifts;
  };
  mutable std::vector<LevelSum> sums_;  // scratch of SumOverLevels()
};

template <typename Fill>
const Eigen::Matrix3Xd& DisplacementConstraintsSimulation::SumOverLevels(const Fill& fill) const {
  for (int l = static_cast<int>(levels_.size()) - 1; l >= 0; --l) {
    fill(levels_[l].segments, &sums_[l].rates);
    if (l + 1 == static_cast<int>(levels_.size())) continue;
    grids_->ProlongateRates(l, Passed(l), sums_[l + 1].rates, sums_[l].scratch);
    Balance(l, GridLevels::Shift::kBack, &sums_[l].scratch);
    sums_[l].rates += sums_[l].scratch;
  }
  return sums_[0].rates;
}

}  // namespace pliant::displacement_constraints

#endif  // PLIANT_SOLVERS_DISPLACEMENT_CONSTRAINTS_DISPLACEMENT_SIMULATION_H_
