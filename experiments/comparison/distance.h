// The distance of a run from a reference run of the same scene.

#ifndef PLIANT_EXPERIMENTS_COMPARISON_DISTANCE_H_
#define PLIANT_EXPERIMENTS_COMPARISON_DISTANCE_H_

#include <vector>

#include "experiments/bundles/bundle.h"

namespace pliant {

// Distances between the same material points at the same recorded times.
struct DistanceSeries {
  std::vector<double> times;  // s
  std::vector<double> max;    // m, over the points
  // m, root mean square over the mass: of the points, and of the bodies' shapes and places alone
  // (models/scene/rigid_motion.h). A body counts by its mass, however many points it has.
  std::vector<double> rms, shape, placement;
  std::vector<size_t> frames, reference_frames;  // of both runs at these times
};

// Times are equal when they differ by rounding only. Every recorded time of the run must exist in
// the reference run, and a completed run must have all of its times; only the last good state of a
// run that diverged or was cancelled, which is between two recorded times, is skipped. Throws
// BadInput, rather than measure less than requested, for a time without a partner, a reference run
// without frames, another number of points, or a position that is not finite.
DistanceSeries MeasureDistance(const Bundle& run, const Bundle& reference);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_COMPARISON_DISTANCE_H_
