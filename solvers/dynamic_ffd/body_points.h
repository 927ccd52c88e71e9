// The points of one body one at a time, for forces that act on some of them: position and velocity
// of a point, and the effect on the body of a force on the point, each O(D). FfdBody does the same
// for all points at once.

#ifndef PLIANT_SOLVERS_DYNAMIC_FFD_BODY_POINTS_H_
#define PLIANT_SOLVERS_DYNAMIC_FFD_BODY_POINTS_H_

#include <Eigen/Core>

#include "models/dynamic_ffd/ffd_body.h"

namespace pliant::dynamic_ffd {

class BodyPoints {
 public:
  explicit BodyPoints(const FfdBody& body);

  int count() const { return count_; }

  // Sets the configuration for the functions below. O(D).
  void Place(const VectorRef& q);

  const Eigen::Vector3d& translation() const { return translation_; }  // t [m]
  const Eigen::Matrix3d& rotation() const { return rotation_; }

  // y_n = X_n + Σ γ_k b_kn [m], in body axes.
  Eigen::Vector3d Local(int n) const { return Combine(n, 1.0, gamma_.data()); }
  // R y_n = x_n − t [m].
  Eigen::Vector3d Lever(int n) const { return Turned(Local(n)); }
  // ẋ_n = J_n v [m/s].
  Eigen::Vector3d Velocity(int n, const Eigen::Vector3d& lever, const VectorRef& v) const;
  // Q += J_nᵀ f  [Faloutsos 1995, Eq. 4.20].
  void AddForce(int n, const Eigen::Vector3d& lever, const Eigen::Vector3d& f,
                MutableVectorRef Q) const;

  // A ball around all points: that around the points of each shape, scaled by its amplitude. O(D).
  struct Ball {
    Eigen::Vector3d centre;
    double radius;
  };
  Ball Bound() const;

 private:
  // Σ_a of `of_rest` X_n and amplitudes[k] b_kn.
  Eigen::Vector3d Combine(int n, double of_rest, const double* amplitudes) const;
  Eigen::Vector3d Turned(const Eigen::Vector3d& y) const;

  bool planar_;
  int count_, modes_;
  // X_n, b_1n … b_Dn of point 0, of point 1, …; 2 or 3 rows.
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic> shapes_;
  Eigen::Matrix3Xd centres_;  // of the balls around the points of each shape, 3×(1+D) [m]
  Eigen::VectorXd radii_;     // 1+D [m]

  Eigen::Vector3d translation_;
  Eigen::Matrix3d rotation_;
  Eigen::VectorXd gamma_;
};

// Inline: these are the inner loops of contact.

inline Eigen::Vector3d BodyPoints::Combine(int n, double of_rest, const double* amplitudes) const {
  const double* shape =
      shapes_.data() + static_cast<Eigen::Index>(n) * (1 + modes_) * shapes_.rows();
  if (planar_) {
    Eigen::Vector2d y = of_rest * Eigen::Map<const Eigen::Vector2d>(shape);
    for (int k = 0; k < modes_; ++k) {
      y += amplitudes[k] * Eigen::Map<const Eigen::Vector2d>(shape + 2 * (1 + k));
    }
    return {y.x(), y.y(), 0.0};
  }
  Eigen::Vector3d y = of_rest * Eigen::Map<const Eigen::Vector3d>(shape);
  for (int k = 0; k < modes_; ++k) {
    y += amplitudes[k] * Eigen::Map<const Eigen::Vector3d>(shape + 3 * (1 + k));
  }
  return y;
}

inline Eigen::Vector3d BodyPoints::Turned(const Eigen::Vector3d& y) const {
  if (!planar_) return rotation_ * y;
  const double c = rotation_(0, 0), s = rotation_(1, 0);
  return {c * y.x() - s * y.y(), s * y.x() + c * y.y(), 0.0};
}

inline Eigen::Vector3d BodyPoints::Velocity(int n, const Eigen::Vector3d& lever,
                                            const VectorRef& v) const {
  if (planar_) {
    const Eigen::Vector3d deforming = Turned(Combine(n, 0.0, v.data() + 3));
    return {v[0] - v[2] * lever.y() + deforming.x(), v[1] + v[2] * lever.x() + deforming.y(), 0.0};
  }
  return v.head<3>() + v.segment<3>(3).cross(lever) + Turned(Combine(n, 0.0, v.data() + 6));
}

inline void BodyPoints::AddForce(int n, const Eigen::Vector3d& lever, const Eigen::Vector3d& f,
                                 MutableVectorRef Q) const {
  const double* shape =
      shapes_.data() + static_cast<Eigen::Index>(n) * (1 + modes_) * shapes_.rows();
  if (planar_) {
    Q[0] += f.x();
    Q[1] += f.y();
    Q[2] += lever.x() * f.y() - lever.y() * f.x();
    const double c = rotation_(0, 0), s = rotation_(1, 0);
    const double fx = c * f.x() + s * f.y(), fy = c * f.y() - s * f.x();
    for (int k = 0; k < modes_; ++k) {
      Q[3 + k] += shape[2 + 2 * k] * fx + shape[3 + 2 * k] * fy;
    }
    return;
  }
  Q.head<3>() += f;
  Q.segment<3>(3) += lever.cross(f);
  const Eigen::Vector3d local = rotation_.transpose() * f;
  for (int k = 0; k < modes_; ++k) {
    Q[6 + k] += Eigen::Map<const Eigen::Vector3d>(shape + 3 * (1 + k)).dot(local);
  }
}

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_SOLVERS_DYNAMIC_FFD_BODY_POINTS_H_
