#include "experiments/files/point_names.h"

#include "models/scene/shapes.h"

namespace pliant {

// The points of `body` that `value` names: one, unless it is the name of a group.
std::vector<int> PointsNamed(const Body& body, const PointValue& value, const FilePlace& place) {
  const auto* word = std::get_if<std::string>(&value.is);
  for (const auto& [mark, point] : body.marks) {
    if (word != nullptr && mark == *word) return {point};
  }
  try {
    if (word != nullptr) return PointGroup(body, *word);
    if (const auto* grid = std::get_if<std::vector<int>>(&value.is))
      return {GridPoint(body, *grid)};
  } catch (const BadInput& bad) {
    FailAt(place, bad.problem().what, bad.problem().mend);
  }
  const int point = std::get<int>(value.is);
  if (point < 0 || point >= body.size()) {
    FailAt(place,
           "point " + std::to_string(point) + " is out of range for body '" + body.name + "'",
           "its points are 0 to " + std::to_string(body.size() - 1));
  }
  return {point};
}

int OnePointNamed(const Body& body, const PointValue& value, const FilePlace& place) {
  const std::vector<int> points = PointsNamed(body, value, place);
  if (points.size() != 1) {
    FailAt(place,
           "this group of body '" + body.name + "' has " + std::to_string(points.size()) +
               " points, but one is wanted",
           "name one point, or use the key 'points' where there is one");
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

PointRef PointOf(const Scene& scene, const PointOfKeys& keys, const FileValue& table) {
  const int body = BodyNamed(scene, keys.body, PlaceOf(table, "body"));
  return {body, OnePointNamed(scene.bodies[body], keys.point, PlaceOf(table, "point"))};
}

std::vector<PointRef> PointsOf(const Scene& scene, const TargetKeys& keys, const FileValue& table) {
  const int b = BodyNamed(scene, keys.body, PlaceOf(table, "body"));
  const Body& body = scene.bodies[b];
  if (keys.point.has_value() == keys.points.has_value()) {
    FailAt(keys.point ? PlaceOf(table, "points") : table.place,
           "'" + keys.name + "' needs one of the keys 'point' and 'points'",
           keys.point ? "remove one" : "add point = an index, or points = a group such as \"all\"");
  }
  std::vector<int> points;
  if (keys.point) {
    points = {OnePointNamed(body, *keys.point, PlaceOf(table, "point"))};
  } else if (const auto* group = std::get_if<std::string>(&*keys.points)) {
    points = PointsNamed(body, {*group}, PlaceOf(table, "points"));
  } else {
    const auto& list = std::get<std::vector<PointValue>>(*keys.points);
    if (list.empty()) FailAt(PlaceOf(table, "points"), "the list of points is empty");
    for (size_t i = 0; i < list.size(); ++i) {
      const FilePlace place = PlaceOf(table, "points[" + std::to_string(i) + "]");
      for (int point : PointsNamed(body, list[i], place)) points.push_back(point);
    }
  }
  std::vector<PointRef> refs;
  for (int point : points) refs.push_back({b, point});
  return refs;
}

}  // namespace pliant
