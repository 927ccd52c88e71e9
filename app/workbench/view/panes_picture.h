// What a picture of all panes shows, as a value that threads can share.

#ifndef PLIANT_APP_WORKBENCH_VIEW_PANES_PICTURE_H_
#define PLIANT_APP_WORKBENCH_VIEW_PANES_PICTURE_H_

#include <QRect>
#include <QSize>
#include <optional>
#include <vector>

#include "app/workbench/view/scene_renderer.h"

class QWidget;

namespace pliant {

struct Pane;
class ViewState;

// Are the bodies of the pane drawn as lamps, see ScenePalette::lamps?
bool ShowsLamps(const Pane& pane);

struct PanePart {
  QRect viewport;  // device pixels, from the lower left corner of the picture
  Camera camera;
  std::optional<PaneImage> image;  // absent before the first frame
};

struct PanesPicture {
  QSize size;          // device pixels
  double ratio = 1.0;  // device pixels per pixel
  ViewSettings settings;
  std::vector<PanePart> parts;  // of each pane
};

// The size of a widget in device pixels.
QSize PixelsOf(const QWidget& widget);

// What the panes show now in a widget of this size. Shares frames instead of copying them.
PanesPicture TakePicture(const ViewState& view, const QWidget& widget);

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_VIEW_PANES_PICTURE_H_
