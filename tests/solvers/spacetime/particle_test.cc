#include "tests/reference/particle.h"

#include <gtest/gtest.h>

#include <cmath>

#include "models/problem.h"
#include "tests/reference/complaints.h"

namespace pliant {
namespace {

ParticleProblem Skewed() {
  return {.mass = 1.3, .start = {0.2, -0.1, 0.4}, .goal = {1.5, 0.8, -0.3}, .duration = 1.4};
}

TEST(Particle, GhostNodesReachTheirDiscreteOptimum) {
  const ParticleProblem p = Skewed();
  for (const int n : {10, 40}) {
    const ParticleMotion motion = SolveParticle(p, n, ParticleBoundary::kGhostNodes);
    ASSERT_TRUE(motion.summary.converged()) << motion.summary.FullReport();
    const double t = p.duration;
    const double exact =
        p.mass * p.mass *
        (12.0 * (p.goal - p.start).squaredNorm() / (t * t * t * (1.0 + 2.0 / (n * n))) +
         p.gravity.squaredNorm() * t);
    EXPECT_NEAR(motion.summary.final_cost, exact, 1e-9 * exact) << motion.summary.FullReport();
  }
}

double CostError(int intervals, ParticleBoundary boundary) {
  const ParticleProblem p = Skewed();
  const ParticleMotion motion = SolveParticle(p, intervals, boundary);
  EXPECT_TRUE(motion.summary.converged()) << motion.summary.FullReport();
  return std::abs(motion.summary.final_cost - p.LeastCost());
}

TEST(Particle, GhostNodesAreOfSecondOrder) {
  const double order = std::log2(CostError(20, ParticleBoundary::kGhostNodes) /
                                 CostError(40, ParticleBoundary::kGhostNodes));
  EXPECT_NEAR(order, 2.0, 0.02);
}

TEST(Particle, EqualEndNodesAreOnlyOfFirstOrder) {
  const double order = std::log2(CostError(40, ParticleBoundary::kFirstOrder) /
                                 CostError(80, ParticleBoundary::kFirstOrder));
  EXPECT_NEAR(order, 1.0, 0.1);
}

TEST(Particle, FollowsTheCubicOfTheClosedForm) {
  const ParticleProblem p = Skewed();
  double error[2];
  for (int k = 0; k < 2; ++k) {
    const int n = 20 << k;
    const ParticleMotion motion = SolveParticle(p, n, ParticleBoundary::kGhostNodes);
    error[k] = 0.0;
    for (int i = 0; i <= n; ++i) {
      const double s = static_cast<double>(i) / n;
      const Eigen::Vector3d exact = p.start + (p.goal - p.start) * (3.0 - 2.0 * s) * s * s;
      error[k] = std::max(error[k], (motion.positions.col(i) - exact).norm());
    }
  }
  EXPECT_NEAR(std::log2(error[0] / error[1]), 2.0, 0.1);
}

TEST(Particle, WrongInputIsNamed) {
  const ParticleProblem p = {.mass = -1.0};
  reference::ExpectBadInput("mass", [&] { SolveParticle(p, 10, ParticleBoundary::kGhostNodes); });
  EXPECT_THROW(SolveParticle({}, 2, ParticleBoundary::kGhostNodes), BadInput);
}

}  // namespace
}  // namespace pliant
