// The ledger of the steps of a simulation whose points move freely and are then displaced, for any
// correction: work by class, the momentum that comes from outside, sweeps and their convergence.
//
// Over a step a point of mass m gains the velocity V' − V = h a + d, with a what forces give and d
// what corrections add. The work of every element is its force times motion, for each by itself:
//
//   forces     F·s, s = Δx; with euler-cromer, whose free motion goes by h V', s = Δx − ½ h² a
//   contacts   a momentum p from an obstacle that moves with u, to a point that moves with
//              w = V + ½ d: active p·u (moved obstacles), passive p·(w − u) (contact)
//   holds      a momentum p from a nail whose target moves with u: active p·u (moved nails), so that
//              a still nail never works, passive p·(w − u) (constraint); from a slider on an
//              obstacle the same: (moved obstacles); an attachment ±p, p·(w₁ − w₂) (constraint)
//   limits     a momentum p on each of their points, Σ p·w: an impact (damping)
//   edges      a momentum P on one end and −P on the other, P·(w_b − w_a), and what they store
//
// The work of constraints truly is none: all of it is what the discretisation makes or loses, belongs
// to numerical_energy_J, and counts as made where it rises. Only in a step in which a hold begins
// without a preroll, a loss is the impact of bodies that were not yet held, and is damping.
//
// Nothing is booked as the rest: a displacement that no element made, a velocity that takes up another
// than the sweeps left, an element with another force than it says are in the residual. It also has
// the change of potentials to second order in a step's displacement, and what the velocity rule loses:
// with euler-cromer ½ F·a h² a step, with printed the halves.
//
// Segments and rigid bodies turn. Their energy changes by p·w with w = v̄ + ω̄ × r, where v̄ = v + ½ Δv
// and ω̄ = ω + ½ Δω have half of what all corrections gave and nothing of what forces gave. Arms turn
// while corrections are made: w takes the arm r₀ of the free motion, and Σ (r − r₀) × p · ω̄ over all
// impulses is work of constraints. What this leaves out is of second order in the angle by which the
// corrections of a step turn a piece.
//
// Where levels spread forces over other points, and with rules that displace by factors
// (`Inner::kRemainder`), an impulse has no such motion: there the work of constraints is what the
// kinetic energy of the points and the stored energy gain beyond the work of all other elements, and
// the residual does not see what corrections do wrong; made_energy_J and numerical_energy_J do.
//
// From outside come gravity, forces, springs to the world, contacts with obstacles, nails and
// sliders; between points the momenta of springs, attachments, limits and surfaces cancel. A force
// acts half at the start of the step and half at its end (with euler-cromer at the start),
// corrections act at the start: for free points that is their change of angular momentum, exactly.
// What remains of it is the moment of corrections between points that are not in line with them.

#ifndef PLIANT_SOLVERS_PROJECTION_STEP_LEDGER_H_
#define PLIANT_SOLVERS_PROJECTION_STEP_LEDGER_H_

#include <Eigen/Core>
#include <cstdint>

#include "models/scene/scene.h"
#include "solvers/array_blocks.h"
#include "solvers/contact/contact_tally.h"
#include "solvers/projection/velocity_update.h"
#include "solvers/simulation.h"
#include "solvers/state_stream.h"

namespace pliant {

// A point of the scene over one step.
struct SteppedPoint {
  double mass;                    // kg
  Eigen::Vector3d start, way;     // x, Δx [m]
  Eigen::Vector3d before, after;  // V, V' [m/s]
  Eigen::Vector3d acceleration;   // a, by all forces [m/s²]

  // w of a step of h [s]: the motion on which the momentum of a correction works [m/s].
  Eigen::Vector3d MeanMotion(double h) const { return 0.5 * (before + after - h * acceleration); }
};

// The forces on it in the step [N], besides gravity; an impulse is a force of the step. Springs, a
// reference shape among them, change over a step: their force at its start and at its end.
struct PointForces {
  Eigen::Vector3d springs, springs_at_end, timed, damping, impulses;
};

// How the work of constraints is found: from the impulse and the motion of each, or as the rest.
enum class Inner { kByImpulse, kRemainder };

// What happens in one step.
class StepBalance {
 public:
  StepBalance(const Scene& scene, VelocityUpdate update, double step,
              Inner inner = Inner::kByImpulse);

  // Every point of the scene once; null where only gravity acts on it.
  void AddPoint(const SteppedPoint& point, const PointForces* forces);
  // A momentum p [kg m/s] at x [m] from an obstacle that moves with u, to a point that moves with
  // w [m/s].
  void AddContact(const Eigen::Vector3d& x, const Eigen::Vector3d& p, const Eigen::Vector3d& w,
                  const Eigen::Vector3d& u);
  // From a nail or slider whose target moves with u, to a point that moves with w.
  void AddHold(WorkClass active, const Eigen::Vector3d& x, const Eigen::Vector3d& p,
               const Eigen::Vector3d& w, const Eigen::Vector3d& u);
  // Work [J] that corrections between points did in this class.
  void AddCorrections(WorkClass passive, double work);
  // Work [J] of edges, joints and attachments: Σ P·(w_b − w_a).
  void AddInner(double work) { by_impulse_ += work; }
  // Points were displaced without velocities, by this Σ m Δx [kg m]: only their weight resists that,
  // and no element gave the energy.
  void AddDrift(const Eigen::Vector3d& displaced) { drift_ -= gravity_.dot(displaced); }
  // Elastic energy that corrections stored [J].
  void AddStored(double energy) { stored_ += energy; }

  double step() const { return step_; }
  // The sums; `holds_begin`: a hold without a preroll begins in the step.
  Exchange Total(bool holds_begin) const;

 private:
  const double step_;
  const Eigen::Vector3d gravity_;  // m/s²
  const bool ahead_;               // does the free motion go by the new velocity?
  const Inner inner_;
  Exchange exchange_;
  double drift_ = 0.0;       // J
  double stored_ = 0.0;      // J
  double by_impulse_ = 0.0;  // work of constraints, each for itself [J]
  double remainder_ = 0.0;   // and what nothing else accounts for [J]
  Eigen::Vector3d places_ = Eigen::Vector3d::Zero(), ways_ = places_;  // Σ m x, Σ m Δx [kg m]
  double mass_ = 0.0;                                                  // kg
};

class StepLedger {
 public:
  explicit StepLedger(const Scene& scene) : contacts_(scene) {}
  int numbers() const { return Exchange::kNumbers + 3 + contacts_.numbers(); }  // saved
  ContactTally& contacts() { return contacts_; }

  // The columns that Show() fills beyond the common ones.
  static std::vector<SeriesColumn> Extras();

  void Book(const Exchange& exchange) { exchange_.Add(1.0, exchange); }
  void Book(WorkClass work_class, double work) { exchange_[work_class] += work; }

  // Sweeps of a level that is not reported separately.
  void CountSweeps(int sweeps) { sweeps_ += sweeps; }
  // Of the finest one, whose worst gap they took from `first` to `last` [m].
  void CountSweeps(int sweeps, double first, double last);

  // Work, momentum, sweeps, contraction, the share of rigid motion and the given gap [m] and its
  // rate [m/s]; points and velocities must be there already.
  void Show(const Scene& scene, double gap, double rate, Observation* observation) const;

  void Save(StateWriter* write) const;
  void Restore(StateReader* read);
  void AddTo(StateBlocks* layout) const;  // of Save()

 private:
  Exchange exchange_;  // since the start
  ContactTally contacts_;
  std::int64_t sweeps_ = 0;   // since the start, all levels
  int last_sweeps_ = 0;       // of the finest level in the last step
  double contraction_ = 0.0;  // of its gap, per sweep; defined where last_sweeps_ > 0
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_PROJECTION_STEP_LEDGER_H_
