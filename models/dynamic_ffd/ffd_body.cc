#include "models/dynamic_ffd/ffd_body.h"

#include <Eigen/QR>
#include <cassert>
#include <cmath>

namespace pliant::dynamic_ffd {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Eigen::VectorXd;

auto AsPoints(const Eigen::Ref<const VectorXd>& stacked) {
  return Eigen::Map<const Matrix3Xd>(stacked.data(), 3, stacked.size() / 3);
}

// Columns of a scene's 3×n points that belong to one body are contiguous.
Eigen::Map<VectorXd> Stacked(MutablePointsRef points) {
  assert(points.outerStride() == 3);
  return {points.data(), points.size()};
}

Eigen::Quaterniond QuaternionAt(const VectorRef& q) { return {q[3], q[4], q[5], q[6]}; }

}  // namespace

FfdBody::FfdBody(int dimension, const Body& body, const Vector3d& corner,
                 const std::vector<Matrix3Xd>& displacements, FfdOrigin origin,
                 const std::vector<Matrix3Xd>& driven)
    : dimension_(dimension),
      driven_(static_cast<int>(driven.size())),
      masses_(body.mass),
      shapes_(3 * body.size(), 1 + static_cast<int>(displacements.size() + driven.size())) {
  for (int n = 0; n < body.size(); ++n) {
    shapes_.block<3, 1>(3 * n, 0) = body.rest.col(n) - corner;
    for (int k = 0; k < free_modes(); ++k) {
      shapes_.block<3, 1>(3 * n, 1 + k) = displacements[k].col(n);
    }
    for (int k = 0; k < driven_; ++k) {
      shapes_.block<3, 1>(3 * n, 1 + free_modes() + k) = driven[k].col(n);
    }
    if (dimension == 2) shapes_.row(3 * n + 2).setZero();
  }
  if (origin == FfdOrigin::kCentreOfMass) ShiftShapes(ShapeMeans());
}

Matrix3Xd FfdBody::ShapeAsPoints(int a) const { return AsPoints(shapes_.col(a)); }

Matrix3Xd FfdBody::ShapeMeans() const {
  Matrix3Xd means(3, modes() + 1);
  for (int a = 0; a <= modes(); ++a) {
    means.col(a) = AsPoints(shapes_.col(a)) * masses_ / masses_.sum();
  }
  return means;
}

void FfdBody::ShiftShapes(const Matrix3Xd& by) {
  for (int a = 0; a <= modes(); ++a) {
    Eigen::Map<Matrix3Xd>(shapes_.col(a).data(), 3, points()).colwise() -= by.col(a);
  }
}

FfdBody FfdBody::Recombined(const Eigen::MatrixXd& combinations) const {
  FfdBody body = *this;
  body.shapes_.resize(shapes_.rows(), 1 + combinations.cols() + driven_);
  body.shapes_ << shapes_.col(0), shapes_.middleCols(1, free_modes()) * combinations,
      shapes_.rightCols(driven_);
  return body;
}

Vector3d FfdBody::Translation(const VectorRef& q) const {
  return {q[0], q[1], dimension_ == 2 ? 0.0 : q[2]};
}

Matrix3d FfdBody::Rotation(const VectorRef& q) const {
  if (dimension_ == 3) return QuaternionAt(q).normalized().toRotationMatrix();
  const double c = std::cos(q[2]), s = std::sin(q[2]);
  Matrix3d rotation;
  rotation << c, -s, 0, s, c, 0, 0, 0, 1;  // [Eq. 4.3]
  return rotation;
}

Vector3d FfdBody::LinearVelocity(const VectorRef& v) const {
  return {v[0], v[1], dimension_ == 2 ? 0.0 : v[2]};
}

Vector3d FfdBody::AngularVelocity(const VectorRef& v) const {
  if (dimension_ == 2) return {0.0, 0.0, v[2]};
  return v.segment<3>(3);
}

VectorXd FfdBody::Coordinates(const Vector3d& centre, const Eigen::Quaterniond& orientation,
                              const VectorRef& gamma) const {
  const VectorXd y = shapes_.col(0) + shapes_.rightCols(modes()) * gamma;
  const Vector3d mean = AsPoints(y) * masses_ / masses_.sum();
  const Vector3d t = centre - orientation * mean;
  VectorXd q(coordinates());
  if (dimension_ == 2) {
    q.head<3>() << t.x(), t.y(), 2.0 * std::atan2(orientation.z(), orientation.w());
  } else {
    const Eigen::Quaterniond unit = orientation.normalized();
    q.head<7>() << t, unit.w(), unit.x(), unit.y(), unit.z();
  }
  q.tail(modes()) = gamma;
  return q;
}

VectorXd FfdBody::Velocities(const VectorRef& q, const Vector3d& linear, const Vector3d& angular,
                             const VectorRef& gamma_dot) const {
  // The local centre of mass, off the origin where that is a corner, and its rate.
  const VectorXd y = shapes_.col(0) + shapes_.rightCols(modes()) * q.tail(modes());
  const VectorXd y_dot = shapes_.rightCols(modes()) * gamma_dot;
  const Vector3d mean = AsPoints(y) * masses_ / masses_.sum();
  const Vector3d mean_dot = AsPoints(y_dot) * masses_ / masses_.sum();
  const Matrix3d rotation = Rotation(q);
  const Vector3d t_dot = linear - angular.cross(rotation * mean) - rotation * mean_dot;
  VectorXd v(velocities());
  v.tail(modes()) = gamma_dot;
  if (dimension_ == 2) {
    v.head<3>() << t_dot.x(), t_dot.y(), angular.z();
  } else {
    v.head<6>() << t_dot, angular;
  }
  return v;
}

void FfdBody::Points(const VectorRef& q, MutablePointsRef x) const {
  Eigen::Map<VectorXd> y = Stacked(x);
  y = shapes_.col(0);
  y.noalias() += shapes_.rightCols(modes()) * q.tail(modes());
  const Matrix3d rotation = Rotation(q);
  const Vector3d t = Translation(q);
  for (int n = 0; n < points(); ++n) x.col(n) = t + rotation * x.col(n);
}

void FfdBody::PointVelocities(const VectorRef& q, const VectorRef& v, const PointsRef& x,
                              MutablePointsRef x_dot) const {
  Eigen::Map<VectorXd> y_dot = Stacked(x_dot);
  y_dot.noalias() = shapes_.rightCols(modes()) * v.tail(modes());
  const Matrix3d rotation = Rotation(q);
  const Vector3d t = Translation(q), t_dot = LinearVelocity(v), omega = AngularVelocity(v);
  for (int n = 0; n < points(); ++n) {
    x_dot.col(n) = t_dot + omega.cross(x.col(n) - t) + rotation * x_dot.col(n);
  }
}

Eigen::MatrixXd FfdBody::Jacobian(const VectorRef& q, int point) const {
  const Matrix3d rotation = Rotation(q);
  const Eigen::Matrix<double, 3, Eigen::Dynamic> shapes = shapes_.middleRows<3>(3 * point);
  const Vector3d r = rotation * (shapes.col(0) + shapes.rightCols(modes()) * q.tail(modes()));
  Eigen::MatrixXd jacobian(3, velocities());
  if (dimension_ == 2) {
    jacobian.leftCols<3>() << 1, 0, -r.y(), 0, 1, r.x(), 0, 0, 0;
  } else {
    jacobian.leftCols<3>().setIdentity();
    for (int axis = 0; axis < 3; ++axis) {
      jacobian.col(3 + axis) = Vector3d::Unit(axis).cross(r);
    }
  }
  jacobian.rightCols(modes()) = rotation * shapes.rightCols(modes());
  return jacobian;
}

void FfdBody::AddGeneralizedForces(const VectorRef& q, const PointsRef& x, const PointsRef& f,
                                   Matrix3Xd* local, MutableVectorRef Q) const {
  const Vector3d t = Translation(q);
  Vector3d force = Vector3d::Zero(), torque = Vector3d::Zero();
  for (int n = 0; n < points(); ++n) {
    const Vector3d fn = f.col(n);
    force += fn;
    torque += Vector3d(x.col(n) - t).cross(fn);
  }
  if (dimension_ == 2) {
    Q.head<2>() += force.head<2>();
    Q[2] += torque.z();
  } else {
    Q.head<3>() += force;
    Q.segment<3>(3) += torque;
  }
  local->resize(3, points());
  local->noalias() = Rotation(q).transpose() * f;
  const Eigen::Map<const VectorXd> stacked(local->data(), local->size());
  Q.tail(modes()).noalias() += shapes_.rightCols(modes()).transpose() * stacked;
}

void FfdBody::ConfigurationRate(const VectorRef& q, const VectorRef& v,
                                MutableVectorRef q_dot) const {
  if (dimension_ == 2) {
    q_dot = v;
    return;
  }
  q_dot.head<3>() = v.head<3>();
  const Eigen::Quaterniond rate =
      Eigen::Quaterniond(0.0, 0.5 * v[3], 0.5 * v[4], 0.5 * v[5]) * QuaternionAt(q);
  q_dot.segment<4>(3) << rate.w(), rate.x(), rate.y(), rate.z();
  q_dot.tail(modes()) = v.tail(modes());
}

void FfdBody::Normalize(MutableVectorRef q) const {
  if (dimension_ == 3) q.segment<4>(3).normalize();
}

FfdBody::Fit FfdBody::FitAmplitudes(const Matrix3Xd& displacements) const {
  const VectorXd weights = (masses_ / masses_.sum()).cwiseSqrt();
  // √(m/Σm) (u − ū), stacked.
  auto weighted = [&](const Eigen::Ref<const Matrix3Xd>& u) -> VectorXd {
    const Vector3d mean = u * masses_ / masses_.sum();
    const Matrix3Xd scaled = (u.colwise() - mean) * weights.asDiagonal();
    return Eigen::Map<const VectorXd>(scaled.data(), scaled.size());
  };
  const VectorXd target = weighted(displacements);
  if (modes() == 0) return {VectorXd(0), target.norm()};
  Eigen::MatrixXd basis(target.size(), modes());
  for (int k = 0; k < modes(); ++k) basis.col(k) = weighted(AsPoints(shapes_.col(1 + k)));
  const VectorXd gamma = basis.colPivHouseholderQr().solve(target);
  return {gamma, (target - basis * gamma).norm()};
}

}  // namespace pliant::dynamic_ffd
