#include "solvers/contact/outward_sides.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>

#include "models/contact/scene_parts.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

constexpr double kLevel =
    1e-6;  // sine by which an edge of a convex corner may come over its facets
constexpr double kWidened = 0.1;  // rad, by which cones are widened

Vector3d UnitOrZero(const Vector3d& v) {
  const double length = v.norm();
  return length > 0.0 ? Vector3d(v / length) : Vector3d(Vector3d::Zero());
}

std::array<int, 2> EndsOf(int a, int b) { return {std::min(a, b), std::max(a, b)}; }

}  // namespace

Vector3d TouchBounds::Nearest(const Vector3d& n) const {
  const auto within = [](const Arc& arc, const Vector3d& v) -> Vector3d {
    const Vector3d middle = arc[0] + arc[1];
    if (middle.dot(v) >= middle.dot(arc[0])) return v;
    return arc[0].dot(v) > arc[1].dot(v) ? arc[0] : arc[1];
  };
  // The narrower cone has the last word.
  const bool second_last = second[0].isZero(0.0) || first[0].isZero(0.0) ||
                           second[0].dot(second[1]) >= first[0].dot(first[1]);
  if (second_last) return within(second, -within(first, -n));
  return -within(first, -within(second, n));
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

// The middle of the cone is that of the two normals; n, across the edge, is no farther from it than they are.
bool OutwardSides::EdgeAdmits(int edge, const Vector3d& n, const MeetingSurfaces& surfaces,
                              const PointsRef& x) const {
  const auto [f, g] = faces_of_[edge];
  const Vector3d of_f = OfFacet(f, surfaces, x), middle = of_f + OfFacet(g, surfaces, x);
  const auto angle = [&middle](const Vector3d& v) {
    return std::atan2(middle.cross(v).norm(), middle.dot(v));
  };
  return angle(n) <= angle(of_f) + kWidened;
}

bool OutwardSides::IsConvex(int point, const MeetingSurfaces& surfaces, const PointsRef& x) const {
  const auto [first, last] = FacetsOf(point);
  for (int i = first; i < last; ++i) {
    const Vector3d n = OfFacet(facets_[i], surfaces, x);
    for (int j = first; j < last; ++j) {
      for (const int corner : CornersOf(facets_[j], surfaces)) {
        const Vector3d away = x.col(corner) - x.col(point);
        if (n.dot(away) > std::sin(kWidened) * away.norm()) return false;
      }
    }
  }
  return true;
}

bool OutwardSides::CornerAdmits(int point, const Vector3d& n, const MeetingSurfaces& surfaces,
                                const PointsRef& x) const {
  const auto [first, last] = FacetsOf(point);
  for (int i = first; i < last; ++i) {
    for (const int corner : CornersOf(facets_[i], surfaces)) {
      const Vector3d away = x.col(corner) - x.col(point);
      if (n.dot(away) > std::sin(kWidened) * away.norm()) return false;
    }
  }
  return true;
}

bool OutwardSides::HasOutside(const SurfacePair& pair, bool first, const MeetingSurfaces& surfaces,
                              const PointsRef& x) const {
  const int part = pair.parts[first ? 0 : 1];
  if (pair.kind == PairKind::kEdgeEdge) return faces_of_[part][0] >= 0 && faces_of_[part][1] >= 0;
  if (!first) return solid_[body_[pair.points[1]]] != 0 && (!planar_ || ends_[part][0] >= 0);
  const auto [from, to] = FacetsOf(part);
  return from < to && IsConvex(part, surfaces, x);
}

bool OutwardSides::Admits(const SurfacePair& pair, bool first, const Vector3d& n,
                          const MeetingSurfaces& surfaces, const PointsRef& x) const {
  const int part = pair.parts[first ? 0 : 1];
  if (pair.kind == PairKind::kEdgeEdge) return EdgeAdmits(part, n, surfaces, x);
  if (first) return CornerAdmits(part, n, surfaces, x);
  return OfFacet(part, surfaces, x).dot(n) >= std::cos(kWidened);
}

bool OutwardSides::Know(const SurfacePair& pair, const MeetingSurfaces& surfaces,
                        const PointsRef& x) const {
  return any_ && (HasOutside(pair, true, surfaces, x) || HasOutside(pair, false, surfaces, x));
}

TouchBounds OutwardSides::BoundsOf(const SurfacePair& pair, const MeetingSurfaces& surfaces,
                                   const PointsRef& x) const {
  TouchBounds bounds;
  if (!any_) return bounds;
  if (pair.kind == PairKind::kEdgeEdge) {
    const auto of_edge = [&](int edge, TouchBounds::Arc* arc) {
      const auto [f, g] = faces_of_[edge];
      if (f >= 0 && g >= 0) *arc = {OfFacet(f, surfaces, x), OfFacet(g, surfaces, x)};
    };
    of_edge(pair.parts[0], &bounds.first);
    of_edge(pair.parts[1], &bounds.second);
    return bounds;
  }
  const auto [first, last] = FacetsOf(pair.parts[0]);
  if (first == last) return bounds;
  const Vector3d n = OfFacet(facets_[first], surfaces, x);
  for (int i = first + 1; i < last; ++i) {
    if (n.cross(OfFacet(facets_[i], surfaces, x)).norm() > kLevel) return bounds;
  }
  bounds.first = {n, n};
  return bounds;
}

std::optional<int> OutwardSides::SideOf(const SurfacePair& pair, const Vector3d& n,
                                        const MeetingSurfaces& surfaces, const PointsRef& x) const {
  if (!any_) return std::nullopt;
  const bool first = HasOutside(pair, true, surfaces, x);
  const bool second = HasOutside(pair, false, surfaces, x);
  if (!first && !second) return std::nullopt;
  for (const int side : {1, -1}) {
    if (first && !Admits(pair, true, -side * n, surfaces, x)) continue;
    if (second && !Admits(pair, false, side * n, surfaces, x)) continue;
    return side;
  }
  return first && second ? std::optional<int>(0) : std::nullopt;
}

}  // namespace pliant
