// Nails, attachments, sliders, limits and combinations of a scene file.

#include <algorithm>
#include <memory>
#include <sstream>

#include "experiments/files/point_names.h"
#include "experiments/files/scene_keys.h"
#include "experiments/files/scene_reader.h"
#include "models/geometry/drag.h"
#include "models/scene/problem.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

HoldTime ToHold(const HoldKeys& keys) {
  HoldTime hold;
  hold.from = keys.from;
  if (keys.until) hold.until = *keys.until;
  return hold;
}

// The path of something that starts at `start`.
Path ToPath(const NailPathKeys& keys, const Vector3d& start, const FileValue& table) {
  std::vector<Vector3d> positions = keys.keys ? *keys.keys : *keys.offsets;
  if (keys.offsets) {
    for (Vector3d& position : positions) position += start;
  }
  return MakePath(keys.times, positions, keys.interpolation, table);
}

void RequireOneKindOfKeys(const NailPathKeys& keys, const FileValue& table) {
  if (keys.keys.has_value() != keys.offsets.has_value()) return;
  FailAt(table.place, "the path of a nail needs one of the keys 'offsets' and 'keys'",
         keys.keys ? "remove one" : "add offsets = [[x, y, z], …]");
}

// Puts times and offsets in place of the drag that a path names: a path through few of its samples,
// from where the first one is.
void InlineDrag(FileValue* element, int dimension) {
  FileValue* path = element->Find("path");
  FileValue* drag = path == nullptr ? nullptr : path->Find("drag");
  if (drag == nullptr) return;
  for (const char* key : {"times", "keys", "offsets"}) {
    if (path->Find(key) == nullptr) continue;
    FailAt(PlaceOf(*path, key), std::string("the path has both a drag and '") + key + "'",
           "remove one");
  }
  const FilePlace place = drag->place;
  const auto file = place.source->folder / ReadValue<std::string>(drag, {"'drag'"});
  double tolerance = NailPathKeys().tolerance;
  if (FileValue* given = path->Find("tolerance")) {
    tolerance = ReadValue<double>(given, {"'tolerance'"});
    if (!(tolerance > 0.0)) FailAt(given->place, "the tolerance must be more than 0 m");
  }
  std::istringstream lines(ReadTextFile(file, place));
  std::vector<double> times;
  std::vector<Vector3d> samples;
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    line = line.substr(0, line.find('#'));
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream words(line);
    std::vector<double> numbers;
    for (double value; words >> value;) numbers.push_back(value);
    if (numbers.empty() && words.eof() && line.find_first_not_of(" \t\r") == std::string::npos) {
      continue;
    }
    const FilePlace at{std::make_shared<FileSource>(FileSource{file.string(), file.parent_path()}),
                       number, 1};
    if (static_cast<int>(numbers.size()) != dimension + 1 || !words.eof()) {
      FailAt(at, "a sample is a time and " + std::to_string(dimension) + " coordinates");
    }
    if (!times.empty() && !(numbers[0] > times.back())) {
      FailAt(at, "the times of a drag must increase");
    }
    times.push_back(numbers[0]);
    samples.emplace_back(numbers[1], numbers[2], dimension == 3 ? numbers[3] : 0.0);
  }
  if (times.size() < 2) FailAt(place, "a drag needs at least two samples");
  Eigen::Matrix3Xd columns(3, static_cast<Eigen::Index>(samples.size()));
  for (size_t i = 0; i < samples.size(); ++i) columns.col(static_cast<int>(i)) = samples[i];
  const DragKeys fitted = FitDrag(times, columns, tolerance);
  FileValue::Array key_times, offsets;
  for (size_t k = 0; k < fitted.times.size(); ++k) {
    key_times.push_back({fitted.times[k], place});
    offsets.push_back(
        {Codec<Vector3d>::Write(fitted.keys.col(static_cast<int>(k)) - fitted.keys.col(0)), place});
  }
  path->Erase("drag");
  path->Set("times", std::move(key_times));
  path->Set("offsets", std::move(offsets));
}

}  // namespace

std::vector<Nail> ReadNails(FileValue* table, const Scene& scene) {
  InlineDrag(table, scene.dimension);
  const auto keys = ReadKeys<NailKeys>(table, scene.dimension);
  const std::vector<PointRef> points = PointsOf(scene, keys.target, *table);
  const FileValue* path_table = table->Find("path");
  if (keys.path) RequireOneKindOfKeys(*keys.path, *path_table);
  if (keys.path && keys.path->keys && points.size() > 1) {
    FailAt(
        PlaceOf(*path_table, "keys"),
        "one path cannot lead " + std::to_string(points.size()) + " points through the same keys",
        "give offsets from where each point starts");
  }
  const Eigen::Matrix3Xd start = scene.InitialPoints();
  std::vector<Nail> nails;
  for (const PointRef& point : points) {
    const Vector3d at = start.col(scene.Index(point));
    nails.push_back({keys.target.name, point,
                     keys.path ? ToPath(*keys.path, at, *path_table) : Path::Still(at),
                     ToHold(keys.hold), keys.preroll});
  }
  return nails;
}

Attachment ReadAttachment(FileValue* table, const Scene& scene) {
  const auto keys = ReadKeys<AttachmentKeys>(table, scene.dimension);
  return {keys.name, PointOf(scene, keys.a, *table->Find("a")),
          PointOf(scene, keys.b, *table->Find("b")), ToHold(keys.hold)};
}

std::vector<Slider> ReadSliders(FileValue* table, const Scene& scene) {
  const auto keys = ReadKeys<SliderKeys>(table, scene.dimension);
  const char* given = nullptr;
  for (const char* key : {"direction", "normal", "along", "on", "within"}) {
    if (table->Find(key) == nullptr) continue;
    if (given != nullptr) {
      FailAt(PlaceOf(*table, key),
             "slider '" + keys.target.name + "' has both '" + given + "' and '" + key + "'",
             "remove one");
    }
    given = key;
  }
  if (given == nullptr) {
    FailAt(table->place,
           "slider '" + keys.target.name +
               "' needs one of the keys 'direction', 'normal', 'along', 'on' and 'within'",
           "add direction = [x, y, z] of a line");
  }
  if (keys.through && (keys.along || keys.on)) {
    FailAt(PlaceOf(*table, "through"), "a slider on a curve or a surface goes through no point",
           "remove it");
  }
  Slider like;
  like.name = keys.target.name;
  like.hold = ToHold(keys.hold);
  if (keys.direction) {
    like.direction = Direction(*keys.direction, PlaceOf(*table, "direction"), "the line");
  } else if (keys.normal) {
    like.kind = Slider::Kind::kPlane;
    like.direction = Direction(*keys.normal, PlaceOf(*table, "normal"), "the normal");
  } else if (keys.along) {
    like.kind = Slider::Kind::kCurve;
    like.closed = keys.closed;
    like.corners.resize(3, static_cast<Eigen::Index>(keys.along->size()));
    for (size_t k = 0; k < keys.along->size(); ++k) {
      like.corners.col(static_cast<Eigen::Index>(k)) = (*keys.along)[k];
    }
  } else if (keys.on) {
    like.kind = Slider::Kind::kSurface;
    std::vector<std::string> names;
    for (const Obstacle& obstacle : scene.obstacles) names.push_back(obstacle.name);
    const auto found = std::find(names.begin(), names.end(), *keys.on);
    if (found == names.end()) {
      FailAt(PlaceOf(*table, "on"), "there is no obstacle '" + *keys.on + "'",
             names.empty() ? "add an [[obstacle]]" : DidYouMean(*keys.on, names));
    }
    like.obstacle = static_cast<int>(found - names.begin());
  } else {
    like.kind = Slider::Kind::kBall;
    like.radius = *keys.within;
  }
  const Eigen::Matrix3Xd start = scene.InitialPoints();
  std::vector<Slider> sliders;
  for (const PointRef& point : PointsOf(scene, keys.target, *table)) {
    Slider slider = like;
    slider.point = point;
    slider.through = keys.through.value_or(start.col(scene.Index(point)));
    sliders.push_back(slider);
  }
  return sliders;
}

// A twist is counted from where it is at the start, so that it needs to be somewhere there.
void RequireTwist(const Limit& limit, const Scene& scene, const FileValue& points) {
  const Eigen::Matrix3Xd start = scene.InitialPoints();
  const auto at = [&](int k) -> Vector3d { return start.col(scene.Index(limit.points[k])); };
  const Vector3d axis = at(2) - at(1);
  for (const int k : {0, 3}) {
    const Vector3d arm = at(k) - at(k == 0 ? 1 : 2);
    if (arm.cross(axis).norm() > 1e-9 * arm.norm() * axis.norm()) continue;
    FailAt(points.place,
           "the twist of limit '" + limit.name + "' is not defined at the start: its " +
               (k == 0 ? "first" : "fourth") + " point is in line with the second and the third",
           "name points beside the line that it is about");
  }
}

Limit ReadLimit(FileValue* table, const Scene& scene) {
  const auto keys = ReadKeys<LimitKeys>(table, scene.dimension);
  Limit limit;
  limit.name = keys.name;
  limit.kind = keys.measure;
  if (static_cast<int>(keys.points.size()) != limit.size()) {
    FailAt(PlaceOf(*table, "points"), "this measure is of " + std::to_string(limit.size()) +
                                          " points, not " + std::to_string(keys.points.size()));
  }
  for (size_t k = 0; k < keys.points.size(); ++k) {
    limit.points[k] = PointOf(scene, keys.points[k], (*table->Find("points")->array())[k]);
  }
  if (limit.kind == Limit::Kind::kTwist) RequireTwist(limit, scene, *table->Find("points"));
  if (!keys.at_least && !keys.at_most) {
    FailAt(table->place, "limit '" + keys.name + "' limits nothing", "add at_least or at_most");
  }
  if (keys.at_least) limit.least = *keys.at_least;
  if (keys.at_most) limit.most = *keys.at_most;
  return limit;
}

Combination ReadCombination(FileValue* table, const Scene& scene) {
  InlineDrag(table, scene.dimension);
  const auto keys = ReadKeys<CombinationKeys>(table, scene.dimension);
  if (keys.value && keys.path) {
    FailAt(PlaceOf(*table, "value"), "a combination has a value or a path, not both", "remove one");
  }
  const FileValue* path_table = table->Find("path");
  if (keys.path) RequireOneKindOfKeys(*keys.path, *path_table);
  Combination combination;
  combination.name = keys.name;
  combination.hold = ToHold(keys.hold);
  const Eigen::Matrix3Xd start = scene.InitialPoints();
  Vector3d sum = Vector3d::Zero();
  for (size_t i = 0; i < keys.terms.size(); ++i) {
    const TermKeys& term = keys.terms[i];
    const FileValue& at = (*table->Find("terms")->array())[i];
    const PointRef point = PointOf(scene, {term.body, term.point}, at);
    combination.terms.push_back({point, term.weight});
    sum += term.weight * start.col(scene.Index(point));
  }
  combination.path =
      keys.path ? ToPath(*keys.path, sum, *path_table) : Path::Still(keys.value.value_or(sum));
  return combination;
}

}  // namespace pliant
