// What is written over the panes, with QPainter, whatever draws the scene below it: labels and
// outcomes, the colour bar, the scale, the picked point, a pull in progress.

#ifndef PLIANT_APP_WORKBENCH_VIEW_PANE_OVERLAY_H_
#define PLIANT_APP_WORKBENCH_VIEW_PANE_OVERLAY_H_

#include <QRectF>
#include <QString>
#include <vector>

class QPainter;

namespace pliant {

struct Pane;
class ViewState;

// Of each pane of the session, beside the colour bar.
std::vector<QRectF> PaneRects(const ViewState& view, const QRectF& area);

void DrawOverlay(QPainter* painter, const QRectF& area, const ViewState& view);

// "0.41 s · running", "diverged at step 206: …".
QString StatusOf(const Pane& pane, double time);

// What is known of the picked point in a pane: where it is, how fast, its value.
QString PickedText(const ViewState& view, int pane);

// What is asked for and not to be seen in a pane, and why; empty when nothing is missing.
QString UndefinedText(const ViewState& view, int pane);

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_VIEW_PANE_OVERLAY_H_
