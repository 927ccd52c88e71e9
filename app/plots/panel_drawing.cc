#include "app/plots/panel_drawing.h"

namespace pliant {
namespace {

const Colour kGrid{0xe4, 0xe4, 0xe4};

QCPScatterStyle::ScatterShape ShapeOf(Marker marker) {
  switch (marker) {
    case Marker::kCircle:
      return QCPScatterStyle::ssCircle;
    case Marker::kSquare:
      return QCPScatterStyle::ssSquare;
    case Marker::kTriangle:
      return QCPScatterStyle::ssTriangle;
    case Marker::kDiamond:
      return QCPScatterStyle::ssDiamond;
    case Marker::kFallingTriangle:
      return QCPScatterStyle::ssTriangleInverted;
    case Marker::kNone:
      break;
  }
  return QCPScatterStyle::ssNone;
}

}  // namespace

QCPScatterStyle MarkerOf(const LineStyle& style) {
  const QPen pen(ToQColor(style.colour), 1.3);
  return {ShapeOf(style.marker), pen, QBrush(Qt::white), 6.5};
}

void StyleAxis(QCPAxis* axis) {
  axis->setTickLabelFont(FigureFont(kTextHeight - 1));
  axis->setLabelFont(FigureFont(kTextHeight));
  axis->setBasePen(QPen(ToQColor(kFrame), 1));
  axis->setTickPen(QPen(ToQColor(kFrame), 1));
  axis->setSubTickPen(QPen(ToQColor(kFrame), 1));
  axis->setTickLength(0, 4);
  axis->setSubTickLength(0, 2);
  axis->grid()->setPen(QPen(ToQColor(kGrid), 1));
  axis->grid()->setSubGridVisible(false);
  axis->grid()->setZeroLinePen(Qt::NoPen);
}

QString LabelOf(const Axis& axis, const std::string& unit) {
  return QString::fromStdString(axis.label +
                                (unit.empty() || unit == "1" ? "" : " [" + unit + "]"));
}

bool HasDefined(const PlottedCurve& curve) {
  return std::any_of(curve.y.begin(), curve.y.end(), [](double y) { return std::isfinite(y); });
}

void MakeLogarithmic(QCPAxis* axis) {
  axis->setScaleType(QCPAxis::stLogarithmic);
  axis->setTicker(QSharedPointer<QCPAxisTickerLog>::create());
  axis->setNumberFormat("eb");
  axis->setNumberPrecision(0);
}

void MakeWhole(QCPAxis* axis) {
  auto ticker = QSharedPointer<QCPAxisTickerFixed>::create();
  ticker->setTickStep(1.0);
  ticker->setScaleStrategy(QCPAxisTickerFixed::ssMultiples);
  axis->setTicker(ticker);
  axis->setSubTicks(false);
}

}  // namespace pliant
