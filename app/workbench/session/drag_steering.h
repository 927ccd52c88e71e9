// A drag of a point while the clock runs, as the session steers it: extends the trail that the runs
// follow from the recording of the dragged pane and the position of the mouse.

#ifndef PLIANT_APP_WORKBENCH_SESSION_DRAG_STEERING_H_
#define PLIANT_APP_WORKBENCH_SESSION_DRAG_STEERING_H_

#include <Eigen/Core>
#include <cstddef>

#include "app/workbench/edits/hand_gesture.h"
#include "app/workbench/session/pane.h"

namespace pliant {

class DragSteering {
 public:
  // The trail ends `behind` [s] after a recorded time. `pane` is the index of the dragged pane.
  DragSteering(LiveDrag drag, size_t pane, double behind);

  const LiveDrag& drag() const { return drag_; }
  size_t pane() const { return pane_; }
  void SetTarget(const Eigen::Vector3d& target) { target_ = target; }

  // The recorded time up to which the trail determines the runs [s].
  double KnownEnd() const { return drag_.trail->End() - behind_; }

  // Appends values, each for `interval` [s], until the trail is known for one interval beyond `now`
  // or `end` [s], as far as the recording of the dragged pane allows.
  void Extend(const Pane& dragged, double now, double end, double interval);

 private:
  Eigen::Vector3d NextValue(const Recording& recording, double interval) const;

  LiveDrag drag_;
  size_t pane_;
  double behind_;           // s
  Eigen::Vector3d target_;  // m, of the mouse
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_SESSION_DRAG_STEERING_H_
