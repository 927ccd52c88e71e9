#include "models/geometry/bernstein.h"

#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

double Binomial(int n, int i) {
  return std::round(
      std::exp(std::lgamma(n + 1.0) - std::lgamma(i + 1.0) - std::lgamma(n - i + 1.0)));
}

TEST(Bernstein, IsTheProductOfBinomialAndPowers) {
  for (int n = 0; n <= 6; ++n) {
    for (double u : {-0.3, 0.0, 0.25, 0.6, 1.0, 1.4}) {
      const Eigen::VectorXd basis = Bernstein(n, u);
      ASSERT_EQ(basis.size(), n + 1);
      for (int i = 0; i <= n; ++i) {
        const double expected = Binomial(n, i) * std::pow(1.0 - u, n - i) * std::pow(u, i);
        EXPECT_NEAR(basis[i], expected, 1e-13) << "B_" << i << "^" << n << "(" << u << ")";
      }
    }
  }
}

TEST(Bernstein, CubicAtOneThirdIsWorkedByHand) {
  EXPECT_TRUE(Bernstein(3, 1.0 / 3.0).isApprox(Eigen::Vector4d(8, 12, 6, 1) / 27.0, 1e-15));
}

TEST(Bernstein, SumsToOneAndHasLinearPrecision) {
  for (int n = 1; n <= 9; ++n) {
    for (double u : {-0.2, 0.1, 0.5, 0.9, 1.2}) {
      const Eigen::VectorXd basis = Bernstein(n, u);
      EXPECT_NEAR(basis.sum(), 1.0, 1e-12);
      EXPECT_NEAR(basis.dot(Eigen::VectorXd::LinSpaced(n + 1, 0.0, 1.0)), u, 1e-12);
    }
  }
}

}  // namespace
}  // namespace pliant
