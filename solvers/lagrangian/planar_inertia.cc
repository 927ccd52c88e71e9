#include "solvers/lagrangian/planar_inertia.h"

#include <Eigen/Geometry>
#include <cmath>
#include <utility>

namespace pliant {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

Vector2d Perpendicular(const Vector2d& u) { return {-u.y(), u.x()}; }

}  // namespace

PlanarMoments::PlanarMoments(const FfdBody& body)
    : modes(body.modes()), mass(body.masses().sum()), sums(2 * modes + 4, 1 + modes) {
  const int shapes = 1 + modes;
  // Coordinates of the points of every shape, points × shapes.
  MatrixXd bx(body.points(), shapes), by(body.points(), shapes);
  for (int n = 0; n < body.points(); ++n) {
    bx.row(n) = body.shapes().row(3 * n);
    by.row(n) = body.shapes().row(3 * n + 1);
  }
  const auto m = body.masses().asDiagonal();
  sums.topRows(shapes) = bx.transpose() * m * bx + by.transpose() * m * by;
  sums.middleRows(shapes, shapes) = (bx.transpose() * m * by - by.transpose() * m * bx).transpose();
  sums.row(2 * shapes) = body.masses().transpose() * bx;
  sums.row(2 * shapes + 1) = body.masses().transpose() * by;
}

MatrixXd PlanarMoments::ConstantBlock() const {
  MatrixXd block(2 + modes, 2 + modes);
  block.topLeftCorner<2, 2>() = mass * Eigen::Matrix2d::Identity();
  block.topRightCorner(2, modes) = sums.bottomRightCorner(2, modes);
  block.bottomLeftCorner(modes, 2) = sums.bottomRightCorner(2, modes).transpose();
  block.bottomRightCorner(modes, modes) = sums.block(1, 1, modes, modes);
  return block;
}

MatrixXd PlanarMoments::MassMatrix(const VectorRef& q) const {
  const Eigen::Matrix2d rotation = Eigen::Rotation2Dd(q[2]).toRotationMatrix();
  VectorXd c(1 + modes);
  c << 1.0, q.tail(modes);
  const VectorXd placed = sums * c;
  const MatrixXd block = ConstantBlock();
  MatrixXd matrix(3 + modes, 3 + modes);
  matrix.topLeftCorner<2, 2>() = block.topLeftCorner<2, 2>();
  matrix.block<2, 1>(0, 2) = rotation * Perpendicular(placed.tail<2>());
  matrix.topRightCorner(2, modes) = rotation * block.topRightCorner(2, modes);
  matrix(2, 2) = c.dot(placed.head(1 + modes));
  matrix.block(2, 3, 1, modes) = placed.segment(2 + modes, modes).transpose();
  matrix.bottomRightCorner(modes, modes) = block.bottomRightCorner(modes, modes);
  return matrix.selfadjointView<Eigen::Upper>();
}

template <int kModes>
PlanarInertia<kModes>::PlanarInertia(PlanarMoments moments)
    : plain_(std::move(moments)),
      modes_(plain_.modes),
      mass_(plain_.mass),
      moments_(plain_.sums),
      factor_(plain_.ConstantBlock()),
      c_(1 + modes_),
      sums_(2 * modes_ + 4),
      border_(2 + modes_),
      rhs_(2 + modes_) {}

template <int kModes>
bool PlanarInertia<kModes>::Place(const VectorRef& q) {
  const double c = std::cos(q[2]), s = std::sin(q[2]);
  rotation_ << c, -s, s, c;
  c_[0] = 1.0;
  c_.tail(D()) = q.tail(D());
  sums_ = moments_.lazyProduct(c_);
  border_.template head<2>() = Perpendicular(S());
  border_.tail(D()) = sums_.segment(2 + modes_, D());
  const double inertia = c_.dot(sums_.head(Eigen::fix<kShapes>(1 + modes_)));
  return factor_.Factor(border_, typename Factor::Corner(inertia));
}

template <int kModes>
void PlanarInertia<kModes>::AddVelocityForces(const VectorRef& v, MutableVectorRef Q) {
  const double theta_dot = v[2];
  const auto gamma_dot = v.tail(D());
  // Of the sums of γ̇, those of Cᵀ and f are needed: Σ_l γ̇_l C_lk, k = 1 … D, and ṡ.
  const Eigen::Matrix<double, kBlock, 1> rates =
      moments_.bottomRightCorner(Eigen::fix<kBlock>(2 + modes_), D()).lazyProduct(gamma_dot);
  const Vector2d s_dot = rates.template tail<2>();
  Q.head<2>() += rotation_ * (theta_dot * theta_dot * S() - 2.0 * theta_dot * Perpendicular(s_dot));
  Q[2] -= 2.0 * theta_dot * gamma_dot.dot(ModesG());
  Q.tail(D()) += theta_dot * theta_dot * ModesG() - 2.0 * theta_dot * rates.head(D());
}

template <int kModes>
void PlanarInertia<kModes>::AddGravity(const Eigen::Vector3d& g, MutableVectorRef Q) const {
  const Vector2d world = g.head<2>(), local = rotation_.transpose() * world;
  Q.head<2>() += mass_ * world;
  Q[2] += Perpendicular(S()).dot(local);
  Q.tail(D()) += moments_.bottomRightCorner(Eigen::fix<2>, D()).transpose().lazyProduct(local);
}

template <int kModes>
void PlanarInertia<kModes>::Solve(MutableVectorRef b) {
  rhs_.template head<2>() = rotation_.transpose() * b.head<2>();
  rhs_.tail(D()) = b.tail(D());
  typename Factor::CornerVector turn(b[2]);
  factor_.Solve(&rhs_, &turn);
  b.head<2>() = rotation_ * rhs_.template head<2>();
  b[2] = turn[0];
  b.tail(D()) = rhs_.tail(D());
}

template <int kModes>
bool PlanarInertia<kModes>::Accelerate(const VectorRef& q, const VectorRef& v,
                                       const Eigen::Vector3d& gravity, MutableVectorRef a) {
  if (!Place(q)) return false;
  AddGravity(gravity, a);
  AddVelocityForces(v, a);
  Solve(a);
  return true;
}

template class PlanarInertia<Eigen::Dynamic>;

std::unique_ptr<FfdInertia> MakePlanarInertia(const FfdBody& body) {
  switch (body.modes()) {
    case 0:
      return std::make_unique<PlanarInertia<0>>(PlanarMoments(body));
    case 1:
      return std::make_unique<PlanarInertia<1>>(PlanarMoments(body));
    case 2:
      return std::make_unique<PlanarInertia<2>>(PlanarMoments(body));
    case 3:
      return std::make_unique<PlanarInertia<3>>(PlanarMoments(body));
    case 4:
      return std::make_unique<PlanarInertia<4>>(PlanarMoments(body));
    case 5:
      return std::make_unique<PlanarInertia<5>>(PlanarMoments(body));
    case 6:
      return std::make_unique<PlanarInertia<6>>(PlanarMoments(body));
    case 7:
      return std::make_unique<PlanarInertia<7>>(PlanarMoments(body));
    case 8:
      return std::make_unique<PlanarInertia<8>>(PlanarMoments(body));
    default:
      return std::make_unique<PlanarInertia<Eigen::Dynamic>>(PlanarMoments(body));
  }
}

}  // namespace pliant
