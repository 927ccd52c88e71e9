// One panel of a plot as a QCustomPlot draws it. For draw.cc.

#ifndef PLIANT_APP_PLOTS_PANEL_DRAWING_H_
#define PLIANT_APP_PLOTS_PANEL_DRAWING_H_

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "app/plots/curve_graph.h"
#include "app/plots/plot.h"
#include "app/plots/qt_style.h"

namespace pliant {

inline constexpr int kTextHeight = 12;      // px, axes and legend
inline constexpr int kColumnsPerPixel = 2;  // a drawing may be enlarged
inline constexpr double kAreaLight = 0.35;  // areas are lighter than their border
inline constexpr Colour kFrame{0x77, 0x77, 0x77};

QCPScatterStyle MarkerOf(const LineStyle& style);
void StyleAxis(QCPAxis* axis);
// Makes the axis logarithmic, with ticks at powers of ten, or at more places of a short one.
void MakeLogarithmic(QCPAxis* axis);
// Sets ticks at whole numbers only, for counts: levels, sweeps, points.
void MakeWhole(QCPAxis* axis);
QString LabelOf(const Axis& axis, const std::string& unit);
// True if at least one value of the curve is defined.
bool HasDefined(const PlottedCurve& curve);

// One axis rectangle with its curves.
class PanelDrawing {
 public:
  PanelDrawing(const Plot& plot, const Panel& panel, const AxisRange& x, const AxisRange& y,
               QCustomPlot* widget)
      : panel_(panel),
        x_logarithmic_(plot.x.logarithmic),
        mark_values_(plot.mark_values),
        x_range_(x),
        y_range_(y),
        rect_(new QCPAxisRect(widget, true)) {
    rect_->setupFullAxesBox(false);
    for (QCPAxis* axis : rect_->axes()) StyleAxis(axis);
    for (const auto side : {QCPAxis::atTop, QCPAxis::atRight}) {
      rect_->axis(side)->setTicks(false);
      rect_->axis(side)->setTickLabels(false);
    }
    rect_->setMinimumMargins(QMargins(0, 4, 10, 0));

    x_axis_ = rect_->axis(QCPAxis::atBottom);
    x_axis_->setRange(x.lower, x.upper);
    if (x_logarithmic_) {
      MakeLogarithmic(x_axis_);
    } else {
      if (CountsInX(plot) && x.upper - x.lower >= 1.0) MakeWhole(x_axis_);
      x_axis_->ticker()->setTickCount(6);
    }

    y_axis_ = rect_->axis(QCPAxis::atLeft);
    if (panel.y.logarithmic) {
      MakeLogarithmic(y_axis_);
      scale_ = {1.0, panel.y.unit};
    } else {
      scale_ = ScaleFor(y, panel.y.unit);
      if (scale_.factor == 1.0 && CountsInY(panel)) MakeWhole(y_axis_);
      y_axis_->ticker()->setTickCount(5);
    }
    y_axis_->setRange(y.lower * scale_.factor, y.upper * scale_.factor);
    y_axis_->setLabel(LabelOf(panel.y, scale_.unit));
    if (plot.zero_line) y_axis_->grid()->setZeroLinePen(QPen(ToQColor(kFrame), 1));
  }

  QCPAxisRect* rect() const { return rect_; }

  void SayUndefined() {
    auto* text = new QCPItemText(rect_->parentPlot());
    text->setClipToAxisRect(false);  // it would be another one
    text->setText("not defined");
    text->setFont(FigureFont(kTextHeight));
    text->setColor(ToQColor(kFrame));
    text->position->setAxisRect(rect_);
    text->position->setType(QCPItemPosition::ptAxisRectRatio);
    text->position->setCoords(0.5, 0.5);
  }

  // The plottable of the curve for the legend; null when nothing of the curve can be drawn.
  QCPAbstractPlottable* Add(const PlottedCurve& curve, int place, int columns) {
    if (!HasDefined(curve)) return nullptr;
    if (!curve.t.empty()) return AddPath(curve, columns);
    return curve.base.empty() ? AddCurve(curve, place, columns) : AddArea(curve);
  }

 private:
  // Draws a path in the order of time.
  QCPAbstractPlottable* AddPath(const PlottedCurve& path, int columns) {
    const bool logarithmic = panel_.y.logarithmic;
    PlottedCurve on_paper = path;
    AxisRange y_range = y_range_;
    if (logarithmic) {
      for (double& y : on_paper.y) y = y > 0.0 ? std::log10(y) : NAN;
      y_range = {std::log10(y_range.lower), std::log10(y_range.upper)};
    }
    const PlottedCurve thin = Thin(on_paper, x_range_, y_range, 1.0 / columns);
    auto* drawn = new QCPCurve(x_axis_, y_axis_);
    QVector<double> xs, ys;
    for (size_t i = 0; i < thin.x.size(); ++i) {
      xs.push_back(thin.x[i]);
      ys.push_back(logarithmic ? std::pow(10.0, thin.y[i]) : thin.y[i] * scale_.factor);
    }
    drawn->setName(QString::fromStdString(path.name));
    drawn->setPen(ToQPen(path.style));
    drawn->setData(QVector<double>(thin.t.begin(), thin.t.end()), xs, ys, true);
    if (path.diverged) AddCross(path);
    return drawn;
  }

  // Draws the area from the base to the value.
  QCPAbstractPlottable* AddArea(const PlottedCurve& area) {
    auto edge = [&](bool top) {
      auto* graph = new QCPGraph(x_axis_, y_axis_);
      for (size_t i = 0; i < area.x.size(); ++i) {
        const double value = std::isfinite(area.y[i]) ? area.y[i] : 0.0;
        double height = area.base[i] + (top ? value : 0.0);
        // A base of 0 is the lower end of a logarithmic axis; SVG has no clip that would end an area there.
        if (panel_.y.logarithmic || panel_.y.range)
          height = std::clamp(height, y_range_.lower, y_range_.upper);
        graph->addData(area.x[i], height * scale_.factor);
      }
      return graph;
    };
    QCPGraph* base = edge(false);
    base->setPen(Qt::NoPen);
    QCPGraph* graph = edge(true);
    graph->setName(QString::fromStdString(area.name));
    graph->setPen(QPen(ToQColor(area.style.colour), 1.0));
    graph->setBrush(ToQColor(Lighten(area.style.colour, kAreaLight)));
    graph->setChannelFillGraph(base);
    return graph;
  }

  QCPGraph* AddCurve(const PlottedCurve& curve, int place, int columns) {
    // Lines are straight on paper, so stretches are cut in the coordinates of the paper.
    PlottedCurve on_paper = curve;
    for (double& x : on_paper.x) x = ToPaper(x);
    const std::vector<Polyline> stretches =
        VisibleStretches(on_paper, y_range_, panel_.y.logarithmic);
    const AxisRange x_range = {ToPaper(x_range_.lower), ToPaper(x_range_.upper)};
    QVector<double> xs, ys, lone_xs, lone_ys;
    for (const Polyline& stretch : stretches) {
      const Polyline line = Decimate(stretch, x_range, columns);
      const bool lone = line.x.size() == 1;
      for (size_t i = 0; i < line.x.size(); ++i) {
        (lone ? lone_xs : xs).push_back(FromPaper(line.x[i]));
        (lone ? lone_ys : ys).push_back(line.y[i] * scale_.factor);
      }
      if (lone) continue;
      xs.push_back(FromPaper(line.x.back()));  // QCustomPlot breaks a line at NaN
      ys.push_back(std::nan(""));
    }
    if (stretches.empty()) return nullptr;

    auto* graph = new CurveGraph(x_axis_, y_axis_, place);
    graph->setName(QString::fromStdString(curve.name));
    graph->setPen(ToQPen(curve.style));
    graph->setScatterStyle(mark_values_ ? QCPScatterStyle() : MarkerOf(curve.style));
    graph->SetLegendMarker(MarkerOf(curve.style));
    graph->setAdaptiveSampling(false);
    graph->setData(xs, ys, true);
    if (!lone_xs.empty()) {
      const QColor colour = ToQColor(curve.style.colour);
      AddMarks(lone_xs, lone_ys, {QCPScatterStyle::ssDisc, colour, colour, 5});
    }
    if (mark_values_) MarkValues(curve);
    if (curve.diverged) AddCross(curve);
    for (const size_t place : curve.crossed) AddCross(curve, place);
    return graph;
  }

  // At the values alone, not where a line is cut by the frame.
  void MarkValues(const PlottedCurve& curve) {
    QVector<double> xs, ys;
    for (size_t i = 0; i < curve.x.size(); ++i) {
      if (!(curve.y[i] >= y_range_.lower && curve.y[i] <= y_range_.upper)) continue;
      xs.push_back(curve.x[i]);
      ys.push_back(curve.y[i] * scale_.factor);
    }
    AddMarks(xs, ys, MarkerOf(curve.style));
  }

  double ToPaper(double x) const { return x_logarithmic_ ? std::log10(x) : x; }
  double FromPaper(double x) const { return x_logarithmic_ ? std::pow(10.0, x) : x; }

  // Skips the NaN that interrupt a line: QPainter would draw them in the corner of the figure.
  void AddMarks(const QVector<double>& xs, const QVector<double>& ys,
                const QCPScatterStyle& style) {
    auto* marks = new MarkGraph(x_axis_, y_axis_);
    marks->setLineStyle(QCPGraph::lsNone);
    marks->setScatterStyle(style);
    marks->setAdaptiveSampling(false);
    for (int i = 0; i < xs.size(); ++i) {
      if (std::isfinite(ys[i])) marks->addData(xs[i], ys[i]);
    }
  }

  // Draws a cross at the last defined time; on the frame when the value lies outside.
  void AddCross(const PlottedCurve& curve) {
    for (size_t i = curve.y.size(); i-- > 0;) {
      if (!std::isfinite(curve.y[i])) continue;
      AddCross(curve, i);
      return;
    }
  }

  void AddCross(const PlottedCurve& curve, size_t i) {
    const double y = std::clamp(curve.y[i], y_range_.lower, y_range_.upper);
    AddMarks({curve.x[i]}, {y * scale_.factor},
             {QCPScatterStyle::ssCross, QPen(ToQColor(curve.style.colour), 2.4), Qt::NoBrush, 11});
  }

  const Panel& panel_;
  bool x_logarithmic_, mark_values_;
  AxisRange x_range_, y_range_;
  UnitScale scale_;
  QCPAxisRect* rect_;
  QCPAxis* x_axis_;
  QCPAxis* y_axis_;
};

}  // namespace pliant

#endif  // PLIANT_APP_PLOTS_PANEL_DRAWING_H_
