// Paths made while a scene runs or from what a hand did: cubic segments and drags.

#include "models/geometry/drag.h"

#include <gtest/gtest.h>

#include <cmath>

#include "models/geometry/cubic_segment.h"
#include "models/geometry/path.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

TEST(CubicSegment, JoinsBothStates) {
  const Vector3d x0(1, 2, 3), v0(-1, 0.5, 2), x1(0, 4, 1), v1(3, -2, 0.1);
  const double begin = 0.7, tau = 0.4;
  const CubicSegment segment = CubicSegment::Join(begin, x0, v0, begin + tau, x1, v1);
  EXPECT_LT((segment.At(begin).position - x0).norm(), 1e-14);
  EXPECT_LT((segment.At(begin).velocity - v0).norm(), 1e-14);
  EXPECT_LT((segment.At(begin + tau).position - x1).norm(), 1e-13);
  EXPECT_LT((segment.At(begin + tau).velocity - v1).norm(), 1e-12);
  const Vector3d expected = (6.0 * (x1 - x0) - (4.0 * v0 + 2.0 * v1) * tau) / (tau * tau);
  EXPECT_LT((segment.At(begin).acceleration - expected).norm(), 1e-11);
}

TEST(CubicSegment, VelocityAndAccelerationAreDerivatives) {
  const CubicSegment segment =
      CubicSegment::Join(0.1, {1, 0, 2}, {0, 1, -3}, 0.9, {2, 2, 2}, {1, 1, 1});
  const double t = 0.37, h = 1e-5;
  const PathPoint at = segment.At(t), before = segment.At(t - h), after = segment.At(t + h);
  EXPECT_LT(((after.position - before.position) / (2 * h) - at.velocity).norm(), 1e-8);
  EXPECT_LT(((after.velocity - before.velocity) / (2 * h) - at.acceleration).norm(), 1e-8);
}

// A smooth way sampled at 60 Hz by a hand that trembles by 1 mm.
TEST(Drag, IsFollowedWithinTheToleranceByFewKeys) {
  std::vector<double> times;
  Eigen::Matrix3Xd samples(3, 121);
  for (int i = 0; i <= 120; ++i) {
    times.push_back(i / 60.0);
    const double s = 0.5 - 0.5 * std::cos(0.5 * 3.14159265 * times.back());
    samples.col(i) = Vector3d(s, 0.3 * std::sin(6.0 * s), 0.0);
    samples(1, i) += 1e-3 * std::sin(40.0 * i * i);
  }
  const DragKeys drag = FitDrag(times, samples, 4e-3);
  EXPECT_EQ(drag.times.front(), 0.0);
  EXPECT_EQ(drag.times.back(), 2.0);
  EXPECT_LT(drag.times.size(), 25u);
  EXPECT_GT(drag.times.size(), 4u);
  const Path path(drag.times, drag.keys, Path::Interpolation::kCubic);
  double worst = 0.0, jerky = 0.0, smooth = 0.0;
  const Path through_all(times, samples, Path::Interpolation::kCubic);
  for (int i = 0; i <= 120; ++i) {
    worst = std::max(worst, (path.At(times[i]).position - samples.col(i)).norm());
    smooth = std::max(smooth, path.At(times[i]).acceleration.norm());
    jerky = std::max(jerky, through_all.At(times[i]).acceleration.norm());
  }
  EXPECT_LE(worst, 4e-3);
  EXPECT_LT(smooth, 0.3 * jerky);
}

TEST(Drag, WithoutToleranceGoesThroughEverySample) {
  const std::vector<double> times = {0.0, 0.1, 0.25, 0.3};
  Eigen::Matrix3Xd samples(3, 4);
  samples << 0, 1, -1, 2, 0, 0, 3, 1, 1, 0, 0, 0;
  EXPECT_EQ(FitDrag(times, samples, 1e-12).times, times);
}

}  // namespace
}  // namespace pliant
