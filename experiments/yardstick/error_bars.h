// How far the finest run of a ladder may be from the limit, at each recorded time.
//
// d_k(t) ≥ 0 is the difference of rung k + 1 from rung k (of a number, or of all points). p(t) is the lower of two orders
// (experiments/refinement/grid_convergence.h): that at which the rms of the d_k from the start to t shrinks, and that of
// the rms from t/2 to t, which sees runs part after a long time together. The error is that of error_of_finest.h for the largest
// difference *so far*, since differences of oscillations pass through zero while the runs are apart; so an error never
// becomes smaller again.

#ifndef PLIANT_EXPERIMENTS_YARDSTICK_ERROR_BARS_H_
#define PLIANT_EXPERIMENTS_YARDSTICK_ERROR_BARS_H_

#include <optional>
#include <vector>

#include "experiments/refinement/grid_convergence.h"

namespace pliant {

struct ErrorOverTime {
  std::vector<double> error;  // at each time, ≥ 0, never decreasing
  std::optional<double>
      order;               // over the whole time; absent where the differences are rounding or grow
  bool converges = false;  // with at least kLeastOrder, or by rounding only
};

// `differences[k][t]`, at least two rungs' worth, the coarsest first, all of one length. O(rungs · times²).
ErrorOverTime MeasureErrorOverTime(const std::vector<std::vector<double>>& differences,
                                   const ConvergenceRules& rules);

// The sum of two independent errors, as of mesh and step; the larger of two estimates of one error. Of orders the
// lower one.
ErrorOverTime Sum(const ErrorOverTime& a, const ErrorOverTime& b);
ErrorOverTime Larger(const ErrorOverTime& a, const ErrorOverTime& b);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_YARDSTICK_ERROR_BARS_H_
