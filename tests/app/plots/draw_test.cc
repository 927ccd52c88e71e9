// Drawings without a display: well-formed vectors, nothing bridged, nothing outside its frame.

#include "app/plots/draw.h"

#include <gmock/gmock.h>
#include <qcustomplot.h>

#include <QImage>
#include <QRegularExpression>
#include <QXmlStreamReader>
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>

#include "app/plots/canvas.h"
#include "app/plots/filmstrip.h"
#include "app/plots/lamp_solid.h"
#include "experiments/bundles/bundle.h"
#include "experiments/files/experiment.h"
#include "models/problem.h"
#include "models/scene/shapes.h"
#include "tests/experiments/bundles/scratch.h"
#include "tests/scenes.h"

namespace pliant {
namespace {

using ::testing::ElementsAre;
using ::testing::Optional;

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

// Names of all elements, in order; fails the test when `svg` is not well formed.
std::vector<QString> ElementsOf(const std::string& svg) {
  QXmlStreamReader reader(QByteArray::fromStdString(svg));
  std::vector<QString> elements;
  while (!reader.atEnd()) {
    if (reader.readNext() == QXmlStreamReader::StartElement) {
      elements.push_back(reader.name().toString());
    }
  }
  EXPECT_FALSE(reader.hasError()) << reader.errorString().toStdString();
  return elements;
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

// A sheet and a chain over a slope, with something of every kind.
Filmstrip StripWith(const Eigen::Vector3d& shift) {
  Scene scene = SceneOf(
      {MakeSheet("sheet", {2, 2}, {5, 5}, 1.0), MakeChain("chain", {0, 0, 1}, {1, 0, 1}, 4, 1.0)});
  scene.name = "test";
  for (const ObstacleShape& shape :
       {ObstacleShape(Plane{Eigen::Vector3d(0.3, 1, 0).normalized()}), ObstacleShape(Sphere{}),
        ObstacleShape(Box{}), ObstacleShape(Capsule{})}) {
    scene.obstacles.push_back({"o", shape, Path::Still({0, -1, 0}), 0.0});
  }
  scene.nails = {{"nail", {0, 0}, Path::Still({-1, -1, 0})}};
  scene.attachments = {{"joint", {0, 1}, {1, 0}}};
  scene.springs.resize(1);
  scene.springs[0].anchor = {2, 2, 0};

  Filmstrip strip = {.scene = std::make_shared<Scene>(scene), .times = {0.0, 1.0}};
  KeyFrame start{0.0, scene.InitialPoints(), ""};
  KeyFrame end{1.0, scene.InitialPoints().colwise() + shift, "a <remark>"};
  strip.rows.push_back({"one", "completed", {0, 0x72, 0xb2}, false, {start, end}, ""});
  strip.rows.push_back({"two", "refused", {0, 0, 0}, false, {}, "because of a & b"});
  return strip;
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

TEST(Filmstrip, IsWellFormedAndSaysWhyARowIsEmpty) {
  const ScratchFolder folder;
  const std::filesystem::path path = folder / "strip.svg";
  const Filmstrip strip = StripWith({0.1, 0, 0});
  SaveFigure(path, FilmstripFigure(strip));
  std::ifstream file(path);
  const std::string svg((std::istreambuf_iterator<char>(file)), {});
  EXPECT_GT(ElementsOf(svg).size(), 100U);
  EXPECT_NE(svg.find("because of a &amp; b"), std::string::npos);
  EXPECT_NE(svg.find("a &lt;remark&gt;"), std::string::npos);
}

TEST(Filmstrip, NothingIsDrawnOutsideItsCells) {
  // A diverged body far beyond its cell, with points that are not numbers.
  for (const Eigen::Vector3d& shift :
       {Eigen::Vector3d(4, -3, 0), Eigen::Vector3d(1e9, 0, 0), Eigen::Vector3d(1e250, 1e250, 0)}) {
    Filmstrip strip = StripWith(shift);
    strip.rows[0].diverged = true;
    strip.rows[0].frames[1]->points(0, 3) = kNan;
    strip.rows[0].frames[1]->points(2, 4) = -kInfinity;
    const FigureSize size = FilmstripFigure(strip).size;
    EXPECT_LT(size.height, 2000);
    const ScratchFolder folder;
    const std::filesystem::path path = folder / "strip.svg";
    SaveFigure(path, FilmstripFigure(strip));
    std::ifstream file(path);
    const QString svg = QString::fromStdString({std::istreambuf_iterator<char>(file), {}});
    static const QRegularExpression point(R"(([-\d.e+]+|nan|inf),([-\d.e+]+|nan|inf))");
    auto points = point.globalMatch(svg);
    int count = 0;
    while (points.hasNext()) {
      const auto match = points.next();
      const double x = match.captured(1).toDouble(), y = match.captured(2).toDouble();
      EXPECT_TRUE(x >= -5 && x <= size.width + 5 && y >= -5 && y <= size.height + 5)
          << match.captured(0).toStdString();
      ++count;
    }
    EXPECT_GT(count, 100);
  }
}

// Of the two frames, at 0 s and 1 s.
TEST(Filmstrip, NailsAndAttachmentsAreDrawnWhileTheyHold) {
  const auto marks = [](const HoldTime& nail, const HoldTime& joint) {
    Filmstrip strip = StripWith({0.1, 0, 0});
    Scene scene = *strip.scene;
    scene.nails[0].hold = nail;
    scene.attachments[0].hold = joint;
    strip.scene = std::make_shared<Scene>(scene);
    return QString::fromStdString(FigureToSvg(FilmstripFigure(strip))).count("#111111");
  };
  const HoldTime always, later{0.5}, before{0.0, 1.0}, between{0.2, 0.8};
  const auto none = marks(between, between);
  // In each frame in which it holds, and in the legend if it does in any.
  const auto nail = marks(always, between) - marks(later, between);
  const auto joint = marks(between, always) - marks(between, later);
  EXPECT_GT(nail, 0);
  EXPECT_GT(joint, 0);
  const auto legend = marks(later, between) - none - nail;
  EXPECT_GT(legend, 0);
  for (const HoldTime& once : {later, before}) {
    EXPECT_EQ(marks(once, between), none + legend + nail);
    EXPECT_EQ(marks(between, once), none + legend + joint);
    EXPECT_EQ(marks(always, between), none + legend + 2 * nail);
  }
}

TEST(Filmstrip, SlidersShowWhatTheyKeepPointsOn) {
  // Grey lines of guides, and marks, of six frames.
  const auto drawn = [](const std::vector<Slider>& sliders) {
    Filmstrip strip = StripWith({0.1, 0, 0});
    Scene scene = *strip.scene;
    scene.springs.clear();
    scene.sliders = sliders;
    strip.scene = std::make_shared<Scene>(scene);
    const QString svg = QString::fromStdString(FigureToSvg(FilmstripFigure(strip)));
    return std::array{svg.count("#8a8a8a"), svg.count("#111111"), svg.count(">slider<")};
  };
  Slider slider{.name = "track", .point = {0, 0}, .kind = Slider::Kind::kCurve};
  slider.corners.resize(3, 3);
  slider.corners << 0, 0.1, 0.1, 0, 0, 0.1, 0, 0, 0;
  const auto none = drawn({}), open = drawn({slider});
  slider.closed = true;
  const auto closed = drawn({slider});
  EXPECT_EQ(none[2], 0);
  EXPECT_EQ(open[2], 1) << "in the key once";
  EXPECT_GT(open[1], none[1]);
  EXPECT_GT(open[0], none[0]);
  EXPECT_EQ(2 * (closed[0] - none[0]), 3 * (open[0] - none[0])) << "three sides instead of two";
  slider.hold.from = 1e6;
  EXPECT_EQ(drawn({slider}), none) << "not yet";
  Slider ball{.name = "cage", .point = {0, 0}, .kind = Slider::Kind::kBall};
  ball.radius = 0.1;
  EXPECT_GT(drawn({ball})[0], none[0]);
}

TEST(Filmstrip, BodiesAppearInTheColourOfTheirRun) {
  EnsureApplication();
  const Filmstrip strip = StripWith({0, 0, 0});
  const QImage image =
      QImage::fromData(QByteArray::fromStdString(FigureToPng(FilmstripFigure(strip))));
  ASSERT_FALSE(image.isNull());
  int blue = 0;
  for (int y = 60; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) {
      const QColor c = image.pixelColor(x, y);
      if (c.blue() > c.red() + 60 && c.green() > c.red()) ++blue;
    }
  }
  EXPECT_GT(blue, image.width() * image.height() / 50);
}

TEST(KeyRecords, AreTheNearestAndEndWithTheRun) {
  EXPECT_THAT(KeyTimes(4.0, 3), ElementsAre(0.0, 2.0, 4.0));
  const std::vector<double> records = {0.0, 0.9, 2.2, 4.0};
  EXPECT_THAT(KeyRecords({0.0, 1.0, 2.0, 4.0}, records),
              ElementsAre(Optional(0U), Optional(1U), Optional(2U), Optional(3U)));
  // A run that ended early shows its last record once.
  EXPECT_THAT(KeyRecords({0.0, 2.0, 4.0, 6.0}, {0.0, 0.5, 1.0}),
              ElementsAre(Optional(0U), Optional(2U), std::nullopt, std::nullopt));
  EXPECT_THAT(KeyRecords({0.0, 1.0}, {}), ElementsAre(std::nullopt, std::nullopt));
}

// The lamp of the files: a base 20 cm wide and 4 cm high, a head 14 cm wide at its rim.
TEST(LampSolid, IsRoundAboutTheAxesOfItsLinks) {
  const Scene scene = ReadScene(PLIANT_SOURCE_DIR "/data/scenes/lamp.toml");
  const Body& body = scene.bodies.at(0);
  const Eigen::Matrix3Xd x = scene.InitialPoints();
  const std::vector<SolidFace> faces = LampSolid(body, x);
  ASSERT_FALSE(faces.empty());
  double low = kInfinity, left = 0.0, deep = 0.0, near = 0.0;
  for (const SolidFace& face : faces) {
    EXPECT_NEAR(face.normal.norm(), 1.0, 1e-12);
    for (const Eigen::Vector3d& corner : face.corners) {
      low = std::min(low, corner.y());
      left = std::min(left, corner.x() * (corner.y() < 0.05 ? 1.0 : 0.0));
      near = std::max(near, corner.z());
      deep = std::min(deep, corner.z());
      // All in the plane of the face.
      EXPECT_NEAR(face.normal.dot(corner - face.corners[0]), 0.0, 1e-12);
    }
  }
  EXPECT_NEAR(low, 0.0, 1e-12);
  EXPECT_NEAR(left, -0.1, 2e-3);
  EXPECT_NEAR(near, 0.1, 2e-3);
  EXPECT_NEAR(deep, -0.1, 2e-3);
  // It turns with its points.
  const Eigen::Matrix3d turn = Eigen::AngleAxisd(0.7, Eigen::Vector3d::UnitZ()).toRotationMatrix();
  const std::vector<SolidFace> turned = LampSolid(body, turn * x);
  ASSERT_EQ(turned.size(), faces.size());
  const auto is_base = [&](const SolidFace& face, const Eigen::Matrix3d& back) {
    return std::all_of(face.corners.begin(), face.corners.end(), [&](const auto& corner) {
      return (back * corner).y() > -1e-9 && (back * corner).y() < 0.04 + 1e-9;
    });
  };
  EXPECT_EQ(
      std::count_if(faces.begin(), faces.end(),
                    [&](const auto& face) { return is_base(face, Eigen::Matrix3d::Identity()); }),
      std::count_if(turned.begin(), turned.end(),
                    [&](const auto& face) { return is_base(face, turn.transpose()); }));
  Body outline = body;
  outline.marks.pop_back();
  EXPECT_TRUE(LampSolid(outline, x).empty());
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
