#include "models/collision/box_tree.h"

#include <algorithm>
#include <numeric>

namespace pliant {

BoxTree::BoxTree(const std::vector<Bounds>& boxes) {
  if (boxes.empty()) return;
  std::vector<int> parts(boxes.size());
  std::iota(parts.begin(), parts.end(), 0);
  nodes_.reserve(2 * boxes.size() - 1);
  Split(boxes, parts.data(), parts.data() + parts.size());
  Refit([&boxes](int i) { return boxes[i]; });
}

void BoxTree::Split(const std::vector<Bounds>& boxes, int* first, int* last) {
  const auto node = static_cast<int>(nodes_.size());
  nodes_.push_back({Bounds::Empty(), 0});
  if (last - first == 1) {
    nodes_[node].link = -1 - *first;
    return;
  }
  Bounds middles = Bounds::Empty();
  for (const int* part = first; part != last; ++part) {
    middles.Take(Eigen::Vector3d(boxes[*part].lower + boxes[*part].upper));
  }
  int axis = 0;
  (middles.upper - middles.lower).maxCoeff(&axis);
  // Sorted as a whole, and equal ones by number: the tree is the same on every platform.
  int* half = first + (last - first) / 2;
  std::sort(first, last, [&boxes, axis](int i, int j) {
    const double a = boxes[i].lower[axis] + boxes[i].upper[axis];
    const double b = boxes[j].lower[axis] + boxes[j].upper[axis];
    return a != b ? a < b : i < j;
  });
  Split(boxes, first, half);
  nodes_[node].link = static_cast<int>(nodes_.size());
  Split(boxes, half, last);
}

}  // namespace pliant
