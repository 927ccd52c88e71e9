#include "models/contact/barrier.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "models/collision/closest.h"
#include "models/contact/pair_gap.h"

namespace pliant {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

TEST(BarrierLaw, IsTheLogarithmAndDerivativesAreItsOwn) {
  const double d = 0.02;
  const Barrier barrier(d);
  EXPECT_NEAR(barrier.Value(0.5 * d), 0.25 * d * std::log(2.0), 1e-16);
  for (const double y : {-0.5, 0.005, 0.0099, 0.0101, 0.1, 0.5, 0.99, 1.2}) {
    const double r = y * d, step = 1e-7 * d;
    EXPECT_NEAR((barrier.Value(r + step) - barrier.Value(r - step)) / (2.0 * step),
                barrier.Slope(r), 1e-5 * (1e-3 + std::abs(barrier.Slope(r))));
    EXPECT_NEAR((barrier.Slope(r + step) - barrier.Slope(r - step)) / (2.0 * step),
                barrier.Curvature(r), 1e-5 * (1.0 + barrier.Curvature(r)));
    EXPECT_LE(barrier.Slope(r), 0.0);
    EXPECT_GE(barrier.Curvature(r), 0.0);
  }
}

// At any two rooms, however close, and over both kinks.
TEST(BarrierLaw, DividedDifferenceIsExact) {
  const double d = 0.02;
  const Barrier barrier(d);
  for (const double r0 : {0.002 * d, 0.03 * d, 0.3 * d, 0.98 * d}) {
    for (const double change : {0.5, 0.05, 1e-2, 1e-3, 1e-6, -1e-9, -1e-3, -0.02}) {
      const double r1 = r0 + change * d;
      const double exact = barrier.Value(r1) - barrier.Value(r0);
      EXPECT_NEAR(barrier.DividedDifference(r0, r1) * (r1 - r0), exact,
                  1e-13 * barrier.Value(r0) + 1e-11 * std::abs(exact))
          << r0 / d << ' ' << change;
    }
    const double step = 1e-6 * d;
    for (const double r1 : {0.05 * d, 0.5 * d, 0.9 * d}) {
      EXPECT_NEAR(
          (barrier.DividedDifference(r0, r1 + step) - barrier.DividedDifference(r0, r1 - step)) /
              (2.0 * step),
          barrier.DividedSlope(r0, r1), 1e-4 * barrier.DividedSlope(r0, r1) + 1e-3);
    }
  }
}

class PairGaps : public testing::Test {
 protected:
  Vector3d Random() {
    Vector3d x;
    for (double& c : x) c = 2.0 * std::generate_canonical<double, 53>(random_) - 1.0;
    return x;
  }
  static Matrix3d Gram(PairKind kind, const Eigen::Matrix<double, 3, 4>& x) {
    const Matrix3d r = x * PairVectors(kind);
    return r.transpose() * r;
  }
  std::mt19937_64 random_{7};  // seed 7
};

// Against the closest places of models/collision, found from the corners in another way.
TEST_F(PairGaps, AreTheDistancesOfTheClosestPlaces) {
  for (int trial = 0; trial < 2000; ++trial) {
    Eigen::Matrix<double, 3, 4> x;
    for (int i = 0; i < 4; ++i) x.col(i) = Random();
    if (trial % 5 == 0) x.col(3) = x.col(2) + (x.col(1) - x.col(0));  // parallel edges
    const Vector3d a = x.col(0), b = x.col(1), c = x.col(2), e = x.col(3);
    const std::array<Vector3d, 3> face = {b, c, e};
    EXPECT_NEAR(GapOf(PairKind::kPointFace, Gram(PairKind::kPointFace, x)).squared,
                (a - PlaceOnTriangle(face, ClosestOnTriangle(face, a))).squaredNorm(), 1e-12);
    EXPECT_NEAR(GapOf(PairKind::kEdgeEdge, Gram(PairKind::kEdgeEdge, x)).squared,
                ClosestOfSegments(a, b, c, e).squared, 1e-12);
    EXPECT_NEAR(GapOf(PairKind::kPointEdge, Gram(PairKind::kPointEdge, x)).squared,
                (a - PlaceOnSegment(b, c, ClosestOnSegment(b, c, a))).squaredNorm(), 1e-12);
  }
}

TEST_F(PairGaps, HaveTheSlopeOfTheMinimum) {
  for (const PairKind kind : {PairKind::kPointFace, PairKind::kEdgeEdge, PairKind::kPointEdge}) {
    for (int trial = 0; trial < 200; ++trial) {
      Eigen::Matrix<double, 3, 4> x, y;
      for (int i = 0; i < 4; ++i) {
        x.col(i) = Random();
        y.col(i) = Random();
      }
      constexpr double kStep = 1e-6;
      const PairGap gap = GapOf(kind, Gram(kind, x));
      const double ahead = GapOf(kind, Gram(kind, x + kStep * y)).squared;
      const double behind = GapOf(kind, Gram(kind, x - kStep * y)).squared;
      const Matrix3d change = Gram(kind, x + kStep * y) - Gram(kind, x - kStep * y);
      EXPECT_NEAR(gap.z.dot(change * gap.z) / (2.0 * kStep), (ahead - behind) / (2.0 * kStep),
                  1e-4);
    }
  }
}

}  // namespace
}  // namespace pliant
