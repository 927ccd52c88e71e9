#include "solvers/projection/step_ledger.h"

#include <cmath>

#include "models/scene/forces.h"
#include "models/scene/rigid_motion.h"

namespace pliant {

using Eigen::Matrix3Xd;

namespace {

struct SweepFigures {
  std::optional<double> sweeps, contraction, rigid_share;
};

const ExtraColumns<SweepFigures>& SweepColumns() {
  static const ExtraColumns<SweepFigures> columns = {
      {{"sweeps", "1", "number of sweeps of the finest level in the last step"},
       &SweepFigures::sweeps},
      {{"contraction_per_sweep", "1",
        "factor by which a sweep of the last step shrank the largest gap, on average"},
       &SweepFigures::contraction},
      {{"rigid_share", "1",
        "fraction of the kinetic energy that belongs to the best rigid motion of each body: 1 when "
        "bodies move as a whole, near 0 when only a part of a body moves"},
       &SweepFigures::rigid_share},
  };
  return columns;
}

}  // namespace

std::vector<SeriesColumn> StepLedger::Extras() { return Describe(SweepColumns()); }

StepWork WorkOfStep(const Scene& scene, VelocityUpdate update, const PointStep& points,
                    Matrix3Xd* path) {
  const double h = points.step;
  // ½ h (V + V') plus the displacement by corrections: where the free motion went by h V', the mean
  // velocity went ½ h² a less far.
  if (update == VelocityUpdate::kEulerCromer) *path -= (0.5 * h * h) * points.accelerations;
  const auto work_of = [path](const Matrix3Xd& forces) { return forces.cwiseProduct(*path).sum(); };
  StepWork work;
  work.timed = work_of(points.timed);
  work.damping = work_of(points.damping);
  work.impulses = work_of(points.impulses);
  work.potentials = work_of(points.springs) + Gravity(scene).Work(points.masses, *path);
  // V + ½ c/h, with c/h what V gained but for the forces.
  work.contact = points.contact_impulses
                     .cwiseProduct(0.5 * (points.velocities_before + points.velocities_after -
                                          h * points.accelerations))
                     .sum() /
                 h;
  return work;
}

void StepLedger::Book(const StepWork& work, double gained) {
  work_[WorkClass::kForce] += work.timed;
  work_[WorkClass::kDamping] += work.damping;
  work_[WorkClass::kImpulse] += work.impulses;
  work_[WorkClass::kContact] += work.contact;
  work_[WorkClass::kConstraint] +=
      gained - work.potentials - work.timed - work.damping - work.impulses - work.contact;
}

void StepLedger::CountSweeps(int sweeps, double first, double last) {
  CountSweeps(sweeps);
  last_sweeps_ = sweeps;
  contraction_ = sweeps > 0 ? std::pow(last / first, 1.0 / sweeps) : 0.0;
}

void StepLedger::Show(const Scene& scene, double gap, double rate, Observation* observation) const {
  observation->work = work_;
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
  Fill(SweepColumns(), figures, &observation->extras);
}

void StepLedger::Save(StateWriter* write) const {
  for (const double number : work_.Numbers()) (*write)(number);
  (*write)(static_cast<double>(sweeps_));
  (*write)(static_cast<double>(last_sweeps_));
  (*write)(contraction_);
}

void StepLedger::Restore(StateReader* read) {
  Eigen::Vector<double, Exchange::kNumbers> numbers;
  for (double& number : numbers) number = (*read)();
  work_ = Exchange::FromNumbers(numbers);
  sweeps_ = static_cast<std::int64_t>((*read)());
  last_sweeps_ = static_cast<int>((*read)());
  contraction_ = (*read)();
}

}  // namespace pliant
