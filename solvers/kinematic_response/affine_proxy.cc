#include "solvers/kinematic_response/affine_proxy.h"

#include <algorithm>

#include "models/linear_deformation/kinematics.h"

namespace pliant::kinematic_response {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

std::string AffineProxy::WhyNot(const Body& body, int dimension) {
  if (linear_deformation::FindMaterialFrame(body, dimension).dimension() == dimension) return "";
  return "an affine proxy needs a body that has the dimension of its world, not a flat sheet or a "
         "straight chain; use proxy = \"rigid\"";
}

AffineProxy::AffineProxy(const Body& body, int dimension,
                         const linear_deformation::LinearMaterial& material)
    : body_(std::make_shared<const linear_deformation::LinearBody>(body, dimension, 1)),
      material_(material),
      points_(body.rest.colwise() - body_->frame().centre),
      reach_(points_.colwise().norm().maxCoeff()),
      to_units_(Matrix3d::Zero()),
      q_(body_->InitialCoordinates(body)),
      v_(body_->InitialRates(body)),
      force_(VectorXd::Zero(q_.size())),
      other_(force_) {
  const linear_deformation::MaterialFrame& frame = body_->frame();
  to_units_.topRows(dimension) = frame.extent.cwiseInverse().asDiagonal() * frame.axes.transpose();
  const linear_deformation::StiffestMotion fastest =
      linear_deformation::FindStiffestMotion(*body_, material_);
  stiffest_ = std::max(fastest.frequency, fastest.decay);
}

Eigen::Matrix<double, 3, 4> AffineProxy::Columns(const VectorXd& coordinates) const {
  const int d = body_->world_dimension(), k = body_->columns();
  Eigen::Matrix<double, 3, 4> columns = Eigen::Matrix<double, 3, 4>::Zero();
  columns.topLeftCorner(d, k) =
      Eigen::Map<const linear_deformation::RowMajorMatrix>(coordinates.data(), d, k);
  return columns;
}

Matrix3d AffineProxy::Linear(const Eigen::Matrix<double, 3, 4>& columns) const {
  return columns.rightCols<3>() * to_units_;
}

Matrix3d AffineProxy::map() const {
  Matrix3d A = Linear(Columns(q_));
  if (body_->world_dimension() == 2) A(2, 2) = 1.0;
  return A;
}

void AffineProxy::Kick(const Vector3d& impulse, const Matrix3d& moments) {
  const int d = body_->world_dimension(), k = body_->columns();
  Eigen::Matrix<double, 3, 4> Q;
  Q << impulse, moments * to_units_.transpose();
  Eigen::Map<linear_deformation::RowMajorMatrix>(force_.data(), d, k) = Q.topLeftCorner(d, k);
  Accelerations(*body_, force_, other_);
  v_ += other_;
}

double AffineProxy::KickByMaterial(double h) {
  force_.setZero();
  other_.setZero();  // at rest: elastic forces alone
  AddMaterialForces(*body_, material_, q_, other_, force_);
  const VectorXd before = v_, elastic = force_;
  force_.setZero();
  AddMaterialForces(*body_, material_, q_, v_, force_);
  Accelerations(*body_, force_, other_);
  v_ += h * other_;
  return 0.5 * h * (force_ - elastic).dot(before + v_);
}

void AffineProxy::Restore(const Eigen::Ref<const VectorXd>& state) {
  q_ = state.head(q_.size());
  v_ = state.tail(v_.size());
}

}  // namespace pliant::kinematic_response
