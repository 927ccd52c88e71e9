#include "models/scene/touch.h"

#include <gtest/gtest.h>

#include <tuple>
#include <vector>

#include "tests/random_numbers.h"

namespace pliant {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

Obstacle At(const ObstacleShape& shape, const Vector3d& origin, const Vector3d& velocity) {
  Matrix3Xd keys(3, 2);
  keys << origin, origin + velocity;
  return {.shape = shape, .motion = Path({0.0, 1.0}, keys, Path::Interpolation::kLinear)};
}

// Every point against every obstacle, one at a time.
TEST(Touch, FindsWhatEachSignedDistanceSays) {
  const Eigen::Matrix3d turned =
      Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized()).toRotationMatrix();
  const std::vector<Obstacle> obstacles = {
      At(Plane{Vector3d(1, 2, 0).normalized()}, {0, -0.5, 0}, {0, 0, 0}),
      At(Sphere{0.6}, {0.2, 0, 0}, {0, 1, 0}),
      At(Box{{0.5, 0.2, 0.7}, turned}, {-0.3, 0.1, 0}, {1, 0, 0}),
      At(Capsule{{0.3, 0.4, 0}, 0.2}, {0, 0, 0.4}, {0, 0, -1}),
  };
  const Matrix3Xd x = 1.5 * RandomNumbers(7).Vectors(400);
  for (const double reach : {0.0, 0.3, -0.1}) {
    for (const double time : {0.0, 0.4}) {
      std::vector<std::tuple<int, int, double>> expected, found;
      for (int o = 0; o < 4; ++o) {
        const PathPoint origin = obstacles[o].motion.At(time);
        for (int i = 0; i < x.cols(); ++i) {
          const double distance =
              SignedDistance(obstacles[o].shape, origin.position, x.col(i)).distance;
          if (distance < reach) expected.emplace_back(o, i, distance);
        }
      }
      ForEachTouch(obstacles, time, x, reach, [&](const Touch& touch) {
        found.emplace_back(touch.obstacle, touch.point, touch.at.distance);
        const PathPoint origin = obstacles[touch.obstacle].motion.At(time);
        EXPECT_EQ(touch.offset, Vector3d(x.col(touch.point) - origin.position));
        EXPECT_EQ(touch.velocity, origin.velocity);
      });
      EXPECT_EQ(found, expected);
      EXPECT_GT(found.size(), 10U);
    }
  }
}

}  // namespace
}  // namespace pliant
