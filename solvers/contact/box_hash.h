// Boxes in the cells of a grid without bounds, kept in a hash table: which boxes overlap a given
// one? [Teschner et al. 2003].

#ifndef PLIANT_SOLVERS_CONTACT_BOX_HASH_H_
#define PLIANT_SOLVERS_CONTACT_BOX_HASH_H_

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <vector>

#include "models/collision/bounds.h"

namespace pliant {

class BoxHash {
 public:
  // Keeps `boxes`, in cells as wide as their mean; none where a box is not finite. O(boxes), while
  // they are of like size: a box that is many times wider than the mean makes the cells wider. No
  // allocation once the table has grown.
  void Fill(const std::vector<Bounds>& boxes);

  // Calls visit(index) for each box that overlaps `box`, once, always in the same order.
  template <typename Visit>
  void ForEachOverlap(const Bounds& box, const Visit& visit) const {
    if (entries_.empty() || !bounds_.Overlaps(box)) return;  // nor is it finite
    const Cell first = CellOf(box.lower.cwiseMax(bounds_.lower));
    const Cell last = CellOf(box.upper.cwiseMin(bounds_.upper));
    for (std::int64_t k = first[2]; k <= last[2]; ++k) {
      for (std::int64_t j = first[1]; j <= last[1]; ++j) {
        for (std::int64_t i = first[0]; i <= last[0]; ++i) {
          const std::uint64_t key = KeyOf({i, j, k});
          const std::size_t bucket = BucketOf(key);
          for (int e = start_[bucket]; e < start_[bucket + 1]; ++e) {
            if (entries_[e].key != key) continue;
            const Bounds& other = boxes_[entries_[e].box];
            // Two boxes may share cells: the one with the lower corner of what they share counts.
            if (other.Overlaps(box) && KeyOf(CellOf(other.lower.cwiseMax(box.lower))) == key) {
              visit(entries_[e].box);
            }
          }
        }
      }
    }
  }

 private:
  using Cell = std::array<std::int64_t, 3>;
  struct Entry {
    std::uint64_t key;
    int box;
  };
  Cell CellOf(const Eigen::Vector3d& x) const {
    Cell cell;
    for (int c = 0; c < 3; ++c) {
      cell[c] = static_cast<std::int64_t>((x[c] - bounds_.lower[c]) * cells_per_metre_);
    }
    return cell;
  }
  static std::uint64_t KeyOf(const Cell& cell) {
    return static_cast<std::uint64_t>(cell[0] | cell[1] << 21 | cell[2] << 42);
  }
  std::size_t BucketOf(std::uint64_t key) const { return key * 0x9e3779b97f4a7c15U >> shift_; }
  template <typename Visit>
  void ForEachCell(const Visit& visit) const;  // visit(box, key)

  std::vector<Bounds> boxes_;
  Bounds bounds_;  // of all
  double cells_per_metre_ = 0.0;
  int shift_ = 63;              // 64 − log₂ of the number of buckets
  std::vector<int> start_;      // of each bucket, in entries_
  std::vector<Entry> entries_;  // bucket by bucket
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_CONTACT_BOX_HASH_H_
