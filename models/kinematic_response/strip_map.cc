#include "models/kinematic_response/strip_map.h"

namespace pliant::kinematic_response {
namespace {

// A fine vertex and the neighbours its frame needs depend on coarse vertices no farther than this
// from the one it lies on or next to: two for the stencil of a cubic beyond a neighbour, three for
// its one-sided form at a border.
constexpr int kReach = 3;

// Is one of the strips first … last on, in the rows within reach of `row`?
bool AnyNear(const GridSize& grid, const StripMap& map, int row, int first, int last) {
  const bool whole = 2 * kReach + 1 >= map.rows();
  const int low = whole ? 0 : row - kReach, high = whole ? map.rows() - 1 : row + kReach;
  for (int v = low; v <= high; ++v) {
    if (!grid.wraps_v && (v < 0 || v >= map.rows())) continue;
    const int at = (v + map.rows()) % map.rows();
    for (int strip = first; strip <= last; ++strip) {
      if (map[map.Index(strip, at)] != 0) return true;
    }
  }
  return false;
}

}  // namespace

void Reach(const GridSize& coarse_grid, const StripMap& coarse, const GridSize& fine_grid,
           StripMap* fine) {
  const int on = coarse.Count();
  fine->Fill(on == coarse.size());
  if (on == 0 || on == coarse.size()) return;
  for (int v = 0; v < fine->rows(); ++v) {
    if (!AnyNear(coarse_grid, coarse, v / 2, 0, coarse.per_row() - 1)) continue;
    for (int strip = 0; strip < fine->per_row(); ++strip) {
      const int begin = strip * kStripLength;
      const int end = std::min(begin + kStripLength, fine_grid.nu);
      const int first = std::max(begin / 2 - kReach, 0) / kStripLength;
      const int last = std::min((end - 1) / 2 + kReach, coarse_grid.nu - 1) / kStripLength;
      bool on = AnyNear(coarse_grid, coarse, v / 2, first, last);
      if (!on && coarse_grid.wraps_u && (strip == 0 || strip == fine->per_row() - 1)) {
        const int corner = coarse.per_row() - 1;
        on = AnyNear(coarse_grid, coarse, v / 2, 0, 0) ||
             AnyNear(coarse_grid, coarse, v / 2, corner, corner);
      }
      (*fine)[fine->Index(strip, v)] = on ? 1 : 0;
    }
  }
}

}  // namespace pliant::kinematic_response
