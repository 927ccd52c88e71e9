#include "solvers/response/casting.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "models/kinematic_response/framed_rows.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

// A blend of unit vectors shorter than this has a direction by rounding only.
constexpr double kNoDirection = 1e-9;

// Half the extent of a shape along the world axes; infinite for a plane.
Vector3d HalfExtent(const ObstacleShape& shape) {
  if (const auto* sphere = std::get_if<Sphere>(&shape)) return Vector3d::Constant(sphere->radius);
  if (const auto* box = std::get_if<Box>(&shape)) return box->axes.cwiseAbs() * box->half_size;
  if (const auto* capsule = std::get_if<Capsule>(&shape)) {
    return capsule->half_axis.cwiseAbs() + Vector3d::Constant(capsule->radius);
  }
  return Vector3d::Constant(std::numeric_limits<double>::infinity());
}

}  // namespace

Vector3d CastDirection(const Vector3d& normal, const Vector3d& motion, double friction) {
  const Vector3d along = motion - std::max(0.0, motion.dot(normal)) * normal;
  const Vector3d blend = friction * along - (1.0 - friction) * normal;
  const double length = blend.norm();
  return length > kNoDirection ? Vector3d(blend / length) : Vector3d(-normal);
}

Vector3d DisplacementVector(const CastObstacle& obstacle, const Vector3d& x,
                            const Vector3d& normal) {
  const Proximity nearest = SignedDistance(*obstacle.shape, obstacle.origin, x);
  if (nearest.distance >= 0.0) return Vector3d::Zero();
  const Vector3d direction = CastDirection(normal, obstacle.motion, obstacle.friction);
  if (!direction.isZero(0.0)) {
    const double length = ExitDistance(*obstacle.shape, obstacle.origin, x, direction);
    if (std::isfinite(length)) return length * direction;
  }
  return -nearest.distance * nearest.normal;
}

void CastDisplacements(std::span<const CastObstacle> obstacles, const GridSize& grid,
                       const GridVectors& surface, double shortest, GridVectors* displacements) {
  assert(surface.rows() == grid.size() && displacements->rows() == grid.size());
  displacements->setZero();
  for (const CastObstacle& obstacle : obstacles) {
    const Vector3d reach = HalfExtent(*obstacle.shape);
    const Vector3d lower = obstacle.origin - reach, upper = obstacle.origin + reach;
    for (int v = 0; v < grid.nv; ++v) {
      for (int u = 0; u < grid.nu; ++u) {
        const int vertex = grid.Index(u, v);
        const Vector3d x = surface.row(vertex).transpose();
        if (!((x.array() > lower.array()).all() && (x.array() < upper.array()).all())) continue;
        const Vector3d d = DisplacementVector(obstacle, x, SurfaceNormal(grid, surface, u, v));
        const double before = displacements->row(vertex).squaredNorm();
        if (d.squaredNorm() > std::max(shortest * shortest, before)) {
          displacements->row(vertex) = d.transpose();
        }
      }
    }
  }
}

double SafeMotion(const ObstacleShape& shape) {
  if (const auto* box = std::get_if<Box>(&shape)) return box->half_size.minCoeff();
  if (const auto* capsule = std::get_if<Capsule>(&shape)) return capsule->radius;
  return HalfExtent(shape).minCoeff();
}

}  // namespace pliant
