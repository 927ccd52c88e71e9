// The numbers are those of scipy.stats.mannwhitneyu (method = exact or asymptotic) and of Newcombe's
// equation solved by scipy.optimize.brentq.

#include "experiments/searches/rank_test.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/random_numbers.h"

namespace pliant {
namespace {

constexpr double kNoMotion = std::numeric_limits<double>::infinity();

void Expect(const RankTest& test, double u, double p, double lower, double upper) {
  EXPECT_DOUBLE_EQ(test.u, u);
  EXPECT_NEAR(test.p, p, 1e-12);
  EXPECT_NEAR(test.lower, lower, 1e-9);
  EXPECT_NEAR(test.upper, upper, 1e-9);
}

TEST(RankTest, OfDifferentResultsIsScipysExactOne) {
  const RankTest apart = CompareByRanks({1.0, 2.0, 3.0}, {4.0, 5.0, 6.0, 7.0});
  EXPECT_TRUE(apart.exact);
  EXPECT_EQ(apart.better, 1.0);
  Expect(apart, 12.0, 0.05714285714285714, 0.5396916671967271, 1.0);
  const RankTest mixed = CompareByRanks({0.13, 0.55, 0.21, 0.92, 0.37, 0.74, 0.08},
                                        {0.44, 0.61, 0.99, 0.28, 0.83, 0.67});
  EXPECT_TRUE(mixed.exact);
  Expect(mixed, 30.0, 0.23426573426573427, 0.3959866253382598, 0.8989985332083407);
  Expect(CompareByRanks({1.0}, {2.0}), 1.0, 1.0, 0.2065493143772374, 1.0);
}

TEST(RankTest, WithTiesIsScipysAsymptoticOne) {
  const RankTest ties =
      CompareByRanks({1.0, 2.0, 2.0, 3.0, kNoMotion}, {2.0, 3.0, 4.0, kNoMotion, kNoMotion, 5.0});
  EXPECT_FALSE(ties.exact);
  Expect(ties, 22.5, 0.19189590332395567, 0.40048498578672487, 0.9253404221481379);
  Expect(CompareByRanks({2.0, 2.0}, {2.0, 2.0, 2.0}), 3.0, 1.0, 0.13086956396046764,
         0.8691304360395323);
}

TEST(RankTest, OfManyResultsIsScipysAsymptoticOne) {
  std::vector<double> a, b;
  for (int i = 0; i < 35; ++i) a.push_back(i);
  for (int i = 0; i < 40; ++i) b.push_back(0.93 * i + 3.0001);
  const RankTest test = CompareByRanks(a, b);
  EXPECT_FALSE(test.exact);
  Expect(test, 850.0, 0.11236034906749749, 0.4755090708864285, 0.7226020295413208);
}

TEST(RankTest, TurnedRoundSaysTheSame) {
  const std::vector<double> a = {0.1, 0.5, 0.3, kNoMotion}, b = {0.4, 0.2, 0.9, 0.8, 0.7};
  const RankTest one = CompareByRanks(a, b), other = CompareByRanks(b, a);
  EXPECT_DOUBLE_EQ(one.p, other.p);
  EXPECT_DOUBLE_EQ(one.better, 1.0 - other.better);
  EXPECT_NEAR(one.lower, 1.0 - other.upper, 1e-12);
}

// Of samples of one distribution, p falls below 5 % in at most 5 % of cases, and 95 % of the intervals contain ½.
TEST(RankTest, HoldsItsLevelOnSamplesOfOneDistribution) {
  RandomNumbers random(7);
  constexpr int kCases = 4000;
  int rejected = 0, covered = 0;
  for (int i = 0; i < kCases; ++i) {
    std::vector<double> a(8), b(9);
    for (double& x : a) x = random.Number();
    for (double& x : b) x = random.Number();
    const RankTest test = CompareByRanks(a, b);
    rejected += test.p < 0.05 ? 1 : 0;
    covered += test.lower <= 0.5 && 0.5 <= test.upper ? 1 : 0;
  }
  EXPECT_LT(rejected, 0.06 * kCases);
  EXPECT_GT(rejected, 0.02 * kCases) << "or it would never find a difference";
  EXPECT_NEAR(covered, 0.95 * kCases, 0.02 * kCases);
}

}  // namespace
}  // namespace pliant
