#include "solvers/linear_algebra/condition.h"

#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

TEST(ConditionNumber, IsTheRatioOfExtremeEigenvalues) {
  Eigen::Matrix2d m;
  m << 2, 1, 1, 2;  // eigenvalues 1 and 3
  EXPECT_NEAR(ConditionNumber(m), 3.0, 1e-14);
}

TEST(ConditionNumber, IsInfiniteForASingularMatrix) {
  EXPECT_TRUE(std::isinf(ConditionNumber(Eigen::Matrix3d::Ones())));
  EXPECT_TRUE(std::isinf(EquilibratedConditionNumber(Eigen::Matrix3d::Ones())));
  EXPECT_TRUE(std::isnan(ConditionNumber(Eigen::MatrixXd(0, 0))));
}

TEST(ConditionNumber, EquilibrationForgetsUnits) {
  Eigen::Matrix2d m;
  m << 2, 1, 1, 2;
  const Eigen::Vector2d units(1e-3, 1e4);
  const Eigen::Matrix2d scaled = units.asDiagonal() * m * units.asDiagonal();
  EXPECT_GT(ConditionNumber(scaled), 1e10);
  EXPECT_NEAR(EquilibratedConditionNumber(scaled), 3.0, 1e-12);
}

}  // namespace
}  // namespace pliant
