// Constraints on points of linearly deformable bodies by Lagrange multipliers
// [Witkin & Welch 1990, Sec. 3]: the rows that hold at one time.
//
//   c = Σ w R p − n(t)     R_a p_a − n of a nail, R_a p_a − R_b p_b of an attachment
//   ċ = J q̇ − ṅ,   c̈ = J q̈ − n̈,   with the constant Jacobian J of blocks ± 1_d ⊗ pᵀ
//   S λ = −(J a − n̈ + 2 ζ ω ċ + ω² c),   q̈ = a + W Jᵀ λ,   a = W Q      [Eqs. 8, 10]
//
// so that c̈ + 2 ζ ω ċ + ω² c = 0 whatever the bodies are. The print adds + (α c + β ċ) J to the
// force, outside the solve: then c̈ = A (α c + β ċ) with A positive definite, which grows for
// positive constants and whose rate depends on the masses. (6) lacks 2 ∂²c/∂q∂t q̇, which is zero
// for these constraints. λ is the force on the (first) body [N]; that it "does not add or remove
// energy" holds for still nails only: a moving one does the active work λ·ṅ. What λ does beyond
// that, λ·ċ, is booked to constraints: it vanishes where they hold. λ w acts at each point; where
// something outside holds them (Σ w ≠ 0, or a target), it is part of the momentum that comes in.
//
// Sliders hold u·c only: their rows of the matrices below are u (u·c), and λ is along u. With S of
// the n_c whole points and the n_s sliders, each with its own u, beside it,
//
//   A = [ S ⊗ 1_d   T ]     T_ak = S_ak u_k,   C_kl = S_kl u_k·u_l,
//       [ Tᵀ        C ]     S_ab = Σ_bodies w p_aᵀ W p_b w
//
// is solved through the Schur complement C − Tᵀ (S⁻¹ ⊗ 1_d) T, which is as constant as S and
// inverted beforehand. Many sliders are reduced to the rank of the bodies first (many_sliders.h).
//
// Vectors of constraints are n×d matrices, a row for each constraint, sliders last.

#ifndef PLIANT_SOLVERS_LINEAR_DEFORMATION_POINT_CONSTRAINTS_H_
#define PLIANT_SOLVERS_LINEAR_DEFORMATION_POINT_CONSTRAINTS_H_

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <array>
#include <string>
#include <variant>
#include <vector>

#include "models/linear_deformation/linear_body.h"
#include "models/scene/constraint_rows.h"
#include "models/scene/scene.h"
#include "solvers/exchange.h"
#include "solvers/linear_deformation/constraint_ends.h"
#include "solvers/linear_deformation/constraint_matrix.h"
#include "solvers/linear_deformation/feedback_options.h"
#include "solvers/linear_deformation/many_sliders.h"

namespace pliant::linear_deformation {

using ConstraintVectors =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;  // n×d

class PointConstraints {
 public:
  // `first[b]` is the first coordinate of body b in the state. Sliders may be anywhere among
  // `rows`, which need not outlive the constructor. Factorises the constraint matrix.
  PointConstraints(int dimension, const std::vector<const ConstraintRow*>& rows,
                   const std::vector<LinearBody>& bodies, const std::vector<int>& first);

  int size() const { return static_cast<int>(names_.size()); }  // n = n_c + n_s
  bool empty() const { return names_.empty(); }
  const ConstraintMatrix& matrix() const { return matrix_; }  // S of whole points
  // Canonical name of the scene element of each constraint: "nail.left", "attachment.knee".
  const std::vector<std::string>& names() const { return names_; }
  // Constraints that others imply: the number of directions, and the constraints involved.
  int redundant() const {
    return matrix_.redundant() + redundant_sliders_ + many_sliders_.redundant();
  }
  std::vector<std::string> RedundantNames() const;

  // Scratch of the functions below, made once by the caller.
  struct Workspace {
    ConstraintVectors target, target_rate, target_acceleration;  // n×d: n, ṅ, n̈
    ConstraintVectors gap, rate;                                 // n×d: c, ċ
    ConstraintVectors multipliers;                               // n×d
    ConstraintVectors place;                                     // n×d: Σ w x, also of sliders
  };
  Workspace MakeWorkspace() const;

  // c and ċ at (t, q, v), left in the workspace.
  void MeasureGaps(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                   Workspace* workspace) const;

  // The contradiction of redundant constraints at time t: the gaps [m] that no change of the coordinates `from` can
  // close, left in gap. Measured from coordinates that meet the constraints at some time, so that what these reach is no
  // contradiction: the directions that ConstraintMatrix leaves out vanish to √kSingular of a length only, and targets that are
  // far from the origin, or points that are near each other at a high order, would show as gaps of that size. Gaps of
  // √kSingular of the displacement are that, too, and become 0. `q` is scratch of the size of the state.
  void MeasureContradiction(double t, const Eigen::VectorXd& from, Eigen::VectorXd* q,
                            Workspace* workspace) const;

  // Turns the free accelerations a = W Q into the constrained ones, and adds what the constraint
  // forces exchange to `rates`. λ [N] is left in the workspace.
  void Constrain(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                 const FeedbackOptions& feedback, Eigen::VectorXd* a, Workspace* workspace,
                 Exchange* rates) const;

  // Adds the power [W] that the forces of the last Constrain() have at the velocities `later`,
  // which are those of its accelerations after `duration` [s].
  void AddPowerLater(const Eigen::VectorXd& later, double duration, Workspace* workspace,
                     Exchange* power) const;

  // Velocity-matching impulse [Sec. 3.2, Eq. 9]: S λ = −ċ, Δq̇ = W Jᵀ λ with the whole ċ, not only
  // the jump of ṅ, as newly connected points need. A nail whose path has a corner in
  // begin ≤ t < end takes the velocity after the corner. Adds its work [J]: the kinetic energy
  // lost, −½ ċᵀ A⁻¹ ċ, as damping, and that of moving nails, λ·ṅ.
  void MatchVelocities(double begin, double end, const Eigen::VectorXd& q, Eigen::VectorXd* v,
                       Workspace* workspace, Exchange* work) const;

  // v ← v − W Jᵀ A⁻¹ J v: the part of a change of velocities that satisfies all constraints. Leaves
  // the impulses λ in the workspace.
  void TakeAwayRates(Eigen::VectorXd* v, Workspace* workspace) const;

  // What the λ in the workspace exchange at time t, as impulses that leave J q̇ as it is.
  void AddReaction(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                   Workspace* workspace, Exchange* work) const;

  // Adds the forces of the λ in the workspace, w λ on each point of a row, to 3×n `forces` over the
  // scene [N]. `rows` are those given to the constructor.
  void AddPointForces(const Scene& scene, const std::vector<const ConstraintRow*>& rows,
                      const Workspace& workspace, Eigen::Matrix3Xd* forces) const;

  // True if the velocity of a nail jumps in begin ≤ t < end.
  bool HasCorner(double begin, double end) const;

  // The segments of rows that move points may change while the same rows hold.
  void UpdateSegments(const std::vector<const ConstraintRow*>& rows);

 private:
  struct MovingTarget {
    int constraint;
    int row;  // of those given
    std::variant<Path, CubicSegment> path;
  };

  void Add(const ConstraintRow& row, int number, const std::vector<LinearBody>& bodies,
           const std::vector<int>& first);
  // The rows p of whole points, and those p ⊗ u of sliders, whose constraints count from 0.
  ConstraintEnds EndsOfWholePoints() const;
  ConstraintEnds EndsOfSliders() const;
  // `all` is S over all constraints, sliders as if they were whole points.
  void FactoriseSliders(const Eigen::SparseMatrix<double>& all);
  void Targets(double t, Workspace* workspace) const;
  // Rows of sliders keep the component along u.
  void KeepBarred(ConstraintVectors* vectors) const;
  // Work of the λ in the workspace: λ·ṅ is that of the element that moves, λ·c its `passive` rest.
  // Their impulse too, at `place`.
  void AddWork(const ConstraintVectors& rates_of_gaps, const ConstraintVectors& target_rates,
               WorkClass passive, const Workspace& workspace, Exchange* work) const;
  void AddImpulse(const Workspace& workspace, Exchange* impulse) const;
  // A λ = b, in place.
  void Solve(ConstraintVectors* vectors) const;
  // J z of several vectors in one pass.
  template <size_t N>
  void ApplyJacobian(const std::array<const Eigen::VectorXd*, N>& vectors,
                     const std::array<ConstraintVectors*, N>& products) const;
  void AddConstraintForce(const ConstraintVectors& multipliers,
                          Eigen::VectorXd* a) const;  // W Jᵀ λ

  int dimension_;
  int whole_ = 0;  // n_c
  std::vector<std::string> names_;
  ConstraintEnds ends_;
  ConstraintVectors still_;  // n×d: n of still nails, 0 for attachments and moving targets
  std::vector<MovingTarget> moving_;
  struct Outside {  // holds the points of a constraint
    int constraint;
    double weight;  // Σ w
  };
  std::vector<Outside> outside_;
  ConstraintMatrix matrix_;

  Eigen::MatrixXd along_;     // n_s×d, u
  Eigen::MatrixXd coupling_;  // n_c×n_s, S between whole points and sliders
  Eigen::MatrixXd spread_;    // S⁻¹ coupling
  Eigen::MatrixXd schur_;     // n_s×n_s, inverse of the Schur complement
  int redundant_sliders_ = 0;
  ManySliders many_sliders_;   // in place of the three matrices above and what they leave out
  std::vector<int> involved_;  // in the redundancy of sliders
  mutable Eigen::VectorXd slider_sides_, slider_multipliers_;  // scratch of Solve
};

}  // namespace pliant::linear_deformation

#endif  // PLIANT_SOLVERS_LINEAR_DEFORMATION_POINT_CONSTRAINTS_H_
