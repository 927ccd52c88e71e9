// [[nail]], [[attachment]], [[slider]], [[combination]] and [[limit]], and their paths.

#include <algorithm>
#include <cmath>
#include <memory>
#include <sstream>

#include "experiments/files/scene_keys.h"
#include "models/geometry/drag.h"
#include "models/scene/number_text.h"

namespace pliant {

EnumWords<Path::Interpolation> WordsOf(Path::Interpolation) {
  return {{"cubic", Path::Interpolation::kCubic}, {"linear", Path::Interpolation::kLinear}};
}

EnumWords<Limit::Kind> WordsOf(Limit::Kind) {
  return {{"length", Limit::Kind::kLength},
          {"angle", Limit::Kind::kAngle},
          {"twist", Limit::Kind::kTwist}};
}

namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

void BindTimes(KeyBinder& b, std::vector<double>* times) {
  b.Required("times", times, "s", "increasing times of the keys; at rest before and after");
}

// The last key of a path, which is made then.
void BindInterpolation(KeyBinder& b, const std::vector<double>& times, const Matrix3Xd& positions,
                       Path* path) {
  auto interpolation = Path::Interpolation::kCubic;
  b.Default("interpolation", &interpolation, "1",
            "cubic: C² spline at rest at both ends; linear: velocity jumps at the keys");
  if (!b.reads()) return;
  if (times.size() == 1 && positions.cols() == 1) {
    b.Fail("times", "a path with one key does not move", "give at least two, or no path");
  }
  try {
    *path = Path(times, positions, interpolation);
  } catch (const BadInput& bad) {
    b.Fail(bad.problem().where, bad.problem().what, bad.problem().mend);
  }
}

// A line of a file of samples; empty without numbers.
std::vector<double> ReadSample(std::string line, int dimension, const FilePlace& place) {
  line = line.substr(0, line.find('#'));
  std::replace(line.begin(), line.end(), ',', ' ');
  std::istringstream words(line);
  std::vector<double> numbers;
  for (double value; words >> value;) numbers.push_back(value);
  const bool blank = line.find_first_not_of(" \t\r") == std::string::npos;
  if (!blank && (static_cast<int>(numbers.size()) != dimension + 1 || !words.eof())) {
    FailAt(place, "a sample is a time and " + std::to_string(dimension) + " coordinates");
  }
  return numbers;
}

// Replaces the drag that a path names by times and offsets: a path through few of its samples,
// relative to the first one.
void InlineDrag(KeyBinder& b, double tolerance) {
  for (const char* key : {"times", "keys", "offsets"}) {
    if (b.Has(key))
      b.Fail(key, std::string("the path has both a drag and '") + key + "'", "remove one");
  }
  if (!(tolerance > 0.0))
    b.Fail("tolerance", "the tolerance must be more than 0 m, not " + Digits(tolerance));
  FileValue* path = b.table();
  const FilePlace place = b.PlaceOf("drag");
  const auto file = place.source->folder / *path->Find("drag")->text();
  const auto source = std::make_shared<FileSource>(FileSource{file.string(), file.parent_path()});
  std::istringstream lines(ReadTextFile(file, place));
  std::vector<double> times;
  std::vector<Vector3d> samples;
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    const FilePlace at{source, number, 1};
    const int dimension = b.context().dimension;
    const std::vector<double> sample = ReadSample(line, dimension, at);
    if (sample.empty()) continue;
    if (!times.empty() && !(sample[0] > times.back())) {
      FailAt(at, "the times of a drag must increase");
    }
    times.push_back(sample[0]);
    samples.emplace_back(sample[1], sample[2], dimension == 3 ? sample[3] : 0.0);
  }
  if (times.size() < 2) FailAt(place, "a drag needs at least two samples");
  Matrix3Xd columns(3, static_cast<Eigen::Index>(samples.size()));
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

void Bind(KeyBinder& b, HoldTime& hold) {
  b.Default("from", &hold.from, "s",
            "time at which it begins to hold; an impulse then matches the velocities");
  b.Optional("until", &hold.until, "s", "time at which it releases; default: never");
}

}  // namespace

void Bind(KeyBinder& b, Path& path) {
  b.Title("{times, keys, interpolation}");
  std::vector<double> times;
  Matrix3Xd keys(3, 0);
  BindTimes(b, &times);
  b.Required("keys", &keys, "m", "position at each time");
  BindInterpolation(b, times, keys, &path);
}

void Bind(KeyBinder& b, LedPath& path) {
  b.Title("{times, offsets or keys, interpolation}");
  std::optional<std::string> drag;
  double tolerance = 0.005;
  std::vector<double> times;
  std::optional<Matrix3Xd> offsets, keys;
  b.Optional("drag", &drag, "1",
             "a file of samples time, x, y[, z] of a hand, instead of times and offsets");
  b.Default("tolerance", &tolerance, "m", "largest distance of the path from a sample of the drag");
  if (drag) InlineDrag(b, tolerance);
  BindTimes(b, &times);
  b.Optional("offsets", &offsets, "m",
             "displacement at each time from the initial position of the point");
  b.Optional("keys", &keys, "m", "instead of offsets, for a single point: its position");
  b.ExactlyOne({"offsets", "keys"}, "the path of a nail", "add offsets = [[x, y, z], …]");
  path.from_start = offsets.has_value();
  BindInterpolation(b, times, offsets ? *offsets : keys.value_or(Matrix3Xd(3, 0)), &path.path);
}

Path LedPath::From(const Vector3d& start) const {
  if (!from_start) return path;
  return Path(path.times(), path.keys().colwise() + start, path.interpolation());
}

void Bind(KeyBinder& b, std::vector<Nail>& nails) {
  b.Title("[[nail]]");
  Nail nail;
  std::optional<LedPath> path;
  const std::vector<PointRef> points = BindPoints(b, &nail.name);
  b.Optional("path", &path, "", "path of the point; default: it stays at its initial position");
  Bind(b, nail.hold);
  b.Default("preroll", &nail.preroll, "s",
            "time before `from` during which the point moves smoothly to its path");
  if (path && !path->from_start && points.size() > 1) {
    b.Fail(
        "path.keys",
        "one path cannot move " + std::to_string(points.size()) + " points through the same keys",
        "give offsets from the initial position of each point");
  }
  for (const PointRef& point : points) {
    const Vector3d start = b.context().scene->Start(point);
    nail.point = point;
    nail.path = path ? path->From(start) : Path::Still(start);
    nails.push_back(nail);
  }
}

void Bind(KeyBinder& b, std::vector<Attachment>& attachments) {
  b.Title("[[attachment]]");
  Attachment attachment;
  bool apart = false;
  b.Required("name", &attachment.name, "1", "name of the element in the translation record");
  b.Required("a", &attachment.a, "", "a point of one body");
  b.Required("b", &attachment.b, "",
             "a point of another body, at the same position unless it begins to hold later");
  b.Default("apart", &apart, "1",
            "may the two points start apart? displacement-constraints then assembles the bodies "
            "before the start; other backends pull them together during the motion");
  Bind(b, attachment.hold);
  if (b.reads()) attachments.push_back(attachment);
}

void Bind(KeyBinder& b, std::vector<Slider>& sliders) {
  b.Title("[[slider]]");
  Slider slider;
  std::optional<Direction> direction, normal;
  std::optional<Matrix3Xd> along;
  std::optional<std::string> on;
  std::optional<double> within;
  std::optional<Vector3d> through;
  const std::vector<PointRef> points = BindPoints(b, &slider.name);
  b.Optional("direction", &direction, "1",
             "direction of the line along which it moves, of any length");
  b.Optional("normal", &normal, "1", "instead of direction: normal of the plane in which it moves");
  b.Optional(
      "along", &along, "m",
      "instead of direction: corners of the curve along which it moves; two define a segment");
  b.Default("closed", &slider.closed, "1",
            "does the last corner of `along` lead back to the first?");
  b.Optional("on", &on, "1",
             "instead of direction: name of the obstacle on whose surface it stays");
  b.Optional("within", &within, "m", "instead of direction: radius of the ball in which it stays");
  b.Optional("through", &through, "m",
             "a point of the line or plane, or centre of the ball; default: the initial position "
             "of each point");
  Bind(b, slider.hold);
  b.ExactlyOne({"direction", "normal", "along", "on", "within"}, "slider '" + slider.name + "'",
               "add direction = [x, y, z] of a line");
  if (through && (along || on)) {
    b.Fail("through", "a slider on a curve or a surface has no 'through'", "remove it");
  }
  if (direction) slider.direction = direction->unit;
  if (normal) {
    slider.kind = Slider::Kind::kPlane;
    slider.direction = normal->unit;
  } else if (along) {
    slider.kind = Slider::Kind::kCurve;
    slider.corners = *along;
  } else if (on) {
    slider.kind = Slider::Kind::kSurface;
    std::vector<std::string> names;
    for (const Obstacle& obstacle : b.context().scene->scene.obstacles) {
      names.push_back(obstacle.name);
    }
    const auto found = std::find(names.begin(), names.end(), *on);
    if (found == names.end()) {
      b.context().scene->ThrowIfSpoiled("obstacle", *on, &names);
      b.Fail("on", "there is no obstacle '" + *on + "'",
             names.empty() ? "add an [[obstacle]]" : DidYouMean(*on, names));
    }
    slider.obstacle = static_cast<int>(found - names.begin());
  } else if (within) {
    slider.kind = Slider::Kind::kBall;
    slider.radius = *within;
  }
  if (slider.kind != Slider::Kind::kCurve) slider.closed = false;
  for (const PointRef& point : points) {
    slider.point = point;
    slider.through = through.value_or(b.context().scene->Start(point));
    sliders.push_back(slider);
  }
}

void Bind(KeyBinder& b, Combination::Term& term) {
  b.Title("{body, point, weight}");
  BindPoint(b, &term.point);
  b.Default("weight", &term.weight, "1", "factor on its position, not 0");
}

void Bind(KeyBinder& b, std::vector<Combination>& combinations) {
  b.Title("[[combination]]");
  Combination combination;
  std::optional<Vector3d> value;
  std::optional<LedPath> path;
  b.Required("name", &combination.name, "1", "name of the element in the translation record");
  b.Required("terms", &combination.terms, "", "the points and their weights");
  b.Optional("value", &value, "m", "value of the sum; default: its initial value");
  b.Optional("path", &path, "", "instead of value: path of the sum");
  Bind(b, combination.hold);
  b.AtMostOne({"path", "value"}, "a combination");
  if (!b.reads()) return;
  Vector3d sum = Vector3d::Zero();
  for (const Combination::Term& term : combination.terms) {
    sum += term.weight * b.context().scene->Start(term.point);
  }
  combination.path = path ? path->From(sum) : Path::Still(value.value_or(sum));
  combinations.push_back(std::move(combination));
}

namespace {

// A twist is relative to its initial value, which must be defined.
void RequireTwist(const KeyBinder& b, const Limit& limit) {
  const auto at = [&](int k) { return b.context().scene->Start(limit.points[k]); };
  const Vector3d axis = at(2) - at(1);
  for (const int k : {0, 3}) {
    const Vector3d arm = at(k) - at(k == 0 ? 1 : 2);
    if (arm.cross(axis).norm() > 1e-9 * arm.norm() * axis.norm()) continue;
    b.Fail("points",
           "the twist of limit '" + limit.name + "' is not defined at the start: its " +
               (k == 0 ? "first" : "fourth") +
               " point is on the line through the second and the third",
           "name points that are not on its axis");
  }
}

}  // namespace

void Bind(KeyBinder& b, std::vector<Limit>& limits) {
  b.Title("[[limit]]");
  Limit limit;
  std::vector<PointRef> points;
  b.Required("name", &limit.name, "1", "name of the element in the translation record");
  b.Required("measure", &limit.kind, "1",
             "length between 2 points; angle at the second of 3 points; twist of the fourth of 4 "
             "points against the first about the line from the second to the third, relative to "
             "its initial value");
  b.Required("points", &points, "", "the points, of one or several bodies");
  b.Optional("at_least", &limit.least, "m or rad", "lower bound; at least one of the two");
  b.Optional("at_most", &limit.most, "m or rad", "upper bound");
  if (!b.reads()) return;
  if (static_cast<int>(points.size()) != limit.size()) {
    b.Fail("points", "this measure needs " + std::to_string(limit.size()) + " points, not " +
                         std::to_string(points.size()));
  }
  std::copy(points.begin(), points.end(), limit.points.begin());
  if (limit.kind == Limit::Kind::kTwist) RequireTwist(b, limit);
  if (!b.Has("at_least") && !b.Has("at_most")) {
    b.Fail("", "limit '" + limit.name + "' limits nothing", "add at_least or at_most");
  }
  limits.push_back(limit);
}

}  // namespace pliant
