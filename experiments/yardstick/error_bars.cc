#include "experiments/yardstick/error_bars.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace pliant {
namespace {

constexpr double kSpreadFactor = 3.0;

template <typename Combine>
ErrorOverTime Combined(const ErrorOverTime& a, const ErrorOverTime& b, const Combine& combine) {
  assert(a.error.size() == b.error.size());
  ErrorOverTime both;
  for (size_t t = 0; t < a.error.size(); ++t) both.error.push_back(combine(a.error[t], b.error[t]));
  both.order = a.order && b.order ? std::min(*a.order, *b.order) : a.order ? a.order : b.order;
  both.converges = a.converges && b.converges;
  return both;
}

// Of the rms over the times from `first` to `last`.
std::optional<double> OrderBetween(const std::vector<std::vector<double>>& differences,
                                   size_t first, size_t last, const ConvergenceRules& rules) {
  std::vector<double> rms;
  for (const std::vector<double>& d : differences) {
    double squares = 0.0;
    for (size_t t = first; t <= last; ++t) squares += d[t] * d[t];
    rms.push_back(std::sqrt(squares / static_cast<double>(last - first + 1)));
  }
  return RegressedOrder(rms, rules.ratio, rules.round_off);
}

}  // namespace

ErrorOverTime MeasureErrorOverTime(const std::vector<std::vector<double>>& differences,
                                   const ConvergenceRules& rules) {
  assert(differences.size() >= 2);
  const size_t rungs = differences.size(), times = differences[0].size();
  double largest = 0.0, spread = 0.0, so_far = 0.0;
  ErrorOverTime result;
  for (size_t t = 0; t < times; ++t) {
    double apart = 0.0;
    for (size_t k = 0; k < rungs; ++k) apart += differences[k][t];
    largest = std::max(largest, differences.back()[t]);
    spread = std::max(spread, apart);
    result.order = OrderBetween(differences, 0, t, rules);
    if (const auto late = OrderBetween(differences, (t + 1) / 2, t, rules)) {
      result.order = std::min(result.order.value_or(*late), *late);
    }
    const bool rounding = largest <= rules.round_off;
    result.converges = rounding || (result.order && *result.order >= kLeastOrder);
    double error = kSpreadFactor * spread;
    if (rounding) {
      error = largest;
    } else if (result.converges) {
      error = kMeasuredOrderFactor * largest /
              (std::pow(rules.ratio, std::min(*result.order, kOrderOfStep)) - 1.0);
    }
    so_far = std::max(so_far, error);
    result.error.push_back(so_far);
  }
  return result;
}

ErrorOverTime Sum(const ErrorOverTime& a, const ErrorOverTime& b) {
  return Combined(a, b, [](double x, double y) { return x + y; });
}

ErrorOverTime Larger(const ErrorOverTime& a, const ErrorOverTime& b) {
  return Combined(a, b, [](double x, double y) { return std::max(x, y); });
}

}  // namespace pliant
