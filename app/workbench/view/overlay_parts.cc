#include "app/workbench/view/overlay_parts.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>

namespace pliant {

using Eigen::Vector3d;

void DrawWords(QPainter* painter, const QRectF& line, const QString& words, const QColor& ink) {
  const QFontMetricsF metrics(painter->font());
  const QString shown = metrics.elidedText(words, Qt::ElideRight, line.width());
  const double width = metrics.horizontalAdvance(shown);
  painter->fillRect(QRectF(line.left() - 3, line.top(), width + 6, line.height()),
                    QColor(255, 255, 255, 190));
  painter->setPen(ink);
  painter->drawText(line, Qt::AlignLeft | Qt::AlignVCenter, shown);
}

void DrawArrow(QPainter* painter, const QPointF& from, const QPointF& to, const QColor& colour,
               double width) {
  const QPointF along = to - from;
  const double length = std::hypot(along.x(), along.y());
  if (length < 2.0) return;
  painter->setPen(QPen(colour, width));
  painter->drawLine(from, to);
  const QPointF unit = along / length, side(-unit.y(), unit.x());
  const double head = std::min(5.0 * width, 0.5 * length);
  painter->setBrush(colour);
  painter->setPen(Qt::NoPen);
  painter->drawPolygon(
      QPolygonF({to, to - head * (unit - 0.41 * side), to - head * (unit + 0.41 * side)}));
}

void DrawScaleBar(QPainter* painter, const QRectF& rect, double pixels_per_metre) {
  const double length = ScaleBarLength(0.28 * rect.width() / pixels_per_metre);
  const double pixels = length * pixels_per_metre;
  const QPointF left(rect.left() + kMargin + 2, rect.bottom() - kMargin - 2);
  const QPointF right = left + QPointF(pixels, 0);
  painter->setPen(QPen(kSoft, 1.4));
  painter->drawLine(left, right);
  for (const QPointF& end : {left, right}) painter->drawLine(end, end - QPointF(0, 5));
  painter->setFont(FigureFont(11));
  DrawWords(painter, QRectF(left.x(), left.y() - 20, std::max(pixels, 60.0), 14),
            Number(length) + " m", kSoft);
}

void DrawAxes(QPainter* painter, const QRectF& rect, const Camera& camera) {
  constexpr double kLength = 20.0;  // px
  const QPointF origin(rect.right() - kMargin - kLength - 10, rect.bottom() - kMargin - kLength);
  static constexpr std::array<const char*, 3> kNames = {"x", "y", "z"};
  painter->setFont(FigureFont(10));
  for (int axis = 0; axis < 3; ++axis) {
    const Vector3d view = camera.ToView(Vector3d::Unit(axis));
    const QPointF along(kLength * view.x(), -kLength * view.y());
    if (std::hypot(along.x(), along.y()) < 4.0) continue;
    painter->setPen(QPen(kSoft, 1.3));
    painter->drawLine(origin, origin + along);
    const QPointF at = origin + 1.35 * along;
    painter->drawText(QRectF(at.x() - 8, at.y() - 8, 16, 16), Qt::AlignCenter, kNames[axis]);
  }
}

}  // namespace pliant
