#include "solvers/constrained_dynamics/constraint_matrix.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "solvers/linear_algebra/condition.h"

namespace pliant {
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

// A large singular matrix leaves the sparse path.
TEST(ConstraintMatrix, FindsRedundancyAmongMany) {
  const int n = 60;
  MatrixXd rows = MatrixXd::Zero(n, n - 1);
  for (int i = 0; i < n - 1; ++i) {
    rows(i, i) = 1.0;
    if (i > 0) rows(i, i - 1) = 0.3;
  }
  // The last is a mixture of two others, so that its pivot is rounding and not exactly zero.
  rows.row(n - 1) = 0.7 * rows.row(20) + 0.1 * rows.row(33);
  const MatrixXd dense = rows * rows.transpose();
  const ConstraintMatrix matrix(dense.sparseView());
  EXPECT_EQ(matrix.redundant(), 1);
  EXPECT_THAT(matrix.involved(), ElementsAre(20, 33, n - 1));
  const MatrixXd b = dense * RightSides(n);
  EXPECT_LT((dense * Solve(matrix, b) - b).norm(), 1e-9 * b.norm());
}

}  // namespace
}  // namespace pliant
