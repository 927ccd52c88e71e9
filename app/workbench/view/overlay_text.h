// The text of the overlay of a pane.

#ifndef PLIANT_APP_WORKBENCH_VIEW_OVERLAY_TEXT_H_
#define PLIANT_APP_WORKBENCH_VIEW_OVERLAY_TEXT_H_

#include <QString>

namespace pliant {

struct Pane;
class ViewState;

// "0.41 s · running", "diverged at step 206: …".
QString StatusOf(const Pane& pane, double time);

// The name of the quantity that the colours show.
QString WordsOfQuantity(const ViewState& view);

// Position, speed and value of the selected point in a pane.
QString PickedText(const ViewState& view, int pane);

// What is chosen but not visible in a pane, and why; empty when nothing is missing.
QString UndefinedText(const ViewState& view, int pane);

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_VIEW_OVERLAY_TEXT_H_
