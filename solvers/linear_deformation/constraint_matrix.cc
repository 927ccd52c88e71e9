#include "solvers/linear_deformation/constraint_matrix.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <utility>

#include "models/geometry/spectrum.h"

namespace pliant::linear_deformation {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using SparseMatrix = Eigen::SparseMatrix<double>;
using Scalars = std::vector<BlockFactor<1>::Block>;
using Pairs = std::vector<std::pair<int, int>>;

// Up to this many constraints a product with the inverse beats two sparse triangular solves.
constexpr int kDenseSize = 32;

// Entries below this fraction of their diagonal entries are rounding: the ends of a link of two
// equal masses are uncoupled, and such links separate into scalars.
constexpr double kUncoupled = 1e-15;

// Parts of a null direction below this, in the metric of D, are errors of the factor: left in, they
// would make N dense.
constexpr double kNoPart = 1e-12;

// Largest eigenvalue of a symmetric positive semidefinite operator, from below.
template <typename Operator>
double PowerIteration(int size, Operator apply) {
  constexpr int kIterations = 200;
  VectorXd x(size), y(size);
  for (int i = 0; i < size; ++i) x[i] = 1.0 + 0.5 * std::sin(static_cast<double>(i) * i);
  double rayleigh = 0.0;
  for (int i = 0; i < kIterations; ++i) {
    x /= x.norm();
    apply(x, &y);
    rayleigh = x.dot(y);
    x.swap(y);
  }
  return rayleigh;
}

// A factor of the lower half of a sparse matrix; pivots vanish against `reference`, or else against
// their diagonal entries.
BlockFactor<1> FactorOf(const SparseMatrix& matrix, const std::vector<double>& reference = {}) {
  const auto n = static_cast<int>(matrix.rows());
  Pairs pairs;
  Scalars diagonal(n, BlockFactor<1>::Block::Zero()), values;
  for (int j = 0; j < n; ++j) {
    for (SparseMatrix::InnerIterator entry(matrix, j); entry; ++entry) {
      const auto i = static_cast<int>(entry.row());
      if (i == j) diagonal[i](0) = entry.value();
      if (i <= j) continue;
      pairs.emplace_back(i, j);
      values.emplace_back(entry.value());
    }
  }
  BlockFactor<1> factor(n, pairs);
  const Scalars against(reference.begin(), reference.end());
  factor.Factorise(diagonal, values, ConstraintMatrix::kSingular,
                   reference.empty() ? nullptr : &against);
  return factor;
}

// x = A b, A symmetric, C right-hand sides.
template <int C>
void MultiplyRows(const MatrixXd& A, const double* b, double* x) {
  const auto n = static_cast<int>(A.rows());
  for (int i = 0; i < n; ++i) {
    const double* row = A.data() + static_cast<size_t>(i) * n;
    std::array<double, C> sum{};
    for (int j = 0; j < n; ++j) {
      for (int c = 0; c < C; ++c) sum[c] += row[j] * b[j * C + c];
    }
    std::copy(sum.begin(), sum.end(), x + i * C);
  }
}

}  // namespace

ConstraintMatrix::ConstraintMatrix(const SparseMatrix& matrix)
    : ConstraintMatrix(matrix, matrix.diagonal()) {}

ConstraintMatrix::ConstraintMatrix(const SparseMatrix& matrix, const VectorXd& D) {
  Factorise(matrix, D);
}

ConstraintMatrix::ConstraintMatrix(int size, const ConstraintEnds& ends) {
  if (size <= kDenseSize || !RowReduction::Helps(size, ends)) {
    const SparseMatrix matrix = ends.Matrix(size);
    Factorise(matrix, matrix.diagonal());
    return;
  }
  reduction_ = RowReduction(size, ends, kSingular);
  const int reduced = reduction_.reduced_size();
  Factorise(reduction_.ends().Matrix(reduced), VectorXd::Ones(reduced));
  gathered_.resize(static_cast<size_t>(reduced) * 3);
  FindInvolved();
}

void ConstraintMatrix::Factorise(const SparseMatrix& matrix, const VectorXd& D) {
  size_ = static_cast<int>(matrix.rows());
  if (size_ == 0) return;
  matrix_ = matrix;
  matrix_.prune([&](int i, int j, double value) {
    return std::abs(value) > kUncoupled * std::sqrt(D[i] * D[j]);
  });
  diagonal_.assign(D.begin(), D.end());
  if (size_ > kDenseSize) {
    FactoriseSparse();
  } else {
    InvertDense();
  }
}

void ConstraintMatrix::InvertDense() {
  const MatrixXd matrix(matrix_);
  // Scaled to a unit diagonal, so that a light body does not hide a heavy one.
  const VectorXd scale =
      Eigen::Map<const VectorXd>(diagonal_.data(), size_).cwiseSqrt().cwiseInverse();
  const Spectrum scaled = SpectrumOf(scale.asDiagonal() * matrix * scale.asDiagonal());
  while (redundant_ < size_ && scaled.values[redundant_] < kSingular) ++redundant_;
  const auto kept = scaled.vectors.rightCols(size_ - redundant_);
  const auto values = scaled.values.tail(size_ - redundant_);
  inverse_ = scale.asDiagonal() * kept * values.cwiseInverse().asDiagonal() * kept.transpose() *
             scale.asDiagonal();
  for (int i = 0; i < size_; ++i) {
    if (scaled.vectors.row(i).head(redundant_).norm() > kInvolvedRow) involved_.push_back(i);
  }
  if (redundant_ == 0) {
    BlockFactor<1> factor = FactorOf(matrix_, diagonal_);
    if (factor.is_chain()) factor_ = std::move(factor);
  } else {
    null_space_ = MatrixXd(scale.asDiagonal() * scaled.vectors.leftCols(redundant_)).sparseView();
  }
  scratch_.resize(static_cast<size_t>(size_) * 3);
}

void ConstraintMatrix::FactoriseSparse() {
  factor_ = FactorOf(matrix_, diagonal_);
  std::vector<int> dependent = factor_.dependent();
  std::sort(dependent.begin(), dependent.end());
  redundant_ = static_cast<int>(dependent.size());
  if (redundant_ > 0) FindNullSpace(dependent);
}

void ConstraintMatrix::FindNullSpace(const std::vector<int>& dependent) {
  std::vector<double> part(size_, 0.0);  // of each constraint in the directions left out
  std::vector<double> scale(size_);
  for (int i = 0; i < size_; ++i) scale[i] = std::sqrt(diagonal_[i]);
  std::vector<Eigen::Triplet<double>> entries;
  for (int direction = 0; direction < redundant_; ++direction) {
    const int j = dependent[direction];
    for (const auto& [i, value] : factor_.NullDirection(j, scale, kNoPart)) {
      part[i] = std::max(part[i], std::abs(value) * scale[i] / scale[j]);
      entries.emplace_back(i, direction, value);
    }
  }
  for (int i = 0; i < size_; ++i) {
    if (part[i] > kInvolvedRow) involved_.push_back(i);
  }
  null_space_.resize(size_, redundant_);
  null_space_.setFromTriplets(entries.begin(), entries.end());
  const VectorXd diagonal = Eigen::Map<const VectorXd>(diagonal_.data(), size_);
  gram_ = FactorOf(SparseMatrix(null_space_.transpose() * diagonal.asDiagonal() * null_space_));
  scratch_.resize(static_cast<size_t>(redundant_) * 3);
}

void ConstraintMatrix::FindInvolved() {
  std::vector<double> part = reduction_.left_out();
  SparseMatrix directions;
  if (redundant_ > 0) directions = reduction_.basis() * null_space_;
  for (int j = 0; j < directions.cols(); ++j) {
    for (SparseMatrix::InnerIterator n(directions, j); n; ++n) {
      double& largest = part[n.row()];
      largest = std::max(largest, std::abs(n.value()) * scale_of(static_cast<int>(n.row())));
    }
  }
  involved_.clear();
  for (size_t i = 0; i < part.size(); ++i) {
    if (part[i] > kInvolvedRow) involved_.push_back(static_cast<int>(i));
  }
}

double ConstraintMatrix::scale_of(int constraint) const {
  return std::sqrt(is_reduced() ? reduction_.diagonal()[constraint] : diagonal_[constraint]);
}

MatrixXd ConstraintMatrix::Dense() const {
  if (!is_reduced()) return matrix_;
  const MatrixXd outer = reduction_.diagonal().asDiagonal() * MatrixXd(reduction_.basis());
  return outer * matrix_ * outer.transpose();
}

void ConstraintMatrix::Balance(double* values, int columns, bool of_solution) const {
  double* y = scratch_.data();
  for (int j = 0; j < redundant_; ++j) {
    std::fill(y + j * columns, y + (j + 1) * columns, 0.0);
    for (SparseMatrix::InnerIterator n(null_space_, j); n; ++n) {
      const double weight = of_solution ? diagonal_[n.row()] * n.value() : n.value();
      for (int c = 0; c < columns; ++c)
        y[j * columns + c] += weight * values[n.row() * columns + c];
    }
  }
  gram_.Solve(y, columns);
  for (int j = 0; j < redundant_; ++j) {
    for (SparseMatrix::InnerIterator n(null_space_, j); n; ++n) {
      const double weight = of_solution ? n.value() : diagonal_[n.row()] * n.value();
      for (int c = 0; c < columns; ++c)
        values[n.row() * columns + c] -= weight * y[j * columns + c];
    }
  }
}

void ConstraintMatrix::SolveRows(double* x, int columns) const {
  if (!is_reduced()) return SolveFactorised(x, columns);
  reduction_.Gather(x, columns, gathered_.data());
  SolveFactorised(gathered_.data(), columns);
  reduction_.Spread(gathered_.data(), columns, x);
}

void ConstraintMatrix::SolveFactorised(double* x, int columns) const {
  if (factor_.size() > 0) {
    if (redundant_ > 0) Balance(x, columns, false);
    factor_.Solve(x, columns);
    if (redundant_ > 0) Balance(x, columns, true);
    return;
  }
  double* b = scratch_.data();
  std::copy(x, x + size_ * columns, b);
  if (columns == 1) MultiplyRows<1>(inverse_, b, x);
  if (columns == 2) MultiplyRows<2>(inverse_, b, x);
  if (columns == 3) MultiplyRows<3>(inverse_, b, x);
}

void ConstraintMatrix::Solve(MatrixXd* b, MatrixXd* x) const {
  if (size() == 0) return;
  assert(b->cols() <= 3);
  const auto columns = static_cast<int>(b->cols());
  if (inverse_.size() > 0 && !is_reduced()) {
    for (int c = 0; c < columns; ++c) x->col(c).noalias() = inverse_ * b->col(c);
    return;
  }
  // One axis is processed while the memory of the other two is loaded.
  for (int c = 0; c < columns; ++c) {
    x->col(c) = b->col(c);
    SolveRows(x->col(c).data(), 1);
  }
}

double ConstraintMatrix::condition_number() const {
  if (condition_number_ == 0.0) condition_number_ = EstimateCondition();
  return condition_number_;
}

double ConstraintMatrix::EstimateCondition() const {
  if (size_ == 0) return 1.0;
  if (is_reduced()) {
    const SparseMatrix& C = reduction_.root();
    return ConstraintMatrix(SparseMatrix(C.transpose() * matrix_ * C)).condition_number();
  }
  if (inverse_.size() > 0) {
    const VectorXd eigenvalues = EigenvaluesOf(MatrixXd(matrix_));
    return eigenvalues[size_ - 1] / eigenvalues[redundant_];
  }
  const double largest =
      PowerIteration(size_, [&](const VectorXd& x, VectorXd* y) { y->noalias() = matrix_ * x; });
  // Of S and not of D⁻½ S D⁻½: vectors without a part in the null space of S.
  const BlockFactor<1> gram = redundant_ == 0
                                  ? BlockFactor<1>()
                                  : FactorOf(SparseMatrix(null_space_.transpose() * null_space_));
  auto project = [&](VectorXd* x) {
    if (redundant_ == 0) return;
    VectorXd y = null_space_.transpose() * *x;
    gram.Solve(y.data(), 1);
    *x -= null_space_ * y;
  };
  const double inverse_smallest = PowerIteration(size_, [&](const VectorXd& x, VectorXd* y) {
    *y = x;
    project(y);
    SolveRows(y->data(), 1);
    project(y);
  });
  return largest * inverse_smallest;
}

}  // namespace pliant::linear_deformation
