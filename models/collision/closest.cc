#include "models/collision/closest.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

using Eigen::Vector3d;
using Corners = std::array<Vector3d, 3>;

// Twice the area of a triangle as a share of the square of its longest side: below, rounding decides
// which region a point lies over.
constexpr double kNeedle = 1e-7;

Vector3d ClosestByRegion(const Corners& corners, const Vector3d& p) {
  const auto& [a, b, c] = corners;
  const Vector3d ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c;
  const double d1 = ab.dot(ap), d2 = ac.dot(ap);
  if (d1 <= 0.0 && d2 <= 0.0) return {1.0, 0.0, 0.0};
  const double d3 = ab.dot(bp), d4 = ac.dot(bp);
  if (d3 >= 0.0 && d4 <= d3) return {0.0, 1.0, 0.0};
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) {
    const double v = d1 / (d1 - d3);
    return {1.0 - v, v, 0.0};
  }
  const double d5 = ab.dot(cp), d6 = ac.dot(cp);
  if (d6 >= 0.0 && d5 <= d6) return {0.0, 0.0, 1.0};
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) {
    const double w = d2 / (d2 - d6);
    return {1.0 - w, 0.0, w};
  }
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0.0 && d4 >= d3 && d5 >= d6) {
    const double w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
    return {0.0, 1.0 - w, w};
  }
  const double sum = va + vb + vc;
  return {va / sum, vb / sum, vc / sum};
}

// The closest place on the three sides.
Vector3d ClosestOnSides(const Corners& corners, const Vector3d& p) {
  Vector3d closest = Vector3d::UnitX();
  double least = (p - corners[0]).squaredNorm();
  for (int side = 0; side < 3; ++side) {
    const int next = (side + 1) % 3;
    const double s = ClosestOnSegment(corners[side], corners[next], p);
    const double squared = (p - PlaceOnSegment(corners[side], corners[next], s)).squaredNorm();
    if (squared >= least) continue;
    least = squared;
    closest.setZero();
    closest[side] = 1.0 - s;
    closest[next] = s;
  }
  return closest;
}

}  // namespace

double ClosestOnSegment(const Vector3d& a, const Vector3d& b, const Vector3d& p) {
  const Vector3d along = b - a;
  const double squared = along.squaredNorm();
  if (!(squared > 0.0)) return 0.0;
  return std::clamp(along.dot(p - a) / squared, 0.0, 1.0);
}

Vector3d ClosestOnTriangle(const Corners& corners, const Vector3d& p) {
  const Vector3d ab = corners[1] - corners[0], ac = corners[2] - corners[0];
  const double longest =
      std::max({ab.squaredNorm(), ac.squaredNorm(), (corners[2] - corners[1]).squaredNorm()});
  if (ab.cross(ac).squaredNorm() <= kNeedle * kNeedle * longest * longest) {
    return ClosestOnSides(corners, p);
  }
  return ClosestByRegion(corners, p);
}

SegmentPlaces ClosestOfSegments(const Vector3d& a, const Vector3d& b, const Vector3d& c,
                                const Vector3d& d) {
  const Vector3d u = b - a, v = d - c, w = c - a;
  SegmentPlaces closest{0.0, 0.0, w.squaredNorm()};
  const auto take = [&](double s, double t) {
    const double squared = (PlaceOnSegment(a, b, s) - PlaceOnSegment(c, d, t)).squaredNorm();
    if (squared < closest.squared) closest = {s, t, squared};
  };
  take(0.0, ClosestOnSegment(c, d, a));
  take(1.0, ClosestOnSegment(c, d, b));
  take(ClosestOnSegment(a, b, c), 0.0);
  take(ClosestOnSegment(a, b, d), 1.0);
  const Vector3d normal = u.cross(v);
  const double squared = normal.squaredNorm();
  if (squared > 0.0) {
    // The foot on the first line, then the closest places to one another.
    double s = std::clamp(w.cross(v).dot(normal) / squared, 0.0, 1.0);
    const double t = ClosestOnSegment(c, d, PlaceOnSegment(a, b, s));
    take(s, t);
    s = ClosestOnSegment(a, b, PlaceOnSegment(c, d, t));
    take(s, t);
  }
  return closest;
}

SegmentAndTrianglePlaces ClosestOfSegmentAndTriangle(const Vector3d& a, const Vector3d& b,
                                                     const Corners& corners) {
  SegmentAndTrianglePlaces closest{0.0, ClosestOnTriangle(corners, a), 0.0};
  closest.squared = (a - PlaceOnTriangle(corners, closest.weights)).squaredNorm();
  const auto take = [&closest](double s, const Vector3d& weights, double squared) {
    if (squared < closest.squared) closest = {s, weights, squared};
  };
  const Vector3d at_end = ClosestOnTriangle(corners, b);
  take(1.0, at_end, (b - PlaceOnTriangle(corners, at_end)).squaredNorm());
  for (int side = 0; side < 3; ++side) {
    const int next = (side + 1) % 3;
    const SegmentPlaces places = ClosestOfSegments(a, b, corners[side], corners[next]);
    Vector3d weights = Vector3d::Zero();
    weights[side] = 1.0 - places.t;
    weights[next] += places.t;
    take(places.s, weights, places.squared);
  }
  // Neither an end nor a side is closest only where the segment goes through.
  const Vector3d normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
  const double before = normal.dot(a - corners[0]), after = normal.dot(b - corners[0]);
  if ((before < 0.0 && after > 0.0) || (before > 0.0 && after < 0.0)) {
    const double s = before / (before - after);
    const Vector3d place = PlaceOnSegment(a, b, s);
    const Vector3d weights = ClosestOnTriangle(corners, place);
    take(s, weights, (place - PlaceOnTriangle(corners, weights)).squaredNorm());
  }
  return closest;
}

}  // namespace pliant
