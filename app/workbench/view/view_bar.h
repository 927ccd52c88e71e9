// What the panes show: surface, wireframe, points, shadows, springs, colour, direction.

#ifndef PLIANT_APP_WORKBENCH_VIEW_VIEW_BAR_H_
#define PLIANT_APP_WORKBENCH_VIEW_VIEW_BAR_H_

class QMenu;
class QToolBar;

namespace pliant {

class ViewState;

// Fills the tool bar of a window, and `menu` with the same actions.
void FillViewBar(ViewState* view, QToolBar* bar, QMenu* menu);

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_VIEW_VIEW_BAR_H_
