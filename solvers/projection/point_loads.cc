#include "solvers/projection/point_loads.h"

#include <algorithm>
#include <numeric>

namespace pliant {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

namespace {

std::vector<int> LoadedPoints(const Scene& scene, bool everywhere) {
  if (!everywhere) return PointsActedOn(scene);
  std::vector<int> points(scene.PointCount());
  std::iota(points.begin(), points.end(), 0);
  return points;
}

}  // namespace

PointLoads::PointLoads(std::shared_ptr<const Scene> scene, double shape_stiffness, bool everywhere)
    : scene_(std::move(scene)),
      shape_(scene_, shape_stiffness),
      points_(LoadedPoints(*scene_, everywhere || shape_.acts())),
      forces_(*scene_, points_) {
  for (Matrix3Xd* matrix : {&springs_, &timed_, &damping_, &impulses_, &accelerations_}) {
    matrix->setZero(3, static_cast<Eigen::Index>(points_.size()));
  }
}

void PointLoads::Find(double begin, double end, double h, const PointsRef& x, const PointsRef& v) {
  if (points_.empty()) return;
  knows_end_ = false;
  for (Matrix3Xd* forces : {&springs_, &damping_, &timed_}) forces->setZero();
  if (has_springs()) {
    Matrix3Xd& velocities = impulses_;  // scratch
    positions_ = x(Eigen::all, points_);
    velocities = v(Eigen::all, points_);
    forces_.AddSprings(positions_, springs_);
    forces_.AddSpringDamping(positions_, velocities, damping_);
  }
  shape_.AddForces(x, springs_);
  impulses_.setZero();
  forces_.AddTimedForces(begin, timed_);
  if (forces_.AddImpulses(begin, end, impulses_)) impulses_ /= h;
  accelerations_ = (springs_ + damping_ + timed_ + impulses_).array().rowwise() /
                   forces_.masses().transpose().array();
  accelerations_.colwise() += scene_->gravity;
}

void PointLoads::FindSpringsAtEnd(const PointsRef& x) {
  springs_at_end_.setZero(3, springs_.cols());
  if (has_springs()) {
    positions_ = x(Eigen::all, points_);
    forces_.AddSprings(positions_, springs_at_end_);
  }
  shape_.AddForces(x, springs_at_end_);
  knows_end_ = true;
}

void PointLoads::TakeMeanSprings() {
  accelerations_.array() +=
      (0.5 * (springs_at_end_ - springs_)).array().rowwise() / forces_.masses().transpose().array();
}

Vector3d PointLoads::Acceleration(int point) const {
  const auto found = std::lower_bound(points_.begin(), points_.end(), point);
  if (found == points_.end() || *found != point) return scene_->gravity;
  return accelerations_.col(found - points_.begin());
}

Matrix3Xd PointLoads::Forces() const {
  Matrix3Xd forces = Matrix3Xd::Zero(3, scene_->PointCount());
  forces(Eigen::all, points_) = springs_ + damping_ + timed_ + impulses_;
  return forces;
}

Matrix3Xd PointLoads::ForcesAtEnd() const {
  Matrix3Xd forces = Matrix3Xd::Zero(3, scene_->PointCount());
  forces(Eigen::all, points_) = springs_at_end_ + damping_ + timed_ + impulses_;
  return forces;
}

double PointLoads::SpringEnergy(const PointsRef& x) const {
  return forces_.SpringEnergy(x(Eigen::all, points_));
}

}  // namespace pliant
