#include "app/workbench/editors/number_list.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pliant {
namespace {

constexpr double kHeadroom = 1.25;  // of an unbounded axis, above its largest value

// 1, 2 or 5 times a power of ten, at least `x` > 0.
double NiceAbove(double x) {
  const double power = std::pow(10.0, std::floor(std::log10(x)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= x * (1.0 - 1e-12)) return factor * power;
  }
  return 10.0 * power;
}

// Scales the other shares so that all sum to one. Sums only the others: the difference of larger
// sums may be rounding.
void Redistribute(size_t place, std::vector<double>* shares) {
  const double left = 1.0 - (*shares)[place];
  const double others = std::accumulate(shares->begin(), shares->begin() + place, 0.0) +
                        std::accumulate(shares->begin() + place + 1, shares->end(), 0.0);
  const double alike = left / static_cast<double>(shares->size() - 1);
  for (size_t i = 0; i < shares->size(); ++i) {
    if (i != place) (*shares)[i] = others > 0.0 ? (*shares)[i] * left / others : alike;
  }
}

}  // namespace

NumberMove Moved(const NumberList& list, size_t place, double to) {
  NumberMove move{list.values, ""};
  const Range& range = list.ranges[place % list.ranges.size()];
  if (std::isnan(to)) return {list.values, list.title + " must be a number"};
  double kept = std::clamp(to, range.lower, range.upper);
  if (std::isinf(kept) && !range.infinite) kept = list.values[place];
  if (range.open_lower && kept <= range.lower) kept = list.values[place];
  if (list.is_whole) {
    kept = list.values.size() == 1 ? 1.0 : std::clamp(kept, 0.0, 1.0);
    if (list.values.size() == 1 && to != 1.0) move.why = "a single share is always 1";
  }
  if (kept != to && move.why.empty()) move.why = list.title + " must be " + RangeInWords(range);
  move.values[place] = kept;
  if (list.is_whole && list.values.size() > 1) Redistribute(place, &move.values);
  return move;
}

std::vector<double> Resized(const NumberList& list, size_t size) {
  const std::vector<double>& before = list.values;
  std::vector<double> after(size, list.is_whole ? 0.0 : before.back());
  std::copy_n(before.begin(), std::min(size, before.size()), after.begin());
  if (list.is_whole) {
    after.back() +=
        std::accumulate(before.begin() + std::min(size, before.size()), before.end(), 0.0);
    return after;
  }
  // Further stages start equal to the first.
  const size_t row = before.size();
  for (size_t i = row; i < size; ++i) after[i] = after[i - row];
  return after;
}

NumberScale ScaleOf(const NumberList& list) {
  NumberScale scale{0.0, 0.0, false, 0.01};
  double least = 0.0, most = 0.0;  // of the values
  for (const double value : list.values) {
    if (!std::isfinite(value)) continue;
    least = std::min(least, value);
    most = std::max(most, value);
  }
  bool open_below = false, open_above = false;
  for (const Range& range : list.ranges) {
    scale.infinite = scale.infinite || range.infinite;
    std::isfinite(range.lower) ? void(scale.lower = std::min(scale.lower, range.lower))
                               : void(open_below = true);
    std::isfinite(range.upper) ? void(scale.upper = std::max(scale.upper, range.upper))
                               : void(open_above = true);
  }
  if (open_below && open_above) {  // symmetric about 0
    const double reach = std::max(-least, most);
    scale.upper = std::max(scale.upper, reach > 0.0 ? NiceAbove(kHeadroom * reach) : 1.0);
    scale.lower = std::min(scale.lower, -scale.upper);
  } else {
    if (open_above) {
      scale.upper = std::max(scale.upper, most > 0.0 ? NiceAbove(kHeadroom * most) : 1.0);
    }
    if (open_below)
      scale.lower = std::min(scale.lower, least < 0.0 ? -NiceAbove(-kHeadroom * least) : -1.0);
  }
  if (scale.upper <= scale.lower) scale.upper = scale.lower + 1.0;
  scale.grain = std::pow(10.0, std::floor(std::log10(scale.upper - scale.lower)) - 2.0);
  return scale;
}

}  // namespace pliant
