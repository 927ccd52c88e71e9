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

#include "solvers/motion_problem.h"
#include "solvers/spacetime/solve.h"

namespace pliant {

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
