// Film strips without a display: well formed, nothing outside the cells, marks of what holds.

#include "app/plots/filmstrip.h"

#include <gmock/gmock.h>

#include <QImage>
#include <QRegularExpression>
#include <array>
#include <filesystem>
#include <fstream>
#include <limits>

#include "app/plots/canvas.h"
#include "models/scene/shapes.h"
#include "tests/app/plots/svg.h"
#include "tests/experiments/bundles/scratch.h"
#include "tests/scenes.h"

namespace pliant {
namespace {

using ::testing::ElementsAre;
using ::testing::Optional;

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
    strip.rows[0].frames[1]->points(0, 3) = std::numeric_limits<double>::quiet_NaN();
    strip.rows[0].frames[1]->points(2, 4) = -std::numeric_limits<double>::infinity();
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

}  // namespace
}  // namespace pliant
