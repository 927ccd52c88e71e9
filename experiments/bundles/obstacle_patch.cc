#include "experiments/bundles/obstacle_patch.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>

#include "models/scene/obstacle_surface.h"

namespace pliant {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

constexpr int kAround = 32;      // facets around a ball
constexpr double kLarger = 1.5;  // than what lies on a plane
constexpr double kDepth = 0.1;   // of the strip of a plane, of its length

void AddPolygon(const Matrix3Xd& corners, ObstaclePatch* patch) {
  const auto first = static_cast<int>(patch->points.cols());
  patch->points.conservativeResize(3, first + corners.cols());
  patch->points.rightCols(corners.cols()) = corners;
  std::vector<int>& polygon = patch->polygons.emplace_back();
  for (int i = 0; i < static_cast<int>(corners.cols()); ++i) polygon.push_back(first + i);
}

ObstaclePatch PatchOfPlane(const Scene& scene, const Plane& plane, const Vector3d& origin,
                           const Eigen::AlignedBox3d& bounds) {
  ObstaclePatch patch;
  const double half = std::max(kLarger * 0.5 * bounds.diagonal().norm(), 1e-3);
  const Vector3d to_middle = bounds.center() - origin;
  const Vector3d foot = to_middle - to_middle.dot(plane.normal) * plane.normal;
  if (scene.dimension == 2) {
    const Vector3d along = Vector3d::UnitZ().cross(plane.normal);  // the solid is on its left
    Matrix3Xd corners(3, 4);
    const Vector3d down = -2.0 * kDepth * half * plane.normal;
    corners << foot + half * along, foot - half * along, foot - half * along + down,
        foot + half * along + down;
    AddPolygon(corners.rowwise().reverse(), &patch);
    return patch;
  }
  const auto [a, b] = TangentsOf(plane.normal);
  Matrix3Xd corners(3, 4);
  corners << foot - half * (a + b), foot + half * (a - b), foot + half * (a + b),
      foot - half * (a - b);
  AddPolygon(corners, &patch);
  return patch;
}

Eigen::AlignedBox3d BoundsOf(const Bundle& bundle) {
  const Scene& scene = *bundle.experiment().scene;
  Eigen::AlignedBox3d bounds;
  for (size_t frame = 0; frame < bundle.frame_count(); ++frame) {
    const Matrix3Xd x = bundle.Points(frame);
    if (x.cols() == 0) continue;
    bounds.extend(x.rowwise().minCoeff().eval());
    bounds.extend(x.rowwise().maxCoeff().eval());
  }
  for (const Obstacle& obstacle : scene.obstacles) {
    if (PlaneOf(obstacle.shape) != nullptr) continue;
    Eigen::AlignedBox3d box = BoundsOf(obstacle.shape).box;
    box.translate(obstacle.motion.At(0.0).position);
    bounds.extend(box);
  }
  return bounds;
}

ObstaclePatch PatchOf(const Scene& scene, const Obstacle& obstacle,
                      const Eigen::AlignedBox3d& bounds) {
  if (const Plane* plane = PlaneOf(obstacle.shape)) {
    return PatchOfPlane(scene, *plane, obstacle.motion.At(0.0).position, bounds);
  }
  ObstaclePatch patch;
  if (scene.dimension == 2) {
    for (const Matrix3Xd& outline : OutlinesOf(obstacle.shape, kAround)) {
      AddPolygon(outline, &patch);
    }
    return patch;
  }
  for (const Facet& facet : FacetsOf(obstacle.shape, {.around = kAround})) {
    Matrix3Xd corners(3, facet.size);
    for (int k = 0; k < facet.size; ++k) corners.col(k) = facet.corners[static_cast<size_t>(k)];
    AddPolygon(corners, &patch);
  }
  return patch;
}

}  // namespace

std::vector<ObstaclePatch> PatchesOf(const Bundle& bundle) {
  const Scene& scene = *bundle.experiment().scene;
  const Eigen::AlignedBox3d bounds = BoundsOf(bundle);
  std::vector<ObstaclePatch> patches;
  for (const Obstacle& obstacle : scene.obstacles) {
    patches.push_back(PatchOf(scene, obstacle, bounds));
  }
  return patches;
}

}  // namespace pliant
