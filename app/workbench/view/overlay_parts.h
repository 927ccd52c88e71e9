// What the overlay of the panes is drawn with: sizes, colours, text and arrows.

#ifndef PLIANT_APP_WORKBENCH_VIEW_OVERLAY_PARTS_H_
#define PLIANT_APP_WORKBENCH_VIEW_OVERLAY_PARTS_H_

#include <Eigen/Core>
#include <QColor>
#include <QPointF>
#include <QRectF>
#include <QString>

#include "app/plots/camera.h"
#include "app/plots/qt_style.h"
#include "app/workbench/view/orbit_camera.h"
#include "app/workbench/view/scene_renderer.h"
#include "models/scene/number_text.h"

class QPainter;

namespace pliant {

inline constexpr double kMargin = 8.0;          // px
inline constexpr double kTitleHeight = 22;      // px
inline constexpr double kLongestVector = 60.0;  // px
inline const QColor kInk(0x22, 0x22, 0x22), kSoft(0x66, 0x66, 0x66), kLine(0xc9, 0xc9, 0xc9);
inline const QColor kPieces = ToQColor(kPieceColour), kVectors(0x1b, 0x7f, 0x3b);
inline const QColor kAlarm(0xa3, 0x1d, 0x1d), kAlarmGround(0xfd, 0xec, 0xea);

inline QString Number(double value) { return QString::fromStdString(Digits(value, 3)); }

// Maps world points to pixels of the pane.
class PaneProjection {
 public:
  PaneProjection(const QRectF& rect, const OrbitCamera& orbit)
      : rect_(rect),
        camera_(orbit.InPane({rect.width(), rect.height()})),
        scale_(rect.width() / camera_.window.sizes().x()) {}
  QPointF operator()(const Eigen::Vector3d& x) const {
    const Eigen::Vector3d view = camera_.ToView(x);
    const Eigen::Vector2d centre = camera_.window.center();
    return {rect_.center().x() + scale_ * (view.x() - centre.x()),
            rect_.center().y() - scale_ * (view.y() - centre.y())};
  }
  const Camera& camera() const { return camera_; }
  double scale() const { return scale_; }  // px/m

 private:
  QRectF rect_;
  Camera camera_;
  double scale_;
};

// Draws text that is readable over a surface.
void DrawWords(QPainter* painter, const QRectF& line, const QString& words, const QColor& ink);
void DrawArrow(QPainter* painter, const QPointF& from, const QPointF& to, const QColor& colour,
               double width);
// Draws a scale bar, of the same length in all panes.
void DrawScaleBar(QPainter* painter, const QRectF& rect, double pixels_per_metre);
// Draws the directions of x, y and z.
void DrawAxes(QPainter* painter, const QRectF& rect, const Camera& camera);

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_VIEW_OVERLAY_PARTS_H_
