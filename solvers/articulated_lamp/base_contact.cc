#include "solvers/articulated_lamp/base_contact.h"

#include <Eigen/LU>
#include <cmath>
#include <optional>

namespace pliant::articulated_lamp {
namespace {

using Eigen::Vector3d;

// Rounding that an inequality tolerates, relative to the sizes involved.
constexpr double kRounding = 1e-12;

class Modes {
  static constexpr int kMiddle = 2;

 public:
  explicit Modes(const BaseContactProblem& problem) : p_(problem) {
    for (int i = 0; i < 2; ++i) {
      by_normal_[i] = p_.response * p_.normal[i];
      lack_[i] = p_.least_speed[i] - p_.normal[i].dot(p_.velocity);
    }
    tangent_ = {p_.tangent[0], p_.tangent[1], 0.5 * (p_.tangent[0] + p_.tangent[1])};
    for (int at = 0; at < 3; ++at) {
      by_tangent_[at] = p_.response * tangent_[at];
      slip_[at] = tangent_[at].dot(p_.velocity);
    }
    speed_ = std::abs(lack_[0]) + std::abs(lack_[1]) + std::abs(slip_[kMiddle]);
  }

  bool Clear(int i) const { return lack_[i] <= 0.0; }

  // Both points hold to the floor and do not slip.
  std::optional<Vector3d> BothStick() const {
    Eigen::Matrix3d delassus;
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 2; ++j) delassus(i, j) = p_.normal[i].dot(by_normal_[j]);
      delassus(i, 2) = delassus(2, i) = p_.normal[i].dot(by_tangent_[kMiddle]);
    }
    delassus(2, 2) = tangent_[kMiddle].dot(by_tangent_[kMiddle]);
    const Vector3d impulse = delassus.inverse() * Vector3d(lack_[0], lack_[1], -slip_[kMiddle]);
    if (!InCone(impulse[0], impulse[1], impulse[2])) return {};
    return Combined(impulse[0], impulse[1], impulse[2]);
  }

  // Both hold, and the base slips in the direction `sign`: T = −sign μ (N₁ + N₂).
  std::optional<Vector3d> BothSlip(double sign, double friction) const {
    const Vector3d drag = -sign * friction * by_tangent_[kMiddle];
    Eigen::Matrix2d delassus;
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 2; ++j) delassus(i, j) = p_.normal[i].dot(by_normal_[j] + drag);
    }
    if (!(delassus.determinant() > 0.0)) return {};
    const Eigen::Vector2d normal = delassus.inverse() * Eigen::Vector2d(lack_[0], lack_[1]);
    if (!(normal.minCoeff() >= 0.0)) return {};
    return Slipping(Combined(normal[0], normal[1], -sign * friction * normal.sum()), kMiddle, sign,
                    friction);
  }

  // Only point i holds; the other one clears the floor.
  std::optional<Vector3d> OneSticks(int i) const {
    const double nn = p_.normal[i].dot(by_normal_[i]), nt = p_.normal[i].dot(by_tangent_[i]);
    const double tt = tangent_[i].dot(by_tangent_[i]), determinant = nn * tt - nt * nt;
    const double normal = (tt * lack_[i] + nt * slip_[i]) / determinant;
    const double tangential = (-nt * lack_[i] - nn * slip_[i]) / determinant;
    if (!InCone(normal, 0.0, tangential)) return {};
    return Clearing(1 - i, Alone(i, normal, tangential));
  }

  std::optional<Vector3d> OneSlips(int i, double sign, double friction) const {
    const double nn = p_.normal[i].dot(by_normal_[i] - sign * friction * by_tangent_[i]);
    if (!(nn > 0.0)) return {};
    const double normal = lack_[i] / nn;
    if (!(normal >= 0.0)) return {};
    const auto impulse = Slipping(Alone(i, normal, -sign * friction * normal), i, sign, friction);
    return impulse ? Clearing(1 - i, *impulse) : impulse;
  }

 private:
  bool InCone(double first, double second, double tangential) const {
    return first >= 0.0 && second >= 0.0 &&
           std::abs(tangential) <= p_.friction * (first + second) * (1.0 + kRounding);
  }
  Vector3d Combined(double first, double second, double tangential) const {
    return first * p_.normal[0] + second * p_.normal[1] + tangential * tangent_[kMiddle];
  }
  Vector3d Alone(int i, double normal, double tangential) const {
    return normal * p_.normal[i] + tangential * tangent_[i];
  }
  // `impulse`, unless it would reverse the slip.
  std::optional<Vector3d> Slipping(const Vector3d& impulse, int at, double sign,
                                   double friction) const {
    if (friction > 0.0 && sign * (slip_[at] + by_tangent_[at].dot(impulse)) < -kRounding * speed_) {
      return {};
    }
    return impulse;
  }
  std::optional<Vector3d> Clearing(int i, const Vector3d& impulse) const {
    if (by_normal_[i].dot(impulse) < lack_[i] - kRounding * speed_) return {};
    return impulse;
  }

  const BaseContactProblem& p_;
  std::array<Vector3d, 2> by_normal_;             // velocity of the base by a unit impulse
  std::array<double, 2> lack_;                    // speed that the normal impulses must add
  std::array<Vector3d, 3> tangent_, by_tangent_;  // at the two points and in the middle
  std::array<double, 3> slip_;                    // u_t there, without contact
  double speed_;                                  // scale of the velocities
};

std::optional<Vector3d> WithFriction(const Modes& modes, double friction) {
  if (auto impulse = modes.BothStick()) return impulse;
  for (const double sign : {1.0, -1.0}) {
    if (auto impulse = modes.BothSlip(sign, friction)) return impulse;
  }
  for (int i = 0; i < 2; ++i) {
    if (auto impulse = modes.OneSticks(i)) return impulse;
  }
  for (int i = 0; i < 2; ++i) {
    for (const double sign : {1.0, -1.0}) {
      if (auto impulse = modes.OneSlips(i, sign, friction)) return impulse;
    }
  }
  return {};
}

}  // namespace

Eigen::Vector3d SolveBaseContact(const BaseContactProblem& problem) {
  const Modes modes(problem);
  if (modes.Clear(0) && modes.Clear(1)) return Vector3d::Zero();
  if (problem.friction > 0.0) {
    if (auto impulse = WithFriction(modes, problem.friction)) return *impulse;
  }
  if (auto impulse = modes.BothSlip(1.0, 0.0)) return *impulse;
  if (auto impulse = modes.OneSlips(0, 1.0, 0.0)) return *impulse;
  return modes.OneSlips(1, 1.0, 0.0).value_or(Vector3d::Zero());
}

}  // namespace pliant::articulated_lamp
