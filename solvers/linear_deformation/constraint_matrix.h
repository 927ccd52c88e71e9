// The constant constraint matrix of linearly deformable bodies, factorised once.
//
// J W Jᵀ = S ⊗ 1_d with S_ab = Σ_bodies ± p_aᵀ W_b p_b [Witkin & Welch 1990, Sec. 3.3]: only the
// scalar matrix S, one row per point constraint, has to be inverted, and each axis of the world is
// a right-hand side of its own.
//
// S is singular where constraints are redundant (more nails than a body has independent points, two
// attachments of the same points). The source inverts it nevertheless; here directions in which S
// vanishes are left out. Where the constraints agree the motion is that of the constraints without
// the redundant ones; where they contradict each other they are met in the least-squares sense.
//
// Small matrices are inverted through their eigenvalues; those of a regular chain, which separate
// row by row, also keep L D Lᵀ. Large ones keep L D Lᵀ alone, whose vanishing pivots name the
// dependent rows j; each gives a direction n_j = e_j − S_kk⁻¹ s_kj (k: rows kept) of the null
// space, N = [n_j]. With D = diag(S):
//
//   b ← b − D N (Nᵀ D N)⁻¹ Nᵀ b      what the constraints contradict each other by is spread
//   x = S_kk⁻¹ b                     one solution
//   x ← x − N (Nᵀ D N)⁻¹ Nᵀ D x      the least of all
//
// N is as sparse as the redundancy is local, and costs what the rows that depend on each other cost.
// Where many constraints hold the same bodies, S itself is never made (row_reduction.h).

#ifndef PLIANT_SOLVERS_LINEAR_DEFORMATION_CONSTRAINT_MATRIX_H_
#define PLIANT_SOLVERS_LINEAR_DEFORMATION_CONSTRAINT_MATRIX_H_

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <vector>

#include "solvers/linear_deformation/block_factor.h"
#include "solvers/linear_deformation/constraint_ends.h"
#include "solvers/linear_deformation/row_reduction.h"

namespace pliant::linear_deformation {

class ConstraintMatrix {
 public:
  // `matrix` is symmetric positive semidefinite with a positive diagonal. Small matrices are
  // inverted, O(n³); large ones are factorised, O(n) for a chain or a tree of bodies.
  explicit ConstraintMatrix(const Eigen::SparseMatrix<double>& matrix);
  // The same with another D, against which pivots and eigenvalues vanish too.
  ConstraintMatrix(const Eigen::SparseMatrix<double>& matrix, const Eigen::VectorXd& D);
  // S of `size` constraints from their rows. O(size) if all hold one body.
  ConstraintMatrix(int size, const ConstraintEnds& ends);
  ConstraintMatrix() = default;

  int size() const { return is_reduced() ? reduction_.size() : size_; }
  Eigen::MatrixXd Dense() const;  // S
  // Whether rows that hold the same bodies have been reduced to their rank.
  bool is_reduced() const { return reduction_.size() > 0; }
  const RowReduction& reduction() const { return reduction_; }  // of no rows: not reduced
  // √D of a constraint.
  double scale_of(int constraint) const;

  // x = S⁻¹ b for each column; for a singular S the x of least ‖D½ x‖, D = diag(S), that minimises
  // ‖D⁻½ (S x − b)‖. Allocates nothing; `b` is destroyed. At most three columns.
  void Solve(Eigen::MatrixXd* b, Eigen::MatrixXd* x) const;
  // The same in place, x n×columns and row-major: the fastest version.
  void SolveRows(double* x, int columns) const;

  // λ_max/λ_min of S, over the directions kept. Above the dense size by power iterations, which
  // are good to about a per cent. Computed at the first call.
  double condition_number() const;

  // Number of directions left out, and the constraints that take part in them.
  int redundant() const { return redundant_ + reduction_.size() - reduction_.reduced_size(); }
  const std::vector<int>& involved() const { return involved_; }
  // N, in its columns; of a reduced matrix those between its groups, in the rows of M.
  const Eigen::SparseMatrix<double>& null_space() const { return null_space_; }

  // Relative to a unit diagonal: directions with smaller eigenvalues or pivots are left out.
  static constexpr double kSingular = 1e-10;
  // Parts of a null direction below this, in the metric of D, are rounding.
  static constexpr double kInvolvedRow = 1e-6;

 private:
  void Factorise(const Eigen::SparseMatrix<double>& matrix, const Eigen::VectorXd& D);
  void InvertDense();
  void FactoriseSparse();
  void FindNullSpace(const std::vector<int>& dependent);
  // Those of the rows of M, carried over, and those that their groups leave out.
  void FindInvolved();
  // b ← b − D N (Nᵀ D N)⁻¹ Nᵀ b, or x ← x − N (Nᵀ D N)⁻¹ Nᵀ D x.
  void Balance(double* values, int columns, bool of_solution) const;
  void SolveFactorised(double* x, int columns) const;
  double EstimateCondition() const;

  RowReduction reduction_;  // empty: none; else all below is of M
  int size_ = 0;
  mutable double condition_number_ = 0.0;  // 0: not yet computed
  int redundant_ = 0;
  std::vector<int> involved_;
  Eigen::SparseMatrix<double> matrix_;
  Eigen::MatrixXd inverse_;                 // n×n; empty when large
  BlockFactor<1> factor_;                   // of the rows kept; empty when small and no chain
  Eigen::SparseMatrix<double> null_space_;  // N, n×redundant
  std::vector<double> diagonal_;            // D
  BlockFactor<1> gram_;                     // of Nᵀ D N; empty when small
  mutable std::vector<double> scratch_, gathered_;
};

}  // namespace pliant::linear_deformation

#endif  // PLIANT_SOLVERS_LINEAR_DEFORMATION_CONSTRAINT_MATRIX_H_
