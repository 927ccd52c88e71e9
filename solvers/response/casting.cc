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

// What a shape reaches along the world axes, from its origin; infinite for a plane.
struct Extent {
  Vector3d lower, upper;
};
Extent ExtentOf(const ObstacleShape& shape) {
  Vector3d half = Vector3d::Constant(std::numeric_limits<double>::infinity());
  if (const auto* sphere = std::get_if<Sphere>(&shape)) {
    half.setConstant(sphere->radius);
  } else if (const auto* box = std::get_if<Box>(&shape)) {
    half = box->axes.cwiseAbs() * box->half_size;
  } else if (const auto* capsule = std::get_if<Capsule>(&shape)) {
    half = capsule->half_axis.cwiseAbs() + Vector3d::Constant(capsule->radius);
  } else if (const auto* solid = std::get_if<Solid>(&shape)) {
    Extent extent{half, -half};
    for (const ConvexPiece& piece : solid->pieces) {
      extent.lower = extent.lower.cwiseMin(piece.vertices.rowwise().minCoeff());
      extent.upper = extent.upper.cwiseMax(piece.vertices.rowwise().maxCoeff());
    }
    return extent;
  }
  return {-half, half};
}

// Half the distance between the closest pair of parallel planes that touch the piece, one of them
// along a face.
double HalfThickness(const ConvexPiece& piece) {
  double least = std::numeric_limits<double>::infinity();
  for (Eigen::Index f = 0; f < piece.offsets.size(); ++f) {
    const double low = (piece.normals.col(f).transpose() * piece.vertices).minCoeff();
    least = std::min(least, 0.5 * (piece.offsets[f] - low));
  }
  return least;
}

// The vector out of an obstacle at a point that stands to it as `nearest` says, inside.
Vector3d WayOut(const CastObstacle& obstacle, const Vector3d& x, const Proximity& nearest,
                const Vector3d& normal) {
  const Vector3d direction = CastDirection(obstacle.pushes_outwards ? Vector3d(-normal) : normal,
                                           obstacle.motion, obstacle.friction);
  if (!direction.isZero(0.0)) {
    const double length = ExitDistance(*obstacle.shape, obstacle.origin, x, direction);
    if (std::isfinite(length)) return length * direction;
  }
  return -nearest.distance * nearest.normal;
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
  return nearest.distance < 0.0 ? WayOut(obstacle, x, nearest, normal) : Vector3d::Zero();
}

void CastDisplacements(std::span<const CastObstacle> obstacles, const GridSize& grid,
                       const GridVectors& surface, double shortest, GridVectors* displacements) {
  assert(surface.rows() == grid.size() && displacements->rows() == grid.size());
  displacements->setZero();
  for (const CastObstacle& obstacle : obstacles) {
    const Extent reach = ExtentOf(*obstacle.shape);
    const Vector3d lower = obstacle.origin + reach.lower, upper = obstacle.origin + reach.upper;
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

void CastDisplacements(std::span<const CastObstacle> obstacles, CollisionResponse* response) {
  response->ClearDisplacements();
  const GridSize& grid = response->model().finest();
  const GridVectors& surface = response->relaxed();
  const double shortest = response->shortest_displacement();
  RunMap& near = *response->near();
  for (const CastObstacle& obstacle : obstacles) {
    const Extent reach = ExtentOf(*obstacle.shape);
    const Vector3d lower = obstacle.origin + reach.lower, upper = obstacle.origin + reach.upper;
    for (int run = 0; run < near.size(); ++run) {
      near[run] = (response->lower(run).array() < upper.array()).all() &&
                  (response->upper(run).array() > lower.array()).all();
    }
    const auto cast = [&](int run, int vertex) {
      const Vector3d x = surface.row(vertex).transpose();
      if (!((x.array() > lower.array()).all() && (x.array() < upper.array()).all())) return;
      const Proximity nearest = SignedDistance(*obstacle.shape, obstacle.origin, x);
      if (nearest.distance >= 0.0) return;
      const Vector3d d = WayOut(obstacle, x, nearest, response->model().Normal(surface, vertex));
      const double before = response->displacement(vertex).squaredNorm();
      if (d.squaredNorm() > std::max(shortest * shortest, before)) {
        response->SetDisplacement(run, vertex, d);
      }
    };
    response->InPieces(near, [&](int first, int last, size_t) {
      for (int v = first; v < last; ++v) {
        for (int r = 0; r < near.per_row(); ++r) {
          const int run = near.Index(r, v), end = std::min((r + 1) * kRunLength, grid.nu);
          if (near[run] == 0) continue;
          for (int u = r * kRunLength; u < end; ++u) cast(run, grid.Index(u, v));
        }
      }
    });
  }
}

double WayOf(const Path& motion, double begin, double end) {
  double way = 0.0;
  if (!motion.moves()) return way;
  Vector3d before = motion.At(begin).position;
  for (int piece = 1; piece <= kWaySamples; ++piece) {
    const Vector3d after = motion.At(begin + (end - begin) * piece / kWaySamples).position;
    way += (after - before).norm();
    before = after;
  }
  return way;
}

double SafeMotion(const ObstacleShape& shape) {
  if (const auto* box = std::get_if<Box>(&shape)) return box->half_size.minCoeff();
  if (const auto* capsule = std::get_if<Capsule>(&shape)) return capsule->radius;
  if (const auto* solid = std::get_if<Solid>(&shape)) {
    double least = std::numeric_limits<double>::infinity();
    for (const ConvexPiece& piece : solid->pieces) least = std::min(least, HalfThickness(piece));
    return least;
  }
  return ExtentOf(shape).upper.minCoeff();
}

}  // namespace pliant
