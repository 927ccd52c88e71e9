// A hierarchy of boxes around edges, faces or other parts of bodies: which of them overlap?
//
// The tree is made once; each step refits its boxes to where the parts are, or to what they sweep
// over. Queries visit in an order that depends on the parts and their boxes alone.

#ifndef PLIANT_MODELS_COLLISION_BOX_TREE_H_
#define PLIANT_MODELS_COLLISION_BOX_TREE_H_

#include <Eigen/Core>
#include <limits>
#include <utility>
#include <vector>

#include "models/collision/bounds.h"

namespace pliant {

class BoxTree {
 public:
  BoxTree() = default;
  // A binary tree that halves the parts by the middles of these boxes, along the longest side of
  // their common box. O(parts log² parts).
  explicit BoxTree(const std::vector<Bounds>& boxes);

  int size() const { return static_cast<int>((nodes_.size() + 1) / 2); }
  // Around all parts; empty where there are none.
  Bounds bounds() const { return nodes_.empty() ? Bounds::Empty() : nodes_[0].box; }

  // The box of part i becomes box_of(i), and those above follow. O(parts), no allocation. Parts
  // that have moved far from their neighbours in the tree make queries slower, not wrong.
  template <typename BoxOf>
  void Refit(const BoxOf& box_of) {
    for (auto node = static_cast<int>(nodes_.size()) - 1; node >= 0; --node) {
      if (IsLeaf(node)) {
        nodes_[node].box = box_of(PartOf(node));
      } else {
        const Bounds &left = nodes_[node + 1].box, &right = nodes_[nodes_[node].link].box;
        nodes_[node].box = {left.lower.cwiseMin(right.lower), left.upper.cwiseMax(right.upper)};
      }
    }
  }

  // Calls visit(part) for each part whose box overlaps `box`.
  template <typename Visit>
  void ForEachOverlap(const Bounds& box, const Visit& visit) const {
    if (!nodes_.empty()) Overlap(0, box, visit);
  }

  // Calls visit(part, other part) for each pair whose boxes overlap.
  template <typename Visit>
  void ForEachPair(const BoxTree& other, const Visit& visit) const {
    if (!nodes_.empty() && !other.nodes_.empty()) Pair(0, other, 0, visit);
  }

  // Calls visit(i, j), i ≠ j, once for each two parts of this tree whose boxes overlap.
  template <typename Visit>
  void ForEachPairWithin(const Visit& visit) const {
    if (!nodes_.empty()) Within(0, visit);
  }

  struct Nearest {
    int part = -1;                                             // −1: none is as near as asked for
    double squared = std::numeric_limits<double>::infinity();  // m²
  };
  // The part nearest to x, below the square root of `below`: squared_distance(part) is at least
  // that of the part's box. Of two equally near ones it is that of the lower number.
  template <typename SquaredDistance>
  Nearest FindNearest(const Eigen::Vector3d& x, double below,
                      const SquaredDistance& squared_distance) const {
    Nearest nearest{-1, below};
    if (!nodes_.empty())
      Descend(0, nodes_[0].box.SquaredDistance(x), x, squared_distance, &nearest);
    return nearest;
  }

 private:
  // Nodes are in preorder: the left child of a node follows it.
  struct Node {
    Bounds box;
    int link;  // the right child; of a leaf −1 − part
  };
  bool IsLeaf(int node) const { return nodes_[node].link < 0; }
  int PartOf(int leaf) const { return -1 - nodes_[leaf].link; }
  void Split(const std::vector<Bounds>& boxes, int* first, int* last);

  template <typename Visit>
  void Overlap(int node, const Bounds& box, const Visit& visit) const {
    // The right child is what the loop goes on with.
    for (;;) {
      if (!nodes_[node].box.Overlaps(box)) return;
      if (IsLeaf(node)) return visit(PartOf(node));
      Overlap(node + 1, box, visit);
      node = nodes_[node].link;
    }
  }
  template <typename Visit>
  void Pair(int node, const BoxTree& other, int other_node, const Visit& visit) const {
    const Node &a = nodes_[node], &b = other.nodes_[other_node];
    if (!a.box.Overlaps(b.box)) return;
    if (a.link < 0) {
      if (b.link < 0) return visit(PartOf(node), other.PartOf(other_node));
    } else if (b.link < 0 ||
               (a.box.upper - a.box.lower).sum() >= (b.box.upper - b.box.lower).sum()) {
      Pair(node + 1, other, other_node, visit);
      return Pair(a.link, other, other_node, visit);
    }
    Pair(node, other, other_node + 1, visit);
    Pair(node, other, b.link, visit);
  }
  template <typename Visit>
  void Within(int node, const Visit& visit) const {
    if (IsLeaf(node)) return;
    Within(node + 1, visit);
    Within(nodes_[node].link, visit);
    Pair(node + 1, *this, nodes_[node].link, visit);
  }
  template <typename SquaredDistance>
  void Descend(int node, double squared, const Eigen::Vector3d& x,
               const SquaredDistance& squared_distance, Nearest* nearest) const {
    if (!(squared <= nearest->squared)) return;
    if (IsLeaf(node)) {
      const int part = PartOf(node);
      const double found = squared_distance(part);
      if (found < nearest->squared || (found == nearest->squared && part < nearest->part)) {
        *nearest = {part, found};
      }
      return;
    }
    int near = node + 1, far = nodes_[node].link;
    double to_near = nodes_[near].box.SquaredDistance(x);
    double to_far = nodes_[far].box.SquaredDistance(x);
    if (to_far < to_near) {
      std::swap(near, far);
      std::swap(to_near, to_far);
    }
    Descend(near, to_near, x, squared_distance, nearest);
    Descend(far, to_far, x, squared_distance, nearest);
  }

  std::vector<Node> nodes_;
};

}  // namespace pliant

#endif  // PLIANT_MODELS_COLLISION_BOX_TREE_H_
