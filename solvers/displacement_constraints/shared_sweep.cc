#include "solvers/displacement_constraints/shared_sweep.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "models/disjoint_sets.h"

namespace pliant::displacement_constraints {
namespace {

// Chunks for each thread: threads that were held up leave chunks to the others.
constexpr int kChunksPerThread = 4;
constexpr double kMostLate = 0.25;  // of the touched slots

int SlotsOf(const SweptItems& items) {
  int slots = 0;
  for (int i = 0; i < items.size(); ++i) {
    items.ForEachSlot(i, [&](int slot) { slots = std::max(slots, slot + 1); });
  }
  return slots;
}

std::vector<int> PlacesOf(const SweptItems& items) {
  std::vector<int> places(items.size());
  for (int i = 0; i < items.size(); ++i) places[i] = items.place(i);
  return places;
}

// Of each item the first place of all that hangs together with it.
std::vector<int> PlacesOfWholes(const SweptItems& items) {
  const int slots = SlotsOf(items);
  DisjointSets joined(slots);
  for (int i = 0; i < items.size(); ++i) {
    int first = -1;
    items.ForEachSlot(i, [&](int slot) {
      if (first < 0) first = slot;
      joined.Join(slot, first);
    });
  }
  std::vector<int> places = PlacesOf(items), least(slots, -1);
  const auto least_of = [&](int i) -> int& {
    int slot = -1;
    items.ForEachSlot(i, [&](int s) { slot = s; });
    return slot < 0 ? places[i] : least[joined.Root(slot)];
  };
  for (int i = 0; i < items.size(); ++i) {
    int& known = least_of(i);
    known = known < 0 ? places[i] : std::min(known, places[i]);
  }
  for (int i = 0; i < items.size(); ++i) places[i] = least_of(i);
  return places;
}

// The chunk of each place, of about equal weights.
std::vector<int> ChunksOfPlaces(const SweptItems& items, const std::vector<int>& places,
                                int chunks) {
  std::vector<size_t> weights(*std::max_element(places.begin(), places.end()) + 1, 0);
  for (int i = 0; i < items.size(); ++i) weights[places[i]] += items.weight(i);
  const size_t all =
      std::max<size_t>(1, std::accumulate(weights.begin(), weights.end(), size_t{0}));
  std::vector<int> chunk_of(weights.size());
  size_t before = 0;
  for (size_t place = 0; place < weights.size(); ++place) {
    chunk_of[place] = static_cast<int>(std::min<size_t>(chunks - 1, before * chunks / all));
    before += weights[place];
  }
  return chunk_of;
}

}  // namespace

SharedSweep::SharedSweep(const SweptItems& items, int threads) {
  if (threads == 1 || items.size() < 2) return;
  size_t all = 0;
  for (int i = 0; i < items.size(); ++i) all += items.weight(i);
  const int chunks = kChunksPerThread * threads;
  const size_t late = Cut(items, PlacesOf(items), chunks);
  if (static_cast<double>(late) <= kMostLate * static_cast<double>(all)) return;
  Cut(items, PlacesOfWholes(items), chunks);
  const auto largest = std::max_element(chunks_.begin(), chunks_.end(),
                                        [](auto& a, auto& b) { return a.size() < b.size(); });
  if (2 * largest->size() > static_cast<size_t>(items.size()) + 1) chunks_.clear();
}

size_t SharedSweep::Cut(const SweptItems& items, const std::vector<int>& places, int chunks) {
  constexpr int kUntouched = -1, kLate = -2;
  chunks_.assign(chunks, {});
  late_.clear();
  const std::vector<int> chunk_of = ChunksOfPlaces(items, places, chunks);
  std::vector<int> touched(SlotsOf(items), kUntouched);  // the chunk that touched each slot
  size_t late = 0;
  for (int i = 0; i < items.size(); ++i) {
    const int chunk = chunk_of[places[i]];
    bool in_time = true;
    items.ForEachSlot(
        i, [&](int slot) { in_time &= touched[slot] == kUntouched || touched[slot] == chunk; });
    items.ForEachSlot(i, [&](int slot) { touched[slot] = in_time ? chunk : kLate; });
    (in_time ? chunks_[chunk] : late_).push_back(i);
    if (!in_time) late += items.weight(i);
  }
  return late;
}

}  // namespace pliant::displacement_constraints
