// The jumping lamp: a planar chain base – lower arm – upper arm – head with three hinges on a
// floating base [Chitimalli 2008, "Luxo Physical Model"], in the world plane z = 0, y up.
//
// Coordinates q = (x, y, θ, φ₁, φ₂, φ₃), velocities v = q̇, six each:
//   (x, y)       middle of the underside of the base [m]
//   θ            tilt of the base, clockwise from upright [rad]
//   φ₁, φ₂, φ₃   hinges, each relative to the link before it, clockwise, 0 = as described below
// A link j points along u(ψ_j) = (sin ψ_j, cos ψ_j), ψ clockwise from up:
//   ψ₀ = θ,  ψ₁ = θ + φ₁,  ψ₂ = ψ₁ + φ₂,  ψ₃ = ψ₂ + 90° + φ₃ .
// Generalised forces go with the velocities: (F_x, F_y, M_c, τ₁, τ₂, τ₃), the force of the floor
// [N], its clockwise moment about (x, y) [N·m], and the hinge torques on the outer link [N·m].

#ifndef PLIANT_MODELS_ARTICULATED_LAMP_LAMP_H_
#define PLIANT_MODELS_ARTICULATED_LAMP_LAMP_H_

#include <Eigen/Core>
#include <array>
#include <numbers>

#include "models/geometry/angles.h"

namespace pliant::articulated_lamp {

inline constexpr int kLampLinks = 4;   // base, lower arm, upper arm, head
inline constexpr int kLampHinges = 3;  // φ₁, φ₂, φ₃
inline constexpr int kLampDof = 6;

template <typename Scalar>
using LampVectorOf = Eigen::Matrix<Scalar, kLampDof, 1>;
using LampVector = LampVectorOf<double>;
using LampMatrix = Eigen::Matrix<double, kLampDof, kLampDof>;
using LampAngles = Eigen::Vector3d;  // one value for each hinge

struct LampLink {
  double mass;     // kg, > 0
  double length;   // m, from its hinge to the next, > 0
  double centre;   // m, from its hinge to its centre of mass, along the link
  double inertia;  // kg·m², about its centre of mass, ≥ 0
};

struct AngleLimits {
  double lower;  // rad
  double upper;  // rad
};

// The masses are those of [Chitimalli 2008, "Luxo Physical Model"] (1000, 200, 200, 400), scaled;
// the source gives no lengths.
struct LampParameters {
  std::array<LampLink, kLampLinks> links = {
      LampLink{1.0, 0.04, 0.02, 1.04 / 300.0}, LampLink{0.2, 0.30, 0.15, 0.0015},
      LampLink{0.2, 0.30, 0.15, 0.0015}, LampLink{0.4, 0.15, 0.075, 0.325 / 300.0}};
  double half_width = 0.1;  // m, of the base; it touches the floor at both ends, > 0
  std::array<AngleLimits, kLampHinges> hinge_limits = {AngleLimits{Radians(-50), Radians(50)},
                                                       AngleLimits{0.0, Radians(90)},
                                                       AngleLimits{Radians(-45), Radians(45)}};
  AngleLimits tilt_limits = {Radians(-30), Radians(30)};  // of the base, in flight

  // The same lamp with another head: its inertia grows with its mass, its shape stays.
  LampParameters WithHeadMass(double mass) const;

  // Throws BadInput for the first invalid value ("links[2].mass", …).
  void Validate() const;
};

// A lamp and the constants its dynamics need. Immutable.
class Lamp {
 public:
  // Throws BadInput as LampParameters::Validate(). `gravity` [m/s²] pulls down, ≥ 0.
  explicit Lamp(const LampParameters& parameters, double gravity = 9.81);

  const LampParameters& parameters() const { return parameters_; }
  const LampLink& link(int j) const { return parameters_.links[j]; }
  double gravity() const { return gravity_; }  // m/s²
  double mass() const { return mass_; }        // kg, of the whole

  // B_j = Σᵢ mᵢ a_ij [kg·m], where a_ij = l_j (j < i), c_j (j = i), 0 otherwise: the lever arm of
  // link j on the centre of link i.
  double first_moment(int j) const { return first_moment_[j]; }
  // A_jk = Σᵢ mᵢ a_ij a_ik + I_j δ_jk [kg·m²].
  double second_moment(int j, int k) const { return second_moment_(j, k); }
  // A_jk − B_j B_k / m [kg·m²]: the same about the centre of mass of the whole.
  double central_moment(int j, int k) const { return central_moment_(j, k); }

 private:
  LampParameters parameters_;
  double gravity_;
  double mass_;
  Eigen::Vector4d first_moment_;
  Eigen::Matrix4d second_moment_;
  Eigen::Matrix4d central_moment_;
};

// ψ_j from q; also ψ̇_j from v and ψ̈_j from q̈ with `head_offset` 0.
template <typename Derived>
Eigen::Matrix<typename Derived::Scalar, kLampLinks, 1> LinkAngles(
    const Eigen::MatrixBase<Derived>& q, double head_offset = 0.5 * std::numbers::pi) {
  Eigen::Matrix<typename Derived::Scalar, kLampLinks, 1> psi;
  psi[0] = q[2];
  for (int j = 1; j < kLampLinks; ++j) psi[j] = psi[j - 1] + q[2 + j];
  psi[kLampLinks - 1] += head_offset;
  return psi;
}

}  // namespace pliant::articulated_lamp

#endif  // PLIANT_MODELS_ARTICULATED_LAMP_LAMP_H_
