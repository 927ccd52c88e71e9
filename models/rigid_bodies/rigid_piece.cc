#include "models/rigid_bodies/rigid_piece.h"

#include <Eigen/Eigenvalues>

#include "models/geometry/rotation.h"
#include "models/scene/rigid_motion.h"

namespace pliant {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

namespace {

// Fraction of the largest moment below which a moment is rounding.
constexpr double kNoInertia = 1e-12;

}  // namespace

RigidPiece::RigidPiece(const PointsRef& points, const Eigen::Ref<const Eigen::VectorXd>& masses,
                       PieceInertia inertia, RigidMotion* start)
    : mass_(masses.sum()) {
  start->centre = points * masses / mass_;
  arms_ = points.colwise() - start->centre;
  const Eigen::SelfAdjointEigenSolver<Matrix3d> principal(InertiaOf(masses, arms_));
  Matrix3d axes = principal.eigenvectors();
  if (axes.determinant() < 0.0) axes.col(0) = -axes.col(0);
  start->orientation = Quaterniond(axes).normalized();
  arms_ = start->orientation.conjugate().toRotationMatrix() * arms_;
  moments_ = principal.eigenvalues();
  const double least = kNoInertia * moments_.maxCoeff();
  for (double& moment : moments_) moment = moment > least ? moment : 0.0;
  if (inertia == PieceInertia::kUnit) moments_.setOnes();
  for (int k = 0; k < 3; ++k) inverse_[k] = moments_[k] > 0.0 ? 1.0 / moments_[k] : 0.0;
}

Vector3d RigidPiece::Momentum(const RigidMotion& motion) const {
  const Quaterniond& q = motion.orientation;
  return q * moments_.cwiseProduct(q.conjugate() * motion.spin);
}

Vector3d RigidPiece::Turned(const Quaterniond& q, const Vector3d& v) const {
  return q * inverse_.cwiseProduct(q.conjugate() * v);
}

Vector3d RigidPiece::Possible(const Quaterniond& q, const Vector3d& v) const {
  Vector3d own = q.conjugate() * v;
  for (int k = 0; k < 3; ++k) {
    if (inverse_[k] == 0.0) own[k] = 0.0;
  }
  return q * own;
}

void MoveFreely(const RigidPiece& piece, double step, double new_share, const Vector3d& force,
                const Vector3d& torque, RigidMotion* motion) {
  const Vector3d gained = (step / piece.mass()) * force;
  motion->centre += step * (motion->velocity + new_share * gained);
  motion->velocity += gained;

  const Vector3d momentum = piece.Momentum(*motion), turned = step * torque;
  const Quaterniond halfway = Turn(0.5 * step * motion->spin) * motion->orientation;
  const Vector3d spin = piece.Turned(halfway, momentum + new_share * turned);
  motion->orientation = (Turn(step * spin) * motion->orientation).normalized();
  motion->spin = piece.Turned(motion->orientation, momentum + turned);
}

}  // namespace pliant
