#include "models/scene/obstacle.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

using Eigen::Vector3d;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

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

double PlaneExit(const Plane& plane, const Vector3d& origin, const Vector3d& x, const Vector3d& g) {
  const double depth = -plane.normal.dot(x - origin);
  if (depth <= 0.0) return 0.0;
  const double rate = plane.normal.dot(g);
  return rate > kParallel ? depth / rate : kInfinity;
}

double BoxExit(const Box& box, const Vector3d& origin, const Vector3d& x, const Vector3d& g) {
  const Vector3d local = box.axes.transpose() * (x - origin);
  const Vector3d direction = box.axes.transpose() * g;
  if ((local.cwiseAbs() - box.half_size).maxCoeff() >= 0.0) return 0.0;
  double exit = kInfinity;
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

// Half the distance between the closest pair of parallel planes that touch the piece, one of them
// along a face.
double HalfThicknessOf(const ConvexPiece& piece) {
  double least = kInfinity;
  for (Eigen::Index f = 0; f < piece.offsets.size(); ++f) {
    const double low = (piece.normals.col(f).transpose() * piece.vertices).minCoeff();
    least = std::min(least, 0.5 * (piece.offsets[f] - low));
  }
  return least;
}

ShapeBounds Symmetric(const Vector3d& half, double radius) {
  return {{Vector3d(-half), half}, radius};
}

ShapeBounds SolidBounds(const Solid& solid) {
  ShapeBounds bounds{{}, 0.0};
  for (const ConvexPiece& piece : solid.pieces) {
    bounds.box.extend(Vector3d(piece.vertices.rowwise().minCoeff()));
    bounds.box.extend(Vector3d(piece.vertices.rowwise().maxCoeff()));
  }
  const Vector3d middle = bounds.box.center();
  for (const ConvexPiece& piece : solid.pieces) {
    bounds.radius =
        std::max(bounds.radius, (piece.vertices.colwise() - middle).colwise().norm().maxCoeff());
  }
  return bounds;
}

}  // namespace

Proximity SignedDistance(const ObstacleShape& shape, const Vector3d& origin, const Vector3d& x) {
  return std::visit(
      Overloaded{
          [&](const Plane& plane) -> Proximity {
            return {plane.normal.dot(x - origin), plane.normal};
          },
          [&](const Sphere& sphere) { return RoundDistance(x, origin, sphere.radius); },
          [&](const Box& box) { return BoxDistance(box, origin, x); },
          [&](const Capsule& capsule) {
            return RoundDistance(x, NearestOnSegment(capsule.half_axis, origin, x), capsule.radius);
          },
          [&](const Solid& solid) { return SolidDistance(solid, x - origin); },
      },
      shape);
}

double ExitDistance(const ObstacleShape& shape, const Vector3d& origin, const Vector3d& x,
                    const Vector3d& direction) {
  return std::visit(
      Overloaded{
          [&](const Plane& plane) { return PlaneExit(plane, origin, x, direction); },
          [&](const Sphere& sphere) { return SphereExit(origin, sphere.radius, x, direction); },
          [&](const Box& box) { return BoxExit(box, origin, x, direction); },
          [&](const Capsule& capsule) { return CapsuleExit(capsule, origin, x, direction); },
          [&](const Solid& solid) { return SolidExit(solid, x - origin, direction); },
      },
      shape);
}

const Plane* PlaneOf(const ObstacleShape& shape) {
  return std::visit(Overloaded{
                        [](const Plane& plane) { return &plane; },
                        [](const Sphere&) -> const Plane* { return nullptr; },
                        [](const Box&) -> const Plane* { return nullptr; },
                        [](const Capsule&) -> const Plane* { return nullptr; },
                        [](const Solid&) -> const Plane* { return nullptr; },
                    },
                    shape);
}

ShapeBounds BoundsOf(const ObstacleShape& shape) {
  return std::visit(
      Overloaded{
          [](const Plane&) { return Symmetric(Vector3d::Constant(kInfinity), kInfinity); },
          [](const Sphere& sphere) {
            return Symmetric(Vector3d::Constant(sphere.radius), sphere.radius);
          },
          [](const Box& box) {
            return Symmetric(box.axes.cwiseAbs() * box.half_size, box.half_size.norm());
          },
          [](const Capsule& capsule) {
            return Symmetric(capsule.half_axis.cwiseAbs() + Vector3d::Constant(capsule.radius),
                             capsule.half_axis.norm() + capsule.radius);
          },
          [](const Solid& solid) { return SolidBounds(solid); },
      },
      shape);
}

double HalfThickness(const ObstacleShape& shape) {
  return std::visit(Overloaded{
                        [](const Plane&) { return kInfinity; },
                        [](const Sphere& sphere) { return sphere.radius; },
                        [](const Box& box) { return box.half_size.minCoeff(); },
                        [](const Capsule& capsule) { return capsule.radius; },
                        [](const Solid& solid) {
                          double least = kInfinity;
                          for (const ConvexPiece& piece : solid.pieces) {
                            least = std::min(least, HalfThicknessOf(piece));
                          }
                          return least;
                        },
                    },
                    shape);
}

std::vector<Ball> HullOf(const ObstacleShape& shape) {
  using Balls = std::vector<Ball>;
  return std::visit(
      Overloaded{
          [](const Plane&) { return Balls(); },
          [](const Sphere& sphere) {
            return Balls{{Vector3d::Zero(), sphere.radius}};
          },
          [](const Box& box) {
            Balls corners;
            for (int corner = 0; corner < 8; ++corner) {
              const Vector3d sign((corner & 1) != 0 ? 1 : -1, (corner & 2) != 0 ? 1 : -1,
                                  (corner & 4) != 0 ? 1 : -1);
              corners.push_back({box.axes * sign.cwiseProduct(box.half_size)});
            }
            return corners;
          },
          [](const Capsule& capsule) {
            return Balls{{-capsule.half_axis, capsule.radius}, {capsule.half_axis, capsule.radius}};
          },
          [](const Solid& solid) {
            Balls corners;
            for (const ConvexPiece& piece : solid.pieces) {
              for (Eigen::Index i = 0; i < piece.vertices.cols(); ++i) {
                corners.push_back({piece.vertices.col(i)});
              }
            }
            return corners;
          },
      },
      shape);
}

}  // namespace pliant
