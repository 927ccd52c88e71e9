// What a curve over time says in one number: when it first passes a value, its mean, and period and decay of the damped
// oscillation that fits it best.
//
//   x(t) = c + e^{−γ (t − t₀)} (a cos ω (t − t₀) + b sin ω (t − t₀))
//
// with the least sum of squares over the records, by Levenberg's and Marquardt's method [Marquardt 1963] in the five
// numbers c, a, b, γ, ω. It begins at the period between crossings of the middle of the second half of the records,
// and at the best of a few ω and γ around that, for each of which c, a and b are linear.
//
// A motion of large amplitude is no cosine: fitted as one, a pendulum that is let go at 2.9 rad has a period that is 0.2 % short, at
// any step. Where harmonics leave less than a hundredth of the squares, the sum goes over up to 21 of them,
//
//   x(t) = c + e^{−γ (t − t₀)} Σ_k (a_k cos kω (t − t₀) + b_k sin kω (t − t₀))

#ifndef PLIANT_EXPERIMENTS_RUNS_OSCILLATION_H_
#define PLIANT_EXPERIMENTS_RUNS_OSCILLATION_H_

#include <optional>
#include <vector>

namespace pliant {

// The defined values of a column and their times [s], which increase.
struct Curve {
  std::vector<double> times, values;
};

// Trapezoidal mean over time; the value itself where there is only one. Absent without a value.
std::optional<double> MeanOverTime(const Curve& curve);

// The first time at which the curve reaches or passes `level`, having been on one side of it; on a straight line
// between records, exact where the motion is one. Absent if it never does.
std::optional<double> FirstCrossing(const Curve& curve, double level);

struct DampedOscillation {
  double period = 0.0;  // 2π/ω [s]
  double decay = 0.0;   // γ [1/s]; below 0 it grows
  // x − c = amplitude e^{−γ s} cos(ω s + phase), s = t − t₀, t₀ the first time, ω > 0.
  double amplitude = 0.0, phase = 0.0;  // unit of x, ≥ 0; rad, −π … π
};
// Absent where no whole period is recorded, or one cosine leaves more than a tenth of the variance. Amplitude and phase are those
// of the first harmonic.
std::optional<DampedOscillation> FitOscillation(const Curve& curve);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_RUNS_OSCILLATION_H_
