// What a step of displacement constraints books in the ledger: the work of joints and the energy that points do not show.

#include "solvers/displacement_constraints/displacement_simulation.h"
#include "solvers/projection/booked_corrections.h"

namespace pliant::displacement_constraints {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

double DisplacementConstraintsSimulation::HiddenEnergy(const Matrix3Xd& rates) const {
  const SegmentSystem& segments = levels_[0].segments;
  const Eigen::VectorXd& masses = scene_forces_.masses();
  Vector3d ahead = segments.centres * segments.net().masses();
  double of_points = 0.0;
  for (int p = 0; p < segments.net().points(); ++p) {
    if (segments.net().Incident(p).empty()) continue;
    of_points += 0.5 * masses[p] * rates.col(p).squaredNorm();
    ahead -= masses[p] * levels_[0].start.col(p);
  }
  return segments.KineticEnergy() - of_points - scene().gravity.dot(ahead) +
         rigid_.HiddenEnergy(masses);
}

double DisplacementConstraintsSimulation::WorkOfJoints(double step) const {
  const SegmentSystem& segments = levels_[0].segments;
  double work = 0.0;
  for (int p = 0; p < segments.net().points(); ++p) {
    const auto incident = segments.net().Incident(p);
    const int pair = segments.net().FirstPair(p), pairs = static_cast<int>(incident.size()) - 1;
    for (int i = 0; i < pairs; ++i) {
      work += levels_[0].joint_impulses.col(pair + i).dot(segments.MeanMotion(incident[i]) -
                                                          segments.MeanMotion(incident[i + 1]));
    }
    if (coarse_ && pairs >= 0) work += coarse_impulses_.col(p).dot(segments.MeanMotionOfPoint(p));
  }
  return (work + segments.WorkOfTurnedArms() + rigid_.WorkOfTurnedArms()) / step;
}

void DisplacementConstraintsSimulation::Account(double step) {
  const bool to_the_mean = options_.velocity_update == VelocityUpdate::kVerlet &&
                           (scene_forces_.has_springs() || shape_.acts());
  StepBalance balance(scene(), options_.velocity_update, step,
                      WorksByImpulse() ? Inner::kByImpulse : Inner::kRemainder);
  if (WorksByImpulse()) balance.AddInner(WorkOfJoints(step) + hidden_energy_);
  if (to_the_mean) HalveAccelerations(step);
  TakePositions();
  if (to_the_mean) {
    TakeSpringsAtEnd(step);
  } else {
    springs_at_end_ = springs_;
  }
  const Matrix3Xd& after = Velocities();
  const auto start = [this](int p) -> Vector3d {
    return levels_[0].start.col(p) - displacements_.col(p);
  };
  const auto stepped = [&](int p) -> SteppedPoint {
    return {scene_forces_.masses()[p], start(p),     displacements_.col(p),
            velocities_.col(p),        after.col(p), accelerations_.col(p)};
  };
  const auto motion = [&](int p) -> Vector3d {
    if (!WorksByImpulse()) return stepped(p).MeanMotion(step);
    return rigid_.Has(p) ? rigid_.MeanMotion(p) : levels_[0].segments.MeanMotionOfPoint(p);
  };
  for (int p = 0, count = scene().PointCount(); p < count; ++p) {
    const PointForces forces{springs_.col(p), springs_at_end_.col(p), timed_.col(p),
                             damping_.col(p), impulses_.col(p)};
    balance.AddPoint(stepped(p), &forces);
  }
  const SweptStep swept{scene(), time(), StepEnd(), ShareTaken()};
  ledger_.contacts().Begin();
  for (const Level& level : levels_) {
    BookHolds(swept, level.holds, nails_, start, motion, &balance);
    BookContacts(swept, level.contacts, start, motion, &balance, &ledger_.contacts());
  }
  BookGuides(swept, guides_, start, motion, &balance);
  BookSurfaces(swept, surfaces_, motion, &balance, &ledger_.contacts());
  ledger_.contacts().End(step);
  if (WorksByImpulse()) balance.AddInner(-HiddenEnergy(after));
  LeadOut(&balance);
  ledger_.Book(balance.Total(HoldBeginsIn(scene(), time(), StepEnd())));
  if (options_.velocity_update == VelocityUpdate::kPrinted) HalveAccelerations(step);
}

}  // namespace pliant::displacement_constraints
