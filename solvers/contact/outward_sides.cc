#include "solvers/contact/outward_sides.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>

#include "models/contact/scene_parts.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

constexpr double kBeside = 1e-6;  // cosine below which parts are beside each other

Vector3d UnitOrZero(const Vector3d& v) {
  const double length = v.norm();
  return length > 0.0 ? Vector3d(v / length) : Vector3d(Vector3d::Zero());
}

std::array<int, 2> EndsOf(int a, int b) { return {std::min(a, b), std::max(a, b)}; }

}  // namespace

int OutwardPair::SideOf(const Vector3d& n) const {
  const double from_first = -n.dot(first), from_second = n.dot(second);
  const double least_first = kBeside * n.norm() * first.norm();
  const double least_second = kBeside * n.norm() * second.norm();
  for (const int side : {1, -1}) {
    const bool of_first = first.isZero(0.0) || side * from_first > least_first;
    const bool of_second = second.isZero(0.0) || side * from_second > least_second;
    if (of_first && of_second) return side;
  }
  return 0;
}

OutwardSides::OutwardSides(const Scene& scene, const MeetingSurfaces& surfaces)
    : planar_(scene.dimension == 2) {
  const SceneParts parts(scene);
  const bool any_solid =
      std::find(parts.solid.begin(), parts.solid.end(), true) != parts.solid.end();
  if (!surfaces.any() || !any_solid) return;
  solid_.assign(parts.solid.begin(), parts.solid.end());
  body_ = parts.body_of_point;
  extents_.assign(solid_.size(), 0.0);
  for (int b = 0; b < static_cast<int>(solid_.size()); ++b) origin_.push_back(scene.Offset(b));
  std::vector<std::vector<int>> at(body_.size());
  const auto add = [&](int facet, const auto& corners) {
    if (solid_[body_[corners[0]]] == 0) return;
    any_ = true;
    all_facets_.push_back(facet);
    for (const int corner : corners) at[corner].push_back(facet);
  };
  if (planar_) {
    std::map<std::array<int, 2>, std::array<int, 2>> outline;
    for (const auto& [from, to] : parts.outline) outline[EndsOf(from, to)] = {from, to};
    for (const auto& [a, b] : surfaces.edges()) {
      const auto found = outline.find(EndsOf(a, b));
      ends_.push_back(found == outline.end() ? std::array{-1, -1} : found->second);
      if (found != outline.end()) add(static_cast<int>(ends_.size()) - 1, found->second);
    }
  } else {
    std::map<std::array<int, 2>, std::array<int, 2>> sides;
    for (int f = 0; f < static_cast<int>(surfaces.faces().size()); ++f) {
      const auto& face = surfaces.faces()[f];
      add(f, face);
      for (int s = 0; s < 3; ++s) {
        const auto [found, fresh] =
            sides.try_emplace(EndsOf(face[s], face[(s + 1) % 3]), std::array{f, -1});
        if (!fresh) found->second[1] = f;
      }
    }
    for (const auto& [a, b] : surfaces.edges()) {
      const auto found = sides.find(EndsOf(a, b));
      const bool of_solid = solid_[body_[a]] != 0 && found != sides.end();
      faces_of_.push_back(of_solid ? found->second : std::array{-1, -1});
    }
  }
  first_facet_.push_back(0);
  for (const std::vector<int>& facets : at) {
    facets_.insert(facets_.end(), facets.begin(), facets.end());
    first_facet_.push_back(static_cast<int>(facets_.size()));
  }
}

void OutwardSides::Begin(const MeetingSurfaces& surfaces) {
  if (!any_) return;
  std::fill(extents_.begin(), extents_.end(), 0.0);
  const Eigen::Matrix3Xd& x = surfaces.start();
  for (const int facet : all_facets_) {
    const int body = body_[planar_ ? ends_[facet][0] : surfaces.faces()[facet][0]];
    const Vector3d origin = x.col(origin_[body]);
    if (planar_) {
      const auto [a, b] = ends_[facet];
      extents_[body] += (x.col(a) - origin).cross(x.col(b) - origin).z();
    } else {
      const auto [a, b, c] = surfaces.faces()[facet];
      extents_[body] += (x.col(a) - origin).dot((x.col(b) - origin).cross(x.col(c) - origin));
    }
  }
}

std::array<int, 3> OutwardSides::CornersOf(int facet, const MeetingSurfaces& surfaces) const {
  if (!planar_) return surfaces.faces()[facet];
  return {ends_[facet][0], ends_[facet][1], ends_[facet][1]};
}

Vector3d OutwardSides::OfFacet(int facet, const MeetingSurfaces& surfaces,
                               const PointsRef& x) const {
  const auto [a, b, c] = CornersOf(facet, surfaces);
  const double sign = extents_[body_[a]] < 0.0 ? -1.0 : 1.0;
  if (planar_) return sign * UnitOrZero({x(1, b) - x(1, a), x(0, a) - x(0, b), 0.0});
  const Vector3d origin = x.col(a), u = x.col(b) - origin, v = x.col(c) - origin;
  return sign * UnitOrZero(u.cross(v));
}

// Convex where the far corner of one face is not outside of the other.
Vector3d OutwardSides::OfEdge(int edge, const MeetingSurfaces& surfaces, const PointsRef& x) const {
  const auto [f, g] = faces_of_[edge];
  if (f < 0 || g < 0) return Vector3d::Zero();
  const Vector3d n = OfFacet(f, surfaces, x);
  const auto [a, b] = surfaces.edges()[edge];
  const double slack = kBeside * (x.col(b) - x.col(a)).norm();
  for (const int corner : surfaces.faces()[g]) {
    if (n.dot(x.col(corner) - x.col(a)) > slack) return Vector3d::Zero();
  }
  return n + OfFacet(g, surfaces, x);
}

Vector3d OutwardSides::OfCorner(int point, const MeetingSurfaces& surfaces,
                                const PointsRef& x) const {
  const auto [first, last] = FacetsOf(point);
  Vector3d sum = Vector3d::Zero();
  for (int i = first; i < last; ++i) {
    const Vector3d n = OfFacet(facets_[i], surfaces, x);
    for (int j = first; j < last; ++j) {
      for (const int corner : CornersOf(facets_[j], surfaces)) {
        const Vector3d away = x.col(corner) - x.col(point);
        if (n.dot(away) > kBeside * away.norm()) return Vector3d::Zero();
      }
    }
    double angle = 1.0;
    if (!planar_) {
      auto [a, b, c] = CornersOf(facets_[i], surfaces);
      if (b == point) b = a;
      if (c == point) c = a;
      const Vector3d u = x.col(b) - x.col(point), v = x.col(c) - x.col(point);
      angle = std::atan2(u.cross(v).norm(), u.dot(v));
    }
    sum += angle * n;
  }
  return sum;
}

OutwardPair OutwardSides::Of(const SurfacePair& pair, const MeetingSurfaces& surfaces,
                             const PointsRef& x) const {
  OutwardPair out;
  if (!any_) return out;
  const auto [first, second] = pair.parts;
  if (pair.kind == PairKind::kEdgeEdge) {
    out.first = OfEdge(first, surfaces, x);
    out.second = OfEdge(second, surfaces, x);
    return out;
  }
  out.first = OfCorner(first, surfaces, x);
  const bool solid = solid_[body_[pair.points[1]]] != 0 && (!planar_ || ends_[second][0] >= 0);
  if (solid) out.second = OfFacet(second, surfaces, x);
  return out;
}

}  // namespace pliant
