#include "app/plots/draw.h"

#include <qcustomplot.h>

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <set>

#include "app/plots/curve_graph.h"
#include "app/plots/qt_style.h"

namespace pliant {
namespace {

constexpr int kFigureWidth = 760;    // px, of a figure in the report
constexpr int kTextHeight = 12;      // px, axes and legend
constexpr int kNoteHeight = 11;      // px
constexpr int kNoteLine = 15;        // px from line to line
constexpr int kIconHeight = 17;      // px, holds a line of text
constexpr int kLegendLine = 20;      // px from row to row
constexpr int kIconWidth = 44;       // px, enough for two dashes and a marker
constexpr int kPad = 6;              // px, around the figure
constexpr int kColumnsPerPixel = 2;  // a drawing may be enlarged
constexpr double kAreaLight = 0.35;  // areas are lighter than their border
const Colour kFrame{0x77, 0x77, 0x77};
const Colour kGrid{0xe4, 0xe4, 0xe4};
const Colour kNote{0x55, 0x55, 0x55};

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

// Powers of ten, and the axis that shows them.
void MakeLogarithmic(QCPAxis* axis) {
  axis->setScaleType(QCPAxis::stLogarithmic);
  axis->setTicker(QSharedPointer<QCPAxisTickerLog>::create());
  axis->setNumberFormat("eb");
  axis->setNumberPrecision(0);
}

// No ticks between whole numbers, for what comes in those: levels, sweeps, points.
void MakeWhole(QCPAxis* axis) {
  auto ticker = QSharedPointer<QCPAxisTickerFixed>::create();
  ticker->setTickStep(1.0);
  ticker->setScaleStrategy(QCPAxisTickerFixed::ssMultiples);
  axis->setTicker(ticker);
  axis->setSubTicks(false);
}

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

  // What stands for the curve in the legend; null when nothing of it can be drawn.
  QCPAbstractPlottable* Add(const PlottedCurve& curve, int place, int columns) {
    if (!HasDefined(curve)) return nullptr;
    if (!curve.t.empty()) return AddPath(curve, columns);
    return curve.base.empty() ? AddCurve(curve, place, columns) : AddArea(curve);
  }

 private:
  // In the order of time.
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

  // From its base to as far as its value reaches.
  QCPAbstractPlottable* AddArea(const PlottedCurve& area) {
    auto edge = [&](bool top) {
      auto* graph = new QCPGraph(x_axis_, y_axis_);
      for (size_t i = 0; i < area.x.size(); ++i) {
        const double value = std::isfinite(area.y[i]) ? area.y[i] : 0.0;
        graph->addData(area.x[i], (area.base[i] + (top ? value : 0.0)) * scale_.factor);
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
    // Lines are straight on paper, so stretches are made of what is linear there.
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
    graph->setAdaptiveSampling(false);
    graph->setData(xs, ys, true);
    if (!lone_xs.empty()) {
      const QColor colour = ToQColor(curve.style.colour);
      AddMarks(lone_xs, lone_ys, {QCPScatterStyle::ssDisc, colour, colour, 5});
    }
    if (mark_values_) {
      AddMarks(xs, ys, MarkerOf(curve.style));
      AddMarks(lone_xs, lone_ys, MarkerOf(curve.style));
    }
    if (curve.diverged) AddCross(curve);
    return graph;
  }

  double ToPaper(double x) const { return x_logarithmic_ ? std::log10(x) : x; }
  double FromPaper(double x) const { return x_logarithmic_ ? std::pow(10.0, x) : x; }

  // Not at the NaN that break a line: QPainter takes them for the corner of the figure.
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

  // At the last defined time, on the frame where the value lies outside.
  void AddCross(const PlottedCurve& curve) {
    for (size_t i = curve.y.size(); i-- > 0;) {
      if (!std::isfinite(curve.y[i])) continue;
      const double y = std::clamp(curve.y[i], y_range_.lower, y_range_.upper);
      AddMarks(
          {curve.x[i]}, {y * scale_.factor},
          {QCPScatterStyle::ssCross, QPen(ToQColor(curve.style.colour), 2.4), Qt::NoBrush, 11});
      return;
    }
  }

  const Panel& panel_;
  bool x_logarithmic_, mark_values_;
  AxisRange x_range_, y_range_;
  UnitScale scale_;
  QCPAxisRect* rect_;
  QCPAxis* x_axis_;
  QCPAxis* y_axis_;
};

// Panels stand in two columns from four on, or where there are two; three are stacked.
int ColumnsOf(const Plot& plot) {
  const size_t panels = plot.panels.size();
  return panels == 2 || panels > 3 ? 2 : 1;
}

// Names in the legend, each once.
std::vector<std::string> LegendNames(const Plot& plot) {
  std::vector<std::string> names;
  for (const Panel& panel : plot.panels) {
    for (const PlottedCurve& curve : panel.curves) {
      if (std::find(names.begin(), names.end(), curve.name) == names.end()) {
        names.push_back(curve.name);
      }
    }
  }
  return names;
}

int LegendColumns(const Plot& plot, int width) {
  const QFontMetricsF metrics(FigureFont(kTextHeight));
  double widest = 1.0;
  const std::vector<std::string> names = LegendNames(plot);
  for (const std::string& name : names) {
    widest = std::max(widest, metrics.horizontalAdvance(QString::fromStdString(name)));
  }
  const int fit = static_cast<int>((width - 20) / (widest + kIconWidth + 30));
  return std::clamp(fit, 1, std::max(1, static_cast<int>(names.size())));
}

// Notes broken into lines of at most `width` px.
QStringList NoteLines(const Plot& plot, int width) {
  const QFontMetricsF metrics(FigureFont(kNoteHeight));
  QStringList lines;
  for (const std::string& note : NotesOf(plot)) {
    QString line;
    for (const QString& word : QString::fromStdString(note).split(' ')) {
      const QString longer = line.isEmpty() ? word : line + ' ' + word;
      if (!line.isEmpty() && metrics.horizontalAdvance(longer) > width - 2 * kPad) {
        lines << line;
        line = "   " + word;
      } else {
        line = longer;
      }
    }
    lines << line;
  }
  return lines;
}

QCPLegend* MakeLegend(int columns) {
  auto* legend = new QCPLegend;
  legend->setFont(FigureFont(kTextHeight));
  legend->setBorderPen(Qt::NoPen);
  legend->setBrush(Qt::NoBrush);
  legend->setIconSize(kIconWidth, kIconHeight);
  legend->setFillOrder(QCPLegend::foColumnsFirst);
  legend->setWrap(columns);
  legend->setRowSpacing(0);
  legend->setMargins(QMargins(kPad, 0, kPad, 0));
  return legend;
}

// Are there curves that are not a run each?
bool HasParts(const Plot& plot) {
  return std::any_of(plot.panels.begin(), plot.panels.end(), [](const Panel& panel) {
    return std::any_of(panel.curves.begin(), panel.curves.end(),
                       [](const PlottedCurve& curve) { return curve.name != curve.run; });
  });
}

void Paint(const Plot& plot, FigureSize size, QPaintDevice* device) {
  QCustomPlot widget;
  widget.resize(size.width, size.height);
  widget.setViewport(QRect(0, 0, size.width, size.height));
  widget.setAntialiasedElements(QCP::aeAll);
  Draw(plot, &widget);
  QCPPainter painter(device);
  painter.setMode(QCPPainter::pmNoCaching);
  painter.setMode(QCPPainter::pmVectorized);
  widget.toPainter(&painter, size.width, size.height);
}

}  // namespace

void Draw(const Plot& plot, QCustomPlot* widget, Below below) {
  widget->clearPlottables();
  widget->clearItems();
  widget->plotLayout()->clear();
  widget->setAutoAddPlottableToLegend(false);
  widget->plotLayout()->setRowSpacing(4);
  const int width = widget->viewport().width();

  auto* grid = new QCPLayoutGrid;
  grid->setRowSpacing(2);
  grid->setColumnSpacing(12);
  QCPLayoutGrid* layout = widget->plotLayout();
  layout->addElement(0, 0, grid);
  QCPLegend* legend = nullptr;
  if (below == Below::kAll || HasParts(plot)) {
    legend = MakeLegend(LegendColumns(plot, width));
    layout->addElement(1, 0, legend);
    layout->setRowStretchFactor(1, 0.001);  // as low as the legend allows
  }

  const int columns = ColumnsOf(plot);
  const AxisRange x = RangeOfX(plot);
  const std::vector<AxisRange> y = RangesOfY(plot);
  std::vector<QCPMarginGroup*> sides;
  for (int i = 0; i < columns; ++i) sides.push_back(new QCPMarginGroup(widget));
  const std::vector<std::string> names = LegendNames(plot);
  std::set<std::string> in_legend;
  const bool titled = std::any_of(plot.panels.begin(), plot.panels.end(),
                                  [](const Panel& panel) { return !panel.title.empty(); });
  for (size_t i = 0; i < plot.panels.size(); ++i) {
    const Panel& panel = plot.panels[i];
    PanelDrawing drawing(plot, panel, x, y[i], widget);
    const int row = static_cast<int>(i) / columns, column = static_cast<int>(i) % columns;
    const bool drawn = std::any_of(panel.curves.begin(), panel.curves.end(), HasDefined);
    if (titled) {
      auto* title = new QCPTextElement(widget, QString::fromStdString(panel.title),
                                       FigureFont(kTextHeight, true));
      grid->addElement(2 * row, column, title);
      grid->setRowStretchFactor(2 * row, 0.001);
    }
    grid->addElement(titled ? 2 * row + 1 : row, column, drawing.rect());
    if (!drawn) drawing.SayUndefined();
    drawing.rect()->setMarginGroup(QCP::msLeft | QCP::msRight, sides[column]);
    if (i + columns >= plot.panels.size()) {
      drawing.rect()->axis(QCPAxis::atBottom)->setLabel(LabelOf(plot.x, plot.x.unit));
    }
    for (const PlottedCurve& curve : panel.curves) {
      const auto place = std::find(names.begin(), names.end(), curve.name) - names.begin();
      QCPAbstractPlottable* graph =
          drawing.Add(curve, static_cast<int>(place), kColumnsPerPixel * width / columns);
      if (graph == nullptr || legend == nullptr) continue;
      if (in_legend.insert(curve.name).second) graph->addToLegend(legend);
    }
  }

  const QStringList notes = NoteLines(plot, width);
  if (notes.empty() || below != Below::kAll) return;
  auto* text = new QCPTextElement(widget, notes.join('\n'), FigureFont(kNoteHeight));
  text->setTextColor(ToQColor(kNote));
  text->setTextFlags(Qt::AlignLeft | Qt::AlignTop);
  text->setMargins(QMargins(kPad, 0, kPad, kPad));
  layout->addElement(2, 0, text);
  layout->setRowStretchFactor(2, 0.001);
}

FigureSize SizeOf(const Plot& plot) {
  EnsureApplication();
  const int columns = ColumnsOf(plot);
  const int panels = static_cast<int>(plot.panels.size());
  const int rows = (panels + columns - 1) / columns;
  const int panel_height = rows == 1 ? (columns == 1 ? 300 : 260) : 190;
  const int names = static_cast<int>(LegendNames(plot).size());
  const int wrap = LegendColumns(plot, kFigureWidth);
  const int legend = kLegendLine * ((names + wrap - 1) / wrap);
  const int notes = kNoteLine * static_cast<int>(NoteLines(plot, kFigureWidth).size());
  return {kFigureWidth, rows * panel_height + 24 + legend + notes + 2 * kPad};
}

std::string PlotToSvg(const Plot& plot) {
  const FigureSize size = SizeOf(plot);
  return FigureToSvg({plot.title, size, [&](QPaintDevice* device) { Paint(plot, size, device); }});
}

void SavePlot(const Plot& plot, const std::filesystem::path& path) {
  SavePlot(plot, path, SizeOf(plot));
}

void SavePlot(const Plot& plot, const std::filesystem::path& path, FigureSize size) {
  SaveFigure(path, {plot.title, size, [&](QPaintDevice* device) { Paint(plot, size, device); }});
}

}  // namespace pliant
