// Touches of a point and a face: where, from which side, and when it goes through.

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "solvers/contact/surface_contacts.h"
#include "tests/random_numbers.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

const std::array<Vector3d, 3> kFace = {Vector3d(0, 0, 0), Vector3d(1, 0, 0), Vector3d(0, 1, 0)};

TEST(TouchOfPointAndFace, IsWhereTheFootOfThePointIsInTheFace) {
  RandomNumbers random(7);
  int over = 0;
  for (int i = 0; i < 300; ++i) {
    const Vector3d p = 1.5 * random.Vector();
    for (const double side : {-1.0, 1.0}) {
      FaceTouch touch;
      const bool is_over = IsOver(kFace, p, side, 0.0, &touch);
      EXPECT_EQ(is_over, p.x() >= 0.0 && p.y() >= 0.0 && p.x() + p.y() <= 1.0);
      over += is_over ? 1 : 0;
      EXPECT_EQ(touch.normal, Vector3d(0, 0, side));
      EXPECT_NEAR(touch.distance, side * p.z(), 1e-14);
      EXPECT_NEAR(touch.weights.sum(), 1.0, 1e-12);
      EXPECT_GE(touch.weights.minCoeff(), 0.0);
      // No place of the face is nearer.
      const Vector3d q = touch.weights[1] * kFace[1] + touch.weights[2] * kFace[2];
      for (int u = 0; u <= 10; ++u) {
        for (int v = 0; u + v <= 10; ++v) {
          EXPECT_LE((p - q).norm(), (p - Vector3d(0.1 * u, 0.1 * v, 0.0)).norm() + 1e-12);
        }
      }
    }
  }
  EXPECT_GT(over, 20);
  FaceTouch touch;
  EXPECT_FALSE(IsOver(kFace, {0.2, -0.1, 0.3}, 1.0, 0.09, &touch));
  EXPECT_TRUE(IsOver(kFace, {0.2, -0.1, 0.3}, 1.0, 0.11, &touch)) << "in the rim";
  EXPECT_FALSE(IsOver({kFace[0], kFace[1], 0.5 * kFace[1]}, kFace[0], 1.0, 1.0, &touch));
}

// Over the edge that two faces share a point is over one of them, whatever rounding says.
TEST(TouchOfPointAndFace, LeavesNoGapBetweenNeighbours) {
  RandomNumbers random(11);
  for (int i = 0; i < 300; ++i) {
    const Vector3d a = random.Vector(), b = random.Vector(), up = random.Vector();
    const double t = 0.5 + 0.4 * random.Number();
    const Vector3d across = up.cross(b - a).normalized();
    const Vector3d p = (1.0 - t) * a + t * b + 0.1 * across.cross(b - a).normalized();
    FaceTouch touch;
    const bool first = IsOver({a, b, a + across + 0.3 * (b - a)}, p, 1.0, 0.0, &touch);
    const bool second = IsOver({b, a, b - across - 0.3 * (b - a)}, p, 1.0, 0.0, &touch);
    EXPECT_TRUE(first || second) << i;
  }
}

Approach Approaching(const Vector3d& before, const Vector3d& now, double rim = 0.01) {
  return ApproachOf({before, now, kFace, kFace}, rim);
}

TEST(TouchOfPointAndFace, BelongsToTheSideItCameFrom) {
  for (const double side : {-1.0, 1.0}) {
    const Approach passed = Approaching({0.2, 0.3, 0.1 * side}, {0.3, 0.2, -0.3 * side});
    EXPECT_TRUE(passed.passed);
    EXPECT_EQ(passed.side, side);
    const Approach near = Approaching({0.2, 0.3, 0.1 * side}, {0.3, 0.2, 0.05 * side});
    EXPECT_FALSE(near.passed);
    EXPECT_EQ(near.side, side);
    const Approach beside = Approaching({0.6, 0.6, 0.1 * side}, {0.3, 0.3, -0.9 * side});
    EXPECT_FALSE(beside.passed) << "it changed sides beside the face";
    EXPECT_EQ(beside.side, -side);
  }
  EXPECT_TRUE(Approaching({0.2, 0.3, 9.0}, {0.2, 0.3, -9.0}).passed) << "however fast";
}

// The long edge is at x + y = 1; a rim of 0.01 belongs to the face.
TEST(TouchOfPointAndFace, PassesWhereItIsInThePlane) {
  EXPECT_TRUE(Approaching({0.505, 0.505, 0.1}, {0.505, 0.505, -0.1}).passed);
  EXPECT_FALSE(Approaching({0.51, 0.51, 0.1}, {0.51, 0.51, -0.1}).passed);
  EXPECT_FALSE(Approaching({2.75, 0.1, 0.1}, {0.25, 0.1, -0.1}).passed) << "at x = 1.5";
  EXPECT_TRUE(Approaching({0.25, 0.1, 0.1}, {0.75, 0.1, -0.1}).passed) << "at x = 0.5";
  EXPECT_TRUE(Approaching({1.25, 0.1, 0.3}, {0.25, 0.1, -0.1}).passed) << "at x = 0.5";
  EXPECT_FALSE(Approaching({1.25, 0.1, 0.02}, {0.25, 0.1, -0.18}).passed) << "at x = 1.15";
}

TEST(TouchOfPointAndFace, IsSeenTheSameFromWhateverMovesAlong) {
  const Vector3d drift(3.0, -2.0, 5.0);
  std::array<Vector3d, 3> moved = kFace;
  for (Vector3d& corner : moved) corner += drift;
  const Vector3d before(0.2, 0.3, 0.1), passed(0.3, 0.2, -0.1), kept(0.3, 0.2, 0.1);
  EXPECT_TRUE(ApproachOf({before, passed + drift, kFace, moved}, 0.01).passed);
  EXPECT_FALSE(ApproachOf({before, kept + drift, kFace, moved}, 0.01).passed);
  // A face that goes by a point at rest is one that the point comes through.
  moved = kFace;
  for (Vector3d& corner : moved) corner.z() += 0.2;
  const Approach approach = ApproachOf({before, before, kFace, moved}, 0.01);
  EXPECT_TRUE(approach.passed);
  EXPECT_EQ(approach.side, 1.0);
}

// A face that turns by a right angle about the x axis meets a point on its way, at the angle 45°
// half way (corners move straight).
TEST(TouchOfPointAndFace, IsMetByAFaceThatTurns) {
  const std::array<Vector3d, 3> up = {kFace[0], kFace[1], Vector3d(0, 0, 1)};
  const auto meets = [&up](const Vector3d& p) {
    return ApproachOf({p, p, kFace, up}, 1e-9).passed;
  };
  EXPECT_TRUE(meets({0.2, 0.3, 0.3}));
  EXPECT_FALSE(meets({0.45, 0.3, 0.3})) << "beyond the edge, which has moved inwards";
  EXPECT_FALSE(meets({0.2, -0.3, 0.3}));
  EXPECT_FALSE(meets({0.2, 0.6, 0.6}));
}

}  // namespace
}  // namespace pliant
