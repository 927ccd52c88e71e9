#include "solvers/linear_deformation/row_reduction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <random>

#include "solvers/linear_deformation/constraint_matrix.h"

namespace pliant::linear_deformation {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using ::testing::ElementsAre;

constexpr double kSingular = ConstraintMatrix::kSingular;

// Bodies of `functions` functions each with their own W.
class Bodies {
 public:
  Bodies(int count, int functions, unsigned seed) : random_(seed), functions_(functions) {
    for (int b = 0; b < count; ++b) {
      const MatrixXd root = MatrixXd::Random(functions, functions);
      W_.push_back(root * root.transpose() + MatrixXd::Identity(functions, functions));
    }
  }
  VectorXd Row() {
    VectorXd row(functions_);
    for (double& value : row) value = std::uniform_real_distribution<double>(-1.0, 1.0)(random_);
    return row;
  }
  void Add(int constraint, int body, const VectorXd& row, ConstraintEnds* ends) const {
    const VectorXd impulse = W_[body] * row;
    ends->Add(constraint, body * functions_, functions_, row.data(), impulse.data());
  }

 private:
  std::mt19937 random_;
  int functions_;
  std::vector<MatrixXd> W_;
};

// `nails` on body 0, one tie of each body to the next, and `ties` between bodies 1 and 2.
ConstraintEnds ManyNails(int nails, int ties, int* size) {
  constexpr int kBodies = 5;
  Bodies bodies(kBodies, 4, 11);
  ConstraintEnds ends;
  *size = 0;
  for (int i = 0; i < nails; ++i) bodies.Add((*size)++, 0, bodies.Row(), &ends);
  for (int b = 0; b + 1 < kBodies; ++b) {
    bodies.Add(*size, b, bodies.Row(), &ends);
    bodies.Add((*size)++, b + 1, bodies.Row(), &ends);
  }
  for (int i = 0; i < ties; ++i) {
    bodies.Add(*size, 1, bodies.Row(), &ends);
    bodies.Add((*size)++, 2, bodies.Row(), &ends);
  }
  return ends;
}

// (D^-½ S D^-½)⁺ between two factors D^-½, by eigenvectors of the dense matrix.
MatrixXd PseudoInverse(const MatrixXd& S, int* rank) {
  const VectorXd scale = S.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::SelfAdjointEigenSolver<MatrixXd> scaled(scale.asDiagonal() * S * scale.asDiagonal());
  VectorXd inverse = scaled.eigenvalues();
  for (double& value : inverse) value = value > kSingular ? 1.0 / value : 0.0;
  *rank = static_cast<int>((inverse.array() != 0.0).count());
  const MatrixXd vectors = scale.asDiagonal() * scaled.eigenvectors();
  return vectors * inverse.asDiagonal() * vectors.transpose();
}

TEST(RowReduction, HelpsWhereABodyIsHeldByMoreThanItHasFunctions) {
  int size = 0;
  EXPECT_FALSE(RowReduction::Helps(size, ConstraintEnds()));
  ConstraintEnds ends = ManyNails(4, 3, &size);
  EXPECT_FALSE(RowReduction::Helps(size, ends));
  ends = ManyNails(5, 3, &size);
  EXPECT_TRUE(RowReduction::Helps(size, ends));
  ends = ManyNails(4, 8, &size);  // with that of the chain 9 between two bodies
  EXPECT_TRUE(RowReduction::Helps(size, ends));
}

TEST(RowReduction, MHasTheRankAndTheEigenvaluesOfS) {
  int size = 0;
  const ConstraintEnds ends = ManyNails(50, 20, &size);
  const RowReduction reduction(size, ends, kSingular);
  EXPECT_EQ(reduction.reduced_size(), 4 + 1 + 8 + 1 + 1);
  const MatrixXd S = ends.Matrix(size);
  EXPECT_LT((reduction.diagonal() - S.diagonal()).norm(), 1e-13 * S.norm());
  const MatrixXd M = reduction.ends().Matrix(reduction.reduced_size());
  const MatrixXd outer = reduction.diagonal().asDiagonal() * MatrixXd(reduction.basis());
  EXPECT_LT((outer * M * outer.transpose() - S).norm(), 1e-12 * S.norm());
  const MatrixXd C = reduction.root();
  const VectorXd of_M =
      Eigen::SelfAdjointEigenSolver<MatrixXd>(C.transpose() * M * C).eigenvalues();
  const VectorXd of_S = Eigen::SelfAdjointEigenSolver<MatrixXd>(S).eigenvalues();
  EXPECT_LT((of_M - of_S.tail(of_M.size())).norm(), 1e-12 * of_S.norm());
}

// Right sides that agree with the constraints and that do not.
TEST(RowReduction, ReducedMatrixSolvesLikeThePseudoInverseOfS) {
  for (int nails : {40, 300}) {
    for (int ties : {0, 3, 30}) {
      SCOPED_TRACE(testing::Message() << nails << " nails, " << ties << " ties");
      int size = 0, rank = 0;
      const ConstraintEnds ends = ManyNails(nails, ties, &size);
      const MatrixXd S = ends.Matrix(size);
      const MatrixXd inverse = PseudoInverse(S, &rank);
      const ConstraintMatrix matrix(size, ends);
      EXPECT_TRUE(matrix.is_reduced());
      EXPECT_EQ(matrix.size(), size);
      EXPECT_EQ(matrix.redundant(), size - rank);
      EXPECT_LT((matrix.Dense() - S).norm(), 1e-12 * S.norm());
      MatrixXd b = MatrixXd::Random(size, 3);
      for (const MatrixXd& side : {b, MatrixXd(S * b)}) {
        const MatrixXd expected = inverse * side;
        MatrixXd x(size, 3), copy = side;
        matrix.Solve(&copy, &x);
        EXPECT_LT((x - expected).norm(), 1e-10 * expected.norm());
      }
      const VectorXd eigenvalues = Eigen::SelfAdjointEigenSolver<MatrixXd>(S).eigenvalues();
      const double condition = eigenvalues[size - 1] / eigenvalues[size - rank];
      EXPECT_NEAR(matrix.condition_number() / condition, 1.0, 1e-6);
    }
  }
}

// A tie between two nailed bodies has nothing left to do: the redundancy is between groups.
TEST(RowReduction, RedundancyBetweenGroupsIsFoundToo) {
  Bodies bodies(3, 3, 5);
  ConstraintEnds ends;
  int size = 0;
  for (int b = 0; b < 2; ++b) {
    for (int i = 0; i < 20; ++i) bodies.Add(size++, b, bodies.Row(), &ends);
  }
  bodies.Add(size, 0, bodies.Row(), &ends);
  bodies.Add(size++, 1, bodies.Row(), &ends);
  bodies.Add(size, 1, bodies.Row(), &ends);  // to a free body: not redundant
  bodies.Add(size++, 2, bodies.Row(), &ends);
  const ConstraintMatrix matrix(size, ends);
  ASSERT_TRUE(matrix.is_reduced());
  EXPECT_EQ(matrix.redundant(), 17 + 17 + 1);
  std::vector<int> all_but_the_last(size - 1);
  for (int i = 0; i + 1 < size; ++i) all_but_the_last[i] = i;
  EXPECT_EQ(matrix.involved(), all_but_the_last);
  int rank = 0;
  const MatrixXd inverse = PseudoInverse(ends.Matrix(size), &rank);
  MatrixXd b = MatrixXd::Random(size, 1), x(size, 1);
  const MatrixXd expected = inverse * b;
  matrix.Solve(&b, &x);
  EXPECT_LT((x - expected).norm(), 1e-10 * expected.norm());
}

// Nails without redundancy are involved in none: a body held at k points and one held at more.
TEST(RowReduction, OnlyRedundantNailsAreInvolved) {
  Bodies bodies(2, 4, 7);
  ConstraintEnds ends;
  int size = 0;
  for (int i = 0; i < 4; ++i) bodies.Add(size++, 0, bodies.Row(), &ends);
  VectorXd one = bodies.Row();
  for (int i = 0; i < 40; ++i) bodies.Add(size++, 1, (1.0 + i) * one, &ends);
  const ConstraintMatrix matrix(size, ends);
  EXPECT_EQ(matrix.redundant(), 39);
  EXPECT_EQ(matrix.involved().size(), 40u);
  EXPECT_EQ(matrix.involved().front(), 4);
}

}  // namespace
}  // namespace pliant::linear_deformation
