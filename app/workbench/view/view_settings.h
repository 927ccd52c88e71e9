// What all panes show of a run.

#ifndef PLIANT_APP_WORKBENCH_VIEW_VIEW_SETTINGS_H_
#define PLIANT_APP_WORKBENCH_VIEW_VIEW_SETTINGS_H_

#include "app/workbench/view/arrows.h"
#include "app/workbench/view/quantity.h"

namespace pliant {

inline constexpr double kVelocityTime = 0.1;  // s

// In the place of the number of a pane: the yardstick of the session.
inline constexpr int kYardstickPane = -2;

struct ViewSettings {
  bool surface = true;
  bool wireframe = true;
  bool points = false;
  bool shadows = true;
  bool springs = true;
  bool velocities = false;  // the path of each point in the next kVelocityTime
  int pieces = -1;          // level of the pieces of each formulation, 0 is the coarsest; -1: none
  int overlay = -1;  // pane whose wireframe is drawn over all others, or kYardstickPane; -1: none
  ArrowKind arrows = ArrowKind::kNone;
  Quantity quantity = Quantity::kNone;
  int reference = -1;       // pane that distances are measured to, or kYardstickPane; -1: the
                            // experiment's reference
  double full_scale = 1.0;  // of the quantity: the value of the last colour
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_VIEW_VIEW_SETTINGS_H_
