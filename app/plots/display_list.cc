#include "app/plots/display_list.h"

#include <QPaintEngine>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "app/plots/qt_style.h"
#include "app/plots/scene_drawing.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

constexpr double kFarPixels = 1e6;  // beyond it, nothing is worth clipping
constexpr double kSeam = 0.6;       // px, hides the cracks between faces
constexpr int kShades = 24;

// Keeps the part of `line` (closed: a polygon) on the side `inside` of an axis-parallel border
// [Sutherland & Hodgman 1974].
QPolygonF ClipAt(const QPolygonF& line, bool closed, bool horizontal, double border, bool above) {
  auto coordinate = [&](const QPointF& p) { return horizontal ? p.y() : p.x(); };
  auto inside = [&](const QPointF& p) {
    return above ? coordinate(p) >= border : coordinate(p) <= border;
  };
  QPolygonF kept;
  const qsizetype n = line.size();
  for (qsizetype i = 0; i < n; ++i) {
    if (inside(line[i])) kept << line[i];
    if (i + 1 == n && !closed) break;
    const QPointF &a = line[i], &b = line[(i + 1) % n];
    if (inside(a) == inside(b)) continue;
    kept << a + (b - a) * ((border - coordinate(a)) / (coordinate(b) - coordinate(a)));
  }
  return kept;
}

QPolygonF ClipTo(const QRectF& area, QPolygonF line, bool closed) {
  if (area.contains(line.boundingRect())) return line;
  line = ClipAt(line, closed, false, area.left(), true);
  line = ClipAt(line, closed, false, area.right(), false);
  line = ClipAt(line, closed, true, area.top(), true);
  return ClipAt(line, closed, true, area.bottom(), false);
}

}  // namespace

DisplayList::DisplayList(const QRectF& area, const Camera& camera)
    : area_(area), camera_(camera), scale_(PixelsPerMetre(area, camera)) {}

QPointF DisplayList::ToPixels(const Vector3d& x) const {
  const Vector3d view = camera_.ToView(x);
  const Eigen::Vector2d centre = camera_.window.center();
  return {area_.center().x() + scale_ * (view.x() - centre.x()),
          area_.center().y() - scale_ * (view.y() - centre.y())};
}

QColor DisplayList::Lit(const Colour& colour, const Vector3d& normal, int alpha) const {
  Vector3d n = camera_.ToView(normal);
  if (n.z() < 0.0) n = -n;
  const Vector3d light = Vector3d(-0.45, 0.75, 0.6).normalized();
  const double brightness = 0.4 + 0.6 * std::max(0.0, n.dot(light));  // 0.4 … 1
  const double amount = brightness < 0.8 ? brightness - 0.8 : 1.5 * (brightness - 0.8);
  return ToQColor(Lighten(colour, std::round(amount * kShades) / kShades), alpha);
}

void DisplayList::AddFace(const std::vector<Vector3d>& corners, const QColor& fill, bool tiny) {
  Vector3d middle = Vector3d::Zero();
  for (const Vector3d& corner : corners) middle += corner / static_cast<double>(corners.size());
  const QPen seam(fill, kSeam, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
  const size_t before = shapes_.size();
  Add(corners, Depth(middle), true, fill, fill.alpha() == 255 ? seam : QPen(Qt::NoPen));
  if (shapes_.size() > before) shapes_.back().tiny = tiny;
}

void DisplayList::Add(const std::vector<Vector3d>& points, double depth, bool closed,
                      const QColor& fill, const QPen& pen) {
  QPolygonF outline;
  for (const Vector3d& point : points) outline << ToPixels(point);
  AddPixels(outline, depth, closed, fill, pen);
}

void DisplayList::AddPixels(const QPolygonF& outline, double depth, bool closed, const QColor& fill,
                            const QPen& pen) {
  for (const QPointF& p : outline) {
    if (!(std::abs(p.x()) < kFarPixels && std::abs(p.y()) < kFarPixels)) return;
  }
  const QPolygonF visible = ClipTo(area_, outline, closed);
  if (visible.size() >= 2) shapes_.push_back({depth, visible, closed, fill, pen});
}

void DisplayList::AddDot(const Vector3d& x, double depth, double radius, const QColor& fill,
                         const QPen& pen) {
  const QPointF at = ToPixels(x);
  if (!area_.contains(at)) return;
  shapes_.push_back({depth, QPolygonF({at, QPointF(radius, radius)}), false, fill, pen, true});
}

void DisplayList::Paint(QPainter* painter) {
  std::stable_sort(shapes_.begin(), shapes_.end(),
                   [](const Shape& a, const Shape& b) { return a.depth < b.depth; });
  const bool pixels = painter->paintEngine()->type() == QPaintEngine::Raster;
  for (const Shape& shape : shapes_) {
    const bool tiny = shape.tiny && pixels;
    painter->setRenderHint(QPainter::Antialiasing, !tiny);
    painter->setPen(tiny ? QPen(Qt::NoPen) : shape.pen);
    painter->setBrush(shape.fill.isValid() ? QBrush(shape.fill) : QBrush(Qt::NoBrush));
    if (shape.dot) {
      painter->drawEllipse(shape.outline[0], shape.outline[1].x(), shape.outline[1].y());
    } else if (shape.closed) {
      painter->drawPolygon(shape.outline);
    } else {
      painter->drawPolyline(shape.outline);
    }
  }
}

}  // namespace pliant
