// Whether the sweeps of a step resolve the tension of edges that may break.
//
// A tension over a step of h is a sum of impulses over h², and what a gap still needs counts as much:
// m gap/h² for a mass m, which is large in a short step. A tolerance on gaps does not bound that. A
// sweep that takes the largest gap from C to ρ C leaves to all later ones no more than
//
//   m (ρ C + ρ² C + …)/h² = m ρ C/(1 − ρ)/h²,
//
// with ρ the contraction of the sweeps to come, and this error must be a small fraction of the force at
// which edges break. Else an edge would break by what the sweeps of the last steps left over. ρ is that of
// the last sweep, but no less than
//
//   cos²(π/(2n + 1))
//
// by which sweeps over n equal edges in a row, held at one end, contract in the end (the square of the
// largest eigenvalue when all are corrected at once). The first sweeps contract faster: they close
// gaps between neighbours, while the load at one end has not come to the other yet.

#ifndef PLIANT_SOLVERS_PROJECTION_TENSION_RESOLUTION_H_
#define PLIANT_SOLVERS_PROJECTION_TENSION_RESOLUTION_H_

#include <algorithm>
#include <cmath>
#include <numbers>

#include "solvers/projection/options.h"

namespace pliant {

class TensionResolution {
 public:
  // `heaviest`: largest mass of a point [kg]; n: edges across (scene_edges.h).
  TensionResolution(const ProjectionOptions& options, double heaviest, int across)
      : wanted_(std::isfinite(options.break_force) && std::isfinite(options.break_resolution)),
        force_(options.break_resolution * options.break_force / heaviest) {
    const double cosine = std::cos(std::numbers::pi / (2.0 * across + 1.0));
    fastest_ = std::min(cosine * cosine, kSlowest);
  }

  // A step of h [s] whose largest gap is this [m].
  void Begin(double step, double gap) {
    allowed_ = force_ * step * step;
    last_ = gap;
    resolved_ = !wanted_ || gap == 0.0;
  }
  // The largest gap after one more sweep [m].
  void Swept(double gap) {
    // Rounding contracts no more.
    const double contraction = std::clamp(gap / last_, fastest_, kSlowest);
    resolved_ = !wanted_ || gap * contraction <= allowed_ * (1.0 - contraction);
    last_ = gap;
  }
  bool resolved() const { return resolved_; }
  static constexpr const char* kQuantity =
      "tension of edges that may break";  // what is not resolved

 private:
  static constexpr double kSlowest = 0.9999;
  bool wanted_;
  double fastest_ = 0.0;  // least ρ
  double force_;          // over the mass [m/s²]
  double allowed_ = 0.0;  // m ρ C/(1 − ρ) over m [m]
  double last_ = 0.0;     // largest gap [m]
  bool resolved_ = true;
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_PROJECTION_TENSION_RESOLUTION_H_
