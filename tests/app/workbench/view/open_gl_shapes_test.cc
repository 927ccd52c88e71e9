// Shadows, light, sliders and other shapes in the window with OpenGL.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QApplication>
#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <thread>
#include <utility>

#include "app/plots/display_list.h"
#include "app/plots/qt_style.h"
#include "app/workbench/edits/open_experiment.h"
#include "app/workbench/pages/curve_page.h"
#include "app/workbench/view/pane_overlay.h"
#include "app/workbench/view/pane_views.h"
#include "app/workbench/view/scene_renderer.h"
#include "app/workbench/view/view_state.h"
#include "app/workbench/window/main_window.h"
#include "experiments/bundles/storage.h"
#include "tests/app/workbench/view/open_gl_window.h"
#include "tests/app/workbench/windows.h"
#include "tests/experiments/shipped_file.h"

namespace pliant {
namespace {

TEST_F(OpenGlTest, BodiesCastShadowsOnAFloorAndShowWhereTheyGo) {
  WriteFile(folder_ / "block.toml", R"(
title = "A block over a floor"
[scene]
name = "block"
[[scene.body]]
name = "block"
shape = "block"
size = [0.6, 0.4, 0.5]
points = [4, 3, 4]
position = [0, 0.8, 0]
rotation = {axis = [1, 1, 0], angle = 0.5}
mass = 1.0
[[scene.obstacle]]
name = "floor"
shape = "plane"
[[scene.obstacle]]
name = "post"
shape = "capsule"
half_axis = [0, 0.3, 0]
radius = 0.15
position = [0.8, 0.3, 0.2]
[run]
duration = 0.5
step = 0.001
record_every = 0.01
[backends.linear-deformation]
)");
  OpenWindow();
  ASSERT_TRUE(window_->Open(folder_ / "block.toml"));
  RunTo(0.2);
  const QColor shadow(0xd2, 0xcf, 0xc6), arrow(0x8c, 0x1a, 0x1a);
  const double with = ShareOf(Panes(), Inside(0), shadow, 4);
  EXPECT_LT(ShareOf(Panes(), Inside(0), arrow, 20), 0.0005);
  ViewSettings settings = window_->view().settings();
  settings.velocities = true;
  window_->view().SetSettings(settings);
  EXPECT_GT(ShareOf(Panes(), Inside(0), arrow, 20), 0.001);  // it falls
  Keep("shadow");
  settings.shadows = settings.velocities = false;
  window_->view().SetSettings(settings);
  EXPECT_GT(with, ShareOf(Panes(), Inside(0), shadow, 4) + 0.01);
}

// A cube high over a floor, which is seen far about it.
constexpr char kCube[] = R"(
gravity = [0, 0, 0]
[[scene.body]]
name = "cube"
shape = "block"
size = [0.4, 0.4, 0.4]
points = [3, 3, 3]
position = [0, 1.6, 0]
mass = 1.0
[[scene.obstacle]]
name = "floor"
shape = "plane"
[[scene.obstacle]]
name = "left"
shape = "sphere"
radius = 0.05
position = [-2, 0.05, 0]
[[scene.obstacle]]
name = "right"
shape = "sphere"
radius = 0.05
position = [2, 0.05, 0]
)";

// As in the figures: from over the viewer's left shoulder.
TEST_F(OpenGlTest, LightComesFromTheLeftFromAboveAndFromTheFront) {
  OpenStill(kCube, "linear-deformation");
  ViewSettings settings;
  settings.wireframe = settings.springs = false;
  window_->view().SetSettings(settings);
  LookFrom(0.5, 0.5);  // on the front, the right and the top
  const Pane& pane = window_->session().panes()[0];
  const Eigen::Vector3d middle = pane.recording[0].points.cast<double>().rowwise().mean();
  const QImage image = Panes();
  const QRectF area(0, 0, 400, 300);
  const Camera camera = window_->view().camera().InPane({400.0, 300.0});
  std::vector<double> brightness;
  for (const Eigen::Vector3d& normal :
       {Eigen::Vector3d(0, 1, 0), Eigen::Vector3d(0, 0, 1), Eigen::Vector3d(1, 0, 0)}) {
    const QColor seen = image.pixelColor(PixelOf(middle + 0.2 * normal));
    const QColor figure = DisplayList(area, camera).Lit(Lighten(pane.style.colour, 0.4), normal);
    EXPECT_NEAR(seen.red(), figure.red(), 12) << normal.transpose();
    EXPECT_NEAR(seen.green(), figure.green(), 12) << normal.transpose();
    EXPECT_NEAR(seen.blue(), figure.blue(), 12) << normal.transpose();
    brightness.push_back(seen.red() + seen.green() + seen.blue());
  }
  EXPECT_GT(brightness[0], brightness[1] + 30) << "the top is brighter than the front";
  EXPECT_GT(brightness[1], brightness[2] + 30) << "the front is brighter than the right";
  Keep("light");
}

// On the floor beyond the cube from where the light stands: left, above, before it.
TEST_F(OpenGlTest, AShadowFallsAwayFromTheLight) {
  OpenStill(kCube, "linear-deformation");
  LookFrom(0.0, 1.55);  // from above: nothing hides the floor beside the cube
  const Eigen::Vector3d middle =
      window_->session().panes()[0].recording[0].points.cast<double>().rowwise().mean();
  const double height = middle.y();
  const QImage image = Panes();
  const auto shaded = [&](double right, double back) {
    const QColor c = image.pixelColor(PixelOf({middle.x() + right, 0.0, middle.z() - back}));
    return c.red() < 0xd8;  // of the ground: 0xee
  };
  const double right = 0.25 * height, back = 0.35 * height;
  EXPECT_TRUE(shaded(right, back));
  EXPECT_FALSE(shaded(-right, -back));
  EXPECT_FALSE(shaded(-right, back));
  EXPECT_FALSE(shaded(right, -back));
  EXPECT_FALSE(shaded(2.0 * right, 2.0 * back)) << "it is no longer than that";
}

// A chain that hangs from a bead on a track, and one within a ball; a nail until 0.2 s.
constexpr char kBeads[] = R"(
gravity = [0, 0, 0]
[[scene.body]]
name = "left"
shape = "chain"
from = [0, 0, 0]
to = [0, -0.6, 0]
points = 4
mass = 0.1
[[scene.body]]
name = "right"
shape = "chain"
from = [1.2, 0, 0]
to = [1.2, -0.6, 0]
points = 4
mass = 0.1
[[scene.slider]]
name = "track"
body = "left"
point = 0
along = [[-0.5, 0.3, 0], [0, 0, 0], [0.5, 0.3, 0]]
[[scene.slider]]
name = "cage"
body = "right"
point = 0
within = 0.4
[[scene.slider]]
name = "later"
body = "right"
point = 3
along = [[0.9, -0.6, 0], [1.5, -0.6, 0]]
from = 0.5
[[scene.nail]]
name = "pin"
body = "left"
point = 3
until = 0.2
)";

TEST_F(OpenGlTest, SlidersShowWhatPointsAreKeptOnWhileTheyAreKept) {
  OpenStill(kBeads, "displacement-constraints");
  LookFrom(0.0, 0.0);
  const auto ink_at = [&](double x, double y, const QPoint& off = {0, 0}) {
    const QPoint at = PixelOf({x, y, 0.0}) + off;
    const QImage part = Panes().copy(QRect(at - QPoint(1, 1), at + QPoint(1, 1)));
    int darkest = 255;
    for (int i = 0; i < 9; ++i) darkest = std::min(darkest, part.pixelColor(i % 3, i / 3).red());
    return darkest;
  };
  const int line = 0xd8,
            mark = 0x60;  // a line is 0x8a where it covers all of a pixel
  EXPECT_LT(ink_at(0.25, 0.15), line);
  EXPECT_LT(ink_at(-0.25, 0.15), line);
  EXPECT_GT(ink_at(0.0, 0.3), 250) << "an open track";
  EXPECT_LT(ink_at(1.2 + 0.4, 0.0), line);
  EXPECT_LT(ink_at(1.2 - 0.4 * std::sqrt(0.5), 0.4 * std::sqrt(0.5)), line);
  EXPECT_GT(ink_at(1.2 + 0.2, 0.0), 250) << "the outline alone";
  // A diamond: dark at its tip, nothing beside it where a disc would be, white within.
  EXPECT_LT(ink_at(1.2, 0.0, {0, -5}), mark);
  for (const QPoint& off : {QPoint(4, -4), QPoint(4, -3), QPoint(3, -4)}) {
    EXPECT_GT(Panes().pixelColor(PixelOf({1.2, 0.0, 0.0}) + off).red(), mark);
  }
  EXPECT_GT(Panes().pixelColor(PixelOf({1.2, 0.0, 0.0})).red(), 250);
  // What holds now and what does not.
  EXPECT_GT(ink_at(1.0, -0.6), 250) << "not yet";
  const auto nailed = [&] {
    const QPoint end = PixelOf({0.0, -0.6, 0.0});
    const QRect about(end - QPoint(4, 4), end + QPoint(4, 4));
    return ShareOf(Panes(), about, QColor(0x11, 0x11, 0x11), 4) > 0.1;
  };
  EXPECT_TRUE(nailed());
  Keep("beads");
  RunTo(0.6);
  EXPECT_LT(ink_at(1.0, -0.6), line);
  EXPECT_FALSE(nailed()) << "no longer";
}

TEST_F(OpenGlTest, AnotherFormulationIsDrawnOverAPane) {
  OpenAt("press", 0.8);
  ViewSettings settings = window_->view().settings();
  settings.springs = settings.wireframe = false;
  window_->view().SetSettings(settings);
  const QColor own = ToQColor(window_->session().panes()[1].style.colour);
  const double before = ShareOf(Panes(), Inside(0), own, 30);
  settings.overlay = 1;
  window_->view().SetSettings(settings);
  EXPECT_GT(ShareOf(Panes(), Inside(0), own, 30), before + 0.005);
  Keep("overlay");
}

// Where the outline has a line of three pixels there is an arm.

}  // namespace
}  // namespace pliant
