// What panes show of a run; the same for all panes.

#ifndef PLIANT_APP_WORKBENCH_VIEW_SETTINGS_H_
#define PLIANT_APP_WORKBENCH_VIEW_SETTINGS_H_

#include "app/workbench/quantity.h"

namespace pliant {

struct ViewSettings {
  bool surface = true;
  bool wireframe = true;
  bool points = false;
  bool shadows = true;
  bool springs = true;
  Quantity quantity = Quantity::kNone;
  double full_scale = 1.0;  // of the quantity: what the last colour stands for
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_VIEW_SETTINGS_H_
