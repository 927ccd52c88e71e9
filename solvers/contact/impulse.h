// Contact by impulses on velocities: restitution along the normal, Coulomb friction along the
// surface, all touching points at once.
//
// Points inside an obstacle at the end of a step receive impulses P, so that with the velocities
// u = v − v_obstacle before and u⁺ = u + Σ G P after (G: what a unit impulse at one point does to
// the velocity of another, under all constraints)
//
//   normal       P_n ≥ 0,  u_n⁺ ≥ max(−e u_n, r δ),  one of them an equality
//   tangential   |P_t| ≤ μ P_n; within the cone u_t⁺ = 0
//
// e is the obstacle's restitution, δ the depth, and r a rate at which depth is removed, which
// compensates for the part of a step by which a point went too far. This is Newton's law of
// restitution, not Poisson's: with friction and e > 0 at several points at once it may add energy,
// which the ledger then shows. Solved by Gauss–Seidel sweeps over the points, to and fro where bodies
// touch each other.

#ifndef PLIANT_SOLVERS_CONTACT_IMPULSE_H_
#define PLIANT_SOLVERS_CONTACT_IMPULSE_H_

#include <Eigen/Core>
#include <vector>

#include "models/scene/forces.h"
#include "models/scene/scene.h"

namespace pliant {

// A point, or a place of an edge or a face, that is inside an obstacle, or a place where two bodies are
// inside each other.
struct ImpulseTouch {
  int point;                 // over all bodies, or the first of the place; −1: of two bodies
  Eigen::Vector3d normal;    // of the obstacle, outwards
  Eigen::Vector3d velocity;  // of the obstacle [m/s]
  double depth;              // δ > 0 [m]
  double restitution, friction;
  int body = -1;                  // that it pushes
  int obstacle = -1, other = -1;  // what with: one of them
};

// The touches of points `x` (3×n) at `time`. O(n · obstacles).
std::vector<ImpulseTouch> FindTouches(const std::vector<Obstacle>& obstacles, double time,
                                      const PointsRef& x);

// G by islands: impulses at one do not move the touches of another.
struct ImpulseResponse {
  std::vector<std::vector<int>> islands;  // the touches of each; every touch is of one island
  // Of each island of k touches 3k×3k, symmetric positive semidefinite: column 3 j + c holds the
  // velocities of its touches after a unit impulse along c at its touch j.
  std::vector<Eigen::MatrixXd> blocks;
};

// P of each touch (3×t [N s]). `velocities` are v (3×t). If not converged after kSweeps sweeps,
// returns the last values. O(Σ k²) a sweep, for islands of k touches.
Eigen::Matrix3Xd SolveImpulses(const std::vector<ImpulseTouch>& touches,
                               const ImpulseResponse& response,
                               const Eigen::Ref<const Eigen::Matrix3Xd>& velocities,
                               double depth_rate);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_CONTACT_IMPULSE_H_
