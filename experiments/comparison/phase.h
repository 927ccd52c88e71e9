// How far the dominant oscillation of a run is ahead of that of a reference.
//
// X(t) are the points of the reference about their means over time, as one vector. Its dominant direction u maximises Σ_t (u · X)²
// (the first principal component). Both motions are seen along it,
//
//   a(t) = u · X(t),     a′(t) = u · (x′(t) − mean of the reference),
//
// and each is fitted by c + A e^{−γ s} cos(ω s + φ), s = t − t₀ (experiments/runs/oscillation.h). The phase error is
//
//   e(t) = φ′ − φ + (ω′ − ω) s,      −π < e(t₀) ≤ π,
//
// positive where the run is ahead. It is not wrapped later: a run that is a whole period ahead has 2π.

#ifndef PLIANT_EXPERIMENTS_COMPARISON_PHASE_H_
#define PLIANT_EXPERIMENTS_COMPARISON_PHASE_H_

#include <optional>

#include "experiments/comparison/distance.h"
#include "experiments/runs/oscillation.h"

namespace pliant {

struct PhaseError {
  double first = 0.0, last = 0.0;  // rad, at the first and the last common time
  double largest() const;          // rad, ≥ 0; e is linear in time, so it is at one of the ends
};

// Of two curves with the same first and last time. Absent where one of them is no oscillation of a whole period.
std::optional<PhaseError> MeasurePhaseError(const Curve& run, const Curve& reference);

// Of the points at the common times of `distance`, at most kPhasePoints of them, evenly chosen by their numbers.
inline constexpr int kPhasePoints = 256;
struct PhaseOfPoints {
  PhaseError error;
  double amplitude =
      0.0;  // m, of the reference's oscillation at the last common time, root mean square over the points
};
std::optional<PhaseOfPoints> MeasurePhaseOfPoints(const Bundle& run, const Bundle& reference,
                                                  const DistanceSeries& distance);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_COMPARISON_PHASE_H_
