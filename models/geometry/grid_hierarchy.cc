#include "models/geometry/grid_hierarchy.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

namespace pliant {
namespace {

// How often an axis that wraps can be halved with 3 points left.
int WrappedHalvings(int points) {
  int k = 0;
  while (points % 2 == 0 && points / 2 >= 3) {
    points /= 2;
    ++k;
  }
  return k;
}

}  // namespace

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

std::optional<int> Halvings(const GridSize& finest) {
  const bool curve = finest.curve();
  std::optional<int> k;  // what the open axes ask for
  if (!finest.wraps_u) {
    k = DyadicLevel(finest.nu);
    if (!k) return std::nullopt;
  }
  if (!curve && !finest.wraps_v) {
    const std::optional<int> across = DyadicLevel(finest.nv);
    if (!across || (k && *k != *across)) return std::nullopt;
    k = across;
  }
  int most = std::numeric_limits<int>::max();
  if (finest.wraps_u) most = WrappedHalvings(finest.nu);
  if (finest.wraps_v) most = std::min(most, WrappedHalvings(finest.nv));
  if (most < k.value_or(1)) return std::nullopt;
  return k ? k : std::optional<int>(most);
}

std::string WhyNotHalved(const GridSize& finest) {
  if (Halvings(finest)) return "";
  const bool sheet = !finest.curve() && !finest.wraps_u && !finest.wraps_v;
  if (sheet && finest.nu != finest.nv) {
    return "its grid is not square; needs 2^k + 1 points a side";
  }
  for (const auto& [points, wraps] :
       {std::pair(finest.nu, finest.wraps_u), std::pair(finest.nv, finest.wraps_v)}) {
    if (wraps || points < 2 || DyadicLevel(points)) continue;
    const DyadicNeighbours nearest = NearestDyadic(points);
    return std::to_string(points) +
           " points a side cannot be halved down to 2; the nearest sizes " + "are " +
           std::to_string(nearest.below) + " and " + std::to_string(nearest.above);
  }
  const int around = finest.wraps_u ? finest.nu : finest.nv;
  const int k = finest.wraps_u != finest.wraps_v && !finest.curve()
                    ? *DyadicLevel(finest.wraps_u ? finest.nv : finest.nu)
                    : 1;
  const int unit = 1 << k;
  const int least = 3 * unit;
  return std::to_string(around) + " points around cannot be halved " + std::to_string(k) +
         (k == 1 ? " time" : " times") + " down to 3 or more; needs a multiple of " +
         std::to_string(unit) + ", at least " + std::to_string(least);
}

std::vector<GridSize> GridHierarchy(const GridSize& finest) {
  const std::optional<int> k = Halvings(finest);
  assert(k.has_value());
  auto points = [&](int n, bool wraps, int level) {
    return wraps ? n >> (*k - level) : (1 << level) + 1;
  };
  std::vector<GridSize> grids;
  for (int level = 0; level <= *k; ++level) {
    GridSize grid = finest;
    grid.nu = points(finest.nu, finest.wraps_u, level);
    if (!finest.curve()) grid.nv = points(finest.nv, finest.wraps_v, level);
    grids.push_back(grid);
  }
  return grids;
}

GridVectors Subsample(const GridSize& fine, const GridVectors& values, const GridSize& coarse) {
  const int stride = fine.wraps_u ? fine.nu / coarse.nu : (fine.nu - 1) / (coarse.nu - 1);
  GridVectors taken(coarse.size(), 3);
  for (int v = 0; v < coarse.nv; ++v) {
    for (int u = 0; u < coarse.nu; ++u) {
      taken.row(coarse.Index(u, v)) = values.row(fine.Index(stride * u, stride * v));
    }
  }
  return taken;
}

}  // namespace pliant
