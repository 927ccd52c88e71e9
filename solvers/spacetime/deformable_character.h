// A deformable character in the plane: a body in its lattice (models/dynamic_ffd/ffd_body.h) that stands on a base which no mode
// deforms. Its coordinates are those of the base and the amplitudes of its modes, so that what stands has a base at rest:
//
//   x_n(q) = p + e^{iθ} Σ_k g_k a_nk ,   q = (p_x, p_y, θ, γ_1 … γ_D),   g = (1, γ_1 … γ_D)
//
// with points as complex numbers and a_n0 the point at rest, a_nk its displacement by mode k, both seen from the middle of the
// base. Only sums over the points are needed,  S_k = Σ m a_nk,  G_kl = Σ m ā_nk a_nl .
//
// Inverse dynamics, the force that a motion takes [Faloutsos 1995, Eq. 4.20, 4.21]:
//
//   z_k = g̈_k + 2 i θ̇ ġ_k + (i θ̈ − θ̇²) g_k ,   P = e^{−iθ} (p̈ + i g)
//   F   = e^{iθ} (m P + Σ S_k z_k)                          of the ground on the base [N]
//   M   = Im (P Σ g_k S̄_k + Σ g_k G_kl z_l)                 its moment about the middle of the base [N m]
//   Q_k = Re (P S̄_k + Σ G_kl z_l) + (2 K γ + D γ̇)_k          of what drives mode k [N m per unit of γ]
//
// This derivation is its own, and shares no code with that of the simulation (solvers/dynamic_ffd/inertia.h).

#ifndef PLIANT_SOLVERS_SPACETIME_DEFORMABLE_CHARACTER_H_
#define PLIANT_SOLVERS_SPACETIME_DEFORMABLE_CHARACTER_H_

#include <Eigen/Core>
#include <cmath>
#include <string>
#include <vector>

namespace pliant {

struct DeformableCharacter {
  double gravity = 9.81;               // m/s², downwards along y, ≥ 0
  double half_width = 0.0;             // m, of the base
  std::vector<std::string> modes;      // names, D
  std::vector<bool> acts;              // which of them are driven; the others move as they must
  Eigen::VectorXcd first;              // S [kg m], D + 1
  Eigen::MatrixXcd second;             // G [kg m²], (D + 1)²
  Eigen::MatrixXd stiffness, damping;  // K [J] of V = γᵀ K γ, D [J s]
  Eigen::VectorXd lower, upper;        // limits of γ; may be infinite
  double mass = 0.0;                   // kg

  int size() const { return static_cast<int>(modes.size()); }  // D
  int coordinates() const { return 3 + size(); }

  // (F_x, F_y, M, Q_1 … Q_D) that the motion takes; `weighs`: with weight and the forces of the modes, else inertia alone.
  // O(D²).
  template <typename T>
  void InverseDynamics(const T* q, const T* v, const T* a, bool weighs, T* force) const;
};

template <typename T>
void DeformableCharacter::InverseDynamics(const T* q, const T* v, const T* a, bool weighs,
                                          T* force) const {
  using std::cos;
  using std::sin;
  const T c = cos(q[2]), s = sin(q[2]);
  const T up = a[1] + (weighs ? gravity : 0.0);
  const T px = c * a[0] + s * up, py = c * up - s * a[0];  // P
  const T centripetal = -v[2] * v[2];
  T fx = mass * px, fy = mass * py, moment(0.0);
  for (int k = 0; k < size(); ++k) force[3 + k] = T(0.0);
  // Column l of G meets z_l.
  for (int l = 0; l <= size(); ++l) {
    const T g = l == 0 ? T(1.0) : q[2 + l], rate = l == 0 ? T(0.0) : v[2 + l];
    const T x = (l == 0 ? T(0.0) : a[2 + l]) + centripetal * g;
    const T y = 2.0 * v[2] * rate + a[2] * g;
    const double sx = first[l].real(), sy = first[l].imag();
    fx += sx * x - sy * y;
    fy += sx * y + sy * x;
    moment += g * (sx * py - sy * px);
    if (l > 0) force[2 + l] += sx * px + sy * py;
    for (int k = 0; k <= size(); ++k) {
      const double gx = second(k, l).real(), gy = second(k, l).imag();
      moment += (k == 0 ? T(1.0) : q[2 + k]) * (gx * y + gy * x);
      if (k > 0) force[2 + k] += gx * x - gy * y;
    }
  }
  force[0] = c * fx - s * fy;
  force[1] = s * fx + c * fy;
  force[2] = moment;
  if (!weighs) return;
  for (int k = 0; k < size(); ++k) {
    for (int l = 0; l < size(); ++l)
      force[3 + k] += 2.0 * stiffness(k, l) * q[3 + l] + damping(k, l) * v[3 + l];
  }
}

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SPACETIME_DEFORMABLE_CHARACTER_H_
