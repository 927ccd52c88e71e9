// Positions and velocities of the links of a lamp, and its energies and momenta. Templates over the
// scalar, so that derivatives can be taken through them.

#ifndef PLIANT_MODELS_ARTICULATED_LAMP_KINEMATICS_H_
#define PLIANT_MODELS_ARTICULATED_LAMP_KINEMATICS_H_

#include "models/articulated_lamp/lamp.h"

namespace pliant::articulated_lamp {

template <typename Scalar>
struct LinkStateOf {
  using Vector2 = Eigen::Matrix<Scalar, 2, 1>;
  Vector2 origin;           // world, its hinge; of the base the middle of its underside [m]
  Vector2 direction;        // u(ψ), unit
  Vector2 centre;           // world, its centre of mass [m]
  Vector2 centre_velocity;  // m/s
  Scalar angle;             // ψ, clockwise from up [rad]
  Scalar rate;              // ψ̇ [rad/s]
};
using LinkState = LinkStateOf<double>;

// The four links at (q, v). O(links).
template <typename Scalar>
std::array<LinkStateOf<Scalar>, kLampLinks> LinkStates(const Lamp& lamp,
                                                       const LampVectorOf<Scalar>& q,
                                                       const LampVectorOf<Scalar>& v) {
  using std::cos;
  using std::sin;
  using Vector2 = Eigen::Matrix<Scalar, 2, 1>;
  const Eigen::Matrix<Scalar, kLampLinks, 1> psi = LinkAngles(q);
  const Eigen::Matrix<Scalar, kLampLinks, 1> rate = LinkAngles(v, 0.0);
  std::array<LinkStateOf<Scalar>, kLampLinks> links;
  Vector2 hinge = q.template head<2>();
  Vector2 hinge_velocity = v.template head<2>();
  for (int j = 0; j < kLampLinks; ++j) {
    const Vector2 u(sin(psi[j]), cos(psi[j]));
    const Vector2 u_dot = Vector2(u[1], -u[0]) * rate[j];
    const Scalar centre(lamp.link(j).centre), length(lamp.link(j).length);
    links[j] = {hinge, u, hinge + centre * u, hinge_velocity + centre * u_dot, psi[j], rate[j]};
    hinge += length * u;
    hinge_velocity += length * u_dot;
  }
  return links;
}

// Centre of mass of the whole [m] at q.
Eigen::Vector2d CentreOfMass(const Lamp& lamp, const LampVector& q);

// The two ends of the base's underside [m], left then right when upright.
std::array<Eigen::Vector2d, 2> ContactPoints(const Lamp& lamp, const LampVector& q);

// Kinetic energy [J].
template <typename Scalar>
Scalar KineticEnergy(const Lamp& lamp, const LampVectorOf<Scalar>& q,
                     const LampVectorOf<Scalar>& v) {
  const auto links = LinkStates<Scalar>(lamp, q, v);
  Scalar energy(0.0);
  for (int j = 0; j < kLampLinks; ++j) {
    const auto& velocity = links[j].centre_velocity;
    energy += 0.5 * lamp.link(j).mass * (velocity[0] * velocity[0] + velocity[1] * velocity[1]) +
              0.5 * lamp.link(j).inertia * links[j].rate * links[j].rate;
  }
  return energy;
}

// Potential energy of gravity, 0 at y = 0 [J].
template <typename Scalar>
Scalar GravitationalEnergy(const Lamp& lamp, const LampVectorOf<Scalar>& q) {
  const auto links = LinkStates<Scalar>(lamp, q, LampVectorOf<Scalar>::Zero());
  Scalar energy(0.0);
  for (int j = 0; j < kLampLinks; ++j) {
    energy += lamp.link(j).mass * lamp.gravity() * links[j].centre[1];
  }
  return energy;
}

struct LampMomentum {
  Eigen::Vector2d linear;  // kg·m/s
  double angular;          // kg·m²/s, clockwise, about the centre of mass of the whole
};
LampMomentum Momentum(const Lamp& lamp, const LampVector& q, const LampVector& v);

}  // namespace pliant::articulated_lamp

#endif  // PLIANT_MODELS_ARTICULATED_LAMP_KINEMATICS_H_
