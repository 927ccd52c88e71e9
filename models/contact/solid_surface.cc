#include "models/contact/solid_surface.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "models/collision/closest.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

Vector3d UnitOrZero(const Vector3d& v) {
  const double length = v.norm();
  return length > 0.0 ? Vector3d(v / length) : Vector3d(Vector3d::Zero());
}

double AngleBetween(const Vector3d& u, const Vector3d& v) {
  return std::atan2(u.cross(v).norm(), u.dot(v));
}

// Calls visit(i) for the parts of a body, which stand one after the other in the order of the bodies.
template <typename Visit>
void ForEachPartOf(const std::vector<int>& body_of, int body, const Visit& visit) {
  const auto [first, end] = std::equal_range(body_of.begin(), body_of.end(), body);
  for (auto part = first; part != end; ++part) visit(part - body_of.begin());
}

}  // namespace

SolidSurface::SolidSurface(const SceneParts& parts, int body, const PointColumns& x)
    : planar_(parts.dimension == 2) {
  std::map<int, int> point_of;
  const auto add = [&](const Facet& columns) {
    Facet facet;
    for (int k = 0; k < 3; ++k) {
      const auto [found, fresh] =
          point_of.try_emplace(columns[k], static_cast<int>(columns_.size()));
      if (fresh) columns_.push_back(columns[k]);
      facet[k] = found->second;
    }
    facets_.push_back(facet);
  };
  if (planar_) {
    ForEachPartOf(parts.body_of_outline, body, [&](auto e) {
      const auto [from, to] = parts.outline[e];
      add({from, to, to});
    });
  } else {
    ForEachPartOf(parts.body_of_face, body, [&](auto f) { add(parts.faces[f]); });
  }
  across_.assign(facets_.size(), {-1, -1, -1});
  std::map<std::array<int, 2>, std::array<int, 2>> sides;  // facet and side that were there first
  for (int f = 0; f < static_cast<int>(facets_.size()) && !planar_; ++f) {
    for (int k = 0; k < 3; ++k) {
      const int a = facets_[f][k], b = facets_[f][(k + 1) % 3];
      const auto [found, fresh] =
          sides.try_emplace({std::min(a, b), std::max(a, b)}, std::array<int, 2>{f, k});
      if (fresh) continue;
      across_[f][k] = found->second[0];
      across_[found->second[0]][found->second[1]] = f;
    }
  }
  points_.resize(3, static_cast<Eigen::Index>(columns_.size()));
  normals_.resize(3, static_cast<Eigen::Index>(facets_.size()));
  point_normals_.resizeLike(points_);
  std::vector<Bounds> boxes;
  for (const Facet& facet : facets_) {
    boxes.push_back(Bounds::Empty());
    for (const int corner : facet) boxes.back().Take(Vector3d(x.col(columns_[corner])));
  }
  tree_ = BoxTree(boxes);
  Refit(x);
}

void SolidSurface::Refit(const PointColumns& x) {
  for (size_t i = 0; i < columns_.size(); ++i) points_.col(i) = x.col(columns_[i]);
  point_normals_.setZero();
  double extent = 0.0;  // the volume times 6, or the area times 2
  const Vector3d origin = points_.col(0);
  for (size_t f = 0; f < facets_.size(); ++f) {
    const auto [i, j, k] = facets_[f];
    const Vector3d a = points_.col(i), b = points_.col(j), c = points_.col(k);
    if (planar_) {
      normals_.col(f) = UnitOrZero({b.y() - a.y(), a.x() - b.x(), 0.0});
      extent += (a - origin).cross(b - origin).z();
      for (const int corner : {i, j}) point_normals_.col(corner) += normals_.col(f);
      continue;
    }
    normals_.col(f) = UnitOrZero((b - a).cross(c - a));
    extent += (a - origin).dot((b - origin).cross(c - origin));
    point_normals_.col(i) += AngleBetween(b - a, c - a) * normals_.col(f);
    point_normals_.col(j) += AngleBetween(c - b, a - b) * normals_.col(f);
    point_normals_.col(k) += AngleBetween(a - c, b - c) * normals_.col(f);
  }
  if (extent < 0.0) {
    normals_ = -normals_;
    point_normals_ = -point_normals_;
  }
  tree_.Refit([this](int f) {
    Bounds box = Bounds::Empty();
    for (const int corner : facets_[f]) box.Take(Vector3d(points_.col(corner)));
    return box;
  });
}

Vector3d SolidSurface::WeightsOn(int facet, const Vector3d& p) const {
  const auto [i, j, k] = facets_[facet];
  if (planar_) {
    const double s = ClosestOnSegment(points_.col(i), points_.col(j), p);
    return {1.0 - s, s, 0.0};
  }
  return ClosestOnTriangle({points_.col(i), points_.col(j), points_.col(k)}, p);
}

Vector3d SolidSurface::PlaceOn(int facet, const Vector3d& weights) const {
  const auto [i, j, k] = facets_[facet];
  return weights[0] * points_.col(i) + weights[1] * points_.col(j) + weights[2] * points_.col(k);
}

double SolidSurface::DistanceAt(const Vector3d& p) const {
  const double outside = tree_.bounds().SquaredDistance(p);
  if (!(outside <= 0.0)) return std::sqrt(outside);
  const BoxTree::Nearest found =
      tree_.FindNearest(p, std::numeric_limits<double>::infinity(),
                        [&](int f) { return (p - PlaceOn(f, WeightsOn(f, p))).squaredNorm(); });
  if (found.part < 0) return std::numeric_limits<double>::infinity();
  const Vector3d weights = WeightsOn(found.part, p);
  const Facet& facet = facets_[found.part];
  Vector3d normal = normals_.col(found.part);
  const auto zeros = (weights.array() == 0.0).count();
  if (zeros == 2) {
    int corner = 0;
    weights.maxCoeff(&corner);
    normal = point_normals_.col(facet[corner]);
  } else if (zeros == 1 && !planar_) {
    int beyond = 0;  // the corner that is not on the side
    weights.minCoeff(&beyond);
    const int across = across_[found.part][(beyond + 1) % 3];
    if (across >= 0) normal += normals_.col(across);
  }
  const double distance = std::sqrt(found.squared);
  const bool inside = normal.dot(p - PlaceOn(found.part, weights)) < 0.0;
  return inside ? -distance : distance;
}

double DeepestInside(const SolidSurface& solid, const SceneParts& parts, int body,
                     const PointColumns& x) {
  double deepest = 0.0;
  const auto look = [&](const Vector3d& p) { deepest = std::max(deepest, -solid.DistanceAt(p)); };
  ForEachPartOf(parts.body_of_point, body, [&](auto i) { look(x.col(i)); });
  ForEachPartOf(parts.body_of_edge, body, [&](auto e) {
    const auto [i, j] = parts.edges[e];
    look(0.5 * (x.col(i) + x.col(j)));
  });
  ForEachPartOf(parts.body_of_face, body, [&](auto f) {
    const auto [i, j, k] = parts.faces[f];
    look((x.col(i) + x.col(j) + x.col(k)) / 3.0);
  });
  return deepest;
}

}  // namespace pliant
