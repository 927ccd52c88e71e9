#include "models/position_based/edge_strips.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <numeric>
#include <optional>
#include <unordered_map>

namespace pliant::position_based {

// The length of the edge between two points; removes edges as they are found.
class EdgeIndex {
 public:
  EdgeIndex(const std::vector<Edge>& edges, const Eigen::VectorXd& lengths) {
    for (size_t e = 0; e < edges.size(); ++e) {
      lengths_[Key(edges[e][0], edges[e][1])] = lengths[static_cast<Eigen::Index>(e)];
    }
  }
  // Nothing if there is none.
  std::optional<double> Take(int a, int b) {
    const auto found = lengths_.find(Key(a, b));
    if (found == lengths_.end()) return std::nullopt;
    const double length = found->second;
    lengths_.erase(found);
    return length;
  }

 private:
  static std::int64_t Key(int a, int b) {
    return (static_cast<std::int64_t>(std::min(a, b)) << 32) + std::max(a, b);
  }
  std::unordered_map<std::int64_t, double> lengths_;
};

EdgeStrips::EdgeStrips(const std::vector<Edge>& edges, const Eigen::VectorXd& lengths, int points,
                       const std::vector<GridPatch>& patches, bool coloured)
    : slots_(points), points_(points) {
  std::iota(slots_.begin(), slots_.end(), 0);
  for (const GridPatch& patch : patches) {
    const int half = (patch.grid.nu + 1) / 2;
    for (int v = 0; v < patch.grid.nv; ++v) {
      const int row = patch.offset + v * patch.grid.nu;
      for (int u = 0; u < patch.grid.nu; ++u) slots_[row + u] = row + u % 2 * half + u / 2;
    }
  }
  for (size_t p = 0; p < slots_.size(); ++p) points_[slots_[p]] = static_cast<int>(p);
  EdgeIndex index(edges, lengths);
  lengths_.reserve(edges.size());
  for (const GridPatch& patch : patches) AddPatch(patch, coloured, &index);
  for (const auto& [a, b] : edges) {
    const std::optional<double> length = index.Take(a, b);
    if (!length) continue;  // of a patch
    strips_.push_back({slots_[a], slots_[b], 1, this->edges()});
    lengths_.push_back(*length);
  }
  strips_.shrink_to_fit();
}

void EdgeStrips::AddStrip(int a, int b, int count, EdgeIndex* edges) {
  if (count == 0) return;
  strips_.push_back({a, b, count, this->edges()});
  for (int k = 0; k < count; ++k) {
    const std::optional<double> length = edges->Take(points_[a + k], points_[b + k]);
    assert(length);
    lengths_.push_back(*length);
  }
}

// Row by row, so that a sweep reads the points once. Of the four colours each takes a strip as soon
// as the colours before it are through with its points: the same bytes as one colour after another.
void EdgeStrips::AddPatch(const GridPatch& patch, bool coloured, EdgeIndex* edges) {
  const int nu = patch.grid.nu, nv = patch.grid.nv, half = (nu + 1) / 2;
  const auto row = [&](int v) { return patch.offset + v * nu; };
  const auto even = [&](int v) { AddStrip(row(v), row(v) + half, nu / 2, edges); };
  const auto odd = [&](int v) { AddStrip(row(v) + half, row(v) + 1, (nu - 1) / 2, edges); };
  const auto down = [&](int v) { AddStrip(row(v), row(v + 1), nu, edges); };
  if (!coloured) {
    for (int v = 0; v < nv; ++v) {
      even(v);
      odd(v);
      if (v + 1 < nv) down(v);
    }
    return;
  }
  for (int v = 0; v < nv; v += 2) {
    for (int u = v; u < std::min(v + 2, nv); ++u) {
      even(u);
      odd(u);
    }
    if (v + 1 < nv) down(v);
    if (v > 0) down(v - 1);
  }
}

Edge EdgeStrips::Ends(int edge) const {
  const std::vector<Strip>& strips = whole_strips_.empty() ? strips_ : whole_strips_;
  const auto after = std::upper_bound(strips.begin(), strips.end(), edge,
                                      [](int e, const Strip& strip) { return e < strip.first; });
  const Strip& strip = *(after - 1);
  const int k = edge - strip.first;
  return {points_[strip.a + k], points_[strip.b + k]};
}

void EdgeStrips::Break(int edge) {
  const auto strip = std::find_if(strips_.begin(), strips_.end(), [edge](const Strip& s) {
    return s.first <= edge && edge < s.first + s.count;
  });
  if (strip == strips_.end()) return;
  if (whole_strips_.empty()) whole_strips_ = strips_;
  const int before = edge - strip->first, after = strip->count - before - 1;
  const Strip rest{strip->a + before + 1, strip->b + before + 1, after, edge + 1};
  strip->count = before;
  if (after > 0) strips_.insert(strip + 1, rest);
}

void EdgeStrips::Mend() {
  if (!whole_strips_.empty()) strips_ = whole_strips_;
}

}  // namespace pliant::position_based
