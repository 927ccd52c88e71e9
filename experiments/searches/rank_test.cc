#include "experiments/searches/rank_test.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace pliant {
namespace {

constexpr double kNormal975 = 1.959963984540054;  // 97.5 % of the normal distribution

// Of how many of the orders of n and m different results is U = u: the coefficients of the Gaussian binomial, by
// the recursion count(n, m, u) = count(n − 1, m, u − m) + count(n, m − 1, u): the largest result is one of the n, which
// are then behind all m, or one of the m.
std::vector<double> OrdersByU(int n, int m) {
  std::vector<std::vector<double>> row(static_cast<size_t>(m) + 1, {1.0});  // of n = 0
  for (int i = 1; i <= n; ++i) {
    std::vector<std::vector<double>> next(static_cast<size_t>(m) + 1);
    next[0] = {1.0};
    for (int j = 1; j <= m; ++j) {
      std::vector<double> counts(static_cast<size_t>(i * j) + 1, 0.0);
      const std::vector<double>&of_n = row[static_cast<size_t>(j)],
            &of_m = next[static_cast<size_t>(j) - 1];
      for (size_t u = 0; u < of_n.size(); ++u) counts[u + static_cast<size_t>(j)] += of_n[u];
      for (size_t u = 0; u < of_m.size(); ++u) counts[u] += of_m[u];
      next[static_cast<size_t>(j)] = std::move(counts);
    }
    row = std::move(next);
  }
  return row[static_cast<size_t>(m)];
}

double ExactP(int n, int m, double u) {
  const std::vector<double> orders = OrdersByU(n, m);
  double all = 0.0, tail = 0.0;
  const double least = std::max(u, n * m - u);
  for (size_t i = 0; i < orders.size(); ++i) {
    all += orders[i];
    if (static_cast<double>(i) >= least) tail += orders[i];
  }
  return std::min(1.0, 2.0 * tail / all);
}

double NormalP(double n, double m, double u, double ties) {
  const double all = n + m;
  const double variance = n * m / 12.0 * (all + 1.0 - ties / (all * (all - 1.0)));
  if (!(variance > 0.0)) return 1.0;  // all are equal
  const double z = (std::max(u, n * m - u) - 0.5 * n * m - 0.5) / std::sqrt(variance);
  return std::clamp(std::erfc(z / std::sqrt(2.0)), 0.0, 1.0);
}

double NewcombeVariance(double theta, double n, double m) {
  const double more = 0.5 * (n + m) - 1.0;
  return theta * (1.0 - theta) *
         (1.0 + more * ((1.0 - theta) / (2.0 - theta) + theta / (1.0 + theta))) / (n * m);
}

// The end of the interval between `a` and `end`, 0 or 1, by halving: |A − θ| − z √V(θ) is below 0 at A and not at the
// end.
double EndOfInterval(double a, double end, double n, double m) {
  double inside = a, outside = end;
  for (int i = 0; i < 200; ++i) {
    const double theta = 0.5 * (inside + outside);
    if (std::abs(a - theta) <= kNormal975 * std::sqrt(NewcombeVariance(theta, n, m))) {
      inside = theta;
    } else {
      outside = theta;
    }
  }
  return 0.5 * (inside + outside);
}

}  // namespace

RankTest CompareByRanks(const std::vector<double>& a, const std::vector<double>& b) {
  const int n = static_cast<int>(a.size()), m = static_cast<int>(b.size());
  RankTest test;
  std::map<double, double> counts;
  for (const double x : a) {
    ++counts[x];
    for (const double y : b) test.u += x < y ? 1.0 : x == y ? 0.5 : 0.0;
  }
  for (const double y : b) ++counts[y];
  double ties = 0.0;  // Σ (t³ − t)
  for (const auto& [value, t] : counts) ties += t * t * t - t;
  test.exact = ties == 0.0 && n <= kMostExact && m <= kMostExact;
  test.p = test.exact ? ExactP(n, m, test.u) : NormalP(n, m, test.u, ties);
  test.better = test.u / (static_cast<double>(n) * m);
  // At 0 and 1 the variance vanishes: those ends are of the interval.
  test.lower = test.better == 0.0 ? 0.0 : EndOfInterval(test.better, 0.0, n, m);
  test.upper = test.better == 1.0 ? 1.0 : EndOfInterval(test.better, 1.0, n, m);
  return test;
}

}  // namespace pliant
