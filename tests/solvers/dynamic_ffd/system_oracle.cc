#include "tests/solvers/dynamic_ffd/system_oracle.h"

#include <Eigen/LU>
#include <utility>

#include "tests/solvers/dynamic_ffd/point_oracle.h"

namespace pliant::dynamic_ffd {

using Eigen::Matrix3Xd;
using Eigen::VectorXd;

SystemOracle::SystemOracle(std::shared_ptr<const Scene> scene, const DynamicFfdSystem* system,
                           const PenaltyOptions& contact,
                           const ConstraintSpringOptions& constraints)
    : scene_(std::move(scene)),
      system_(system),
      forces_(*scene_),
      contact_(*scene_, contact),
      constraints_(*scene_, constraints) {}

VectorXd SystemOracle::Rates(double t, const VectorXd& q, const VectorXd& v, Exchange* power) {
  Matrix3Xd x, x_dot;
  system_->Points(q, &x);
  system_->PointVelocities(q, v, x, &x_dot);
  Matrix3Xd f = Matrix3Xd::Zero(3, x.cols());
  Matrix3Xd of_class = f;
  auto add = [&](WorkClass work_class) {
    (*power)[work_class] += of_class.cwiseProduct(x_dot).sum();
    f += of_class;
    of_class.setZero();
  };
  forces_.AddSprings(x, f);
  forces_.AddSpringDamping(x, x_dot, of_class);
  add(WorkClass::kDamping);
  forces_.AddTimedForces(t, of_class);
  add(WorkClass::kForce);
  for (Eigen::Index i = 0; i < x.cols(); ++i) {
    power->AddForceAt(x.col(i), f.col(i) + forces_.masses()[i] * scene_->gravity);
  }
  contact_.AddForces(t, x, x_dot, of_class, power);
  touching_ = static_cast<int>((of_class.colwise().norm().array() > 0.0).count());
  f += of_class;
  constraints_.AddForces(t, x, x_dot, f, power);

  VectorXd a(v.size());
  for (const FfdPart& part : system_->parts()) {
    const FfdBody& body = part.body;
    const VectorXd q_part = q.segment(part.first_q, body.coordinates());
    const VectorXd v_part = v.segment(part.first_v, body.velocities());
    VectorXd Q = VelocityForcesByPoints(body, q_part, v_part);
    for (int n = 0; n < body.points(); ++n) {
      Q += body.Jacobian(q_part, n).transpose() *
           (f.col(part.first_point + n) + body.masses()[n] * scene_->gravity);
    }
    const VectorXd gamma_dot = v_part.tail(body.modes());
    Q.tail(body.modes()) -= 2.0 * part.stiffness * q_part.tail(body.modes());
    Q.tail(body.modes()) -= part.damping * gamma_dot;
    (*power)[WorkClass::kDamping] -= gamma_dot.dot(part.damping * gamma_dot);
    a.segment(part.first_v, body.velocities()) =
        MassMatrixByPoints(body, q_part).partialPivLu().solve(Q);
  }
  return a;
}

void SystemOracle::UpdateContact(double t, const VectorXd& q, const VectorXd& v) {
  Matrix3Xd x, x_dot;
  system_->Points(q, &x);
  system_->PointVelocities(q, v, x, &x_dot);
  contact_.Update(t, x, x_dot);
}

VectorXd SystemOracle::ContactState() const {
  VectorXd state(contact_.StateSize());
  contact_.Save(state);
  return state;
}

}  // namespace pliant::dynamic_ffd
