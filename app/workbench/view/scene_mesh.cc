#include "app/workbench/view/scene_mesh.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "app/plots/camera.h"
#include "app/plots/scene_drawing.h"
#include "models/scene/obstacle_surface.h"

namespace pliant {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

constexpr int kTurn = 32;           // facets around a sphere or capsule
constexpr double kFloorTilt = 0.5;  // least height of the normal of a floor

std::array<std::uint8_t, 4> Rgba(const Colour& colour) {
  return {colour.red, colour.green, colour.blue, 255};
}

std::array<float, 3> ToArray(const Vector3d& v) {
  return {static_cast<float>(v.x()), static_cast<float>(v.y()), static_cast<float>(v.z())};
}

class MeshMaker {
 public:
  explicit MeshMaker(const Colour& colour) : colour_(Rgba(colour)) {}

  std::uint32_t Add(const Vector3d& position, const Vector3d& normal) {
    mesh_.vertices.push_back({ToArray(position), ToArray(normal), colour_});
    return static_cast<std::uint32_t>(mesh_.vertices.size() - 1);
  }
  void Triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    for (const std::uint32_t i : {a, b, c}) mesh_.triangles.push_back(i);
  }
  void Quad(const std::array<Vector3d, 4>& corners, const Vector3d& normal) {
    const std::uint32_t a = Add(corners[0], normal), b = Add(corners[1], normal);
    const std::uint32_t c = Add(corners[2], normal), d = Add(corners[3], normal);
    Triangle(a, b, c);
    Triangle(a, c, d);
  }
  void Line(const Vector3d& a, const Vector3d& b, const Colour& colour) {
    for (const Vector3d& end : {a, b}) {
      mesh_.lines.push_back(static_cast<std::uint32_t>(mesh_.vertices.size()));
      mesh_.vertices.push_back({ToArray(end), {0, 0, 0}, Rgba(colour)});
    }
  }
  Mesh Take() { return std::move(mesh_); }

 private:
  Mesh mesh_;
  std::array<std::uint8_t, 4> colour_;
};

}  // namespace

Mesh MeshOf(const Obstacle& obstacle, const Colour& colour) {
  MeshMaker maker(colour);
  for (const Facet& facet : FacetsOf(obstacle.shape, {.around = kTurn})) {
    std::array<std::uint32_t, 4> corner{};
    for (int k = 0; k < facet.size; ++k) corner[k] = maker.Add(facet.corners[k], facet.normals[k]);
    maker.Triangle(corner[0], corner[1], corner[2]);
    if (facet.size == 4) maker.Triangle(corner[0], corner[2], corner[3]);
  }
  return maker.Take();
}

Mesh GroundMesh(const Obstacle& plane, const Scene& scene, double reach) {
  const ScenePalette palette;
  MeshMaker maker(palette.ground);
  const Vector3d origin = plane.motion.At(0.0).position;
  const Vector3d n = PlaneOf(plane.shape)->normal;
  const Vector3d middle = ExtentOf(scene).centre;
  const Vector3d foot = middle - n.dot(middle - origin) * n;
  if (scene.dimension == 2) {
    const Vector3d along = reach * Vector3d(n.y(), -n.x(), 0.0), below = -reach * n;
    maker.Quad({foot - along + below, foot + along + below, foot + along, foot - along},
               Vector3d::UnitZ());
    maker.Line(foot - along, foot + along, Lighten(palette.ground_line, -0.35));
    return maker.Take();
  }
  const auto [a, b] = TangentsOf(n);
  const double spacing = ScaleBarLength(reach / 6.0);
  const int half = static_cast<int>(std::ceil(reach / spacing));
  const double side = half * spacing;
  maker.Quad({foot - side * a - side * b, foot + side * a - side * b, foot + side * a + side * b,
              foot - side * a + side * b},
             n);
  for (int i = -half; i <= half; ++i) {
    const double at = i * spacing;
    maker.Line(foot + at * a - side * b, foot + at * a + side * b, palette.ground_line);
    maker.Line(foot + at * b - side * a, foot + at * b + side * a, palette.ground_line);
  }
  return maker.Take();
}

Extent ExtentOf(const Scene& scene) {
  Eigen::AlignedBox3d box;
  const Eigen::Matrix3Xd start = scene.InitialPoints();
  for (Eigen::Index i = 0; i < start.cols(); ++i) box.extend(start.col(i));
  for (const Nail& nail : scene.nails) box.extend(nail.path.At(0.0).position);
  for (const Obstacle& obstacle : scene.obstacles) {
    if (PlaneOf(obstacle.shape) != nullptr) continue;
    box.extend(BoundsOf(obstacle.shape).box.translated(obstacle.motion.At(0.0).position));
  }
  if (box.isEmpty()) return {};
  return {box.center(), std::max(0.5 * box.diagonal().norm(), 1e-3)};
}

BodyTopology TopologyOf(const Scene& scene) {
  BodyTopology topology;
  topology.flat.assign(static_cast<size_t>(scene.PointCount()), false);
  for (size_t b = 0; b < scene.bodies.size(); ++b) {
    const Body& body = scene.bodies[b];
    const int offset = scene.Offset(static_cast<int>(b));
    for (const auto& face : body.faces) {
      for (const int i : face) topology.triangles.push_back(static_cast<std::uint32_t>(offset + i));
    }
    std::set<std::pair<int, int>> of_faces;
    for (const auto& [i, j, k] : body.faces) {
      for (const auto& side : {std::minmax(i, j), std::minmax(j, k), std::minmax(k, i)}) {
        of_faces.emplace(side.first, side.second);
      }
    }
    std::set<int> joined;  // by strands
    for (const auto& [i, j] : body.edges) {
      const bool of_face = body.closed || of_faces.contains({std::min(i, j), std::max(i, j)});
      for (const int end : {i, j}) {
        (of_face ? topology.edges : topology.strands)
            .push_back(static_cast<std::uint32_t>(offset + end));
        if (!of_face) joined.insert(offset + end);
      }
    }
    topology.strand_points.insert(topology.strand_points.end(), joined.begin(), joined.end());
    const bool flat = body.shape == ShapeKind::kBlock || body.shape == ShapeKind::kProfile;
    for (int i = offset; i < offset + body.size(); ++i) {
      topology.flat[static_cast<size_t>(i)] = flat;
    }
  }
  return topology;
}

void NormalsOf(const BodyTopology& topology, const Eigen::Matrix3Xf& points,
               Eigen::Matrix3Xf* normals) {
  normals->setZero(3, points.cols());
  const auto& triangles = topology.triangles;
  for (size_t i = 0; i + 2 < triangles.size(); i += 3) {
    const std::uint32_t a = triangles[i], b = triangles[i + 1], c = triangles[i + 2];
    if (topology.flat[a]) continue;
    const Vector3f normal = (points.col(b) - points.col(a)).cross(points.col(c) - points.col(a));
    for (const std::uint32_t corner : {a, b, c}) normals->col(corner) += normal;
  }
  for (Eigen::Index i = 0; i < points.cols(); ++i) {
    const float length = normals->col(i).norm();
    if (length > 0.0F) normals->col(i) /= length;
  }
}

std::optional<size_t> FloorOf(const Scene& scene) {
  if (scene.dimension == 2) return std::nullopt;
  std::optional<size_t> floor;
  double best = kFloorTilt;
  for (size_t i = 0; i < scene.obstacles.size(); ++i) {
    const Plane* plane = PlaneOf(scene.obstacles[i].shape);
    if (plane == nullptr || plane->normal.y() <= best) continue;
    best = plane->normal.y();
    floor = i;
  }
  return floor;
}

}  // namespace pliant
