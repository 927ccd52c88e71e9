#include "experiments/files/point_names.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <sstream>

#include "experiments/files/scene_keys.h"
#include "models/scene/number_text.h"
#include "models/scene/shapes.h"

namespace pliant {

// Points of a body by where they are at rest, in its frame.
struct PointRegion {
  std::array<std::optional<std::array<double, 2>>, 3> ranges;  // m, along x, y, z
  std::optional<Eigen::Vector3d> centre;                       // m
  std::optional<double> radius;                                // m
  std::optional<PointName> from, to;                           // the ends of a range
};

void Bind(KeyBinder& b, PointRegion& region) {
  b.Title("a region {x, y, z, centre, radius, from, to}");
  const char* const names[] = {"x", "y", "z"};
  for (size_t axis = 0; axis < 3; ++axis) {
    b.Optional(names[axis], &region.ranges[axis], "m",
               std::string("least and greatest ") + names[axis] + " at rest, in the body's frame");
  }
  b.Optional("centre", &region.centre, "m", "centre of a sphere, in the body's frame");
  b.Optional("radius", &region.radius, "m", "its radius");
  b.Optional("from", &region.from, "1",
             "first point of a range: a mark, an index or [i, j, k]; in a grid the range has all "
             "points between both in each direction, on an outline those between their numbers, "
             "around a closed one where from is behind to");
  b.Optional("to", &region.to, "1", "its last point");
  if (!b.reads()) return;
  if (region.centre.has_value() != region.radius.has_value()) {
    b.Fail(region.centre ? "centre" : "radius", "a sphere has a centre and a radius",
           "give both, or neither");
  }
  if (region.from.has_value() != region.to.has_value()) {
    b.Fail(region.from ? "from" : "to", "a range has a first and a last point",
           "give from and to, or neither");
  }
  for (size_t axis = 0; axis < 3; ++axis) {
    const auto& range = region.ranges[axis];
    if (!range || (*range)[0] <= (*range)[1]) continue;
    b.Fail(names[axis],
           std::string("the range of ") + names[axis] + " ends at " + Digits((*range)[1]) +
               ", before it begins at " + Digits((*range)[0]),
           "give [least, greatest]");
  }
}

namespace {

// Does the body close on itself along this direction of its grid, or as an outline along its numbers?
bool IsClosed(const Body& body, size_t direction) {
  switch (body.shape) {
    case ShapeKind::kRing:
    case ShapeKind::kTube:
    case ShapeKind::kProfile:
      return direction == 0;
    case ShapeKind::kTorus:
      return direction <= 1;
    default:
      return false;
  }
}

bool IsBetween(int i, int from, int to, bool closed) {
  if (from > to && closed) return i >= from || i <= to;
  return std::min(from, to) <= i && i <= std::max(from, to);
}

// Tells whether a point is in the range from one to another, both included.
class PointRange {
 public:
  PointRange(const Body& body, int from, int to) : body_(body), from_(At(from)), to_(At(to)) {}

  bool Has(int point) const {
    const std::array<int, 3> at = At(point);
    for (size_t a = 0; a < 3; ++a) {
      if (!IsBetween(at[a], from_[a], to_[a], IsClosed(body_, a))) return false;
    }
    return true;
  }

 private:
  // Its place in the grid; without one its number.
  std::array<int, 3> At(int point) const {
    const auto [nx, ny, nz] = body_.grid;
    if (nx == 0) return {point, 0, 0};
    return {point % nx, point / nx % ny, point / (nx * ny)};
  }

  const Body& body_;
  const std::array<int, 3> from_, to_;
};

// The points of the body in all ranges and in the sphere; the bounds belong to it, up to rounding.
std::vector<int> PointsIn(const Body& body, const PointRegion& region, const FilePlace& place) {
  std::optional<PointRange> range_of_points;
  if (region.from) {
    if (body.shape == ShapeKind::kMesh) {
      FailAt(place, "the points of the mesh '" + body.name + "' have no order",
             "list them, or give {x = [a, b], …} or {centre = …, radius = …}");
    }
    range_of_points.emplace(body, OnePointNamed(body, *region.from, place),
                            OnePointNamed(body, *region.to, place));
  }
  const Eigen::Vector3d lower = body.rest.rowwise().minCoeff(),
                        upper = body.rest.rowwise().maxCoeff();
  const double rounding = 1e-9 * (upper - lower).norm();
  std::vector<int> points;
  for (int i = 0; i < body.size(); ++i) {
    const Eigen::Vector3d x = body.rest.col(i);
    bool inside = !region.radius || (x - *region.centre).norm() <= *region.radius + rounding;
    for (int axis = 0; axis < 3; ++axis) {
      const auto& range = region.ranges[axis];
      if (!range) continue;
      inside = inside && x[axis] >= (*range)[0] - rounding && x[axis] <= (*range)[1] + rounding;
    }
    if (range_of_points) inside = inside && range_of_points->Has(i);
    if (inside) points.push_back(i);
  }
  if (!points.empty()) return points;
  FailAt(place, "no point of body '" + body.name + "' is in the region",
         "in its frame they reach from " + WriteInline({Codec<Eigen::Vector3d>::Write(lower), {}}) +
             " to " + WriteInline({Codec<Eigen::Vector3d>::Write(upper), {}}));
}

// The points of a group, or those in all of several groups: "x- top" is an edge of a block.
std::vector<int> PointsInGroups(const Body& body, const std::string& words) {
  std::istringstream stream(words);
  std::string word;
  std::optional<std::vector<int>> common;
  while (stream >> word) {
    std::vector<int> group = PointGroup(body, word);
    std::sort(group.begin(), group.end());
    if (!common) {
      common = std::move(group);
      continue;
    }
    std::vector<int> both;
    std::set_intersection(common->begin(), common->end(), group.begin(), group.end(),
                          std::back_inserter(both));
    common = std::move(both);
  }
  if (!common) return PointGroup(body, words);
  if (common->empty() && words.find(' ') != std::string::npos) {
    throw BadInput({"",
                    "no point of body '" + body.name + "' is in all of the groups '" + words + "'",
                    "name fewer groups"});
  }
  if (common->empty()) {  // a ring, a tube or a torus
    throw BadInput(
        {"", "body '" + body.name + "' closes in itself, so no point of it is in '" + words + "'",
         "name points by index, or give {x = [a, b], …} or {centre = …, radius = …}"});
  }
  return *common;
}

// "; the middle of its grid is [8, 2]" for who asks for the middle; else empty.
std::string MiddleOf(const Body& body, const std::string* word) {
  const bool asked =
      word != nullptr && (*word == "middle" || *word == "centre" || *word == "center");
  if (!asked || body.grid[0] == 0) return "";
  std::string place;
  for (const int n : body.grid) {
    if (n > 1) place += (place.empty() ? "" : ", ") + std::to_string(n / 2);
  }
  return "; the middle of its grid is [" + place + "]";
}

// One point, unless `name` is that of a group.
std::vector<int> PointsNamed(const Body& body, const PointName& name, const FilePlace& place) {
  const auto* word = std::get_if<std::string>(&name.is);
  for (const auto& [mark, point] : body.marks) {
    if (word != nullptr && mark == *word) return {point};
  }
  try {
    if (word != nullptr) return PointsInGroups(body, *word);
    if (const auto* grid = std::get_if<std::vector<int>>(&name.is)) return {GridPoint(body, *grid)};
  } catch (const BadInput& bad) {
    FailAt(place, bad.problem().what, bad.problem().mend + MiddleOf(body, word));
  }
  const int point = std::get<int>(name.is);
  if (point < 0 || point >= body.size()) {
    FailAt(place,
           "point " + std::to_string(point) + " is out of range for body '" + body.name + "'",
           "its points are 0 to " + std::to_string(body.size() - 1));
  }
  return {point};
}

constexpr char kPointMeaning[] =
    "the point: its index, [i, j, k] in a grid, \"start\", \"end\" or a mark";

// One point, or several.
struct PointKeys {
  std::optional<PointName> point;
  std::optional<std::variant<std::string, std::vector<PointName>, PointRegion>> points;
};

void BindPointKeys(KeyBinder& b, int* body, PointKeys* keys) {
  BindBody(b, body);
  b.Optional("point", &keys->point, "1", kPointMeaning);
  b.Optional(
      "points", &keys->points, "1",
      "instead of point: a list of points, one of the groups all, corners, "
      "border, bottom, top, x-, x+, y-, y+, z-, z+ (faces), start, end of a line, or what "
      "several groups share: \"x- top\" (an edge); or {x = [a, b], y = …, z = …} (a slice or "
      "box) or {centre = …, radius = …} in the body's frame; or {from = …, to = …}, all between "
      "two marks or other points");
}

// On a grid with several axes "start" names a single corner. A key that expects several points
// refuses it.
void RequireNoCorner(const Body& body, const std::string& group, const FilePlace& place) {
  if ((group != "start" && group != "end") || body.grid[1] < 2) return;
  for (const auto& [mark, point] : body.marks) {
    if (mark == group) return;
  }
  FailAt(place, "'" + group + "' of body '" + body.name + "' is a single corner of its grid",
         "name a face: x-, x+, y-, y+, z- or z+; or that corner: point = \"" + group + "\"");
}

// The points that the keys of the table name, of which there is one.
std::vector<int> PointsOf(const KeyBinder& b, const Body& of, const PointKeys& keys) {
  if (keys.point) return {OnePointNamed(of, *keys.point, b.PlaceOf("point"))};
  if (const auto* region = std::get_if<PointRegion>(&*keys.points)) {
    return PointsIn(of, *region, b.PlaceOf("points"));
  }
  if (const auto* group = std::get_if<std::string>(&*keys.points)) {
    RequireNoCorner(of, *group, b.PlaceOf("points"));
    return PointsNamed(of, {*group}, b.PlaceOf("points"));
  }
  const auto& list = std::get<std::vector<PointName>>(*keys.points);
  if (list.empty()) b.Fail("points", "the list of points is empty");
  std::vector<int> points;
  for (size_t i = 0; i < list.size(); ++i) {
    const auto more = PointsNamed(of, list[i], b.PlaceOf("points[" + std::to_string(i) + "]"));
    points.insert(points.end(), more.begin(), more.end());
  }
  return points;
}

std::vector<std::string> NamesOfBodies(const Scene& scene) {
  std::vector<std::string> names;
  for (const Body& body : scene.bodies) names.push_back(body.name);
  return names;
}

}  // namespace

int OnePointNamed(const Body& body, const PointName& name, const FilePlace& place) {
  const std::vector<int> points = PointsNamed(body, name, place);
  if (points.size() != 1) {
    FailAt(place,
           "this group of body '" + body.name + "' has " + std::to_string(points.size()) +
               " points, but only one is expected",
           "name one point, or use the key 'points' if the element has one");
  }
  return points.front();
}

int BodyNamed(const Scene& scene, const std::string& name, const FilePlace& place) {
  for (size_t b = 0; b < scene.bodies.size(); ++b) {
    if (scene.bodies[b].name == name) return static_cast<int>(b);
  }
  FailAt(place, "there is no body '" + name + "'", DidYouMean(name, NamesOfBodies(scene)));
}

int BodyNamed(const SceneSoFar& so_far, const std::string& name, const FilePlace& place) {
  const auto found = so_far.body_of.find(name);
  if (found != so_far.body_of.end()) return found->second;
  std::vector<std::string> names = NamesOfBodies(so_far.scene);
  so_far.ThrowIfSpoiled("body", name, &names);
  FailAt(place, "there is no body '" + name + "'", DidYouMean(name, names));
}

void BindBody(KeyBinder& b, int* body) {
  std::string name;
  if (!b.Required("body", &name, "1", "name of the body")) return;
  b.Try([&] { *body = BodyNamed(*b.context().scene, name, b.PlaceOf("body")); });
}

void BindPoint(KeyBinder& b, PointRef* point) {
  PointName name;
  BindBody(b, &point->body);
  b.Required("point", &name, "1", kPointMeaning);
  if (!b.reads()) return;
  const Body& body = b.context().scene->scene.bodies[point->body];
  point->point = OnePointNamed(body, name, b.PlaceOf("point"));
}

void Bind(KeyBinder& b, PointRef& point) {
  b.Title("{body, point}");
  BindPoint(b, &point);
}

std::vector<PointRef> BindPoints(KeyBinder& b, std::string* name) {
  b.Required("name", name, "1", "name of the element in the translation record");
  int body = 0;
  PointKeys keys;
  BindPointKeys(b, &body, &keys);
  b.ExactlyOne({"point", "points"}, "'" + *name + "'",
               "add point = an index, or points = a group such as \"all\"");
  std::vector<PointRef> refs;
  if (!b.reads()) return refs;
  for (const int point : PointsOf(b, b.context().scene->scene.bodies[body], keys)) {
    refs.push_back({body, point});
  }
  return refs;
}

void Bind(KeyBinder& b, ProbeSet& set) {
  b.Title("{body, point}");
  PointKeys keys;
  BindPointKeys(b, &set.body, &keys);
  if (!b.reads()) return;
  b.AtMostOne({"point", "points"}, "the place");
  const Body& body = b.context().scene->scene.bodies[set.body];
  set.name = body.name;
  if (!keys.point && !keys.points) return;
  set.points = PointsOf(b, body, keys);
  const auto text = [&b](const char* key) {
    const FileValue& value = *b.table()->Find(key);
    return value.text() != nullptr ? *value.text() : WriteInline(value);
  };
  set.name += "." + text(keys.point ? "point" : "points");
}

}  // namespace pliant
