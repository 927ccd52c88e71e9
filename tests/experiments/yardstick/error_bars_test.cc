// Error bars of sequences whose limits are known: f_k(t) = f(t) + C(t) h_k^p.

#include "experiments/yardstick/error_bars.h"

#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

constexpr int kTimes = 101;

// The differences of consecutive rungs of sizes 1, 1/2, …, and the true error of the finest.
struct Sequence {
  std::vector<std::vector<double>> differences;
  std::vector<double> truth;
};

template <typename Error>
Sequence Make(int rungs, const Error& error) {
  Sequence made;
  for (int k = 0; k + 1 < rungs; ++k) {
    std::vector<double>& d = made.differences.emplace_back();
    for (int t = 0; t < kTimes; ++t)
      d.push_back(
          std::abs(error(std::ldexp(1.0, -k - 1), 0.1 * t) - error(std::ldexp(1.0, -k), 0.1 * t)));
  }
  for (int t = 0; t < kTimes; ++t)
    made.truth.push_back(std::abs(error(std::ldexp(1.0, 1 - rungs), 0.1 * t)));
  return made;
}

TEST(ErrorOverTime, IsThatOfRichardsonTimesTheSafetyFactor) {
  for (const double p : {1.0, 2.0, 3.0}) {
    // A difference of phase: it grows, and passes through zero while the runs are apart.
    const Sequence s =
        Make(4, [p](double h, double t) { return std::pow(h, p) * t * std::cos(3.0 * t); });
    const ErrorOverTime e = MeasureErrorOverTime(s.differences, {2.0, 1.0, 0.0});
    ASSERT_TRUE(e.converges);
    EXPECT_NEAR(*e.order, p, 1e-9);
    double so_far = 0.0;
    for (int t = 1; t < kTimes; ++t) {
      so_far = std::max(so_far, s.truth[static_cast<size_t>(t)]);
      // An order of 3 is taken for 2: its bar is wider by (2³ − 1)/(2² − 1).
      const double wider = p > 2.0 ? 7.0 / 3.0 : 1.0;
      EXPECT_NEAR(e.error[static_cast<size_t>(t)], wider * kMeasuredOrderFactor * so_far,
                  1e-9 * so_far);
    }
  }
}

// With its factor of 1.25 the GCI is a band of about 95 % [Roache 1998, Sec. 5.6]: where the two orders cancel in one
// difference, the first times here, the bar may be too short, but not by much.
TEST(ErrorOverTime, ContainsTheErrorOfAMixtureOfOrders) {
  const Sequence s = Make(3, [](double h, double t) {
    return 0.3 * h * h * std::sin(t) + 0.5 * h * h * h * std::cos(5.0 * t) * t;
  });
  const ErrorOverTime e = MeasureErrorOverTime(s.differences, {2.0, 1.0, 0.0});
  int outside = 0;
  for (size_t t = 0; t < kTimes; ++t) {
    outside += e.error[t] < s.truth[t] ? 1 : 0;
    EXPECT_GE(1.5 * e.error[t], s.truth[t]) << t;
  }
  EXPECT_LE(outside, kTimes / 20);
}

// Chaos: from t = 5 on, runs are apart by 1 whatever the size.
TEST(ErrorOverTime, OfRunsThatPartIsTheirSpreadFromThereOn) {
  const Sequence s = Make(
      4, [](double h, double t) { return t < 5.0 ? h * h * t : std::sin((7.0 + 1e3 * h) * t); });
  const ErrorOverTime e = MeasureErrorOverTime(s.differences, {2.0, 1.0, 0.0});
  EXPECT_FALSE(e.converges);
  EXPECT_LT(e.error[49], 0.1);
  EXPECT_GT(e.error[60], 1.0);
  // It is not seen at the very time at which they part, but within a tenth of the time before it.
  for (size_t t = 0; t < kTimes; ++t) {
    if (t < 50 || t > 55) {
      EXPECT_GE(e.error[t], s.truth[t]) << t;
    }
  }
}

TEST(ErrorOverTime, OfOrderBelowHalfIsNotBelieved) {
  const Sequence s = Make(4, [](double h, double t) { return std::pow(h, 0.2) * t; });
  const ErrorOverTime e = MeasureErrorOverTime(s.differences, {2.0, 1.0, 0.0});
  EXPECT_FALSE(e.converges);
  EXPECT_GT(e.error.back(), s.truth.back());
}

TEST(ErrorOverTime, SumAndLargerKeepTheWorse) {
  const ErrorOverTime a{{1.0, 2.0}, 2.0, true}, b{{3.0, 0.5}, 1.0, false};
  EXPECT_EQ(Sum(a, b).error, (std::vector<double>{4.0, 2.5}));
  EXPECT_EQ(Larger(a, b).error, (std::vector<double>{3.0, 2.0}));
  EXPECT_EQ(*Sum(a, b).order, 1.0);
  EXPECT_FALSE(Larger(a, b).converges);
}

}  // namespace
}  // namespace pliant
