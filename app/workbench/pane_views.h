// The widgets that show all panes of a session: with OpenGL 3.3, and, where there is none, with the
// painter that draws the figures of the report.

#ifndef PLIANT_APP_WORKBENCH_PANE_VIEWS_H_
#define PLIANT_APP_WORKBENCH_PANE_VIEWS_H_

#include <QImage>
#include <QWidget>
#include <string>

namespace pliant {

class ViewState;

// Why there is no OpenGL 3.3 here; empty when there is.
std::string WhyNoOpenGl();

// A widget that shows `view` and obeys the mouse: with OpenGL when WhyNoOpenGl() is empty.
QWidget* MakePaneView(ViewState* view, const std::string& why_no_open_gl,
                      QWidget* parent = nullptr);

// Who draws with OpenGL; the pictures are the same.
enum class PaneMaker { kCard, kProcessor };
QWidget* MakePaneView(ViewState* view, PaneMaker maker, QWidget* parent = nullptr);

// What such a widget shows, in device pixels: standing still, or as it looks while it moves (the
// processor leaves samples out then).
QImage ImageOf(QWidget* pane_view, bool moving = false);

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_PANE_VIEWS_H_
