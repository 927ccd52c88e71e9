#include "experiments/refinement/grid_convergence.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <span>

#include "experiments/comparison/banded_digits.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

constexpr double kRelativeRoundOff = 1e-12;  // thousands of steps, each rounded

// Rounding of the values themselves.
double RoundOffOf(const std::vector<double>& values, double given) {
  double largest = 0.0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return std::max(given, kRelativeRoundOff * largest);
}

double Spread(std::span<const double> values) {
  const auto [lowest, highest] = std::minmax_element(values.begin(), values.end());
  return *highest - *lowest;
}

// Error of the finest value: e / (r^p − 1).
double RichardsonError(double difference, double ratio, double order) {
  return difference / (std::pow(ratio, order) - 1.0);
}

}  // namespace

std::string_view ToString(Trend trend) {
  switch (trend) {
    case Trend::kSingle:
      return "one rung";
    case Trend::kAssumed:
      return "order assumed";
    case Trend::kMonotone:
      return "monotone";
    case Trend::kTooFast:
      return "faster than any scheme";
    case Trend::kOscillating:
      return "oscillating";
    case Trend::kSlow:
      return "does not converge";
    case Trend::kAtRoundOff:
      return "at round-off";
  }
  return "";
}

std::optional<double> RegressedOrder(const std::vector<double>& differences, double ratio,
                                     double round_off) {
  double n = 0.0, sum_k = 0.0, sum_y = 0.0, sum_kk = 0.0, sum_ky = 0.0;
  for (size_t i = 0; i < differences.size(); ++i) {
    const double difference = std::abs(differences[i]);
    if (!(difference > round_off)) continue;
    const double k = static_cast<double>(i), y = std::log(difference);
    n += 1.0;
    sum_k += k;
    sum_y += y;
    sum_kk += k * k;
    sum_ky += k * y;
  }
  if (n < 2.0) return std::nullopt;
  const double slope = (n * sum_ky - sum_k * sum_y) / (n * sum_kk - sum_k * sum_k);
  return -slope / std::log(ratio);
}

Convergence MeasureConvergence(const std::vector<double>& values, const ConvergenceRules& rules) {
  assert(!values.empty() && rules.ratio > 1.0 && rules.assumed_order > 0.0);
  const double round_off = RoundOffOf(values, rules.round_off);
  std::vector<double> differences;
  for (size_t k = 1; k < values.size(); ++k) differences.push_back(values[k] - values[k - 1]);

  Convergence result;
  result.value = values.back();
  if (differences.empty()) return result;
  for (size_t k = 1; k < differences.size(); ++k) {
    const double coarse = differences[k - 1], fine = differences[k];
    const bool has_order =
        std::abs(coarse) > round_off && std::abs(fine) > round_off && coarse * fine > 0.0;
    result.pairwise_orders.push_back(
        has_order ? std::optional(std::log(coarse / fine) / std::log(rules.ratio)) : std::nullopt);
  }
  result.order = RegressedOrder(differences, rules.ratio, round_off);
  const size_t pairs = result.pairwise_orders.size();
  if (pairs >= 2) {
    const auto &before = result.pairwise_orders[pairs - 2], &last = result.pairwise_orders.back();
    result.asymptotic =
        before && last && *last >= kLeastOrder && std::abs(*before - *last) < kSameOrder;
  }

  const double last = differences.back();
  const double before = differences.size() > 1 ? differences[differences.size() - 2] : 0.0;
  // What a scheme leaves of a difference is a share of it.
  const double most_before = round_off * std::pow(rules.ratio, kHighestOrder + kSameOrder);
  if (std::abs(last) <= round_off && std::abs(before) > most_before) {
    result.trend = Trend::kTooFast;
    result.band = Spread(std::span(values).last(3));
    return result;
  }
  if (std::abs(last) <= round_off) {
    result.trend = Trend::kAtRoundOff;
    result.band = kAssumedOrderFactor * round_off;
    return result;
  }
  if (differences.size() == 1) {
    const double error = RichardsonError(last, rules.ratio, rules.assumed_order);
    result.trend = Trend::kAssumed;
    result.value += error;
    result.band = kAssumedOrderFactor * std::abs(error);
    return result;
  }
  const bool shrinks = std::abs(last) < std::abs(before);
  if (result.pairwise_orders.back().value_or(0.0) >= kLeastOrder) {
    const double order = *result.pairwise_orders.back();
    if (order > kHighestOrder + kSameOrder && !result.asymptotic.value_or(false)) {
      result.trend = Trend::kTooFast;
      result.band = Spread(std::span(values).last(3));
      return result;
    }
    const double error = RichardsonError(last, rules.ratio, std::min(order, kHighestOrder));
    result.trend = Trend::kMonotone;
    result.value += error;
    result.band =
        (order > kHighestOrder ? kAssumedOrderFactor : kMeasuredOrderFactor) * std::abs(error);
    return result;
  }
  result.trend = shrinks && before * last < 0.0 ? Trend::kOscillating : Trend::kSlow;
  result.band = kAssumedOrderFactor * Spread(values);
  return result;
}

std::string LimitText(const Convergence& convergence, int least) {
  return TextBeside(convergence.band, convergence.value, least);
}

std::string TextBeside(const std::optional<double>& band, double value, int least) {
  return Digits(value, DigitsWithin(value, band.value_or(0.0), least));
}

std::string TrendText(const Convergence& convergence) {
  std::string text(ToString(convergence.trend));
  if (convergence.asymptotic) text += *convergence.asymptotic ? ", asymptotic" : ", not asymptotic";
  return text;
}

}  // namespace pliant
