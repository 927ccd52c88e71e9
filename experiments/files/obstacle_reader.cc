#include <cmath>

#include "experiments/files/mesh_reader.h"
#include "experiments/files/scene_keys.h"
#include "experiments/files/scene_reader.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

ObstacleShape MakeShape(const PlaneKeys& keys, const FileValue& table) {
  if (keys.normal && keys.slope) {
    FailAt(PlaceOf(table, "slope"), "a plane has a normal or a slope, not both", "remove one");
  }
  if (keys.slope) return Plane{{-std::sin(*keys.slope), std::cos(*keys.slope), 0.0}};
  return Plane{
      Direction(keys.normal.value_or(Vector3d::UnitY()), PlaceOf(table, "normal"), "the normal")};
}
ObstacleShape MakeShape(const SphereKeys& keys, const FileValue&) { return Sphere{keys.radius}; }
ObstacleShape MakeShape(const BoxKeys& keys, const FileValue& table) {
  Box box{{keys.half_size[0], keys.half_size[1], keys.half_size[2]}};
  if (keys.rotation) {
    box.axes = ToRotation(*keys.rotation, PlaceOf(table, "rotation")).toRotationMatrix();
  }
  return box;
}
ObstacleShape MakeShape(const CapsuleKeys& keys, const FileValue&) {
  return Capsule{keys.half_axis, keys.radius};
}

ObstacleShape MakeShape(const SolidKeys& keys, const FileValue& table) {
  auto [vertices, mesh] = MakePolygons(keys.polygons, keys.scale, PlaceOf(table, "scale"));
  if (keys.rotation) {
    vertices = ToRotation(*keys.rotation, PlaceOf(table, "rotation")).toRotationMatrix() * vertices;
  }
  try {
    return Solid{ConvexPieces(vertices, mesh)};
  } catch (const BadInput& bad) {
    FailInMesh(table, bad.problem());
  }
}

Path Motion(const ObstacleKeys& keys, const FileValue& table) {
  if (!keys.path) return Path::Still(keys.position.value_or(Vector3d::Zero()));
  if (keys.position) {
    FailAt(PlaceOf(table, "position"), "an obstacle has a position or a path, not both",
           "remove one");
  }
  return MakePath(keys.path->times, keys.path->keys, keys.path->interpolation, *table.Find("path"));
}

template <typename ShapeKeys>
Obstacle ReadObstacleOf(FileValue* table, int dimension) {
  const auto keys = ReadKeys<Shaped<ObstacleKeys, ShapeKeys>>(table, dimension);
  Obstacle obstacle;
  obstacle.name = keys.common.name;
  obstacle.shape = MakeShape(keys.shape, *table);
  obstacle.motion = Motion(keys.common, *table);
  obstacle.friction = keys.common.friction;
  obstacle.restitution = keys.common.restitution;
  return obstacle;
}

}  // namespace

Path MakePath(const std::vector<double>& times, const std::vector<Vector3d>& keys,
              Path::Interpolation interpolation, const FileValue& table) {
  Eigen::Matrix3Xd positions(3, keys.size());
  for (size_t i = 0; i < keys.size(); ++i) positions.col(static_cast<int>(i)) = keys[i];
  if (times.size() == 1 && keys.size() == 1) {
    FailAt(PlaceOf(table, "times"), "a path with one key does not lead anywhere",
           "give at least two, or no path");
  }
  try {
    return Path(times, std::move(positions), interpolation);
  } catch (const BadInput& bad) {
    FailAt(PlaceOf(table, bad.problem().where), bad.problem().what, bad.problem().mend);
  }
}

Obstacle ReadObstacle(FileValue* table, int dimension) {
  switch (
      ReadShape<ObstacleKind, ObstacleKeys, PlaneKeys, SphereKeys, BoxKeys, CapsuleKeys, SolidKeys>(
          table)) {
    case ObstacleKind::kPlane:
      return ReadObstacleOf<PlaneKeys>(table, dimension);
    case ObstacleKind::kSphere:
      return ReadObstacleOf<SphereKeys>(table, dimension);
    case ObstacleKind::kBox:
      return ReadObstacleOf<BoxKeys>(table, dimension);
    case ObstacleKind::kCapsule:
      return ReadObstacleOf<CapsuleKeys>(table, dimension);
    case ObstacleKind::kSolid:
      InlineMeshFile(table, false);
      return ReadObstacleOf<SolidKeys>(table, dimension);
  }
  return {};
}

}  // namespace pliant
