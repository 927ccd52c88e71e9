#include "app/workbench/view/panes_picture.h"

#include <QWidget>

#include "app/plots/lamp_solid.h"
#include "app/workbench/session/session.h"
#include "app/workbench/view/pane_overlay.h"
#include "app/workbench/view/view_state.h"

namespace pliant {
namespace {

std::optional<PaneImage> ImageOfPane(const ViewState& view, size_t index) {
  const Session& session = view.session();
  const std::vector<Pane>& panes = session.panes();
  const Pane& pane = panes[index];
  PaneImage image;
  image.scene = pane.scene;
  image.frame = session.Shown(index);
  if (image.frame == nullptr || image.scene == nullptr) return std::nullopt;
  image.colour = pane.style.colour;
  image.values = view.Values(static_cast<int>(index));
  image.lamp = ShowsLamps(pane);
  const int over = view.settings().overlay;
  if (over >= 0 && over < static_cast<int>(panes.size()) && over != static_cast<int>(index)) {
    image.overlay = session.Shown(static_cast<size_t>(over));
    image.overlay_colour = panes[static_cast<size_t>(over)].style.colour;
  }
  if (const Pane* yardstick = session.yardstick().pane(); over == kYardstickPane && yardstick) {
    image.overlay = yardstick->recording.At(session.time());
    image.overlay_colour = yardstick->style.colour;
  }
  return image;
}

}  // namespace

bool ShowsLamps(const Pane& pane) {
  return pane.backend != nullptr && pane.backend->info().name == kLampBackend;
}

QSize PixelsOf(const QWidget& widget) {
  return (QSizeF(widget.size()) * widget.devicePixelRatioF()).toSize();
}

PanesPicture TakePicture(const ViewState& view, const QWidget& widget) {
  PanesPicture picture;
  picture.ratio = widget.devicePixelRatioF();
  picture.size = PixelsOf(widget);
  picture.settings = view.settings();
  for (const QRectF& area : PaneRects(view, widget.rect())) {
    PanePart& part = picture.parts.emplace_back();
    part.viewport = {qRound(area.left() * picture.ratio),
                     qRound((widget.height() - area.bottom()) * picture.ratio),
                     qRound(area.width() * picture.ratio), qRound(area.height() * picture.ratio)};
    part.camera = view.camera().InPane({area.width(), area.height()});
    part.image = ImageOfPane(view, picture.parts.size() - 1);
  }
  return picture;
}

}  // namespace pliant
