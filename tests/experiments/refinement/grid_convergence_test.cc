// Sequences whose limits and orders are known.

#include "experiments/refinement/grid_convergence.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace pliant {
namespace {

// f on h, h/r, h/r², …
std::vector<double> OnLadder(int rungs, double ratio, const std::function<double(double)>& f) {
  std::vector<double> values;
  for (int k = 0; k < rungs; ++k) values.push_back(f(std::pow(ratio, -k)));
  return values;
}

TEST(GridConvergence, ExactPowersGiveTheirOrderAndLimit) {
  for (const double ratio : {2.0, 1.5, 10.0}) {
    for (const double order : {0.5, 1.0, 2.0, 4.0}) {
      for (const double factor : {0.3, -0.3}) {
        const auto values =
            OnLadder(4, ratio, [&](double h) { return 7.0 + factor * std::pow(h, order); });
        const Convergence c = MeasureConvergence(values, {.ratio = ratio});
        ASSERT_TRUE(c.order.has_value());
        EXPECT_NEAR(*c.order, order, 1e-4);
        EXPECT_NEAR(*c.pairwise_orders[0], order, 1e-4);
        if (!c.monotone()) continue;  // order 0.5 is the least that counts: rounding decides
        EXPECT_NEAR(c.value, 7.0, 1e-6);
        EXPECT_TRUE(*c.asymptotic);
        // The band is 1.25 times the true error of the finest value.
        EXPECT_NEAR(*c.band, 1.25 * std::abs(values.back() - 7.0), 1e-6);
      }
    }
  }
}

// Two terms: the forward difference of the exponential at 0, whose limit is 1.
TEST(GridConvergence, ALimitIsShownAsFarAsItIsKnown) {
  Convergence c;
  c.value = 1.12114593;
  EXPECT_EQ(LimitText(c, 4), "1.121");
  c.band = 3.2e-7;
  EXPECT_EQ(LimitText(c, 4), "1.12114593");
  c.band = 0.2;
  EXPECT_EQ(LimitText(c, 4), "1.121");
  c.value = -4.473717718585602;
  c.band = 1e-30;
  EXPECT_EQ(LimitText(c, 5), "-4.4737177185856");
}

TEST(GridConvergence, AValueOfARungIsShownAsFarAsTheBandBesideIt) {
  EXPECT_EQ(TextBeside(4.5e-6, 4.4771234567, 4), "4.4771235");
  EXPECT_EQ(TextBeside(0.02, 4.4771234567, 4), "4.477");
  EXPECT_EQ(TextBeside(std::nullopt, 4.4771234567, 4), "4.477");
}

TEST(GridConvergence, TheTrendSaysWhetherTheSequenceIsAsymptotic) {
  Convergence c;
  c.trend = Trend::kMonotone;
  EXPECT_EQ(TrendText(c), "monotone");
  c.asymptotic = true;
  EXPECT_EQ(TrendText(c), "monotone, asymptotic");
  c.asymptotic = false;
  EXPECT_EQ(TrendText(c), "monotone, not asymptotic");
}

TEST(GridConvergence, AMixedSequenceIsInsideItsBand) {
  const auto values = OnLadder(5, 2.0, [](double h) { return (std::exp(h) - 1.0) / h; });
  const Convergence c = MeasureConvergence(values, {});
  EXPECT_TRUE(c.monotone());
  EXPECT_TRUE(*c.asymptotic);
  // The pairwise orders 1.6, 1.3, 1.1 fall to the order of the method; the regressed one is a mean of them.
  EXPECT_NEAR(*c.pairwise_orders.back(), 1.0, 0.1);
  EXPECT_GT(*c.order, *c.pairwise_orders.back());
  EXPECT_LT(*c.order, *c.pairwise_orders.front());
  EXPECT_LT(std::abs(c.value - 1.0), *c.band);
  EXPECT_LT(*c.band, 0.1);
}

// The three-grid study of a pressure recovery that the NPARC Alliance prints as its example of the method,
// with ratio 2: finest first 0.97050, 0.96854, 0.96178; order 1.786170, limit 0.97130, GCI 0.103083 %
// [NPARC 2008].
TEST(GridConvergence, ThePublishedExampleIsReproduced) {
  const Convergence c = MeasureConvergence({0.96178, 0.96854, 0.97050}, {.ratio = 2.0});
  EXPECT_NEAR(*c.order, 1.786170, 1e-5);
  EXPECT_NEAR(c.value, 0.97130, 1e-5);
  EXPECT_NEAR(*c.band / 0.97050, 0.00103083, 1e-6);
}

TEST(GridConvergence, TwoRungsTakeTheAssumedOrderAndAFactorOfThree) {
  const Convergence c = MeasureConvergence({1.5, 1.2}, {.ratio = 2.0, .assumed_order = 2.0});
  EXPECT_EQ(c.trend, Trend::kAssumed);
  EXPECT_FALSE(c.order.has_value());
  EXPECT_NEAR(c.value, 1.1, 1e-12);
  EXPECT_NEAR(*c.band, 0.3, 1e-12);
}

TEST(GridConvergence, RoundOffIsRecognised) {
  // Converged: what is left is noise of a few units in the last place.
  const Convergence noise = MeasureConvergence({3.0, 3.0 + 4e-15, 3.0 - 2e-15, 3.0 + 8e-15}, {});
  EXPECT_EQ(noise.trend, Trend::kAtRoundOff);
  EXPECT_FALSE(noise.order.has_value());
  EXPECT_LT(*noise.band, 1e-11);
  // Small numbers beside a large scale: an energy of 10⁻¹³ J of a body that exchanges 1 J.
  const Convergence residual = MeasureConvergence({1e-13, 2e-13, 4e-13}, {.round_off = 1e-12});
  EXPECT_EQ(residual.trend, Trend::kAtRoundOff);
  // Without that scale the same sequence grows.
  EXPECT_EQ(MeasureConvergence({1e-13, 2e-13, 4e-13}, {}).trend, Trend::kSlow);
  // A sequence that reaches the floor still has the order of the rungs above it.
  const auto values = OnLadder(14, 2.0, [](double h) { return 1.0 + 0.1 * std::pow(h, 4.0); });
  const Convergence reached = MeasureConvergence(values, {});
  EXPECT_EQ(reached.trend, Trend::kAtRoundOff);
  EXPECT_NEAR(*reached.order, 4.0, 0.05);
}

TEST(GridConvergence, OscillationHasABandButNoRichardsonValue) {
  const Convergence c = MeasureConvergence({1.0, 1.4, 1.2, 1.3}, {});
  EXPECT_EQ(c.trend, Trend::kOscillating);
  EXPECT_EQ(c.value, 1.3);
  EXPECT_NEAR(*c.band, 3.0 * 0.4, 1e-12);
  EXPECT_FALSE(c.pairwise_orders[0].has_value());
  EXPECT_FALSE(*c.asymptotic);
}

TEST(GridConvergence, DivergenceIsNotConvergence) {
  const Convergence c = MeasureConvergence({1.0, 2.0, 4.0, 8.0}, {});
  EXPECT_EQ(c.trend, Trend::kSlow);
  EXPECT_NEAR(*c.order, -1.0, 1e-9);
  EXPECT_EQ(c.value, 8.0);
  EXPECT_NEAR(*c.band, 21.0, 1e-9);
  EXPECT_FALSE(*c.asymptotic);
  // Logarithmic growth: every difference is the same.
  EXPECT_EQ(MeasureConvergence({1.0, 2.0, 3.0, 4.0}, {}).trend, Trend::kSlow);
}

TEST(GridConvergence, ASequenceThatIsNotYetAsymptoticSaysSo) {
  // Orders 1 and 3: the last three rungs give a Richardson value, which is not called asymptotic.
  const Convergence c = MeasureConvergence({0.0, 1.0, 1.5, 1.5625}, {});
  EXPECT_TRUE(c.monotone());
  EXPECT_FALSE(*c.asymptotic);
}

// Errors of first and second order that nearly cancel between the last two rungs: their pairwise order is 6 and more.
TEST(GridConvergence, AnOrderAboveThatOfAnySchemeIsNotBelieved) {
  for (const int rungs : {3, 4, 5}) {
    const double finest = std::pow(2.0, 1 - rungs);
    for (const double near :
         {1.001, 1.01, 1.03, 1.05}) {  // c₂h² against c₁h between these two rungs
      const double c = -near / (3.0 * finest);
      const auto values = OnLadder(rungs, 2.0, [&](double h) { return 1.0 + h + c * h * h; });
      const Convergence lucky = MeasureConvergence(values, {});
      EXPECT_EQ(lucky.trend, Trend::kTooFast) << rungs << " " << near;
      EXPECT_EQ(lucky.value, values.back());
      EXPECT_LT(std::abs(lucky.value - 1.0), *lucky.band) << rungs << " " << near;
      EXPECT_LT(*lucky.band, 8.0 * std::abs(lucky.value - 1.0)) << rungs << " " << near;
    }
  }
  // Two pairs that agree are no accident.
  const auto sixth = OnLadder(4, 2.0, [](double h) { return 1.0 + std::pow(h, 6.0); });
  EXPECT_TRUE(MeasureConvergence(sixth, {}).monotone());
}

// A count, or the time of a record, has steps: that two rungs agree to the last digit says little of the limit.
TEST(GridConvergence, ValuesThatAgreeByAccidentHaveTheBandOfTheRungsBefore) {
  const Convergence time = MeasureConvergence({0.28, 0.26, 0.26}, {});
  EXPECT_EQ(time.trend, Trend::kTooFast);
  EXPECT_EQ(time.value, 0.26);
  EXPECT_NEAR(*time.band, 0.02, 1e-15);
  // One of four rungs before is too long ago.
  EXPECT_EQ(MeasureConvergence({0.28, 0.26, 0.26, 0.26}, {}).trend, Trend::kAtRoundOff);
  // What a scheme of fourth order leaves of 10⁻¹¹ is rounding.
  EXPECT_EQ(MeasureConvergence({1.0, 1.0 + 1e-11, 1.0 + 1.06e-11}, {}).trend, Trend::kAtRoundOff);
}

TEST(GridConvergence, OneValueSaysNothing) {
  const Convergence c = MeasureConvergence({2.5}, {});
  EXPECT_EQ(c.trend, Trend::kSingle);
  EXPECT_FALSE(c.band.has_value());
}

}  // namespace
}  // namespace pliant
