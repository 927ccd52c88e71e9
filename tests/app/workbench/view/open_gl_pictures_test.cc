// When and how the pictures of the window with OpenGL are made.

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

// Hidden panes are not drawn; they are drawn when they become visible.
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

// The status line reports a new longest pause and drops it after a while.
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

}  // namespace
}  // namespace pliant
