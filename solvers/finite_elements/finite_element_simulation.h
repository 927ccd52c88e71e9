// The simulation: nodes q, v of all bodies, steps (time_step.h), and the ledger.

#ifndef PLIANT_SOLVERS_FINITE_ELEMENTS_FINITE_ELEMENT_SIMULATION_H_
#define PLIANT_SOLVERS_FINITE_ELEMENTS_FINITE_ELEMENT_SIMULATION_H_

#include <Eigen/Core>
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/scene/forces.h"
#include "solvers/finite_elements/contact.h"
#include "solvers/finite_elements/contact_impulses.h"
#include "solvers/finite_elements/discretisation.h"
#include "solvers/finite_elements/node_loads.h"
#include "solvers/finite_elements/options.h"
#include "solvers/finite_elements/point_forces.h"
#include "solvers/finite_elements/reduction.h"
#include "solvers/finite_elements/scene_rows.h"
#include "solvers/finite_elements/statics.h"
#include "solvers/finite_elements/time_step.h"
#include "solvers/simulation.h"

namespace pliant::finite_elements {

// Columns that only this formulation shows.
std::vector<SeriesColumn> FiniteElementExtras();
std::vector<ArrayGroup> FiniteElementArrays();

class FiniteElementSimulation final : public Simulation {
 public:
  FiniteElementSimulation(std::shared_ptr<const Scene> scene, Discretisation bodies,
                          const Options& options);

  const Discretisation& bodies() const { return bodies_; }
  const HeldRows& rows() const { return rows_; }
  const Reduction& reduction() const { return reduction_; }
  // Largest gap [m] between the points and what holds them, before the start closed it.
  double assembly_gap() const { return assembly_gap_; }
  // What can pass between places of a surface, in words (contact.h).
  const std::string& passes() const { return contact_.passes(); }
  // Smallest distance between surfaces that meet at the start, where it is below the thickness [m].
  double smallest_gap() const { return smallest_gap_; }

  std::optional<Eigen::Matrix3Xd> ConstraintForces() const override;
  std::vector<NamedArray> Arrays(std::string_view group) const override;

 protected:
  StepOutcome DoAdvance(double step) override;
  void DoObserve(Observation* observation) const override;
  int DoStateSize() const override;
  std::vector<StateBlock> DoStateLayout() const override;
  void DoSave(Eigen::Ref<Eigen::VectorXd> state) const override;
  void DoRestore(const Eigen::Ref<const Eigen::VectorXd>& state) override;

 private:
  // Velocities that the rows allow, after impulses on the points of the scene, 3×n [N s].
  void Kick(double time, const Eigen::Matrix3Xd* impulses);
  // From t to t + h: the motion alone, and with its exchange, in halves where Newton's iteration fails. Where a smallest
  // piece did not converge the step has not, whatever follows: the rest of it is `unsolved` and no longer divided but
  // where it cannot go on.
  TimeStep::Result Move(double t, double h);
  TimeStep::Result Step(double t, double h, int halvings, bool unsolved = false);
  // In pieces of the error that step_tolerance allows (step_in_pieces.cc).
  StepOutcome StepInPieces(double t, double h);
  class Pieces;
  static StepOutcome OutcomeOf(TimeStep::Result result);
  void Book(double t, double h, const MotionState& before);
  // From the equilibrium at t to that at t + h.
  StepOutcome StaticStep(double t, double h);
  // What acts on the nodes at t, 3×m [N]: gravity and forces, of statics the part that acts by then.
  Eigen::Matrix3Xd DeadForces(double t) const;
  double LoadPart(double t) const {
    return statics() ? std::min(1.0, t / options_.load_time) : 1.0;
  }
  bool statics() const { return options_.time.scheme == TimeScheme::kStatic; }
  void WatchForInversion();
  bool JumpsAt(double t) const;
  // Adds forces, or impulses, on the nodes to the exchange.
  void AddFromOutside(const Eigen::Matrix3Xd& at, const Eigen::Matrix3Xd& impulses);
  bool generalised_alpha() const { return options_.time.scheme == TimeScheme::kGeneralisedAlpha; }

  Discretisation bodies_;
  Options options_;
  Gravity gravity_;
  NodeLoads loads_;
  HeldRows rows_;
  PointForces point_forces_;
  Contact contact_;
  Reduction reduction_;
  TimeStep time_step_;
  StaticLoad static_load_;
  StaticOptions static_options_;
  Equilibrium equilibrium_;
  std::vector<double> switch_times_;  // s
  Eigen::VectorXd node_masses_;       // M 1 [kg]
  double assembly_gap_ = 0.0, smallest_gap_ = 0.0;

  // State.
  MotionState state_;
  Exchange work_;
  ContactImpulses impulses_;
  LoadStepStart load_start_;  // of statics
  Eigen::VectorXd inverted_;  // of each body: 1 while its smallest det F is not positive

  std::optional<Eigen::VectorXd> multipliers_;  // of the last step [N]
  Eigen::Matrix3Xd constant_, given_;           // scratch
};

}  // namespace pliant::finite_elements

#endif  // PLIANT_SOLVERS_FINITE_ELEMENTS_FINITE_ELEMENT_SIMULATION_H_
