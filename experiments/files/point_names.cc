#include "experiments/files/point_names.h"

#include <optional>

#include "experiments/files/scene_keys.h"
#include "models/scene/shapes.h"

namespace pliant {
namespace {

// One point, unless `name` is that of a group.
std::vector<int> PointsNamed(const Body& body, const PointName& name, const FilePlace& place) {
  const auto* word = std::get_if<std::string>(&name.is);
  for (const auto& [mark, point] : body.marks) {
    if (word != nullptr && mark == *word) return {point};
  }
  try {
    if (word != nullptr) return PointGroup(body, *word);
    if (const auto* grid = std::get_if<std::vector<int>>(&name.is)) return {GridPoint(body, *grid)};
  } catch (const BadInput& bad) {
    FailAt(place, bad.problem().what, bad.problem().mend);
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
  std::optional<std::variant<std::string, std::vector<PointName>>> points;
};

void BindPointKeys(KeyBinder& b, int* body, PointKeys* keys) {
  BindBody(b, body);
  b.Optional("point", &keys->point, "1", kPointMeaning);
  b.Optional("points", &keys->points, "1",
             "instead of point: a list of points, or one of the groups all, corners, border, "
             "bottom, top, start, end");
}

// The points that the keys of the table name, of which there is one.
std::vector<int> PointsOf(const KeyBinder& b, const Body& of, const PointKeys& keys) {
  if (keys.point) return {OnePointNamed(of, *keys.point, b.PlaceOf("point"))};
  if (const auto* group = std::get_if<std::string>(&*keys.points)) {
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
  std::vector<std::string> names;
  for (const Body& body : scene.bodies) {
    if (body.name == name) return static_cast<int>(names.size());
    names.push_back(body.name);
  }
  FailAt(place, "there is no body '" + name + "'", DidYouMean(name, names));
}

void BindBody(KeyBinder& b, int* body) {
  std::string name;
  b.Required("body", &name, "1", "name of the body");
  if (b.reads()) *body = BodyNamed(b.context().scene->scene, name, b.PlaceOf("body"));
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
