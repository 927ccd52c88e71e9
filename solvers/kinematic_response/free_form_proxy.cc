#include "solvers/kinematic_response/free_form_proxy.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "models/dynamic_ffd/embedding.h"
#include "models/geometry/spectrum.h"
#include "models/problem.h"
#include "solvers/dynamic_ffd/mode_limits.h"
#include "solvers/dynamic_ffd/mode_selection.h"
#include "solvers/dynamic_ffd/mode_table.h"
#include "solvers/dynamic_ffd/started_body.h"

namespace pliant::kinematic_response {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

std::shared_ptr<const FreeFormModes> ReadFreeFormModes(const Scene& scene, const MatrixTable& table,
                                                       std::vector<std::string>* warnings) {
  try {
    auto modes = std::make_shared<FreeFormModes>();
    modes->table = dynamic_ffd::ReadModeTable(table, scene.dimension);
    modes->of_body = dynamic_ffd::SelectModes(scene, modes->table, warnings);
    return modes;
  } catch (const BadInput& bad) {
    Problem problem = bad.problem();
    problem.where = "proxy_" + problem.where;  // the table is called "modes" where it is read
    throw BadInput(problem);
  }
}

FreeFormProxy::FreeFormProxy(const Scene& scene, int body, const FreeFormModes& modes)
    : points_(3, 0), reach_(0.0), stiffest_(0.0) {
  const std::vector<int>& own = modes.of_body[body];
  Scene plain = scene;
  plain.morphs.clear();  // this method has none
  TranslationRecord unread(plain);
  dynamic_ffd::StartedBody started =
      StartBody(plain, body, modes.table, own, dynamic_ffd::DynamicFfdOptions(), &unread);
  part_ = std::make_shared<dynamic_ffd::FfdPart>(std::move(started.part));
  q_ = std::move(started.q);
  v_ = std::move(started.v);
  rate_ = middle_ = v_;

  const dynamic_ffd::FfdBody& ffd = part_->body;
  points_ = Eigen::Map<const Matrix3Xd>(ffd.shapes().col(0).data(), 3, ffd.points());
  reach_ = points_.colwise().norm().maxCoeff();
  const std::vector<dynamic_ffd::EmbeddedLattice> lattices =
      EmbedLattices(scene.bodies[body], modes.table);
  gradients_.setZero(9 * static_cast<Eigen::Index>(ffd.points()), ffd.modes());
  longest_.resize(ffd.modes());
  for (int k = 0; k < ffd.modes(); ++k) {
    const Eigen::Map<const Matrix3Xd> shape(ffd.shapes().col(1 + k).data(), 3, ffd.points());
    longest_[k] = shape.colwise().norm().maxCoeff();
    gradients_.col(k) =
        dynamic_ffd::PointGradients(scene.bodies[body], modes.table, lattices, own[k]);
  }
  if (ffd.modes() == 0) return;
  const MatrixXd mass = part_->inertia->MassMatrix(q_);
  MatrixXd stiffness = MatrixXd::Zero(mass.rows(), mass.cols()), damping = stiffness;
  stiffness.bottomRightCorner(ffd.modes(), ffd.modes()) = 2.0 * part_->stiffness;
  damping.bottomRightCorner(ffd.modes(), ffd.modes()) = part_->damping;
  // An exponent above 2 is soft at rest: evaluate it at the amplitude of the mode, at least 1.
  stiffness.diagonal().tail(ffd.modes()) +=
      PowerCurvature(part_->powers, q_.tail(ffd.modes()).cwiseAbs().cwiseMax(1.0));
  stiffest_ = std::max(std::sqrt(std::max(0.0, LargestEigenvalue(stiffness, mass))),
                       LargestEigenvalue(damping, mass));
}

Vector3d FreeFormProxy::Displacement(int n, const dynamic_ffd::VectorRef& amplitudes) const {
  return part_->body.shapes().block(3 * n, 1, 3, modes()).lazyProduct(amplitudes);
}

Matrix3d FreeFormProxy::Gradient(int n, const dynamic_ffd::VectorRef& amplitudes) const {
  if (amplitudes.size() == 0) return Matrix3d::Zero();  // no modes: no rows to begin in
  Matrix3d gradient;
  gradient.reshaped() =
      gradients_.middleRows<9>(9 * static_cast<Eigen::Index>(n)).lazyProduct(amplitudes);
  return gradient;
}

AffineMap FreeFormProxy::MapAt(int n) const {
  const Matrix3d R = part_->body.Rotation(q_);
  const auto gamma = q_.tail(modes());
  const Matrix3d F = R * (Matrix3d::Identity() + Gradient(n, gamma));
  const Vector3d x = centre() + R * (points_.col(n) + Displacement(n, gamma));
  return {x - F * points_.col(n), F};
}

AffineMap FreeFormProxy::RateAt(int n) const {
  const Matrix3d R = part_->body.Rotation(q_);
  const auto gamma_dot = v_.tail(modes());
  const AffineMap map = MapAt(n);
  Matrix3d F_dot = R * Gradient(n, gamma_dot);
  const Vector3d omega = angular_velocity();
  for (int c = 0; c < 3; ++c) F_dot.col(c) += omega.cross(Vector3d(map.linear.col(c)));
  const Vector3d x_dot =
      velocity() + omega.cross(map(points_.col(n)) - centre()) + R * Displacement(n, gamma_dot);
  return {x_dot - F_dot * points_.col(n), F_dot};
}

void FreeFormProxy::AddToModes(int n, const Vector3d& y, const Vector3d& f,
                               VectorXd* of_modes) const {
  const Vector3d g = part_->body.Rotation(q_).transpose() * f;
  const Matrix3d pulled = g * (y - points_.col(n)).transpose();
  *of_modes += part_->body.shapes().block(3 * n, 1, 3, modes()).transpose() * g;
  *of_modes +=
      gradients_.middleRows<9>(9 * static_cast<Eigen::Index>(n)).transpose() * pulled.reshaped();
}

double FreeFormProxy::Fastest() const {
  const double reach = reach_ + longest_.dot(q_.tail(modes()).cwiseAbs());
  return velocity().norm() + angular_velocity().norm() * reach +
         longest_.dot(v_.tail(modes()).cwiseAbs());
}

bool FreeFormProxy::upright() const {
  for (int n = 0; n < part_->body.points(); ++n) {
    const Matrix3d F = Matrix3d::Identity() + Gradient(n, q_.tail(modes()));
    if (!(F.determinant() > 0.0)) return false;
  }
  return true;
}

void FreeFormProxy::Kick(const Vector3d& impulse, const Vector3d& moment,
                         const VectorXd& of_modes) {
  if (part_->body.dimension() == 2) {
    rate_.head<3>() << impulse.head<2>(), moment.z();
  } else {
    rate_.head<6>() << impulse, moment;
  }
  rate_.tail(modes()) = of_modes;
  if (!part_->inertia->Place(q_)) rate_.setConstant(std::numeric_limits<double>::quiet_NaN());
  part_->inertia->Solve(rate_);
  v_ += rate_;
}

void FreeFormProxy::FindRate(const VectorXd& v) {
  const auto gamma = q_.tail(modes());
  rate_.setZero();
  rate_.tail(modes()) -= 2.0 * part_->stiffness * gamma + part_->damping * v.tail(modes());
  AddPowerForces(part_->powers, gamma, rate_.tail(modes()));
  part_->inertia->AddVelocityForces(v, rate_);
  part_->inertia->Solve(rate_);
}

double FreeFormProxy::KickByMaterial(double h) {
  if (!part_->inertia->Place(q_)) {
    v_.setConstant(std::numeric_limits<double>::quiet_NaN());
    return 0.0;
  }
  FindRate(v_);
  middle_ = v_ + 0.5 * h * rate_;
  FindRate(middle_);
  v_ += h * rate_;
  const auto gamma_dot = middle_.tail(modes());
  return -h * gamma_dot.dot(part_->damping * gamma_dot);
}

double FreeFormProxy::Drift(double h) {
  if (part_->body.dimension() == 2) {
    q_ += h * v_;
  } else {
    q_.head<3>() += h * v_.head<3>();
    const Vector3d turn = h * v_.segment<3>(3);
    const double angle = turn.norm();
    if (angle > 0.0) {
      const Eigen::Quaterniond before(q_[3], q_[4], q_[5], q_[6]);
      const Eigen::Quaterniond after = Eigen::AngleAxisd(angle, turn / angle) * before;
      q_.segment<4>(3) << after.w(), after.x(), after.y(), after.z();
      part_->body.Normalize(q_);
    }
    q_.tail(modes()) += h * v_.tail(modes());
  }
  if (!dynamic_ffd::MeetsLimit(*part_, q_, v_)) return 0.0;
  const double before = Energy();
  if (!dynamic_ffd::StopAtLimits(*part_, q_, v_))
    v_.setConstant(std::numeric_limits<double>::quiet_NaN());
  return Energy() - before;
}

double FreeFormProxy::ElasticEnergy() const {
  const auto gamma = q_.tail(modes());
  return gamma.dot(part_->stiffness * gamma) + dynamic_ffd::PowerEnergy(part_->powers, gamma);
}

double FreeFormProxy::Energy() const {
  return 0.5 * v_.dot(part_->inertia->MassMatrix(q_) * v_) + ElasticEnergy();
}

void FreeFormProxy::Restore(const Eigen::Ref<const VectorXd>& state) {
  q_ = state.head(q_.size());
  v_ = state.tail(v_.size());
}

}  // namespace pliant::kinematic_response
