#include "models/scene/obstacle_surface.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "tests/models/geometry/meshes.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

// By the divergence theorem.
double VolumeOf(const std::vector<Facet>& facets) {
  double volume = 0.0;
  for (const Facet& facet : facets) {
    for (int k = 2; k < facet.size; ++k) {
      volume += facet.corners[0].dot(facet.corners[k - 1].cross(facet.corners[k])) / 6.0;
    }
  }
  return volume;
}

const std::vector<std::pair<ObstacleShape, double>>& ShapesWithVolumes() {
  constexpr double pi = std::numbers::pi;
  static const meshes::Shape cube = meshes::Cube(0.4);
  static const std::vector<std::pair<ObstacleShape, double>> shapes = {
      {Sphere{0.5}, 4.0 / 3.0 * pi * 0.125},
      {Box{{0.5, 0.2, 0.3}}, 0.24},
      {Capsule{{0.3, 0.4, 0.0}, 0.2}, 4.0 / 3.0 * pi * 0.008 + pi * 0.04 * 1.0},
      {Solid{ConvexPieces(cube.vertices, cube.mesh)}, 0.512},
  };
  return shapes;
}

TEST(ObstacleSurface, EnclosesTheVolumeOfTheShape) {
  for (const auto& [shape, volume] : ShapesWithVolumes()) {
    EXPECT_NEAR(VolumeOf(FacetsOf(shape, {.around = 96, .side = 3})), volume, 4e-3 * volume);
  }
}

TEST(ObstacleSurface, LiesOnTheShapeAndFacesOutwards) {
  for (const auto& [shape, volume] : ShapesWithVolumes()) {
    for (const Facet& facet : FacetsOf(shape, {})) {
      for (int k = 0; k < facet.size; ++k) {
        const Proximity at = SignedDistance(shape, Vector3d::Zero(), facet.corners[k]);
        EXPECT_NEAR(at.distance, 0.0, 1e-12);
        EXPECT_NEAR(facet.normals[k].norm(), 1.0, 1e-12);
      }
      const Vector3d middle =
          0.25 * (facet.corners[0] + facet.corners[1] + facet.corners[2] + facet.corners[3]);
      const Vector3d out = middle + 0.05 * facet.normal;
      EXPECT_GT(SignedDistance(shape, Vector3d::Zero(), out).distance, 0.0);
    }
  }
}

TEST(ObstacleSurface, BoundsHullAndFacetsAgree) {
  for (const auto& [shape, volume] : ShapesWithVolumes()) {
    Eigen::AlignedBox3d of_hull, of_facets;
    for (const Ball& ball : HullOf(shape)) {
      of_hull.extend(Vector3d(ball.centre.array() - ball.radius));
      of_hull.extend(Vector3d(ball.centre.array() + ball.radius));
    }
    const ShapeBounds bounds = BoundsOf(shape);
    for (const Facet& facet : FacetsOf(shape, {.around = 96})) {
      for (const Vector3d& corner : facet.corners) {
        of_facets.extend(corner);
        EXPECT_LE((corner - bounds.box.center()).norm(), bounds.radius + 1e-12);
      }
    }
    EXPECT_TRUE(of_hull.isApprox(bounds.box, 1e-12));
    EXPECT_LT((of_facets.sizes() - bounds.box.sizes()).cwiseAbs().maxCoeff(), 2e-3);
  }
}

TEST(ObstacleSurface, OutlineOfARoundShapeHasItsRadius) {
  for (const auto& outline : OutlinesOf(Sphere{0.3}, 24)) {
    for (const auto& corner : outline.colwise()) EXPECT_NEAR(corner.norm(), 0.3, 1e-15);
  }
  EXPECT_EQ(OutlinesOf(Box{}, 24).size(), 1U);
  EXPECT_TRUE(OutlinesOf(Plane{}, 24).empty());
}

TEST(ObstacleSurface, APlaneIsUnbounded) {
  const ObstacleShape plane = Plane{};
  EXPECT_NE(PlaneOf(plane), nullptr);
  EXPECT_EQ(PlaneOf(Sphere{}), nullptr);
  EXPECT_TRUE(std::isinf(BoundsOf(plane).radius));
  EXPECT_TRUE(FacetsOf(plane, {}).empty());
}

}  // namespace
}  // namespace pliant
