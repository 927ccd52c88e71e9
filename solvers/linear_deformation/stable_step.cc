#include "solvers/linear_deformation/stable_step.h"

#include <algorithm>

namespace pliant::linear_deformation {
namespace {

// The most that places between points add to M_b⁻¹ Σ p pᵀ [1/kg], one for each bounded obstacle where edges and faces
// meet it: p is a mean of those of points, and so pᵀ W_b p no more than the largest of theirs.
double AddedBetweenPoints(const Scene& scene, const LinearBody& body,
                          const PenaltyOptions& contact) {
  if (contact.obstacles == ObstaclesMeet::kPoints) return 0.0;
  double most = 0.0;
  for (int n = 0; n < body.points(); ++n) {
    const Eigen::VectorXd p = body.terms().col(n);
    most = std::max(most, p.dot(body.inverse_mass() * p));
  }
  return most * static_cast<double>(
                    std::count_if(scene.obstacles.begin(), scene.obstacles.end(),
                                  [](const Obstacle& o) { return PlaneOf(o.shape) == nullptr; }));
}

}  // namespace

StableBodyStep EstimateStableStep(const Scene& scene, int index, const LinearBody& body,
                                  const LinearMaterial& material, const PenaltyOptions& contact,
                                  const IntegratorOptions& integrator) {
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
  all += AddedBetweenPoints(scene, body, contact) * touched;
  const StiffestMotion own = FindStiffestMotion(body, material);
  const double stiffness = own.frequency * own.frequency;
  return {LargestStableStep(integrator, stiffness + free[0], own.decay + free[1]),
          LargestStableStep(integrator, stiffness + all[0], own.decay + all[1])};
}

double StableFeedbackStep(const FeedbackOptions& feedback, const IntegratorOptions& integrator) {
  const double omega = feedback.frequency;
  return LargestStableStep(integrator, omega * omega, 2.0 * feedback.damping_ratio * omega);
}

}  // namespace pliant::linear_deformation
