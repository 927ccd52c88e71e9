#include "experiments/comparison/statistics.h"

#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

// Tables of t(0.975; n), as every book of statistics prints them.
TEST(StudentQuantile, AgreesWithThePublishedTable) {
  EXPECT_NEAR(StudentQuantile(1), 12.706, 5e-4);
  EXPECT_NEAR(StudentQuantile(2), 4.303, 5e-4);
  EXPECT_NEAR(StudentQuantile(5), 2.571, 5e-4);
  EXPECT_NEAR(StudentQuantile(10), 2.228, 5e-4);
  EXPECT_NEAR(StudentQuantile(19), 2.093, 5e-4);
  EXPECT_NEAR(StudentQuantile(30), 2.042, 5e-4);
  EXPECT_NEAR(StudentQuantile(120), 1.980, 5e-4);
}

// With one degree of freedom the distribution is Cauchy's, whose quantile is tan(π (p − ½)).
TEST(StudentQuantile, OfOneDegreeIsThatOfCauchy) {
  EXPECT_NEAR(StudentQuantile(1), std::tan(M_PI * 0.475), 1e-9);
}

// [Newcombe 1998, Table I], method 3: Wilson's score interval without correction.
TEST(RateInterval, AgreesWithNewcombesTable) {
  const struct {
    int met, of;
    double lower, upper;
  } rows[] = {{81, 263, 0.2553, 0.3662},
              {15, 148, 0.0624, 0.1605},
              {0, 20, 0.0, 0.1611},
              {1, 29, 0.0061, 0.1718}};
  for (const auto& row : rows) {
    const Interval interval = RateInterval(row.met, row.of);
    EXPECT_NEAR(interval.lower, row.lower, 5e-5) << row.met << " of " << row.of;
    EXPECT_NEAR(interval.upper, row.upper, 5e-5) << row.met << " of " << row.of;
  }
  EXPECT_EQ(RateInterval(20, 20).upper, 1.0);
  EXPECT_NEAR(RateInterval(20, 20).lower, 1.0 - 0.1611, 5e-5);
}

TEST(MeanInterval, IsTheClosedFormOfFiveNumbers) {
  // Mean 3, s = √2.5, half width t(0.975; 4) √(2.5 / 5) = 2.7764 · 0.70711.
  const auto interval = MeanInterval({1.0, 2.0, 3.0, 4.0, 5.0});
  ASSERT_TRUE(interval);
  EXPECT_NEAR(interval->lower, 3.0 - 1.9633, 1e-4);
  EXPECT_NEAR(interval->upper, 3.0 + 1.9633, 1e-4);
  EXPECT_FALSE(MeanInterval({1.0}));
}

// Wilks' smallest samples: 59 members cover 95 % of all with a confidence of 95 %.
TEST(CoveredShare, IsThatOfWilks) {
  EXPECT_GE(CoveredShare(59), 0.95);
  EXPECT_LT(CoveredShare(58), 0.95);
}

// The number is that with which the interval just excludes the bound.
TEST(MembersForMean, IsTheLeastThatExcludesTheBound) {
  const std::vector<double> values = {1.0, 2.0, 3.0, 4.0, 5.0};
  const auto needed = MembersForMean(values, 2.0);
  ASSERT_TRUE(needed);
  const double spread = std::sqrt(2.5);
  const auto half = [&](int n) { return StudentQuantile(n - 1) * spread / std::sqrt(n); };
  EXPECT_LT(half(*needed), 1.0);
  EXPECT_GE(half(*needed - 1), 1.0);
  EXPECT_FALSE(MembersForMean(values, 3.0)) << "the mean is at the bound";
}

TEST(MembersForRate, ExcludesTheBoundAtTheSameRate) {
  const auto needed = MembersForRate(12, 20, 0.5);
  ASSERT_TRUE(needed);
  EXPECT_GT(*needed, 20);
  EXPECT_GT(RateInterval(static_cast<int>(std::lround(0.6 * *needed)), *needed).lower, 0.5);
  EXPECT_FALSE(MembersForRate(10, 20, 0.5));
}

}  // namespace
}  // namespace pliant
