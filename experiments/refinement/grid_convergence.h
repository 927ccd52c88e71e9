// What a sequence of values on a ladder of resolutions says of its limit.
//
// The rungs have the sizes h₁ > h₂ > … with a constant ratio r = h_k / h_{k+1} > 1; f_k is the value
// on rung k, and e_k = f_{k+1} − f_k. Where f_k = f + C h_k^p,
//
//   pairwise order       p = ln(e_{k−1} / e_k) / ln r                   [Roache 1998, Eq. 5.10.6.1]
//   regressed order      −ln r · p is the slope of ln |e_k| against k (least squares)
//   Richardson value     f ≈ f_n + e_{n−1} / (r^p − 1)                  [Roache 1998, Eq. 5.4.1]
//   band (GCI)           F |e_{n−1}| / (r^p − 1) around it: F = 1.25 with a measured order (three rungs or
//                        more), F = 3 with an assumed one (two rungs)   [Roache 1998, Sec. 5.6]
//
// Where the sequence does not behave like that, the band is three times the spread of the values around
// the finest one [Eça & Hoekstra 2014, Sec. 3]. Where the last pairwise order is above that of any scheme and not that of
// the pair before, errors of two orders cancel on one rung by accident: of c₁h + c₂h² with c₂ ≈ −c₁/h. What is left
// can be as large as the difference before, so that the band is the spread of the last three values. So it is where the
// last difference is rounding and the one before is not: a count, or the time of a record, has steps and stays the
// same on two rungs by accident.

#ifndef PLIANT_EXPERIMENTS_REFINEMENT_GRID_CONVERGENCE_H_
#define PLIANT_EXPERIMENTS_REFINEMENT_GRID_CONVERGENCE_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

enum class Trend {
  kSingle,    // one value: nothing is known of the limit
  kAssumed,   // two values, order assumed
  kMonotone,  // differences of one sign shrink, with an order of at least kLeastOrder
  kTooFast,  // the last difference shrinks faster than by any scheme, to one of the same sign or to rounding: an accident
  kOscillating,  // differences shrink and change sign
  kSlow,         // differences do not shrink, or with a lower order than kLeastOrder
  kAtRoundOff,   // the last difference is rounding, as a scheme can leave of the one before
};
std::string_view ToString(Trend trend);

// Lowest order that is believed; highest order that shrinks a band [Eça & Hoekstra 2014, Sec. 3].
inline constexpr double kLeastOrder = 0.5;
inline constexpr double kHighestOrder = 4.0;  // of the schemes here (Runge–Kutta)
inline constexpr double kMeasuredOrderFactor = 1.25;
inline constexpr double kAssumedOrderFactor = 3.0;
// Consecutive pairwise orders of an asymptotic sequence differ by less.
inline constexpr double kSameOrder = 0.25;

struct Convergence {
  Trend trend = Trend::kSingle;
  // For each three consecutive rungs, the coarsest first; absent where a difference is rounding or
  // changes sign.
  std::vector<std::optional<double>> pairwise_orders;
  std::optional<double> order;  // regressed over all differences above rounding; from three rungs
  std::optional<bool> asymptotic;  // whether the last two pairwise orders agree; from four rungs
  double value = 0.0;  // extrapolated where that is meaningful, else that of the finest rung
  std::optional<double> band;  // half its width, ≥ 0; absent for a single value

  bool monotone() const { return trend == Trend::kMonotone; }
};

struct ConvergenceRules {
  double ratio = 2.0;          // > 1
  double assumed_order = 1.0;  // > 0, for two rungs
  double round_off = 0.0;  // ≥ 0, differences up to here are rounding, whatever the values are
};

// Differences up to 10⁻¹² of the largest magnitude are rounding too. `values` are finite, at least one,
// coarsest first. O(n).
Convergence MeasureConvergence(const std::vector<double>& values, const ConvergenceRules& rules);

// The limit, with as many digits as its band shows, and at least `least`: "1.12114593" of a band of 3e-7.
std::string LimitText(const Convergence& convergence, int least);
// The same of a value of one rung, beside the band of the limit; `least` digits where there is none.
std::string TextBeside(const std::optional<double>& band, double value, int least);

// "monotone, asymptotic", "at round-off".
std::string TrendText(const Convergence& convergence);

// The order at which positive numbers e_k, differences of consecutive rungs, shrink: −slope / ln r;
// absent for less than two of them above `round_off`.
std::optional<double> RegressedOrder(const std::vector<double>& differences, double ratio,
                                     double round_off = 0.0);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_REFINEMENT_GRID_CONVERGENCE_H_
