#include "experiments/comparison/distance.h"

#include <cmath>

#include "experiments/bundles/csv.h"
#include "experiments/comparison/correspondence.h"
#include "models/scene/metrics.h"
#include "models/scene/number_text.h"
#include "models/scene/rigid_motion.h"

namespace pliant {
namespace {

[[noreturn]] void Fail(const Bundle& run, const Bundle& reference, const std::string& why) {
  throw BadInput({"reference",
                  "no distance of " + run.label() + " to " + reference.label() + ": " + why,
                  "choose a reference run that completed with the same plan"});
}

}  // namespace

DistanceSeries MeasureDistance(const Bundle& run, const Bundle& reference) {
  if (reference.frame_count() == 0) {
    Fail(run, reference,
         "the reference run has no frames; its outcome is " +
             std::string(ToString(reference.outcome().kind)));
  }
  const int points = run.experiment().scene->PointCount();
  if (reference.experiment().scene->PointCount() != points) {
    Fail(run, reference, "their scenes have different numbers of points");
  }
  if (IsOfVariant(run) || IsOfVariant(reference)) {
    const std::string why =
        WhyNotCorresponding(*run.experiment().scene, *reference.experiment().scene);
    if (!why.empty()) Fail(run, reference, "the points of their scenes are others: " + why);
  }
  const double rounding = 1e-9 * run.experiment().plan.duration;
  const bool whole = RanToItsEnd(run.outcome().kind);
  DistanceSeries distance;
  size_t other = 0;
  for (size_t frame = 0; frame < run.frame_count(); ++frame) {
    const double time = run.Time(frame);
    while (other < reference.frame_count() && reference.Time(other) < time - rounding) {
      if (whole) {
        Fail(run, reference, "the run has no frame at " + RoundTrip(reference.Time(other)) + " s");
      }
      ++other;
    }
    if (other == reference.frame_count() || reference.Time(other) > time + rounding) {
      if (!whole && frame + 1 == run.frame_count()) break;  // its last good state
      Fail(run, reference, "the reference run has no frame at " + RoundTrip(time) + " s");
    }
    const Eigen::Matrix3Xd x = run.Points(frame), y = reference.Points(other);
    if (!x.allFinite() || !y.allFinite()) {
      Fail(run, reference, "a point has no finite position at " + RoundTrip(time) + " s");
    }
    distance.times.push_back(time);
    distance.frames.push_back(frame);
    distance.reference_frames.push_back(other);
    const DistanceParts parts = PartsOfDistance(*run.experiment().scene, x, y);
    distance.rms.push_back(parts.points);
    distance.max.push_back(DistanceBetween(x, y).max);
    distance.shape.push_back(parts.shape);
    distance.placement.push_back(parts.placement);
    ++other;
  }
  if (whole && other < reference.frame_count()) {
    Fail(run, reference, "the run has no frame at " + RoundTrip(reference.Time(other)) + " s");
  }
  return distance;
}

}  // namespace pliant
