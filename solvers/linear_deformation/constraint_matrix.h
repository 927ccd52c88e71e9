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

#ifndef PLIANT_SOLVERS_LINEAR_DEFORMATION_CONSTRAINT_MATRIX_H_
#define PLIANT_SOLVERS_LINEAR_DEFORMATION_CONSTRAINT_MATRIX_H_

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <vector>

#include "solvers/linear_deformation/block_factor.h"

namespace pliant::linear_deformation {

class ConstraintMatrix {
 public:
  // `matrix` is symmetric positive semidefinite with a positive diagonal. Small matrices are
  // inverted, O(n³); large ones are factorised, O(n) for a chain or a tree of bodies.
  explicit ConstraintMatrix(const Eigen::SparseMatrix<double>& matrix);

  int size() const { return size_; }
  Eigen::MatrixXd Dense() const { return matrix_; }  // S

  // x = S⁻¹ b for each column; for a singular S the x of least ‖D½ x‖, D = diag(S), that minimises
  // ‖D⁻½ (S x − b)‖. Allocates nothing; `b` is destroyed. At most three columns.
  void Solve(Eigen::MatrixXd* b, Eigen::MatrixXd* x) const;
  // The same in place, x n×columns and row-major: the fastest version.
  void SolveRows(double* x, int columns) const;

  // λ_max/λ_min of S, over the directions kept. Above the dense size by power iterations, which
  // are good to about a per cent. Computed at the first call.
  double condition_number() const;

  // Number of directions left out, and the constraints that take part in them.
  int redundant() const { return redundant_; }
  const std::vector<int>& involved() const { return involved_; }

  // Relative to a unit diagonal: directions with smaller eigenvalues or pivots are left out.
  static constexpr double kSingular = 1e-10;

 private:
  void InvertDense();
  void FactoriseSparse();
  void FindNullSpace(const std::vector<int>& dependent);
  // b ← b − D N (Nᵀ D N)⁻¹ Nᵀ b, or x ← x − N (Nᵀ D N)⁻¹ Nᵀ D x.
  void Balance(double* values, int columns, bool of_solution) const;
  double EstimateCondition() const;

  int size_;
  mutable double condition_number_ = 0.0;  // 0: not yet computed
  int redundant_ = 0;
  std::vector<int> involved_;
  Eigen::SparseMatrix<double> matrix_;
  Eigen::MatrixXd inverse_;                 // n×n; empty when large
  BlockFactor<1> factor_;                   // of the rows kept; empty when small and no chain
  Eigen::SparseMatrix<double> null_space_;  // N, n×redundant; empty when small
  std::vector<double> diagonal_;            // D
  BlockFactor<1> gram_;                     // of Nᵀ D N
  mutable std::vector<double> scratch_;
};

}  // namespace pliant::linear_deformation

#endif  // PLIANT_SOLVERS_LINEAR_DEFORMATION_CONSTRAINT_MATRIX_H_
