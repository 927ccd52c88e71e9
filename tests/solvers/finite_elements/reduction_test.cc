#include "solvers/finite_elements/reduction.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

namespace pliant::finite_elements {
namespace {

// Random rows that share unknowns, the last of which is the sum of two others.
std::vector<LinearRow> SomeRows() {
  return {{{0, 1.0}},
          {{2, 0.5}, {3, 0.25}, {4, 0.25}},
          {{3, 1.0}, {7, -1.0}},
          {{4, 2.0}, {0, 1.0}, {9, -0.5}},
          {{0, 1.0}, {3, 1.0}, {7, -1.0}}};
}

TEST(Reduction, EverySolutionOfTheRowsAndNothingElse) {
  const auto rows = SomeRows();
  const Reduction reduction(11, rows);
  EXPECT_EQ(reduction.redundant(), std::vector<int>{4});
  ASSERT_EQ(reduction.size(), 7);
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 5; ++trial) {
    Eigen::VectorXd q(11), b(5);
    for (double& value : q) value = normal(random);
    for (double& value : b) value = normal(random);
    b[4] = b[0] + b[2];
    const Eigen::VectorXd before = q;
    reduction.Complete(b, q);
    EXPECT_LT((reduction.C() * q - b).norm(), 1e-14);
    for (const int free : reduction.free()) EXPECT_EQ(q[free], before[free]);
  }
  // T spans the null space of C.
  EXPECT_LT((reduction.C() * reduction.T()).norm(), 1e-15);
  EXPECT_EQ(Eigen::FullPivLU<Eigen::MatrixXd>(Eigen::MatrixXd(reduction.C())).rank(),
            11 - reduction.size());
}

}  // namespace
}  // namespace pliant::finite_elements
