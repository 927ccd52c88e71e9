// Sets of 0 … n−1 that are joined step by step, as bodies by constraints: two numbers hang together where their roots agree.

#ifndef PLIANT_MODELS_DISJOINT_SETS_H_
#define PLIANT_MODELS_DISJOINT_SETS_H_

#include <numeric>
#include <vector>

namespace pliant {

class DisjointSets {
 public:
  explicit DisjointSets(int count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }

  // The number that stands for all that hang together with i. Nearly constant, since it halves the way that it takes.
  int Root(int i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }

  // From now on the root of `under` stands for both.
  void Join(int one, int under) { parent_[Root(one)] = Root(under); }

 private:
  std::vector<int> parent_;
};

}  // namespace pliant

#endif  // PLIANT_MODELS_DISJOINT_SETS_H_
