#include "solvers/linear_algebra/bordered_cholesky.h"

#include <gtest/gtest.h>

#include "tests/models/dynamic_ffd/subjects.h"

namespace pliant::dynamic_ffd {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

template <int k>
void ExpectSolves(int n, RandomNumbers* random) {
  const MatrixXd root = random->Matrix(n + k, n + k);
  const MatrixXd m = root * root.transpose() + 0.1 * MatrixXd::Identity(n + k, n + k);
  BorderedCholesky<k> cholesky(m.topLeftCorner(n, n));
  ASSERT_TRUE(cholesky.Factor(m.topRightCorner(n, k), m.bottomRightCorner(k, k)));
  const VectorXd b = random->Vector(n + k);
  VectorXd x = b.head(n);
  Eigen::Matrix<double, k, 1> y = b.tail(k);
  cholesky.Solve(&x, &y);
  VectorXd whole(n + k);
  whole << x, y;
  EXPECT_LT((m * whole - b).norm(), 1e-12);
}

TEST(BorderedCholesky, SolvesAsTheWholeMatrixWould) {
  RandomNumbers random(77);
  for (int n : {2, 3, 6, 17}) {
    ExpectSolves<1>(n, &random);
    ExpectSolves<3>(n, &random);
  }
}

TEST(BorderedCholesky, SaysWhenTheMatrixIsNotPositiveDefinite) {
  const Eigen::Matrix<double, 1, 1> corner(1.0);
  const Eigen::Matrix<double, Eigen::Dynamic, 1> border = Eigen::Vector2d(0.8, 0.8);
  BorderedCholesky<1> positive(MatrixXd::Identity(2, 2));
  EXPECT_FALSE(positive.Factor(border, corner));  // 1 − 2 · 0.64 < 0
  EXPECT_TRUE(positive.Factor(0.5 * border, corner));
  MatrixXd indefinite = MatrixXd::Identity(2, 2);
  indefinite(1, 1) = -1.0;
  EXPECT_FALSE(BorderedCholesky<1>(indefinite).Factor(0.0 * border, corner));
}

}  // namespace
}  // namespace pliant::dynamic_ffd
