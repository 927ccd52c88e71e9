#include "app/workbench/view/scene_mesh.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <utility>
#include <variant>

#include "app/plots/camera.h"
#include "app/plots/scene_drawing.h"

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

// Two unit vectors that make a right-handed frame with the unit vector `n`.
std::pair<Vector3d, Vector3d> FrameOf(const Vector3d& n) {
  const Vector3d helper = std::abs(n.z()) < 0.9 ? Vector3d::UnitZ() : Vector3d::UnitX();
  const Vector3d a = helper.cross(n).normalized();
  return {a, n.cross(a)};
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

// A sphere is a capsule without length.
void AddCapsuleTo(MeshMaker* maker, const Vector3d& half_axis, double radius) {
  const double length = half_axis.norm();
  const Vector3d up = length > 0.0 ? Vector3d(half_axis / length) : Vector3d::UnitY();
  const auto [a, b] = FrameOf(up);
  const int rings = kTurn / 2 + 1;  // the equator twice: once for each end
  std::vector<std::uint32_t> previous;
  for (int ring = 0; ring <= rings; ++ring) {
    const bool upper = ring > rings / 2;
    const double latitude =
        std::numbers::pi * (static_cast<double>(upper ? ring - 1 : ring) / (rings - 1) - 0.5);
    std::vector<std::uint32_t> present;
    for (int around = 0; around <= kTurn; ++around) {
      const double longitude = 2.0 * std::numbers::pi * around / kTurn;
      const Vector3d normal =
          std::cos(latitude) * (std::cos(longitude) * a + std::sin(longitude) * b) +
          std::sin(latitude) * up;
      present.push_back(
          maker->Add((upper ? half_axis : Vector3d(-half_axis)) + radius * normal, normal));
    }
    for (int i = 0; i < kTurn && !previous.empty(); ++i) {
      maker->Triangle(previous[i], previous[i + 1], present[i + 1]);
      maker->Triangle(previous[i], present[i + 1], present[i]);
    }
    previous = std::move(present);
  }
}

void AddBoxTo(MeshMaker* maker, const Box& box) {
  const Eigen::Matrix3d half = box.axes * box.half_size.asDiagonal();
  for (int side = 0; side < 6; ++side) {
    const int axis = side / 2;
    const double sign = side % 2 == 0 ? 1.0 : -1.0;
    const Vector3d out = sign * half.col(axis);
    const Vector3d a = half.col((axis + 1) % 3), b = sign * half.col((axis + 2) % 3);
    maker->Quad({out - a - b, out + a - b, out + a + b, out - a + b}, out.normalized());
  }
}

}  // namespace

Mesh MeshOf(const Obstacle& obstacle, const Colour& colour) {
  MeshMaker maker(colour);
  if (const auto* sphere = std::get_if<Sphere>(&obstacle.shape)) {
    AddCapsuleTo(&maker, Vector3d::Zero(), sphere->radius);
  } else if (const auto* capsule = std::get_if<Capsule>(&obstacle.shape)) {
    AddCapsuleTo(&maker, capsule->half_axis, capsule->radius);
  } else if (const auto* box = std::get_if<Box>(&obstacle.shape)) {
    AddBoxTo(&maker, *box);
  } else if (const auto* solid = std::get_if<Solid>(&obstacle.shape)) {
    for (const ConvexPiece& piece : solid->pieces) {
      for (size_t f = 0; f < piece.faces.size(); ++f) {
        const Vector3d normal = piece.normals.col(static_cast<Eigen::Index>(f));
        std::array<std::uint32_t, 3> corner{};
        for (int k = 0; k < 3; ++k) {
          corner[k] = maker.Add(piece.vertices.col(piece.faces[f][k]), normal);
        }
        maker.Triangle(corner[0], corner[1], corner[2]);
      }
    }
  }
  return maker.Take();
}

Mesh GroundMesh(const Obstacle& plane, const Scene& scene, double reach) {
  const ScenePalette palette;
  MeshMaker maker(palette.ground);
  const Vector3d origin = plane.motion.At(0.0).position;
  const Vector3d n = std::get<Plane>(plane.shape).normal;
  const Vector3d middle = ExtentOf(scene).centre;
  const Vector3d foot = middle - n.dot(middle - origin) * n;
  if (scene.dimension == 2) {
    const Vector3d along = reach * Vector3d(n.y(), -n.x(), 0.0), below = -reach * n;
    maker.Quad({foot - along + below, foot + along + below, foot + along, foot - along},
               Vector3d::UnitZ());
    maker.Line(foot - along, foot + along, Lighten(palette.ground_line, -0.35));
    return maker.Take();
  }
  const auto [a, b] = FrameOf(n);
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
    if (std::holds_alternative<Plane>(obstacle.shape)) continue;
    const Vector3d origin = obstacle.motion.At(0.0).position;
    for (const Vertex& vertex : MeshOf(obstacle, {}).vertices) {
      const Vector3d offset(vertex.position[0], vertex.position[1], vertex.position[2]);
      box.extend(origin + offset);
    }
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
    const auto* plane = std::get_if<Plane>(&scene.obstacles[i].shape);
    if (plane == nullptr || plane->normal.y() <= best) continue;
    best = plane->normal.y();
    floor = i;
  }
  return floor;
}

}  // namespace pliant
