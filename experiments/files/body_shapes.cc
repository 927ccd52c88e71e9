// [[body]]: the keys of each shape, and the body that they make, in its own frame and with its total mass.

#include <cmath>
#include <numbers>

#include "experiments/files/mesh_reader.h"
#include "experiments/files/scene_keys.h"
#include "models/scene/shapes.h"
#include "models/scene/volume_mesh.h"

namespace pliant {

EnumWords<SubdivisionScheme> WordsOf(SubdivisionScheme) {
  return {{"catmull-clark", SubdivisionScheme::kCatmullClark}, {"loop", SubdivisionScheme::kLoop}};
}

namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

// More points than any run could use: a typing error in a file must not exhaust the memory.
constexpr double kMostBodyPoints = 1e6;

void RequirePointCount(const KeyBinder& b, double points) {
  if (b.reads() && points > kMostBodyPoints) {
    b.Fail("points", "more than a million points", "give fewer");
  }
}

bool HasDensity(const KeyBinder& b) {
  const FileValue* material = b.table()->Find("material");
  return material != nullptr && material->table() != nullptr &&
         material->Find("density") != nullptr;
}

// A body weighs what it says, or what the density of its material makes of its volume: then `mass`
// becomes any positive number, which Weigh() of body_keys.cc replaces.
void BindMass(KeyBinder& b, double* mass) {
  std::optional<double> given;
  b.Optional("mass", &given, "kg",
             "total mass, distributed evenly over the points, or over the volume if there is a "
             "material; **required** unless the material has a density");
  if (!b.reads()) return;
  if (!given && !HasDensity(b)) {
    b.Fail("", b.title() + " lacks the key 'mass'",
           "add mass = number: total mass; or a material with a density");
  }
  *mass = given.value_or(1.0);
}

// Replaces the name of the shape file by its keys.
void InlineShapeFile(KeyBinder& b) {
  FileValue* table = b.table();
  FileValue* file = table->Find("file");
  if (file == nullptr) {
    if (b.Has("points")) return;
    b.Fail("", b.title() + " lacks the key 'file'", "name a shape file, or give points and masses");
  }
  const auto name = ReadValue<std::string>(file, {"'file'"});
  FileValue outline = ReadToml(file->place.source->folder / name, file->place);
  ReadKeys<Outline>(&outline, {"", 2});
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

void BindOutline(KeyBinder& b, Outline* outline) {
  b.Required("points", &outline->points, "m", "material points [x, y] in the body's frame");
  b.Required("masses", &outline->masses, "kg",
             "mass of each point; a material spreads their sum, or its density, over the area");
  b.Optional("edges", &outline->edges, "1", "pairs of points, for drawing and for strain");
  b.Optional("faces", &outline->faces, "1", "triangles of points, counter-clockwise, for the area");
}

Body BindProfile(KeyBinder& b, const std::string& name) {
  std::optional<std::string> file;
  Outline outline;
  std::optional<double> mass;
  b.Optional("file", &file, "1", "shape file with the following four keys");
  if (b.reading()) InlineShapeFile(b);
  BindOutline(b, &outline);
  b.Optional("mass", &mass, "kg", "total mass; the masses of the points are scaled to this value");
  if (!b.reads()) return {};
  const auto n = static_cast<Eigen::Index>(outline.points.size());
  if (outline.masses.size() != outline.points.size()) {
    b.Fail("masses",
           "body '" + name + "' has " + std::to_string(n) + " points but " +
               std::to_string(outline.masses.size()) + " masses",
           "give one mass for each point");
  }
  Body body;
  body.name = name;
  body.shape = ShapeKind::kProfile;
  body.rest = Eigen::Matrix3Xd::Zero(3, n);
  body.mass.resize(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    body.rest.col(i).head<2>() << outline.points[i][0], outline.points[i][1];
    body.mass[i] = outline.masses[i];
  }
  if (!(body.mass.array() > 0.0).all()) {
    b.Fail("masses", "every mass of body '" + name + "' must be positive");
  }
  if (mass) {
    if (!(*mass > 0.0)) b.Fail("mass", "mass of body '" + name + "' must be positive");
    body.mass *= *mass / body.mass.sum();
  }
  body.edges = std::move(outline.edges);
  body.faces = std::move(outline.faces);
  return body;
}

Body BindChain(KeyBinder& b, const std::string& name) {
  Vector3d from = Vector3d::Zero(), to = Vector3d::Zero();
  int points = 0;
  double mass = 0.0;
  b.Required("from", &from, "m", "first point, in the body's frame");
  b.Required("to", &to, "m", "last point, in the body's frame");
  b.Required("points", &points, "1", "number of points, evenly along the line");
  BindMass(b, &mass);
  if (!b.reads()) return {};
  RequirePointCount(b, points);
  if (from == to) {
    b.Fail("to", "the chain of body '" + name + "' has no length", "give it two different ends");
  }
  return MakeChain(name, from, to, points, mass);
}

enum class SheetPlane { kXy, kXz, kYz };
EnumWords<SheetPlane> WordsOf(SheetPlane) {
  return {{"xy", SheetPlane::kXy}, {"xz", SheetPlane::kXz}, {"yz", SheetPlane::kYz}};
}

// The rotation that maps the xy-plane of a sheet's frame to its initial plane, +z to the
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

Body BindSheet(KeyBinder& b, const std::string& name) {
  std::array<double, 2> size{};
  std::array<int, 2> points{};
  SheetPlane plane = SheetPlane::kXy;
  double mass = 0.0;
  b.Required("size", &size, "m", "extent along the two axes; the sheet is centred");
  b.Required("points", &points, "1", "number of points along the two axes");
  b.Default("plane", &plane, "1",
            "the initial plane; its normal is +z for xy, +y for xz, +x for yz");
  BindMass(b, &mass);
  if (!b.reads()) return {};
  RequirePointCount(b, static_cast<double>(points[0]) * points[1]);
  Body body = MakeSheet(name, {size[0], size[1]}, points, mass);
  body.orientation = PlaneRotation(plane);
  return body;
}

Body BindBlock(KeyBinder& b, const std::string& name) {
  std::array<double, 3> size{};
  std::array<int, 3> points{};
  double mass = 0.0;
  b.Required("size", &size, "m", "extent along the three axes; the block is centred");
  b.Required("points", &points, "1", "number of points along the three axes");
  BindMass(b, &mass);
  if (!b.reads()) return {};
  RequirePointCount(b, static_cast<double>(points[0]) * points[1] * points[2]);
  return MakeBlock(name, {size[0], size[1], size[2]}, points, mass);
}

Body BindRing(KeyBinder& b, const std::string& name) {
  double radius = 0.0, mass = 0.0;
  int points = 0;
  b.Required("radius", &radius, "m", "radius about the z-axis of the body's frame");
  b.Required("points", &points, "1", "number of points; the first also follows the last");
  BindMass(b, &mass);
  if (!b.reads()) return {};
  RequirePointCount(b, points);
  return MakeRing(name, radius, points, mass);
}

Body BindTube(KeyBinder& b, const std::string& name) {
  double radius = 0.0, length = 0.0, mass = 0.0;
  std::array<int, 2> points{};
  b.Required("radius", &radius, "m", "radius about the z-axis of the body's frame");
  b.Required("length", &length, "m", "extent along that axis; the tube is centred");
  b.Required("points", &points, "1", "number of points around and along the axis");
  BindMass(b, &mass);
  if (!b.reads()) return {};
  RequirePointCount(b, static_cast<double>(points[0]) * points[1]);
  return MakeTube(name, radius, length, points, mass);
}

Body BindTorus(KeyBinder& b, const std::string& name) {
  double radius = 0.0, tube_radius = 0.0, mass = 0.0;
  std::array<int, 2> points{};
  b.Required("radius", &radius, "m",
             "from the z-axis of the body's frame to the middle of the tube");
  b.Required("tube_radius", &tube_radius, "m", "radius of the tube itself, less than radius");
  b.Required("points", &points, "1", "number of points around the axis and around the tube");
  BindMass(b, &mass);
  if (!b.reads()) return {};
  RequirePointCount(b, static_cast<double>(points[0]) * points[1]);
  return MakeTorus(name, radius, tube_radius, points, mass);
}

Body BindMesh(KeyBinder& b, const std::string& name) {
  std::optional<std::string> file;
  Polygons polygons;
  std::vector<std::vector<int>> lines;
  SubdivisionScheme scheme = SubdivisionScheme::kCatmullClark;
  int subdivisions = 0;
  double mass = 0.0;
  VolumeCells cells;
  b.Optional(
      "file", &file, "1",
      "OBJ file, or .msh (Gmsh 4.1) or .vtk (legacy, ASCII) of a volume, in place of the following "
      "five keys; \"ball\", a surface, and \"solid-ball\", of tetrahedra, ship (pliant list "
      "meshes)");
  if (b.reading()) InlineMeshFile(b.table(), true);
  BindPolygons(b, &polygons);
  b.Optional("lines", &lines, "1",
             "lists of vertices, each joined to the next: a graph of edges instead of faces, which "
             "are then empty");
  std::optional<std::vector<std::array<int, 4>>> tetrahedra;
  std::optional<std::vector<std::array<int, 8>>> hexahedra;
  b.Optional("tetrahedra", &tetrahedra, "1",
             "cells of four vertices, the first three counter-clockwise seen from the fourth; "
             "faces are then empty");
  b.Optional("hexahedra", &hexahedra, "1",
             "cells of eight vertices: the corners (x, y, z) of a cube in the order of the number "
             "x + 2 y + 4 z");
  if (tetrahedra) cells.tetrahedra = std::move(*tetrahedra);
  if (hexahedra) cells.hexahedra = std::move(*hexahedra);
  BindScale(b, &polygons);
  b.Default("scheme", &scheme, "1", "subdivision scheme: catmull-clark, or loop for triangles");
  b.Default("subdivisions", &subdivisions, "1",
            "number of refinements; the points of the body are the refined vertices");
  BindMass(b, &mass);
  if (!b.reads()) return {};
  if (subdivisions < 0) {
    b.Fail("subdivisions", "a mesh cannot be refined a negative number of times", "give 0 or more");
  }
  // Each refinement has about four times the faces.
  const double corners = static_cast<double>(polygons.mesh.faces.size()) * 4.0;
  if (corners * std::pow(4.0, subdivisions) > 4.0 * kMostBodyPoints) {
    b.Fail("subdivisions", "more than a million points", "refine it less often");
  }
  if (!cells.empty()) {
    if (!polygons.mesh.faces.empty() || !lines.empty()) {
      b.Fail("faces", "the faces of a volume are those of its cells", "give faces = []");
    }
    if (subdivisions > 0) {
      b.Fail("subdivisions", "a volume is not subdivided",
             "mesh it finer, or give finite-elements a refinement");
    }
    RequirePointCount(b, static_cast<double>(polygons.vertices.cols()));
    return MakeVolumeMesh(name, polygons.vertices, cells, mass);
  }
  if (lines.empty()) {
    return MakeMesh(name, polygons.vertices, polygons.mesh, scheme, subdivisions, mass);
  }
  if (!polygons.mesh.faces.empty()) {
    b.Fail("lines", "a mesh has faces or lines, not both", "make two bodies and attach them");
  }
  if (subdivisions > 0) b.Fail("subdivisions", "lines cannot be refined", "give subdivisions = 0");
  return MakeGraph(name, polygons.vertices, lines, mass);
}

}  // namespace

void Bind(KeyBinder& b, Outline& outline) {
  b.Title("a shape file");
  BindOutline(b, &outline);
}

std::span<const BodyShape> BodyShapes() {
  static constexpr BodyShape kShapes[] = {
      {ShapeKind::kProfile, "profile", "A planar outline.", BindProfile},
      {ShapeKind::kChain, "chain", "Points on a line, each joined to the next.", BindChain},
      {ShapeKind::kSheet, "sheet", "A grid of points.", BindSheet},
      {ShapeKind::kBlock, "block", "A grid of points with a volume.", BindBlock},
      {ShapeKind::kRing, "ring", "A closed curve, clockwise, so that it faces outwards.", BindRing},
      {ShapeKind::kTube, "tube", "A grid that wraps around its axis.", BindTube},
      {ShapeKind::kTorus, "torus", "A grid that wraps in both directions.", BindTorus},
      {ShapeKind::kMesh, "mesh",
       "A surface of polygons, refined by subdivision. Each edge borders one face or two.",
       BindMesh}};
  return kShapes;
}

}  // namespace pliant
