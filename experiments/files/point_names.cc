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
  int body = 0;
  std::optional<PointName> point;
  std::optional<std::variant<std::string, std::vector<PointName>>> points;
  b.Required("name", name, "1", "name of the element in the translation record");
  BindBody(b, &body);
  b.Optional("point", &point, "1", kPointMeaning);
  b.Optional("points", &points, "1",
             "instead of point: a list of points, or one of the groups all, corners, border, "
             "bottom, top, start, end");
  b.ExactlyOne({"point", "points"}, "'" + *name + "'",
               "add point = an index, or points = a group such as \"all\"");
  std::vector<PointRef> refs;
  if (!b.reads()) return refs;
  const Body& of = b.context().scene->scene.bodies[body];
  const auto add = [&](const PointName& named, const FilePlace& place) {
    for (const int index : PointsNamed(of, named, place)) refs.push_back({body, index});
  };
  if (point) {
    refs.push_back({body, OnePointNamed(of, *point, b.PlaceOf("point"))});
  } else if (const auto* group = std::get_if<std::string>(&*points)) {
    add({*group}, b.PlaceOf("points"));
  } else {
    const auto& list = std::get<std::vector<PointName>>(*points);
    if (list.empty()) b.Fail("points", "the list of points is empty");
    for (size_t i = 0; i < list.size(); ++i) {
      add(list[i], b.PlaceOf("points[" + std::to_string(i) + "]"));
    }
  }
  return refs;
}

}  // namespace pliant
