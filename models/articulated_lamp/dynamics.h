// Equations of motion of the lamp  M(q) q̈ + h(q, q̇) = (F_x, F_y, M_c, τ₁, τ₂, τ₃)
// [Witkin & Kass 1988, Sec. 4; the source derives them by computer algebra, here they are closed].
//
// With u_j = u(ψ_j), u'_j = (cos ψ_j, −sin ψ_j), p = (x, y) and the moments B, A of the lamp:
//   F   = m (p̈ + g e_y) + Σ_j B_j (u'_j ψ̈_j − u_j ψ̇_j²)
//   G_j = Σ_k A_jk [cos(ψ_j − ψ_k) ψ̈_k + sin(ψ_j − ψ_k) ψ̇_k²] + B_j u'_j · (p̈ + g e_y)
// (I_j is in A_jj), and as ψ_j sums the angles before it, the forces of (θ, φ) are sums of G:
//   M_c = G₀ + G₁ + G₂ + G₃,  τ₁ = G₁ + G₂ + G₃,  τ₂ = G₂ + G₃,  τ₃ = G₃ .
// All sizes are fixed and small; nothing allocates.

#ifndef PLIANT_MODELS_ARTICULATED_LAMP_DYNAMICS_H_
#define PLIANT_MODELS_ARTICULATED_LAMP_DYNAMICS_H_

#include "models/articulated_lamp/kinematics.h"

namespace pliant::articulated_lamp {

// The forces that make the lamp move with q̈ at (q, q̇): inverse dynamics. Template over the scalar
// so that derivatives can be taken through it. `gravity` replaces that of the lamp: 0 gives M(q) q̈
// when q̇ = 0.
template <typename Scalar>
LampVectorOf<Scalar> InverseDynamics(const Lamp& lamp, const LampVectorOf<Scalar>& q,
                                     const LampVectorOf<Scalar>& v,
                                     const LampVectorOf<Scalar>& acceleration, double gravity) {
  using std::cos;
  using std::sin;
  const Eigen::Matrix<Scalar, kLampLinks, 1> psi = LinkAngles(q);
  const Eigen::Matrix<Scalar, kLampLinks, 1> rate = LinkAngles(v, 0.0);
  const Eigen::Matrix<Scalar, kLampLinks, 1> spin = LinkAngles(acceleration, 0.0);  // ψ̈
  const Scalar lift_x = acceleration[0], lift_y = acceleration[1] + gravity;
  Scalar s[kLampLinks], c[kLampLinks];
  LampVectorOf<Scalar> force;
  force[0] = lamp.mass() * lift_x;
  force[1] = lamp.mass() * lift_y;
  for (int j = 0; j < kLampLinks; ++j) {
    s[j] = sin(psi[j]);
    c[j] = cos(psi[j]);
    const Scalar rate2 = rate[j] * rate[j];
    force[0] += lamp.first_moment(j) * (c[j] * spin[j] - s[j] * rate2);
    force[1] -= lamp.first_moment(j) * (s[j] * spin[j] + c[j] * rate2);
  }
  Scalar outboard(0.0);
  for (int j = kLampLinks - 1; j >= 0; --j) {
    Scalar moment = lamp.first_moment(j) * (c[j] * lift_x - s[j] * lift_y);  // G_j
    for (int k = 0; k < kLampLinks; ++k) {
      const Scalar cosine = c[j] * c[k] + s[j] * s[k];
      const Scalar sine = s[j] * c[k] - c[j] * s[k];
      moment += lamp.second_moment(j, k) * (cosine * spin[k] + sine * rate[k] * rate[k]);
    }
    outboard += moment;
    force[2 + j] = outboard;
  }
  return force;
}
LampVector InverseDynamics(const Lamp& lamp, const LampVector& q, const LampVector& v,
                           const LampVector& acceleration);

// Inverse dynamics and its derivatives. About 0.3 µs.
struct InverseDynamicsJacobian {
  LampVector force;
  LampMatrix by_position;      // ∂force/∂q; its columns x and y are zero
  LampMatrix by_velocity;      // ∂force/∂q̇
  LampMatrix by_acceleration;  // ∂force/∂q̈ = M(q)
};
void InverseDynamics(const Lamp& lamp, const LampVector& q, const LampVector& v,
                     const LampVector& acceleration, double gravity,
                     InverseDynamicsJacobian* result);

// M(q), symmetric positive definite.
LampMatrix MassMatrix(const Lamp& lamp, const LampVector& q);

// q̈ under `force` (forward dynamics), as for a lamp in flight: `force` may hold contact forces.
LampVector ForwardDynamics(const Lamp& lamp, const LampVector& q, const LampVector& v,
                           const LampVector& force);

// φ̈ under hinge torques [N·m] with the base at rest, and the floor's force that keeps it there.
struct StanceMotion {
  LampAngles acceleration;  // φ̈ [rad/s²]
  Eigen::Vector3d contact;  // F_x [N], F_y [N], M_c [N·m]
};
StanceMotion StanceDynamics(const Lamp& lamp, const LampVector& q, const LampAngles& rates,
                            const LampAngles& torques);

// Plastic impact of the flat base: M(q) (v⁺ − v⁻) = (Λ; 0), v⁺ = (0; φ̇⁺). The hinges transmit no
// impulsive torque, the base stops.
struct Impact {
  LampAngles rates;         // φ̇⁺ [rad/s]
  Eigen::Vector3d impulse;  // Λ = (Λ_x, Λ_y) [N·s] and its clockwise moment about (x, y) [N·m·s]
};
Impact PlasticImpact(const Lamp& lamp, const LampVector& q, const LampVector& velocity_before);

}  // namespace pliant::articulated_lamp

#endif  // PLIANT_MODELS_ARTICULATED_LAMP_DYNAMICS_H_
