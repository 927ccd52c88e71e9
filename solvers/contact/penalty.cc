#include "solvers/contact/penalty.h"

#include <algorithm>

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

double PenaltyContact::AddForces(double time, const PointsRef& x, const PointsRef& v,
                                 MutablePointsRef forces) const {
  double power = 0.0;
  for (size_t o = 0; o < obstacles_.size(); ++o) {
    const Obstacle& obstacle = obstacles_[o];
    const PathPoint origin = obstacle.motion.At(time);
    const auto entries = entries_.middleCols(static_cast<Eigen::Index>(o) * points_, points_);
    for (int i = 0; i < points_; ++i) {
      const Proximity at = SignedDistance(obstacle.shape, origin.position, x.col(i));
      if (at.distance >= 0.0) continue;
      const Vector3d u = v.col(i) - origin.velocity;
      const double normal_force =
          std::max(0.0, -options_.stiffness * at.distance - options_.damping * at.normal.dot(u));
      Vector3d tangential = -options_.tangential_damping * (u - at.normal.dot(u) * at.normal);
      if (entries(3, i) != 0.0) {
        const Vector3d d = x.col(i) - origin.position - entries.col(i).head<3>();
        tangential -= options_.tangential_stiffness * (d - at.normal.dot(d) * at.normal);
      }
      const double cap = obstacle.friction * normal_force;
      const double size = tangential.norm();
      if (size > cap) tangential *= cap / size;
      const Vector3d force = normal_force * at.normal + tangential;
      forces.col(i) += force;
      power += force.dot(v.col(i));
    }
  }
  return power;
}

void PenaltyContact::Update(double time, const PointsRef& x, const PointsRef& v) {
  for (size_t o = 0; o < obstacles_.size(); ++o) {
    const Obstacle& obstacle = obstacles_[o];
    const PathPoint origin = obstacle.motion.At(time);
    auto entries = entries_.middleCols(static_cast<Eigen::Index>(o) * points_, points_);
    for (int i = 0; i < points_; ++i) {
      const Proximity at = SignedDistance(obstacle.shape, origin.position, x.col(i));
      auto entry = entries.col(i);
      if (at.distance >= 0.0) {
        entry.setZero();
        continue;
      }
      const Vector3d local = x.col(i) - origin.position;
      if (entry[3] == 0.0) {
        entry << local, 1.0;
        continue;
      }
      // Drag the entry point until its spring alone is within the cone.
      const Vector3d u = v.col(i) - origin.velocity;
      const double normal_force =
          std::max(0.0, -options_.stiffness * at.distance - options_.damping * at.normal.dot(u));
      const Vector3d d = local - entry.head<3>();
      const Vector3d tangential = d - at.normal.dot(d) * at.normal;
      const double pull = options_.tangential_stiffness * tangential.norm();
      const double cap = obstacle.friction * normal_force;
      if (pull > cap) entry.head<3>() += (1.0 - cap / pull) * tangential;
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
