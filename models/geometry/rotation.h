// Rotations of the axes of segments and of the frames of bodies [Palazzi 1993, App. B].
//
// A rotation vector points along the axis of rotation, its length is the angle [rad]. The source
// writes each as a unit quaternion q = [cos θ/2, a sin θ/2] and turns v into q v q⁻¹; what stands
// here is that product multiplied out (Rodrigues' formula).
//
// World rotation vectors act from the left: the new orientation is q_r q, in the order of the
// source's own App. B. Its (A.8), q q_r, would turn about axes fixed in the segment.

#ifndef PLIANT_MODELS_GEOMETRY_ROTATION_H_
#define PLIANT_MODELS_GEOMETRY_ROTATION_H_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

namespace pliant {

struct TurnFactors {
  double cosine;   // cos θ
  double sinc;     // sin θ / θ
  double versine;  // (1 − cos θ) / θ²
};

// By t = θ². Small angles, which is all a correction near convergence has, take the series: its
// remainder is below rounding.
inline TurnFactors FactorsOfTurn(double t) {
  constexpr double kSmall = 1e-2;
  TurnFactors f;
  if (t < kSmall) {
    f.sinc = 1.0 - t / 6.0 * (1.0 - t / 20.0 * (1.0 - t / 42.0 * (1.0 - t / 72.0)));
    f.versine = 0.5 - t / 24.0 * (1.0 - t / 30.0 * (1.0 - t / 56.0 * (1.0 - t / 90.0)));
    f.cosine = 1.0 - t * f.versine;
  } else {
    const double angle = std::sqrt(t);
    f.cosine = std::cos(angle);
    f.sinc = std::sin(angle) / angle;
    f.versine = (1.0 - f.cosine) / t;
  }
  return f;
}

// v turned by the rotation vector `rotation`.
inline Eigen::Vector3d Rotated(const Eigen::Vector3d& v, const Eigen::Vector3d& rotation) {
  const TurnFactors f = FactorsOfTurn(rotation.squaredNorm());
  return f.cosine * v + f.sinc * rotation.cross(v) + (f.versine * rotation.dot(v)) * rotation;
}

// The unit quaternion of a rotation vector, [cos θ/2, a sin θ/2].
inline Eigen::Quaterniond Turn(const Eigen::Vector3d& rotation) {
  const TurnFactors half = FactorsOfTurn(0.25 * rotation.squaredNorm());
  const Eigen::Vector3d v = (0.5 * half.sinc) * rotation;
  return {half.cosine, v.x(), v.y(), v.z()};
}

// The rotation vector of a unit quaternion, no longer than π.
inline Eigen::Vector3d RotationVector(const Eigen::Quaterniond& q) {
  const double sine = q.vec().norm(), cosine = std::abs(q.w());
  const double sign = q.w() < 0.0 ? -1.0 : 1.0;
  return sine > 0.0 ? Eigen::Vector3d((sign * 2.0 * std::atan2(sine, cosine) / sine) * q.vec())
                    : Eigen::Vector3d(2.0 * sign * q.vec());
}

// Some unit vector at right angles to the unit vector u; in z = 0 it lies in z = 0 if u does.
inline Eigen::Vector3d Perpendicular(const Eigen::Vector3d& u) {
  const Eigen::Vector3d z = Eigen::Vector3d::UnitZ(), x = Eigen::Vector3d::UnitX();
  return u.cross(std::abs(u.z()) < 0.9 ? z : x).normalized();
}

// The rotation vector of the smallest rotation that takes the unit vector a to the unit vector b.
inline Eigen::Vector3d MinimalRotation(const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  const Eigen::Vector3d normal = a.cross(b);
  const double sine = normal.norm(), cosine = a.dot(b);
  if (sine > 0.0) return (std::atan2(sine, cosine) / sine) * normal;
  if (cosine >= 0.0) return Eigen::Vector3d::Zero();
  return std::numbers::pi * Perpendicular(a);
}

}  // namespace pliant

#endif  // PLIANT_MODELS_GEOMETRY_ROTATION_H_
