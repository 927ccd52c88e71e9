#include "models/articulated_lamp/kinematics.h"

namespace pliant::articulated_lamp {

Eigen::Vector2d CentreOfMass(const Lamp& lamp, const LampVector& q) {
  const Eigen::Vector4d psi = LinkAngles(q);
  Eigen::Vector2d moment = lamp.mass() * q.head<2>();
  for (int j = 0; j < kLampLinks; ++j) {
    moment += lamp.first_moment(j) * Eigen::Vector2d(std::sin(psi[j]), std::cos(psi[j]));
  }
  return moment / lamp.mass();
}

std::array<Eigen::Vector2d, 2> ContactPoints(const Lamp& lamp, const LampVector& q) {
  const double w = lamp.parameters().half_width;
  const Eigen::Vector2d reach(w * std::cos(q[2]), -w * std::sin(q[2]));
  const Eigen::Vector2d middle = q.head<2>();
  return {middle - reach, middle + reach};
}

LampMomentum Momentum(const Lamp& lamp, const LampVector& q, const LampVector& v) {
  const auto links = LinkStates<double>(lamp, q, v);
  const Eigen::Vector2d centre = CentreOfMass(lamp, q);
  LampMomentum momentum{Eigen::Vector2d::Zero(), 0.0};
  for (int j = 0; j < kLampLinks; ++j) {
    const Eigen::Vector2d impulse = lamp.link(j).mass * links[j].centre_velocity;
    const Eigen::Vector2d arm = links[j].centre - centre;
    momentum.linear += impulse;
    momentum.angular += arm.y() * impulse.x() - arm.x() * impulse.y();  // clockwise
    momentum.angular += lamp.link(j).inertia * links[j].rate;
  }
  return momentum;
}

}  // namespace pliant::articulated_lamp
