// Points joined by rigid bars on pin joints, the model of the formulations that keep edges, solved
// another way: by Lagrange multipliers on the level of accelerations, and the classical Runge–Kutta
// method. With the bars C_e = ½ (|d|² − ℓ²) = 0 between points a, b, d = x_b − x_a,
//
//   M a = M g − Jᵀ λ,   J a = −|ḋ|²,   so that   J M⁻¹ Jᵀ λ = J g + |ḋ|²
//
// Held points have no inverse mass. Lengths drift at the order of the method, which is a check.

#ifndef PLIANT_TESTS_REFERENCE_PIN_JOINTED_H_
#define PLIANT_TESTS_REFERENCE_PIN_JOINTED_H_

#include <Eigen/Core>
#include <array>
#include <vector>

#include "models/scene/scene.h"

namespace pliant {

struct PinJointed {
  // The bodies of a scene without stretch, with its gravity and its still nails; velocities are what
  // the bars let through of those of the scene: nearest in kinetic energy.
  explicit PinJointed(const Scene& scene);

  std::vector<std::array<int, 2>> bars;
  Eigen::VectorXd masses, inverse_masses;  // kg; 1/kg, 0 where held
  Eigen::Matrix3Xd x, v;                   // 3×n [m], [m/s]
  Eigen::Vector3d gravity;                 // m/s²

  void Advance(double h);         // one step of Runge–Kutta 4
  double Energy() const;          // kinetic and gravitational [J]
  double LargestStretch() const;  // of a bar, against its length at the start [m]
  // Independent motions of the points in `dimension` axes that change no length and are not rigid.
  int Mechanisms(int dimension) const;

 private:
  Eigen::MatrixXd Jacobian(const Eigen::Matrix3Xd& at) const;  // bars × 3n
  Eigen::Matrix3Xd Accelerations(const Eigen::Matrix3Xd& at, const Eigen::Matrix3Xd& rates) const;
  // M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ of these rates of C, 3×n.
  Eigen::Matrix3Xd Answer(const Eigen::MatrixXd& J, const Eigen::VectorXd& rates) const;

  Eigen::VectorXd lengths_;  // m
};

}  // namespace pliant

#endif  // PLIANT_TESTS_REFERENCE_PIN_JOINTED_H_
