// Contact of the lamp's base with a floor: at most two points of one rigid body on one plane, so
// the complementarity problem of normal impulses and Coulomb friction is small enough for a direct
// solution that tries its few modes.
//
// With u = J v the velocities at the contact, W what a unit impulse on the base does to the base's
// velocity, and N ≥ 0, T the impulses along normal and tangent:
//
//   normal       0 ≤ N_i  ⊥  u_n,i⁺ − b_i ≥ 0      b_i: least speed away from the floor
//   tangential   |T| ≤ μ Σ N, u_t⁺ = 0 within the cone, against the motion on its border
//
// Where both points touch, T acts along the line through them, however it is split; it is taken in
// the middle.

#ifndef PLIANT_SOLVERS_ARTICULATED_LAMP_BASE_CONTACT_H_
#define PLIANT_SOLVERS_ARTICULATED_LAMP_BASE_CONTACT_H_

#include <Eigen/Core>
#include <array>

namespace pliant::articulated_lamp {

// Velocities of the base are (ẋ, ẏ, θ̇), impulses (F_x, F_y, M_c) about its middle.
struct BaseContactProblem {
  Eigen::Matrix3d response;                // W, symmetric positive definite
  Eigen::Vector3d velocity;                // of the base, without contact
  std::array<Eigen::Vector3d, 2> normal;   // rows of u_n at the two points
  std::array<Eigen::Vector3d, 2> tangent;  // rows of u_t there
  std::array<double, 2> least_speed;       // b_i [m/s]
  double friction;                         // μ ≥ 0
};

// The impulse on the base, zero when both points leave the floor without it. If friction permits
// no solution (Painlevé's paradox), the impulse without friction. About 60 ns when both points
// stick.
Eigen::Vector3d SolveBaseContact(const BaseContactProblem& problem);

}  // namespace pliant::articulated_lamp

#endif  // PLIANT_SOLVERS_ARTICULATED_LAMP_BASE_CONTACT_H_
