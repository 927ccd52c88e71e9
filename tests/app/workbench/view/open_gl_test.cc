// The window with OpenGL, on a display of its own.

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
#include "tests/app/workbench/virtual_display.h"
#include "tests/app/workbench/windows.h"
#include "tests/experiments/shipped_file.h"

namespace pliant {
namespace {

class OpenGlTest : public WindowTest {
 protected:
  void OpenWindow() {
    window_ = std::make_unique<MainWindow>(WorkbenchPlaces{".", "runs"});
    window_->resize(1500, 950);
    window_->show();
  }
  // An experiment that ends at `time`, at its end.
  void OpenAt(const std::string& experiment, double time) {
    OpenWindow();
    const Experiment shortened =
        ReadExperiment(ShippedFile(experiment), {"run.duration=" + std::to_string(time)});
    WriteFile(folder_ / (experiment + ".toml"), ToToml(shortened));
    ASSERT_TRUE(window_->Open(folder_ / (experiment + ".toml")));
    RunTo(time);
  }
  // As fast as it goes.
  void RunTo(double time) {
    Session& session = window_->session();
    session.SetSpeed(1000.0);
    session.Play();
    EXPECT_TRUE(WaitUntil([&] { return session.RecordedEnd() >= time || !session.playing(); }));
    session.Pause();
    session.Scrub(time);
  }
  QImage Panes() {
    QCoreApplication::processEvents();
    return window_->pane_view().Image();
  }
  // A scene where it starts, without motion: `scene` in TOML, at rest and without gravity.
  void OpenStill(const std::string& scene, const std::string& backend) {
    WriteFile(folder_ / "still.toml", "title = 'still'\n[scene]\nname = 'still'\n" + scene +
                                          "[run]\nduration = 1\nstep = 0.01\nrecord_every = 0.1\n"
                                          "[backends." +
                                          backend + "]\n");
    OpenWindow();
    ASSERT_TRUE(window_->Open(folder_ / "still.toml"));
    EXPECT_TRUE(WaitUntil([&] { return AllPanesBegun(window_->session()); }));
  }
  void LookFrom(double azimuth, double elevation) {  // rad
    window_->view().camera().LookFrom(azimuth, elevation);
    window_->view().Fit();
  }
  // Where a world point is in the first of the panes [pixels].
  QPoint PixelOf(const Eigen::Vector3d& x) {
    const QRectF rect = PaneRects(window_->view(), QRectF(window_->panes().rect()))[0];
    const Eigen::Vector2d size(rect.width(), rect.height());
    const OrbitCamera& orbit = window_->view().camera();
    const Camera camera = orbit.InPane(size);
    const Eigen::Vector2d at =
        (camera.ToView(x).head<2>() - camera.window.center()) / orbit.MetresPerPixel(size);
    const QPointF place = rect.center() + QPointF(at.x(), -at.y());
    return {static_cast<int>(std::floor(place.x())), static_cast<int>(std::floor(place.y()))};
  }
  // Of pane `i` in pixels, without title and frame.
  QRect Inside(int i) {
    const QRectF area(window_->panes().rect());
    return PaneRects(window_->view(), area)[static_cast<size_t>(i)].toRect().adjusted(4, 44, -4,
                                                                                      -40);
  }
  void Keep(const std::string& name) {
    // Curves are drawn soon, and what the test itself has held up is forgotten.
    const auto* pause = window_->findChild<QLabel*>("responsiveness");
    auto told = [&] { return pause->text().section(' ', 1, 1).toDouble(); };  // ms
    QElapsedTimer watch;
    watch.start();
    while (watch.elapsed() < 400 || (told() > 40.0 && watch.elapsed() < 3000)) {
      QCoreApplication::processEvents();
    }
    QImage whole = window_->grab().toImage();
    QPainter painter(&whole);
    painter.drawImage(window_->panes().mapTo(window_.get(), QPoint(0, 0)), Panes());
    painter.end();
    KeepScreenshot(whole, name);
  }

  ScratchFolder folder_;
  std::unique_ptr<MainWindow> window_;
};

TEST_F(OpenGlTest, ThereIsOpenGl) { EXPECT_EQ(LookForOpenGl().why_not, ""); }

TEST_F(OpenGlTest, EveryPaneShowsItsFormulationInItsColour) {
  OpenAt("press", 0.8);
  const QImage image = Panes();
  ASSERT_EQ(window_->session().panes().size(), 4u);
  for (int i = 0; i < 4; ++i) {
    const QColor own =
        ToQColor(Lighten(window_->session().panes()[static_cast<size_t>(i)].style.colour, 0.4));
    EXPECT_GT(ShareOf(image, Inside(i), own, 60), 0.05) << i;
  }
  Keep("press");
}

TEST_F(OpenGlTest, ColoursTellTheQuantityOnOneScale) {
  OpenAt("press", 0.8);
  ViewState& view = window_->view();
  auto* colour = window_->findChild<QComboBox*>("colour");
  colour->setCurrentIndex(colour->findData(static_cast<int>(Quantity::kDisplacement)));
  EXPECT_EQ(view.settings().quantity, Quantity::kDisplacement);
  EXPECT_GT(view.settings().full_scale, 0.05);  // m: the sphere goes that deep
  EXPECT_LT(view.settings().full_scale, 1.0);
  Keep("colours");
  ViewSettings settings = view.settings();
  settings.wireframe = settings.springs = false;
  view.SetSettings(settings);
  window_->session().Scrub(0.0);  // nothing has moved: the first colour everywhere, but for light
  const QImage image = Panes();
  for (int i = 0; i < 4; ++i) {
    int violet = 0, other = 0;
    const QRect rect = Inside(i);
    for (int y = rect.top(); y <= rect.bottom(); y += 2) {
      for (int x = rect.left(); x <= rect.right(); x += 2) {
        const QColor c = image.pixelColor(x, y);
        if (c.hslSaturation() < 60) continue;  // background, sphere
        ++((c.hslHue() > 255 && c.hslHue() < 320) ? violet : other);
      }
    }
    EXPECT_GT(violet, 500) << i;
    EXPECT_LT(other, violet / 10) << i;
  }
}

// To the pane that is chosen: it has none to itself; the choice ends with its pane.
TEST_F(OpenGlTest, DistancesAreMeasuredToThePaneThatIsChosen) {
  OpenAt("press", 0.8);
  auto* colour = window_->findChild<QComboBox*>("colour");
  const ViewState& view = window_->view();
  for (const char* label : {"linear-deformation", "kinematic-response"}) {
    colour->setCurrentText(QString("distance to ") + label);
    ASSERT_EQ(view.settings().quantity, Quantity::kReferenceDistance);
    for (int i = 0; i < 4; ++i) {
      const auto values = view.Values(i);
      ASSERT_TRUE(values.has_value());
      const bool own = window_->session().panes()[static_cast<size_t>(i)].label == label;
      EXPECT_EQ(values->maxCoeff() == 0.0F, own) << label << i;
    }
    EXPECT_GT(view.settings().full_scale, 0.01);
    EXPECT_LT(view.settings().full_scale, 1.0);
  }
  Keep("distance");
  ASSERT_TRUE(window_->Open("experiments/drop.toml"));
  EXPECT_EQ(colour->currentText(), "distance to kinematic-response");
  ASSERT_TRUE(window_->Open("experiments/witkin-kass-1988/lamp-jump.toml"));
  EXPECT_EQ(colour->currentIndex(), 0);
  EXPECT_EQ(window_->view().settings().quantity, Quantity::kNone);
}

// Pieces, forces and words of a phase over the pane, and none of them when the clock goes on.
TEST_F(OpenGlTest, PhasesOfAStepAreDrawn) {
  OpenAt("corner-pull", 0.12);
  const size_t pane = 3;  // multilevel
  Session& session = window_->session();
  const QRect inside = Inside(static_cast<int>(pane));
  const QColor pieces(0x1d, 0x4e, 0x89);
  const auto drawn = [&](const QColor& colour) {
    return ShareOf(window_->pane_view().Image(), inside, colour, 30);
  };
  const double without = drawn(pieces);
  for (const char* phase :
       {"free motion of level 4", "sweep 1 of level", "velocities of level 3"}) {
    const auto seen = [&] {
      return session.Phase(pane) != nullptr &&
             session.Phase(pane)->words.find(phase) != std::string::npos;
    };
    for (int i = 0; i < 300 && !seen(); ++i) {
      const ShownPhase* before = session.Phase(pane);
      const std::string words = before == nullptr ? "" : before->words;
      session.StepPhase();
      ASSERT_TRUE(WaitUntil(
          [&] { return session.Phase(pane) != nullptr && session.Phase(pane)->words != words; }));
    }
    ASSERT_TRUE(seen()) << phase;
    EXPECT_GT(drawn(pieces), without + 0.002) << phase;
    Keep("phase-" + std::string(phase).substr(0, 5));
  }
  session.Scrub(0.12);
  EXPECT_EQ(session.Phase(pane), nullptr);
  EXPECT_LT(drawn(pieces), without + 0.0002);
}

TEST_F(OpenGlTest, SwitchesChangeWhatIsDrawn) {
  OpenAt("press", 0.02);
  ViewState& view = window_->view();
  const QRect inside = Inside(0);
  auto ink_with = [&](auto change) {
    ViewSettings settings;
    settings.springs = settings.wireframe = false;
    change(&settings);
    view.SetSettings(settings);
    return Inked(Panes(), inside);
  };
  const double surface = ink_with([](ViewSettings*) {});
  const double wireframe = ink_with([](ViewSettings* s) {
    s->surface = false;
    s->wireframe = true;
  });
  const double points = ink_with([](ViewSettings* s) {
    s->surface = false;
    s->points = true;
  });
  const double nothing = ink_with([](ViewSettings* s) { s->surface = false; });
  EXPECT_GT(surface, wireframe + 0.05);
  EXPECT_GT(wireframe, nothing + 0.02);
  EXPECT_GT(points, nothing + 0.005);
  EXPECT_GT(nothing, 0.01);  // the sphere
}

// What each formulation computes with, and its name; the levels of a pane end with its finest.
TEST_F(OpenGlTest, PiecesOfEveryFormulationAreDrawn) {
  OpenAt("corner-pull", 0.3);
  const Session& session = window_->session();
  ASSERT_EQ(session.panes().size(), 6u);  // the last has points alone
  const QColor ink = ToQColor(kPieceColour);
  ViewSettings settings;
  settings.surface = settings.wireframe = false;
  window_->view().SetSettings(settings);
  std::vector<double> none;
  for (int i = 0; i < 5; ++i) none.push_back(ShareOf(Panes(), Inside(i), ink, 30));
  auto* pieces = window_->findChild<QComboBox*>("pieces");
  ASSERT_NE(pieces, nullptr);
  auto inked = [&](int level) {
    pieces->setCurrentIndex(level);
    std::vector<double> shares;
    for (int i = 0; i < 5; ++i) shares.push_back(ShareOf(Panes(), Inside(i), ink, 30));
    return shares;
  };
  const std::vector<double> coarsest = inked(1), third = inked(3);
  for (size_t i = 0; i < 5; ++i) EXPECT_GT(coarsest[i], none[i] + 0.002) << i;
  EXPECT_NEAR(third[0], coarsest[0], 1e-9) << "one lattice";
  EXPECT_GT(third[3], 1.2 * coarsest[3]) << "segments of a finer level";
  EXPECT_GT(third[4], 1.2 * coarsest[4]) << "a finer level of the surface";
  settings = window_->view().settings();
  settings.surface = settings.wireframe = true;
  window_->view().SetSettings(settings);
  Keep("pieces");
}

// Lines at the depth of the faces they border must not be lost in them.
TEST_F(OpenGlTest, EdgesOfASurfaceStayWhole) {
  OpenAt("press", 0.02);
  const QRect inside = Inside(0);
  auto picture = [&](bool surface, bool wireframe) {
    ViewSettings settings;
    settings.springs = false;
    settings.surface = surface;
    settings.wireframe = wireframe;
    window_->view().SetSettings(settings);
    return Panes().copy(inside);
  };
  // Pixels that the line covers by half: `contrast` is what it changes where it covers all.
  auto changed = [](const QImage& a, const QImage& b, int contrast) {
    int count = 0;
    for (int y = 0; y < a.height(); ++y) {
      for (int x = 0; x < a.width(); ++x) {
        count +=
            2 * std::abs(a.pixelColor(x, y).red() - b.pixelColor(x, y).red()) > contrast ? 1 : 0;
      }
    }
    return count;
  };
  const int alone = changed(picture(false, false), picture(false, true), 255);
  const int on_surface = changed(picture(true, false), picture(true, true),
                                 56);  // 0x66, and 0.55 of a line
  EXPECT_GT(alone, 1000);
  EXPECT_GT(on_surface, 0.9 * alone);
}

// Pixels of a part of two pictures that differ by more than a shade.
double ShareThatDiffers(const QImage& a, const QImage& b, const QRect& rect) {
  int count = 0;
  for (int y = rect.top(); y <= rect.bottom(); ++y) {
    for (int x = rect.left(); x <= rect.right(); ++x) {
      const QColor p = a.pixelColor(x, y), q = b.pixelColor(x, y);
      count += std::abs(p.red() - q.red()) + std::abs(p.green() - q.green()) +
                           std::abs(p.blue() - q.blue()) >
                       12
                   ? 1
                   : 0;
    }
  }
  return static_cast<double>(count) / (rect.width() * rect.height());
}

TEST_F(OpenGlTest, TheProcessorDrawsWhatACardDraws) {
  OpenAt("press", 0.4);
  PaneView* view = MakePaneView(&window_->view(), OpenGlLook{});
  const std::unique_ptr<QWidget> card(view->widget());
  card->resize(window_->panes().size());
  card->show();
  QCoreApplication::processEvents();
  const QImage own = Panes(), other = view->Image();
  ASSERT_EQ(own.size(), other.size());
  for (int i = 0; i < 4; ++i) {
    EXPECT_GT(Inked(own, Inside(i)), 0.1) << i;
    EXPECT_LT(ShareThatDiffers(own, other, Inside(i)), 0.002) << i;
  }
}

class PaintCounter : public QObject {
 public:
  bool eventFilter(QObject*, QEvent* event) override {
    count += event->type() == QEvent::Paint ? 1 : 0;
    return false;
  }
  int count = 0;
};

// One sample a pixel while it moves, several when it rests, and no work then.
TEST_F(OpenGlTest, APictureThatRestsIsSharpAndIsDrawnNoMore) {
  OpenAt("press", 0.4);
  PaintCounter paints;
  window_->panes().installEventFilter(&paints);
  auto rest = [&] {
    QElapsedTimer silence;
    silence.start();
    return WaitUntil([&] {
      if (std::exchange(paints.count, 0) > 0) silence.restart();
      return silence.elapsed() > 800;
    });
  };
  ASSERT_TRUE(rest());
  window_->session().Scrub(0.2);
  ASSERT_TRUE(WaitUntil([&] { return paints.count > 0; }));
  const QImage moving = window_->panes().grab().toImage();
  ASSERT_TRUE(rest());
  const QImage resting = window_->panes().grab().toImage();
  const QImage still = window_->pane_view().Image(), quick = window_->pane_view().Image(true);
  for (int i = 0; i < 4; ++i) {
    EXPECT_LT(ShareThatDiffers(moving, quick, Inside(i)), 0.001) << i;
    EXPECT_LT(ShareThatDiffers(resting, still, Inside(i)), 0.001) << i;
    EXPECT_GT(ShareThatDiffers(moving, resting, Inside(i)), 0.01) << i;
  }
}

// What was drawn of other panes is not shown under the names of these.
TEST_F(OpenGlTest, AnotherExperimentBeginsWithoutPictures) {
  OpenAt("press", 0.4);
  ASSERT_TRUE(WaitUntil([&] { return Inked(window_->panes().grab().toImage(), Inside(0)) > 0.1; }));
  window_->view().CameraMoved();  // another picture is under way, and one is asked for
  QCoreApplication::processEvents();
  window_->pane_view().Image();
  ASSERT_TRUE(window_->Open(folder_ / "press.toml"));
  const auto inked = [&] { return Inked(window_->panes().grab().toImage(), Inside(0)); };
  EXPECT_LT(inked(), 0.05);  // axes, scale
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  QCoreApplication::sendPostedEvents(&window_->panes(),
                                     QEvent::MetaCall);  // it is done
  EXPECT_LT(inked(), 0.05);
  EXPECT_TRUE(WaitUntil([&] { return Inked(window_->panes().grab().toImage(), Inside(0)) > 0.1; }));
}

// Also what changes while a picture is drawn.
TEST_F(OpenGlTest, TheLastChangeIsShown) {
  OpenAt("press", 0.4);
  const QImage end = Panes();
  for (int i = 0; i < 20; ++i) {
    window_->session().Scrub(0.01 * i);
    QCoreApplication::processEvents();
  }
  window_->session().Scrub(0.4);
  EXPECT_TRUE(WaitUntil(
      [&] { return ShareThatDiffers(window_->panes().grab().toImage(), end, Inside(0)) < 0.001; }));
}

// Nothing is drawn that nobody sees; it is when it comes into sight.
TEST_F(OpenGlTest, WhatChangesOutOfSightIsDrawnWhenItIsSeen) {
  OpenAt("press", 0.4);
  window_->session().Scrub(0.0);
  const QRect inside = Inside(0);
  const QImage start = Panes();
  window_->panes().hide();
  window_->session().Scrub(0.4);
  QCoreApplication::processEvents();
  window_->panes().show();
  const QImage end = window_->pane_view().Image();
  ASSERT_GT(ShareThatDiffers(start, end, inside), 0.01);
  EXPECT_TRUE(WaitUntil(
      [&] { return ShareThatDiffers(window_->panes().grab().toImage(), end, inside) < 0.001; }));
}

// A pause that is longer than all so far is told, and forgotten in time.
TEST_F(OpenGlTest, TheStatusLineTellsTheLongestPause) {
  OpenWindow();
  auto* label = window_->findChild<QLabel*>("responsiveness");
  ASSERT_NE(label, nullptr);
  auto told = [&] { return label->text().section(' ', 1, 1).toDouble(); };  // ms
  ASSERT_TRUE(WaitUntil([&] { return told() > 0.0; }));
  const double pause = 80.0 + 2.0 * told();
  std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(pause));
  ASSERT_TRUE(WaitUntil([&] { return told() >= pause; }));
  EXPECT_TRUE(WaitUntil([&] { return told() < 0.8 * pause; }));
}

TEST_F(OpenGlTest, OneCameraTurnsAllPanes) {
  OpenAt("press", 0.02);
  const QImage before = Panes();
  window_->view().camera().Orbit(80, 30);
  window_->view().CameraMoved();
  const QImage after = Panes();
  for (int i = 0; i < 4; ++i) {
    const QRect rect = Inside(i);
    EXPECT_NE(before.copy(rect), after.copy(rect)) << i;
  }
}

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
TEST_F(OpenGlTest, ALampStandsInSpace) {
  OpenAt("lamp-dance", 0.2);
  const QImage image = Panes();
  for (int i = 0; i < static_cast<int>(window_->session().panes().size()); ++i) {
    const QRect inside = Inside(i);
    const int row = inside.top() + 3 * inside.height() / 5;  // crosses the lower arm alone
    int inked = 0;
    for (int x = inside.left(); x <= inside.right(); ++x) {
      const QColor colour = image.pixelColor(x, row);
      inked += std::min({colour.red(), colour.green(), colour.blue()}) < 245;
    }
    EXPECT_GT(inked, 7) << i;
    EXPECT_LT(inked, 40) << i;
  }
  Keep("lamp-dance");
}

TEST_F(OpenGlTest, ADivergedPaneSaysWhy) {
  OpenAt("drop", 1.0);
  ASSERT_TRUE(window_->open_experiment().SetValue({"backends", "dynamic-ffd", "contact_stiffness"},
                                                  "1e12"));
  RunTo(1.0);
  EXPECT_TRUE(WaitUntil([&] { return window_->session().panes()[0].state == PaneState::kFrozen; }));
  EXPECT_TRUE(WaitUntil([&] { return AllPanesEnded(window_->session()); }));
  EXPECT_EQ(window_->session().panes()[1].state, PaneState::kEnded);
  const QColor alarm(0xfd, 0xec, 0xea);
  const QImage image = Panes();
  EXPECT_GT(ShareOf(image, Inside(0).adjusted(0, 0, 0, 34), alarm, 3), 0.02);
  EXPECT_LT(ShareOf(image, Inside(1).adjusted(0, 0, 0, 34), alarm, 3), 0.001);
  Keep("diverged");
}

}  // namespace
}  // namespace pliant

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  const pliant::VirtualDisplay display;
  if (display.name().empty()) {
    std::fprintf(stderr, "these tests need Xvfb: install the package xvfb\n");
    return 1;
  }
  setenv("DISPLAY", display.name().c_str(), 1);
  setenv("QT_QPA_PLATFORM", "xcb", 1);
  setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
  QApplication application(argc, argv);
  return RUN_ALL_TESTS();
}
