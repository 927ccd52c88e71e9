#include "models/contact/surface_cells.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "models/contact/excess.h"
#include "models/contact/passing.h"
#include "models/contact/scene_parts.h"
#include "models/contact/supports.h"
#include "models/scene/number_text.h"

namespace pliant {

using Eigen::Vector3d;

SurfaceCells::SurfaceCells(const Scene& scene) {
  const SceneParts parts(scene);
  const auto ascending = [](int i, int j) {
    return std::array<int, 2>{std::min(i, j), std::max(i, j)};
  };
  std::map<std::array<int, 2>, int> faces_at;
  for (const auto& face : parts.faces) {
    for (int k = 0; k < 3; ++k) ++faces_at[ascending(face[k], face[(k + 1) % 3])];
  }
  const bool planar = scene.dimension == 2;
  std::map<std::array<int, 2>, int> number;
  for (const auto& [i, j] : parts.edges) {
    const auto found = faces_at.find(ascending(i, j));
    const int faces = found == faces_at.end() ? 0 : found->second;
    if (planar && faces > 1) continue;
    number[ascending(i, j)] = size();
    cells_.push_back({{i, j, 0}, 2, {}, planar ? 0 : faces});
  }
  edges_ = size();
  for (size_t f = 0; !planar && f < parts.faces.size(); ++f) {
    const auto& face = parts.faces[f];
    Cell cell{face, 3, {}, 0};
    for (int k = 0; k < 3; ++k) {
      cell.sides[k] = number.at(ascending(face[(k + 1) % 3], face[(k + 2) % 3]));
    }
    cells_.push_back(cell);
  }
  faces_on_.assign(edges_, 0);
  const Eigen::Matrix3Xd x = scene.InitialPoints();
  std::vector<Bounds> boxes;
  boxes.reserve(cells_.size());
  for (const Cell& cell : cells_) {
    Bounds box = Bounds::Empty();
    for (int k = 0; k < cell.count; ++k) box.Take(Vector3d(x.col(cell.points[k])));
    boxes.push_back(box);
  }
  tree_ = BoxTree(boxes);
}

void SurfaceCells::Place(const PointsRef& x) {
  tree_.Refit([&](int c) {
    Bounds box = Bounds::Empty();
    for (int k = 0; k < cells_[c].count; ++k) box.Take(Vector3d(x.col(cells_[c].points[k])));
    return box;
  });
}

PartCorners SurfaceCells::CornersOf(int cell, const PointsRef& x) const {
  const Cell& of = cells_[cell];
  PartCorners corners(3, of.count);
  for (int k = 0; k < of.count; ++k) corners.col(k) = x.col(of.points[k]);
  return corners;
}

const std::vector<int>& SurfaceCells::Near(const Obstacle& obstacle, const Vector3d& origin,
                                           double reach) {
  near_.clear();
  if (PlaneOf(obstacle.shape) != nullptr) return near_;
  const Eigen::AlignedBox3d box = BoundsOf(obstacle.shape).box;
  Bounds bounds{box.min() + origin, box.max() + origin};
  bounds.Widen(std::max(0.0, reach) + 1e-9 * (1.0 + box.diagonal().norm() + origin.norm()));
  tree_.ForEachOverlap(bounds, [this](int cell) { near_.push_back(cell); });
  std::sort(near_.begin(), near_.end());
  return near_;
}

void SurfaceCells::Find(const Obstacle& obstacle, int number, const Vector3d& origin,
                        const PointsRef& x, double reach, std::vector<SurfacePlace>* places) {
  const auto place_of = [&](int c) -> SurfacePlace {
    const Supported found = SupportIn(obstacle.shape, origin, CornersOf(c, x));
    const double length = found.normal.norm();
    SurfacePlace place{number, c, {}, found.normal / length, found.clearance.distance / length};
    const Cell& cell = cells_[c];
    place.at.count = cell.count;
    for (int k = 0; k < cell.count; ++k) {
      place.at.point[k] = cell.points[k];
      place.at.weight[k] = found.clearance.weights[k];
    }
    return place;
  };
  // Which weights of a place count.
  const auto inside = [](const SurfacePlace& place, int* without) {
    int some = 0;
    for (int k = 0; k < place.at.count; ++k) {
      if (place.at.weight[k] > kOnSide) {
        ++some;
      } else {
        *without = k;
      }
    }
    return some;
  };
  Near(obstacle, origin, reach);
  of_faces_.clear();
  const auto faces = std::lower_bound(near_.begin(), near_.end(), edges_);
  for (auto c = faces; c != near_.end(); ++c) {
    const SurfacePlace place = place_of(*c);
    int without = 0;
    const int some = inside(place, &without);
    if (some == 3 && place.distance < reach) of_faces_.push_back(place);
    if (some == 2) ++faces_on_[cells_[*c].sides[without]];
  }
  for (auto c = near_.begin(); c != faces; ++c) {
    if (faces_on_[*c] != cells_[*c].faces) continue;
    const SurfacePlace place = place_of(*c);
    int without = 0;
    if (place.distance < reach && inside(place, &without) == 2) places->push_back(place);
  }
  places->insert(places->end(), of_faces_.begin(), of_faces_.end());
  for (auto c = faces; c != near_.end(); ++c) {
    for (const int side : cells_[*c].sides) faces_on_[side] = 0;
  }
}

std::string WhatPassesBetweenPoints(const Scene& scene) {
  std::vector<double> longest;  // edge of each body [m]
  for (const Body& body : scene.bodies) {
    double& most = longest.emplace_back(0.0);
    ForEachSide(body.edges, body.faces, [&](int i, int j) {
      most = std::max(most, (body.rest.col(i) - body.rest.col(j)).norm());
    });
  }
  const auto passing = FindPassing(scene, longest);
  if (!passing) return "";
  return passing->what + " the points of '" + scene.bodies[passing->body].name +
         "', whose longest edge is " + ThreeDigits(longest[passing->body]) + " m";
}

}  // namespace pliant
