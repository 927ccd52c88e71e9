// Which parts of a level something holds for: one flag for each run of up to kRunLength
// neighbouring vertices of a row. Runs are what a step skips where nothing happens.

#ifndef PLIANT_MODELS_KINEMATIC_RESPONSE_RUN_MAP_H_
#define PLIANT_MODELS_KINEMATIC_RESPONSE_RUN_MAP_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/geometry/grid_hierarchy.h"
#include "models/geometry/wide_vectors.h"

namespace pliant {

// Short enough to stay in the first cache with all that is known of its vertices, long enough to be
// worked on in loops.
inline constexpr int kRunLength = 64;

class RunMap {
 public:
  RunMap() = default;
  explicit RunMap(const GridSize& grid)
      : rows_(grid.nv),
        per_row_((grid.nu + kRunLength - 1) / kRunLength),
        on_(static_cast<size_t>(rows_) * per_row_, 0) {}

  int rows() const { return rows_; }
  int per_row() const { return per_row_; }
  int Index(int run, int row) const { return run + per_row_ * row; }

  int size() const { return static_cast<int>(on_.size()); }

  // By index. Different runs may be written by different threads.
  std::uint8_t& operator[](int i) { return on_[i]; }
  std::uint8_t operator[](int i) const { return on_[i]; }

  void Fill(bool on) { std::fill(on_.begin(), on_.end(), on ? 1 : 0); }
  int Count() const { return static_cast<int>(std::count(on_.begin(), on_.end(), 1)); }
  bool Any() const { return std::find(on_.begin(), on_.end(), 1) != on_.end(); }
  bool AnyInRow(int row) const {
    const std::uint8_t* first = on_.data() + static_cast<size_t>(per_row_) * row;
    return std::find(first, first + per_row_, 1) != first + per_row_;
  }

 private:
  int rows_ = 0, per_row_ = 0;
  std::vector<std::uint8_t> on_;  // 0 or 1
};

// The runs of `fine` whose prolongated vertices or frames depend on a run that is on in `coarse`,
// and perhaps a few more; the levels are neighbours. O(runs).
void Reach(const GridSize& coarse_grid, const RunMap& coarse, const GridSize& fine_grid,
           RunMap* fine);

}  // namespace pliant

#endif  // PLIANT_MODELS_KINEMATIC_RESPONSE_RUN_MAP_H_
