#include "solvers/dynamic_ffd/spatial_inertia.h"

#include <Eigen/Eigenvalues>

namespace pliant::dynamic_ffd {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

// A body is a straight line when its smallest moment of inertia is this small against its largest;
// it is then given this much about the line (of a round rod of radius 1.3 % of its length).
constexpr double kStraight = 1e-9, kAddedFraction = 1e-3;

auto Block(const VectorXd& stacked, int k) {
  return Eigen::Map<const Matrix3d>(stacked.data() + 9 * static_cast<Eigen::Index>(k));
}

// Σ u × v of a sum Σ u vᵀ.
template <typename Derived>
Vector3d Axial(const Eigen::MatrixBase<Derived>& sum) {
  return {sum(1, 2) - sum(2, 1), sum(2, 0) - sum(0, 2), sum(0, 1) - sum(1, 0)};
}

Matrix3d CrossMatrix(const Vector3d& u) {
  Matrix3d cross;
  cross << 0, -u.z(), u.y(), u.z(), 0, -u.x(), -u.y(), u.x(), 0;
  return cross;
}

// Σ m (|y|² 1 − y yᵀ) of Σ m y yᵀ.
Matrix3d InertiaTensor(const Matrix3d& second_moment) {
  return second_moment.trace() * Matrix3d::Identity() - second_moment;
}

}  // namespace

SpatialInertia::SpatialInertia(const FfdBody& body)
    : modes_(body.modes()), mass_(body.masses().sum()) {
  const int shapes = 1 + modes_;
  first_ = Eigen::Matrix3Xd::Zero(3, shapes);
  moments_ = MatrixXd::Zero(9 * shapes, shapes);
  for (int n = 0; n < body.points(); ++n) {
    const double m = body.masses()[n];
    const Eigen::Matrix3Xd b = body.shapes().middleRows<3>(3 * n);
    first_ += m * b;
    for (int a = 0; a < shapes; ++a) {
      for (int k = 0; k < shapes; ++k) {
        Eigen::Map<Matrix3d>(&moments_(9 * k, a)) += m * b.col(a) * b.col(k).transpose();
      }
    }
  }
  StiffenLine();
  factor_ = BorderedCholesky<3>(ConstantBlock());
}

void SpatialInertia::StiffenLine() {
  axis_inertia_.setZero();
  // About the centre of mass, at rest.
  const Matrix3d spread = Eigen::Map<const Matrix3d>(moments_.data()) -
                          first_.col(0) * first_.col(0).transpose() / mass_;
  const Eigen::SelfAdjointEigenSolver<Matrix3d> principal(InertiaTensor(spread));
  const double largest = principal.eigenvalues()[2];
  if (principal.eigenvalues()[0] > kStraight * largest) return;
  added_axis_inertia_ = kAddedFraction * largest;
  const Vector3d axis = principal.eigenvectors().col(0);
  axis_inertia_ = added_axis_inertia_ * axis * axis.transpose();
}

MatrixXd SpatialInertia::ConstantBlock() const {
  MatrixXd block(3 + modes_, 3 + modes_);
  block.topLeftCorner<3, 3>() = mass_ * Matrix3d::Identity();
  block.topRightCorner(3, modes_) = first_.rightCols(modes_);
  block.bottomLeftCorner(modes_, 3) = first_.rightCols(modes_).transpose();
  for (int k = 1; k <= modes_; ++k) {
    for (int l = 1; l <= modes_; ++l) {
      block(2 + k, 2 + l) = Eigen::Map<const Matrix3d>(&moments_(9 * k, l)).trace();
    }
  }
  return block;
}

void SpatialInertia::ComputePlaced(const VectorRef& q, Placed* placed) const {
  placed->rotation = Eigen::Quaterniond(q[3], q[4], q[5], q[6]).normalized().toRotationMatrix();
  placed->c.resize(1 + modes_);
  placed->c << 1.0, q.tail(modes_);
  placed->pairs.noalias() = moments_ * placed->c;
  placed->s.noalias() = first_ * placed->c;
  placed->border.resize(3 + modes_, 3);
  placed->border.topRows<3>() = -CrossMatrix(placed->s);
  Matrix3d second_moment = Block(placed->pairs, 0);
  for (int k = 1; k <= modes_; ++k) {
    second_moment += placed->c[k] * Block(placed->pairs, k);
    placed->border.row(2 + k) = Axial(Block(placed->pairs, k));
  }
  placed->inertia = InertiaTensor(second_moment) + axis_inertia_;
}

bool SpatialInertia::Place(const VectorRef& q) {
  ComputePlaced(q, &placed_);
  return factor_.Factor(placed_.border, placed_.inertia);
}

MatrixXd SpatialInertia::MassMatrix(const VectorRef& q) const {
  Placed placed;
  ComputePlaced(q, &placed);
  const MatrixXd block = ConstantBlock();
  const Matrix3d& r = placed.rotation;
  MatrixXd mass(6 + modes_, 6 + modes_);
  mass.topLeftCorner<3, 3>() = block.topLeftCorner<3, 3>();
  mass.block<3, 3>(0, 3) = r * placed.border.topRows<3>() * r.transpose();
  mass.topRightCorner(3, modes_) = r * block.topRightCorner(3, modes_);
  mass.block<3, 3>(3, 3) = r * placed.inertia * r.transpose();
  mass.block(3, 6, 3, modes_) = r * placed.border.bottomRows(modes_).transpose();
  mass.bottomRightCorner(modes_, modes_) = block.bottomRightCorner(modes_, modes_);
  return mass.selfadjointView<Eigen::Upper>();
}

void SpatialInertia::AddVelocityForces(const VectorRef& v, MutableVectorRef Q) {
  const Vector3d omega = placed_.rotation.transpose() * v.segment<3>(3);
  const auto gamma_dot = v.tail(modes_);
  rates_.noalias() = moments_.rightCols(modes_) * gamma_dot;
  const Vector3d s_dot = first_.rightCols(modes_) * gamma_dot;
  const double squared = omega.squaredNorm();

  Matrix3d w = Matrix3d::Zero();
  for (int k = 1; k <= modes_; ++k) {
    const auto pair = Block(placed_.pairs, k);
    w += gamma_dot[k - 1] * pair;
    Q[5 + k] +=
        squared * pair.trace() - omega.dot(pair * omega) - 2.0 * omega.dot(Axial(Block(rates_, k)));
  }
  const Vector3d force = -omega.cross(omega.cross(placed_.s)) - 2.0 * omega.cross(s_dot);
  const Vector3d torque =
      -omega.cross(placed_.inertia * omega) - 2.0 * (w.trace() * omega - w.transpose() * omega);
  Q.head<3>() += placed_.rotation * force;
  Q.segment<3>(3) += placed_.rotation * torque;
}

void SpatialInertia::AddGravity(const Vector3d& g, MutableVectorRef Q) const {
  const Vector3d local = placed_.rotation.transpose() * g;
  Q.head<3>() += mass_ * g;
  Q.segment<3>(3) += placed_.rotation * placed_.s.cross(local);
  Q.tail(modes_).noalias() += first_.rightCols(modes_).transpose() * local;
}

bool SpatialInertia::Accelerate(const VectorRef& q, const VectorRef& v, const Vector3d& gravity,
                                MutableVectorRef a) {
  if (!Place(q)) return false;
  AddGravity(gravity, a);
  AddVelocityForces(v, a);
  Solve(a);
  return true;
}

void SpatialInertia::Solve(MutableVectorRef b) {
  rhs_.resize(3 + modes_);
  rhs_ << placed_.rotation.transpose() * b.head<3>(), b.tail(modes_);
  Vector3d turn = placed_.rotation.transpose() * b.segment<3>(3);
  factor_.Solve(&rhs_, &turn);
  b.head<3>() = placed_.rotation * rhs_.head<3>();
  b.segment<3>(3) = placed_.rotation * turn;
  b.tail(modes_) = rhs_.tail(modes_);
}

}  // namespace pliant::dynamic_ffd
