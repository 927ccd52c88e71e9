#include "models/kinematic_response/run_map.h"

namespace pliant {
namespace {

// A fine vertex and the neighbours its frame needs depend on coarse vertices no farther than this
// from the one it lies on or next to: two for the stencil of a cubic beyond a neighbour, three for
// its one-sided form at a border.
constexpr int kReach = 3;

// Is one of the runs first … last on, in the rows within reach of `row`?
bool AnyNear(const GridSize& grid, const RunMap& map, int row, int first, int last) {
  const bool whole = 2 * kReach + 1 >= map.rows();
  const int low = whole ? 0 : row - kReach, high = whole ? map.rows() - 1 : row + kReach;
  for (int v = low; v <= high; ++v) {
    if (!grid.wraps_v && (v < 0 || v >= map.rows())) continue;
    const int at = (v + map.rows()) % map.rows();
    for (int run = first; run <= last; ++run) {
      if (map[map.Index(run, at)] != 0) return true;
    }
  }
  return false;
}

}  // namespace

void Reach(const GridSize& coarse_grid, const RunMap& coarse, const GridSize& fine_grid,
           RunMap* fine) {
  const int on = coarse.Count();
  fine->Fill(on == coarse.size());
  if (on == 0 || on == coarse.size()) return;
  for (int v = 0; v < fine->rows(); ++v) {
    if (!AnyNear(coarse_grid, coarse, v / 2, 0, coarse.per_row() - 1)) continue;
    for (int run = 0; run < fine->per_row(); ++run) {
      const int begin = run * kRunLength;
      const int end = std::min(begin + kRunLength, fine_grid.nu);
      const int first = std::max(begin / 2 - kReach, 0) / kRunLength;
      const int last = std::min((end - 1) / 2 + kReach, coarse_grid.nu - 1) / kRunLength;
      bool on = AnyNear(coarse_grid, coarse, v / 2, first, last);
      if (!on && coarse_grid.wraps_u && (run == 0 || run == fine->per_row() - 1)) {
        const int corner = coarse.per_row() - 1;
        on = AnyNear(coarse_grid, coarse, v / 2, 0, 0) ||
             AnyNear(coarse_grid, coarse, v / 2, corner, corner);
      }
      (*fine)[fine->Index(run, v)] = on ? 1 : 0;
    }
  }
}

}  // namespace pliant
