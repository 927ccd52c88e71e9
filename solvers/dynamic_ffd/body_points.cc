#include "solvers/dynamic_ffd/body_points.h"

#include <cmath>

namespace pliant::dynamic_ffd {

BodyPoints::BodyPoints(const FfdBody& body)
    : planar_(body.dimension() == 2),
      count_(body.points()),
      modes_(body.modes()),
      shapes_(body.dimension(), static_cast<Eigen::Index>(body.points()) * (1 + body.modes())),
      centres_(3, 1 + body.modes()),
      radii_(1 + body.modes()),
      translation_(Eigen::Vector3d::Zero()),
      rotation_(Eigen::Matrix3d::Identity()),
      gamma_(Eigen::VectorXd::Zero(body.modes())) {
  for (int a = 0; a <= modes_; ++a) {
    const Eigen::Map<const Eigen::Matrix3Xd> shape(body.shapes().col(a).data(), 3, count_);
    centres_.col(a) = 0.5 * (shape.rowwise().minCoeff() + shape.rowwise().maxCoeff());
    radii_[a] = (shape.colwise() - centres_.col(a)).colwise().norm().maxCoeff();
    for (int n = 0; n < count_; ++n) {
      shapes_.col(static_cast<Eigen::Index>(n) * (1 + modes_) + a) =
          shape.col(n).head(body.dimension());
    }
  }
}

void BodyPoints::Place(const VectorRef& q) {
  gamma_ = q.tail(modes_);
  if (planar_) {
    const double c = std::cos(q[2]), s = std::sin(q[2]);
    translation_ << q[0], q[1], 0.0;
    rotation_.topLeftCorner<2, 2>() << c, -s, s, c;
    return;
  }
  translation_ = q.head<3>();
  rotation_ = Eigen::Quaterniond(q[3], q[4], q[5], q[6]).normalized().toRotationMatrix();
}

BodyPoints::Ball BodyPoints::Bound() const {
  Eigen::Vector3d centre = centres_.col(0);
  double radius = radii_[0];
  for (int k = 0; k < modes_; ++k) {
    centre += gamma_[k] * centres_.col(1 + k);
    radius += std::abs(gamma_[k]) * radii_[1 + k];
  }
  return {translation_ + Turned(centre), radius};
}

}  // namespace pliant::dynamic_ffd
