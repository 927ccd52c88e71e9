// The ledger of the steps of a simulation whose points move freely and are then displaced, for any
// correction: the work of each class, the sweeps, and their convergence.
//
// A step's forces F do the work F·Δx on the points' displacement; a contact impulse P (a momentum
// P/h) does P/h·(V + ½ c/h) on its point, c/h being what corrections add to the velocity V. What
// else changes the kinetic energy T and the elastic energy V is the work of constraints,
// ΔT + ΔV − Σ F·Δx − Σ contact: what corrections take or give. Left for the residual is the change
// of potentials to second order in a step's displacement, and what the velocity update loses: with
// euler-cromer ½ F·a h² a step, with printed the halves.

#ifndef PLIANT_SOLVERS_PROJECTION_STEP_LEDGER_H_
#define PLIANT_SOLVERS_PROJECTION_STEP_LEDGER_H_

#include <Eigen/Core>
#include <cstdint>

#include "models/scene/scene.h"
#include "solvers/projection/velocity_update.h"
#include "solvers/simulation.h"
#include "solvers/state_stream.h"

namespace pliant {

// Of the points of the scene over one step, all 3×n.
struct PointStep {
  double step;                    // h [s]
  const Eigen::VectorXd& masses;  // kg
  const Eigen::Matrix3Xd &springs, &timed, &damping,
      &impulses;                             // N; an impulse is a force of the step
  const Eigen::Matrix3Xd& accelerations;     // by all forces [m/s²]
  const Eigen::Matrix3Xd& contact_impulses;  // P [kg m]
  const Eigen::Matrix3Xd &velocities_before, &velocities_after;  // V, V' [m/s]
};

// Their work in the step [J]; potentials are gravity and springs.
struct StepWork {
  double timed = 0.0, damping = 0.0, impulses = 0.0, potentials = 0.0, contact = 0.0;
};
// `path` holds the displacements Δx [m] and is overwritten.
StepWork WorkOfStep(const Scene& scene, VelocityUpdate update, const PointStep& points,
                    Eigen::Matrix3Xd* path);

class StepLedger {
 public:
  static constexpr int kNumbers = Exchange::kNumbers + 3;  // saved

  // The columns that Show() fills beyond the common ones.
  static std::vector<SeriesColumn> Extras();

  // The work of a step in which kinetic and elastic energy grew by `gained` [J].
  void Book(const StepWork& work, double gained);

  // Sweeps of a level that is not reported separately.
  void CountSweeps(int sweeps) { sweeps_ += sweeps; }
  // Of the finest one, whose worst gap they took from `first` to `last` [m].
  void CountSweeps(int sweeps, double first, double last);

  // Work, sweeps, contraction, the share of rigid motion and the given gap [m] and its rate [m/s];
  // points and velocities must be there already.
  void Show(const Scene& scene, double gap, double rate, Observation* observation) const;

  void Save(StateWriter* write) const;
  void Restore(StateReader* read);

 private:
  Exchange work_;
  std::int64_t sweeps_ = 0;   // since the start, all levels
  int last_sweeps_ = 0;       // of the finest level in the last step
  double contraction_ = 0.0;  // of its gap, per sweep; defined where last_sweeps_ > 0
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_PROJECTION_STEP_LEDGER_H_
