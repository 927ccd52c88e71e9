// When a nail, attachment, slider or combination holds, in whole steps, and how a nail moves its
// point before that. A step goes from `begin` to `end`, and what happens at a time t happens in the
// one step with begin ≤ t < end. Where steps are divided (Simulation::Advance), a step is a piece.
//
//   holds    from the step that contains `from` up to the one before that which contains `until`;
//            what holds from 0 on does so at the start, where end = 0
//   preroll  through the steps that end in (from − preroll, from]: the nail leads its point along
//            the cubic that joins place and velocity of the point, when the preroll begins, with
//            those of the path at `from`

#ifndef PLIANT_SOLVERS_HOLDS_SCHEDULE_H_
#define PLIANT_SOLVERS_HOLDS_SCHEDULE_H_

#include <Eigen/Core>
#include <algorithm>

#include "models/geometry/cubic_segment.h"
#include "models/scene/scene.h"

namespace pliant {

// True if `time` falls into the step.
inline bool FallsInto(double time, double begin, double end) { return begin <= time && time < end; }

// Does it begin to hold, or release, in this step? A hold from 0 on never begins.
inline bool BeginsIn(const HoldTime& hold, double begin, double end) {
  return hold.from > 0.0 && FallsInto(hold.from, begin, end);
}
inline bool LetsGoIn(const HoldTime& hold, double begin, double end) {
  return FallsInto(hold.until, begin, end);
}

// Does it hold through the step that ends at `end` [s]? It does from the step in which it begins
// until the one in which it releases.
inline bool HoldsThrough(const HoldTime& hold, double end) {
  return (hold.from <= 0.0 || hold.from < end) && end <= hold.until;
}

// Does a nail, attachment or slider begin to hold in the step, without a preroll that leads its
// points there?
inline bool HoldBeginsIn(const Scene& scene, double begin, double end) {
  const auto begins = [begin, end](const auto& held) { return BeginsIn(held.hold, begin, end); };
  return std::any_of(scene.nails.begin(), scene.nails.end(),
                     [&](const Nail& nail) { return nail.preroll == 0.0 && begins(nail); }) ||
         std::any_of(scene.attachments.begin(), scene.attachments.end(), begins) ||
         std::any_of(scene.sliders.begin(), scene.sliders.end(), begins);
}

// The mean velocity of what follows the path [m/s]: exactly 0 where that rests.
inline Eigen::Vector3d MeanVelocity(const Path& path, double begin, double end) {
  return (path.At(end).position - path.At(begin).position) / (end - begin);
}

// True if the nail moves its point through the step that ends at `end`.
inline bool LeadsThrough(const Nail& nail, double end) {
  return end > nail.hold.from - nail.preroll && end <= nail.hold.from;
}

// The path of a preroll for a point at x [m] with velocity v [m/s] at `begin` < from.
inline CubicSegment WayOfPreroll(const Nail& nail, double begin, const Eigen::Vector3d& x,
                                 const Eigen::Vector3d& v) {
  const PathPoint there = nail.path.At(nail.hold.from);
  return CubicSegment::Join(begin, x, v, nail.hold.from, there.position, there.velocity);
}

}  // namespace pliant

#endif  // PLIANT_SOLVERS_HOLDS_SCHEDULE_H_
