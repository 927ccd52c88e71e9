// Grids whose cells halve from level to level: curves of 2^j + 1 points and square sheets of
// (2^j + 1)² points, j = 0 (coarsest) … k (finest) [Harrison 1994, Sec. 5.1]. An axis may wrap
// around, its last point next to its first: rings, tubes and tori; it has c 2^j points, c ≥ 3.
//
// Vertex (2u, 2v) of level j lies on vertex (u, v) of level j − 1.

#ifndef PLIANT_MODELS_GEOMETRY_GRID_HIERARCHY_H_
#define PLIANT_MODELS_GEOMETRY_GRID_HIERARCHY_H_

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

namespace pliant {

// nu points along rows, nv rows; a curve is one row. Vertex (u, v) has index u + nu v, as in Body.
struct GridSize {
  int nu = 1;
  int nv = 1;
  bool wraps_u = false;
  bool wraps_v = false;

  int size() const { return nu * nv; }
  int Index(int u, int v) const { return u + nu * v; }
  bool curve() const { return nv == 1; }
  bool operator==(const GridSize&) const = default;
};

// One vector per vertex: n×3, each coordinate contiguous, so that loops along a row vectorise.
using GridVectors = Eigen::Matrix<double, Eigen::Dynamic, 3>;

// k with points = 2^k + 1, if there is one.
std::optional<int> DyadicLevel(int points);

// The nearest sizes 2^k + 1 below and above `points`; both are `points` if it is such a size.
// points ≥ 2.
struct DyadicNeighbours {
  int below, above;
};
DyadicNeighbours NearestDyadic(int points);

// k for a grid that can be halved down to level 0: 2^k + 1 points along both axes, or along the one
// that does not wrap; an axis that wraps has at least 3 points on level 0. Where all axes wrap, the
// largest such k.
std::optional<int> Halvings(const GridSize& finest);

// Why there is no such k, and which sizes are nearest; empty when there is one.
std::string WhyNotHalved(const GridSize& finest);

// The grids of levels 0 … k. Asserts Halvings(finest).
std::vector<GridSize> GridHierarchy(const GridSize& finest);

// Vertices of `fine` that lie on vertices of `coarse`, which is the same level or a coarser one.
GridVectors Subsample(const GridSize& fine, const GridVectors& values, const GridSize& coarse);

}  // namespace pliant

#endif  // PLIANT_MODELS_GEOMETRY_GRID_HIERARCHY_H_
