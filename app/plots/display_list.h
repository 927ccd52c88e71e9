// Faces, lines and dots of a scene, sorted by depth and painted from the farthest to the nearest.
// With Qt; for the .cc files of this room.

#ifndef PLIANT_APP_PLOTS_DISPLAY_LIST_H_
#define PLIANT_APP_PLOTS_DISPLAY_LIST_H_

#include <Eigen/Core>
#include <QColor>
#include <QPen>
#include <QPointF>
#include <QPolygonF>
#include <QRectF>
#include <vector>

#include "app/plots/camera.h"
#include "app/plots/style.h"

class QPainter;

namespace pliant {

// Keeps what it draws inside `area` by cutting it there: SVG devices cannot clip. Shapes with a
// point that is not finite, or extremely far away, are left out.
class DisplayList {
 public:
  // `camera` must outlive the list.
  DisplayList(const QRectF& area, const Camera& camera);

  QPointF ToPixels(const Eigen::Vector3d& x) const;
  double Depth(const Eigen::Vector3d& x) const {
    return camera_.ToView(x).z();
  }  // m, to the viewer
  bool IsSeenFromFront(const Eigen::Vector3d& normal) const { return Depth(normal) > 0.0; }
  // A colour under the light of the scene, which comes from over the viewer's left shoulder. Faces
  // are lit on both sides.
  QColor Lit(const Colour& colour, const Eigen::Vector3d& normal, int alpha = 255) const;

  // Adds a flat face at the depth of its middle. Opaque faces cover the cracks between each other;
  // `tiny` ones, of about a pixel, do so without antialiasing where pixels are painted, which is
  // several times as fast.
  void AddFace(const std::vector<Eigen::Vector3d>& corners, const QColor& fill, bool tiny = false);
  // Adds a polygon (closed) or a line. An invalid `fill` fills nothing.
  void Add(const std::vector<Eigen::Vector3d>& points, double depth, bool closed,
           const QColor& fill, const QPen& pen);
  void AddPixels(const QPolygonF& outline, double depth, bool closed, const QColor& fill,
                 const QPen& pen);
  void AddDot(const Eigen::Vector3d& x, double depth, double radius, const QColor& fill,
              const QPen& pen = Qt::NoPen);  // radius in px

  // Paints all items; items of equal depth in the order in which they were added.
  void Paint(QPainter* painter);

  size_t size() const { return shapes_.size(); }
  const Camera& camera() const { return camera_; }
  double scale() const { return scale_; }  // px/m

 private:
  struct Shape {
    double depth;
    QPolygonF outline;  // px; of a dot: centre and radii
    bool closed;
    QColor fill;
    QPen pen;
    bool dot = false;
    bool tiny = false;
  };
  QRectF area_;
  const Camera& camera_;
  double scale_;
  std::vector<Shape> shapes_;
};

}  // namespace pliant

#endif  // PLIANT_APP_PLOTS_DISPLAY_LIST_H_
