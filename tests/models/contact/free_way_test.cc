// How far two parts may go until little of their gap is left, held against collision detection by boxes, which measures no gap.

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <random>

#include "models/collision/continuous.h"
#include "models/contact/pair_gap.h"

namespace pliant {
namespace {

using FourCorners = Eigen::Matrix<double, 3, 4>;

constexpr double kLeft = 0.1;
constexpr PairKind kKinds[] = {PairKind::kPointFace, PairKind::kEdgeEdge, PairKind::kPointEdge};

double GapAt(PairKind kind, const FourCorners& x) {
  const Eigen::Matrix3d r = x * PairVectors(kind);
  return std::sqrt(GapOf(kind, r.transpose() * r).squared);
}

std::optional<Impact> ImpactOf(PairKind kind, const FourCorners& from, const FourCorners& to,
                               const ImpactOptions& options) {
  const auto at = [&](int i) { return PointMotion{from.col(i), to.col(i)}; };
  if (kind == PairKind::kPointFace) return FirstImpact(at(0), {at(1), at(2), at(3)}, options);
  if (kind == PairKind::kEdgeEdge)
    return FirstImpact({at(0), at(1)}, std::array{at(2), at(3)}, options);
  return FirstImpact(at(0), std::array{at(1), at(2)}, options);
}

TEST(FreeWay, LeavesATenthOfTheGapAndMeetsNothing) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  int stopped = 0, free = 0, slow = 0;
  for (int trial = 0; trial < 30000; ++trial) {
    const PairKind kind = kKinds[trial % 3];
    FourCorners from, to;
    for (int i = 0; i < 4; ++i) {
      for (int axis = 0; axis < 3; ++axis) {
        from(axis, i) = any(random);
        to(axis, i) = from(axis, i) + 2.0 * any(random);
      }
    }
    const double gap = GapAt(kind, from), way = FreeWay(kind, from, to, kLeft, 1.0);
    const FourCorners there = from + way * (to - from);
    ASSERT_GE(GapAt(kind, there), kLeft * gap * (1.0 - 1e-9)) << trial;
    const auto impact = ImpactOf(kind, from, to, {.tolerance = 1e-9});
    if (impact && impact->found) {
      ASSERT_LT(way, impact->contact) << trial;
    }
    // All of it, or until at most 0.15 of the gap is left, if 50 gaps lead there.
    ++(way == 1.0 ? free : GapAt(kind, there) < 1.5001 * kLeft * gap ? stopped : slow);
    EXPECT_EQ(FreeWay(kind, from, to, kLeft, 0.3 * way), 0.3 * way);
  }
  EXPECT_GT(stopped, 300);
  EXPECT_GT(free, 10000);
  EXPECT_LT(slow, stopped / 10);
}

// A common motion is none. What approaches with parallel edges, or a point above a face, stops in a few gaps.
TEST(FreeWay, OfPartsThatLieParallel) {
  const double gap = 0.02;
  FourCorners edges, face;
  edges << 0, 1, 0.2, 1.3,  //
      gap, gap, 0, 0,       //
      0, 0, 0, 0;
  face << 0.2, 0, 1, 0,  //
      gap, 0, 0, 0,      //
      0.3, 0, 0, 1;
  for (const auto& [kind, from, first] :
       {std::tuple{PairKind::kEdgeEdge, edges, 2}, std::tuple{PairKind::kPointFace, face, 1}}) {
    FourCorners to = from;
    to.leftCols(first).row(1).array() -= 2.0 * gap;
    const double way = FreeWay(kind, from, to, kLeft, 1.0);
    EXPECT_LE(way, 0.45 + 1e-12);  // a tenth is left at 0.45 of the way
    EXPECT_GE(way, 0.425 - 1e-12);
    to.colwise() += Eigen::Vector3d(30.0, -40.0, 5.0);
    EXPECT_NEAR(FreeWay(kind, from, to, kLeft, 1.0), way, 1e-9);
    EXPECT_EQ(FreeWay(kind, from, FourCorners(from.colwise() + Eigen::Vector3d(3.0, 4.0, 5.0)),
                      kLeft, 1.0),
              1.0);
  }
}

}  // namespace
}  // namespace pliant
