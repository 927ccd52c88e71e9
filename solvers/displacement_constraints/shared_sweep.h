// A Gauss–Seidel sweep on several threads, with the bytes of one.
//
// A sweep visits items (the joints at a point) in an order; an item moves what it touches (segments),
// here called slots. Only items that touch the same slot have to keep their order. The
// places of the items are cut into chunks. An item belongs to its chunk if everything that touched its
// slots before belongs to the same chunk; else it is late, and so is whatever touches its slots
// afterwards. Chunks are swept at the same time, each in order, then the late items in order. Two
// items of one slot keep their order: they are in one chunk, or the later one is late.
//
// Loose bodies give chunks of whole bodies. In a grid whose rows follow each other nearly all is
// late, and the sweep is not shared; in coloured order only the borders of the chunks are.

#ifndef PLIANT_SOLVERS_DISPLACEMENT_CONSTRAINTS_SHARED_SWEEP_H_
#define PLIANT_SOLVERS_DISPLACEMENT_CONSTRAINTS_SHARED_SWEEP_H_

#include <cstddef>
#include <vector>

#include "solvers/parallel/thread_team.h"

namespace pliant::displacement_constraints {

// The items of a sweep in their order.
class SweptItems {
 public:
  // The next item. Items with near places (≥ 0) touch the same slots.
  void Add(int place) {
    places_.push_back(place);
    first_.push_back(first_.back());
  }
  void Touches(int slot) {  // the last item
    slots_.push_back(slot);
    ++first_.back();
  }

  int size() const { return static_cast<int>(places_.size()); }
  int place(int item) const { return places_[item]; }
  // Calls visit(slot) with what the item touches.
  template <typename Visit>
  void ForEachSlot(int item, const Visit& visit) const {
    for (size_t i = first_[item]; i < first_[item + 1]; ++i) visit(slots_[i]);
  }
  int weight(int item) const { return static_cast<int>(first_[item + 1] - first_[item]); }

 private:
  std::vector<int> places_, slots_;
  std::vector<size_t> first_{0};
};

class SharedSweep {
 public:
  SharedSweep() = default;  // not shared
  // O(items + touched slots), 4 bytes an item. Not shared for one thread, or if more than a quarter of
  // what is touched would be late.
  SharedSweep(const SweptItems& items, int threads);

  bool shared() const { return !chunks_.empty(); }

  // If shared: calls visit(item, worker) for each item, in an order with the result of 0, 1, …; backwards in
  // one with the result of …, 1, 0. `worker` is below team->threads() and at one item at a time.
  template <typename Visit>
  void Run(ThreadTeam* team, bool backwards, const Visit& visit) const {
    const auto all = [&](const std::vector<int>& items, int worker) {
      const size_t count = items.size();
      for (size_t i = 0; i < count; ++i) visit(items[backwards ? count - 1 - i : i], worker);
    };
    if (backwards) all(late_, 0);
    team->Run(static_cast<int>(chunks_.size()),
              [&](int chunk, int worker) { all(chunks_[chunk], worker); });
    if (!backwards) all(late_, 0);
  }

 private:
  // Cuts where `places` of the items say; returns the touched slots of late items.
  size_t Cut(const SweptItems& items, const std::vector<int>& places, int chunks);

  std::vector<std::vector<int>> chunks_;  // items in order; none if not shared
  std::vector<int> late_;
};

}  // namespace pliant::displacement_constraints

#endif  // PLIANT_SOLVERS_DISPLACEMENT_CONSTRAINTS_SHARED_SWEEP_H_
