// One flag for each strip of a level, that is, of up to kStripLength neighbouring vertices of a
// row. A step skips strips in which nothing changes.

#ifndef PLIANT_MODELS_KINEMATIC_RESPONSE_STRIP_MAP_H_
#define PLIANT_MODELS_KINEMATIC_RESPONSE_STRIP_MAP_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/geometry/grid_hierarchy.h"
#include "models/geometry/wide_vectors.h"

namespace pliant::kinematic_response {

// Short enough to stay in the first-level cache with all data of its vertices, long enough for
// efficient loops.
inline constexpr int kStripLength = 64;

class StripMap {
 public:
  StripMap() = default;
  explicit StripMap(const GridSize& grid)
      : rows_(grid.nv),
        per_row_((grid.nu + kStripLength - 1) / kStripLength),
        on_(static_cast<size_t>(rows_) * per_row_, 0) {}

  int rows() const { return rows_; }
  int per_row() const { return per_row_; }
  int Index(int strip, int row) const { return strip + per_row_ * row; }

  int size() const { return static_cast<int>(on_.size()); }

  // By index. Different strips may be written by different threads.
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

// The strips of `fine` whose prolongated vertices or frames depend on a strip that is on in `coarse`,
// and perhaps a few more; the levels are neighbours. O(strips).
void Reach(const GridSize& coarse_grid, const StripMap& coarse, const GridSize& fine_grid,
           StripMap* fine);

}  // namespace pliant::kinematic_response

#endif  // PLIANT_MODELS_KINEMATIC_RESPONSE_STRIP_MAP_H_
