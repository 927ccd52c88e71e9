// The particle with a jet on a mesh of N equal intervals, transcribed as in [Witkin & Kass 1988,
// Sec. 2]: positions x_i and jet forces f_i at the nodes are the unknowns, and physics is the
// constraint
//
//   m (x_{i−1} − 2 x_i + x_{i+1})/h² − f_i − m g = 0 .
//
// Rest at the ends can be said in two ways:
//   ghost nodes     x_{−1} = x_1, x_{N+1} = x_{N−1}, physics at all nodes, trapezoid weights.
//                   Second order; its optimum is m² [12 |b − a|²/(T³ (1 + 2/N²)) + |g|² T] exactly.
//   first order     x_1 = x_0, x_{N−1} = x_N, physics at the inner nodes, each with weight h.

#ifndef PLIANT_TESTS_REFERENCE_PARTICLE_H_
#define PLIANT_TESTS_REFERENCE_PARTICLE_H_

#include "solvers/spacetime/solve.h"

namespace pliant {

// A particle with a jet goes from rest at `start` to rest at `goal`, minimising ∫‖f‖² dt
// [Witkin & Kass 1988, Sec. 2].
struct ParticleProblem {
  double mass = 1.0;                        // kg, > 0
  Eigen::Vector3d gravity = {0, -9.81, 0};  // m/s²
  Eigen::Vector3d start = {0, 0, 0};        // m
  Eigen::Vector3d goal = {1, 1, 0};         // m
  double duration = 1.0;                    // s, > 0

  // Throws BadInput naming the value.
  void Validate() const;
  // Closed form of the least cost: m² (12 |goal − start|²/T³ + |g|² T) [N² s].
  double LeastCost() const;
};

enum class ParticleBoundary { kGhostNodes, kFirstOrder };

struct ParticleMotion {
  Eigen::Matrix3Xd positions;  // 3×(N+1), m
  Eigen::Matrix3Xd forces;     // 3×(N+1), N; NaN at the ends of the first-order form
  SpacetimeSummary summary;    // its final_cost is the discrete ∫‖f‖² dt
};

// `intervals` ≥ 3. Starts from a straight line and zero force. Throws BadInput.
ParticleMotion SolveParticle(const ParticleProblem& problem, int intervals,
                             ParticleBoundary boundary, const SpacetimeOptions& options = {});

}  // namespace pliant

#endif  // PLIANT_TESTS_REFERENCE_PARTICLE_H_
