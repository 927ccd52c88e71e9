#include "app/workbench/session/drag_steering.h"

#include <utility>

namespace pliant {

DragSteering::DragSteering(LiveDrag drag, size_t pane, double behind)
    : drag_(std::move(drag)),
      pane_(pane),
      behind_(behind),
      target_(drag_.trail->samples().values.back()) {}

void DragSteering::Extend(const Pane& dragged, double now, double end, double interval) {
  for (;;) {
    const double known = KnownEnd();
    if (known > now + interval || known >= end + interval) return;
    // The force depends on where the point is at that time.
    const bool recorded =
        !dragged.stale && dragged.recording.EndTime() >= known - RoundingAt(known);
    if (!recorded && IsRunning(dragged)) return;
    if (dragged.recording.empty()) return;
    drag_.trail->Append(drag_.trail->End() + interval, NextValue(dragged.recording, interval));
  }
}

// A position, or the force of the spring at the predicted position of the point at the end of the
// interval: a force that is constant over an interval excites oscillations unless it looks ahead.
Eigen::Vector3d DragSteering::NextValue(const Recording& recording, double interval) const {
  if (drag_.tool == HandTool::kNail) return target_;
  const int point = drag_.point;
  const size_t now = *recording.IndexAt(KnownEnd());
  const Eigen::Vector3d at = recording[now].points.col(point).cast<double>();
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();
  if (recording[now].velocities.cols() > point) {
    velocity = recording[now].velocities.col(point).cast<double>();
  } else if (now > 0) {
    velocity = (at - recording[now - 1].points.col(point).cast<double>()) /
               (recording[now].time - recording[now - 1].time);
  }
  return drag_.strength * (target_ - at - interval * velocity);
}

}  // namespace pliant
