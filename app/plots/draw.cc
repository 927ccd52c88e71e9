#include "app/plots/draw.h"

#include <qcustomplot.h>

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <set>

#include "app/plots/panel_drawing.h"
#include "app/plots/qt_style.h"

namespace pliant {
namespace {

constexpr int kFigureWidth = 760;  // px, of a figure in the report
constexpr int kNoteHeight = 11;    // px
constexpr int kNoteLine = 15;      // px from line to line
constexpr int kIconHeight = 17;    // px, holds a line of text
constexpr int kLegendLine = 20;    // px from row to row
constexpr int kIconWidth = 44;     // px, enough for two dashes and a marker
constexpr int kPad = 6;            // px, around the figure
const Colour kNote{0x55, 0x55, 0x55};

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
      if (!curve.name.empty() && std::find(names.begin(), names.end(), curve.name) == names.end()) {
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
  qDeleteAll(widget->findChildren<QCPMarginGroup*>());  // of the elements that are gone
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
      if (graph == nullptr || legend == nullptr || curve.name.empty()) continue;
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
