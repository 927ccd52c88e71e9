#include "models/contact/clearance.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "tests/models/geometry/meshes.h"
#include "tests/random_numbers.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

std::vector<ObstacleShape> Shapes() {
  const Eigen::Matrix3d axes =
      Eigen::AngleAxisd(0.7, Vector3d(1, 2, -1).normalized()).toRotationMatrix();
  const meshes::Shape solid = meshes::Octahedron();
  Solid two{ConvexPieces(axes * solid.vertices, solid.mesh)};
  two.pieces.push_back(
      ConvexPieces((0.5 * solid.vertices).colwise() + Vector3d(1.2, 0, 0), solid.mesh)[0]);
  return {Plane{Vector3d(0.6, 0.8, 0.0)}, Sphere{0.8}, Box{Vector3d(0.5, 0.9, 0.2), axes},
          Capsule{Vector3d(0.3, 0.6, -0.2), 0.4}, two};
}

// Calls visit(place) for places all over the part.
template <typename Visit>
void ForEachPlace(const PartCorners& x, const Visit& visit) {
  constexpr int kParts = 40;
  for (int i = 0; i <= kParts; ++i) {
    for (int j = 0; i + j <= kParts; ++j) {
      const double u = static_cast<double>(i) / kParts, v = static_cast<double>(j) / kParts;
      if (x.cols() == 1) return visit(Vector3d(x.col(0)));
      if (x.cols() == 2 && j > 0) break;
      const Vector3d last = x.cols() == 2 ? Vector3d(x.col(0)) : Vector3d(x.col(2));
      visit(Vector3d((1.0 - u - v) * x.col(0) + u * x.col(1) + v * last));
    }
  }
}

// Size of the part over the number of places along it: as far is the deepest from one of them.
double Between(const PartCorners& x) {
  double longest = 0.0;
  for (Eigen::Index j = 1; j < x.cols(); ++j) {
    longest = std::max(longest, (x.col(j) - x.col(0)).norm() + (x.col(j) - x.col(j - 1)).norm());
  }
  return longest / 40.0;
}

const Vector3d kOrigin(0.3, -0.2, 0.1);

TEST(Clearance, IsTheDepthOfTheDeepestPlaceOrNoMoreThanTheDistance) {
  RandomNumbers random(3);
  for (const ObstacleShape& shape : Shapes()) {
    int inside = 0, between_corners = 0;
    for (int i = 0; i < 600; ++i) {
      PartCorners x = 1.6 * random.Matrix(3, 1 + i % 3);
      if (i % 7 == 0 && x.cols() == 3) x.col(2) = 0.5 * (x.col(0) + x.col(1));  // no area
      const Clearance clearance = ClearanceOf(shape, kOrigin, x);
      double least = 1e9, of_corners = 1e9;
      ForEachPlace(x, [&](const Vector3d& place) {
        least = std::min(least, SignedDistance(shape, kOrigin, place).distance);
      });
      for (Eigen::Index j = 0; j < x.cols(); ++j) {
        of_corners = std::min(of_corners, SignedDistance(shape, kOrigin, x.col(j)).distance);
      }
      EXPECT_LE(clearance.distance, least + 1e-12);
      if (clearance.distance >= 0.0) continue;
      ++inside;
      between_corners += of_corners > 0.0;
      EXPECT_GE(clearance.distance, least - Between(x) - 1e-12);
      EXPECT_NEAR(clearance.weights.sum(), 1.0, 1e-12);
      EXPECT_GE(clearance.weights.minCoeff(), -1e-12);
      const Vector3d place = x * clearance.weights.head(x.cols());
      EXPECT_NEAR(SignedDistance(shape, kOrigin, place).distance, clearance.distance, 1e-12);
    }
    EXPECT_GT(inside, 100);
    EXPECT_TRUE(PlaneOf(shape) != nullptr || between_corners > 20) << between_corners;
  }
}

// In closed form: a rod that runs across a box, 0.15 deep, at all angles.
TEST(Clearance, OfARodAcrossABoxIsItsDepthBelowTheFace) {
  for (double angle = 0.0; angle < 3.0; angle += 0.1) {
    PartCorners x(3, 2);
    const Vector3d along(std::cos(angle), 0.0, std::sin(angle));
    x << Vector3d(0, 0.35, 0) - 5.0 * along, Vector3d(0, 0.35, 0) + 5.0 * along;
    EXPECT_NEAR(ClearanceOf(Box{}, Vector3d::Zero(), x).distance, -0.15, 1e-14);
    EXPECT_NEAR(ClearanceOf(Sphere{0.5}, Vector3d::Zero(), x).distance, -0.15, 1e-14);
  }
}

TEST(ObstacleImpact, MissesNothingThatSamplesOfTheMotionTouch) {
  RandomNumbers random(5);
  const ImpactOptions options{.tolerance = 1e-6, .budget = 2000};
  for (const ObstacleShape& shape : Shapes()) {
    int touching = 0, none = 0, late = 0;
    for (int i = 0; i < 400; ++i) {
      const PartCorners start = 3.0 * random.Matrix(3, 1 + i % 3);
      const PartCorners end =
          i % 5 == 0 ? PartCorners(start + 3.0 * random.Vector().replicate(1, start.cols()))
                     : PartCorners(3.0 * random.Matrix(3, 1 + i % 3));
      const PointMotion origin{kOrigin, kOrigin + random.Vector()};
      const auto impact = FirstImpact(shape, origin, start, end, options);
      double first = 2.0;
      for (int k = 0; k <= 200 && first > 1.0; ++k) {
        const double t = k / 200.0;
        const PartCorners now = (1.0 - t) * start + t * end;
        if (ClearanceOf(shape, origin.At(t), now).distance <= 0.0) first = t;
      }
      if (first <= 1.0) {
        ++touching;
        ASSERT_TRUE(impact);
        EXPECT_LE(impact->time, first);
      }
      if (!impact) {
        ++none;
        continue;
      }
      late += !impact->found;
      const PartCorners then = (1.0 - impact->time) * start + impact->time * end;
      EXPECT_LE(ClearanceOf(shape, origin.At(impact->time), then).distance, 1.01e-6);
    }
    EXPECT_GT(touching, 50);
    EXPECT_GT(none, 10);
    EXPECT_EQ(late, 0);
  }
}

// A ball of 0.2 m flies 2 m at a rod, 0.3 m beside whose ends it would pass: when they are 0.2 apart.
TEST(ObstacleImpact, OfABallAndARodIsWhereTheyAreARadiusApart) {
  PartCorners rod(3, 2);
  rod << -0.3, 0.3, 0, 0, 0, 0;
  const PointMotion origin{{0.1, 1.0, 0}, {0.1, -1.0, 0}};
  const auto impact = FirstImpact(Sphere{0.2}, origin, rod, rod, {.tolerance = 1e-9});
  ASSERT_TRUE(impact && impact->found);
  EXPECT_NEAR(impact->time, 0.4, 1e-9);
  EXPECT_FALSE(FirstImpact(Sphere{0.2}, {{0.51, 1, 0}, {0.51, -1, 0}}, rod, rod, {}));
}

// What slides along a face just above it is told apart from what touches, in few distances.
TEST(ObstacleImpact, OfWhatSlidesAlongIsNone) {
  PartCorners start(3, 3);
  start << -1, 1, 0, 0.500002, 0.500002, 0.500002, 0, 0, 1;
  const PartCorners end = start.colwise() + Vector3d(3, 0, 0);
  for (const ObstacleShape& shape :
       {ObstacleShape(Box{}), ObstacleShape(Plane{}), ObstacleShape(Sphere{0.5})}) {
    const double height = PlaneOf(shape) != nullptr ? 0.5 : 0.0;
    const Vector3d at(0, height, 0);
    EXPECT_FALSE(FirstImpact(shape, {at, at}, start, end, {.budget = 100}));
    EXPECT_TRUE(FirstImpact(shape, {at, at}, start, end, {.separation = 1e-5, .budget = 100}));
  }
}

}  // namespace
}  // namespace pliant
