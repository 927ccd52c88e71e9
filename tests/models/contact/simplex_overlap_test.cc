#include "models/contact/simplex_overlap.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

#include "tests/random_numbers.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

template <size_t n>
using Corners = std::array<Vector3d, n>;

// A random simplex around `middle`, not turned inside out.
template <size_t n>
Corners<n> RandomSimplex(RandomNumbers* random, const Vector3d& middle) {
  for (;;) {
    Corners<n> corners;
    for (Vector3d& corner : corners) {
      corner = middle + random->Vector();
      if (n == 3) corner.z() = 0.0;
    }
    if constexpr (n == 3) {
      const double area = (corners[1] - corners[0]).cross(corners[2] - corners[0]).z();
      if (std::abs(area) < 0.2) continue;
      if (area < 0.0) std::swap(corners[0], corners[1]);
    } else {
      const double volume =
          (corners[1] - corners[0]).cross(corners[2] - corners[0]).dot(corners[3] - corners[0]);
      if (std::abs(volume) < 0.2) continue;
      if (volume < 0.0) std::swap(corners[0], corners[1]);
    }
    return corners;
  }
}

template <size_t n>
double ContentOf(const Corners<n>& a, const Corners<n>& b) {
  SimplexOverlap overlap;
  return FindOverlap(a, b, &overlap) ? overlap.content : 0.0;
}

template <size_t n>
void ExpectGradientsAndBalance(std::uint64_t seed) {
  RandomNumbers random(seed);
  int met = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    Corners<n> a = RandomSimplex<n>(&random, Vector3d::Zero());
    Corners<n> b =
        RandomSimplex<n>(&random, 0.3 * random.Vector().cwiseProduct(Vector3d(1, 1, n - 3.0)));
    SimplexOverlap overlap;
    if (!FindOverlap(a, b, &overlap)) continue;
    ++met;
    Vector3d sum = Vector3d::Zero(), moment = Vector3d::Zero(), surface = Vector3d::Zero();
    constexpr double kShift = 1e-6;
    for (int of = 0; of < 2; ++of) {
      Corners<n>& moved = of == 0 ? a : b;
      const auto& gradients = of == 0 ? overlap.by_a.of_a : overlap.by_a.of_b;
      for (size_t i = 0; i < n; ++i) {
        sum += gradients[i];
        moment += moved[i].cross(gradients[i]);
        if (of == 1) surface += gradients[i];
        for (int axis = 0; axis < (n == 3 ? 2 : 3); ++axis) {
          const double at = moved[i][axis];
          moved[i][axis] = at + kShift;
          const double above = ContentOf(a, b);
          moved[i][axis] = at - kShift;
          const double below = ContentOf(a, b);
          moved[i][axis] = at;
          EXPECT_NEAR(gradients[i][axis], (above - below) / (2.0 * kShift), 2e-5) << trial;
        }
      }
    }
    EXPECT_LT(sum.norm(), 1e-13) << trial;
    EXPECT_LT(moment.norm(), 1e-12) << trial;
    EXPECT_LT((surface - overlap.by_a.surface).norm(), 1e-13) << trial;
  }
  EXPECT_GT(met, 500);
}

TEST(SimplexOverlap, GradientsAreThoseOfTheContentAndBalanceEachOther) {
  ExpectGradientsAndBalance<3>(1);
  ExpectGradientsAndBalance<4>(2);
}

// Two boxes, cut into simplices that fill them, have a common part that is a box: also where sides
// coincide, which a random test never meets.
template <size_t n>
std::vector<Corners<n>> Pieces(const Vector3d& low, const Vector3d& size) {
  const auto corner = [&](int i, int j, int k) -> Vector3d {
    return low + size.cwiseProduct(Vector3d(i, j, k));
  };
  if constexpr (n == 3) {
    return {{corner(0, 0, 0), corner(1, 0, 0), corner(1, 1, 0)},
            {corner(0, 0, 0), corner(1, 1, 0), corner(0, 1, 0)}};
  } else {
    // Kuhn's six: one for each order of the axes.
    std::vector<Corners<n>> pieces;
    std::array<int, 3> order = {0, 1, 2};
    do {
      Corners<n> piece;
      std::array<int, 3> at = {0, 0, 0};
      piece[0] = corner(0, 0, 0);
      for (int s = 0; s < 3; ++s) {
        at[order[s]] = 1;
        piece[s + 1] = corner(at[0], at[1], at[2]);
      }
      if ((piece[1] - piece[0]).cross(piece[2] - piece[0]).dot(piece[3] - piece[0]) < 0.0) {
        std::swap(piece[1], piece[2]);
      }
      pieces.push_back(piece);
    } while (std::next_permutation(order.begin(), order.end()));
    return pieces;
  }
}

template <size_t n>
void ExpectBoxes(const Vector3d& low_a, const Vector3d& size_a, const Vector3d& low_b,
                 const Vector3d& size_b) {
  const Vector3d low = low_a.cwiseMax(low_b);
  const Vector3d size = ((low_a + size_a).cwiseMin(low_b + size_b) - low).cwiseMax(0.0);
  const double expected = n == 3 ? size.x() * size.y() : size.prod();
  double content = 0.0;
  Vector3d moment = Vector3d::Zero(), sum = Vector3d::Zero();
  double torque = 0.0;
  for (const Corners<n>& a : Pieces<n>(low_a, size_a)) {
    for (const Corners<n>& b : Pieces<n>(low_b, size_b)) {
      SimplexOverlap overlap;
      if (!FindOverlap(a, b, &overlap)) continue;
      content += overlap.content;
      moment += overlap.moment;
      Vector3d turning = Vector3d::Zero();
      for (size_t i = 0; i < n; ++i) {
        sum += overlap.by_a.of_a[i] + overlap.by_a.of_b[i];
        turning += a[i].cross(overlap.by_a.of_a[i]) + b[i].cross(overlap.by_a.of_b[i]);
      }
      torque = std::max(torque, turning.norm());
    }
  }
  EXPECT_NEAR(content, expected, 1e-14);
  if (expected > 0.0) {
    Vector3d middle = low + 0.5 * size;
    if (n == 3) middle.z() = 0.0;
    EXPECT_LT((moment / content - middle).norm(), 1e-9);
  }
  EXPECT_LT(sum.norm(), 1e-14);
  EXPECT_LT(torque, 1e-14);
}

TEST(SimplexOverlap, BoxesThatShareSidesHaveTheContentOfTheirCommonBox) {
  for (const double x : {0.0, 0.25, -1.0, 1.0, 2.0, 1e-17, -1e-17, 0.3}) {
    for (const double y : {0.999, 0.0, 1.0, 0.5, 1.0 - 1e-4}) {
      for (const double z : {0.0, 0.125, -1e-16}) {
        const Vector3d low(x, y, z), unit(1, 1, 1), half(0.5, 1.0, 0.7);
        ExpectBoxes<3>({0, 0, 0}, {1, 1, 0}, {x, y, 0}, {1, 1, 0});
        ExpectBoxes<3>({0, 0, 0}, {1, 1, 0}, {x, y, 0}, {0.5, 1, 0});
        ExpectBoxes<4>({0, 0, 0}, unit, low, unit);
        ExpectBoxes<4>({0, 0, 0}, unit, low, half);
      }
    }
  }
}

TEST(SimplexOverlap, WhatIsTurnedInsideOutOrFlatHasNone) {
  const TriangleCorners a = {Vector3d(0, 0, 0), Vector3d(1, 0, 0), Vector3d(0, 1, 0)};
  const TriangleCorners turned = {a[0], a[2], a[1]};
  const TriangleCorners flat = {a[0], a[1], Vector3d(0.5, 0, 0)};
  SimplexOverlap overlap;
  EXPECT_TRUE(FindOverlap(a, a, &overlap));
  EXPECT_DOUBLE_EQ(overlap.content, 0.5);
  for (const TriangleCorners& b : {turned, flat}) {
    EXPECT_FALSE(FindOverlap(a, b, &overlap));
    EXPECT_FALSE(FindOverlap(b, a, &overlap));
  }
  const TetrahedronCorners t = {Vector3d(0, 0, 0), Vector3d(1, 0, 0), Vector3d(0, 1, 0),
                                Vector3d(0, 0, 1)};
  EXPECT_TRUE(FindOverlap(t, t, &overlap));
  EXPECT_DOUBLE_EQ(overlap.content, 1.0 / 6.0);
  EXPECT_FALSE(FindOverlap(t, TetrahedronCorners{t[0], t[2], t[1], t[3]}, &overlap));
}

TEST(SimplexOverlap, WeightsReproduceThePlace) {
  RandomNumbers random(3);
  for (int trial = 0; trial < 100; ++trial) {
    const auto t = RandomSimplex<4>(&random, Vector3d::Zero());
    const Vector3d x = 3.0 * random.Vector();
    const Eigen::Vector4d w = WeightsAt(t, x);
    EXPECT_NEAR(w.sum(), 1.0, 1e-13);
    EXPECT_LT((w[0] * t[0] + w[1] * t[1] + w[2] * t[2] + w[3] * t[3] - x).norm(), 1e-12);
  }
}

}  // namespace
}  // namespace pliant
