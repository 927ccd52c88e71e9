#include "solvers/finite_elements/finite_element_simulation.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "models/scene/switch_times.h"
#include "solvers/finite_elements/rigid_velocities.h"

namespace pliant::finite_elements {
namespace {

using Eigen::Matrix3Xd;
using Eigen::VectorXd;

// Beyond this [m, m/s] a run has diverged.
constexpr double kLargestValue = 1e9;
// A step is halved at most so often before it counts as not converged.
constexpr int kMostHalvings = 6;
// Rates of constraints that differ by less are equal [m/s].
constexpr double kSameRate = 1e-9;
// Velocities of rigid bodies, likewise, after at most so many turns.
constexpr double kSameVelocity = 1e-10;
constexpr int kMostTurns = 200;

Discretisation WithThreads(Discretisation bodies, int threads) {
  bodies.set_threads(threads);
  return bodies;
}

ContactOptions ContactOptionsOf(const Options& options) {
  ContactOptions contact = options.contact;
  contact.statics = options.time.scheme == TimeScheme::kStatic;
  return contact;
}

}  // namespace

FiniteElementSimulation::FiniteElementSimulation(std::shared_ptr<const Scene> scene,
                                                 Discretisation bodies, const Options& options)
    : Simulation(std::move(scene)),
      bodies_(WithThreads(std::move(bodies), options.threads)),
      options_(options),
      gravity_(this->scene()),
      loads_(this->scene(), bodies_),
      rows_(this->scene(), bodies_),
      point_forces_(this->scene(), rows_.places().rows()),
      contact_(this->scene(), bodies_, ContactOptionsOf(options)),
      reduction_(3 * bodies_.node_count(), rows_.rows(), rows_.zero()),
      time_step_(bodies_, point_forces_, &contact_, reduction_, options.time),
      equilibrium_(bodies_, reduction_, static_load_, static_options_),
      switch_times_(SwitchTimes(this->scene())),
      node_masses_(bodies_.mass() * VectorXd::Ones(bodies_.node_count())),
      impulses_(this->scene(), options.time),
      inverted_(VectorXd::Zero(bodies_.part_count())) {
  state_.q = bodies_.InitialNodes(this->scene());
  state_.v = bodies_.InitialVelocities(this->scene());
  state_.a = Matrix3Xd::Zero(3, state_.q.cols());
  contact_.Begin({state_.q, state_.q, 0.0, 0.0});
  smallest_gap_ = contact_.SmallestGap(state_.q);
  static_load_.springs = &point_forces_;
  static_load_.contact = &contact_;
  static_options_.tolerance = options_.time.tolerance;
  static_options_.most_iterations = options_.time.most_iterations;
  static_load_.start = &load_start_;
  if (statics()) state_.v.setZero();
  load_start_.q = state_.q;
  const VectorXd values = rows_.Values(0.0);
  if (values.size() > 0) {
    assembly_gap_ = (reduction_.C() * state_.q.reshaped() - values).cwiseAbs().maxCoeff();
    reduction_.Complete(values, state_.q.reshaped());
    load_start_.q = state_.q;
    const VectorXd mismatch = reduction_.C() * state_.v.reshaped() - rows_.Rates(0.0);
    if (mismatch.cwiseAbs().maxCoeff() > kSameRate && !statics()) Kick(0.0, nullptr);
  }
}

StepOutcome FiniteElementSimulation::DoAdvance(double step) {
  const bool has_impulses = !scene().impulses.empty();
  bool kick = false;
  if (has_impulses) {
    given_.setZero(3, state_.q.cols());
    kick = loads_.AddImpulses(time(), StepEnd(), &given_);
  }
  if (kick) {
    Kick(time(), &given_);
  } else if (rows_.has_corners() && !statics()) {
    const VectorXd mismatch = reduction_.C() * state_.v.reshaped() - rows_.Rates(time());
    if (mismatch.cwiseAbs().maxCoeff() > kSameRate) Kick(time(), nullptr);
  }
  impulses_.Begin();
  const StepOutcome outcome = statics() ? StaticStep(time(), step)
                              : options_.step_tolerance > 0.0
                                  ? StepInPieces(time(), step)
                                  : OutcomeOf(Step(time(), step, kMostHalvings));
  impulses_.End(step);
  WatchForInversion();
  const double largest = std::max(state_.q.cwiseAbs().maxCoeff(), state_.v.cwiseAbs().maxCoeff());
  return largest <= kLargestValue ? outcome : OutcomeOf(TimeStep::Result::kFailed);
}

StepOutcome FiniteElementSimulation::OutcomeOf(TimeStep::Result result) {
  switch (result) {
    case TimeStep::Result::kConverged:
      return {};
    case TimeStep::Result::kNotConverged:
      return {StepOutcome::Kind::kNotConverged, "Newton's iteration"};
    case TimeStep::Result::kFailed:
      return {StepOutcome::Kind::kDiverged, "positions of nodes"};
  }
  return {};
}

TimeStep::Result FiniteElementSimulation::Move(double t, double h) {
  constant_ = gravity_.acceleration() * node_masses_.transpose();
  if (loads_.has_forces()) {
    given_.setZero(3, state_.q.cols());
    loads_.AddForces(t, &given_);
    constant_ += given_;
  }
  if (generalised_alpha() && JumpsAt(t)) {
    time_step_.InitialAccelerations(t, constant_, &state_);
    impulses_.BeginAccelerations(contact_, {state_.q, state_.q, t, t});
  }
  return time_step_.Advance(t, h, constant_, rows_.Values(t + h), &state_);
}

TimeStep::Result FiniteElementSimulation::Step(double t, double h, int halvings, bool unsolved) {
  const MotionState before = state_;
  const TimeStep::Result result = Move(t, h);
  const bool failed = result == TimeStep::Result::kFailed;
  if (result == TimeStep::Result::kConverged || ((halvings == 0 || unsolved) && !failed)) {
    Book(t, h, before);
    return result;
  }
  state_ = before;
  if (halvings == 0) return result;  // nothing has moved, and there are no forces of it
  const TimeStep::Result first = Step(t, 0.5 * h, halvings - 1, unsolved);
  if (first == TimeStep::Result::kFailed) return first;
  const TimeStep::Result second = Step(t + 0.5 * h, 0.5 * h, halvings - 1,
                                       unsolved || first == TimeStep::Result::kNotConverged);
  return std::max(first, second);
}

Matrix3Xd FiniteElementSimulation::DeadForces(double t) const {
  Matrix3Xd forces = gravity_.acceleration() * node_masses_.transpose();
  loads_.AddForces(t, &forces);
  return LoadPart(t) * forces;
}

// The ledger of a load step: the mean of the forces at both of its ends, an error of third order.
StepOutcome FiniteElementSimulation::StaticStep(double t, double h) {
  const MotionState before = state_;
  const auto multipliers = [&](double part) -> VectorXd {
    time_step_.SplitConstraints(StaticGradient(bodies_, static_load_, part, state_.q));
    return time_step_.forces().multipliers;
  };
  static_load_.constant = DeadForces(t);
  static_load_.force = DeadForces(t + h) - static_load_.constant;
  static_load_.begin = rows_.Values(t);
  static_load_.end = rows_.Values(t + h);
  static_load_.begin_time = static_load_.time = t;
  const VectorXd begin = multipliers(0.0);
  static_load_.time = t + h;
  StaticSolution solution;
  const bool found = equilibrium_.Reach(0.0, 1.0, &state_.q, &solution);
  time_step_.set_counts(time_step_.iterations() + solution.iterations,
                        time_step_.factorisations() + solution.iterations);
  // The loads have risen, whether or not the bodies followed them.
  const VectorXd end = multipliers(1.0);
  multipliers_ = end;
  const Matrix3Xd change = state_.q - before.q;
  const Matrix3Xd gravity = gravity_.acceleration() * node_masses_.transpose();
  const Matrix3Xd mean = static_load_.constant + 0.5 * static_load_.force;
  const double weight_part = 0.5 * (LoadPart(t) + LoadPart(t + h));
  work_[WorkClass::kForce] +=
      (mean - weight_part * gravity).cwiseProduct(change).sum() -
      (LoadPart(t + h) - LoadPart(t)) * 0.5 * gravity.cwiseProduct(state_.q + before.q).sum();
  if (rows_.size() > 0) {
    work_[WorkClass::kMovedNail] += 0.5 * (begin + end).dot(reduction_.C() * change.reshaped());
  }
  work_[WorkClass::kContact] += solution.friction_work;
  work_[WorkClass::kMovedObstacle] += solution.obstacle_work;
  if (solution.slides_off) {
    return {StepOutcome::Kind::kNotConverged,
            "an equilibrium (bodies slide off: contact and friction did not hold them on more than "
            "twice "
            "the extent of the scene)"};
  }
  return OutcomeOf(found ? TimeStep::Result::kConverged : TimeStep::Result::kNotConverged);
}

// Where a force begins or ends its acceleration does not follow from the one before.
bool FiniteElementSimulation::JumpsAt(double t) const {
  constexpr double kSameTime = 1e-9;  // s
  return t == 0.0 || std::any_of(switch_times_.begin(), switch_times_.end(),
                                 [t](double time) { return std::abs(time - t) < kSameTime; });
}

void FiniteElementSimulation::AddFromOutside(const Matrix3Xd& at, const Matrix3Xd& impulses) {
  for (Eigen::Index i = 0; i < at.cols(); ++i) work_.AddForceAt(at.col(i), impulses.col(i));
}

void FiniteElementSimulation::Book(double t, double h, const MotionState& before) {
  impulses_.AddPiece(contact_, {before.q, state_.q, t, t + h});
  const StepForces& forces = time_step_.forces();
  const Matrix3Xd change = state_.q - before.q, middle = 0.5 * (state_.q + before.q);
  work_[WorkClass::kDamping] += forces.damping.cwiseProduct(change).sum();
  if (loads_.has_forces()) work_[WorkClass::kForce] += given_.cwiseProduct(change).sum();
  const ObstacleContact::Work obstacles = time_step_.ObstacleWork(t, h, before.q, state_.q);
  work_[WorkClass::kMovedObstacle] += obstacles.push + obstacles.friction;
  work_[WorkClass::kContact] += forces.friction.cwiseProduct(change).sum() - obstacles.friction;
  multipliers_ = forces.multipliers;
  if (rows_.size() > 0) {
    // What holds at rest does no work but that of rounding.
    const VectorXd moved = rows_.Values(t + h) - rows_.Values(t);
    const double active = forces.multipliers.dot(moved);
    work_[WorkClass::kMovedNail] += active;
    work_[WorkClass::kConstraint] += forces.constraints.cwiseProduct(change).sum() - active;
  }
  AddFromOutside(middle, h * (constant_ + forces.points + forces.damping + forces.contact +
                              forces.friction + forces.constraints));
}

void FiniteElementSimulation::Kick(double time, const Matrix3Xd* impulses) {
  Matrix3Xd on_nodes = Matrix3Xd::Zero(3, state_.q.cols());
  if (impulses != nullptr) on_nodes = *impulses;
  const Matrix3Xd before = state_.v;
  const VectorXd rates = rows_.Rates(time);
  Matrix3Xd reactions = time_step_.ApplyImpulses(on_nodes, rates, &state_.v);
  VectorXd multipliers = time_step_.forces().multipliers;
  // What keeps bodies rigid, and what holds them: each in turn, until both hold. Only a held rigid
  // body needs more than one turn.
  for (int turn = 0; turn < kMostTurns; ++turn) {
    if (MakeRigid(scene(), bodies_, state_.q, &state_.v) < kSameVelocity) break;
    if (rates.size() == 0) break;
    reactions += time_step_.ApplyImpulses(Matrix3Xd::Zero(3, state_.q.cols()), rates, &state_.v);
    multipliers += time_step_.forces().multipliers;
  }
  const Matrix3Xd mean = 0.5 * (before + state_.v);
  work_[WorkClass::kImpulse] += on_nodes.cwiseProduct(mean).sum();
  const double active = multipliers.dot(rates);
  work_[WorkClass::kMovedNail] += active;
  work_[WorkClass::kConstraint] += reactions.cwiseProduct(mean).sum() - active;
  AddFromOutside(state_.q, on_nodes + reactions);
}

void FiniteElementSimulation::WatchForInversion() {
  for (int p = 0; p < bodies_.part_count(); ++p) {
    const double inverted = bodies_.SmallestDeterminant(p, state_.q) > 0.0 ? 0.0 : 1.0;
    if (inverted == inverted_[p]) continue;
    inverted_[p] = inverted;
    Happened(StepEnd(), "body '" + scene().bodies[p].name +
                            (inverted == 0.0 ? "' has det F > 0 everywhere again"
                                             : "' has elements turned inside out: det F ≤ 0"));
  }
}

}  // namespace pliant::finite_elements
