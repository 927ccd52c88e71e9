#include "solvers/linear_deformation/constraint_matrix.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "solvers/linear_algebra/condition.h"

namespace pliant::linear_deformation {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// S of a chain of bodies whose mass varies along it, as of a pendulum of n links.
MatrixXd ChainMatrix(int n) {
  MatrixXd matrix = MatrixXd::Zero(n, n);
  for (int i = 0; i < n; ++i) {
    const double inverse_mass = 1.0 + 0.5 * (i % 3);
    matrix(i, i) += 2.0 * inverse_mass;
    if (i > 0) matrix(i - 1, i - 1) += 2.0 * inverse_mass;
    if (i > 0) matrix(i, i - 1) = matrix(i - 1, i) = 0.4 * inverse_mass;
  }
  return matrix;
}

MatrixXd Solve(const ConstraintMatrix& matrix, MatrixXd b) {
  MatrixXd x(b.rows(), b.cols());
  matrix.Solve(&b, &x);
  return x;
}

MatrixXd RightSides(int n) {
  MatrixXd b(n, 3);
  for (int i = 0; i < n; ++i) b.row(i) << i % 5, 1.0 - i % 2, 0.1 * i;
  return b;
}

// Sizes on both sides of where the sparse factorisation begins.
TEST(ConstraintMatrix, SolvesDenseAndSparse) {
  for (int n : {1, 3, 32, 33, 400}) {
    const MatrixXd dense = ChainMatrix(n);
    const ConstraintMatrix matrix(dense.sparseView());
    const MatrixXd b = RightSides(n);
    EXPECT_LT((dense * Solve(matrix, b) - b).norm(), 1e-11 * b.norm()) << n;
    EXPECT_EQ(matrix.redundant(), 0);
    EXPECT_THAT(matrix.involved(), IsEmpty());
  }
}

TEST(ConstraintMatrix, ConditionNumberIsThatOfS) {
  for (int n : {3, 32}) {
    const MatrixXd dense = ChainMatrix(n);
    EXPECT_NEAR(ConstraintMatrix(dense.sparseView()).condition_number() / ConditionNumber(dense),
                1.0, 1e-10);
  }
  for (int n : {33, 400}) {
    const MatrixXd dense = ChainMatrix(n);
    EXPECT_NEAR(ConstraintMatrix(dense.sparseView()).condition_number() / ConditionNumber(dense),
                1.0, 0.02);
  }
}

// Constraints 1 and 3 are the same.
MatrixXd Doubled() {
  MatrixXd rows(4, 3);
  rows << 1, 0, 0.2, 0, 1, 0.5, 0.3, 0, 1, 0, 1, 0.5;
  return rows * rows.transpose();
}

TEST(ConstraintMatrix, FindsRedundantConstraints) {
  const ConstraintMatrix matrix(Doubled().sparseView());
  EXPECT_EQ(matrix.redundant(), 1);
  EXPECT_THAT(matrix.involved(), ElementsAre(1, 3));
  // The condition is that of the directions kept.
  const VectorXd eigenvalues =
      Eigen::SelfAdjointEigenSolver<MatrixXd>(Doubled(), Eigen::EigenvaluesOnly).eigenvalues();
  EXPECT_NEAR(matrix.condition_number(), eigenvalues[3] / eigenvalues[1], 1e-9);
}

TEST(ConstraintMatrix, AgreeingRedundantConstraintsAreMetAndShareTheForce) {
  const MatrixXd dense = Doubled();
  const VectorXd b = dense * VectorXd::LinSpaced(4, 1.0, 2.5);
  const MatrixXd x = Solve(ConstraintMatrix(dense.sparseView()), b);
  EXPECT_LT((dense * x - b).norm(), 1e-12);
  EXPECT_NEAR(x(1), x(3), 1e-12);
}

TEST(ConstraintMatrix, ContradictingConstraintsMeetInTheMiddle) {
  const MatrixXd dense = Doubled();
  VectorXd b = VectorXd::Zero(4);
  b[1] = 1.0;
  b[3] = -1.0;
  EXPECT_LT(Solve(ConstraintMatrix(dense.sparseView()), b).norm(), 1e-12);
  b[3] = 0.5;
  const MatrixXd x = Solve(ConstraintMatrix(dense.sparseView()), b);
  EXPECT_NEAR((dense * x)(1), 0.75, 1e-12);
  EXPECT_NEAR((dense * x)(3), 0.75, 1e-12);
}

// Scaling by a heavy body is not redundancy.
TEST(ConstraintMatrix, MassRatiosAreNotRedundancy) {
  MatrixXd dense = ChainMatrix(4);
  const VectorXd scale = (VectorXd(4) << 1.0, 1e-7, 1e7, 1.0).finished();
  dense = scale.asDiagonal() * dense * scale.asDiagonal();
  const ConstraintMatrix matrix(dense.sparseView());
  EXPECT_EQ(matrix.redundant(), 0);
  const VectorXd x = VectorXd::LinSpaced(4, 1.0, 2.0).cwiseQuotient(scale);
  EXPECT_LT((Solve(matrix, dense * x) - x).cwiseProduct(scale).norm(), 1e-9);
}

// Rows of a chain of constraints, each coupled to the one before.
MatrixXd ChainRows(int n, int columns) {
  MatrixXd rows = MatrixXd::Zero(n, columns);
  for (int i = 0; i < std::min(n, columns); ++i) {
    rows(i, i) = 1.0 + 0.2 * (i % 4);
    if (i > 0) rows(i, i - 1) = 0.3;
  }
  return rows;
}

TEST(ConstraintMatrix, FindsRedundancyAmongMany) {
  const int n = 60;
  MatrixXd rows = ChainRows(n, n - 1);
  // The last is a mixture of two others, so that its pivot is rounding and not exactly zero.
  rows.row(n - 1) = 0.7 * rows.row(20) + 0.1 * rows.row(33);
  const MatrixXd dense = rows * rows.transpose();
  const ConstraintMatrix matrix(dense.sparseView());
  EXPECT_EQ(matrix.redundant(), 1);
  EXPECT_THAT(matrix.involved(), ElementsAre(20, 33, n - 1));
  const MatrixXd b = dense * RightSides(n);
  EXPECT_LT((dense * Solve(matrix, b) - b).norm(), 1e-9 * b.norm());
}

// x that minimises ‖D⁻½ (S x − b)‖ and is the least in ‖D½ x‖, by eigenvectors.
MatrixXd LeastSolution(const MatrixXd& matrix, const MatrixXd& b, double* condition) {
  const VectorXd scale = matrix.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::SelfAdjointEigenSolver<MatrixXd> scaled(scale.asDiagonal() * matrix *
                                                       scale.asDiagonal());
  VectorXd inverse = scaled.eigenvalues();
  for (double& value : inverse) value = value > 1e-10 ? 1.0 / value : 0.0;
  const VectorXd eigenvalues = Eigen::SelfAdjointEigenSolver<MatrixXd>(matrix).eigenvalues();
  const auto zero = (inverse.array() == 0.0).count();
  *condition = eigenvalues[matrix.rows() - 1] / eigenvalues[zero];
  return scale.asDiagonal() * scaled.eigenvectors() * inverse.asDiagonal() *
         scaled.eigenvectors().transpose() * scale.asDiagonal() * b;
}

// Several constraints doubled, mixed and scaled, in chains, trees and webs: what the sparse path
// does is what the eigenvectors do, for right-hand sides that agree and that do not.
TEST(ConstraintMatrix, SparseRedundancyIsResolvedLikeTheDense) {
  for (int redundant : {1, 2, 7}) {
    for (int web : {0, 1, 3}) {
      SCOPED_TRACE(testing::Message() << redundant << " redundant, web " << web);
      const int n = 50;
      MatrixXd rows = ChainRows(n, n);
      for (int i = 0; i < web * 5; ++i) rows((i * 17) % n, (i * 29 + 3) % n) += 0.25;
      for (int i = 0; i < redundant; ++i) {
        rows.row(7 * i + 2) = rows.row(5 * i + 12) * (i % 2 ? 1.0 : -0.5) + 0.4 * rows.row(48);
      }
      rows.row(30) *= 1e3;
      const MatrixXd dense = rows * rows.transpose();
      const Eigen::Index rank = Eigen::FullPivLU<MatrixXd>(rows).rank();
      const ConstraintMatrix matrix(dense.sparseView());
      EXPECT_EQ(matrix.redundant(), n - rank);
      EXPECT_GT(matrix.redundant(), 0);
      double condition = 0.0;
      for (const MatrixXd& b : {MatrixXd(dense * RightSides(n)), RightSides(n)}) {
        const MatrixXd expected = LeastSolution(dense, b, &condition);
        EXPECT_LT((Solve(matrix, b) - expected).norm(), 1e-8 * expected.norm());
      }
      EXPECT_NEAR(matrix.condition_number() / condition, 1.0, 0.05);
    }
  }
}

// A path of springs that nothing holds: every constraint depends on all others, each by its scale.
TEST(ConstraintMatrix, RedundancyAlongAChainIsResolvedLikeTheDense) {
  const int n = 40;
  MatrixXd dense = MatrixXd::Zero(n, n);
  for (int i = 0; i + 1 < n; ++i) {
    const double k = 1.0 + 0.3 * (i % 4);
    dense.block<2, 2>(i, i) += (Eigen::Matrix2d() << k, -k, -k, k).finished();
  }
  VectorXd scale(n);
  for (int i = 0; i < n; ++i) scale[i] = 1.0 + 0.5 * (i % 3);
  dense = (scale.asDiagonal() * dense * scale.asDiagonal()).eval();
  const ConstraintMatrix matrix(dense.sparseView());
  EXPECT_EQ(matrix.redundant(), 1);
  EXPECT_EQ(matrix.involved().size(), static_cast<size_t>(n));
  double condition = 0.0;
  for (const MatrixXd& b : {MatrixXd(dense * RightSides(n)), RightSides(n)}) {
    const MatrixXd expected = LeastSolution(dense, b, &condition);
    EXPECT_LT((Solve(matrix, b) - expected).norm(), 1e-8 * expected.norm());
  }
}

// Row-major, all axes at once: chains, what is inverted (a tree, redundant rows), large trees and
// large redundant ones.
TEST(ConstraintMatrix, SolvesRowsAsColumns) {
  MatrixXd star = MatrixXd::Identity(41, 41) * 9.0;
  for (int i = 1; i < 41; ++i) star(0, i) = star(i, 0) = 1.0;
  MatrixXd doubled = ChainRows(40, 40);
  doubled.row(9) = doubled.row(31);
  doubled = (doubled * doubled.transpose()).eval();
  const MatrixXd small = star.topLeftCorner(5, 5);
  for (const MatrixXd& dense : {ChainMatrix(3), ChainMatrix(45), small, Doubled(), star, doubled}) {
    const auto n = static_cast<int>(dense.rows());
    const ConstraintMatrix matrix(dense.sparseView());
    for (int columns : {1, 2, 3}) {
      const MatrixXd b = RightSides(n).leftCols(columns);
      const MatrixXd transposed = b.transpose();
      std::vector<double> x(transposed.data(), transposed.data() + transposed.size());
      matrix.SolveRows(x.data(), columns);
      const MatrixXd expected = Solve(matrix, b);
      for (int i = 0; i < n; ++i) {
        for (int c = 0; c < columns; ++c) {
          EXPECT_NEAR(x[i * columns + c], expected(i, c), 1e-12 * expected.norm());
        }
      }
    }
  }
}

}  // namespace
}  // namespace pliant::linear_deformation
