#include "solvers/dynamic_ffd/mode_limits.h"

#include <algorithm>
#include <cmath>

namespace pliant::dynamic_ffd {
namespace {

// Stopping one mode may push another outwards: the impulses iterate until the remaining outward
// rate is this fraction of the fastest. Two modes at an angle φ leave cos²φ of it in each round.
constexpr double kStill = 1e-14;
constexpr int kRounds = 1000;

}  // namespace

bool MeetsLimit(const FfdPart& part, const VectorRef& q, const VectorRef& v) {
  const int pose = part.body.pose_size(), twist = part.body.twist_size();
  for (Eigen::Index k = 0; k < part.lower.size(); ++k) {
    const double gamma = q[pose + k], gamma_dot = v[twist + k];
    if (gamma < part.lower[k] || gamma > part.upper[k]) return true;
    if (gamma == part.lower[k] && gamma_dot < 0.0) return true;
    if (gamma == part.upper[k] && gamma_dot > 0.0) return true;
  }
  return false;
}

bool StopAtLimits(const FfdPart& part, MutableVectorRef q, MutableVectorRef v) {
  const auto modes = part.lower.size();
  const int pose = part.body.pose_size(), twist = part.body.twist_size();
  const Eigen::VectorXd rest = Eigen::VectorXd::Zero(v.size());
  const Eigen::Vector3d weightless = Eigen::Vector3d::Zero();
  // M⁻¹ b at q: the acceleration of a body at rest without gravity.
  auto solve = [&](MutableVectorRef b) { return part.inertia->Accelerate(q, rest, weightless, b); };

  // Driven amplitudes keep their velocity: the inertia expects it instead of their momentum.
  const Eigen::VectorXd driven = v.tail(part.body.driven());
  v = part.inertia->MassMatrix(q) * v;
  v.tail(part.body.driven()) = driven;
  auto gamma = q.segment(pose, modes);
  gamma = gamma.cwiseMax(part.lower).cwiseMin(part.upper);
  if (!solve(v)) return false;
  // M⁻¹ e_k of each mode.
  Eigen::MatrixXd answers = Eigen::MatrixXd::Zero(v.size(), modes);
  for (Eigen::Index k = 0; k < modes; ++k) {
    answers(twist + k, k) = 1.0;
    if (!solve(answers.col(k))) return false;
  }
  auto outwards = [&](Eigen::Index k) {
    const double gamma_dot = v[twist + k];
    return (gamma[k] >= part.upper[k] && gamma_dot > 0.0) ||
           (gamma[k] <= part.lower[k] && gamma_dot < 0.0);
  };
  const double fastest = v.segment(twist, modes).cwiseAbs().maxCoeff();
  double left = fastest;
  for (int round = 0; round < kRounds && left > kStill * fastest; ++round) {
    left = 0.0;
    for (Eigen::Index k = 0; k < modes; ++k) {
      if (!outwards(k)) continue;
      left = std::max(left, std::abs(v[twist + k]));
      v -= v[twist + k] / answers(twist + k, k) * answers.col(k);
      v[twist + k] = 0.0;
    }
  }
  for (Eigen::Index k = 0; k < modes; ++k) {
    if (outwards(k)) v[twist + k] = 0.0;
  }
  return true;
}

}  // namespace pliant::dynamic_ffd
