#include "solvers/contact/penalty.h"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

using Eigen::Vector3d;

}  // namespace

void PenaltyOptions::Bind(ParameterBinder& binder) {
  binder.Real("contact_stiffness", &stiffness, "N/m", AtLeast(0.0),
              "penalty stiffness of a contact point, along the normal");
  binder.Real("contact_damping", &damping, "N s/m", AtLeast(0.0),
              "penalty damping of a contact point, along the normal");
  binder.Real("contact_tangential_stiffness", &tangential_stiffness, "N/m", AtLeast(0.0),
              "stiffness of the spring to the entry point, along the surface");
  binder.Real("contact_tangential_damping", &tangential_damping, "N s/m", AtLeast(0.0),
              "damping of a contact point, along the surface");
}

PenaltyContact::PenaltyContact(const Scene& scene, const PenaltyOptions& options)
    : obstacles_(scene.obstacles),
      options_(options),
      points_(scene.PointCount()),
      entries_(
          Eigen::Matrix4Xd::Zero(4, points_ * static_cast<Eigen::Index>(scene.obstacles.size()))) {}

double PenaltyContact::NormalForce(const Touch& touch, const Vector3d& relative) const {
  return std::max(0.0, -options_.stiffness * touch.at.distance -
                           options_.damping * touch.at.normal.dot(relative));
}

Vector3d PenaltyContact::Slip(const Touch& touch) const {
  const Vector3d d = touch.offset - entries_.col(Index(touch.obstacle, touch.point)).head<3>();
  return d - touch.at.normal.dot(d) * touch.at.normal;
}

Vector3d PenaltyContact::Force(const Touch& touch, const Vector3d& v) const {
  const Vector3d& n = touch.at.normal;
  const Vector3d u = v - touch.velocity;
  const double normal_force = NormalForce(touch, u);
  Vector3d tangential = -options_.tangential_damping * (u - n.dot(u) * n);
  if (HasEntry(touch.obstacle, touch.point)) {
    tangential -= options_.tangential_stiffness * Slip(touch);
  }
  const double cap = obstacles_[touch.obstacle].friction * normal_force;
  const double squared = tangential.squaredNorm();
  if (squared > cap * cap) tangential *= cap / std::sqrt(squared);
  return normal_force * n + tangential;
}

void PenaltyContact::UpdateEntry(const Touch& touch, const Vector3d& v) {
  auto entry = entries_.col(Index(touch.obstacle, touch.point));
  if (entry[3] == 0.0) {
    entry << touch.offset, 1.0;
    return;
  }
  // Drag the entry point until its spring alone is within the cone.
  const double cap = obstacles_[touch.obstacle].friction * NormalForce(touch, v - touch.velocity);
  const Vector3d slip = Slip(touch);
  const double pull = options_.tangential_stiffness * slip.norm();
  if (pull > cap) entry.head<3>() += (1.0 - cap / pull) * slip;
}

double PenaltyContact::AddForces(double time, const PointsRef& x, const PointsRef& v,
                                 MutablePointsRef forces) const {
  double power = 0.0;
  for (int o = 0; o < static_cast<int>(obstacles_.size()); ++o) {
    const PathPoint origin = obstacles_[o].motion.At(time);
    for (int i = 0; i < points_; ++i) {
      const Proximity at = SignedDistance(obstacles_[o].shape, origin.position, x.col(i));
      if (at.distance >= 0.0) continue;
      const Vector3d force =
          Force({o, i, at, x.col(i) - origin.position, origin.velocity}, v.col(i));
      forces.col(i) += force;
      power += force.dot(v.col(i));
    }
  }
  return power;
}

void PenaltyContact::Update(double time, const PointsRef& x, const PointsRef& v) {
  for (int o = 0; o < static_cast<int>(obstacles_.size()); ++o) {
    const PathPoint origin = obstacles_[o].motion.At(time);
    for (int i = 0; i < points_; ++i) {
      const Proximity at = SignedDistance(obstacles_[o].shape, origin.position, x.col(i));
      if (at.distance >= 0.0) {
        Forget(o, i);
      } else {
        UpdateEntry({o, i, at, x.col(i) - origin.position, origin.velocity}, v.col(i));
      }
    }
  }
}

void PenaltyContact::Save(Eigen::Ref<Eigen::VectorXd> state) const {
  state = Eigen::Map<const Eigen::VectorXd>(entries_.data(), entries_.size());
}

void PenaltyContact::Restore(const Eigen::Ref<const Eigen::VectorXd>& state) {
  Eigen::Map<Eigen::VectorXd>(entries_.data(), entries_.size()) = state;
}

}  // namespace pliant
