#include "experiments/runs/cycles.h"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

// The value at a time within the records.
double At(const Curve& curve, double time) {
  const auto after = std::upper_bound(curve.times.begin(), curve.times.end(), time);
  if (after == curve.times.begin()) return curve.values.front();
  if (after == curve.times.end()) return curve.values.back();
  const auto i = static_cast<size_t>(after - curve.times.begin());
  return std::lerp(curve.values[i - 1], curve.values[i],
                   (time - curve.times[i - 1]) / (curve.times[i] - curve.times[i - 1]));
}

// 0, `length`, and the records between, as times since `begin`.
void AddKnots(const Curve& curve, double begin, double length, std::vector<double>* knots) {
  for (const double time : curve.times) {
    if (time > begin && time < begin + length) knots->push_back(time - begin);
  }
}

// The part of a straight line from a to b that is at 0 or below it.
double PartBelow(double a, double b) {
  if (a <= 0.0 && b <= 0.0) return 1.0;
  if (a > 0.0 && b > 0.0) return 0.0;
  return std::min(a, b) / (std::min(a, b) - std::max(a, b));
}

}  // namespace

std::vector<double> FallsTo(double level, const Curve& curve) {
  std::vector<double> falls;
  for (size_t i = 1; i < curve.values.size(); ++i) {
    const double before = curve.values[i - 1] - level, now = curve.values[i] - level;
    if (!(before > 0.0 && now <= 0.0)) continue;
    falls.push_back(std::lerp(curve.times[i - 1], curve.times[i], before / (before - now)));
  }
  return falls;
}

std::optional<double> MeanTimeBetween(const std::vector<double>& falls) {
  if (falls.size() < 2) return std::nullopt;
  return (falls.back() - falls.front()) / static_cast<double>(falls.size() - 1);
}

std::optional<double> SpreadOfIntervals(const std::vector<double>& falls) {
  if (falls.size() < 3) return std::nullopt;
  double shortest = falls[1] - falls[0], longest = shortest;
  for (size_t i = 2; i < falls.size(); ++i) {
    shortest = std::min(shortest, falls[i] - falls[i - 1]);
    longest = std::max(longest, falls[i] - falls[i - 1]);
  }
  return longest - shortest;
}

std::optional<double> ShareBelow(double level, const Curve& curve) {
  if (curve.values.size() < 2) return std::nullopt;
  double below = 0.0;
  for (size_t i = 1; i < curve.values.size(); ++i) {
    below += (curve.times[i] - curve.times[i - 1]) *
             PartBelow(curve.values[i - 1] - level, curve.values[i] - level);
  }
  return below / (curve.times.back() - curve.times.front());
}

// The difference of two broken lines is straight between the knots of both, so that Simpson's rule is exact.
std::optional<double> ReturnDistance(const Curve& curve, const std::vector<double>& falls) {
  if (falls.size() < 3) return std::nullopt;
  const double a = falls[falls.size() - 3], b = falls[falls.size() - 2];
  const double length = std::min(b - a, falls.back() - b);
  std::vector<double> knots = {0.0, length};
  AddKnots(curve, a, length, &knots);
  AddKnots(curve, b, length, &knots);
  std::sort(knots.begin(), knots.end());
  const auto gap = [&](double s) { return At(curve, a + s) - At(curve, b + s); };
  double sum = 0.0;
  for (size_t i = 1; i < knots.size(); ++i) {
    const double width = knots[i] - knots[i - 1];
    const double begin = gap(knots[i - 1]), middle = gap(knots[i - 1] + 0.5 * width);
    const double end = gap(knots[i]);
    sum += width / 6.0 * (begin * begin + 4.0 * middle * middle + end * end);
  }
  return std::sqrt(sum / length);
}

}  // namespace pliant
