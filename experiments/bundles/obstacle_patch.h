// The surface of an obstacle as points and polygons, for files of other programs.

#ifndef PLIANT_EXPERIMENTS_BUNDLES_OBSTACLE_PATCH_H_
#define PLIANT_EXPERIMENTS_BUNDLES_OBSTACLE_PATCH_H_

#include <Eigen/Core>
#include <vector>

#include "experiments/bundles/bundle.h"

namespace pliant {

struct ObstaclePatch {
  Eigen::Matrix3Xd points;                 // 3×n, relative to the origin of the shape [m]
  std::vector<std::vector<int>> polygons;  // corners, anticlockwise seen from outside
};

// Those of all obstacles of the scene. In a planar scene the outline of the shape, in space its facets. Of a plane the
// part below and beside all that the bundle shows (its points in all frames, and bounded obstacles at rest), half as
// large again: a square in space, in a planar scene the strip below the surface, a tenth as deep as it is long.
std::vector<ObstaclePatch> PatchesOf(const Bundle& bundle);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_BUNDLES_OBSTACLE_PATCH_H_
