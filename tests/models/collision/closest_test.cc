#include "models/collision/closest.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <cmath>
#include <vector>

#include "models/collision/crossing.h"
#include "tests/random_numbers.h"

namespace pliant {
namespace {

using Eigen::Vector3d;
using Corners = std::array<Vector3d, 3>;

// Points, many of them in line, in a plane or in one place.
class Places {
 public:
  Vector3d Next() {
    const double kind = random_.Number();
    const Vector3d x = random_.Vector();
    return kind < 0.0 ? x : Vector3d((3.0 * x).array().round());
  }
  double Number() { return 0.5 * (random_.Number() + 1.0); }

 private:
  RandomNumbers random_{11};
};

// No place of a grid, nor any near the one returned, is closer: the squared distance is convex in
// the places, so that what is least nearby is least of all.
template <typename SquaredAt>
void ExpectLeast(double squared, int parameters, const std::vector<double>& found,
                 const SquaredAt& squared_at) {
  RandomNumbers random(5);
  for (int i = 0; i < 200; ++i) {
    std::vector<double> other(parameters);
    for (int k = 0; k < parameters; ++k) {
      const double any = 0.5 * (random.Number() + 1.0);
      const double step = std::pow(0.1, i % 6);
      other[k] = std::lerp(found[k], i % 7 == 0 ? std::round(any) : any, step);
    }
    EXPECT_GE(std::sqrt(squared_at(other)), std::sqrt(squared) - 2e-8);
  }
}

TEST(Closest, OfASegmentIsItsFootOrAnEnd) {
  Places places;
  for (int i = 0; i < 300; ++i) {
    const Vector3d a = places.Next(), b = places.Next(), p = places.Next();
    const double s = ClosestOnSegment(a, b, p);
    ASSERT_TRUE(s >= 0.0 && s <= 1.0);
    ExpectLeast((PlaceOnSegment(a, b, s) - p).squaredNorm(), 1, {s},
                [&](const auto& o) { return (PlaceOnSegment(a, b, o[0]) - p).squaredNorm(); });
  }
}

TEST(Closest, OfATriangleIsNoFartherThanAnyOtherPlace) {
  Places places;
  for (int i = 0; i < 1000; ++i) {
    Corners corners = {places.Next(), places.Next(), places.Next()};
    if (i % 5 == 0) corners[2] = PlaceOnSegment(corners[0], corners[1], places.Number());
    const Vector3d p = places.Next(), weights = ClosestOnTriangle(corners, p);
    ASSERT_GE(weights.minCoeff(), 0.0);
    ASSERT_NEAR(weights.sum(), 1.0, 1e-14);
    // Two halves of a square fill the triangle.
    ExpectLeast((PlaceOnTriangle(corners, weights) - p).squaredNorm(), 2, {weights[1], weights[2]},
                [&](std::vector<double> o) {
                  if (o[0] + o[1] > 1.0) o = {1.0 - o[0], 1.0 - o[1]};
                  const Vector3d w(1.0 - o[0] - o[1], o[0], o[1]);
                  return (PlaceOnTriangle(corners, w) - p).squaredNorm();
                });
  }
}

TEST(Closest, OfTwoSegmentsIsNoFartherThanAnyOtherPlaces) {
  Places places;
  for (int i = 0; i < 1000; ++i) {
    const Vector3d a = places.Next(), b = places.Next(), c = places.Next();
    Vector3d d = places.Next();
    if (i % 4 == 0) d = c + 2.0 * places.Number() * (b - a);  // parallel
    if (i % 12 == 0) d += 1e-8 * places.Next();               // nearly
    const SegmentPlaces found = ClosestOfSegments(a, b, c, d);
    ASSERT_TRUE(found.s >= 0.0 && found.s <= 1.0 && found.t >= 0.0 && found.t <= 1.0);
    const auto squared_at = [&](const std::vector<double>& o) {
      return (PlaceOnSegment(a, b, o[0]) - PlaceOnSegment(c, d, o[1])).squaredNorm();
    };
    EXPECT_EQ(found.squared, squared_at({found.s, found.t}));
    ExpectLeast(found.squared, 2, {found.s, found.t}, squared_at);
  }
}

TEST(Closest, OfASegmentThatGoesThroughATriangleIsWhereItDoes) {
  Places places;
  int through = 0;
  for (int i = 0; i < 2000; ++i) {
    Eigen::Matrix3Xd x(3, 5);
    for (int k = 0; k < 5; ++k) x.col(k) = places.Next();
    const Corners corners = {x.col(2), x.col(3), x.col(4)};
    const SegmentAndTrianglePlaces found = ClosestOfSegmentAndTriangle(x.col(0), x.col(1), corners);
    ASSERT_NEAR(found.weights.sum(), 1.0, 1e-14);
    ASSERT_GE(found.weights.minCoeff(), 0.0);
    const Vector3d gap =
        PlaceOnSegment(x.col(0), x.col(1), found.s) - PlaceOnTriangle(corners, found.weights);
    EXPECT_NEAR(gap.norm(), std::sqrt(found.squared), 1e-14);
    if (EdgeCrossesFace(x, {0, 1}, {2, 3, 4})) {
      ++through;
      EXPECT_LT(found.squared, 1e-26);
    } else {
      ExpectLeast(found.squared, 3, {found.s, found.weights[1], found.weights[2]},
                  [&](std::vector<double> o) {
                    if (o[1] + o[2] > 1.0) o = {o[0], 1.0 - o[1], 1.0 - o[2]};
                    const Vector3d w(1.0 - o[1] - o[2], o[1], o[2]);
                    return (PlaceOnSegment(x.col(0), x.col(1), o[0]) - PlaceOnTriangle(corners, w))
                        .squaredNorm();
                  });
    }
  }
  EXPECT_GT(through, 50);
}

}  // namespace
}  // namespace pliant
