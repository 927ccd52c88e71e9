// Cholesky factorisation of a symmetric positive definite matrix of which only the last k rows and
// columns change from step to step:
//
//   [ C   B ]     C = L Lᵀ once;  per step  W = L⁻¹ B,  S = D − Wᵀ W = L_s L_sᵀ.
//   [ Bᵀ  D ]
//
// With W and S at hand a solve is two products with L⁻¹: O(n²) a step where a whole factorisation
// is O(n³). L⁻¹ is kept as a matrix: for the few unknowns of one body, products of rows are several
// times faster than substitutions, which wait for each unknown in turn.

#ifndef PLIANT_SOLVERS_LINEAR_ALGEBRA_BORDERED_CHOLESKY_H_
#define PLIANT_SOLVERS_LINEAR_ALGEBRA_BORDERED_CHOLESKY_H_

#include <Eigen/Cholesky>
#include <Eigen/Core>

namespace pliant {

template <int k>
class BorderedCholesky {
 public:
  using Border = Eigen::Matrix<double, Eigen::Dynamic, k>;
  using Corner = Eigen::Matrix<double, k, k>;
  using CornerVector = Eigen::Matrix<double, k, 1>;

  BorderedCholesky() = default;

  // `constant` is C, n×n; see Factor() for one that is not positive definite. O(n³).
  explicit BorderedCholesky(const Eigen::MatrixXd& constant) {
    const Eigen::LLT<Eigen::MatrixXd> factor(constant);
    constant_ok_ = factor.info() == Eigen::Success;
    const auto n = constant.rows();
    inverse_transposed_ = factor.matrixL().solve(Eigen::MatrixXd::Identity(n, n)).transpose();
    inverse_ = inverse_transposed_.transpose();
    border_.resize(n, k);
    reduced_.resize(n);
  }

  // O(n² k). False when the whole matrix is not positive definite.
  bool Factor(const Border& border, const Corner& corner) {
    border_ = inverse_transposed_.transpose().lazyProduct(border);
    corner_.compute(corner - border_.transpose().lazyProduct(border_));
    return constant_ok_ && corner_.info() == Eigen::Success;
  }

  // Solves in place; `x` belongs to C (n), `y` to the corner (k). O(n²).
  void Solve(Eigen::VectorXd* x, CornerVector* y) {
    reduced_ = inverse_transposed_.transpose().lazyProduct(*x);
    *y -= border_.transpose().lazyProduct(reduced_);
    corner_.solveInPlace(*y);
    reduced_ -= border_.lazyProduct(*y);
    *x = inverse_.transpose().lazyProduct(reduced_);
  }

 private:
  // L⁻ᵀ and L⁻¹, both stored so that the rows a product runs along are contiguous.
  Eigen::MatrixXd inverse_transposed_, inverse_;
  bool constant_ok_ = false;
  Border border_;              // W
  Eigen::LLT<Corner> corner_;  // L_s
  Eigen::VectorXd reduced_;    // scratch
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_LINEAR_ALGEBRA_BORDERED_CHOLESKY_H_
