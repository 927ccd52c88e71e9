// Pictures of large scenes: their cost follows the pixels, what is seen stays.

#include "app/plots/merged_surface.h"

#include <gmock/gmock.h>

#include <QImage>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "app/plots/filmstrip.h"
#include "models/scene/shapes.h"
#include "tests/scenes.h"

namespace pliant {
namespace {

using ::testing::Each;
using ::testing::SizeIs;

// Two rows of six frames of a scene, as a report has them.
Filmstrip StripOf(Scene scene, double amplitude = 0.0) {
  Filmstrip strip;
  strip.scene = std::make_shared<const Scene>(std::move(scene));
  strip.times = KeyTimes(1.0, 6);
  for (const Colour& colour : {Colour{0, 114, 178}, Colour{213, 94, 0}}) {
    FilmstripRow row;
    row.colour = colour;
    for (const double time : strip.times) {
      KeyFrame frame{time, strip.scene->InitialPoints(), ""};
      frame.points.row(2).array() += amplitude * (8.0 * frame.points.row(0).array()).sin();
      row.frames.emplace_back(frame);
    }
    strip.rows.push_back(row);
  }
  return strip;
}

Scene SheetScene(int points) {
  return SceneOf({MakeSheet("sheet", {1, 1}, {points, points}, 1.0)});
}

Scene LooseSheets(int count) {
  std::vector<Body> bodies;
  for (int i = 0; i < count; ++i) {
    bodies.push_back(MakeSheet("b" + std::to_string(i), {1, 1}, {3, 3}, 1.0));
    bodies.back().position.x() = 1.5 * i;
  }
  return SceneOf(std::move(bodies));
}

struct Sizes {
  size_t svg, png;
};

Sizes SizesOf(const Filmstrip& strip) {
  const Figure figure = FilmstripFigure(strip);
  return {FigureToSvg(figure).size(), FigureToPng(figure).size()};
}

QImage ImageOf(const Filmstrip& strip) {
  const std::string png = FigureToPng(FilmstripFigure(strip));
  return QImage::fromData(QByteArray::fromStdString(png));
}

TEST(LargePictures, OfAFineSheetAreSmall) {
  // 131 072 triangles a cell were 132 MB of SVG.
  const Sizes sizes = SizesOf(StripOf(SheetScene(257), 0.1));
  EXPECT_LT(sizes.svg, 1'000'000u);
  EXPECT_LT(sizes.png, 1'000'000u);
}

TEST(LargePictures, OfManyShapesAreMadeOfPixelsOnVectorDevices) {
  EXPECT_LT(SizesOf(StripOf(SheetScene(65))).svg, 3'000'000u);
}

TEST(LargePictures, OfManySmallBodiesAreSmall) {
  EXPECT_LT(SizesOf(StripOf(LooseSheets(3200))).svg, 2'000'000u);
}

TEST(SmallPictures, StayVectors) {
  const Filmstrip strip = StripOf(SheetScene(17));
  EXPECT_FALSE(FigureToSvg(FilmstripFigure(strip)).find("<image") != std::string::npos);
  EXPECT_THAT(MergedBodies(*strip.scene, 190.0), Each(false));
  EXPECT_THAT(MergedBodies(*StripOf(SheetScene(65)).scene, 190.0), Each(false));
}

// The same bent surface, fine and coarse, covers the same pixels.
TEST(LargePictures, ShowWhatSmallOnesShow) {
  const QImage coarse = ImageOf(StripOf(SheetScene(65), 0.1)),
               fine = ImageOf(StripOf(SheetScene(257), 0.1));
  ASSERT_EQ(coarse.size(), fine.size());
  const auto is_paper = [](QRgb pixel) {
    return qRed(pixel) + qGreen(pixel) + qBlue(pixel) > 3 * 230;
  };
  double covered = 0.0, different = 0.0;
  for (int y = 90; y < coarse.height() - 70; ++y) {
    for (int x = 0; x < coarse.width(); ++x) {
      const bool a = is_paper(coarse.pixel(x, y)), b = is_paper(fine.pixel(x, y));
      covered += a ? 0.0 : 1.0;
      different += a == b ? 0.0 : 1.0;
    }
  }
  ASSERT_GT(covered, 1e5);
  EXPECT_LT(different, 0.02 * covered);
}

TEST(MergedSurface, EveryPointIsTheMeanOfPointsInOneCube) {
  const Scene scene = SheetScene(257);
  const Eigen::Matrix3Xd x = scene.InitialPoints();
  const Camera camera = FitCamera(scene, {});
  MergedSurface merged(camera, 150.0);
  merged.Add(scene.bodies[0], x);
  ASSERT_GT(merged.faces().size(), 5'000u);
  EXPECT_LT(merged.faces().size(), 40'000u);
  // Area and rim of the square stay.
  double area = 0.0, reach = 0.0;
  for (const MergedFace& face : merged.faces()) {
    const Eigen::Vector3d a = merged.Point(face.corners[0]), b = merged.Point(face.corners[1]),
                          c = merged.Point(face.corners[2]);
    area += 0.5 * (b - a).cross(c - a).norm();
    for (const Eigen::Vector3d& corner : {a, b, c}) {
      reach = std::max(reach, corner.cwiseAbs().maxCoeff());
      EXPECT_NEAR(corner.z(), 0.0, 1e-12);
    }
  }
  EXPECT_NEAR(area, 1.0, 0.02);
  EXPECT_NEAR(reach, 0.5, 1e-12);
}

TEST(MergedSurface, BodiesSmallerThanACubeLeaveASpeckOrAMark) {
  const Scene scene = LooseSheets(200);
  const Eigen::Matrix3Xd x = scene.InitialPoints();
  const Camera camera = FitCamera(scene, {});
  MergedSurface merged(camera, 0.01);
  for (int i = 0; i < 200; ++i) merged.Add(scene.bodies[i], x.middleCols(9 * i, 9));
  EXPECT_THAT(merged.faces(), SizeIs(::testing::Lt(50u)));  // of the 1600
  EXPECT_FALSE(merged.marks().empty());
  EXPECT_LT(merged.marks().size(), 20u);

  Body block = MakeBlock("block", {1, 1, 1}, {3, 3, 3}, 1.0);  // has no marks
  MergedSurface one(camera, 0.01);
  one.Add(block, block.rest.array() + 20.0);
  EXPECT_TRUE(one.marks().empty());
  EXPECT_FALSE(one.Specks().empty());
}

TEST(MergedSurface, LeavesOutWhatIsNotFinite) {
  const Scene scene = SheetScene(65);
  Eigen::Matrix3Xd x = scene.InitialPoints();
  x.col(2000).setConstant(NAN);
  x.col(100).x() = 1e300;
  const Camera camera = FitCamera(scene, {});
  MergedSurface merged(camera, 30.0);
  merged.Add(scene.bodies[0], x);
  for (const MergedFace& face : merged.faces()) {
    for (const int corner : face.corners) EXPECT_TRUE(merged.Point(corner).allFinite());
  }
  EXPECT_FALSE(merged.faces().empty());
}

}  // namespace
}  // namespace pliant
