// Falls, intervals, shares and returns of curves whose numbers are known.

#include "experiments/runs/cycles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace pliant {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;

constexpr double kAlmost = 1e-12;

Curve CurveOf(double interval, double end, double (*of)(double)) {
  Curve curve;
  for (int i = 0; i * interval <= end + kAlmost; ++i) {
    curve.times.push_back(i * interval);
    curve.values.push_back(of(i * interval));
  }
  return curve;
}

double Cosine(double t) { return std::cos(2.0 * std::numbers::pi * t); }

// Hops of heights 2, 1 and ½ that take 2, 2 and 1 s, each followed by a rest of 1 s.
const Curve kHops = {{0, 1, 2, 3, 4, 5, 6, 6.5, 7, 8}, {0, 2, 0, 0, 1, 0, 0, 0.5, 0, 0}};

TEST(Cycles, OfHopsAreExact) {
  const std::vector<double> falls = FallsTo(0.0, kHops);
  EXPECT_THAT(falls, ElementsAre(2.0, 5.0, 7.0));
  EXPECT_THAT(MeanTimeBetween(falls), Optional(2.5));
  EXPECT_THAT(SpreadOfIntervals(falls), Optional(1.0));
  EXPECT_THAT(ShareBelow(0.0, kHops), Optional(3.0 / 8.0));
  // At a quarter: each hop of height h and length T spends (1 − 1/4h) T above it.
  EXPECT_THAT(ShareBelow(0.25, kHops),
              Optional(DoubleNear(1.0 - (2.0 * 0.875 + 2.0 * 0.75 + 1.0 * 0.5) / 8.0, kAlmost)));
}

// From 2 s: rest, then a rise to 1 at 4 s. From 5 s: rest, then to ½ at 6.5 s, and back to 0 at 7 s.
// For 2 s the difference is 0, then 0 from 1 to 1.5 s (both rise by 1 a second), then it grows to 1.
TEST(Cycles, TheReturnIsTheDistanceOfTheLastTwo) {
  EXPECT_THAT(ReturnDistance(kHops, FallsTo(0.0, kHops)),
              Optional(DoubleNear(std::sqrt(0.5 / 3.0 / 2.0), kAlmost)));
}

// Records that begin later, as those of a run that went on: the fraction is of what was recorded.
TEST(Cycles, TheFractionBelowIsOfTheRecordedTime) {
  EXPECT_THAT(ShareBelow(0.0, {{2.0, 3.0, 4.0}, {-1.0, -1.0, 1.0}}), Optional(0.75));
}

TEST(Cycles, OfAPeriodicCurveAreItsPeriodAndComeBack) {
  for (const double interval : {1.0 / 16.0, 1.0 / 160.0}) {
    const Curve curve = CurveOf(interval, 5.0, Cosine);
    const std::vector<double> falls = FallsTo(0.0, curve);
    ASSERT_EQ(falls.size(), 5u);
    EXPECT_NEAR(falls[0], 0.25, kAlmost);
    EXPECT_NEAR(*MeanTimeBetween(falls), 1.0, kAlmost);
    EXPECT_NEAR(*SpreadOfIntervals(falls), 0.0, kAlmost);
    EXPECT_NEAR(*ShareBelow(0.0, curve), 0.5, kAlmost);
    EXPECT_NEAR(*ReturnDistance(curve, falls), 0.0, kAlmost);
  }
}

// Off the records, falls and shares converge with the square of their interval: cos 2πt = ½ at t = 1/6.
TEST(Cycles, ConvergeWithTheSquareOfTheInterval) {
  std::vector<double> errors, shares;
  for (const double interval : {1.0 / 20.0, 1.0 / 40.0, 1.0 / 80.0, 1.0 / 160.0}) {
    const Curve curve = CurveOf(interval, 3.0, Cosine);
    double worst = 0.0;
    for (const double fall : FallsTo(0.5, curve)) {
      worst = std::max(worst, std::abs(fall - std::floor(fall) - 1.0 / 6.0));
    }
    errors.push_back(worst);
    shares.push_back(std::abs(*ShareBelow(0.5, curve) - 2.0 / 3.0));
  }
  EXPECT_LT(errors.back(), errors.front() / 30.0);
  EXPECT_LT(errors.back(), 2e-4);
  EXPECT_LT(shares.back(), shares.front() / 30.0);
  EXPECT_LT(shares.back(), 3e-4);
}

// Each cycle of a decaying one is q times the one before: the distance is (1 − q) of the rms over the
// cycle, ∫ e^(−2γs) cos² by Simpson's rule here.
TEST(Cycles, TheReturnOfADecayIsWhatItLoses) {
  const Curve curve =
      CurveOf(1.0 / 2000.0, 4.0, [](double t) { return std::exp(-0.3 * t) * Cosine(t); });
  const std::vector<double> falls = FallsTo(0.0, curve);
  ASSERT_EQ(falls.size(), 4u);
  const double begin = 1.25;
  double sum = 0.0;
  const int parts = 20000;
  for (int i = 0; i <= parts; ++i) {
    const double t = begin + static_cast<double>(i) / parts;
    const double x = std::exp(-0.3 * t) * Cosine(t);
    sum += (i == 0 || i == parts ? 1.0 : i % 2 == 1 ? 4.0 : 2.0) * x * x / (3.0 * parts);
  }
  EXPECT_NEAR(*ReturnDistance(curve, falls), (1.0 - std::exp(-0.3)) * std::sqrt(sum), 3e-6);
}

TEST(Cycles, AreNotDefinedWithoutEnoughFalls) {
  EXPECT_THAT(FallsTo(0.0, {{0.0, 1.0, 2.0}, {0.0, 0.0, -1.0}}), IsEmpty());  // never above it
  EXPECT_THAT(FallsTo(0.0, {}), IsEmpty());
  EXPECT_FALSE(MeanTimeBetween({1.0}));
  EXPECT_FALSE(SpreadOfIntervals({1.0, 2.0}));
  EXPECT_FALSE(ReturnDistance(kHops, {2.0, 5.0}));
  EXPECT_FALSE(ShareBelow(0.0, {{1.0}, {0.0}}));
}

}  // namespace
}  // namespace pliant
