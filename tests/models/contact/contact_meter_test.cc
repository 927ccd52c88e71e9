#include "models/contact/contact_meter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "models/scene/shapes.h"
#include "tests/random_numbers.h"

namespace pliant {
namespace {

using Eigen::Vector3d;
using ::testing::DoubleNear;
using ::testing::Optional;

struct Measured {
  std::shared_ptr<Scene> scene = std::make_shared<Scene>();
  Body& Add(Body body, const Vector3d& position) {
    scene->bodies.push_back(std::move(body));
    scene->bodies.back().position = position;
    return scene->bodies.back();
  }
  ContactMeasures operator()() const { return (*this)(scene->InitialPoints()); }
  ContactMeasures operator()(const Eigen::Matrix3Xd& x) const {
    return ContactMeter(scene).Measure(0.0, x);
  }
};

TEST(ContactMeter, SeesABallBetweenThePointsOfABeamAndOfASheet) {
  Measured measured;
  measured.Add(MakeChain("beam", {-1, 0, 0}, {1, 0, 0}, 2, 1.0), {0, 0.05, 0});
  measured.scene->obstacles.push_back({"ball", Sphere{0.2}, Path::Still(Vector3d(0.3, 0, 0))});
  EXPECT_THAT(measured().obstacle_depth, Optional(DoubleNear(0.15, 1e-15)));
  EXPECT_FALSE(measured().body_depth);

  Measured sheet;
  sheet.Add(MakeSheet("sheet", {1, 1}, {9, 9}, 1.0), {0, 0, 0});
  const double cell = 1.0 / 8.0;
  sheet.scene->obstacles.push_back(
      {"ball", Sphere{0.04}, Path::Still(Vector3d(0.7 * cell, 0.4 * cell, 0.01))});
  EXPECT_THAT(sheet().obstacle_depth, Optional(DoubleNear(0.03, 1e-15)));
  EXPECT_THAT(sheet().self_crossings, Optional(0.0));
}

TEST(ContactMeter, CountsWhereACurveCrossesItself) {
  // A closed curve of n points that goes round twice: for n odd a star {n/2}, which crosses itself
  // n times.
  for (const int n : {5, 7, 31}) {
    Measured measured;
    measured.scene->dimension = 2;
    measured.Add(MakeRing("ring", 1.0, n, 1.0), {0, 0, 0});
    EXPECT_THAT(measured().self_crossings, Optional(0.0));
    Eigen::Matrix3Xd x(3, n);
    for (int i = 0; i < n; ++i) {
      x.col(i) << std::cos(4 * M_PI * i / n), std::sin(4 * M_PI * i / n), 0;
    }
    EXPECT_THAT(measured(x).self_crossings, Optional(static_cast<double>(n)));
    EXPECT_FALSE(measured(x).body_crossings);
  }
}

// Edges that cross at rest, such as the braces of a frame, are no crossings.
TEST(ContactMeter, LeavesOutWhatCrossesAtRest) {
  Measured measured;
  measured.scene->dimension = 2;
  Eigen::Matrix3Xd corners(3, 4);
  corners << 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0;
  Body frame = MakeGraph("frame", corners, {{0, 1, 2, 3, 0}, {0, 2}, {1, 3}}, 1.0);
  frame.shape = ShapeKind::kProfile;
  measured.Add(frame, {0, 0, 0});
  EXPECT_THAT(measured().self_crossings, Optional(0.0));
  Eigen::Matrix3Xd folded = measured.scene->InitialPoints();
  folded.col(2) << -0.5, 0.5, 0;
  EXPECT_THAT(measured(folded).self_crossings, Optional(1.0));
}

TEST(ContactMeter, CountsWhereASheetGoesThroughAnother) {
  Measured measured;
  measured.Add(MakeSheet("lying", {1, 1}, {2, 2}, 1.0), {0, 0, 0});
  Body& standing = measured.Add(MakeSheet("standing", {0.2, 0.2}, {2, 2}, 1.0), {0.1, 0.23, 0});
  standing.orientation = Eigen::AngleAxisd(M_PI / 2, Vector3d::UnitX());
  // Two of its sides and its diagonal go through the lying one, none of whose sides goes through it.
  EXPECT_THAT(measured().body_crossings, Optional(3.0));
  EXPECT_THAT(measured().self_crossings, Optional(0.0));
  EXPECT_FALSE(measured().body_depth) << "neither takes up space";
}

// A small block in the middle of a side of a large one, none of whose points, edges and middles of faces is
// in the small one: it is as deep whichever of the two comes first, and on either side.
TEST(ContactMeter, LooksForEachOfTwoBodiesInTheOther) {
  const Body large = MakeBlock("large", {1, 1, 1}, {2, 2, 2}, 1.0);
  const Body small = MakeBlock("small", {0.1, 0.1, 0.1}, {2, 2, 2}, 1.0);
  for (const double side : {-0.5, 0.5}) {
    for (const bool large_first : {true, false}) {
      const Vector3d at(side, 0.2, 0.1);
      Measured measured;
      measured.Add(large_first ? large : small, large_first ? Vector3d::Zero() : at);
      measured.Add(large_first ? small : large, large_first ? at : Vector3d::Zero());
      EXPECT_THAT(measured().body_depth, Optional(DoubleNear(0.05, 1e-12)))
          << side << " " << large_first;
    }
  }
}

// Two blocks of 1 m, face to face, the second moved into the first by d: the middle of its face is d
// below the surface, as long as that is the nearest face.
TEST(ContactMeter, MeasuresHowDeepBlocksAreInOneAnother) {
  for (const int points : {2, 3, 4}) {
    for (const double d : {0.05, 0.2, 0.4}) {
      Measured measured;
      measured.Add(MakeBlock("a", {1, 1, 1}, {points, points, points}, 1.0), {0, 0, 0});
      measured.Add(MakeBlock("b", {1, 1, 1}, {points, points, points}, 1.0), {1.0 - d, 0, 0});
      EXPECT_NEAR(*measured().body_depth, d, 1e-3 * d) << points;
      EXPECT_LE(*measured().body_depth, d + 1e-12);
      // Turned, its edge is the deepest place.
      measured.scene->bodies[1].orientation = Eigen::AngleAxisd(M_PI / 4, Vector3d::UnitZ());
      measured.scene->bodies[1].position = {0.5 + std::sqrt(0.5) - d, 0.1, 0.1};
      EXPECT_NEAR(*measured().body_depth, std::min(d, 0.4), 2e-3 * d) << points;
    }
    Measured apart;
    apart.Add(MakeBlock("a", {1, 1, 1}, {points, points, points}, 1.0), {0, 0, 0});
    apart.Add(MakeBlock("b", {1, 1, 1}, {points, points, points}, 1.0), {1.0, 0, 0});  // touching
    EXPECT_THAT(apart().body_depth, Optional(DoubleNear(0.0, 1e-12)));
    EXPECT_THAT(apart().body_crossings, Optional(0.0));
  }
}

// In the plane: a triangle with its corner 0.3 m in a square, of which the nearest side is the one
// that it came through.
TEST(ContactMeter, MeasuresHowDeepProfilesAreInOneAnother) {
  Measured measured;
  measured.scene->dimension = 2;
  Body square, triangle;
  square.name = "square";
  square.rest.resize(3, 4);
  square.rest << -1, 1, 1, -1, -1, -1, 1, 1, 0, 0, 0, 0;
  square.faces = {{0, 1, 2}, {0, 2, 3}};
  triangle.name = "triangle";
  triangle.rest.resize(3, 3);
  triangle.rest << 0.7, 3, 3, 0.05, -0.5, 0.5, 0, 0, 0;
  triangle.faces = {{0, 1, 2}};
  square.mass = Eigen::VectorXd::Ones(4);
  triangle.mass = Eigen::VectorXd::Ones(3);
  measured.Add(square, {0, 0, 0});
  measured.Add(triangle, {0, 0, 0});
  EXPECT_NEAR(*measured().body_depth, 0.3, 1e-12);
  EXPECT_THAT(measured().body_crossings, Optional(2.0));
}

// Against the definition, place by place: signed distance of places all over a body from a tumbled
// torus of 12 × 8 points, whose inside is told by the solid angle that its faces take up.
TEST(SolidSurface, KnowsInsideAndDepth) {
  Measured measured;
  Body& torus = measured.Add(MakeTorus("torus", 1.0, 0.4, {12, 8}, 1.0), {0.2, 0.1, 0});
  torus.orientation = Eigen::AngleAxisd(0.9, Vector3d(1, 2, 3).normalized());
  const SceneParts parts(*measured.scene);
  Eigen::Matrix3Xd x = measured.scene->InitialPoints();
  RandomNumbers random(2);
  x += 0.05 * random.Vectors(static_cast<int>(x.cols()));
  for (const bool inverted : {false, true}) {
    if (inverted) x.row(2) *= -1.0;  // mirrored: all faces turn over
    const SolidSurface solid(parts, 0, x);
    int inside = 0;
    for (int i = 0; i < 2000; ++i) {
      const Vector3d p = Vector3d(0.2, 0.1, 0) + 1.5 * random.Vector();
      double angle = 0.0;
      for (const auto& [a, b, c] : parts.faces) {
        const Vector3d u = x.col(a) - p, v = x.col(b) - p, w = x.col(c) - p;
        angle += 2.0 * std::atan2(u.dot(v.cross(w)), u.norm() * v.norm() * w.norm() +
                                                         u.dot(v) * w.norm() + v.dot(w) * u.norm() +
                                                         w.dot(u) * v.norm());
      }
      const bool truly = std::abs(angle) > 2.0 * M_PI;
      EXPECT_EQ(solid.DistanceAt(p) < 0.0, truly) << i;
      inside += truly;
    }
    EXPECT_GT(inside, 50);
  }
}

// Beyond the tip of a needle the nearest place is its corner, in front of one of the faces there and
// behind another: the sum of their normals decides.
TEST(SolidSurface, KnowsOutsideBeyondASharpCorner) {
  Measured measured;
  Body needle = MakeBlock("needle", {1, 1, 1}, {2, 2, 2}, 1.0);
  measured.Add(needle, {0, 0, 0});
  const SceneParts parts(*measured.scene);
  Eigen::Matrix3Xd x = measured.scene->InitialPoints();
  for (int i = 4; i < 8; ++i) x.col(i) = 0.01 * x.col(i) + Vector3d(3, 0, 1);  // leans far over
  const SolidSurface solid(parts, 0, x);
  RandomNumbers random(8);
  int checked = 0;
  for (int i = 0; i < 4000; ++i) {
    const Vector3d p = Vector3d(2.9, 0, 0.98) + 0.1 * random.Vector();
    const double height = (p.z() + 0.5) / 1.5;  // of the way to the tip, where it is as wide as
    const double half = 0.5 * (1.0 - 0.99 * std::clamp(height, 0.0, 1.0));
    const bool beside = std::abs(p.y()) > half + 0.01 || height > 1.01;
    if (!beside) continue;
    ++checked;
    EXPECT_GT(solid.DistanceAt(p), 0.0) << p.transpose();
  }
  EXPECT_GT(checked, 500);
}

}  // namespace
}  // namespace pliant
