#include "models/collision/crossing.h"

#include <gmpxx.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "tests/random_numbers.h"

namespace pliant {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

mpq_class ExactVolume(const Matrix3Xd& x, int a, int b, int c, int d) {
  std::array<std::array<mpq_class, 3>, 3> m;
  const std::array<int, 3> ends = {b, c, d};
  for (int row = 0; row < 3; ++row) {
    for (int k = 0; k < 3; ++k) m[row][k] = mpq_class(x(k, ends[row])) - mpq_class(x(k, a));
  }
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
         m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

// The sign is that of the exact volume wherever it is not 0.
TEST(Crossing, KnowsTheSideOfAPlaneOrThatRoundingHidesIt) {
  RandomNumbers random(3);
  int hidden = 0;
  for (int i = 0; i < 20000; ++i) {
    Matrix3Xd x = random.Vectors(4);
    if (i % 2 == 0) {  // nearly in one plane
      const double u = random.Number(), v = random.Number();
      x.col(3) = x.col(0) + u * (x.col(1) - x.col(0)) + v * (x.col(2) - x.col(0));
      x.col(3) += std::ldexp(1.0, -40 - i % 20) * random.Vector();
    }
    const double volume = SignedVolume(x.col(0), x.col(1), x.col(2), x.col(3));
    const mpq_class exact = ExactVolume(x, 0, 1, 2, 3);
    if (volume == 0.0) {
      ++hidden;
      EXPECT_LT(std::abs(exact.get_d()), 1e-13);
    } else {
      ASSERT_EQ(volume > 0.0, sgn(exact) > 0) << i;
    }
  }
  EXPECT_GT(hidden, 100);
  EXPECT_LT(hidden, 10000);
}

TEST(Crossing, AnEdgeCrossesTheFaceThatItGoesThrough) {
  Matrix3Xd x(3, 5);
  x << 0, 2, 0, 0.5, 0.5, 0, 0, 2, 0.5, 0.5, 0, 0, 0, -1, 1;
  EXPECT_TRUE(EdgeCrossesFace(x, {3, 4}, {0, 1, 2}));
  EXPECT_TRUE(EdgeCrossesFace(x, {4, 3}, {2, 1, 0}));
  x.col(4) << 3, 3, 1;  // beside it
  EXPECT_FALSE(EdgeCrossesFace(x, {3, 4}, {0, 1, 2}));
  x.col(4) << 0.5, 0.5, 0;  // ends on it: touches
  EXPECT_FALSE(EdgeCrossesFace(x, {3, 4}, {0, 1, 2}));
  x.col(4) << 0.5, 0.5, -0.1;
  EXPECT_FALSE(EdgeCrossesFace(x, {3, 4}, {0, 1, 2}));
  EXPECT_FALSE(EdgeCrossesFace(x, {3, 0}, {0, 1, 2}));  // a corner in common
}

// Through the common side of two faces, and through the point that six share: one of them each.
TEST(Crossing, AnEdgeCrossesASurfaceOnceAlsoThroughItsSidesAndPoints) {
  Matrix3Xd x(3, 9);
  for (int k = 0; k < 6; ++k) {
    x.col(k) << std::round(4.0 * std::cos(k * M_PI / 3)), std::round(4.0 * std::sin(k * M_PI / 3)),
        0;
  }
  x.col(6).setZero();
  const auto crossings = [&x](const Vector3d& from, const Vector3d& to) {
    x.col(7) = from;
    x.col(8) = to;
    int count = 0;
    for (int k = 0; k < 6; ++k) count += EdgeCrossesFace(x, {7, 8}, {6, k, (k + 1) % 6});
    return count;
  };
  for (int k = 0; k < 6; ++k) {
    const Vector3d middle = 0.5 * x.col(k);
    EXPECT_EQ(crossings(middle - Vector3d::UnitZ(), middle + Vector3d::UnitZ()), 1) << k;
  }
  EXPECT_EQ(crossings({0, 0, -1}, {0, 0, 1}), 1);
  EXPECT_EQ(crossings({1, -1, -1}, {-1, 1, 1}), 1);
  RandomNumbers random(4);
  for (int i = 0; i < 1000; ++i) {
    const Vector3d from = random.Vector();
    EXPECT_EQ(crossings(from - 3.0 * Vector3d::UnitZ(), from + 3.0 * Vector3d::UnitZ()), 1);
  }
}

TEST(Crossing, EdgesInThePlane) {
  Matrix3Xd x(3, 4);
  x << 0, 2, 1, 1, 0, 0, -1, 1, 0, 0, 0, 0;
  EXPECT_TRUE(EdgesCross(x, {0, 1}, {2, 3}));
  EXPECT_TRUE(EdgesCross(x, {3, 2}, {0, 1}));
  EXPECT_FALSE(EdgesCross(x, {0, 1}, {1, 3}));
  x.col(3) << 1, 0, 0;  // touches
  EXPECT_FALSE(EdgesCross(x, {0, 1}, {2, 3}));
  x.col(2) << -1, 0, 0;  // on top of one another
  EXPECT_FALSE(EdgesCross(x, {0, 1}, {2, 3}));
}

}  // namespace
}  // namespace pliant
