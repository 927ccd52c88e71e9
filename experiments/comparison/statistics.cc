#include "experiments/comparison/statistics.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace pliant {
namespace {

constexpr int kMostMembers = 1'000'000;

// ∫ cosᵖ from 0 to `angle` by Simpson's rule.
double PowerOfCosine(double angle, double p) {
  constexpr int kParts = 400;
  const double width = angle / kParts;
  double sum = 1.0 + std::pow(std::max(std::cos(angle), 0.0), p);
  for (int i = 1; i < kParts; ++i)
    sum += (i % 2 == 1 ? 4.0 : 2.0) * std::pow(std::cos(i * width), p);
  return sum * width / 3.0;
}

double SpreadOf(const std::vector<double>& values) {
  const double mean = MeanOf(values);
  double squares = 0.0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

bool Excludes(const Interval& interval, double bound) {
  return bound < interval.lower || bound > interval.upper;
}

}  // namespace

// With t = √n tan θ the distribution is ½ ∫₀^θ cosⁿ⁻¹ / ∫₀^{π/2} cosⁿ⁻¹ above its middle.
double StudentQuantile(int degrees_of_freedom) {
  constexpr int kBisections = 60;
  const double n = degrees_of_freedom, half = 0.5 * std::numbers::pi;
  const double whole = PowerOfCosine(half, n - 1.0);
  double low = 0.0, high = half;
  for (int i = 0; i < kBisections; ++i) {
    const double middle = 0.5 * (low + high);
    (PowerOfCosine(middle, n - 1.0) < 0.95 * whole ? low : high) = middle;
  }
  return std::sqrt(n) * std::tan(0.5 * (low + high));
}

double MeanOf(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::optional<Interval> MeanInterval(const std::vector<double>& values) {
  if (values.size() < 2) return std::nullopt;
  const double mean = MeanOf(values), n = static_cast<double>(values.size());
  const double half =
      StudentQuantile(static_cast<int>(values.size()) - 1) * SpreadOf(values) / std::sqrt(n);
  return Interval{mean - half, mean + half};
}

Interval RateInterval(int met, int of) {
  const double z = kNormalQuantile, n = of, p = met / n;
  const double middle = p + z * z / (2.0 * n);
  const double half = z * std::sqrt(p * (1.0 - p) / n + z * z / (4.0 * n * n));
  const double scale = 1.0 + z * z / n;
  // Exactly 0 and 1 at the ends, which rounding may miss.
  return {met == 0 ? 0.0 : (middle - half) / scale, met == of ? 1.0 : (middle + half) / scale};
}

double CoveredShare(int n) { return std::pow(0.05, 1.0 / n); }

std::optional<int> MembersForMean(const std::vector<double>& values, double bound) {
  if (values.size() < 2) return std::nullopt;
  const double distance = std::abs(MeanOf(values) - bound), spread = SpreadOf(values);
  // Beyond a hundred members t is z within 2 %; below, the number is found by trying.
  for (int n = 2; n <= 100; ++n) {
    if (StudentQuantile(n - 1) * spread < distance * std::sqrt(static_cast<double>(n))) return n;
  }
  const double needed = std::pow(kNormalQuantile * spread / distance, 2.0);
  if (!(needed < kMostMembers)) return std::nullopt;
  return static_cast<int>(std::ceil(needed));
}

std::optional<int> MembersForRate(int met, int of, double bound) {
  const double p = static_cast<double>(met) / of;
  for (double n = 1.0; n < kMostMembers; n = std::ceil(n * 1.05)) {
    const int members = static_cast<int>(n), would = static_cast<int>(std::lround(p * n));
    if (Excludes(RateInterval(would, members), bound) && members >= of) return members;
  }
  return std::nullopt;
}

}  // namespace pliant
