#include "solvers/kinematic_response/casting.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>

#include "models/kinematic_response/framed_rows.h"

namespace pliant::kinematic_response {
namespace {

using Eigen::AlignedBox3d;
using Eigen::Vector3d;

// The direction of a blend of unit vectors shorter than this is only rounding.
constexpr double kNoDirection = 1e-9;
// Squares of lengths that differ by less, as a fraction, are equal but for rounding. Of equally
// long vectors the first counts, so that mirror-image halves of a surface respond alike.
constexpr double kEquallyLong = 1e-9;

AlignedBox3d ReachOf(const CastObstacle& obstacle) {
  return BoundsOf(*obstacle.shape).box.translate(obstacle.origin);
}

// The shortest displacement out; zero outside.
Vector3d NearestWayOut(const CastObstacle& obstacle, const Vector3d& x) {
  const Proximity nearest = SignedDistance(*obstacle.shape, obstacle.origin, x);
  return nearest.distance < 0.0 ? Vector3d(-nearest.distance * nearest.normal) : Vector3d::Zero();
}

// Which vertices of a strip may be inside an obstacle with this reach: a box, or a sphere in it.
// Returns how many; their places in the strip go to `places`.
PLIANT_WIDE_VECTORS
int FindInside(const GridVectors& surface, int begin, int count, const AlignedBox3d& reach,
               double sphere, std::array<int, kStripLength>* places) {
  const double *x = surface.col(0).data() + begin, *y = surface.col(1).data() + begin,
               *z = surface.col(2).data() + begin;
  const double low_x = reach.min()[0], low_y = reach.min()[1], low_z = reach.min()[2];
  const double high_x = reach.max()[0], high_y = reach.max()[1], high_z = reach.max()[2];
  const Vector3d centre = reach.center();
  const double squared = sphere * sphere;
  std::array<unsigned char, kStripLength> inside;
  for (int i = 0; i < count; ++i) {
    const double dx = x[i] - centre[0], dy = y[i] - centre[1], dz = z[i] - centre[2];
    const bool in_box = (x[i] > low_x) & (x[i] < high_x) & (y[i] > low_y) & (y[i] < high_y) &
                        (z[i] > low_z) & (z[i] < high_z);
    inside[i] = in_box & !(dx * dx + dy * dy + dz * dz > squared) ? 1 : 0;
  }
  int found = 0;
  for (int i = 0; i < count; ++i) {
    if (inside[i] != 0) (*places)[found++] = i;
  }
  return found;
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
  if (obstacle.rule == CastingRule::kNearest) return NearestWayOut(obstacle, x);
  const Vector3d direction = CastDirection(normal, obstacle.motion, obstacle.friction);
  if (direction.isZero(0.0)) return NearestWayOut(obstacle, x);
  const double length = ExitDistance(*obstacle.shape, obstacle.origin, x, direction);
  return std::isfinite(length) ? Vector3d(length * direction) : NearestWayOut(obstacle, x);
}

void CastDisplacements(std::span<const CastObstacle> obstacles, const GridSize& grid,
                       const GridVectors& surface, double shortest, GridVectors* displacements) {
  assert(surface.rows() == grid.size() && displacements->rows() == grid.size());
  displacements->setZero();
  for (const CastObstacle& obstacle : obstacles) {
    const AlignedBox3d reach = ReachOf(obstacle);
    const Vector3d &lower = reach.min(), &upper = reach.max();
    for (int v = 0; v < grid.nv; ++v) {
      for (int u = 0; u < grid.nu; ++u) {
        const int vertex = grid.Index(u, v);
        const Vector3d x = surface.row(vertex).transpose();
        if (!((x.array() > lower.array()).all() && (x.array() < upper.array()).all())) continue;
        const Vector3d d = DisplacementVector(obstacle, x, SurfaceNormal(grid, surface, u, v));
        const double before = displacements->row(vertex).squaredNorm();
        if (d.squaredNorm() > std::max(shortest * shortest, (1.0 + kEquallyLong) * before)) {
          displacements->row(vertex) = d.transpose();
        }
      }
    }
  }
}

void CastDisplacements(std::span<const CastObstacle> obstacles, KinematicResponse* response) {
  response->ClearDisplacements();
  const GridSize& grid = response->model().finest();
  const GridVectors& surface = response->relaxed();
  const double shortest = response->shortest_displacement();
  const StripMap& strips = response->strips();
  for (const CastObstacle& obstacle : obstacles) {
    const ShapeBounds bounds = BoundsOf(*obstacle.shape);
    const AlignedBox3d reach = bounds.box.translated(obstacle.origin);
    const Vector3d &lower = reach.min(), &upper = reach.max();
    const auto is_near = [&](const AlignedBox3d& box) {
      return (box.min().array() < upper.array()).all() && (box.max().array() > lower.array()).all();
    };
    // With a margin for rounding: points beyond it get no vector anyway.
    const double sphere = bounds.radius * (1.0 + 1e-9);
    const auto cast = [&](int strip, int begin, int count, int row) {
      std::array<int, kStripLength> places;
      const int first = grid.Index(begin, row);
      const int found = FindInside(surface, first, count, reach, sphere, &places);
      if (found == 0) return;
      StripVectors normals;
      const bool is_mesh = response->model().is_mesh();
      if (!is_mesh) SurfaceNormals(grid, surface, begin, count, row, &normals);
      for (int k = 0; k < found; ++k) {
        const int i = places[k], vertex = first + i;
        const Vector3d normal = is_mesh ? response->model().Normal(surface, vertex)
                                        : Vector3d(normals[0][i], normals[1][i], normals[2][i]);
        const Vector3d x(surface(vertex, 0), surface(vertex, 1), surface(vertex, 2));
        const Vector3d d = DisplacementVector(obstacle, x, normal);
        const double before = response->displacement(vertex).squaredNorm();
        if (d.squaredNorm() > std::max(shortest * shortest, (1.0 + kEquallyLong) * before)) {
          response->SetDisplacement(strip, vertex, d);
        }
      }
    };
    response->InPieces(strips.size(), strips.rows(), [&](int first, int last, int) {
      for (int row = first; row < last; ++row) {
        for (int r = 0; r < strips.per_row(); ++r) {
          const int strip = strips.Index(r, row), begin = r * kStripLength;
          if (!is_near(response->box(strip))) continue;
          cast(strip, begin, std::min(kStripLength, grid.nu - begin), row);
        }
      }
    });
  }
}

void ReachesOf(std::span<const CastObstacle> obstacles, std::vector<AlignedBox3d>* reaches) {
  reaches->clear();
  for (const CastObstacle& obstacle : obstacles) reaches->push_back(ReachOf(obstacle));
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

}  // namespace pliant::kinematic_response
