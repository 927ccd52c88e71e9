// The points that springs, timed forces and the springs in place of constraints act on. The part of
// DynamicFfdSystem that deals with them.

#include <set>

#include "solvers/dynamic_ffd/ffd_system.h"

namespace pliant::dynamic_ffd {

using Eigen::VectorXd;

void DynamicFfdSystem::FindHeldPoints() {
  std::set<int> held;
  for (const Spring& spring : scene_->springs) {
    held.insert(scene_->Index(spring.a));
    if (spring.b) held.insert(scene_->Index(*spring.b));
  }
  for (const TimedForce& force : scene_->forces) held.insert(scene_->Index(force.point));
  for (const Nail& nail : scene_->nails) held.insert(scene_->Index(nail.point));
  for (const Attachment& attachment : scene_->attachments) {
    held.insert({scene_->Index(attachment.a), scene_->Index(attachment.b)});
  }
  for (int b = 0; b < static_cast<int>(parts_.size()); ++b) {
    const int first = parts_[b].first_point;
    for (int n = 0; n < parts_[b].body.points(); ++n) {
      if (held.contains(first + n)) held_.push_back({b, n, first + n, {}});
    }
  }
}

void DynamicFfdSystem::AddForcesOnHeldPoints(double t, const VectorXd& v, VectorXd* Q,
                                             Exchange* power) {
  for (HeldPoint& held : held_) {
    const BodyPoints& points = bodies_.points[held.part];
    held.lever = points.Lever(held.local);
    x_.col(held.point) = points.translation() + held.lever;
    x_dot_.col(held.point) =
        points.Velocity(held.local, held.lever, Velocities(parts_[held.part], v));
    point_forces_.col(held.point).setZero();
  }
  if (forces_.has_springs()) {
    ClearClassForces();
    forces_.AddSpringDamping(x_, x_dot_, class_forces_);
    (*power)[WorkClass::kDamping] += TakeClassForces();
    forces_.AddSprings(x_, point_forces_);
  }
  if (forces_.has_timed_forces()) {
    ClearClassForces();
    forces_.AddTimedForces(t, class_forces_);
    (*power)[WorkClass::kForce] += TakeClassForces();
  }
  // What springs between points do to each other cancels.
  for (const HeldPoint& held : held_) {
    power->AddForceAt(x_.col(held.point), point_forces_.col(held.point));
  }
  constraints_.AddForces(t, x_, x_dot_, point_forces_, power);
  for (const HeldPoint& held : held_) {
    bodies_.points[held.part].AddForce(held.local, held.lever, point_forces_.col(held.point),
                                       Velocities(parts_[held.part], Q));
  }
}

void DynamicFfdSystem::AddPowerOnHeldPointsAt(double t, const VectorXd& other, Exchange* power) {
  // x_ and x_dot_ are those of the last call of Rates().
  auto take = [this] {
    double taken = 0.0;
    for (const HeldPoint& held : held_) {
      taken += class_forces_.col(held.point).dot(other_.col(held.point));
    }
    return taken;
  };
  for (const HeldPoint& held : held_) {
    other_.col(held.point) = bodies_.points[held.part].Velocity(
        held.local, held.lever, Velocities(parts_[held.part], other));
  }
  ClearClassForces();
  if (forces_.has_springs()) forces_.AddSpringDamping(x_, x_dot_, class_forces_);
  constraints_.AddDamping(t, x_dot_, class_forces_);
  (*power)[WorkClass::kDamping] += take();
  if (!forces_.has_timed_forces()) return;
  ClearClassForces();
  forces_.AddTimedForces(t, class_forces_);
  (*power)[WorkClass::kForce] += take();
}

void DynamicFfdSystem::ClearClassForces() {
  for (const HeldPoint& held : held_) class_forces_.col(held.point).setZero();
}

double DynamicFfdSystem::TakeClassForces() {
  double power = 0.0;
  for (const HeldPoint& held : held_) {
    power += class_forces_.col(held.point).dot(x_dot_.col(held.point));
    point_forces_.col(held.point) += class_forces_.col(held.point);
  }
  return power;
}

}  // namespace pliant::dynamic_ffd
