// Statistics of curves against closed forms.

#include "experiments/runs/oscillation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "experiments/runs/probe_figures.h"

namespace pliant {
namespace {

constexpr double kPi = std::numbers::pi;

Curve Sampled(double interval, double until, const std::function<double(double)>& x) {
  Curve curve;
  for (int i = 0; i * interval <= until * (1.0 + 1e-12); ++i) {
    curve.times.push_back(i * interval);
    curve.values.push_back(x(i * interval));
  }
  return curve;
}

// x'' + 2 γ x' + (ω² + γ²) x = 0 about c, from rest at c + a.
double Damped(double t, double c, double a, double gamma, double omega) {
  return c + a * std::exp(-gamma * t) * (std::cos(omega * t) + gamma / omega * std::sin(omega * t));
}

struct Oscillator {
  double centre, amplitude, decay, period;
};
class FittedOscillation : public testing::TestWithParam<Oscillator> {};

TEST_P(FittedOscillation, HasPeriodAndDecayOfTheClosedFormAtThreeRecordIntervals) {
  const Oscillator& is = GetParam();
  for (const double interval : {is.period / 64.0, is.period / 17.3, is.period / 4.7}) {
    const Curve curve = Sampled(interval, 5.3 * is.period, [&](double t) {
      return Damped(t, is.centre, is.amplitude, is.decay, 2.0 * kPi / is.period);
    });
    const auto fit = FitOscillation(curve);
    ASSERT_TRUE(fit) << interval;
    EXPECT_NEAR(fit->period, is.period, 1e-9 * is.period) << interval;
    EXPECT_NEAR(fit->decay, is.decay, 1e-9 / is.period) << interval;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Oscillators, FittedOscillation,
    testing::Values(Oscillator{0.0, 1.0, 0.0, 2.0}, Oscillator{-0.31, 0.31, 0.4, 0.7},
                    Oscillator{1e3, 1e-4, 0.05, 20.0}, Oscillator{0.0, -2.0, -0.1, 1.0},  // grows
                    Oscillator{5.0, 1.0, 1.1, 1.0}));  // fades to a third per period

TEST(FittedOscillation, IsThatOfAPendulumOfLargeAmplitude) {
  // θ'' = −g/L sin θ from rest at θ₀ has the period 4 √(L/g) K(sin θ₀/2): an independent integration by
  // Runge and Kutta's method, and the complete elliptic integral.
  for (const double start : {0.2, 1.0, 2.0, 2.9}) {
    const double step = 1e-3;
    double angle = start, rate = 0.0;
    Curve curve;
    for (int i = 0; i <= 20000; ++i) {
      if (i % 20 == 0) {
        curve.times.push_back(i * step);
        curve.values.push_back(angle);
      }
      const auto bend = [](double a) { return -9.81 * std::sin(a); };
      const double k1 = bend(angle), k2 = bend(angle + 0.5 * step * rate),
                   k3 = bend(angle + 0.5 * step * (rate + 0.5 * step * k1)),
                   k4 = bend(angle + step * (rate + 0.5 * step * k2));
      angle += step * rate + step * step / 6.0 * (k1 + k2 + k3);
      rate += step / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    }
    const double period = 4.0 / std::sqrt(9.81) * std::comp_ellint_1(std::sin(0.5 * start));
    const auto fit = FitOscillation(curve);
    ASSERT_TRUE(fit);
    EXPECT_NEAR(fit->period, period, 1e-7 * period) << start;
    EXPECT_NEAR(fit->decay, 0.0, 1e-6) << start;
  }
}

TEST(FittedOscillation, IsTheSameWhateverTheUnitsAndTheBeginning) {
  const auto x = [](double t) { return Damped(t, 2.0, 1.0, 0.3, 7.0) + 0.01 * std::sin(31.0 * t); };
  const Curve curve = Sampled(0.02, 6.0, x);
  Curve other = curve;
  for (double& time : other.times) time = 100.0 + 8.0 * time;
  for (double& value : other.values) value = 1e6 * value - 3.0;
  const auto fit = FitOscillation(curve), scaled = FitOscillation(other);
  ASSERT_TRUE(fit && scaled);
  EXPECT_NEAR(scaled->period, 8.0 * fit->period, 1e-7 * fit->period);
  EXPECT_NEAR(8.0 * scaled->decay, fit->decay, 1e-7);
}

TEST(FittedOscillation, IsNotDefinedWithoutAWholePeriodOrAnOscillation) {
  EXPECT_FALSE(FitOscillation({}));
  EXPECT_FALSE(FitOscillation(Sampled(0.1, 5.0, [](double) { return 1.0; })));
  EXPECT_FALSE(FitOscillation(Sampled(0.1, 5.0, [](double t) { return t; })));
  EXPECT_FALSE(FitOscillation(Sampled(0.1, 5.0, [](double t) { return std::exp(-t); })));
  EXPECT_FALSE(
      FitOscillation(Sampled(0.1, 5.0, [](double t) { return std::cos(t); })));  // 0.8 periods
  // Two periods of equal size: neither explains nine tenths.
  EXPECT_FALSE(FitOscillation(
      Sampled(0.02, 20.0, [](double t) { return std::cos(2.0 * t) + std::cos(5.3 * t); })));
}

TEST(FirstCrossing, OfAStraightMotionIsExactWhateverTheInterval) {
  for (const double interval : {0.5, 0.3, 0.07}) {
    const auto fall = [](double t) { return 1.0 - 0.4 * t; };
    const auto crossing = FirstCrossing(Sampled(interval, 4.0, fall), 0.25);
    ASSERT_TRUE(crossing);
    EXPECT_NEAR(*crossing, 1.875, 1e-14);
  }
}

TEST(FirstCrossing, IsTheFirstOneFromEitherSideAfterLeavingTheLevel) {
  const auto wave = [](double t) { return std::sin(kPi * t); };
  EXPECT_NEAR(*FirstCrossing(Sampled(1.0 / 64.0, 3.0, wave), 0.0), 1.0,
              1e-12);  // starts at the level
  EXPECT_EQ(*FirstCrossing({{0.0, 1.0, 2.0, 3.0}, {-1.0, 1.0, -1.0, 1.0}}, 0.0), 0.5);
  EXPECT_EQ(*FirstCrossing({{0.0, 1.0, 2.0, 3.0}, {2.0, 1.0, 0.0, 1.0}}, 0.0), 2.0);  // touches it
  EXPECT_FALSE(FirstCrossing({{0.0, 1.0}, {2.0, 1.0}}, 0.0));
  EXPECT_FALSE(FirstCrossing({{0.0, 1.0}, {0.0, 0.0}}, 0.0));
  EXPECT_FALSE(FirstCrossing({}, 0.0));
}

TEST(MeanOverTime, WeighsByTheTimeBetweenRecords) {
  EXPECT_DOUBLE_EQ(*MeanOverTime({{0.0, 1.0, 3.0}, {0.0, 2.0, 2.0}}), 5.0 / 3.0);
  EXPECT_EQ(*MeanOverTime({{2.0}, {7.0}}), 7.0);
  EXPECT_FALSE(MeanOverTime({}));
}

// As the figure of a probe has it.
std::optional<double> PeriodDrift(const Curve& curve) {
  Probe probe;
  probe.name = "swing";
  probe.oscillates = true;
  for (const ProbeFigure& figure : ProbeFigures(probe, curve)) {
    if (figure.is.name == "swing_period_drift_s") return figure.value;
  }
  ADD_FAILURE() << "there is no such figure";
  return std::nullopt;
}

TEST(PeriodDrift, IsTheDifferenceBetweenTheHalvesOfTheRecords) {
  const auto of = [](double second) {
    return PeriodDrift(Sampled(0.01, 7.99, [&](double t) {
      return std::cos(2.0 * kPi * (t < 4.0 ? t / 0.8 : 5.0 + (t - 4.0) / second));
    }));
  };
  for (const double second : {0.8, 1.0, 0.7}) {
    ASSERT_TRUE(of(second)) << second;
    EXPECT_NEAR(*of(second), second - 0.8, 1e-9) << second;
  }
  EXPECT_FALSE(of(9.0)) << "the second half is no whole period";
}

// θ'' = −sin θ − 0.1 θ': the amplitude decays from 2.5 rad, whose period is 4 K(sin 1.25) = 10.33 (in units of √(L/g)) towards 2π.
TEST(PeriodDrift, OfADampedPendulumIsNegative) {
  double angle = 2.5, rate = 0.0;
  const auto slope = [](double x, double v) { return -std::sin(x) - 0.1 * v; };
  Curve curve;
  constexpr double kStep = 0.01;
  for (int i = 0; i <= 4000; ++i) {
    curve.times.push_back(i * kStep);
    curve.values.push_back(angle);
    const double middle = rate + 0.5 * kStep * slope(angle, rate);
    const double next = angle + kStep * middle;
    rate = middle + 0.5 * kStep * slope(next, middle);
    angle = next;
  }
  const auto drift = PeriodDrift(curve), period = std::optional(FitOscillation(curve)->period);
  ASSERT_TRUE(drift);
  EXPECT_LT(*drift, -0.5);
  EXPECT_GT(*drift, 2.0 * kPi - 10.33);
  EXPECT_GT(*period, 2.0 * kPi);
}

}  // namespace
}  // namespace pliant
