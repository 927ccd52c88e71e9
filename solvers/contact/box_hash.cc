#include "solvers/contact/box_hash.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace pliant {
namespace {

using Eigen::Vector3d;

constexpr double kMostCellsOfABox = 8.0;  // along an axis
constexpr double kMostCells = 1 << 20;    // along an axis: 21 bits of a key
constexpr double kNarrowestCell = 1e-9;   // m, where all boxes are points

}  // namespace

template <typename Visit>
void BoxHash::ForEachCell(const Visit& visit) const {
  for (std::size_t b = 0; b < boxes_.size(); ++b) {
    const Cell first = CellOf(boxes_[b].lower), last = CellOf(boxes_[b].upper);
    for (std::int64_t k = first[2]; k <= last[2]; ++k) {
      for (std::int64_t j = first[1]; j <= last[1]; ++j) {
        for (std::int64_t i = first[0]; i <= last[0]; ++i) {
          visit(static_cast<int>(b), KeyOf({i, j, k}));
        }
      }
    }
  }
}

void BoxHash::Fill(const std::vector<Bounds>& boxes) {
  entries_.clear();
  if (boxes.empty()) return;
  boxes_ = boxes;
  bounds_ = boxes_[0];
  double mean = 0.0, widest = 0.0;
  for (const Bounds& box : boxes_) {
    if (!box.lower.allFinite() || !box.upper.allFinite()) return;
    const double width = (box.upper - box.lower).maxCoeff();
    mean += width / static_cast<double>(boxes_.size());
    widest = std::max(widest, width);
    bounds_.Take(box);
  }
  const double all = (bounds_.upper - bounds_.lower).maxCoeff();
  cells_per_metre_ =
      1.0 / std::max({mean, widest / kMostCellsOfABox, all / kMostCells, kNarrowestCell});
  // A counting sort by buckets.
  shift_ = 63 - static_cast<int>(std::bit_width(boxes_.size()));
  start_.assign((std::size_t{1} << (64 - shift_)) + 1, 0);
  int count = 0;
  ForEachCell([&](int, std::uint64_t key) {
    ++start_[BucketOf(key)];
    ++count;
  });
  int end = 0;
  for (int& start : start_) start = end += start;
  entries_.resize(count);
  // Backwards, so that each bucket has its boxes in a fixed order.
  ForEachCell([&](int box, std::uint64_t key) { entries_[--start_[BucketOf(key)]] = {key, box}; });
}

}  // namespace pliant
