// Acceleration of a fixed-point iteration, on systems whose answer is known.

#include "solvers/finite_elements/krylov_subspace.h"

#include <gtest/gtest.h>

#include <Eigen/Core>

#include "tests/random_numbers.h"

namespace pliant::finite_elements {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// The norm of f = x − B x − b after `iterations`, by parts of the steps.
double Left(const MatrixXd& B, const VectorXd& b, int iterations, double part, bool accelerated) {
  KrylovSubspace subspace;
  VectorXd x = VectorXd::Zero(b.size());
  const auto f = [&]() -> VectorXd { return x - B * x - b; };
  for (int i = 0; i < iterations; ++i) {
    const VectorXd step = accelerated ? subspace.Step(f()) : f();
    x -= part * step;
    subspace.Moved(part);
  }
  return f().norm();
}

// What the factorised matrix lacks is of rank 3 and leaves 0.8 of the worst way: 3 steps tell it, the fourth uses it.
TEST(KrylovSubspace, FindsWhatIsOfLowRank) {
  RandomNumbers random(3);
  const int n = 30;
  MatrixXd u(n, 3);
  for (int j = 0; j < 3; ++j) u.col(j) = random.Vectors(n / 3).reshaped();
  const MatrixXd Q = u.householderQr().householderQ() * MatrixXd::Identity(n, 3);
  const MatrixXd B = Q * Eigen::Vector3d(0.8, -0.5, 0.3).asDiagonal() * Q.transpose();
  const VectorXd b = random.Vectors(n / 3).reshaped();
  EXPECT_GT(Left(B, b, 5, 1.0, false), 1e-2 * b.norm());
  EXPECT_LT(Left(B, b, 5, 1.0, true), 1e-12 * b.norm());
}

// Not symmetric, and no step is taken whole.
TEST(KrylovSubspace, KnowsThePartsThatWereTaken) {
  Eigen::Matrix3d B;
  B << 0.2, 0.9, 0.0, -0.9, 0.2, 0.1, 0.0, 0.3, -0.6;
  const Eigen::Vector3d b(1.0, -2.0, 0.5);
  // With all three ways known, each further part of a half leaves a half.
  const double four = Left(B, b, 4, 0.5, true), nine = Left(B, b, 9, 0.5, true);
  EXPECT_NEAR(nine / four, 1.0 / 32.0, 1e-6);
  EXPECT_GT(Left(B, b, 9, 0.5, false), 2.0 * nine);
}

TEST(KrylovSubspace, OfAnAnswerThatIsThereStaysThere) {
  KrylovSubspace subspace;
  const VectorXd zero = VectorXd::Zero(4);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(subspace.Step(zero), zero);
    subspace.Moved(1.0);
  }
}

}  // namespace
}  // namespace pliant::finite_elements
