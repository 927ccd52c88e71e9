#include "experiments/yardstick/error_bars.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "experiments/refinement/error_of_finest.h"

namespace pliant {
namespace {

template <typename Combine>
ErrorOverTime Combined(const ErrorOverTime& a, const ErrorOverTime& b, const Combine& combine) {
  assert(a.error.size() == b.error.size());
  ErrorOverTime both;
  for (size_t t = 0; t < a.error.size(); ++t) both.error.push_back(combine(a.error[t], b.error[t]));
  both.order = a.order && b.order ? std::min(*a.order, *b.order) : a.order ? a.order : b.order;
  both.converges = a.converges && b.converges;
  return both;
}

// Of each difference, over the times from `first` to `last`.
std::vector<double> RmsBetween(const std::vector<std::vector<double>>& differences, size_t first,
                               size_t last) {
  std::vector<double> rms;
  for (const std::vector<double>& d : differences) {
    double squares = 0.0;
    for (size_t t = first; t <= last; ++t) squares += d[t] * d[t];
    rms.push_back(std::sqrt(squares / static_cast<double>(last - first + 1)));
  }
  return rms;
}

}  // namespace

ErrorOverTime MeasureErrorOverTime(const std::vector<std::vector<double>>& differences,
                                   const ConvergenceRules& rules) {
  assert(differences.size() >= 2);
  const size_t rungs = differences.size(), times = differences[0].size();
  LadderDifferences so_far;
  double largest_error = 0.0;
  ErrorOverTime result;
  for (size_t t = 0; t < times; ++t) {
    double apart = 0.0;
    for (size_t k = 0; k < rungs; ++k) apart += differences[k][t];
    so_far.last = std::max(so_far.last, differences.back()[t]);
    so_far.sum = std::max(so_far.sum, apart);
    const std::vector<double> rms = RmsBetween(differences, 0, t);
    so_far.grows = rms.back() > rms[rungs - 2];
    so_far.order = RegressedOrder(rms, rules.ratio, rules.round_off);
    if (const auto late =
            RegressedOrder(RmsBetween(differences, (t + 1) / 2, t), rules.ratio, rules.round_off)) {
      so_far.order = std::min(so_far.order.value_or(*late), *late);
    }
    largest_error = std::max(largest_error, ErrorOfFinest(so_far, rules));
    result.error.push_back(largest_error);
  }
  result.order = so_far.order;
  result.converges = Converges(so_far, rules);
  return result;
}

ErrorOverTime Sum(const ErrorOverTime& a, const ErrorOverTime& b) {
  return Combined(a, b, [](double x, double y) { return x + y; });
}

ErrorOverTime Larger(const ErrorOverTime& a, const ErrorOverTime& b) {
  return Combined(a, b, [](double x, double y) { return std::max(x, y); });
}

}  // namespace pliant
