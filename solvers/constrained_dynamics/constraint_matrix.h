// The constant constraint matrix of linearly deformable bodies, factorised once.
//
// J W Jᵀ = S ⊗ 1_d with S_ab = Σ_bodies ± p_aᵀ W_b p_b [Witkin & Welch 1990, Sec. 3.3]: only the
// scalar matrix S, one row per point constraint, has to be inverted, and each axis of the world is
// a right-hand side of its own.
//
// S is singular where constraints are redundant (more nails than a body has independent points, two
// attachments of the same points). The source inverts it all the same; here directions in which S
// vanishes are left out. Where the constraints agree the motion is that of the constraints without
// the redundant ones; where they contradict each other they are met in the least-squares sense.

#ifndef PLIANT_SOLVERS_CONSTRAINED_DYNAMICS_CONSTRAINT_MATRIX_H_
#define PLIANT_SOLVERS_CONSTRAINED_DYNAMICS_CONSTRAINT_MATRIX_H_

#include <Eigen/Core>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>
#include <memory>
#include <vector>

namespace pliant {

class ConstraintMatrix {
 public:
  // `matrix` is symmetric positive semidefinite with a positive diagonal. Small matrices are
  // inverted, O(n³); large regular ones keep a sparse LDLᵀ, O(n) for a chain of bodies.
  explicit ConstraintMatrix(const Eigen::SparseMatrix<double>& matrix);

  int size() const { return size_; }

  // x = S⁻¹ b for each column; for a singular S the x of least ‖D½ x‖, D = diag(S), that minimises
  // ‖D⁻½ (S x − b)‖. Allocates nothing; `b` is destroyed.
  void Solve(Eigen::MatrixXd* b, Eigen::MatrixXd* x) const;

  // λ_max/λ_min of S, over the directions kept. Above the dense size by power iterations, which
  // are good to about a per cent.
  double condition_number() const { return condition_number_; }

  // Number of directions left out, and the constraints that take part in them.
  int redundant() const { return redundant_; }
  const std::vector<int>& involved() const { return involved_; }

  // Relative to a unit diagonal: directions with smaller eigenvalues are left out.
  static constexpr double kSingular = 1e-10;

 private:
  using Factor = Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>>;

  bool FactoriseSparse(const Eigen::SparseMatrix<double>& matrix);
  void InvertDense(const Eigen::MatrixXd& matrix);

  int size_;
  double condition_number_ = 1.0;
  int redundant_ = 0;
  std::vector<int> involved_;
  Eigen::MatrixXd inverse_;         // n×n; empty when sparse
  std::shared_ptr<Factor> factor_;  // of S with rows and columns permuted; null when dense
  Eigen::VectorXd inverse_pivots_;  // n
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_CONSTRAINED_DYNAMICS_CONSTRAINT_MATRIX_H_
