#include "tests/solvers/dynamic_ffd/point_oracle.h"

#include <cmath>

namespace pliant::dynamic_ffd {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

MatrixXd MassMatrixByPoints(const FfdBody& body, const VectorXd& q) {
  MatrixXd mass = MatrixXd::Zero(body.velocities(), body.velocities());
  for (int n = 0; n < body.points(); ++n) {
    const MatrixXd jacobian = body.Jacobian(q, n);
    mass += body.masses()[n] * jacobian.transpose() * jacobian;
  }
  return mass;
}

VectorXd VelocityForcesByPoints(const FfdBody& body, const VectorXd& q, const VectorXd& v) {
  const Matrix3d rotation = body.Rotation(q);
  const Vector3d omega = body.AngularVelocity(v);
  VectorXd h = VectorXd::Zero(body.velocities());
  for (int n = 0; n < body.points(); ++n) {
    const MatrixXd shapes = body.shapes().middleRows<3>(3 * n);
    const Vector3d r =
        rotation * (shapes.col(0) + shapes.rightCols(body.modes()) * q.tail(body.modes()));
    const Vector3d deforming = rotation * (shapes.rightCols(body.modes()) * v.tail(body.modes()));
    const Vector3d a = omega.cross(omega.cross(r)) + 2.0 * omega.cross(deforming);
    h -= body.masses()[n] * body.Jacobian(q, n).transpose() * a;
  }
  return h;
}

MatrixXd JacobianDerivative(const FfdBody& body, const VectorXd& q, int point, int l) {
  const double c = std::cos(q[2]), s = std::sin(q[2]);
  Matrix3d first, second;  // R′, R″
  first << -s, -c, 0, c, -s, 0, 0, 0, 0;
  second << -c, s, 0, -s, -c, 0, 0, 0, 0;
  const MatrixXd shapes = body.shapes().middleRows<3>(3 * point);
  const int modes = body.modes();
  MatrixXd derivative = MatrixXd::Zero(3, body.velocities());
  if (l == 2) {  // (4.16), (4.18), (4.19)
    derivative.col(2) = second * (shapes.col(0) + shapes.rightCols(modes) * q.tail(modes));
    derivative.rightCols(modes) = first * shapes.rightCols(modes);
  } else if (l > 2) {  // (4.17)
    derivative.col(2) = first * shapes.col(1 + l - 3);
  }
  return derivative;
}

MatrixXd MassMatrixDerivative(const FfdBody& body, const VectorXd& q, int l) {
  MatrixXd derivative = MatrixXd::Zero(body.velocities(), body.velocities());
  for (int n = 0; n < body.points(); ++n) {
    const MatrixXd half =
        body.masses()[n] * body.Jacobian(q, n).transpose() * JacobianDerivative(body, q, n, l);
    derivative += half + half.transpose();
  }
  return derivative;
}

VectorXd VelocityForcesByMassDerivatives(const FfdBody& body, const VectorXd& q,
                                         const VectorXd& q_dot) {
  VectorXd h = VectorXd::Zero(body.velocities());
  for (int l = 0; l < body.velocities(); ++l) {
    const MatrixXd derivative = MassMatrixDerivative(body, q, l);
    h[l] += 0.5 * q_dot.dot(derivative * q_dot);
    h -= q_dot[l] * derivative * q_dot;
  }
  return h;
}

}  // namespace pliant::dynamic_ffd
