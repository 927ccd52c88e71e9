#include "models/scene/obstacle.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <random>

#include "tests/models/geometry/meshes.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

const Vector3d kOrigin(0.3, -0.2, 0.1);

std::vector<ObstacleShape> BoundedShapes() {
  const Eigen::Matrix3d axes =
      Eigen::AngleAxisd(0.7, Vector3d(1, 2, -1).normalized()).toRotationMatrix();
  const meshes::Shape solid = meshes::Octahedron();
  return {Sphere{0.8}, Box{Vector3d(0.5, 0.9, 0.7), axes}, Capsule{Vector3d(0.3, 0.6, -0.2), 0.4},
          Solid{ConvexPieces(axes * solid.vertices, solid.mesh)}};
}

std::vector<ObstacleShape> AllShapes() {
  std::vector<ObstacleShape> shapes = BoundedShapes();
  shapes.push_back(Plane{Vector3d(0.6, 0.8, 0.0)});
  return shapes;
}

Vector3d RandomVector(std::mt19937& random, double size) {
  auto uniform = [&] { return size * (2.0 * (random() / 4294967296.0) - 1.0); };
  const double x = uniform(), y = uniform(), z = uniform();
  return {x, y, z};
}

TEST(Obstacle, NormalIsTheGradientOfTheDistance) {
  std::mt19937 random(7);
  const double h = 1e-6;
  for (const ObstacleShape& shape : AllShapes()) {
    for (int trial = 0; trial < 200; ++trial) {
      const Vector3d x = kOrigin + RandomVector(random, 1.5);
      const Proximity at = SignedDistance(shape, kOrigin, x);
      EXPECT_NEAR(at.normal.norm(), 1.0, 1e-12);
      Vector3d gradient;
      double kink = 0.0;  // near an edge of the medial axis the gradient does not exist
      for (int i = 0; i < 3; ++i) {
        const double after = SignedDistance(shape, kOrigin, x + h * Vector3d::Unit(i)).distance;
        const double before = SignedDistance(shape, kOrigin, x - h * Vector3d::Unit(i)).distance;
        gradient[i] = (after - before) / (2 * h);
        kink = std::max(kink, std::abs(after + before - 2 * at.distance) / h);
      }
      if (kink < 1e-3) {
        EXPECT_LT((gradient - at.normal).norm(), 1e-4);
      }
    }
  }
}

TEST(Obstacle, ExitDistanceEndsOnTheSurface) {
  std::mt19937 random(11);
  for (const ObstacleShape& shape : AllShapes()) {
    int inside = 0;
    for (int trial = 0; trial < 400; ++trial) {
      const Vector3d x = kOrigin + RandomVector(random, 0.9);
      const Vector3d direction = RandomVector(random, 1.0).normalized();
      const double exit = ExitDistance(shape, kOrigin, x, direction);
      if (SignedDistance(shape, kOrigin, x).distance >= 0.0) {
        EXPECT_EQ(exit, 0.0);
        continue;
      }
      ++inside;
      if (std::isinf(exit)) {
        ASSERT_TRUE(std::holds_alternative<Plane>(shape));
        EXPECT_LE(std::get<Plane>(shape).normal.dot(direction), 0.0);
        continue;
      }
      EXPECT_NEAR(SignedDistance(shape, kOrigin, x + exit * direction).distance, 0.0, 1e-12);
      EXPECT_LT(SignedDistance(shape, kOrigin, x + 0.5 * exit * direction).distance, 1e-12);
    }
    EXPECT_GT(inside, 50);
  }
}

TEST(Obstacle, SphereExitIsTheClosedForm) {
  const double radius = 0.5;
  const Vector3d x(0.1, -0.2, 0.05), g = Vector3d(0.2, 1.0, -0.3).normalized();
  const double expected =
      -x.dot(g) + std::sqrt(x.dot(g) * x.dot(g) - x.squaredNorm() + radius * radius);
  EXPECT_NEAR(ExitDistance(Sphere{radius}, Vector3d::Zero(), x, g), expected, 1e-15);
}

TEST(Obstacle, CentreOfASphereHasADefinedNormal) {
  const Proximity at = SignedDistance(Sphere{1.0}, kOrigin, kOrigin);
  EXPECT_EQ(at.distance, -1.0);
  EXPECT_EQ(at.normal.norm(), 1.0);
}

// An L of two cubes: the second sits on the side of the first.
Solid Ell() {
  const meshes::Shape both =
      meshes::Together(meshes::Cube(0.5), meshes::Cube(0.5, {0.9, 0.0, 0.6}));
  return {ConvexPieces(both.vertices, both.mesh)};
}

TEST(Obstacle, SolidOfSeveralPiecesIsTheirUnion) {
  const ObstacleShape ell = Ell();
  const ObstacleShape first = Box{}, second = Box{};
  std::mt19937 random(5);
  for (int trial = 0; trial < 500; ++trial) {
    const Vector3d x = RandomVector(random, 1.5);
    const double expected = std::min(SignedDistance(first, Vector3d::Zero(), x).distance,
                                     SignedDistance(second, Vector3d(0.9, 0.0, 0.6), x).distance);
    EXPECT_NEAR(SignedDistance(ell, Vector3d::Zero(), x).distance, expected, 1e-14);
  }
}

TEST(Obstacle, RayFromInsideASolidEndsBehindItsLastPiece) {
  const ObstacleShape ell = Ell();
  // From inside the first cube only, along +x: out of it at x = 0.5, inside the second up to 1.4.
  EXPECT_NEAR(ExitDistance(ell, Vector3d::Zero(), {0.1, 0.0, 0.3}, Vector3d::UnitX()), 1.3, 1e-14);
  // Below the second cube it ends with the first.
  EXPECT_NEAR(ExitDistance(ell, Vector3d::Zero(), {0.1, 0.0, 0.0}, Vector3d::UnitX()), 0.4, 1e-14);
  EXPECT_EQ(ExitDistance(ell, Vector3d::Zero(), {-0.6, 0.0, 0.0}, Vector3d::UnitX()), 0.0);
  // Across a gap of 1 m between two cubes; from within the gap the point is outside.
  const meshes::Shape two = meshes::Together(meshes::Cube(0.5), meshes::Cube(0.5, {2.0, 0.0, 0.0}));
  const ObstacleShape apart = Solid{ConvexPieces(two.vertices, two.mesh)};
  EXPECT_NEAR(ExitDistance(apart, Vector3d::Zero(), {0.2, 0, 0}, Vector3d::UnitX()), 2.3, 1e-14);
  EXPECT_NEAR(ExitDistance(apart, Vector3d::Zero(), {0.2, 0, 0}, -Vector3d::UnitX()), 0.7, 1e-14);
  EXPECT_EQ(ExitDistance(apart, Vector3d::Zero(), {1.0, 0, 0}, Vector3d::UnitX()), 0.0);
}

}  // namespace
}  // namespace pliant
