// Cholesky factorisation of a symmetric positive definite matrix of which only the last k rows and
// columns change from step to step:
//
//   [ C   B ]     C = L Lᵀ once;  per step  W = L⁻¹ B,  S = D − Wᵀ W.
//   [ Bᵀ  D ]
//
// With W and S at hand a solve is two products with L⁻¹: O(n²) a step where a whole factorisation
// is O(n³). L⁻¹ is kept as a matrix: for the few unknowns of one body, products are several times
// faster than substitutions, which wait for each unknown in turn.

#ifndef PLIANT_SOLVERS_LINEAR_ALGEBRA_BORDERED_CHOLESKY_H_
#define PLIANT_SOLVERS_LINEAR_ALGEBRA_BORDERED_CHOLESKY_H_

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <optional>

namespace pliant {

// L⁻¹ of C = L Lᵀ; nothing when C is not positive definite. O(n³).
std::optional<Eigen::MatrixXd> InverseOfFactor(const Eigen::MatrixXd& C);

// S, factored in each step.
template <int k>
class CornerFactor {
 public:
  using Corner = Eigen::Matrix<double, k, k>;
  bool Factor(const Corner& s) { return factor_.compute(s).info() == Eigen::Success; }
  void Solve(Eigen::Matrix<double, k, 1>* y) const { factor_.solveInPlace(*y); }

 private:
  // Initialised, because copying a factor that was never computed would read uninitialised memory.
  Eigen::LLT<Corner> factor_{Corner(Corner::Identity())};
};
// S of one row is a number: no root, and one division.
template <>
class CornerFactor<1> {
 public:
  bool Factor(const Eigen::Matrix<double, 1, 1>& s) {
    reciprocal_ = 1.0 / s[0];
    return s[0] > 0.0;
  }
  void Solve(Eigen::Matrix<double, 1, 1>* y) const { (*y)[0] *= reciprocal_; }

 private:
  double reciprocal_ = 0.0;
};

// `size` is n where the compiler should know it, so that all products are unrolled.
template <int k, int size = Eigen::Dynamic>
class BorderedCholesky {
 public:
  using Border = Eigen::Matrix<double, size, k>;
  using Vector = Eigen::Matrix<double, size, 1>;
  using Corner = Eigen::Matrix<double, k, k>;
  using CornerVector = Eigen::Matrix<double, k, 1>;

  BorderedCholesky() = default;

  // `constant` is C, n×n; see Factor() for one that is not positive definite. O(n³).
  explicit BorderedCholesky(const Eigen::MatrixXd& constant) {
    const auto n = constant.rows();
    const std::optional<Eigen::MatrixXd> inverse = InverseOfFactor(constant);
    constant_ok_ = inverse.has_value();
    inverse_ = inverse.value_or(Eigen::MatrixXd::Zero(n, n));
    inverse_transposed_ = inverse_.transpose();
    border_.resize(n, k);
    reduced_.resize(n);
  }

  // O(n² k). False when the whole matrix is not positive definite.
  bool Factor(const Border& border, const Corner& corner) {
    border_ = Lower(border);
    return corner_.Factor(corner - border_.transpose().lazyProduct(border_)) && constant_ok_;
  }

  // Solves in place; `x` belongs to C (n), `y` to the corner (k). O(n²).
  void Solve(Vector* x, CornerVector* y) {
    reduced_ = Lower(*x);
    *y -= border_.transpose().lazyProduct(reduced_);
    corner_.Solve(y);
    reduced_ -= border_.lazyProduct(*y);
    if constexpr (size == Eigen::Dynamic) {
      *x = inverse_.transpose().lazyProduct(reduced_);
    } else {
      *x = inverse_transposed_.lazyProduct(reduced_);
    }
  }

 private:
  // L⁻¹ b. Products run along what is contiguous: rows when the size is not known, for whose dot
  // products Eigen has loops, columns when it is, where all are unrolled.
  template <typename Derived>
  auto Lower(const Eigen::MatrixBase<Derived>& b) const {
    if constexpr (size == Eigen::Dynamic) {
      return inverse_transposed_.transpose().lazyProduct(b);
    } else {
      return inverse_.lazyProduct(b);
    }
  }

  Eigen::Matrix<double, size, size> inverse_, inverse_transposed_;  // L⁻¹ and L⁻ᵀ
  bool constant_ok_ = false;
  Border border_;           // W
  CornerFactor<k> corner_;  // S
  Vector reduced_;          // scratch
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_LINEAR_ALGEBRA_BORDERED_CHOLESKY_H_
