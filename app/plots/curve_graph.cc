#include "app/plots/curve_graph.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/plots/plot.h"

namespace pliant {
namespace {

constexpr double kMarkerGap = 90;  // px between markers of one curve
constexpr double kDense = 2.0;     // points to a pixel, more of which are drawn as bars
constexpr double kPale = 0.3;      // of the colour of a line, in the gaps of its dashes

bool IsFinite(const QPointF& at) { return std::isfinite(at.x()) && std::isfinite(at.y()); }

// In pixels of a device that has `ratio` to the pixel; the line breaks where a point is not finite.
std::vector<Polyline> StretchesOnDevice(const QVector<QPointF>& points, double ratio) {
  std::vector<Polyline> stretches(1);
  for (const QPointF& at : points) {
    if (IsFinite(at)) {  // middles of pixels, as QCPPainter has them
      stretches.back().x.push_back(ratio * (at.x() + 0.5));
      stretches.back().y.push_back(ratio * (at.y() + 0.5));
    } else if (!stretches.back().x.empty()) {
      stretches.emplace_back();
    }
  }
  return stretches;
}

// Dash and gap in turn, for a line so wide; none: it is whole.
std::vector<double> DashesOf(const QPen& pen, double width) {
  std::vector<double> dashes;
  if (pen.style() != Qt::CustomDashLine) return dashes;
  for (const double length : pen.dashPattern()) dashes.push_back(width * length);
  return dashes;
}

// How much of the colour of its line a bar has.
double InkOf(const ColumnBar& bar, double width) {
  if (!bar.gap) return 1.0;
  return bar.high - bar.low > width ? kPale : 0.0;
}

// Whole pixels, and the parts of pixels above and below them.
void FillBar(QPainter* painter, const ColumnBar& bar, double width, QColor colour) {
  const double ink = InkOf(bar, width), opaque = colour.alphaF();
  if (ink == 0.0) return;
  const auto fill = [&](int top, int height, double coverage) {
    colour.setAlphaF(static_cast<float>(coverage * ink * opaque));
    painter->fillRect(bar.column, top, 1, height, colour);
  };
  const double top = bar.low - 0.5 * width, bottom = bar.high + 0.5 * width;
  const int first = static_cast<int>(std::ceil(top)), end = static_cast<int>(std::floor(bottom));
  fill(first - 1, 1, first - top);
  if (end > first) fill(first, end - first, 1.0);
  fill(end, 1, bottom - end);
}

}  // namespace

void CurveGraph::drawLegendIcon(QCPPainter* painter, const QRectF& rect) const {
  applyDefaultAntialiasingHint(painter);
  painter->setPen(mPen);
  const double y = rect.center().y();
  painter->drawLine(QLineF(rect.left(), y, rect.right(), y));
  if (legend_marker_.isNone()) return;
  applyScattersAntialiasingHint(painter);
  legend_marker_.applyTo(painter, mPen);
  legend_marker_.drawShape(painter, rect.center());
}

void CurveGraph::drawLinePlot(QCPPainter* painter, const QVector<QPointF>& points) const {
  const double ratio = painter->device()->devicePixelRatioF();
  const bool dense = points.size() > kDense * ratio * keyAxis()->axisRect()->width();
  if (!dense || painter->modes().testFlag(QCPPainter::pmVectorized)) {
    QCPGraph::drawLinePlot(painter, points);
    return;
  }
  const QPen pen = painter->pen();
  const double width = std::max(1.0, ratio * pen.widthF());  // px of the device
  const std::vector<double> dashes = DashesOf(pen, width);
  painter->save();
  painter->setAntialiasing(false);  // what is filled is whole pixels of the device
  painter->scale(1.0 / ratio, 1.0 / ratio);
  for (const Polyline& stretch : StretchesOnDevice(points, ratio)) {
    for (const ColumnBar& bar : BarsOf(stretch, dashes)) FillBar(painter, bar, width, pen.color());
  }
  painter->restore();
}

void CurveGraph::drawScatterPlot(QCPPainter* painter, const QVector<QPointF>& scatters,
                                 const QCPScatterStyle& style) const {
  double next = keyAxis()->axisRect()->left() + kMarkerGap * (0.25 + 0.2 * (place_ % 5));
  QVector<QPointF> chosen;
  for (const QPointF& at : scatters) {
    if (!IsFinite(at) || at.x() < next) continue;
    chosen.push_back(at);
    while (next <= at.x()) next += kMarkerGap;
  }
  if (chosen.empty()) {
    for (const QPointF& at : scatters) {
      if (std::isfinite(at.y()) && chosen.empty()) chosen.push_back(at);
    }
  }
  QCPGraph::drawScatterPlot(painter, chosen, style);
}

}  // namespace pliant
