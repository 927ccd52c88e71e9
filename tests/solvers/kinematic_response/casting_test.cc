// Displacement vectors against closed forms, and the choices where the source is silent.

#include "solvers/kinematic_response/casting.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <random>
#include <vector>

#include "tests/models/geometry/meshes.h"

namespace pliant::kinematic_response {
namespace {

using Eigen::Vector3d;

constexpr unsigned kSeed = 513;
const Vector3d kUp = Vector3d::UnitZ();

Vector3d RandomUnit(std::mt19937* generator) {
  std::normal_distribution<double> normal;
  return Vector3d(normal(*generator), normal(*generator), normal(*generator)).normalized();
}

TEST(CastDirection, GoesIntoTheSurfaceWithoutFriction) {
  EXPECT_EQ(CastDirection(kUp, Vector3d::UnitX(), 0.0), -kUp);
  EXPECT_EQ(CastDirection(kUp, Vector3d::Zero(), 0.7), -kUp);  // never moved
  EXPECT_EQ(CastDirection(kUp, Vector3d::Zero(), 1.0), -kUp);
}

TEST(CastDirection, FollowsTheMotionWithFullFriction) {
  const Vector3d motion = Vector3d(1, 2, -0.5).normalized();
  EXPECT_LT((CastDirection(kUp, motion, 1.0) - motion).norm(), 1e-15);
}

TEST(CastDirection, BlendsInBetween) {
  const Vector3d g = CastDirection(kUp, Vector3d::UnitX(), 0.25);
  EXPECT_LT((g - Vector3d(0.25, 0, -0.75).normalized()).norm(), 1e-15);
}

TEST(CastDirection, IsNotPulledByARetreatingObstacle) {
  EXPECT_EQ(CastDirection(kUp, kUp, 0.9), -kUp);
  EXPECT_EQ(CastDirection(kUp, kUp, 1.0), -kUp);
  std::mt19937 generator(kSeed);
  for (int i = 0; i < 1000; ++i) {
    const Vector3d normal = RandomUnit(&generator), motion = RandomUnit(&generator);
    for (const double friction : {0.0, 0.3, 0.5, 0.9, 1.0}) {
      const Vector3d g = CastDirection(normal, motion, friction);
      EXPECT_NEAR(g.norm(), 1.0, 1e-12);
      EXPECT_LT(g.dot(normal), 1e-12) << "seed " << kSeed;  // never out of the surface
    }
  }
}

TEST(CastDirection, DoesNotMistakeRoundingForADirection) {
  std::mt19937 generator(kSeed);
  for (int i = 0; i < 1000; ++i) {
    const Vector3d normal = RandomUnit(&generator);
    EXPECT_LT((CastDirection(normal, normal, 1.0) + normal).norm(), 1e-12) << "seed " << kSeed;
  }
}

CastObstacle Still(const ObstacleShape& shape, const Vector3d& origin) {
  return {&shape, origin, Vector3d::Zero(), 0.0};
}

TEST(DisplacementVector, LeavesASphereAsInClosedForm) {
  const ObstacleShape sphere = Sphere{0.5};
  std::mt19937 generator(kSeed);
  std::uniform_real_distribution<double> uniform(-0.6, 0.6);
  const Vector3d centre(0.3, -0.2, 1.0);
  int inside = 0;
  for (int i = 0; i < 1000; ++i) {
    const Vector3d w(uniform(generator), uniform(generator), uniform(generator));
    const Vector3d normal = RandomUnit(&generator), g = -normal;
    const Vector3d d = DisplacementVector(Still(sphere, centre), centre + w, normal);
    if (w.norm() >= 0.5) {
      EXPECT_EQ(d, Vector3d::Zero());
      continue;
    }
    ++inside;
    const double along = w.dot(g);
    const Vector3d expected = g * (-along + std::sqrt(along * along - w.squaredNorm() + 0.25));
    EXPECT_LT((d - expected).norm(), 1e-14) << "seed " << kSeed;
    EXPECT_NEAR((w + d).norm(), 0.5, 1e-14);
  }
  EXPECT_GT(inside, 100);
}

TEST(DisplacementVector, LeavesBoxesCapsulesAndPlanesAlongTheRay) {
  const ObstacleShape box = Box{{0.5, 0.4, 0.3}};
  EXPECT_LT((DisplacementVector(Still(box, {0, 0, 1}), {0.1, 0.1, 1.1}, kUp) - Vector3d(0, 0, -0.4))
                .norm(),
            1e-15);
  const ObstacleShape capsule = Capsule{{0.5, 0, 0}, 0.2};
  EXPECT_LT(
      (DisplacementVector(Still(capsule, {0, 0, 1}), {0.3, 0, 1.05}, kUp) - Vector3d(0, 0, -0.25))
          .norm(),
      1e-13);
  const ObstacleShape ceiling = Plane{-kUp};  // solid above
  EXPECT_LT((DisplacementVector(Still(ceiling, {0, 0, 1}), {3, 4, 1.5}, kUp) - Vector3d(0, 0, -0.5))
                .norm(),
            1e-15);
}

TEST(DisplacementVector, TakesTheNearestWayOutWhereTheRayNeverLeaves) {
  const ObstacleShape floor = Plane{kUp};  // solid below: −n runs into it
  EXPECT_LT(
      (DisplacementVector(Still(floor, {0, 0, 0}), {1, 2, -0.2}, kUp) - Vector3d(0, 0, 0.2)).norm(),
      1e-15);
  // Pushed along a wall, exactly parallel to it.
  const ObstacleShape wall = Plane{Vector3d::UnitX()};
  const CastObstacle sliding{&wall, Vector3d::Zero(), Vector3d::UnitY(), 1.0};
  EXPECT_LT((DisplacementVector(sliding, {-0.1, 0, 0}, kUp) - Vector3d(0.1, 0, 0)).norm(), 1e-15);
}

TEST(DisplacementVector, TakesTheNearestWayOutWhereTheRayStripsAlongAPlane) {
  std::mt19937 generator(kSeed);
  for (int i = 0; i < 1000; ++i) {
    const Vector3d up = RandomUnit(&generator);
    const Vector3d along = up.cross(RandomUnit(&generator)).normalized();
    const ObstacleShape plane = Plane{up};
    const Vector3d d = DisplacementVector(Still(plane, Vector3d::Zero()), -0.1 * up, along);
    EXPECT_LT((d - 0.1 * up).norm(), 1e-12) << "seed " << kSeed;
  }
}

TEST(DisplacementVector, TakesTheNearestWayOutWhereTheSurfaceHasNoNormal) {
  const ObstacleShape sphere = Sphere{0.5};
  const Vector3d d = DisplacementVector(Still(sphere, {0, 0, 0}), {0.3, 0, 0}, Vector3d::Zero());
  EXPECT_LT((d - Vector3d(0.2, 0, 0)).norm(), 1e-15);
}

TEST(DisplacementVector, FromBehindGoesThroughToTheFarSide) {
  const ObstacleShape sphere = Sphere{0.5};
  // The ball has come up from below into a sheet that faces up.
  const Vector3d d = DisplacementVector(Still(sphere, {0, 0, -0.45}), {0, 0, 0}, kUp);
  EXPECT_LT((d - Vector3d(0, 0, -0.95)).norm(), 1e-15);
}

// A flat sheet of 2 m in the xy-plane.
constexpr GridSize kGrid{9, 9};
GridVectors FlatSheet() {
  GridVectors sheet(kGrid.size(), 3);
  for (int v = 0; v < 9; ++v) {
    for (int u = 0; u < 9; ++u) sheet.row(kGrid.Index(u, v)) << 0.25 * u - 1, 0.25 * v - 1, 0;
  }
  return sheet;
}

GridVectors CastFrom(const std::vector<CastObstacle>& obstacles, double shortest = 1e-12) {
  GridVectors d = GridVectors::Constant(kGrid.size(), 3, 99.0);
  CastDisplacements(obstacles, kGrid, FlatSheet(), shortest, &d);
  return d;
}

TEST(CastDisplacements, ArePerVertexVectorsOnTheSurfaceNormal) {
  const ObstacleShape sphere = Sphere{0.6};
  const CastObstacle ball{&sphere, {0.2, 0.1, 0.4}, Vector3d::UnitX(), 0.3};
  const GridVectors sheet = FlatSheet(), d = CastFrom({ball});
  int pressed = 0;
  for (int i = 0; i < kGrid.size(); ++i) {
    const Vector3d expected = DisplacementVector(ball, sheet.row(i).transpose(), kUp);
    EXPECT_EQ(Vector3d(d.row(i).transpose()), expected);
    pressed += expected.isZero(0.0) ? 0 : 1;
  }
  EXPECT_GT(pressed, 5);
  EXPECT_LT(pressed, kGrid.size() / 2);
}

TEST(CastDisplacements, KeepTheLongestOfSeveralObstacles) {
  const ObstacleShape small = Sphere{0.4}, large = Sphere{0.6}, ceiling = Plane{-kUp};
  const CastObstacle first = Still(small, {0, 0, 0.2}), second = Still(large, {0, 0, 0.1});
  const int middle = kGrid.Index(4, 4);
  EXPECT_NEAR(CastFrom({first, second})(middle, 2), -0.5, 1e-15);
  EXPECT_NEAR(CastFrom({second, first})(middle, 2), -0.5, 1e-15);
  // A plane has no bounding box: it reaches every vertex.
  const GridVectors all = CastFrom({first, Still(ceiling, {0, 0, -0.1})});
  EXPECT_NEAR(all(0, 2), -0.1, 1e-15);
  EXPECT_NEAR(all(middle, 2), -0.2, 1e-15);
}

TEST(CastDisplacements, AreZeroWhenNotLongerThanTheShortest) {
  const ObstacleShape ceiling = Plane{-kUp};
  EXPECT_EQ(CastFrom({Still(ceiling, {0, 0, -1e-13})}).cwiseAbs().maxCoeff(), 0.0);
  EXPECT_GT(CastFrom({Still(ceiling, {0, 0, -1e-11})}).cwiseAbs().maxCoeff(), 0.0);
  EXPECT_EQ(CastFrom({}).cwiseAbs().maxCoeff(), 0.0);
}

TEST(CastDisplacements, ReachTheCornersOfTurnedBoxes) {
  const Eigen::Matrix3d turned = Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized()).matrix();
  const ObstacleShape box = Box{{0.9, 0.5, 0.2}, turned};
  const ObstacleShape capsule = Capsule{{0.5, -0.6, 0.1}, 0.2};
  const GridVectors sheet = FlatSheet();
  for (const ObstacleShape* shape : {&box, &capsule}) {
    const GridVectors d = CastFrom({Still(*shape, {0, 0, 0.1})});
    int inside = 0;
    for (int i = 0; i < kGrid.size(); ++i) {
      const bool in = SignedDistance(*shape, {0, 0, 0.1}, sheet.row(i).transpose()).distance < 0;
      EXPECT_EQ(in, !d.row(i).isZero(0.0));
      inside += in ? 1 : 0;
    }
    EXPECT_GT(inside, 3);
  }
}

// Beside a fold: the normal of the vertex points away from the object, so that a ray against it
// runs through all of it. The nearest way out is short.
TEST(CastingRule, NearestIsShortBesideAFold) {
  const ObstacleShape ball = Sphere{0.5};
  CastObstacle obstacle = Still(ball, Vector3d::Zero());
  const Vector3d x(0.45, 0.0, 0.1), normal = Vector3d::UnitX();
  const double depth = 0.5 - x.norm();
  EXPECT_GT(DisplacementVector(obstacle, x, normal).norm(), 0.9);
  obstacle.rule = CastingRule::kNearest;
  obstacle.friction = 1.0;
  obstacle.motion = -kUp;
  EXPECT_LT((DisplacementVector(obstacle, x, normal) - depth * x.normalized()).norm(), 1e-15);
  EXPECT_EQ(DisplacementVector(obstacle, 1.2 * x, normal), Vector3d::Zero());
}

TEST(HalfThickness, IsHalfTheSmallestExtent) {
  EXPECT_EQ(HalfThickness(Sphere{0.3}), 0.3);
  EXPECT_EQ(HalfThickness(Box{{0.5, 0.1, 0.3}}), 0.1);
  EXPECT_EQ(HalfThickness(Capsule{{0, 2, 0}, 0.25}), 0.25);
  EXPECT_TRUE(std::isinf(HalfThickness(Plane{})));
}

TEST(HalfThickness, OfASolidIsThatOfItsThinnestPiece) {
  const meshes::Shape both = meshes::Together(meshes::Cube(0.5), meshes::Cube(0.25, {0, 0, 2.0}));
  EXPECT_NEAR(HalfThickness(Solid{ConvexPieces(both.vertices, both.mesh)}), 0.25, 1e-15);
}

// Special cases of the position of an object [Harrison 1994, Fig. 4.3]. The sheet lies in z = 0 and
// faces up; its vertices are 0.25 m apart.
ObstacleShape SolidOf(const std::vector<meshes::Shape>& parts) {
  meshes::Shape all = parts[0];
  for (size_t i = 1; i < parts.size(); ++i) all = meshes::Together(all, parts[i]);
  return Solid{ConvexPieces(all.vertices, all.mesh)};
}

int Pressed(const GridVectors& d) {
  return static_cast<int>((d.rowwise().squaredNorm().array() > 0.0).count());
}

TEST(Position, ConvexAndPartlyInGoesToTheFarSide) {
  const ObstacleShape cube = SolidOf({meshes::Cube(0.4)});
  const GridVectors d = CastFrom({Still(cube, {0, 0, 0.1})});
  EXPECT_EQ(Pressed(d), 9);  // x, y in {−0.25, 0, 0.25}
  EXPECT_LT((Vector3d(d.row(kGrid.Index(4, 4))) - Vector3d(0, 0, -0.3)).norm(), 1e-15);
  const ObstacleShape box = Box{Vector3d::Constant(0.4)};
  EXPECT_LT((CastFrom({Still(box, {0, 0, 0.1})}) - d).cwiseAbs().maxCoeff(), 1e-15);
}

TEST(Position, WhollyBelowTheSurfaceIsNotSeen) {
  const ObstacleShape cube = SolidOf({meshes::Cube(0.4)});
  EXPECT_EQ(Pressed(CastFrom({Still(cube, {0, 0, -0.5})})), 0);
}

TEST(Position, SmallerThanTheSpacingIsNotSeen) {
  const ObstacleShape cube = SolidOf({meshes::Cube(0.1)});
  EXPECT_EQ(Pressed(CastFrom({Still(cube, {0.125, 0.125, 0})})), 0);
}

TEST(Position, HollowTowardsTheSurfaceLeavesTheHollowFree) {
  // A table upside down: a plate above, two walls that reach through the sheet.
  const ObstacleShape table =
      SolidOf({meshes::Cube(0.2, {-0.5, 0, 0}), meshes::Cube(0.2, {0.5, 0, 0}),
               meshes::Cube(0.4, {0, 0, 0.61})});
  const GridVectors d = CastFrom({Still(table, Vector3d::Zero())});
  EXPECT_TRUE(d.row(kGrid.Index(4, 4)).isZero(0.0));
  for (int u : {2, 6}) {
    EXPECT_LT((Vector3d(d.row(kGrid.Index(u, 4))) - Vector3d(0, 0, -0.2)).norm(), 1e-15);
  }
  EXPECT_EQ(Pressed(d), 2);
}

TEST(Position, HollowAcrossTheRayIsCrossedToTheLongestVector) {
  // Two plates one above the other; the sheet is in the upper one.
  const ObstacleShape fork = SolidOf({meshes::Cube(0.2), meshes::Cube(0.2, {0, 0, -0.6})});
  const GridVectors d = CastFrom({Still(fork, Vector3d::Zero())});
  EXPECT_EQ(Pressed(d), 1);
  EXPECT_LT((Vector3d(d.row(kGrid.Index(4, 4))) - Vector3d(0, 0, -0.8)).norm(), 1e-15);
}

TEST(Position, InTwoPiecesAtOnceTakesTheLongestVector) {
  const ObstacleShape overlap = SolidOf({meshes::Cube(0.2), meshes::Cube(0.2, {0.1, 0.1, -0.15})});
  const GridVectors d = CastFrom({Still(overlap, Vector3d::Zero())});
  EXPECT_LT((Vector3d(d.row(kGrid.Index(4, 4))) - Vector3d(0, 0, -0.35)).norm(), 1e-15);
}

TEST(Position, FromBehindIsDrawnThrough) {
  const ObstacleShape cube = SolidOf({meshes::Cube(0.4)});
  const GridVectors d = CastFrom({Still(cube, {0, 0, -0.35})});
  EXPECT_LT((Vector3d(d.row(kGrid.Index(4, 4))) - Vector3d(0, 0, -0.75)).norm(), 1e-15);
}

TEST(Position, WithFrictionTheRayLeansTowardsTheMotion) {
  const ObstacleShape cube = SolidOf({meshes::Cube(0.4)});
  CastObstacle sliding{&cube, {0, 0, 0.1}, Vector3d::UnitX(), 1.0};
  const GridVectors d = CastFrom({sliding});
  EXPECT_LT((Vector3d(d.row(kGrid.Index(4, 4))) - Vector3d(0.4, 0, 0)).norm(), 1e-15);
  sliding.friction = 0.5;  // at 45°: out through the bottom
  const GridVectors half = CastFrom({sliding});
  EXPECT_LT((Vector3d(half.row(kGrid.Index(4, 4))) - Vector3d(0.3, 0, -0.3)).norm(), 1e-15);
}

}  // namespace
}  // namespace pliant::kinematic_response
