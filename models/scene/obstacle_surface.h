// The surface of an obstacle in facets, for drawing and export. All is relative to the origin of the
// shape. A plane has no facets and no outline: the viewer decides how much of it is shown.

#ifndef PLIANT_MODELS_SCENE_OBSTACLE_SURFACE_H_
#define PLIANT_MODELS_SCENE_OBSTACLE_SURFACE_H_

#include <Eigen/Core>
#include <array>
#include <utility>
#include <vector>

#include "models/scene/obstacle.h"

namespace pliant {

// A triangle, or a quadrilateral which at the poles of a ball has two corners in one place;
// counter-clockwise seen from outside.
struct Facet {
  int size = 4;                            // corners: 3 or 4
  std::array<Eigen::Vector3d, 4> corners;  // m
  std::array<Eigen::Vector3d, 4> normals;  // of the surface at the corners, unit, outwards
  Eigen::Vector3d normal;                  // of the facet, unit, outwards
};

struct FacetCounts {
  int around = 24;  // of a sphere or capsule around its axis, a multiple of 4
  int side = 1;     // of a side of a box along each edge
};

std::vector<Facet> FacetsOf(const ObstacleShape& shape, const FacetCounts& counts);

// Seen along z: convex polygons (3×n each, in order, z of the shape) that cover the shape. Only a
// solid has several.
std::vector<Eigen::Matrix3Xd> OutlinesOf(const ObstacleShape& shape, int around);

// Two unit vectors that make a right-handed frame with the unit vector `n`.
std::pair<Eigen::Vector3d, Eigen::Vector3d> TangentsOf(const Eigen::Vector3d& n);

}  // namespace pliant

#endif  // PLIANT_MODELS_SCENE_OBSTACLE_SURFACE_H_
