// How far the finest rung of a ladder is from the limit, of differences d_k ≥ 0 of neighbouring rungs. The one estimate of all
// that has no sign: error bars of the yardstick (experiments/yardstick/error_bars.h) and parts of a distance (error_split.h).
//
//   e = F d_{n−1} / (r^p − 1)     the GCI [Roache 1998, Sec. 5.6]; p at most kMostOrder: what converges faster gets a wider bar
//                                 than it needs
//   e = 3 Σ d_k                   where p is below kLeastOrder or unknown, or the last difference is larger than the one before
//                                 [Eça & Hoekstra 2014, Sec. 3]
//   e = d_{n−1}                   where that is rounding

#ifndef PLIANT_EXPERIMENTS_REFINEMENT_ERROR_OF_FINEST_H_
#define PLIANT_EXPERIMENTS_REFINEMENT_ERROR_OF_FINEST_H_

#include <algorithm>
#include <cmath>
#include <optional>

#include "experiments/refinement/grid_convergence.h"

namespace pliant {

inline constexpr double kMostOrder = 2.0;  // that of the steps of most formulations
inline constexpr double kSpreadFactor = 3.0;

struct LadderDifferences {
  double last = 0.0;            // d_{n−1}
  double sum = 0.0;             // of all
  std::optional<double> order;  // at which they shrink
  bool grows = false;           // is the last one larger than the one before?
  bool assumed = false;         // is the order assumed, since there is one difference only?
};

inline bool IsRounding(const LadderDifferences& d, const ConvergenceRules& rules) {
  return d.last <= rules.round_off;
}
// With at least kLeastOrder, or by rounding only.
inline bool Converges(const LadderDifferences& d, const ConvergenceRules& rules) {
  return IsRounding(d, rules) || (!d.grows && d.order && *d.order >= kLeastOrder);
}

inline double ErrorOfFinest(const LadderDifferences& d, const ConvergenceRules& rules) {
  if (IsRounding(d, rules)) return d.last;
  if (!Converges(d, rules)) return kSpreadFactor * d.sum;
  const double factor = d.assumed ? kAssumedOrderFactor : kMeasuredOrderFactor;
  return factor * d.last / (std::pow(rules.ratio, std::min(*d.order, kMostOrder)) - 1.0);
}

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_REFINEMENT_ERROR_OF_FINEST_H_
