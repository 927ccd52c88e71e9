// From the corrected points of a step to its velocities, and what the ledger books of it.

#include <limits>

#include "models/scene/forces.h"
#include "solvers/position_based/position_based_simulation.h"
#include "solvers/projection/booked_corrections.h"

namespace pliant::position_based {

using Eigen::Vector3d;

// Rigid bodies take them up as a whole.
void PositionBasedSimulation::FindSpringsAtEnd(double step) {
  free_.resize(3, points_.cols());
  solver_.Store(free_);
  rigid_.Points(free_);
  loads_.FindSpringsAtEnd(free_);
  if (rigid_.empty()) return;
  rigid_.HalveAccelerations(step);
  rigid_.SetForces(loads_.ForcesAtEnd(), scene().gravity);
  rigid_.HalveAccelerations(-step);
}

void PositionBasedSimulation::TakeMeanAccelerations() {
  if (rigid_.empty()) {
    loads_.TakeMeanSprings();
    return;
  }
  free_ = loads_.accelerations();
  rigid_.PointAccelerations(free_);
  free_ = 0.5 * (free_ + loads_.accelerations());
  loads_.TakeMeanSprings();
  for (int p = 0, count = scene().PointCount(); p < count; ++p) {
    if (rigid_.Has(p)) loads_.accelerations().col(p) = free_.col(p);
  }
}

void PositionBasedSimulation::BookRigidPoints(StepBalance* balance) {
  rigid_.PointVelocities(velocities_);
  loads_.ForEachPoint([&](int p, const Vector3d& a, const PointForces* forces) {
    if (!rigid_.Has(p)) return;
    SteppedPoint point;
    point.mass = masses_[p];
    point.start = points_.col(p);
    point.way = PresentPoint(p) - point.start;
    point.before = before_.col(p);
    point.after = velocities_.col(p);
    point.acceleration = a;
    balance->AddPoint(point, forces);
  });
}

// With w = V + c/2h, c the displacement of a point from its free motion.
void PositionBasedSimulation::BookEdgesAndNails(double step, StepBalance* balance) const {
  const auto motion = [&](int p) -> Vector3d {
    const Vector3d a = loads_.Acceleration(p), v = velocities_.col(p);
    return v - step * a + (solver_.At(p) - FreePoint(p, v, a, step)) / (2.0 * step);
  };
  double work = solver_.Work(motion);
  for (Eigen::Index p = 0; p < coarse_impulses_.cols(); ++p) {
    if (!coarse_impulses_.col(p).isZero(0.0)) {
      work += coarse_impulses_.col(p).dot(motion(static_cast<int>(p)));
    }
  }
  balance->AddInner(work / step);
  for (const auto& [p, nail] : held_) {
    balance->AddHold(WorkClass::kMovedNail, points_.col(p), nail_impulses_.col(nail) / step,
                     motion(p), nails_.MeanVelocity(nail, time(), StepEnd()));
  }
}

void PositionBasedSimulation::UpdateVelocities(double step, StepBalance* balance) {
  BookEdgesAndNails(step, balance);
  rigid_.UpdateVelocities(step);
  const bool to_the_mean =
      options_.velocity_update == VelocityUpdate::kVerlet && loads_.has_potentials();
  if (to_the_mean) FindSpringsAtEnd(step);
  if (keeps_corrections_) {
    corrections_.setConstant(3, points_.cols(), std::numeric_limits<double>::quiet_NaN());
  }
  loads_.ForEachPoint([&](int p, const Vector3d& a, const PointForces* forces) {
    if (rigid_.Has(p)) return;
    SteppedPoint point;
    point.mass = masses_[p];
    point.start = points_.col(p);
    point.way = solver_.At(p) - point.start;
    point.before = velocities_.col(p) - step * a;
    point.acceleration = a;
    const Vector3d correction = solver_.At(p) - FreePoint(p, velocities_.col(p), a, step);
    if (keeps_corrections_) corrections_.col(p) = correction;
    point.after = velocities_.col(p) + correction / step;
    if (to_the_mean && forces != nullptr) {
      const Vector3d gain = (forces->springs_at_end - forces->springs) / (2.0 * point.mass);
      point.acceleration += gain;
      point.after += step * gain;
    }
    velocities_.col(p) = point.after;
    balance->AddPoint(point, forces);
  });
  if (to_the_mean) TakeMeanAccelerations();
  if (!rigid_.empty()) BookRigidPoints(balance);
  if (viewer_) Show("velocities", PresentPoints(), "m/s", velocities_);
}

Vector3d PositionBasedSimulation::MeanMotion(int point, double step) const {
  if (rigid_.Has(point)) return rigid_.MeanMotion(point);
  return 0.5 * (before_.col(point) + velocities_.col(point) - step * loads_.Acceleration(point));
}

void PositionBasedSimulation::Account(double step, StepBalance* balance) {
  const auto start = [this](int p) -> Vector3d { return points_.col(p); };
  const auto motion = [this, step](int p) { return MeanMotion(p, step); };
  const SweptStep swept{scene(), time(), StepEnd()};
  BookHolds(swept, holds_, nails_, start, motion, balance);
  ledger_.contacts().Begin();
  BookContacts(swept, contacts_, start, motion, balance, &ledger_.contacts());
  BookGuides(swept, guides_, start, motion, balance);
  BookSurfaces(swept, surfaces_, motion, balance, &ledger_.contacts());
  ledger_.contacts().End(step);
  LeadOut(balance);
  solver_.Store(points_);
  rigid_.Points(points_);
  const double elastic = solver_.ElasticEnergy();
  balance->AddStored(elastic + torn_energy_ - elastic_energy_);
  elastic_energy_ = elastic;
  ledger_.Book(balance->Total(HoldBeginsIn(scene(), time(), StepEnd())));
  ledger_.Book(WorkClass::kDamping, -torn_energy_);
  if (options_.velocity_update == VelocityUpdate::kPrinted) {
    loads_.ForEachAcceleration(
        [&](int p, const Vector3d& a) { velocities_.col(p) -= (0.5 * step) * a; });
    rigid_.HalveAccelerations(step);
    rigid_.PointVelocities(velocities_);
  }
}

}  // namespace pliant::position_based
