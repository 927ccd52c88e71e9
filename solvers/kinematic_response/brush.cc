#include "solvers/kinematic_response/brush.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace pliant::kinematic_response {
namespace {

using Eigen::Vector3d;

[[noreturn]] void Fail(const std::string& where, const std::string& what, const std::string& mend) {
  throw BadInput({where, what, mend});
}

double NumberOf(const NamedMatrix& entry, const std::string& key, const std::string& of,
                const std::string& where) {
  const auto found = entry.scalars.find(key);
  if (found == entry.scalars.end()) {
    Fail(where, of + " lacks the key '" + key + "'", "add " + key + " = a number of metres");
  }
  return found->second;
}

Stroke::Falloff FalloffOf(const NamedMatrix& entry, const std::string& of,
                          const std::string& where) {
  const auto found = entry.texts.find("falloff");
  if (found == entry.texts.end() || found->second == "smooth") return Stroke::Falloff::kSmooth;
  if (found->second == "linear") return Stroke::Falloff::kLinear;
  if (found->second == "flat") return Stroke::Falloff::kFlat;
  Fail(where + ".falloff", "unknown falloff '" + found->second + "' of " + of,
       DidYouMean(found->second, {"smooth", "linear", "flat"}));
}

Path PathOf(const Eigen::MatrixXd& rows, int dimension, const std::string& of,
            const std::string& where) {
  if (rows.rows() == 0 || rows.cols() != dimension + 1) {
    Fail(where + ".values",
         of + " has " + std::to_string(rows.rows()) + " rows of " + std::to_string(rows.cols()) +
             " numbers",
         dimension == 2 ? "give rows of a time, x and y" : "give rows of a time, x, y and z");
  }
  std::vector<double> times;
  Eigen::Matrix3Xd keys = Eigen::Matrix3Xd::Zero(3, rows.rows());
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    if (!rows.row(i).allFinite() || (i > 0 && !(rows(i, 0) > times.back()))) {
      Fail(where + ".values", "the times of " + of + " do not increase, or not all is finite",
           "give increasing times");
    }
    times.push_back(rows(i, 0));
    keys.col(i).head(dimension) = rows.row(i).tail(dimension).transpose();
  }
  return Path(times, keys, Path::Interpolation::kLinear);
}

Stroke ReadStroke(const NamedMatrix& entry, int dimension, const std::string& where) {
  const std::string of = "stroke '" + entry.name + "'";
  const auto require_known = [&](const auto& given, const std::vector<std::string>& known) {
    for (const auto& [key, value] : given) {
      if (std::find(known.begin(), known.end(), key) != known.end()) continue;
      Fail(where, "unknown key '" + key + "' of " + of, DidYouMean(key, known));
    }
  };
  require_known(entry.texts, {"falloff", "body"});
  require_known(entry.scalars, {"radius", "depth"});
  require_known(entry.weights, {});

  Stroke stroke;
  stroke.name = entry.name;
  stroke.where = where;
  stroke.radius = NumberOf(entry, "radius", of, where);
  stroke.depth = NumberOf(entry, "depth", of, where);
  stroke.falloff = FalloffOf(entry, of, where);
  stroke.path = PathOf(entry.values, dimension, of, where);
  if (const auto body = entry.texts.find("body"); body != entry.texts.end()) {
    stroke.body = body->second;
  }
  if (!(stroke.radius > 0.0) || !std::isfinite(stroke.radius)) {
    Fail(where + ".radius", "the radius of " + of + " is out of range", "it must be more than 0");
  }
  if (stroke.depth == 0.0 || !std::isfinite(stroke.depth)) {
    Fail(where + ".depth", "the depth of " + of + " is out of range",
         "it must be finite; positive values press, negative values pull");
  }
  return stroke;
}

// Distance of `x` from the straight way.
double DistanceFromWay(const Vector3d& from, const Vector3d& to, const Vector3d& x) {
  const Vector3d way = to - from;
  const double squared = way.squaredNorm();
  const double s = squared > 0.0 ? std::clamp((x - from).dot(way) / squared, 0.0, 1.0) : 0.0;
  return (x - from - s * way).norm();
}

}  // namespace

double Stroke::Weight(double r) const {
  const double part = r / radius;
  switch (falloff) {
    case Falloff::kSmooth:
      return (1.0 - part * part) * (1.0 - part * part);
    case Falloff::kLinear:
      return 1.0 - part;
    case Falloff::kFlat:
      break;
  }
  return 1.0;
}

std::vector<Stroke> ReadStrokes(const MatrixTable& table, int dimension) {
  const auto require_none = [](const auto& given) {
    for (const auto& [key, value] : given) {
      Fail("strokes", "unknown key '" + key + "' of strokes", DidYouMean(key, {"entry"}));
    }
  };
  require_none(table.groups);
  require_none(table.scalars);
  require_none(table.texts);
  std::vector<Stroke> strokes;
  for (const NamedMatrix& entry : table.entries) {
    const std::string where = "strokes.entry[" + std::to_string(strokes.size()) + "]";
    strokes.push_back(ReadStroke(entry, dimension, where));
  }
  return strokes;
}

void RequireHeld(const std::vector<Stroke>& strokes, const std::vector<std::string>& bodies,
                 const std::vector<bool>& rides) {
  const bool none_held = std::find(rides.begin(), rides.end(), false) == rides.end();
  for (const Stroke& stroke : strokes) {
    const std::string of = "stroke '" + stroke.name + "'";
    if (!stroke.body) {
      if (none_held) Fail(stroke.where, of + " has no held surface", "set rides = \"never\"");
      continue;
    }
    const auto found = std::find(bodies.begin(), bodies.end(), *stroke.body);
    if (found == bodies.end()) {
      Fail(stroke.where + ".body",
           of + " is for body '" + *stroke.body + "', which is not in the scene",
           DidYouMean(*stroke.body, bodies));
    }
    if (rides[found - bodies.begin()]) {
      Fail(stroke.where + ".body", of + " is for body '" + *stroke.body + "', which rides",
           "set rides = \"never\"");
    }
  }
}

double EndOf(const std::vector<Stroke>& strokes) {
  double end = 0.0;
  for (const Stroke& stroke : strokes) end = std::max(end, stroke.path.times().back());
  return end;
}

Brush::Brush(std::vector<Stroke> strokes, const KinematicResponse& response, GridVectors start)
    : strokes_(std::move(strokes)), start_(std::move(start)) {
  const GridSize& grid = response.model().finest();
  const StripMap& strips = response.strips();
  for (int row = 0; row < strips.rows(); ++row) {
    for (int strip = 0; strip < strips.per_row(); ++strip) {
      Eigen::AlignedBox3d& box = boxes_.emplace_back();
      const int end = std::min((strip + 1) * kStripLength, grid.nu);
      for (int u = strip * kStripLength; u < end; ++u) {
        box.extend(Vector3d(start_.row(grid.Index(u, row))));
      }
    }
  }
}

void Brush::Cast(double begin, double end, KinematicResponse* response) const {
  const StripMap& strips = response->strips();
  for (const Stroke& stroke : strokes_) {
    const std::vector<double>& times = stroke.path.times();
    if (end < times.front() || begin > times.back()) continue;
    const Vector3d from = stroke.path.At(std::max(begin, times.front())).position;
    const Vector3d to = stroke.path.At(std::min(end, times.back())).position;
    Eigen::AlignedBox3d reach(from.cwiseMin(to).array() - stroke.radius,
                              from.cwiseMax(to).array() + stroke.radius);
    for (int row = 0; row < strips.rows(); ++row) {
      for (int strip = 0; strip < strips.per_row(); ++strip) {
        if (boxes_[strips.Index(strip, row)].intersects(reach)) {
          Press(stroke, from, to, strip, row, response);
        }
      }
    }
  }
}

void Brush::Press(const Stroke& stroke, const Vector3d& from, const Vector3d& to, int strip,
                  int row, KinematicResponse* response) const {
  const GridSize& grid = response->model().finest();
  const int index = response->strips().Index(strip, row);
  const int end = std::min((strip + 1) * kStripLength, grid.nu);
  for (int u = strip * kStripLength; u < end; ++u) {
    const int vertex = grid.Index(u, row);
    const Vector3d c = start_.row(vertex);
    const double r = DistanceFromWay(from, to, c);
    if (r >= stroke.radius) continue;
    const Vector3d h = (stroke.depth > 0.0 ? -1.0 : 1.0) * response->model().Normal(start_, vertex);
    const Vector3d moved = Vector3d(response->relaxed().row(vertex)) - c;
    const double length = std::abs(stroke.depth) * stroke.Weight(r) - h.dot(moved);
    if (length <= response->shortest_displacement() ||
        length * length <= response->displacement(vertex).squaredNorm()) {
      continue;
    }
    response->SetDisplacement(index, vertex, length * h);
  }
}

}  // namespace pliant::kinematic_response
