#include "app/report/source_figure.h"

#include <gtest/gtest.h>

#include <QImage>

#include "app/plots/frame_sheet.h"
#include "app/plots/style.h"
#include "tests/experiments/bundles.h"

namespace pliant {
namespace {

QImage ImageOf(const std::filesystem::path& png) {
  return QImage(QString::fromStdString(png.string()));
}

// Pixels that are neither white nor grey: those of bodies and curves.
int Coloured(const QImage& image, const QRect& area) {
  int count = 0;
  for (int y = area.top(); y <= area.bottom(); ++y) {
    for (int x = area.left(); x <= area.right(); ++x) {
      const QColor colour = image.pixelColor(x, y);
      const int least = std::min({colour.red(), colour.green(), colour.blue()});
      const int most = std::max({colour.red(), colour.green(), colour.blue()});
      if (most - least > 40) ++count;
    }
  }
  return count;
}

class SourceFigurePicture : public testing::Test {
 protected:
  std::vector<std::filesystem::path> Draw(const FigurePicture& picture, Bundle bundle) {
    SourceFigure figure{"p-1", "Fig. 1", "a fall", {}, "", "fall", {}, picture, {}};
    FigureRuns runs;
    runs.bundles.push_back(std::move(bundle));
    return DrawSourceFigure(figure, std::move(runs), folder_ / "figures");
  }

  ScratchFolder folder_;
};

TEST_F(SourceFigurePicture, FramesOfOneRunAreASheetInRows) {
  FigurePicture picture;
  picture.frames = {0.0, 0.08, 0.16};
  picture.across = 2;
  const auto drawn = Draw(picture, FallingBundle(folder_));
  ASSERT_EQ(drawn.size(), 1u);
  const QImage image = ImageOf(drawn[0]);
  ASSERT_FALSE(image.isNull());
  const int w = image.width(), h = image.height();
  // Two cells above, one below: the last quarter stays empty.
  EXPECT_GT(Coloured(image, {0, 0, w / 2, h / 2 - 20}), 50);
  EXPECT_GT(Coloured(image, {w / 2, 0, w / 2, h / 2 - 20}), 50);
  EXPECT_GT(Coloured(image, {0, h / 2, w / 2, h / 2 - 20}), 50);
  EXPECT_EQ(Coloured(image, {w / 2 + 20, h / 2, w / 2 - 20, h / 2 - 20}), 0);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "figures" / "p-1.svg"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "figures" / "p-1.pdf"));
}

TEST_F(SourceFigurePicture, CurvesAndPathsAreDrawn) {
  FigurePicture picture;
  picture.curves = {"centre_y_m"};
  const QImage curve = ImageOf(Draw(picture, FallingBundle(folder_)).at(0));
  EXPECT_GT(Coloured(curve, curve.rect()), 100);
  picture.against = "centre_x_m";
  const QImage path = ImageOf(Draw(picture, FallingBundle(folder_)).at(0));
  EXPECT_GT(Coloured(path, path.rect()), 100);
  EXPECT_NE(curve, path);
}

TEST(CellLetter, CountsOnAfterTheAlphabet) {
  EXPECT_EQ(CellLetter(0), "(a) ");
  EXPECT_EQ(CellLetter(25), "(z) ");
  EXPECT_EQ(CellLetter(26), "(27) ");
}

}  // namespace
}  // namespace pliant
