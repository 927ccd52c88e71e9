#include "models/geometry/grid_hierarchy.h"

#include <cassert>

namespace pliant {

std::optional<int> DyadicLevel(int points) {
  if (points < 2) return std::nullopt;
  const DyadicNeighbours nearest = NearestDyadic(points);
  if (nearest.below != points) return std::nullopt;
  int level = 0;
  while ((1 << level) + 1 < points) ++level;
  return level;
}

DyadicNeighbours NearestDyadic(int points) {
  assert(points >= 2);
  int below = 2;
  while (2 * below - 1 <= points) below = 2 * below - 1;
  return {below, below == points ? points : 2 * below - 1};
}

std::vector<GridSize> GridHierarchy(const GridSize& finest) {
  const std::optional<int> k = DyadicLevel(finest.nu);
  assert(k.has_value() && (finest.curve() || finest.nu == finest.nv));
  std::vector<GridSize> grids;
  for (int level = 0; level <= *k; ++level) {
    const int points = (1 << level) + 1;
    grids.push_back({points, finest.curve() ? 1 : points});
  }
  return grids;
}

GridVectors Subsample(const GridSize& fine, const GridVectors& values, const GridSize& coarse) {
  const int stride = (fine.nu - 1) / (coarse.nu - 1);
  GridVectors taken(coarse.size(), 3);
  for (int v = 0; v < coarse.nv; ++v) {
    for (int u = 0; u < coarse.nu; ++u) {
      taken.row(coarse.Index(u, v)) = values.row(fine.Index(stride * u, stride * v));
    }
  }
  return taken;
}

}  // namespace pliant
