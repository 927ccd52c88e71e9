// What QPainter draws over the panes, independent of what draws the scene: labels and outcomes, the
// colour bar, the scale, the selected point, a pull in progress.

#ifndef PLIANT_APP_WORKBENCH_VIEW_PANE_OVERLAY_H_
#define PLIANT_APP_WORKBENCH_VIEW_PANE_OVERLAY_H_

#include <QRectF>
#include <vector>

class QPainter;

namespace pliant {

class ViewState;

// The rectangle of each pane of the session, beside the colour bar.
std::vector<QRectF> PaneRects(const ViewState& view, const QRectF& area);

void DrawOverlay(QPainter* painter, const QRectF& area, const ViewState& view);

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_VIEW_PANE_OVERLAY_H_
