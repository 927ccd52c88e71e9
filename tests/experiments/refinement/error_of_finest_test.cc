// The one estimate of the error of the finest rung, of sequences C h^p whose limit is known.

#include "experiments/refinement/error_of_finest.h"

#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

// Three rungs of sizes 1, 1/2, 1/4.
LadderDifferences Of(double p) {
  const double first = 1.0 - std::pow(0.5, p), last = std::pow(0.5, p) - std::pow(0.25, p);
  return {last, first + last, p};
}

TEST(ErrorOfFinest, IsTheErrorTimesTheFactorUpToTheOrderThatIsBelieved) {
  for (const double p : {0.5, 1.0, 2.0}) {
    EXPECT_NEAR(ErrorOfFinest(Of(p), {2.0, 1.0, 0.0}), kMeasuredOrderFactor * std::pow(0.25, p),
                1e-15);
  }
  EXPECT_GT(ErrorOfFinest(Of(3.0), {2.0, 1.0, 0.0}),
            2.0 * kMeasuredOrderFactor * std::pow(0.25, 3));
}

TEST(ErrorOfFinest, IsTheSpreadWhereNothingConverges) {
  const ConvergenceRules rules{2.0, 1.0, 0.0};
  const double p = 0.3;
  EXPECT_DOUBLE_EQ(ErrorOfFinest(Of(p), rules), 3.0 * (1.0 - std::pow(0.25, p)));
  LadderDifferences grows = Of(1.0);
  grows.grows = true;
  EXPECT_DOUBLE_EQ(ErrorOfFinest(grows, rules), 3.0 * 0.75);
  EXPECT_FALSE(Converges(grows, rules));
  LadderDifferences unknown = Of(1.0);
  unknown.order.reset();
  EXPECT_DOUBLE_EQ(ErrorOfFinest(unknown, rules), 3.0 * 0.75);
}

TEST(ErrorOfFinest, OfTwoRungsHasTheWiderFactor) {
  EXPECT_DOUBLE_EQ(ErrorOfFinest({0.5, 0.5, 1.0, false, true}, {2.0, 1.0, 0.0}),
                   kAssumedOrderFactor * 0.5);
}

TEST(ErrorOfFinest, OfRoundingIsTheLastDifference) {
  const ConvergenceRules rules{2.0, 1.0, 1e-9};
  EXPECT_EQ(ErrorOfFinest({1e-10, 1.0, std::nullopt, true}, rules), 1e-10);
  EXPECT_TRUE(Converges({1e-10, 1.0, std::nullopt, true}, rules));
}

}  // namespace
}  // namespace pliant
