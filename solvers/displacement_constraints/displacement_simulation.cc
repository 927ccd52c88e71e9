#include "solvers/displacement_constraints/displacement_simulation.h"

#include <algorithm>
#include <cmath>

#include "solvers/projection/scene_edges.h"
#include "solvers/projection/solver_grids.h"

namespace pliant::displacement_constraints {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

// Beyond these a run has diverged.
constexpr double kFarthest = 1e6;        // m
constexpr double kFastestSegment = 1e6;  // m/s

auto ColumnsOf(const Matrix3Xd& m) {
  return [&m](int point) -> Vector3d { return m.col(point); };
}

Eigen::Map<const Eigen::VectorXd> Flat(const Matrix3Xd& m) { return {m.data(), m.size()}; }

}  // namespace

DisplacementConstraintsSimulation::DisplacementConstraintsSimulation(
    std::shared_ptr<const Scene> scene, const DisplacementConstraintsOptions& options,
    const GridLevels* grids)
    : Simulation(scene),
      options_(options),
      grids_(grids != nullptr ? std::make_unique<GridLevels>(*grids) : nullptr),
      scene_forces_(*scene),
      contact_finder_(scene, options.bounce, options.obstacle_contact,
                      RigidBodiesOf(*scene, options.rigid_bodies)),
      shape_(scene, options.shape_stiffness),
      tensions_(options, scene->Masses().maxCoeff(),
                std::isfinite(options.break_force) ? EdgesAcross(*scene) : 0),
      levels_(MakeLevels(*scene, options, grids)),
      rigid_(*scene, options.pieces(), UnstretchedPoints(*scene)),
      nails_(this->scene()),
      guides_(*scene),
      surfaces_(*scene, options.surfaces(), RigidBodiesOf(*scene, options.rigid_bodies),
                levels_[0].start, levels_[0].tolerance),
      ledger_(*scene),
      sums_(levels_.size()) {
  for (size_t l = 0; l < levels_.size(); ++l) {
    sums_[l].rates.setZero(3, levels_[l].start.cols());
    sums_[l].scratch = sums_[l].shifts = sums_[l].rates;
  }
  const Matrix3Xd zero = Matrix3Xd::Zero(3, scene->PointCount());
  for (Matrix3Xd* matrix : {&velocities_, &accelerations_, &springs_, &springs_at_end_, &timed_,
                            &damping_, &impulses_, &displacements_, &scratch_}) {
    *matrix = zero;
  }
  if (options.solver_levels > 1) {
    point_masses_ = levels_[0].segments.PointMasses();
    coarse_.emplace(SolverGrids(*scene, options.solver_levels), options.solver_levels,
                    levels_[0].start, point_masses_, nails_.Points(0.0));
    coarse_impulses_ = zero;
  }
  if (std::isfinite(options.break_force)) {
    const bool several = grids_ != nullptr;
    broken_.assign(several ? grids_->Edges(0).size() : levels_[0].filter_edges, 0);
  }
  if (grids_ != nullptr && options.prolongation == GridProlongation::kBalanced) {
    grids_->KeepMomentum(scene->Masses());
  }
  MakeHolds();
  Assemble();
  SetInitialVelocities();
}

// The step [Palazzi 1993, Figs. 3.1, 4.3].
StepOutcome DisplacementConstraintsSimulation::DoAdvance(double step) {
  StepOutcome outcome;
  if (nails_.numbers() > 0) nails_.Begin(time(), StepEnd(), levels_[0].start, Velocities());
  SwitchHolds(StepEnd());
  ApplyForces(step);  // 1
  bool carried = false;
  for (int l = static_cast<int>(levels_.size()) - 1; l >= 0; --l) {
    if (l > 0 && !carried && IsIdle(l)) {
      levels_[l].joint_forces.setZero();
      levels_[l].pulled.setZero();
      levels_[l].contacts.clear();
      for (Hold& hold : levels_[l].holds) hold.impulse.setZero();
      continue;
    }
    Dynamics(l, step);                          // 2
    const StepOutcome solved = Solve(l, step);  // 3
    UpdateVelocities(l, step);                  // 4
    if (l > 0) Prolongate(l);
    carried = true;
    if (solved.kind != StepOutcome::Kind::kAdvanced) outcome = solved;
  }
  Account(step);
  if (!broken_.empty()) Tear(step);
  last_step_ = step;

  static const std::string positions = "positions of segments", speeds = "velocities of segments",
                           places = "positions of points";
  for (const Level& level : levels_) {
    const StepOutcome far = CheckBounded(Flat(level.segments.centres), kFarthest, positions);
    if (far.kind == StepOutcome::Kind::kDiverged) return far;
    const StepOutcome fast = CheckBounded(Flat(level.segments.velocities), kFastestSegment, speeds);
    if (fast.kind == StepOutcome::Kind::kDiverged) return fast;
  }
  if (!rigid_.empty()) {
    const StepOutcome far = CheckBounded(Flat(levels_[0].start), kFarthest, places);
    if (far.kind == StepOutcome::Kind::kDiverged) return far;
  }
  return outcome;
}

void DisplacementConstraintsSimulation::ApplyForces(double step) {
  const Matrix3Xd& x = levels_[0].start;
  velocities_ = Velocities();
  if (WorksByImpulse()) hidden_energy_ = HiddenEnergy(velocities_);
  for (Matrix3Xd* forces : {&springs_, &damping_, &timed_, &impulses_}) forces->setZero();
  scene_forces_.AddSprings(x, springs_);
  shape_.AddForces(x, springs_);
  scene_forces_.AddSpringDamping(x, velocities_, damping_);
  scene_forces_.AddTimedForces(time(), timed_);
  if (scene_forces_.AddImpulses(time(), StepEnd(), impulses_)) impulses_ /= step;
  levels_[0].forces = springs_ + damping_ + timed_ + impulses_;
  SpreadOverLevels();
  accelerations_ = SumOverLevels(
      [](const SegmentSystem& segments, Matrix3Xd* rates) { segments.PointAccelerations(*rates); });
  rigid_.PointAccelerations(accelerations_);

  predicted_.clear();
  if (levels_.size() > 1) {
    scratch_ = x + step * velocities_ + (0.5 * step * step) * accelerations_;
    contact_finder_.Find(time(), step, {x, velocities_, ColumnsOf(accelerations_)}, scratch_, 0.0,
                         &predicted_);
  }
  for (Level& level : levels_) level.points = level.start;
  for (size_t l = 0; l < levels_.size(); ++l) Show(StepPhase::kForces, static_cast<int>(l));
}

bool DisplacementConstraintsSimulation::IsIdle(int l) const {
  const Level& level = levels_[l];
  return level.segments.IsAtRest() && !level.segments.HasForces() && predicted_.empty() &&
         std::none_of(level.holds.begin(), level.holds.end(), [](const Hold& h) { return h.on; });
}

void DisplacementConstraintsSimulation::Dynamics(int l, double step) {
  levels_[l].segments.Dynamics(step);
  if (l == 0) rigid_.Dynamics(step);
}

StepOutcome DisplacementConstraintsSimulation::Solve(int l, double step) {
  Level& level = levels_[l];
  Corrector corrector = CorrectorOf(l);
  PieceMover mover(corrector, rigid_);
  SetHoldGoals(l, StepEnd());
  FindContacts(l, step);
  WarmStart(l, step, corrector, mover);

  if (l == 0) guides_.Begin();
  if (l == 0 && surfaces_.act()) {
    surfaces_.Begin({level.start, velocities_, ColumnsOf(accelerations_)}, step, StepEnd());
  }
  if (l == 0) FindSurfaceContacts();
  WorstMisfit worst = FindWorst(l, StepEnd(), mover);
  const double first = worst.size;
  int sweeps = 0;
  tensions_.Begin(step, first);
  Show(StepPhase::kDynamics, l, sweeps, worst.size);
  // The tolerance is a length, and asks for no complementarity: contacts of rigid pieces have an accuracy of their own.
  const auto unresolved = [&] {
    return l > 0 ? std::nullopt : FirstUnresolved(CorrectionsOf(0), mover);
  };
  const auto is_done = [&] {
    return (worst.size == 0.0 || (worst.size <= level.tolerance && sweeps >= options_.min_sweeps &&
                                  tensions_.resolved())) &&
           !unresolved();
  };
  while (sweeps < options_.max_sweeps && !is_done()) {
    Sweep(l, sweeps, StepEnd(), corrector, mover);
    worst = FindWorst(l, StepEnd(), mover);
    tensions_.Swept(worst.size);
    if (l == 0 && worst.size <= level.tolerance && FindSurfaceContacts()) {
      worst = FindWorst(l, StepEnd(), mover);
    }
    ++sweeps;
    Show(StepPhase::kSweep, l, sweeps, worst.size);
  }
  const auto left = sweeps == options_.max_sweeps ? unresolved() : std::nullopt;
  if (sweeps > 0 || options_.warm_start > 0.0) corrector.NormaliseAxes();
  KeepForces(l, step);
  if (l == 0) {
    ledger_.CountSweeps(sweeps, first, worst.size);
  } else {
    ledger_.CountSweeps(sweeps);
  }
  using Kind = StepOutcome::Kind;
  if (!(worst.size <= level.tolerance)) return {Kind::kNotConverged, Describe(l, worst)};
  if (!tensions_.resolved()) return {Kind::kNotConverged, TensionResolution::kQuantity};
  if (left) return {Kind::kNotConverged, Describe(l, *left)};
  return {};
}

// Begins a step with a share of the forces of joints, nails and attachments in the last one: where
// loads hardly change, little is left for the sweeps.
void DisplacementConstraintsSimulation::WarmStart(int l, double step, Corrector& corrector,
                                                  PointMover& mover) {
  Level& level = levels_[l];
  const double factor = options_.warm_start * step * step;
  level.pulled.setZero();
  level.joint_impulses.setZero();
  coarse_impulses_.setZero();
  for (Hold& hold : level.holds) {
    hold.impulse.setZero();
    if (factor > 0.0 && hold.on) Pull(mover, factor * hold.force, &hold);
  }
  if (factor == 0.0) return;
  level.joint_impulses = factor * level.joint_forces;
  corrector.PullJoints(level.joint_impulses);
}

void DisplacementConstraintsSimulation::KeepForces(int l, double step) {
  if (options_.warm_start == 0.0) return;
  Level& level = levels_[l];
  level.joint_forces = level.joint_impulses / (step * step);
  for (Hold& hold : level.holds) hold.force = hold.impulse / (step * step);
}

// Nails, attachments, sliders and limits come before the joints, so that their corrections are
// passed on in the same sweep; contacts come last.
void DisplacementConstraintsSimulation::Sweep(int l, int number, double time, Corrector& corrector,
                                              PointMover& mover) {
  if (l == 0 && coarse_) SweepThroughLevels();
  for (Hold& hold : levels_[l].holds) Relax(mover, &hold);
  if (l == 0) guides_.Relax(time, &mover);
  const Level& level = levels_[l];
  const bool back = options_.order == SweepOrder::kSymmetric && number % 2 == 1;
  if (level.shares.shared()) {
    level.shares.Run(&team_, back, [&](int k, int) { corrector.SweepJoint(level.order[k], back); });
  } else {
    corrector.SweepJoints(level.order, back);
  }
  for (Contact& contact : levels_[l].contacts) Relax(mover, &contact);
  if (l == 0) surfaces_.Relax(&mover);
}

// Nailed points count as being at their nails.
void DisplacementConstraintsSimulation::SweepThroughLevels() {
  Matrix3Xd &points = scratch_, &ways = displacements_;
  levels_[0].segments.Points(points);
  for (const Hold& hold : levels_[0].holds) {
    if (hold.on && hold.nail()) points.col(hold.point) = hold.goal;
  }
  ways.setZero();
  coarse_->Sweep([&](int p) -> Vector3d { return points.col(p); },
                 [&](int p, const Vector3d& by) {
                   ways.col(p) = by;
                   coarse_impulses_.col(p) += point_masses_[p] * by;
                 },
                 [this](int p, const Vector3d& impulse) {
                   coarse_impulses_.col(p) += impulse;
                   for (Hold& hold : levels_[0].holds) {
                     if (hold.on && hold.nail() && hold.point == p) hold.impulse -= impulse;
                   }
                 });
  levels_[0].segments.Follow(ways);
}

WorstMisfit DisplacementConstraintsSimulation::FindWorst(int l, double time,
                                                         const PointMover& mover) {
  const Gap gap = levels_[l].segments.LargestGap(&team_);
  return WorstOf({WorstMisfit::Kind::kBody, gap.point, gap.size}, CorrectionsOf(l), time, mover);
}

SceneCorrections DisplacementConstraintsSimulation::CorrectionsOf(int l) const {
  return {levels_[l].holds, levels_[l].contacts, l == 0 ? &guides_ : nullptr,
          l == 0 ? &surfaces_ : nullptr};
}

Corrector DisplacementConstraintsSimulation::CorrectorOf(int l) {
  SegmentSystem& segments = levels_[l].segments;
  return {segments.net(), segments.geometry(),
          Correction{options_.correction, options_.translation_factor, options_.rotation_factor,
                     options_.relaxation, &levels_[l].joint_impulses,
                     broken_.empty() ? nullptr : &levels_[l].pulled, &segments.free_axes(),
                     WorksByImpulse() ? &segments.turned_arms : nullptr},
          &segments.centres, &segments.axes};
}

void DisplacementConstraintsSimulation::SwitchHolds(double end) {
  for (Level& level : levels_) {
    for (Hold& hold : level.holds) {
      const bool seen = hold.at.count > 0 && (hold.nail() || hold.at_to.count > 0);
      hold.on = seen && nails_.Acts(hold, end);
    }
  }
  if (!coarse_) return;
  coarse_->HoldNailed(
      end, [this]() -> const Eigen::VectorXd& { return point_masses_; }, &nails_);
}

// To a coarse level a point of level 0 is at its position at the start of the step, displaced by
// this level and coarser ones so far.
void DisplacementConstraintsSimulation::SetHoldGoals(int l, double time) {
  Level& level = levels_[l];
  const Corrector corrector = CorrectorOf(l);
  const auto start = [&level](const WeightedPoint& point) {
    Vector3d sum = Vector3d::Zero();
    for (int i = 0; i < point.count; ++i) {
      sum += point.weight[i] * level.start.col(point.point[i]);
    }
    return sum;
  };
  const Matrix3Xd& x = levels_[0].start;
  for (Hold& hold : level.holds) {
    const Vector3d target =
        hold.nail() ? nails_.Place(hold.index, time) : Vector3d(Vector3d::Zero());
    if (l == 0) {
      hold.goal = target;
      continue;
    }
    const Vector3d reach = Reach(corrector, hold);
    Vector3d seen = x.col(hold.point) + reach - start(hold.at);
    if (!hold.nail()) seen += start(hold.at_to) - x.col(hold.to);
    hold.goal = reach + level.hold_share * (target - seen);
  }
}

void DisplacementConstraintsSimulation::FindContacts(int l, double step) {
  Level& level = levels_[l];
  level.contacts.clear();
  if (l == 0) {
    FinestPoints(&scratch_);
    const double farthest = (scratch_ - level.start).colwise().norm().maxCoeff();
    const PointsInMotion start{level.start, velocities_, ColumnsOf(accelerations_)};
    const double margin = kContactMargin * farthest;
    contact_finder_.Find(time(), step, start, scratch_, margin, &level.contacts);
    contact_finder_.FindPlaces(time(), step, start, scratch_, margin, &level.contacts);
  } else if (level.fraction > 0.0) {
    level.contacts = predicted_;
  }
  Corrector corrector = CorrectorOf(l);
  const PieceMover mover(corrector, rigid_);
  for (Contact& contact : level.contacts) {
    contact.where = contact.at.count > 1 ? contact.at : SeenFrom(l, contact.point);
    if (contact.where.count == 0) continue;
    const double share = l == 0 ? 1.0 : level.fraction;
    contact.goal = mover.Point(contact.where) + share * contact.way;
  }
  std::erase_if(level.contacts, [](const Contact& c) { return c.where.count == 0; });
}

bool DisplacementConstraintsSimulation::FindSurfaceContacts() {
  if (!surfaces_.act()) return false;
  FinestPoints(&scratch_);
  return surfaces_.Find(scratch_) > 0;
}

void DisplacementConstraintsSimulation::UpdateVelocities(int l, double step) {
  levels_[l].segments.UpdateVelocities(step);
  if (l == 0) rigid_.UpdateVelocities(step);
  Show(StepPhase::kVelocities, l);
}

void DisplacementConstraintsSimulation::Show(StepPhase phase, int l, int sweeps, double gap) const {
  if (watcher_) watcher_({phase, l, sweeps, gap, levels_[l].segments, rigid_, levels_[l].forces});
}

void DisplacementConstraintsSimulation::FinestPoints(Matrix3Xd* points) const {
  levels_[0].segments.Points(*points);
  rigid_.Points(*points);
}

// Sweeps without velocities, as those of the initial assembly.
void DisplacementConstraintsSimulation::LeadOut(StepBalance* balance) {
  if (surfaces_.size() == 0) return;
  Level& level = levels_[0];
  Corrector corrector = CorrectorOf(0);
  PieceMover mover(corrector, rigid_);
  surfaces_.LeadOut();
  WorstMisfit worst = FindWorst(0, StepEnd(), mover);
  if (worst.size <= level.tolerance) return;
  held_impulses_.Keep(level.holds);
  pulled_before_lead_ = level.pulled;
  for (int i = 0; i < options_.max_sweeps && worst.size > level.tolerance; ++i) {
    Sweep(0, i, StepEnd(), corrector, mover);
    worst = FindWorst(0, StepEnd(), mover);
    if (worst.size <= level.tolerance && FindSurfaceContacts()) {
      worst = FindWorst(0, StepEnd(), mover);
    }
  }
  corrector.NormaliseAxes();
  level.pulled = pulled_before_lead_;
  held_impulses_.PutBack(&level.holds);
  TakePositions();
  Vector3d displaced = Vector3d::Zero();
  for (int p = 0, count = scene().PointCount(); p < count; ++p) {
    displaced += scene_forces_.masses()[p] * displacements_.col(p);
  }
  balance->AddDrift(displaced);
}

// Velocities have half of what the springs give at the start of the step, and half of what they
// give at its end (velocity_update.h). They stand on no level that is at rest yet.
void DisplacementConstraintsSimulation::TakeSpringsAtEnd(double step) {
  springs_at_end_.setZero();
  scene_forces_.AddSprings(levels_[0].start, springs_at_end_);
  shape_.AddForces(levels_[0].start, springs_at_end_);
  levels_[0].forces = springs_at_end_ + damping_ + timed_ + impulses_;
  SpreadOverLevels();
  HalveAccelerations(-step);
  scratch_ = SumOverLevels(
      [](const SegmentSystem& segments, Matrix3Xd* rates) { segments.PointAccelerations(*rates); });
  rigid_.PointAccelerations(scratch_);
  accelerations_ = 0.5 * (accelerations_ + scratch_);
}

void DisplacementConstraintsSimulation::HalveAccelerations(double step) {
  for (Level& level : levels_) level.segments.HalveAccelerations(step);
  rigid_.HalveAccelerations(step);
}

}  // namespace pliant::displacement_constraints
