#include "solvers/control/pd_controller.h"

namespace pliant {
namespace {

double Force(const PdServo& servo, double target, double x, double x_dot) {
  return -servo.stiffness * (x - target) - servo.damping * x_dot;
}

}  // namespace

void PdController::Forces(const Eigen::VectorXd& targets,
                          const Eigen::Ref<const Eigen::VectorXd>& x,
                          const Eigen::Ref<const Eigen::VectorXd>& x_dot,
                          Eigen::VectorXd* forces) const {
  forces->resize(static_cast<Eigen::Index>(servos_.size()));
  for (Eigen::Index s = 0; s < forces->size(); ++s) {
    const PdServo& servo = servos_[static_cast<size_t>(s)];
    (*forces)[s] = Force(servo, targets[s], x[servo.coordinate], x_dot[servo.coordinate]);
  }
}

double PdController::AddForces(const Eigen::VectorXd& targets,
                               const Eigen::Ref<const Eigen::VectorXd>& x,
                               const Eigen::Ref<const Eigen::VectorXd>& x_dot,
                               Eigen::Ref<Eigen::VectorXd> Q) const {
  double power = 0.0;
  for (size_t s = 0; s < servos_.size(); ++s) {
    const PdServo& servo = servos_[s];
    const double force = Force(servo, targets[static_cast<Eigen::Index>(s)], x[servo.coordinate],
                               x_dot[servo.coordinate]);
    Q[servo.coordinate] += force;
    power += force * x_dot[servo.coordinate];
  }
  return power;
}

double PdController::PowerAt(const Eigen::VectorXd& targets,
                             const Eigen::Ref<const Eigen::VectorXd>& x,
                             const Eigen::Ref<const Eigen::VectorXd>& x_dot,
                             const Eigen::Ref<const Eigen::VectorXd>& other) const {
  double power = 0.0;
  for (size_t s = 0; s < servos_.size(); ++s) {
    const PdServo& servo = servos_[s];
    power += Force(servo, targets[static_cast<Eigen::Index>(s)], x[servo.coordinate],
                   x_dot[servo.coordinate]) *
             other[servo.coordinate];
  }
  return power;
}

}  // namespace pliant
