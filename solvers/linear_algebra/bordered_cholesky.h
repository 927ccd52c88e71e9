// Cholesky factorisation of a symmetric positive definite matrix of which only the last k rows and
// columns change from step to step:
//
//   [ C   B ]     C = L Lᵀ once;  per step  W = L⁻¹ B,  S = D − Wᵀ W = L_s L_sᵀ.
//   [ Bᵀ  D ]
//
// With W and S at hand a solve is two substitutions: O(n²) a step where a whole factorisation is
// O(n³).

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

  // `constant` is C, n×n; see ok(). O(n³).
  explicit BorderedCholesky(const Eigen::MatrixXd& constant)
      : factor_(constant.llt().matrixL()),
        ok_(constant.llt().info() == Eigen::Success),
        border_(constant.rows(), k) {}

  // Is C positive definite to working precision?
  bool ok() const { return ok_; }

  // O(n² k). False when the whole matrix is not positive definite.
  bool Factor(const Border& border, const Corner& corner) {
    border_ = border;
    factor_.template triangularView<Eigen::Lower>().solveInPlace(border_);
    corner_.compute(corner - border_.transpose() * border_);
    return corner_.info() == Eigen::Success;
  }

  // Solves in place; `x` belongs to C (n), `y` to the corner (k).
  void Solve(Eigen::VectorXd* x, CornerVector* y) const {
    factor_.template triangularView<Eigen::Lower>().solveInPlace(*x);
    y->noalias() -= border_.transpose() * *x;
    corner_.solveInPlace(*y);
    x->noalias() -= border_ * *y;
    factor_.template triangularView<Eigen::Lower>().transpose().solveInPlace(*x);
  }

 private:
  Eigen::MatrixXd factor_;  // L
  bool ok_ = false;
  Border border_;              // W
  Eigen::LLT<Corner> corner_;  // L_s
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_LINEAR_ALGEBRA_BORDERED_CHOLESKY_H_
