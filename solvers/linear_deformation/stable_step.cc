#include "solvers/linear_deformation/stable_step.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

namespace pliant::linear_deformation {
namespace {

// Does Runge–Kutta 4 keep ẋ = s x from growing at z = h s?
bool RungeKuttaIsStable(std::complex<double> z) {
  return std::abs(1.0 + z * (1.0 + z * (0.5 + z * (1.0 / 6.0 + z / 24.0)))) <= 1.0;
}

}  // namespace

StableBodyStep EstimateStableStep(const Scene& scene, int index, const LinearBody& body,
                                  const LinearMaterial& material, const PenaltyOptions& contact) {
  // Springs of the scene on each point: stiffness in the first row, damping in the second. A spring
  // between two points counts twice on each: [k −k; −k k] is at most 2k on the diagonal.
  Eigen::Matrix2Xd held = Eigen::Matrix2Xd::Zero(2, body.points());
  for (const Spring& spring : scene.springs) {
    const Eigen::Vector2d constants(spring.stiffness, spring.damping);
    const double share = spring.b ? 2.0 : 1.0;
    if (spring.a.body == index) held.col(spring.a.point) += share * constants;
    if (spring.b && spring.b->body == index) held.col(spring.b->point) += share * constants;
  }
  const Eigen::Vector2d touched(std::max(contact.stiffness, contact.tangential_stiffness),
                                std::max(contact.damping, contact.tangential_damping));
  Eigen::Vector2d free = Eigen::Vector2d::Zero(), all = free;
  for (int n = 0; n < body.points(); ++n) {
    const double mass = scene.bodies[index].mass[n];
    free = free.cwiseMax(held.col(n) / mass);
    all = all.cwiseMax((held.col(n) + touched) / mass);
  }
  const StiffestMotion own = FindStiffestMotion(body, material);
  const double stiffness = own.frequency * own.frequency;
  return {StableEulerStep(stiffness + free[0], own.decay + free[1]),
          StableEulerStep(stiffness + all[0], own.decay + all[1])};
}

double StableFeedbackStep(const FeedbackOptions& feedback, Scheme scheme) {
  const double omega = feedback.frequency, zeta = feedback.damping_ratio;
  if (scheme == Scheme::kSemiImplicitEuler) {
    return StableEulerStep(omega * omega, 2.0 * zeta * omega);
  }
  if (scheme != Scheme::kRungeKutta4 || omega == 0.0) {
    return std::numeric_limits<double>::infinity();
  }
  // The faster of the roots of s² + 2 ζ ω s + ω²; the boundary of the region of stability is
  // between 2.5 and 3 from the origin wherever Re s ≤ 0.
  const std::complex<double> fastest = -omega * (zeta + std::sqrt(std::complex(zeta * zeta - 1.0)));
  double stable = 2.5 / std::abs(fastest), unstable = 3.0 / std::abs(fastest);
  while (unstable - stable > 1e-12 * unstable) {
    const double middle = 0.5 * (stable + unstable);
    (RungeKuttaIsStable(middle * fastest) ? stable : unstable) = middle;
  }
  return stable;
}

}  // namespace pliant::linear_deformation
