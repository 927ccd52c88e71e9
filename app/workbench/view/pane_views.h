// The widgets that display all panes of a session: with OpenGL 3.3, or where there is none with the
// painter that draws the figures of the report.

#ifndef PLIANT_APP_WORKBENCH_VIEW_PANE_VIEWS_H_
#define PLIANT_APP_WORKBENCH_VIEW_PANE_VIEWS_H_

#include <QImage>
#include <QWidget>
#include <string>

namespace pliant {

class ViewState;

// What OpenGL this display offers.
struct OpenGlLook {
  std::string why_not;        // why OpenGL 3.3 is not available; else empty
  std::string renderer;       // name of the renderer
  bool by_processor = false;  // software rendering that a thread may do
};
// Finds out by creating a context.
OpenGlLook LookForOpenGl();

// A widget that displays all panes of a ViewState and follows the mouse.
class PaneView {
 public:
  virtual ~PaneView() = default;
  virtual QWidget* widget() = 0;
  // What the widget shows, in device pixels: at rest, or while it moves (the processor draws fewer
  // samples then).
  virtual QImage Image(bool moving = false) = 0;
};

// The widget draws with OpenGL where it is available, else without. A graphics card and the
// processor draw the same pictures. The widget belongs to `parent`.
PaneView* MakePaneView(ViewState* view, const OpenGlLook& look, QWidget* parent = nullptr);

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_VIEW_PANE_VIEWS_H_
