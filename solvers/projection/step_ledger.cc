#include "solvers/projection/step_ledger.h"

#include <cmath>

#include "models/scene/rigid_motion.h"

namespace pliant {

using Eigen::Vector3d;

namespace {

struct SweepFigures : ContactFigures {
  std::optional<double> sweeps, contraction, rigid_share;
};

const ExtraColumns<SweepFigures>& SweepColumns() {
  static const ExtraColumns<SweepFigures> columns = [] {
    ExtraColumns<SweepFigures> all = {
        {{"sweeps", "1", "number of sweeps of the finest level in the last step"},
         &SweepFigures::sweeps},
        {{"contraction_per_sweep", "1",
          "factor by which a sweep of the last step shrank the largest gap, on average"},
         &SweepFigures::contraction},
        {{"rigid_share", "1",
          "fraction of the kinetic energy that belongs to the best rigid motion of each body: 1 "
          "when bodies move as a whole, near 0 when only a part of a body moves"},
         &SweepFigures::rigid_share},
    };
    AddContactColumns(&all);
    return all;
  }();
  return columns;
}

}  // namespace

std::vector<SeriesColumn> StepLedger::Extras() { return Describe(SweepColumns()); }

StepBalance::StepBalance(const Scene& scene, VelocityUpdate update, double step, Inner inner)
    : step_(step),
      gravity_(scene.gravity),
      ahead_(update == VelocityUpdate::kEulerCromer),
      inner_(inner) {}

void StepBalance::AddPoint(const SteppedPoint& point, const PointForces* forces) {
  Vector3d force = point.mass * gravity_;
  Vector3d path = point.way;
  if (ahead_) path -= (0.5 * step_ * step_) * point.acceleration;
  mass_ += point.mass;
  places_ += point.mass * point.start;
  ways_ += point.mass * point.way;
  if (forces != nullptr) {
    const Vector3d springs = 0.5 * (forces->springs + forces->springs_at_end);
    const Vector3d others = forces->timed + forces->impulses;
    force += springs + forces->damping + others;
    exchange_[WorkClass::kForce] += forces->timed.dot(path);
    exchange_[WorkClass::kImpulse] += forces->impulses.dot(path);
    exchange_[WorkClass::kDamping] += forces->damping.dot(path);
    const Vector3d end = ahead_ ? point.start : Vector3d(point.start + point.way);
    exchange_.AddForceAt(point.start, 0.5 * step_ * (forces->springs + others));
    exchange_.AddForceAt(end, 0.5 * step_ * (forces->springs_at_end + others));
    exchange_.AddForceAt(point.start, step_ * forces->damping);
  }
  remainder_ +=
      0.5 * point.mass * (point.after.squaredNorm() - point.before.squaredNorm()) - force.dot(path);
}

void StepBalance::AddContact(const Vector3d& x, const Vector3d& p, const Vector3d& w,
                             const Vector3d& u) {
  exchange_.AddContact(x, p, p.dot(u), p.dot(w - u));
  remainder_ -= p.dot(w);
}

void StepBalance::AddHold(WorkClass active, const Vector3d& x, const Vector3d& p, const Vector3d& w,
                          const Vector3d& u) {
  exchange_[active] += p.dot(u);
  remainder_ -= p.dot(u);
  by_impulse_ += p.dot(w - u);
  exchange_.AddForceAt(x, p);
}

void StepBalance::AddCorrections(WorkClass passive, double work) {
  exchange_[passive] += work;
  remainder_ -= work;
}

Exchange StepBalance::Total(bool holds_begin) const {
  Exchange total = exchange_;
  const double work = stored_ + (inner_ == Inner::kByImpulse ? by_impulse_ : remainder_);
  const bool impact = holds_begin && work < 0.0;
  total[impact ? WorkClass::kDamping : WorkClass::kConstraint] += work;
  total[WorkClass::kConstraint] += drift_;
  const Vector3d at = ahead_ ? places_ : Vector3d(places_ + 0.5 * ways_);
  total.impulse += step_ * mass_ * gravity_;
  total.angular_impulse += at.cross(step_ * gravity_);
  return total;
}

void StepLedger::CountSweeps(int sweeps, double first, double last) {
  CountSweeps(sweeps);
  last_sweeps_ = sweeps;
  contraction_ = sweeps > 0 ? std::pow(last / first, 1.0 / sweeps) : 0.0;
}

void StepLedger::Show(const Scene& scene, double gap, double rate, Observation* observation) const {
  observation->work = exchange_;
  observation->explains_momentum = true;
  observation->constraint_error = gap;
  observation->constraint_rate = rate;
  observation->condition_number.reset();
  observation->regularisation.reset();
  observation->iterations = sweeps_;
  SweepFigures figures;
  if (last_sweeps_ > 0) {
    figures.sweeps = last_sweeps_;
    figures.contraction = contraction_;
  }
  figures.rigid_share = RigidShare(scene, observation->points, *observation->velocities);
  contacts_.Show(&figures);
  Fill(SweepColumns(), figures, &observation->extras);
}

void StepLedger::AddTo(StateBlocks* layout) const {
  layout->AddExchange();
  layout->Add("sweeps since the start", 1, "1");
  layout->Add("sweeps of the last step, and their contraction", 2, "1");
  contacts_.AddTo(layout);
}

void StepLedger::Save(StateWriter* write) const {
  for (const double number : exchange_.Numbers()) (*write)(number);
  (*write)(static_cast<double>(sweeps_));
  (*write)(static_cast<double>(last_sweeps_));
  (*write)(contraction_);
  contacts_.Save(write);
}

void StepLedger::Restore(StateReader* read) {
  Eigen::Vector<double, Exchange::kNumbers> numbers;
  for (double& number : numbers) number = (*read)();
  exchange_ = Exchange::FromNumbers(numbers);
  sweeps_ = static_cast<std::int64_t>((*read)());
  last_sweeps_ = static_cast<int>((*read)());
  contraction_ = (*read)();
  contacts_.Restore(read);
}

}  // namespace pliant
