#include "models/geometry/quadrature.h"

#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

// ∫₀¹ s^k ds = 1/(k+1), exact up to k = 2 n − 1 and no further.
TEST(GaussLegendre, IsExactUpToItsDegree) {
  for (int n = 1; n <= 9; ++n) {
    const QuadratureRule rule = GaussLegendre(n);
    ASSERT_EQ(rule.nodes.size(), n);
    for (int k = 0; k <= 2 * n; ++k) {
      const double integral = rule.weights.dot(rule.nodes.array().pow(k).matrix());
      if (k < 2 * n) {
        EXPECT_NEAR(integral, 1.0 / (k + 1), 1e-14) << n << " points, degree " << k;
      } else {
        EXPECT_GT(std::abs(integral - 1.0 / (k + 1)), 1e-12);
      }
    }
  }
}

}  // namespace
}  // namespace pliant
