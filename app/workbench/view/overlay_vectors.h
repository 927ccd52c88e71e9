// The arrows and phases that the overlay draws over a pane.

#ifndef PLIANT_APP_WORKBENCH_VIEW_OVERLAY_VECTORS_H_
#define PLIANT_APP_WORKBENCH_VIEW_OVERLAY_VECTORS_H_

#include "app/workbench/session/phase_stepper.h"
#include "app/workbench/view/arrows.h"
#include "app/workbench/view/overlay_parts.h"

namespace pliant {

class ViewState;

// The longest arrow so far has `kLongestVector` pixels. An angular velocity about the line of sight
// is an arc whose angle is proportional to it.
void DrawArrows(QPainter* painter, const ViewState& view, const ArrowField& field,
                const PaneProjection& project);

// Draws what the arrows show, above the scale bar.
void DrawArrowLegend(QPainter* painter, const QRectF& rect, const ViewState& view);

// Draws the pieces of a phase, its vectors, and its description.
void DrawPhase(QPainter* painter, const QRectF& rect, const ShownPhase& phase,
               const PaneProjection& project);

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_VIEW_OVERLAY_VECTORS_H_
