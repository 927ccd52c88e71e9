// Points whose distances are kept, in motion: the step of displacement constraints with edges in
// the place of segments (`correction = "lengths"`, see length_solver.h).
//
//   1 forces       on the points
//   2 dynamics     every point moves freely
//   3 solve        sweeps displace the points until all edges have their lengths; each sweep may be
//                  preceded by one over all coarser levels (coarse_lengths.h)
//   4 velocities   take up the displacements
//
// Nailed points are where their nails say, as if of infinite mass, while the nails hold; what rigid
// bodies are held by, attachments, sliders, limits and contacts are relaxed in every sweep, as with
// segments. An edge that has borne more than `break_force` in a step breaks at its end: it is gone,
// and its elastic energy is lost work of constraints. The ledger is that of DisplacementConstraintsSimulation;
// with compliance the energy Σ ½ C²/α of the edges is elastic and no work of constraints.
//
// A point takes about 115 bytes, 28 more with levels (docs/displacement-constraints.md): through
// the step its place at the start stays where it was, the present one is the solver's, and that of
// the free motion is computed again from the velocity.

#ifndef PLIANT_SOLVERS_DISPLACEMENT_CONSTRAINTS_LENGTH_SIMULATION_H_
#define PLIANT_SOLVERS_DISPLACEMENT_CONSTRAINTS_LENGTH_SIMULATION_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/displacement_constraints/hierarchy.h"
#include "models/scene/forces.h"
#include "solvers/displacement_constraints/coarse_lengths.h"
#include "solvers/displacement_constraints/contact.h"
#include "solvers/displacement_constraints/guides.h"
#include "solvers/displacement_constraints/hold.h"
#include "solvers/displacement_constraints/length_solver.h"
#include "solvers/displacement_constraints/nails.h"
#include "solvers/displacement_constraints/options.h"
#include "solvers/displacement_constraints/point_loads.h"
#include "solvers/displacement_constraints/rigid_pieces.h"
#include "solvers/displacement_constraints/step_ledger.h"
#include "solvers/displacement_constraints/surface_contacts.h"
#include "solvers/simulation.h"
#include "solvers/step_pictures.h"

namespace pliant::displacement_constraints {

class LengthSimulation final : public Simulation, public HasPhases {
 public:
  // `grids`: the levels that speed up the sweeps; null for none. Every point of a body that is not
  // rigid must have an edge and every edge a length; rigid bodies go with no levels (the backend
  // refuses others).
  LengthSimulation(std::shared_ptr<const Scene> scene,
                   const DisplacementConstraintsOptions& options, const GridLevels* grids);

  double tolerance() const { return tolerance_; }        // m
  double assembly_gap() const { return assembly_gap_; }  // m, left by the initial assembly

  void ShowPhases(StepViewer viewer) override { viewer_ = std::move(viewer); }

 private:
  // What is worst: an edge, a hold, a slider or limit, or a contact with an obstacle or a surface.
  struct Worst {
    enum class Kind { kEdge, kHold, kGuide, kContact, kSurface } kind = Kind::kEdge;
    int index = 0;
    double size = 0.0;  // m
  };

  StepOutcome DoAdvance(double step) override;
  std::vector<UnmetConstraint> UnmetConstraints() const override;
  // As of DisplacementConstraintsSimulation, for steps since KeepConstraintForces(). A nailed point of a body
  // that is not rigid is put in its place as if of infinite mass: what holds it gave it m c less
  // what edges and surfaces gave, with c its displacement from where it would have moved freely
  // (what a limit gave it counts as the nail's).
  std::optional<Eigen::Matrix3Xd> ConstraintForces() const override;
  void KeepConstraintForces() override;
  void DoObserve(Observation* observation) const override;
  int DoStateSize() const override;
  void DoSave(Eigen::Ref<Eigen::VectorXd> state) const override;
  void DoRestore(const Eigen::Ref<const Eigen::VectorXd>& state) override;

  void ApplyForces(double step);
  void Dynamics(double step);
  Worst Solve(double step);
  void UpdateVelocities(double step);
  void Account(double step);
  void Tear(double step);
  void LeaveTornFaces();

  // x' of a point that is not rigid, from v' and its acceleration.
  Eigen::Vector3d FreePoint(int point, const Eigen::Vector3d& velocity,
                            const Eigen::Vector3d& acceleration, double step) const;
  Eigen::Vector3d PresentPoint(int point) const;  // as far as the sweeps have got
  Eigen::Matrix3Xd PresentPoints() const;
  void FindContacts(double step);         // before velocities take up the accelerations
  bool FindSurfaceContacts();             // is any new?
  double Sweep(int number, double time);  // the largest misfit of an edge on its way [m]
  void PlaceNailedPoints(double time);    // of bodies that are not rigid; sets goals for the others
  Worst FindWorst(double time);
  void MakeHolds();
  void SwitchHolds(double end);  // of a step
  void Assemble();
  std::string Describe(const Worst& worst) const;
  // With `vectors` on the points where `unit` is given.
  void Show(const std::string& phase, const Eigen::Matrix3Xd& points, const std::string& unit = "",
            const Eigen::Matrix3Xd& vectors = {}) const;
  void ShowSweep(int sweeps, double gap) const;

  const DisplacementConstraintsOptions options_;
  const Eigen::VectorXd masses_;  // kg
  const ContactFinder contact_finder_;
  double tolerance_ = 0.0;  // m
  double assembly_gap_ = 0.0;
  LengthSolver solver_;
  std::optional<CoarseLengths> coarse_;
  std::vector<Hold> holds_;  // attachments, and nails of rigid bodies
  Nails nails_;              // state: ways of prerolls
  Guides guides_;            // sliders and limits
  SurfaceContacts surfaces_;

  // State.
  Eigen::Matrix3Xd points_, velocities_;  // x [m], v [m/s]
  std::vector<char> broken_;              // by edge; empty where edges do not break
  double elastic_energy_ = 0.0;           // J
  RigidPieces rigid_;
  StepLedger ledger_;

  // For ConstraintForces().
  bool keeps_forces_ = false;
  double last_step_ = 0.0;        // s; 0 unless one was kept since the start or DoRestore()
  Eigen::Matrix3Xd nailed_ways_;  // 3×nails, c in it [m]; empty unless it is kept

  // Of the present step.
  PointLoads loads_;
  double kinetic_energy_ = 0.0;  // at its start [J]
  Eigen::Matrix3Xd free_;        // x', 3×n [m]; empty without contacts
  std::vector<Contact> contacts_;

  StepViewer viewer_;
};

}  // namespace pliant::displacement_constraints

#endif  // PLIANT_SOLVERS_DISPLACEMENT_CONSTRAINTS_LENGTH_SIMULATION_H_
