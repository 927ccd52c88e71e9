#include "models/scene/obstacle.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

using Eigen::Vector3d;

// Distance from the surface of a ball of `radius` around the point `nearest` of a skeleton.
Proximity RoundDistance(const Vector3d& x, const Vector3d& nearest, double radius) {
  const Vector3d w = x - nearest;
  const double length = w.norm();
  // At the centre every direction is equally short; choose up.
  const Vector3d normal = length > 0.0 ? Vector3d(w / length) : Vector3d(Vector3d::UnitY());
  return {length - radius, normal};
}

Vector3d NearestOnSegment(const Vector3d& half_axis, const Vector3d& origin, const Vector3d& x) {
  const double squared = half_axis.squaredNorm();
  const double s = squared > 0.0 ? std::clamp(half_axis.dot(x - origin) / squared, -1.0, 1.0) : 0.0;
  return origin + s * half_axis;
}

Proximity BoxDistance(const Box& box, const Vector3d& origin, const Vector3d& x) {
  const Vector3d local = box.axes.transpose() * (x - origin);
  const Vector3d excess = local.cwiseAbs() - box.half_size;  // per axis, > 0 outside
  auto sign = [](double value) { return value < 0.0 ? -1.0 : 1.0; };
  if (excess.maxCoeff() > 0.0) {
    Vector3d outward = excess.cwiseMax(0.0);
    for (int i = 0; i < 3; ++i) outward[i] *= sign(local[i]);
    const double distance = outward.norm();
    return {distance, box.axes * (outward / distance)};
  }
  int face = 0;
  const double distance = excess.maxCoeff(&face);
  return {distance, sign(local[face]) * box.axes.col(face)};
}

double SphereExit(const Vector3d& centre, double radius, const Vector3d& x, const Vector3d& g) {
  const Vector3d w = x - centre;
  if (w.squaredNorm() >= radius * radius) return 0.0;
  const double along = w.dot(g);
  return -along + std::sqrt(along * along - w.squaredNorm() + radius * radius);
}

// The ray leaves the capsule where its distance to the segment first reaches the radius. Seen from
// inside that distance is convex along the ray, so a bracketed bisection on it cannot miss.
double CapsuleExit(const Capsule& capsule, const Vector3d& origin, const Vector3d& x,
                   const Vector3d& g) {
  auto distance = [&](double s) {
    const Vector3d p = x + s * g;
    return (p - NearestOnSegment(capsule.half_axis, origin, p)).norm() - capsule.radius;
  };
  if (distance(0.0) >= 0.0) return 0.0;
  double inside = 0.0;
  double outside = 2.0 * (capsule.half_axis.norm() + capsule.radius) * 1.0001;
  while (outside - inside > 1e-15 * (1.0 + outside)) {
    const double middle = 0.5 * (inside + outside);
    if (middle <= inside || middle >= outside) break;
    (distance(middle) < 0.0 ? inside : outside) = middle;
  }
  return outside;
}

// A ray that climbs less than this per length runs along a plane and does not leave it: rounding
// alone climbs 1e-16.
constexpr double kParallel = 1e-6;

double BoxExit(const Box& box, const Vector3d& origin, const Vector3d& x, const Vector3d& g) {
  const Vector3d local = box.axes.transpose() * (x - origin);
  const Vector3d direction = box.axes.transpose() * g;
  if ((local.cwiseAbs() - box.half_size).maxCoeff() >= 0.0) return 0.0;
  double exit = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i) {
    if (direction[i] == 0.0) continue;
    const double face = direction[i] > 0.0 ? box.half_size[i] : -box.half_size[i];
    exit = std::min(exit, (face - local[i]) / direction[i]);
  }
  return exit;
}

Proximity SolidDistance(const Solid& solid, const Vector3d& local) {
  PieceDistance nearest = DistanceTo(solid.pieces[0], local);
  for (size_t i = 1; i < solid.pieces.size(); ++i) {
    const PieceDistance next = DistanceTo(solid.pieces[i], local);
    if (next.distance < nearest.distance) nearest = next;
  }
  return {nearest.distance, nearest.normal};
}

// The far end of the last piece that the ray meets, across any gaps.
double SolidExit(const Solid& solid, const Vector3d& local, const Vector3d& g) {
  bool inside = false;
  double exit = 0.0;
  for (const ConvexPiece& piece : solid.pieces) {
    const RaySpan span = SpanInside(piece, local, g);
    if (span.exit <= span.enter) continue;
    inside = inside || span.enter == 0.0;
    exit = std::max(exit, span.exit);
  }
  return inside ? exit : 0.0;
}

}  // namespace

Proximity SignedDistance(const ObstacleShape& shape, const Vector3d& origin, const Vector3d& x) {
  if (const auto* plane = std::get_if<Plane>(&shape)) {
    return {plane->normal.dot(x - origin), plane->normal};
  }
  if (const auto* sphere = std::get_if<Sphere>(&shape)) {
    return RoundDistance(x, origin, sphere->radius);
  }
  if (const auto* capsule = std::get_if<Capsule>(&shape)) {
    return RoundDistance(x, NearestOnSegment(capsule->half_axis, origin, x), capsule->radius);
  }
  if (const auto* solid = std::get_if<Solid>(&shape)) return SolidDistance(*solid, x - origin);
  return BoxDistance(std::get<Box>(shape), origin, x);
}

double ExitDistance(const ObstacleShape& shape, const Vector3d& origin, const Vector3d& x,
                    const Vector3d& direction) {
  if (const auto* plane = std::get_if<Plane>(&shape)) {
    const double depth = -plane->normal.dot(x - origin);
    if (depth <= 0.0) return 0.0;
    const double rate = plane->normal.dot(direction);
    return rate > kParallel ? depth / rate : std::numeric_limits<double>::infinity();
  }
  if (const auto* sphere = std::get_if<Sphere>(&shape)) {
    return SphereExit(origin, sphere->radius, x, direction);
  }
  if (const auto* capsule = std::get_if<Capsule>(&shape)) {
    return CapsuleExit(*capsule, origin, x, direction);
  }
  if (const auto* solid = std::get_if<Solid>(&shape)) {
    return SolidExit(*solid, x - origin, direction);
  }
  return BoxExit(std::get<Box>(shape), origin, x, direction);
}

}  // namespace pliant
