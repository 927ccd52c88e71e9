// Are the results of one method better than those of another? Ranks alone decide, so that outliers and searches
// without a motion (+∞) count as what they are: worse than all others.
//
//   U      = #{(a, b): a < b} + ½ #{(a, b): a = b}          of the n·m pairs of results, smaller is better
//   A      = U/(n m)                                       probability that a result of the first method is better
//                                                          than one of the second [Vargha & Delaney 2000]
//   p      two-sided, of the hypothesis that both methods have the same distribution [Mann & Whitney 1947]:
//          exact, by counting the orders of n + m results, where no two are equal and n, m ≤ kMostExact; else by the
//          normal distribution with the variance n m/12 (N + 1 − Σ (t³ − t)/(N (N − 1))) for ties of t results and a
//          continuity correction of ½
//   interval of A at 95 %: the values θ with |A − θ| ≤ z √V(θ) [Newcombe 2006, Part 2, method 5],
//          V(θ) = θ (1 − θ) [1 + N* ((1 − θ)/(2 − θ) + θ/(1 + θ))]/(n m),  N* = (n + m)/2 − 1
//          which stays in [0, 1] and has a width where A is 0 or 1

#ifndef PLIANT_EXPERIMENTS_SEARCHES_RANK_TEST_H_
#define PLIANT_EXPERIMENTS_SEARCHES_RANK_TEST_H_

#include <vector>

namespace pliant {

struct RankTest {
  double u = 0.0;                   // U
  double p = 1.0;                   // of no difference
  bool exact = false;               // p by counting
  double better = 0.5;              // A
  double lower = 0.0, upper = 1.0;  // the interval of A
};

inline constexpr int kMostExact = 30;

// Of results to be minimised, at least one each; none is NaN.
RankTest CompareByRanks(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_SEARCHES_RANK_TEST_H_
