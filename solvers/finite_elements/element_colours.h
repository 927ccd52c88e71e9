// Groups of elements that share no unknown, so that threads can add those of one group in any order: an unknown receives
// the terms of its elements group by group, and a sum has the same bytes at any number of threads.

#ifndef PLIANT_SOLVERS_FINITE_ELEMENTS_ELEMENT_COLOURS_H_
#define PLIANT_SOLVERS_FINITE_ELEMENTS_ELEMENT_COLOURS_H_

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "solvers/parallel/cancellation.h"
#include "solvers/parallel/thread_team.h"

namespace pliant::finite_elements {

class ElementColours {
 public:
  ElementColours() = default;
  // unknowns(e) is a range of numbers below `unknown_count`. Each element takes the first colour that none of its
  // unknowns has; where 64 do not suffice, an element is a group of its own.
  template <typename Unknowns>
  ElementColours(int elements, int unknown_count, const Unknowns& unknowns) {
    constexpr int kColours = 64;
    std::vector<std::uint64_t> taken(unknown_count, 0);
    std::vector<int> alone;
    for (int e = 0; e < elements; ++e) {
      std::uint64_t near = 0;
      for (const int u : unknowns(e)) near |= taken[u];
      const int colour = std::countr_one(near);
      if (colour == kColours) {
        alone.push_back(e);
        continue;
      }
      if (colour == static_cast<int>(groups_.size())) groups_.emplace_back();
      groups_[colour].push_back(e);
      for (const int u : unknowns(e)) taken[u] |= std::uint64_t{1} << colour;
    }
    for (const int e : alone) groups_.push_back({e});
  }

  const std::vector<std::vector<int>>& groups() const { return groups_; }

  // Calls work(element, thread) for each element. Throws Cancelled between groups.
  template <typename Work>
  void Run(ThreadTeam* team, const Work& work) const {
    constexpr int kAtOnce = 8;  // elements
    for (const std::vector<int>& group : groups_) {
      ThrowIfCancelled();
      const auto size = static_cast<int>(group.size());
      team->Run((size + kAtOnce - 1) / kAtOnce, [&](int piece, int thread) {
        const int end = std::min(size, (piece + 1) * kAtOnce);
        for (int i = piece * kAtOnce; i < end; ++i) work(group[i], thread);
      });
    }
  }

 private:
  std::vector<std::vector<int>> groups_;
};

}  // namespace pliant::finite_elements

#endif  // PLIANT_SOLVERS_FINITE_ELEMENTS_ELEMENT_COLOURS_H_
