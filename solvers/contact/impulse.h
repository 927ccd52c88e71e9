// Contact by impulses on velocities: restitution along the normal, Coulomb friction along the
// surface, all touching points at once.
//
// Impulses P act at places where something is inside something else, so that with the velocities u = v − v_obstacle
// without them and u⁺ = u + Σ G P (G: what a unit impulse at one touch does to the velocity of another, under all
// constraints)
//
//   normal       P_n ≥ 0,  u_n⁺ ≥ w,  one of them an equality
//   tangential   |P_t| ≤ μ P_n; within the cone u_t⁺ = 0
//
// They act twice in a step of length h, with two least velocities w:
//
//   bounce    at once, at the end of the step in which something came inside: w = max(−e u_n, 0), e the restitution
//   support   over the whole step, as constant forces P/h at what was inside at its beginning: u is the velocity that the
//             step would end with without them, and w = r (δ − δ₀)⁺, δ the depth and r a rate at which depth is removed
//
// so that the weight of what rests never becomes velocity: it stands still [Moreau 1988; Anitescu & Potra 1997]. It keeps a
// depth of up to δ₀: without any it would lose its touch, and fall until the next.
// The bounce is Newton's law of restitution, not Poisson's: with friction and e > 0 at several points at once it may add
// energy, which the ledger then shows.
//
// Solved by Gauss–Seidel sweeps over the touches, to and fro where bodies touch each other; islands in which these
// are slow by a Newton method (impulse_newton.h).

#ifndef PLIANT_SOLVERS_CONTACT_IMPULSE_H_
#define PLIANT_SOLVERS_CONTACT_IMPULSE_H_

#include <Eigen/Core>
#include <algorithm>
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

  // w of a bounce, with the velocity v before, and of support.
  double LeastAfterBounce(const Eigen::Vector3d& v) const {
    return std::max(-restitution * (v - velocity).dot(normal), 0.0);
  }
  double LeastOnSupport(double rate, double kept) const {
    return rate * std::max(0.0, depth - kept);
  }
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

struct SolvedImpulses {
  Eigen::Matrix3Xd at;  // P of each touch, 3×t [N s]
  bool converged;       // else the last values
};

// P for the velocities v (3×t) and the least velocities w (t) of the touches, so that none is off by more than `negligible`
// [m/s], or by rounding where that is more. O(Σ k²) a sweep, for islands of k touches.
SolvedImpulses SolveImpulses(const std::vector<ImpulseTouch>& touches,
                             const ImpulseResponse& response,
                             const Eigen::Ref<const Eigen::Matrix3Xd>& velocities,
                             const Eigen::VectorXd& least, double negligible);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_CONTACT_IMPULSE_H_
