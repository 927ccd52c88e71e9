#include "solvers/constrained_dynamics/constraint_matrix.h"

#include <Eigen/Eigenvalues>
#include <cmath>

namespace pliant {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using SparseMatrix = Eigen::SparseMatrix<double>;

// Up to this many constraints a product with the inverse beats two sparse triangular solves.
constexpr int kDenseSize = 32;

// Largest eigenvalue of a symmetric positive definite operator, from below.
template <typename Operator>
double PowerIteration(int size, Operator apply) {
  constexpr int kIterations = 200;
  MatrixXd x(size, 1), y(size, 1);
  for (int i = 0; i < size; ++i) x(i) = 1.0 + 0.5 * std::sin(static_cast<double>(i * i));
  double rayleigh = 0.0;
  for (int i = 0; i < kIterations; ++i) {
    x /= x.norm();
    apply(x, &y);
    rayleigh = x.col(0).dot(y.col(0));
    x.swap(y);
  }
  return rayleigh;
}

}  // namespace

ConstraintMatrix::ConstraintMatrix(const SparseMatrix& matrix)
    : size_(static_cast<int>(matrix.rows())) {
  if (size_ == 0) return;
  if (size_ > kDenseSize && FactoriseSparse(matrix)) {
    const double largest =
        PowerIteration(size_, [&](const MatrixXd& x, MatrixXd* y) { y->noalias() = matrix * x; });
    MatrixXd scratch;
    const double inverse_smallest = PowerIteration(size_, [&](const MatrixXd& x, MatrixXd* y) {
      scratch = x;
      Solve(&scratch, y);
    });
    condition_number_ = largest * inverse_smallest;
    return;
  }
  InvertDense(MatrixXd(matrix));
}

// False when a pivot is so small, against the diagonal, that S may be singular.
bool ConstraintMatrix::FactoriseSparse(const SparseMatrix& matrix) {
  auto factor = std::make_shared<Factor>(matrix);
  if (factor->info() != Eigen::Success) return false;
  const VectorXd pivots = factor->vectorD();
  const VectorXd diagonal = factor->permutationP() * VectorXd(matrix.diagonal());
  if (!((pivots.array() > kSingular * diagonal.array()).all())) return false;
  factor_ = std::move(factor);
  inverse_pivots_ = pivots.cwiseInverse();
  return true;
}

void ConstraintMatrix::InvertDense(const MatrixXd& matrix) {
  // Scaled to a unit diagonal, so that a light body does not hide a heavy one.
  const VectorXd scale = matrix.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::SelfAdjointEigenSolver<MatrixXd> scaled(scale.asDiagonal() * matrix *
                                                       scale.asDiagonal());
  while (scaled.eigenvalues()[redundant_] < kSingular) ++redundant_;
  const auto kept = scaled.eigenvectors().rightCols(size_ - redundant_);
  const auto values = scaled.eigenvalues().tail(size_ - redundant_);
  inverse_ = scale.asDiagonal() * kept * values.cwiseInverse().asDiagonal() * kept.transpose() *
             scale.asDiagonal();
  for (int i = 0; i < size_; ++i) {
    if (scaled.eigenvectors().row(i).head(redundant_).norm() > 1e-6) involved_.push_back(i);
  }
  const VectorXd eigenvalues =
      Eigen::SelfAdjointEigenSolver<MatrixXd>(matrix, Eigen::EigenvaluesOnly).eigenvalues();
  condition_number_ = eigenvalues[size_ - 1] / eigenvalues[redundant_];
}

void ConstraintMatrix::Solve(MatrixXd* b, MatrixXd* x) const {
  if (factor_ == nullptr) {
    for (Eigen::Index r = 0; r < b->cols(); ++r) x->col(r).noalias() = inverse_ * b->col(r);
    return;
  }
  // P S Pᵀ = L D Lᵀ. Permuted by hand, since the products of a permutation allocate.
  const auto& order = factor_->permutationP().indices();
  for (Eigen::Index r = 0; r < b->cols(); ++r) {
    for (int i = 0; i < size_; ++i) (*x)(order[i], r) = (*b)(i, r);
  }
  factor_->matrixL().solveInPlace(*x);
  x->array().colwise() *= inverse_pivots_.array();
  factor_->matrixU().solveInPlace(*x);
  b->swap(*x);
  for (Eigen::Index r = 0; r < b->cols(); ++r) {
    for (int i = 0; i < size_; ++i) (*x)(i, r) = (*b)(order[i], r);
  }
}

}  // namespace pliant
