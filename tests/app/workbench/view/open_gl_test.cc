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
#include "tests/app/workbench/view/open_gl_window.h"
#include "tests/app/workbench/windows.h"
#include "tests/experiments/shipped_file.h"

namespace pliant {
namespace {

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
