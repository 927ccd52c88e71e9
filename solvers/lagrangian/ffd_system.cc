#include "solvers/lagrangian/ffd_system.h"

#include <cassert>
#include <limits>
#include <utility>

namespace pliant {
namespace {

using Eigen::Matrix3Xd;
using Eigen::VectorXd;

auto Coordinates(const FfdPart& part, const VectorXd& q) {
  return q.segment(part.first_q, part.body.coordinates());
}
auto Velocities(const FfdPart& part, const VectorXd& v) {
  return v.segment(part.first_v, part.body.velocities());
}
auto Velocities(const FfdPart& part, VectorXd* v) {
  return v->segment(part.first_v, part.body.velocities());
}
template <typename Points>
auto PointsOf(const FfdPart& part, Points& points) {
  return points.middleCols(part.first_point, part.body.points());
}

double Power(const Matrix3Xd& forces, const Matrix3Xd& velocities) {
  return forces.cwiseProduct(velocities).sum();
}

}  // namespace

FfdSystem::FfdSystem(std::shared_ptr<const Scene> scene, std::vector<FfdPart> parts,
                     const PenaltyOptions& contact, const ConstraintSpringOptions& constraints)
    : scene_(std::move(scene)),
      parts_(std::move(parts)),
      forces_(*scene_),
      contact_(*scene_, contact),
      constraints_(*scene_, constraints),
      feels_points_(!scene_->obstacles.empty() || forces_.has_springs() ||
                    forces_.has_timed_forces() || !constraints_.empty()) {
  int points = 0;
  for (FfdPart& part : parts_) {
    part.first_q = coordinates_;
    part.first_v = velocities_;
    part.first_point = points;
    coordinates_ += part.body.coordinates();
    velocities_ += part.body.velocities();
    points += part.body.points();
  }
  for (Matrix3Xd* scratch : {&x_, &x_dot_, &point_forces_, &class_forces_}) {
    scratch->setZero(3, points);
  }
  impulse_.setZero(velocities_);
  control_of_.assign(parts_.size(), -1);
}

void FfdSystem::AddControl(ModeControl control) {
  assert(control_of_[control.body()] < 0);
  control_of_[control.body()] = static_cast<int>(controls_.size());
  controls_.push_back(std::move(control));
}

void FfdSystem::Rates(double t, const VectorXd& q, const VectorXd& v, VectorXd* a,
                      WorkByClass* power) {
  a->setZero(velocities_);
  if (feels_points_) AddPointForces(t, q, v, a, power);
  for (size_t b = 0; b < parts_.size(); ++b) {
    const FfdPart& part = parts_[b];
    const auto q_part = Coordinates(part, q);
    const auto v_part = Velocities(part, v);
    auto a_part = Velocities(part, a);
    const auto gamma = q_part.tail(part.body.modes());
    const auto gamma_dot = v_part.tail(part.body.modes());
    auto mode_forces = a_part.tail(part.body.modes());
    mode_forces -= 2.0 * part.stiffness.cwiseProduct(gamma) + part.damping.cwiseProduct(gamma_dot);
    (*power)[WorkClass::kDamping] -= part.damping.cwiseProduct(gamma_dot).dot(gamma_dot);
    if (control_of_[b] >= 0) {
      const ModeControl& control = controls_[control_of_[b]];
      (*power)[WorkClass::kControl] += control.AddForces(gamma, gamma_dot, mode_forces);
    }

    if (!part.inertia->Place(q_part)) {
      singular_ = &part;
      a_part.setConstant(std::numeric_limits<double>::quiet_NaN());
      continue;
    }
    if (forces_.has_gravity()) part.inertia->AddGravity(scene_->gravity, a_part);
    part.inertia->AddVelocityForces(v_part, a_part);
    part.inertia->Solve(a_part);
  }
}

void FfdSystem::AddPointForces(double t, const VectorXd& q, const VectorXd& v, VectorXd* Q,
                               WorkByClass* power) {
  Points(q, &x_);
  PointVelocities(q, v, x_, &x_dot_);
  point_forces_.setZero();
  if (forces_.has_springs()) {
    class_forces_.setZero();
    forces_.AddSpringDamping(x_, x_dot_, class_forces_);
    (*power)[WorkClass::kDamping] += Power(class_forces_, x_dot_);
    point_forces_ += class_forces_;
    forces_.AddSprings(x_, point_forces_);
  }
  if (forces_.has_timed_forces()) {
    class_forces_.setZero();
    forces_.AddTimedForces(t, class_forces_);
    (*power)[WorkClass::kForce] += Power(class_forces_, x_dot_);
    point_forces_ += class_forces_;
  }
  (*power)[WorkClass::kContact] += contact_.AddForces(t, x_, x_dot_, point_forces_);
  const ConstraintSprings::Power held = constraints_.AddForces(t, x_, x_dot_, point_forces_);
  (*power)[WorkClass::kConstraint] += held.nails;
  (*power)[WorkClass::kDamping] += held.damping;
  AddGeneralizedForces(q, Q);
}

void FfdSystem::AddGeneralizedForces(const VectorXd& q, VectorXd* Q) {
  for (const FfdPart& part : parts_) {
    part.body.AddGeneralizedForces(Coordinates(part, q), PointsOf(part, x_),
                                   PointsOf(part, point_forces_), &local_, Velocities(part, Q));
  }
}

double FfdSystem::ApplyImpulses(const VectorXd& q, const PointsRef& p, VectorXd* v) {
  Points(q, &x_);
  point_forces_ = p;
  impulse_.setZero();
  AddGeneralizedForces(q, &impulse_);
  // Jᵀp·v is Σ p·ẋ, so the work needs no point velocities.
  double work = 0.5 * impulse_.dot(*v);
  for (const FfdPart& part : parts_) {
    VectorXd change = Velocities(part, impulse_);
    if (!part.inertia->Place(Coordinates(part, q))) singular_ = &part;
    part.inertia->Solve(change);
    Velocities(part, v) += change;
  }
  work += 0.5 * impulse_.dot(*v);
  return work;
}

void FfdSystem::UpdateContact(double t, const VectorXd& q, const VectorXd& v) {
  if (scene_->obstacles.empty()) return;
  Points(q, &x_);
  PointVelocities(q, v, x_, &x_dot_);
  contact_.Update(t, x_, x_dot_);
}

void FfdSystem::StartControl(double t, const VectorXd& q) {
  Points(q, &x_);
  for (ModeControl& control : controls_) control.Start(t, x_);
}

void FfdSystem::UpdateControl(double t, double step, const VectorXd& q) {
  if (controls_.empty()) return;
  Points(q, &x_);
  for (ModeControl& control : controls_) control.Update(t, step, x_);
}

double FfdSystem::DeformationPower(const VectorXd& q, const VectorXd& v) const {
  double power = 0.0;
  for (size_t b = 0; b < parts_.size(); ++b) {
    const FfdPart& part = parts_[b];
    const auto gamma = Coordinates(part, q).tail(part.body.modes());
    const auto gamma_dot = Velocities(part, v).tail(part.body.modes());
    mode_forces_ = -2.0 * part.stiffness.cwiseProduct(gamma) - part.damping.cwiseProduct(gamma_dot);
    if (control_of_[b] >= 0) controls_[control_of_[b]].AddForces(gamma, gamma_dot, mode_forces_);
    power += mode_forces_.cwiseProduct(gamma_dot).cwiseAbs().sum();
  }
  return power;
}

const FfdPart* FfdSystem::TakeSingular() { return std::exchange(singular_, nullptr); }

void FfdSystem::ConfigurationRate(const VectorXd& q, const VectorXd& v, VectorXd* q_dot) const {
  q_dot->resize(coordinates_);
  for (const FfdPart& part : parts_) {
    part.body.ConfigurationRate(Coordinates(part, q), Velocities(part, v),
                                q_dot->segment(part.first_q, part.body.coordinates()));
  }
}

void FfdSystem::Project(VectorXd* q) const {
  for (const FfdPart& part : parts_) {
    part.body.Normalize(q->segment(part.first_q, part.body.coordinates()));
  }
}

void FfdSystem::Points(const VectorXd& q, Matrix3Xd* x) const {
  x->resize(3, forces_.masses().size());
  for (const FfdPart& part : parts_) {
    part.body.Points(Coordinates(part, q), PointsOf(part, *x));
  }
}

void FfdSystem::PointVelocities(const VectorXd& q, const VectorXd& v, const Matrix3Xd& x,
                                Matrix3Xd* x_dot) const {
  x_dot->resize(3, forces_.masses().size());
  for (const FfdPart& part : parts_) {
    part.body.PointVelocities(Coordinates(part, q), Velocities(part, v), PointsOf(part, x),
                              PointsOf(part, *x_dot));
  }
}

double FfdSystem::ModeEnergy(const VectorXd& q) const {
  double energy = 0.0;
  for (const FfdPart& part : parts_) {
    const auto gamma = Coordinates(part, q).tail(part.body.modes());
    energy += part.stiffness.cwiseProduct(gamma).dot(gamma);
  }
  return energy;
}

double FfdSystem::SpringEnergy(double t, const Matrix3Xd& x) const {
  return forces_.SpringEnergy(x) + constraints_.Energy(t, x);
}

}  // namespace pliant
