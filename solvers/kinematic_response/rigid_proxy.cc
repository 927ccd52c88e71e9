#include "solvers/kinematic_response/rigid_proxy.h"

#include "models/scene/rigid_motion.h"
#include "solvers/linear_algebra/pseudo_inverse.h"

namespace pliant::kinematic_response {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::Vector3d;

// Turning by the vector `angle` [rad].
Eigen::Quaterniond Turn(const Vector3d& angle) {
  const double size = angle.norm();
  if (size == 0.0) return Eigen::Quaterniond::Identity();
  return Eigen::Quaterniond(Eigen::AngleAxisd(size, angle / size));
}

// Points on a line have no inertia about it, and no spin.
constexpr double kOnLine = 1e-12;
bool IsOnLine(const Matrix3d& inertia) {
  const double size = inertia.trace();
  return !(inertia.determinant() > kOnLine * size * size * size);
}

}  // namespace

RigidProxy::RigidProxy(const Matrix3Xd& points, const Matrix3Xd& velocities,
                       const Eigen::VectorXd& masses, int dimension,
                       const Eigen::Quaterniond& orientation)
    : mass_(masses.sum()),
      inverse_inertia_(Matrix3d::Zero()),
      centre_(points * masses / mass_),
      turn_(orientation.normalized()),
      momentum_(velocities * masses),
      spin_(Vector3d::Zero()) {
  const Matrix3Xd arms = points.colwise() - centre_;
  points_ = axes().transpose() * arms;
  reach_ = points_.colwise().norm().maxCoeff();
  for (Eigen::Index i = 0; i < points_.cols(); ++i) {
    spin_ += masses[i] * Vector3d(arms.col(i)).cross(velocities.col(i));
  }
  const Matrix3d inertia = InertiaOf(masses, points_);
  if (dimension == 2) {
    inverse_inertia_(2, 2) = 1.0 / inertia(2, 2);
  } else if (IsOnLine(inertia)) {
    inverse_inertia_ = PseudoInverse(inertia, kOnLine * inertia.trace());
  } else {
    inverse_inertia_ = inertia.inverse();
  }
}

void RigidProxy::PlacePoints(Eigen::Ref<Matrix3Xd> x, Eigen::Ref<Matrix3Xd> v) const {
  const Matrix3d Q = axes();
  const Vector3d V = velocity(), omega = angular_velocity();
  for (Eigen::Index i = 0; i < points_.cols(); ++i) {
    const Vector3d arm = Q * points_.col(i);
    x.col(i) = centre_ + arm;
    v.col(i) = V + omega.cross(arm);
  }
}

void RigidProxy::Kick(const Vector3d& impulse, const Vector3d& moment) {
  momentum_ += impulse;
  spin_ += moment;
}

void RigidProxy::Drift(double h) {
  centre_ += h * velocity();
  const Eigen::Quaterniond middle = Turn(0.5 * h * angular_velocity()) * turn_;
  turn_ = (Turn(h * AngularVelocity(middle)) * turn_).normalized();
}

void RigidProxy::Save(Eigen::Ref<Eigen::VectorXd> state) const {
  state << centre_, turn_.coeffs(), momentum_, spin_;
}

void RigidProxy::Restore(const Eigen::Ref<const Eigen::VectorXd>& state) {
  centre_ = state.segment<3>(0);
  turn_.coeffs() = state.segment<4>(3);
  momentum_ = state.segment<3>(7);
  spin_ = state.segment<3>(10);
}

}  // namespace pliant::kinematic_response
