// The widgets that show all panes of a session: with OpenGL 3.3, and, where there is none, with the
// painter that draws the figures of the report.

#ifndef PLIANT_APP_WORKBENCH_VIEW_PANE_VIEWS_H_
#define PLIANT_APP_WORKBENCH_VIEW_PANE_VIEWS_H_

#include <QImage>
#include <QWidget>
#include <string>

namespace pliant {

class ViewState;

// What can draw here with OpenGL.
struct OpenGlLook {
  std::string why_not;        // there is no OpenGL 3.3; empty when there is
  std::string renderer;       // its name
  bool by_processor = false;  // no card does the work, and a thread may do it
};
// Makes a context and looks.
OpenGlLook LookForOpenGl();

// A widget that shows `view` and obeys the mouse: with OpenGL, or without where there is none. A
// card and the processor draw the same pictures.
QWidget* MakePaneView(ViewState* view, const OpenGlLook& look, QWidget* parent = nullptr);

// What such a widget shows, in device pixels: standing still, or as it looks while it moves (the
// processor leaves samples out then).
QImage ImageOf(QWidget* pane_view, bool moving = false);

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_VIEW_PANE_VIEWS_H_
