// The contact impulses of one island by an augmented Lagrangian [Alart & Curnier 1991], where sweeps converge slowly: a
// stack of n blocks needs a number of sweeps that grows with n², this method about ten small systems of equations.
//
// With the impulses P, the velocities u = u₀ + G P, and per touch a = nᵀ G n and b the largest row sum of its own block,
// the laws of impulse.h are, at any R > 0 of a touch,
//
//   P_n = max(0, P_n + (w − u_n)/R)                         w: the least velocity along the normal
//   P_t = the part within |P_t| ≤ μ P_n of  P_t − u_t/R
//
// so that P = P⁺(u), of the right sides.
//
// 1. At a small R = ε a and ε b the laws with 0 for the P on the right are those of stiff springs, whose P is unique however
//    many touches act as one: these share what they carry. With caps μ P_n of the last P, with G = L Lᵀ and u = u₀ + L z,
//    z = Lᵀ P⁺(u) is where a convex function of z has its minimum,
//
//      ½ |z|² + Σ ½ R P_n⁺² + R H(|P_t⁺|),   H of Huber at the cap: ½ s² within, and of that slope beyond
//
//    which a Newton method with exact line search finds from anywhere [Castro 2023], with one unknown for each velocity that
//    the touches can have. Then P = P⁺(u) makes the next caps. Steps of a Newton method in which caps follow are tried after
//    each, and kept as long as each halves the residual.
// 2. The same with the last P on the right, after which P misses the laws by less than before by ε [Rockafellar 1976]. Touches
//    that act as one but want velocities which differ a little drift apart instead: then the springs of 1. are the answer.
//
// Where no velocities meet all the laws (an obstacle that moves against a body which is nailed), P would be without bound.
// Yield() gives impulses that let the obstacle in: one minimum with P = 0 and R = the largest a, which makes no more energy
// than the approach has.

#ifndef PLIANT_SOLVERS_CONTACT_IMPULSE_NEWTON_H_
#define PLIANT_SOLVERS_CONTACT_IMPULSE_NEWTON_H_

#include <Eigen/Core>
#include <vector>

namespace pliant {

// A touch of an island, for the solvers of impulse.h.
struct IslandTouch {
  Eigen::Vector3d normal;
  double wanted;         // w [m/s]
  double friction;       // μ
  double along, across;  // a and b [1/kg]
  bool held;             // constraints hold it along the normal: P = 0
};

// The largest velocity [m/s] by which P misses the laws with R = a and b, at the velocities u (3k).
double ImpulseResidual(const std::vector<IslandTouch>& touches, const Eigen::VectorXd& impulses,
                       const Eigen::VectorXd& velocities);

class ImpulseNewton {
 public:
  // `response` is G of the island, 3k×3k, `before` u₀; all outlive this.
  ImpulseNewton(const std::vector<IslandTouch>& touches, const Eigen::MatrixXd& response,
                const Eigen::VectorXd& before);

  // From P (3k [N s]) until the residual is below `settled`, or is no longer halved. Returns the least one; P is the one that
  // has it. O(k r²) for each system of r ≤ 3k equations.
  double Solve(double settled, Eigen::VectorXd* impulses);
  Eigen::VectorXd Yield();

 private:
  enum class Friction { kIsThatOfBefore, kFollows };
  void Respond(Friction friction);  // P⁺(u)
  void FindSlopes();                // of it
  void StepAtOnce();
  double SlopeAt(double part);  // along the change of z, at this part of it
  // From z to the minimum, where a step changes no velocity by more than `settled`.
  void Minimise(double settled);

  const std::vector<IslandTouch>& touches_;
  const Eigen::MatrixXd& response_;
  const Eigen::VectorXd& before_;
  Eigen::MatrixXd factor_;  // L, 3k×r
  // Of each touch: R along the normal and along the surface, μ P_n of the last P.
  Eigen::VectorXd soft_along_, soft_across_, cap_;
  Eigen::VectorXd last_;              // P
  Eigen::VectorXd z_, change_;        // r
  Eigen::VectorXd velocities_, way_;  // u, and its change with z
  Eigen::VectorXd pushed_;            // P⁺
  Eigen::MatrixXd slopes_, matrix_;  // of −P⁺ by u: their square roots times L; 1 + Lᵀ (−∂P⁺/∂u) L
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_CONTACT_IMPULSE_NEWTON_H_
