// What a sample of runs says of all runs of its kind, in intervals of 95 %.
//
//   mean    x̄ ± t(0.975; n − 1) s / √n                                  [Student 1908]
//   rate    (p̂ + z²/2n ± z √(p̂ (1 − p̂)/n + z²/4n²)) / (1 + z²/n)      [Wilson 1927, Eq. 8]
//   worst   of n members all lie on one side of it: with 95 % confidence so does a share of at least
//           0.05^(1/n) of all                                            [Wilks 1941]

#ifndef PLIANT_EXPERIMENTS_COMPARISON_STATISTICS_H_
#define PLIANT_EXPERIMENTS_COMPARISON_STATISTICS_H_

#include <optional>
#include <vector>

namespace pliant {

struct Interval {
  double lower = 0.0, upper = 0.0;
};

inline constexpr double kNormalQuantile = 1.959963984540054;  // z(0.975)

// t(0.975; n) of Student's distribution with n ≥ 1 degrees of freedom: the mean of n + 1 numbers.
double StudentQuantile(int degrees_of_freedom);

double MeanOf(const std::vector<double>& values);  // of at least one
// Of the mean; absent for less than two values.
std::optional<Interval> MeanInterval(const std::vector<double>& values);
// Of the rate of `met` in `of` ≥ 1.
Interval RateInterval(int met, int of);
// The share of all members that is no worse than the worst of n ≥ 1, with 95 % confidence.
double CoveredShare(int n);

// How many members would place the interval of the mean on one side of `bound`, were their mean and
// spread those of `values`; absent where the mean is at the bound or there is no interval.
std::optional<int> MembersForMean(const std::vector<double>& values, double bound);
// The same of a rate.
std::optional<int> MembersForRate(int met, int of, double bound);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_COMPARISON_STATISTICS_H_
