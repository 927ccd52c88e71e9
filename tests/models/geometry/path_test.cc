#include "models/geometry/path.h"

#include <gtest/gtest.h>

#include "models/problem.h"

namespace pliant {
namespace {

Path Zigzag(Path::Interpolation interpolation) {
  Eigen::Matrix3Xd keys(3, 4);
  keys << 0, 1, 3, 2, 0, -1, 1, 0, 0, 0, 2, 1;
  return Path({0.0, 0.5, 1.7, 2.0}, keys, interpolation);
}

TEST(Path, PassesThroughItsKeys) {
  for (auto interpolation : {Path::Interpolation::kCubic, Path::Interpolation::kLinear}) {
    const Path path = Zigzag(interpolation);
    for (size_t i = 0; i < path.times().size(); ++i) {
      EXPECT_LT((path.At(path.times()[i]).position - path.keys().col(i)).norm(), 1e-14);
    }
  }
}

TEST(Path, VelocityAndAccelerationAreDerivativesOfPosition) {
  for (auto interpolation : {Path::Interpolation::kCubic, Path::Interpolation::kLinear}) {
    const Path path = Zigzag(interpolation);
    const double h = 1e-5;
    for (double t : {0.1, 0.33, 0.9, 1.5, 1.85}) {
      const Eigen::Vector3d before = path.At(t - h).position, now = path.At(t).position,
                            after = path.At(t + h).position;
      EXPECT_LT((path.At(t).velocity - (after - before) / (2 * h)).norm(), 1e-7);
      EXPECT_LT((path.At(t).acceleration - (after - 2 * now + before) / (h * h)).norm(), 1e-4);
    }
  }
}

TEST(Path, CubicIsTwiceContinuouslyDifferentiableAndAtRestAtBothEnds) {
  const Path path = Zigzag(Path::Interpolation::kCubic);
  const double eps = 1e-9;
  for (double t : {0.5, 1.7}) {
    EXPECT_LT((path.At(t - eps).velocity - path.At(t + eps).velocity).norm(), 1e-6);
    EXPECT_LT((path.At(t - eps).acceleration - path.At(t + eps).acceleration).norm(), 1e-5);
  }
  EXPECT_LT(path.At(0.0).velocity.norm(), 1e-14);
  EXPECT_LT(path.At(2.0 - 1e-12).velocity.norm(), 1e-9);
}

TEST(Path, RestsBeforeTheFirstAndAfterTheLastKey) {
  const Path path = Zigzag(Path::Interpolation::kCubic);
  EXPECT_EQ(path.At(-1.0).position, path.keys().col(0));
  EXPECT_EQ(path.At(5.0).position, path.keys().col(3));
  EXPECT_EQ(path.At(5.0).velocity, Eigen::Vector3d::Zero());
}

TEST(Path, RefusesTimesThatDoNotIncrease) {
  EXPECT_THROW(Path({0.0, 0.0}, Eigen::Matrix3Xd::Zero(3, 2), Path::Interpolation::kCubic),
               BadInput);
  EXPECT_THROW(Path({}, Eigen::Matrix3Xd(3, 0), Path::Interpolation::kCubic), BadInput);
  EXPECT_THROW(Path({0.0, 1.0}, Eigen::Matrix3Xd::Zero(3, 3), Path::Interpolation::kLinear),
               BadInput);
}

}  // namespace
}  // namespace pliant
