#include "solvers/response/sharing.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "models/kinematic_response/framed_rows.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

// Of an edge or a triangle: a ray along its border goes through it.
constexpr double kBorder = 1e-9;
constexpr double kNever = std::numeric_limits<double>::infinity();

// Edge a → b of a curve in z = 0, front on its left.
double ThroughEdge(const Vector3d& a, const Vector3d& b, const Vector3d& x, const Vector3d& g) {
  const Vector3d along = b - a, front = Vector3d::UnitZ().cross(along);
  const double rate = g.dot(front);
  if (rate <= 0.0) return kNever;
  const double t = (a - x).dot(front) / rate;
  const double s = (x + t * g - a).dot(along) / along.squaredNorm();
  return t > 0.0 && s >= -kBorder && s <= 1.0 + kBorder ? t : kNever;
}

// Triangle a, b, c, counter-clockwise seen from the front [Möller & Trumbore 1997].
double ThroughTriangle(const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& x,
                       const Vector3d& g) {
  const Vector3d u = b - a, v = c - a;
  const double rate = g.dot(u.cross(v));
  if (rate <= 0.0) return kNever;
  const Vector3d w = x - a;
  const double t = -w.dot(u.cross(v)) / rate;
  const Vector3d moment = g.cross(w);
  // x + t g = a + s u + r v.
  const double s = v.dot(moment) / rate, r = -u.dot(moment) / rate;
  return t > 0.0 && s >= -kBorder && r >= -kBorder && s + r <= 1.0 + kBorder ? t : kNever;
}

}  // namespace

double ExitThroughFront(const GridSize& grid, const GridVectors& surface, const Vector3d& x,
                        const Vector3d& direction) {
  double nearest = kNever;
  const auto at = [&](int u, int v) -> Vector3d { return surface.row(grid.Index(u, v)); };
  for (int u = 0; u + 1 < grid.nu; ++u) {
    if (grid.curve()) {
      nearest = std::min(nearest, ThroughEdge(at(u, 0), at(u + 1, 0), x, direction));
    }
    for (int v = 0; v + 1 < grid.nv; ++v) {
      const Vector3d a = at(u, v), b = at(u + 1, v), c = at(u + 1, v + 1), d = at(u, v + 1);
      nearest = std::min(nearest, ThroughTriangle(a, b, c, x, direction));
      nearest = std::min(nearest, ThroughTriangle(a, c, d, x, direction));
    }
  }
  return nearest;
}

double CastAgainstSurface(const GridSize& grid, const GridVectors& surface, const GridSize& other,
                          const GridVectors& other_surface, double share, double shortest,
                          GridVectors* displacements) {
  const Eigen::RowVector3d lower = other_surface.colwise().minCoeff().array() - shortest;
  const Eigen::RowVector3d upper = other_surface.colwise().maxCoeff().array() + shortest;
  // A flat surface has a flat box; how far the vertices have passed through it is open, so the box
  // reaches as far as the other surface does in its longest direction.
  const double reach = (upper - lower).maxCoeff();
  double longest = 0.0;
  for (int v = 0; v < grid.nv; ++v) {
    for (int u = 0; u < grid.nu; ++u) {
      const int vertex = grid.Index(u, v);
      const Eigen::RowVector3d p = surface.row(vertex);
      if (((p - upper).array() > reach).any() || ((lower - p).array() > reach).any()) continue;
      const Vector3d direction = -SurfaceNormal(grid, surface, u, v);
      if (direction.isZero(0.0)) continue;
      const double length = ExitThroughFront(other, other_surface, p.transpose(), direction);
      if (!std::isfinite(length) || length <= shortest) continue;
      longest = std::max(longest, length);
      const Vector3d d = share * length * direction;
      if (d.squaredNorm() > displacements->row(vertex).squaredNorm()) {
        displacements->row(vertex) = d.transpose();
      }
    }
  }
  return longest;
}

}  // namespace pliant
