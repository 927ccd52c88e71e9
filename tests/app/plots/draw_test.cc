// Drawings without a display: well-formed vectors, nothing bridged, nothing outside its frame.

#include "app/plots/draw.h"

#include <gmock/gmock.h>
#include <qcustomplot.h>

#include <QImage>
#include <QRegularExpression>
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>

#include "app/plots/canvas.h"
#include "experiments/bundles/storage.h"
#include "models/problem.h"
#include "tests/app/plots/svg.h"
#include "tests/experiments/bundles/scratch.h"

namespace pliant {
namespace {

using ::testing::ElementsAre;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

PlottedCurve CurveWith(std::vector<double> y, const std::string& name = "a") {
  PlottedCurve curve;
  curve.name = curve.run = name;
  curve.style = {{0x12, 0x34, 0x56}};
  for (size_t i = 0; i < y.size(); ++i) curve.x.push_back(static_cast<double>(i));
  curve.y = std::move(y);
  return curve;
}

Plot PlotWith(std::vector<PlottedCurve> curves, bool logarithmic = false) {
  Plot plot = {.title = "Height < 3 & \"more\"", .x = {"time", "s", false}};
  plot.panels.push_back({"", {"height", "m", logarithmic}, std::move(curves)});
  return plot;
}

// Lines drawn in the colour of CurveWith over the plot, its entry in the legend not counted: the
// number of points of each.
std::vector<int> LinesOf(const std::string& svg) {
  static const QRegularExpression group(
      R"re(<g [^>]*stroke="#123456"[^>]*>\s*((?:<polyline[^>]*points="[^"]*"[^>]*>\s*)+)</g>)re");
  static const QRegularExpression line(R"re(points="([^"]*)")re");
  std::vector<int> lines;
  auto groups = group.globalMatch(QString::fromStdString(svg));
  while (groups.hasNext()) {
    auto found = line.globalMatch(groups.next().captured(1));
    while (found.hasNext()) {
      lines.push_back(
          static_cast<int>(found.next().captured(1).split(' ', Qt::SkipEmptyParts).size()));
    }
  }
  if (!lines.empty()) lines.pop_back();  // the legend, drawn last
  return lines;
}

TEST(PlotToSvg, IsWellFormedForEverySortOfData) {
  for (const bool logarithmic : {false, true}) {
    for (const std::vector<double>& y : {std::vector<double>{},
                                         {0},
                                         {1},
                                         {kNan, kNan},
                                         {1, kNan, 2},
                                         {kInfinity, -kInfinity, 1},
                                         {0, -1, 5},
                                         {1e300, 1e-300},
                                         {-3, -3}}) {
      Plot plot = PlotWith({CurveWith(y), CurveWith({1, 2, 3}, "b")}, logarithmic);
      plot.panels[0].curves[0].diverged = true;
      const std::vector<QString> elements = ElementsOf(PlotToSvg(plot));
      ASSERT_FALSE(elements.empty());
      EXPECT_EQ(elements.front(), "svg");
    }
  }
}

// Pages draw their curves again ten times a second, for hours.
TEST(Draw, AgainLeavesNothingOfTheLastDrawing) {
  EnsureApplication();
  QCustomPlot widget;
  Plot plot = PlotWith({CurveWith({1.0, 3.0, 2.0})});
  plot.panels.push_back(plot.panels.front());
  const auto count = [&] {
    Draw(plot, &widget);
    return widget.findChildren<QObject*>().size() + widget.graphCount() + widget.itemCount();
  };
  const auto first = count();
  EXPECT_EQ(count(), first);
  EXPECT_EQ(count(), first);
}

TEST(PlotToSvg, DrawsAGapAsAGap) {
  EXPECT_THAT(LinesOf(PlotToSvg(PlotWith({CurveWith({1, 2, 1, 2, 1})}))), ElementsAre(5));
  EXPECT_THAT(LinesOf(PlotToSvg(PlotWith({CurveWith({1, 2, kNan, 2, 1})}))), ElementsAre(2, 2));
  EXPECT_THAT(LinesOf(PlotToSvg(PlotWith({CurveWith({1, 2, 0, 2, 3, 1})}, true))),
              ElementsAre(2, 3));
}

TEST(PlotToSvg, DrawsNothingWhereNothingIsDefined) {
  const std::string svg = PlotToSvg(PlotWith({CurveWith({kNan, kNan}, "gone")}));
  EXPECT_EQ(svg.find("#123456"), std::string::npos);
  EXPECT_NE(svg.find("Not defined for gone."), std::string::npos);
  EXPECT_NE(svg.find(">not defined<"), std::string::npos) << "said in the empty frame too";
}

TEST(PlotToSvg, MarksTheEndOfADivergedRun) {
  Plot plot = PlotWith({CurveWith({1, 2, 3})});
  const std::string healthy = PlotToSvg(plot);
  plot.panels[0].curves[0].diverged = true;
  const std::string diverged = PlotToSvg(plot);
  auto count = [](const std::string& svg) {
    return QString::fromStdString(svg).count(QRegularExpression(R"(stroke-width="2.4")"));
  };
  EXPECT_EQ(count(healthy), 0);
  EXPECT_GE(count(diverged), 1);
  EXPECT_NE(diverged.find("× diverged: a at 2 s."), std::string::npos);
}

TEST(PlotToSvg, CountsInWholeNumbers) {
  Plot plot = PlotWith({CurveWith({1, 2, 1, 3})});  // at x = 0 to 3
  EXPECT_EQ(PlotToSvg(plot).find(">1.5<"), std::string::npos);
  EXPECT_NE(PlotToSvg(plot).find(">2<"), std::string::npos);
  plot.panels[0].curves[0].x[1] = 1.2;
  EXPECT_NE(PlotToSvg(plot).find(">1.5<"), std::string::npos) << "as a quantity";
}

TEST(PlotToSvg, NamesTheFigureAndNothingOutsideIt) {
  const std::string svg = PlotToSvg(PlotWith({CurveWith({1, 2})}));
  EXPECT_NE(svg.find("<title>Height &lt; 3 &amp; &quot;more&quot;</title>"), std::string::npos);
  EXPECT_EQ(svg.rfind("<svg", 0), 0U) << "no prolog: it stands in a page";
  EXPECT_EQ(svg.find("href"), std::string::npos);
}

TEST(SavePlot, WritesWhatTheEndingSays) {
  const ScratchFolder directory;
  const Plot plot = PlotWith({CurveWith({1, 2, 1})});
  auto start_of = [&](const std::string& name) {
    SavePlot(plot, directory / name);
    std::ifstream file(directory / name, std::ios::binary);
    std::string start(5, ' ');
    file.read(start.data(), 5);
    return start;
  };
  EXPECT_EQ(start_of("plot.svg"), "<?xml");
  EXPECT_EQ(start_of("plot.pdf"), "%PDF-");
  EXPECT_EQ(start_of("plot.png").substr(1, 3), "PNG");
  EXPECT_THROW(SavePlot(plot, directory / "plot.jpeg"), BadInput);
  EXPECT_THROW(SavePlot(plot, directory / "missing" / "plot.svg"), StorageError);
}

TEST(SavePlot, MarksValuesAndNotTheEndsOfLines) {
  // A painter draws what is not a number at the corner of the figure.
  Plot plot = PlotWith({CurveWith({1, 2, kNan, 2, 1})});
  plot.mark_values = true;
  plot.panels[0].curves[0].style.marker = Marker::kCircle;
  const ScratchFolder folder;
  const std::filesystem::path path = folder / "marks.png";
  SavePlot(plot, path);
  const QImage image(QString::fromStdString(path.string()));
  ASSERT_FALSE(image.isNull());
  for (int x = 0; x < 12; ++x) {
    for (int y = 0; y < 12; ++y) {
      const QColor colour = image.pixelColor(x, y);
      ASSERT_GT(std::min({colour.red(), colour.green(), colour.blue()}), 250) << x << " " << y;
    }
  }
}

// The ticks of a logarithmic x axis over this range; no two labels are alike.
std::vector<double> TicksOver(const AxisRange& range) {
  EnsureApplication();
  QCustomPlot widget;
  Plot plot = PlotWith({CurveWith({1, 2, 3})});
  plot.x.logarithmic = true;
  plot.x.range = range;
  Draw(plot, &widget);
  const QCPAxis* axis = widget.axisRects().front()->axis(QCPAxis::atBottom);
  QVector<double> ticks;
  QVector<QString> labels;
  axis->ticker()->generate(axis->range(), QLocale::c(), 'e', axis->numberPrecision(), ticks,
                           nullptr, &labels);
  EXPECT_EQ(std::set<QString>(labels.begin(), labels.end()).size(), labels.size());
  return {ticks.begin(), ticks.end()};
}

TEST(Draw, ALogarithmicAxisHasThreeTicksHoweverShortItIs) {
  const auto near = [](const std::vector<double>& ticks) {
    return testing::Pointwise(testing::DoubleNear(1e-12), ticks);
  };
  EXPECT_THAT(TicksOver({1e-5, 1e-1}), testing::SizeIs(testing::Le(5u)));
  EXPECT_THAT(TicksOver({9e-4, 3e-2}), near({1e-3, 2e-3, 5e-3, 1e-2, 2e-2}));
  EXPECT_THAT(TicksOver({1e-3, 4e-3}), near({1e-3, 2e-3, 3e-3, 4e-3}));
  EXPECT_THAT(TicksOver({0.1, 0.3}), near({0.1, 0.2, 0.3})) << "3 times 0.1 is not 0.3";
  EXPECT_THAT(TicksOver({1.19, 1.51}), near({1.2, 1.25, 1.3, 1.35, 1.4, 1.45, 1.5}));
}

// A mark says that there is a value; where a line leaves the range there is none.
TEST(Draw, MarksTheValuesInsideTheRangeThatIsAsked) {
  EnsureApplication();
  QCustomPlot widget;
  Plot plot = PlotWith({CurveWith({1, 50, 2, 3})}, true);
  plot.mark_values = true;
  plot.panels[0].y.range = {1.0, 10.0};
  PlottedCurve area = CurveWith({4, 4, 4, 4}, "error");
  area.base = {0, 0, 0, 0};  // the lower end of a logarithmic axis
  plot.panels[0].curves.push_back(area);
  Draw(plot, &widget);
  int marks = 0;
  for (int g = 0; g < widget.graphCount(); ++g) {
    const QCPGraph& graph = *widget.graph(g);
    if (graph.lineStyle() == QCPGraph::lsNone) marks += graph.dataCount();
    for (const QCPGraphData& point : *graph.data()) {
      if (!std::isfinite(point.value)) continue;
      EXPECT_GE(point.value, 1.0);
      EXPECT_LE(point.value, 10.0);
    }
  }
  EXPECT_EQ(marks, 3);
}

// 10⁵ points on a screen: a level line with noise, one point far above it, then noise alone.
TEST(Draw, DenseLinesKeepTheirExtremesAndTheirDashes) {
  EnsureApplication();
  constexpr int kPoints = 100000, kSpike = 30000;
  for (const Dash dash : {Dash::kSolid, Dash::kDashed}) {
    std::vector<double> y;
    for (int i = 0; i < kPoints; ++i) {
      const double noise = ((i * 7919) % 1000) / 1000.0;
      y.push_back(i < kPoints / 2 ? 0.1 + 0.001 * noise : 0.5 * noise);
    }
    y[kSpike] = 1.0;
    Plot plot = PlotWith({CurveWith(y)});
    plot.panels[0].curves[0].style.dash = dash;
    QCustomPlot widget;
    widget.resize(900, 300);
    widget.setViewport(QRect(0, 0, 900, 300));
    Draw(plot, &widget, Below::kPartsOnly);
    widget.replot();
    const QImage image = widget.grab().toImage();
    const QCPAxisRect* rect = widget.axisRect(0);
    const QCPAxis *time = rect->axis(QCPAxis::atBottom), *height = rect->axis(QCPAxis::atLeft);
    auto inked = [&](int x, int row) {  // 1 in the colour of the line, 0 where there is none
      const QColor c = image.pixelColor(x, row);
      return c.red() < 0x60 ? 1.0 : (c.red() < 0xd8 ? 0.5 : 0.0);
    };
    const int spike = static_cast<int>(time->coordToPixel(kSpike));
    const int half_way = static_cast<int>(height->coordToPixel(0.75));
    const double found =
        std::max({inked(spike - 1, half_way), inked(spike, half_way), inked(spike + 1, half_way)});
    EXPECT_EQ(found, 1.0) << "the extreme is lost";
    // Along the level part, and half way up the noise.
    const int level = static_cast<int>(height->coordToPixel(0.1));
    const int amid = static_cast<int>(height->coordToPixel(0.25));
    const int begin = static_cast<int>(time->coordToPixel(1000)),
              middle = static_cast<int>(time->coordToPixel(kPoints / 2)),
              end = static_cast<int>(time->coordToPixel(kPoints - 1000));
    std::array<int, 3> on_level{}, on_noise{};
    for (int x = begin; x < middle - 5; ++x) ++on_level[static_cast<int>(2 * inked(x, level))];
    for (int x = middle + 5; x < end; ++x) ++on_noise[static_cast<int>(2 * inked(x, amid))];
    if (dash == Dash::kSolid) {
      EXPECT_EQ(on_level[0], 0);
      EXPECT_EQ(on_noise[0] + on_noise[1], 0);
    } else {  // dashes of 5 widths, gaps of 2.2: none on a level, pale in noise
      EXPECT_NEAR(on_level[0], 0.31 * (middle - 5 - begin), 0.08 * (middle - begin));
      EXPECT_EQ(on_noise[0], 0);
      EXPECT_GT(on_noise[1], 20);
      EXPECT_GT(on_noise[2], 20);
    }
  }
}

}  // namespace
}  // namespace pliant
