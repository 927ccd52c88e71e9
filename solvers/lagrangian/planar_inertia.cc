#include "solvers/lagrangian/planar_inertia.h"

#include <cmath>

namespace pliant {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

Vector2d Perpendicular(const Vector2d& u) { return {-u.y(), u.x()}; }

}  // namespace

PlanarInertia::PlanarInertia(const FfdBody& body)
    : modes_(body.modes()), mass_(body.masses().sum()) {
  const int shapes = 1 + modes_;
  // Coordinates of the points of every shape, points × shapes.
  MatrixXd bx(body.points(), shapes), by(body.points(), shapes);
  for (int n = 0; n < body.points(); ++n) {
    bx.row(n) = body.shapes().row(3 * n);
    by.row(n) = body.shapes().row(3 * n + 1);
  }
  const auto m = body.masses().asDiagonal();
  first_.resize(2, shapes);
  first_.row(0) = body.masses().transpose() * bx;
  first_.row(1) = body.masses().transpose() * by;
  gram_ = bx.transpose() * m * bx + by.transpose() * m * by;
  cross_ = bx.transpose() * m * by - by.transpose() * m * bx;
  factor_ = BorderedCholesky<1>(ConstantBlock());
}

MatrixXd PlanarInertia::ConstantBlock() const {
  MatrixXd block(2 + modes_, 2 + modes_);
  block.topLeftCorner<2, 2>() = mass_ * Eigen::Matrix2d::Identity();
  block.topRightCorner(2, modes_) = first_.rightCols(modes_);
  block.bottomLeftCorner(modes_, 2) = first_.rightCols(modes_).transpose();
  block.bottomRightCorner(modes_, modes_) = gram_.bottomRightCorner(modes_, modes_);
  return block;
}

void PlanarInertia::ComputePlaced(const VectorRef& q, Placed* placed) const {
  const double c = std::cos(q[2]), s = std::sin(q[2]);
  placed->rotation << c, -s, s, c;
  placed->c.resize(1 + modes_);
  placed->c << 1.0, q.tail(modes_);
  placed->g = gram_.transpose().lazyProduct(placed->c);  // G is symmetric
  placed->x = cross_.transpose().lazyProduct(placed->c);
  placed->s = first_.lazyProduct(placed->c);
  placed->border.resize(2 + modes_);
  placed->border << Perpendicular(placed->s), placed->x.tail(modes_);
}

bool PlanarInertia::Place(const VectorRef& q) {
  ComputePlaced(q, &placed_);
  const Eigen::Matrix<double, 1, 1> inertia(placed_.c.dot(placed_.g));
  return factor_.Factor(placed_.border, inertia);
}

MatrixXd PlanarInertia::MassMatrix(const VectorRef& q) const {
  Placed placed;
  ComputePlaced(q, &placed);
  const MatrixXd block = ConstantBlock();
  MatrixXd mass(3 + modes_, 3 + modes_);
  mass.topLeftCorner<2, 2>() = block.topLeftCorner<2, 2>();
  mass.block<2, 1>(0, 2) = placed.rotation * placed.border.head<2>();
  mass.topRightCorner(2, modes_) = placed.rotation * block.topRightCorner(2, modes_);
  mass(2, 2) = placed.c.dot(placed.g);
  mass.block(2, 3, 1, modes_) = placed.border.tail(modes_).transpose();
  mass.bottomRightCorner(modes_, modes_) = block.bottomRightCorner(modes_, modes_);
  return mass.selfadjointView<Eigen::Upper>();
}

void PlanarInertia::AddVelocityForces(const VectorRef& v, MutableVectorRef Q) {
  const double theta_dot = v[2];
  const auto gamma_dot = v.tail(modes_);
  const Vector2d s_dot = first_.rightCols(modes_).lazyProduct(gamma_dot);
  Q.head<2>() += placed_.rotation *
                 (theta_dot * theta_dot * placed_.s - 2.0 * theta_dot * Perpendicular(s_dot));
  Q[2] -= 2.0 * theta_dot * gamma_dot.dot(placed_.g.tail(modes_));
  cross_rate_ = cross_.bottomRightCorner(modes_, modes_).transpose().lazyProduct(gamma_dot);
  Q.tail(modes_) += theta_dot * theta_dot * placed_.g.tail(modes_) - 2.0 * theta_dot * cross_rate_;
}

void PlanarInertia::AddGravity(const Eigen::Vector3d& g, MutableVectorRef Q) const {
  const Vector2d world = g.head<2>(), local = placed_.rotation.transpose() * world;
  Q.head<2>() += mass_ * world;
  Q[2] += Perpendicular(placed_.s).dot(local);
  Q.tail(modes_) += first_.rightCols(modes_).transpose().lazyProduct(local);
}

void PlanarInertia::Solve(MutableVectorRef b) {
  rhs_.resize(2 + modes_);
  rhs_ << placed_.rotation.transpose() * b.head<2>(), b.tail(modes_);
  Eigen::Matrix<double, 1, 1> turn(b[2]);
  factor_.Solve(&rhs_, &turn);
  b.head<2>() = placed_.rotation * rhs_.head<2>();
  b[2] = turn[0];
  b.tail(modes_) = rhs_.tail(modes_);
}

}  // namespace pliant
