// Nails and attachments of linearly deformable bodies by Lagrange multipliers
// [Witkin & Welch 1990, Sec. 3].
//
//   c = R_a p_a − n(t)  (nail),   c = R_a p_a − R_b p_b  (attachment)
//   ċ = J q̇ − ṅ,   c̈ = J q̈ − n̈,   with the constant Jacobian J of blocks ± 1_d ⊗ pᵀ
//   S λ = −(J a − n̈ + 2 ζ ω ċ + ω² c),   q̈ = a + W Jᵀ λ,   a = W Q      [Eqs. 8, 10]
//
// so that c̈ + 2 ζ ω ċ + ω² c = 0 whatever the bodies are. The print adds + (α c + β ċ) J to the
// force, outside the solve: then c̈ = A (α c + β ċ) with A positive definite, which grows for
// positive constants and whose rate depends on the masses. (6) lacks 2 ∂²c/∂q∂t q̇, which is zero
// for these constraints. λ is the force on the (first) body [N]; that it "does not add or remove
// energy" holds for still nails only: a moving one works by λ·ṅ.
//
// Vectors of constraints are n_c×d matrices, a row for each constraint, nails first.

#ifndef PLIANT_SOLVERS_CONSTRAINED_DYNAMICS_POINT_CONSTRAINTS_H_
#define PLIANT_SOLVERS_CONSTRAINED_DYNAMICS_POINT_CONSTRAINTS_H_

#include <Eigen/Core>
#include <array>
#include <string>
#include <vector>

#include "models/linear_deformation/linear_body.h"
#include "models/scene/scene.h"
#include "solvers/constrained_dynamics/constraint_matrix.h"
#include "solvers/parameters.h"

namespace pliant {

struct FeedbackOptions {
  double frequency = 50.0;     // ω, rad/s ≥ 0
  double damping_ratio = 1.0;  // ζ ≥ 0
  void Bind(ParameterBinder& binder);
};

class PointConstraints {
 public:
  // `first[b]` is the first coordinate of body b in the state.
  PointConstraints(const Scene& scene, const std::vector<LinearBody>& bodies,
                   const std::vector<int>& first);

  int size() const { return static_cast<int>(names_.size()); }  // n_c
  bool empty() const { return names_.empty(); }
  const ConstraintMatrix& matrix() const { return matrix_; }
  // Canonical name of the scene element of each constraint: "nail.left", "attachment.knee".
  const std::vector<std::string>& names() const { return names_; }

  // Scratch of the functions below, made once by the caller.
  struct Workspace {
    Eigen::MatrixXd target, target_rate, target_acceleration;  // n_c×d: n, ṅ, n̈
    Eigen::MatrixXd gap, rate;                                 // n_c×d: c, ċ
    Eigen::MatrixXd right_side, multipliers;                   // n_c×d
  };
  Workspace MakeWorkspace() const;

  // c and ċ at (t, q, v), left in the workspace.
  void MeasureGaps(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                   Workspace* workspace) const;

  // Turns the free accelerations a = W Q into the constrained ones; returns the power of the
  // constraint forces λ·J q̇ [W], which is λ·ṅ when the constraints hold. λ [N] is left in the
  // workspace.
  double Constrain(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                   const FeedbackOptions& feedback, Eigen::VectorXd* a, Workspace* workspace) const;

  // Velocity-matching impulse [Sec. 3.2, Eq. 9]: S λ = −ċ, Δq̇ = W Jᵀ λ with the whole ċ, not only
  // the jump of ṅ, as newly connected points need. A nail whose path has a corner in
  // begin ≤ t < end takes the velocity after the corner. Returns its work [J]: for still nails the
  // kinetic energy lost, −½ ċᵀ A⁻¹ ċ.
  double MatchVelocities(double begin, double end, Eigen::VectorXd* v, Workspace* workspace) const;

  // Does the velocity of a nail jump in begin ≤ t < end?
  bool HasCorner(double begin, double end) const;

 private:
  // One body's part in a constraint: the row ± pᵀ of J and the column ± W_b p of W Jᵀ.
  struct End {
    int constraint;
    int first;    // coordinate of the body
    int columns;  // k
    int term;     // where its k numbers begin in rows_ and impulses_
  };
  struct MovingNail {
    int constraint;
    Path path;
  };

  void AddEnd(const LinearBody& body, int first, int point, double sign, int constraint);
  ConstraintMatrix AssembleMatrix() const;
  void Targets(double t, Workspace* workspace) const;
  // J z of several vectors in one pass.
  template <size_t N>
  void ApplyJacobian(const std::array<const Eigen::VectorXd*, N>& vectors,
                     const std::array<Eigen::MatrixXd*, N>& products) const;
  void AddConstraintForce(const Eigen::MatrixXd& multipliers, Eigen::VectorXd* a) const;  // W Jᵀ λ

  int dimension_;
  std::vector<std::string> names_;
  std::vector<End> ends_;
  std::vector<double> rows_, impulses_;
  Eigen::MatrixXd still_;  // n_c×d: n of still nails, 0 for attachments and moving nails
  std::vector<MovingNail> moving_;
  ConstraintMatrix matrix_;
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_CONSTRAINED_DYNAMICS_POINT_CONSTRAINTS_H_
