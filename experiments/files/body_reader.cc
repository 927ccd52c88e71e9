#include <cmath>
#include <numbers>

#include "experiments/files/mesh_reader.h"
#include "experiments/files/point_names.h"
#include "experiments/files/scene_keys.h"
#include "experiments/files/scene_reader.h"
#include "models/scene/shapes.h"

namespace pliant {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

// More points than any run could use: a slip in a file must not exhaust the memory.
constexpr double kMostBodyPoints = 1e6;

// Puts the keys of the shape file that `table` names in place of its name.
void InlineShapeFile(FileValue* table) {
  FileValue* file = table->Find("file");
  if (file == nullptr) {
    if (table->Find("points") == nullptr) {
      FailAt(table->place, std::string(ProfileKeys::kTitle) + " lacks the key 'file'",
             "name a shape file, or give points and masses in place");
    }
    return;
  }
  const std::string name = ReadValue<std::string>(file, {"'file'"});
  FileValue outline = ReadToml(file->place.source->folder / name, file->place);
  ReadKeys<OutlineKeys>(&outline, 2);
  for (FileValue::Entry& entry : *outline.table()) {
    if (const FileValue::Entry* given = table->FindEntry(entry.key)) {
      FailAt(given->place,
             "both the shape file '" + name + "' and the body give '" + given->key + "'",
             "remove one");
    }
    table->table()->push_back(std::move(entry));
  }
  table->Erase("file");
}

Body MakeProfile(const std::string& name, const ProfileKeys& keys, const FileValue& table) {
  const OutlineKeys& outline = keys.outline;
  Body body;
  body.name = name;
  body.shape = ShapeKind::kProfile;
  const auto n = static_cast<Eigen::Index>(outline.points.size());
  if (outline.masses.size() != outline.points.size()) {
    FailAt(table.Find("masses")->place,
           "body '" + name + "' has " + std::to_string(n) + " points but " +
               std::to_string(outline.masses.size()) + " masses",
           "give one mass for each point");
  }
  body.rest = Eigen::Matrix3Xd::Zero(3, n);
  body.mass.resize(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    body.rest.col(i).head<2>() << outline.points[i][0], outline.points[i][1];
    body.mass[i] = outline.masses[i];
  }
  if (!(body.mass.array() > 0.0).all()) {
    FailAt(table.Find("masses")->place, "every mass of body '" + name + "' must be positive");
  }
  if (keys.mass) {
    if (!(*keys.mass > 0.0)) {
      FailAt(table.Find("mass")->place, "mass of body '" + name + "' must be positive");
    }
    body.mass *= *keys.mass / body.mass.sum();
  }
  if (outline.edges) body.edges = *outline.edges;
  if (outline.faces) body.faces = *outline.faces;
  return body;
}

// The rotation that takes the xy-plane of a sheet's frame to the plane it starts in, +z to the
// normal.
Quaterniond PlaneRotation(SheetPlane plane) {
  constexpr double kRightAngle = 0.5 * std::numbers::pi;
  switch (plane) {
    case SheetPlane::kXy:
      break;
    case SheetPlane::kXz:  // x → x, y → −z, z → y
      return Quaterniond(Eigen::AngleAxisd(-kRightAngle, Vector3d::UnitX()));
    case SheetPlane::kYz:  // x → y, y → z, z → x
      return Quaterniond(0.5, 0.5, 0.5, 0.5);
  }
  return Quaterniond::Identity();
}

void RequirePointCount(const FileValue& table, double points) {
  if (points > kMostBodyPoints) {
    FailAt(PlaceOf(table, "points"), "more than a million points", "give fewer");
  }
}

Body MakeShape(const Shaped<BodyKeys, ProfileKeys>& keys, const FileValue& table) {
  return MakeProfile(keys.common.name, keys.shape, table);
}
Body MakeShape(const Shaped<BodyKeys, ChainKeys>& keys, const FileValue& table) {
  const ChainKeys& chain = keys.shape;
  RequirePointCount(table, chain.points);
  if (chain.from == chain.to) {
    FailAt(PlaceOf(table, "to"), "the chain of body '" + keys.common.name + "' has no length",
           "let it end elsewhere than it begins");
  }
  return MakeChain(keys.common.name, chain.from, chain.to, chain.points, chain.mass);
}
Body MakeShape(const Shaped<BodyKeys, SheetKeys>& keys, const FileValue& table) {
  const SheetKeys& sheet = keys.shape;
  RequirePointCount(table, static_cast<double>(sheet.points[0]) * sheet.points[1]);
  Body body = MakeSheet(keys.common.name, {sheet.size[0], sheet.size[1]}, sheet.points, sheet.mass);
  body.orientation = PlaneRotation(sheet.plane);
  return body;
}
Body MakeShape(const Shaped<BodyKeys, BlockKeys>& keys, const FileValue& table) {
  const BlockKeys& block = keys.shape;
  const auto& n = block.points;
  RequirePointCount(table, static_cast<double>(n[0]) * n[1] * n[2]);
  return MakeBlock(keys.common.name, {block.size[0], block.size[1], block.size[2]}, n, block.mass);
}

Body MakeShape(const Shaped<BodyKeys, RingKeys>& keys, const FileValue& table) {
  RequirePointCount(table, keys.shape.points);
  return MakeRing(keys.common.name, keys.shape.radius, keys.shape.points, keys.shape.mass);
}
Body MakeShape(const Shaped<BodyKeys, TubeKeys>& keys, const FileValue& table) {
  const TubeKeys& tube = keys.shape;
  RequirePointCount(table, static_cast<double>(tube.points[0]) * tube.points[1]);
  return MakeTube(keys.common.name, tube.radius, tube.length, tube.points, tube.mass);
}
Body MakeShape(const Shaped<BodyKeys, TorusKeys>& keys, const FileValue& table) {
  const TorusKeys& torus = keys.shape;
  RequirePointCount(table, static_cast<double>(torus.points[0]) * torus.points[1]);
  return MakeTorus(keys.common.name, torus.radius, torus.tube_radius, torus.points, torus.mass);
}
Body MakeShape(const Shaped<BodyKeys, MeshKeys>& keys, const FileValue& table) {
  const MeshKeys& mesh = keys.shape;
  if (mesh.subdivisions < 0) {
    FailAt(PlaceOf(table, "subdivisions"), "a mesh cannot be refined a negative number of times",
           "give 0 or more");
  }
  // Each refinement has about four times the faces.
  const double corners = static_cast<double>(mesh.polygons.faces.size()) * 4.0;
  if (corners * std::pow(4.0, mesh.subdivisions) > 4.0 * kMostBodyPoints) {
    FailAt(PlaceOf(table, "subdivisions"), "more than a million points", "refine it less often");
  }
  const auto [vertices, polygons] =
      MakePolygons(mesh.polygons, mesh.scale, PlaceOf(table, "scale"));
  if (mesh.lines && !mesh.lines->empty()) {
    if (!polygons.faces.empty()) {
      FailAt(PlaceOf(table, "lines"), "a mesh has faces or lines, not both",
             "make two bodies of it and attach them");
    }
    if (mesh.subdivisions > 0) {
      FailAt(PlaceOf(table, "subdivisions"), "lines are not refined", "give subdivisions = 0");
    }
    return MakeGraph(keys.common.name, vertices, *mesh.lines, mesh.mass);
  }
  return MakeMesh(keys.common.name, vertices, polygons, mesh.scheme, mesh.subdivisions, mesh.mass);
}

Vector3d StretchFactors(const std::vector<double>& factors, int dimension, const FilePlace& place) {
  const bool planar = dimension == 2 && factors.size() == 2;
  if (!planar && factors.size() != 3) {
    FailAt(place, "'stretch' has " + std::to_string(factors.size()) + " entries", "it must have 3");
  }
  return {factors[0], factors[1], planar ? 1.0 : factors[2]};
}

// Where the body starts and what its points are called.
void PlaceBody(const BodyKeys& keys, const FileValue& table, int dimension, Body* body) {
  body->position = keys.position;
  if (keys.rotation) {
    body->orientation = ToRotation(*keys.rotation, PlaceOf(table, "rotation")) * body->orientation;
  }
  if (keys.stretch) {
    body->stretch =
        StretchFactors(*keys.stretch, dimension, PlaceOf(table, "stretch")).asDiagonal();
  }
  body->velocity = keys.velocity;
  if (keys.marks) {
    for (const auto& [name, point] : *keys.marks) {
      const FilePlace place = PlaceOf(*table.Find("marks"), name);
      body->marks.emplace_back(name, OnePointNamed(*body, point, place));
    }
  }
  if (keys.angular_velocity) {
    if (const auto* rate = std::get_if<double>(&*keys.angular_velocity)) {
      body->angular_velocity = {0.0, 0.0, *rate};
    } else {
      body->angular_velocity = std::get<Vector3d>(*keys.angular_velocity);
    }
  }
}

template <typename ShapeKeys>
Body ReadBodyOf(FileValue* table, int dimension) {
  const auto keys = ReadKeys<Shaped<BodyKeys, ShapeKeys>>(table, dimension);
  try {
    Body body = MakeShape(keys, *table);
    PlaceBody(keys.common, *table, dimension, &body);
    return body;
  } catch (const BadInput& bad) {
    FailInMesh(*table, bad.problem());
  }
}

}  // namespace

Body ReadBody(FileValue* table, int dimension) {
  switch (ReadShape<ShapeKind, BodyKeys, ProfileKeys, ChainKeys, SheetKeys, BlockKeys, RingKeys,
                    TubeKeys, TorusKeys, MeshKeys>(table)) {
    case ShapeKind::kProfile:
      InlineShapeFile(table);
      return ReadBodyOf<ProfileKeys>(table, dimension);
    case ShapeKind::kChain:
      return ReadBodyOf<ChainKeys>(table, dimension);
    case ShapeKind::kSheet:
      return ReadBodyOf<SheetKeys>(table, dimension);
    case ShapeKind::kBlock:
      return ReadBodyOf<BlockKeys>(table, dimension);
    case ShapeKind::kRing:
      return ReadBodyOf<RingKeys>(table, dimension);
    case ShapeKind::kTube:
      return ReadBodyOf<TubeKeys>(table, dimension);
    case ShapeKind::kTorus:
      return ReadBodyOf<TorusKeys>(table, dimension);
    case ShapeKind::kMesh:
      InlineMeshFile(table, true);
      return ReadBodyOf<MeshKeys>(table, dimension);
  }
  return {};
}

}  // namespace pliant
