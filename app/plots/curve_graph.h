// The graphs of QCustomPlot as figures need them. With Qt; for the .cc files of this room.

#ifndef PLIANT_APP_PLOTS_CURVE_GRAPH_H_
#define PLIANT_APP_PLOTS_CURVE_GRAPH_H_

#include <qcustomplot.h>

namespace pliant {

// A graph whose markers stand apart by a distance on paper, whatever the distance of its points.
class CurveGraph : public QCPGraph {
 public:
  // `place` among the curves: curves that coincide show their markers side by side.
  CurveGraph(QCPAxis* x, QCPAxis* y, int place) : QCPGraph(x, y), place_(place) {}

  // In the legend, also where the marks of the curve are a graph of their own.
  void SetLegendMarker(const QCPScatterStyle& marker) { legend_marker_ = marker; }

 protected:
  // The original draws beyond its rectangle and counts on a clip, which SVG does not have.
  void drawLegendIcon(QCPPainter* painter, const QRectF& rect) const override;
  // A stroke of thousands of corners takes longer than all the rest of a picture. On a screen a
  // line with several points to a pixel is drawn as the bars it covers; in the gaps of its dashes
  // bars that are higher than a line are pale, so that no extreme is lost.
  void drawLinePlot(QCPPainter* painter, const QVector<QPointF>& points) const override;
  void drawScatterPlot(QCPPainter* painter, const QVector<QPointF>& scatters,
                       const QCPScatterStyle& style) const override;

 private:
  int place_;
  QCPScatterStyle legend_marker_;
};

// Marks that may stand on the frame without being cut.
class MarkGraph : public QCPGraph {
 public:
  using QCPGraph::QCPGraph;

 protected:
  QRect clipRect() const override { return keyAxis()->axisRect()->rect().adjusted(-8, -8, 8, 8); }
};

}  // namespace pliant

#endif  // PLIANT_APP_PLOTS_CURVE_GRAPH_H_
