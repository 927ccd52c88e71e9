#include "solvers/lagrangian/mode_limits.h"

namespace pliant {
namespace {

// Stopping one mode may push another outwards: the impulses go round until none is needed.
constexpr int kRounds = 20;

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
  // M⁻¹ b at q: what accelerates a body at rest without gravity.
  auto solve = [&](MutableVectorRef b) { return part.inertia->Accelerate(q, rest, weightless, b); };

  // Driven amplitudes keep their velocity: the inertia takes it in place of their momentum.
  const Eigen::VectorXd driven = v.tail(part.body.driven());
  v = part.inertia->MassMatrix(q) * v;
  v.tail(part.body.driven()) = driven;
  auto gamma = q.segment(pose, modes);
  gamma = gamma.cwiseMax(part.lower).cwiseMin(part.upper);
  if (!solve(v)) return false;
  for (int round = 0; round < kRounds; ++round) {
    bool stopped = false;
    for (Eigen::Index k = 0; k < modes; ++k) {
      const double gamma_dot = v[twist + k];
      const bool outwards = (gamma[k] >= part.upper[k] && gamma_dot > 0.0) ||
                            (gamma[k] <= part.lower[k] && gamma_dot < 0.0);
      if (!outwards) continue;
      Eigen::VectorXd change = Eigen::VectorXd::Unit(v.size(), twist + k);
      if (!solve(change)) return false;
      v -= gamma_dot / change[twist + k] * change;
      v[twist + k] = 0.0;
      stopped = true;
    }
    if (!stopped) break;
  }
  return true;
}

}  // namespace pliant
