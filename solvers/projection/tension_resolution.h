// Do the sweeps of a step know the tension of edges that may break?
//
// A tension over a step of h is a sum of impulses over h², and what a gap still needs counts as much:
// m gap/h² for a mass m, which is large in a short step. A tolerance on gaps does not bound that. A
// sweep that takes the largest gap from C to ρ C leaves to all later ones no more than
//
//   m (ρ C + ρ² C + …)/h² = m ρ C/(1 − ρ)/h²,
//
// with ρ the contraction of the last sweep, and that shall be a small share of the force at which
// edges break. Else an edge would break by what the sweeps of the last steps left over.

#ifndef PLIANT_SOLVERS_PROJECTION_TENSION_RESOLUTION_H_
#define PLIANT_SOLVERS_PROJECTION_TENSION_RESOLUTION_H_

#include <algorithm>
#include <cmath>

#include "solvers/projection/options.h"

namespace pliant {

class TensionResolution {
 public:
  // `heaviest`: largest mass of a point [kg].
  TensionResolution(const ProjectionOptions& options, double heaviest)
      : wanted_(std::isfinite(options.break_force) && std::isfinite(options.break_resolution)),
        force_(options.break_resolution * options.break_force / heaviest) {}

  // A step of h [s] whose largest gap is this [m].
  void Begin(double step, double gap) {
    allowed_ = force_ * step * step;
    last_ = gap;
    resolved_ = !wanted_ || gap == 0.0;
  }
  // The largest gap after one more sweep [m].
  void Swept(double gap) {
    // Rounding contracts no more.
    const double contraction = std::min(gap / last_, kSlowest);
    resolved_ = !wanted_ || gap * contraction <= allowed_ * (1.0 - contraction);
    last_ = gap;
  }
  bool resolved() const { return resolved_; }

 private:
  static constexpr double kSlowest = 0.9999;
  bool wanted_;
  double force_;          // over the mass [m/s²]
  double allowed_ = 0.0;  // m ρ C/(1 − ρ) over m [m]
  double last_ = 0.0;     // largest gap [m]
  bool resolved_ = true;
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_PROJECTION_TENSION_RESOLUTION_H_
