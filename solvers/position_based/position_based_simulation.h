// The simulation of position-based dynamics: points with masses, and edges of constant length
// [Müller 2007, Sec. 3.1; Macklin 2016, Alg. 1]. A step of h:
//
//   1 forces       on the points                                      a = M⁻¹ f + g
//   2 dynamics     every point moves freely                           x̃ = x + h v + ½ h² a
//   3 solve        sweeps displace the points until every edge has    x̃ → x' (distance_solver.h)
//                  its length; each sweep may be preceded by one over
//                  all coarser levels (coarse_sweeps.h)
//   4 velocities   take up the displacements                          v' = v + h a + (x' − x̃)/h
//
// (velocity_update.h has the variants; euler-cromer, x̃ = x + h v + h² a and so v' = (x' − x)/h, is
// the one of the sources.) A departure from the sources: their step makes a given number of sweeps,
// this one sweeps until the largest misfit is within a tolerance; a large `tolerance` and
// `min_sweeps` make it theirs.
//
// Nailed points are where their nails say, as if of infinite mass, while the nails hold; what rigid
// bodies are held by, attachments, sliders, limits and contacts are corrected in every sweep by the
// same means (point_mover.h). An edge that has borne more than `break_force` in a step breaks at
// its end: it is gone, and its elastic energy with it (damping).
//
// The ledger is that of step_ledger.h: what the impulses of edges and holds give or take beyond what
// they store is the work of constraints, which should be none and is what the method loses; with
// compliance the energy Σ C²/(2α) of the edges is elastic, and the loss is that of the implicit Euler
// method. A nail gives its point m c less what edges, surfaces, attachments and guides gave, with c
// its displacement from where it would have moved freely.
//
// A point of a sheet takes about 165 bytes, 70 more with levels (docs/position-based.md): through the
// step its place at the start stays where it was, the present one is the solver's, and that of the
// free motion is computed again from the velocity.

#ifndef PLIANT_SOLVERS_POSITION_BASED_POSITION_BASED_SIMULATION_H_
#define PLIANT_SOLVERS_POSITION_BASED_POSITION_BASED_SIMULATION_H_

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/scene/forces.h"
#include "solvers/contact/displacement.h"
#include "solvers/contact/surface_contacts.h"
#include "solvers/contact_forces.h"
#include "solvers/holds/guides.h"
#include "solvers/holds/hold.h"
#include "solvers/holds/nails.h"
#include "solvers/position_based/distance_solver.h"
#include "solvers/position_based/options.h"
#include "solvers/projection/coarse_sweeps.h"
#include "solvers/projection/point_loads.h"
#include "solvers/projection/rigid_pieces.h"
#include "solvers/projection/step_ledger.h"
#include "solvers/projection/step_limits.h"
#include "solvers/projection/tension_resolution.h"
#include "solvers/projection/worst_misfit.h"
#include "solvers/simulation.h"
#include "solvers/step_pictures.h"

namespace pliant::position_based {

std::vector<ArrayGroup> ArrayGroups();  // of Arrays()

class PositionBasedSimulation final : public Simulation,
                                      public HasPhases,
                                      public StepLimited,
                                      public KnowsContactForces {
 public:
  // Every point of a body that is not rigid must have an edge and every edge a length; rigid bodies
  // have no coarse levels (the backend refuses others).
  PositionBasedSimulation(std::shared_ptr<const Scene> scene, const PositionBasedOptions& options);

  double tolerance() const { return tolerance_; }        // m
  double assembly_gap() const { return assembly_gap_; }  // m, left by the initial assembly
  const SurfaceContacts& surfaces() const { return surfaces_; }

  void ShowPhases(StepViewer viewer) override { viewer_ = std::move(viewer); }
  HasPhases* AsPhased() override { return this; }
  // Edges have none: compliance is solved implicitly.
  std::vector<StepLimit> StepLimits() const override {
    return StepLimitsOfSprings(scene(), options_);
  }
  const StepLimited* AsStepLimited() const override { return this; }
  // From now on steps also keep what the corrections displace, for Arrays().
  void KeepConstraintForces() override { keeps_corrections_ = true; }

 private:
  StepOutcome DoAdvance(double step) override;
  std::vector<UnmetConstraint> UnmetConstraints() const override;
  // The impulses [kg m] that nails, attachments and sliders gave their points in the sweeps of the
  // last step, over h². Absent with solver_levels > 1: what coarse levels displace next to a nail is
  // no constraint's own.
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

  void ApplyForces(double step);
  void Dynamics(double step);
  StepOutcome Solve(double step);
  void UpdateVelocities(double step, StepBalance* balance);
  void BookEdgesAndNails(double step, StepBalance* balance) const;  // before UpdateVelocities()
  void Account(double step, StepBalance* balance);
  void Tear(double step);
  void RemoveTornFaces();

  // x' of a point that is not rigid, from v' and its acceleration.
  Eigen::Vector3d FreePoint(int point, const Eigen::Vector3d& velocity,
                            const Eigen::Vector3d& acceleration, double step) const;
  Eigen::Vector3d PresentPoint(int point) const;  // as far as the sweeps have got
  Eigen::Matrix3Xd PresentPoints() const;
  void FindContacts(double step);         // before velocities take up the accelerations
  bool FindSurfaceContacts();             // is any new?
  double Sweep(int number, double time);  // the largest misfit of an edge on its way [m]
  void PlaceNailedPoints(double time);    // of bodies that are not rigid; sets goals for the others
  WorstMisfit FindWorst(double time);
  // A nail need not give its point what something else gave it [kg m].
  void LeaveToOthers(int point, const Eigen::Vector3d& impulse);
  void FindNailImpulses();
  void LeadOut(StepBalance* balance);
  void FindSpringsAtEnd(double step);
  void TakeMeanAccelerations();
  void BookRigidPoints(StepBalance* balance);
  // V + ½ d of a point after UpdateVelocities(), where `before_` is kept (step_ledger.h) [m/s].
  Eigen::Vector3d MeanMotion(int point, double step) const;
  void SwitchHolds(double end);  // of a step
  void Assemble();
  SceneCorrections corrections() const { return {holds_, contacts_, &guides_, &surfaces_}; }
  std::string Describe(const WorstMisfit& worst) const;
  // With `vectors` on the points where `unit` is given.
  void Show(const std::string& phase, const Eigen::Matrix3Xd& points, const std::string& unit = "",
            const Eigen::Matrix3Xd& vectors = {}) const;
  void ShowSweep(int sweeps, double gap) const;

  const PositionBasedOptions options_;
  const Eigen::VectorXd masses_;  // kg
  ContactFinder contact_finder_;
  double tolerance_ = 0.0;  // m
  double assembly_gap_ = 0.0;
  TensionResolution tensions_;
  DistanceSolver solver_;
  std::optional<CoarseSweeps> coarse_;
  std::vector<Hold> holds_;  // attachments, and nails of rigid bodies
  Nails nails_;              // state: the cubics of prerolls
  Guides guides_;            // sliders and limits
  SurfaceContacts surfaces_;

  // State.
  Eigen::Matrix3Xd points_, velocities_;  // x [m], v [m/s]
  std::vector<char> broken_;              // by edge; empty where edges do not break
  double elastic_energy_ = 0.0;           // J
  RigidPieces rigid_;
  StepLedger ledger_;

  void AddMultipliers(std::vector<NamedArray>* arrays) const;
  void AddCorrections(std::vector<NamedArray>* arrays) const;
  void AddEquations(std::vector<NamedArray>* arrays) const;

  double last_step_ = 0.0;          // s; 0 before the first one since the start or DoRestore()
  Eigen::Matrix3Xd nail_impulses_;  // 3×nails, what they gave their points in it [kg m]
  bool keeps_corrections_ = false;
  Eigen::Matrix3Xd corrections_;  // 3×n, of points that no rigid body moves [m]; empty unless kept

  // Of the present step.
  PointLoads loads_;
  double torn_energy_ = 0.0;              // elastic energy of the edges that broke at its end [J]
  std::vector<std::array<int, 2>> held_;  // points that a nail holds, ascending, and the nail
  Eigen::Matrix3Xd coarse_impulses_;      // by coarse levels, 3×n [kg m]; empty without them
  // V, 3×n [m/s]; empty where nothing but edges and nails acts on the points.
  Eigen::Matrix3Xd before_;
  Eigen::Matrix3Xd free_;  // x', 3×n [m]; empty without contacts
  std::vector<Contact> contacts_;
  HeldImpulses held_impulses_;  // scratch of LeadOut()

  StepViewer viewer_;
};

}  // namespace pliant::position_based

#endif  // PLIANT_SOLVERS_POSITION_BASED_POSITION_BASED_SIMULATION_H_
