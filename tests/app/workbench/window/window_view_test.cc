// The views of the whole window without OpenGL: picking, dragging, cameras, palettes, arrows.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QAbstractItemView>
#include <QComboBox>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QDragEnterEvent>
#include <QLabel>
#include <QMessageBox>
#include <QMimeData>
#include <QMouseEvent>
#include <QPlainTextEdit>
#include <QTest>
#include <QTextBlock>
#include <QTimer>
#include <QToolButton>
#include <QUndoStack>
#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>

#include "app/plots/canvas.h"
#include "app/workbench/edits/open_experiment.h"
#include "app/workbench/edits/trial_edit.h"
#include "app/workbench/pages/curve_page.h"
#include "app/workbench/pages/page_table.h"
#include "app/workbench/pages/search_page.h"
#include "app/workbench/pages/source_page.h"
#include "app/workbench/view/overlay_text.h"
#include "app/workbench/view/pane_overlay.h"
#include "app/workbench/view/pane_views.h"
#include "app/workbench/view/saved_views.h"
#include "app/workbench/view/view_state.h"
#include "app/workbench/widgets/ghost_view.h"
#include "app/workbench/widgets/palette.h"
#include "app/workbench/window/film.h"
#include "app/workbench/window/main_window.h"
#include "experiments/bundles/bundle.h"
#include "experiments/bundles/csv.h"
#include "experiments/bundles/storage.h"
#include "experiments/comparison/comparison.h"
#include "experiments/files/listing.h"
#include "experiments/searches/run_searches.h"
#include "tests/app/workbench/plain_window.h"

namespace pliant {
namespace {

using ::testing::HasSubstr;

TEST_F(PlainWindowTest, AClickPicksAndAPullBecomesAForce) {
  OpenDrop();
  session().StepForward();
  EXPECT_TRUE(WaitUntil([&] { return session().time() > 0.009; }));
  const QPointF at = PlaceOf(1, 3);
  Mouse(QEvent::MouseButtonPress, at, Qt::LeftButton);
  Mouse(QEvent::MouseButtonRelease, at, Qt::LeftButton);
  EXPECT_EQ(window_->view().picked(), 3);
  EXPECT_THAT(PickedText(window_->view(), 1).toStdString(), HasSubstr("[3]"));

  auto* tools = window_->findChild<QComboBox*>("hand");
  tools->setCurrentIndex(tools->findText("pull"));
  const QPointF to = at + QPointF(60, -25);
  Mouse(QEvent::MouseButtonPress, at, Qt::LeftButton, Qt::ControlModifier);
  Mouse(QEvent::MouseMove, to, Qt::LeftButton, Qt::ControlModifier);
  EXPECT_TRUE(window_->view().pull());
  KeepScreenshot(window_->grab().toImage(), "plain-pull");
  Mouse(QEvent::MouseButtonRelease, to, Qt::LeftButton, Qt::ControlModifier);
  const Scene& scene = *window_->open_experiment().experiment()->scene;
  ASSERT_EQ(scene.forces.size(), 1u);
  const TimedForce& force = scene.forces[0];
  EXPECT_EQ(scene.Index(force.point), 3);
  const double metres =
      window_->view().camera().MetresPerPixel({RectOf(1).width() * 1.0, RectOf(1).height() * 1.0});
  EXPECT_NEAR(force.force.x(), 50.0 * 60 * metres, 0.02 * force.force.norm());
  EXPECT_NEAR(force.force.y(), 50.0 * 25 * metres, 0.02 * force.force.norm());
  EXPECT_NEAR(force.from, 0.01, 1e-9);
  EXPECT_TRUE(WaitUntil([&] { return !session().CatchingUp(); }));
  window_->open_experiment().history()->undo();
  EXPECT_TRUE(window_->open_experiment().experiment()->scene->forces.empty());

  // The same drag with another tool in hand.
  auto* strength = window_->findChild<QDoubleSpinBox*>("strength");
  tools->setCurrentIndex(tools->findText("blow"));
  EXPECT_EQ(strength->suffix(), " N s/m");
  strength->setValue(0.5);
  EXPECT_TRUE(WaitUntil([&] { return !session().CatchingUp(); }));
  Mouse(QEvent::MouseButtonPress, at, Qt::LeftButton, Qt::ControlModifier);
  Mouse(QEvent::MouseMove, to, Qt::LeftButton, Qt::ControlModifier);
  Mouse(QEvent::MouseButtonRelease, to, Qt::LeftButton, Qt::ControlModifier);
  const Scene& struck = *window_->open_experiment().experiment()->scene;
  ASSERT_EQ(struck.impulses.size(), 1u);
  EXPECT_NEAR(struck.impulses[0].impulse.x(), 0.5 * 60 * metres, 0.01 * metres * 60);
  EXPECT_NEAR(struck.impulses[0].time, 0.01, 1e-9);
  tools->setCurrentIndex(tools->findText("pull"));
  EXPECT_EQ(strength->value(), 50.0);
  tools->setCurrentIndex(tools->findText("blow"));
  EXPECT_EQ(strength->value(), 0.5) << "each tool keeps its strength";
}

// It draws back when a body leaves what it holds, until someone moves it.
TEST_F(PlainWindowTest, TheCameraFollowsWhatLeavesIt) {
  OpenDrop();
  ASSERT_TRUE(window_->open_experiment().SetValue({"scene", "gravity"}, "[0.0, 2000.0]"));
  OrbitCamera& camera = window_->view().camera();
  const CameraPose opened = camera.pose();
  PlayToEnd();  // it has risen by 10 m
  const Recording& recording = session().panes()[1].recording;
  EXPECT_GT(camera.pose().extent.y(), 1.5 * opened.extent.y());
  EXPECT_TRUE(camera.Holds(recording[recording.size() - 1].points));
  EXPECT_TRUE(camera.Holds(recording[0].points));
  window_->open_experiment().history()->undo();
  window_->Open(scratch_ / "short.toml");
  ASSERT_TRUE(window_->open_experiment().SetValue({"scene", "gravity"}, "[0.0, 2000.0]"));
  camera.Pan(5, 0, {400, 300});
  window_->view().CameraMoved();
  PlayToEnd();
  EXPECT_LT((camera.pose().extent - opened.extent).norm(), 1e-9);
}

// Text must be told from what is behind it, whatever the palette.
TEST_F(PlainWindowTest, TheDarkPaletteIsReadable) {
  UsePalette(PaletteChoice::kDark);
  EXPECT_EQ(KeptPalette(), PaletteChoice::kDark) << "for the next time";
  OpenDrop();
  PlayToEnd();
  session().Scrub(0.05);
  const auto luminance = [](const QColor& colour) {
    const auto part = [](double v) {
      return v <= 0.03928 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * part(colour.redF()) + 0.7152 * part(colour.greenF()) +
           0.0722 * part(colour.blueF());
  };
  const auto contrast = [&](const QColor& a, const QColor& b) {
    const double one = luminance(a), other = luminance(b);
    return (std::max(one, other) + 0.05) / (std::min(one, other) + 0.05);
  };
  for (const char* dock :
       {"Parameters", "Editors", "Translation", "Search", "Plan", "Console", "Log"}) {
    window_->findChild<QDockWidget*>(dock)->raise();
    QTest::qWait(50);
    for (const QWidget* widget : window_->findChildren<QWidget*>()) {
      if (!widget->isVisible()) continue;
      const QPalette& palette = widget->palette();
      EXPECT_GT(contrast(palette.color(widget->foregroundRole()),
                         palette.color(widget->backgroundRole())),
                3.0)
          << widget->metaObject()->className() << " " << widget->objectName().toStdString();
      EXPECT_GT(contrast(palette.color(QPalette::Text), palette.color(QPalette::Base)), 4.5);
    }
    for (const auto* view : window_->findChildren<QAbstractItemView*>()) {
      if (!view->isVisible() || view->model() == nullptr) continue;
      for (int row = 0; row < view->model()->rowCount(); ++row) {
        const QVariant ink = view->model()->index(row, 0).data(Qt::ForegroundRole);
        if (!ink.canConvert<QBrush>()) continue;
        EXPECT_GT(contrast(ink.value<QBrush>().color(), view->palette().color(QPalette::Base)),
                  4.5);
      }
    }
    KeepScreenshot(window_->grab().toImage(), QString("dark-%1").arg(dock).toLower().toStdString());
  }
  for (const QToolButton* button : window_->findChildren<QToolButton*>()) {
    if (!button->isVisible() || button->icon().isNull() || button->text().isEmpty()) continue;
    QColor brightest = Qt::black;
    const QImage icon = button->icon().pixmap(16).toImage();
    for (int y = 0; y < icon.height(); ++y) {
      for (int x = 0; x < icon.width(); ++x) {
        const QColor colour = icon.pixelColor(x, y);
        if (colour.alpha() > 200 && luminance(colour) > luminance(brightest)) brightest = colour;
      }
    }
    EXPECT_GT(contrast(brightest, button->palette().color(QPalette::Window)), 4.5)
        << button->text().toStdString();
  }
  UsePalette(PaletteChoice::kDesktop);
}

TEST_F(PlainWindowTest, ViewsAreKeptByNameForTheScene) {
  OpenDrop();
  EXPECT_TRUE(WaitUntil([&] { return AllPanesBegun(session()); }));
  SavedViews& views = window_->saved_views();
  EXPECT_TRUE(views.Names().isEmpty());
  OrbitCamera& camera = window_->view().camera();
  camera.Zoom(2.5, {10, 20}, {400, 300});
  camera.Pan(30, -12, {400, 300});
  const CameraPose kept = camera.pose();
  views.Keep("feet");
  window_->view().Fit();
  EXPECT_GT((camera.pose().extent - kept.extent).norm(), 1e-3);
  EXPECT_TRUE(views.Show("feet"));
  EXPECT_NEAR((camera.pose().extent - kept.extent).norm(), 0.0, 1e-12);
  EXPECT_NEAR((camera.pose().target - kept.target).norm(), 0.0, 1e-12);
  EXPECT_EQ(camera.pose().azimuth, kept.azimuth);
  EXPECT_FALSE(views.Show("head"));
  // Another scene has views of its own; that of the same scene finds them again.
  ASSERT_TRUE(window_->Open("experiments/press.toml"));
  EXPECT_TRUE(views.Names().isEmpty());
  ASSERT_TRUE(window_->Open(scratch_ / "short.toml"));
  EXPECT_EQ(views.Names(), QStringList{"feet"});
  views.Forget("feet");
  EXPECT_TRUE(views.Names().isEmpty());
}

// More points than arrows are drawn for, of which one has one.
TEST_F(PlainWindowTest, TheOnePointThatIsHeldHasItsArrow) {
  WriteFile(scratch_ / "fine.toml", R"(
title = "A fine sheet"
[scene]
name = "fine"
[[scene.body]]
name = "sheet"
shape = "sheet"
size = [1.0, 1.0]
points = [30, 30]
mass = 1.0
[[scene.nail]]
name = "corner"
body = "sheet"
points = [[29, 29]]
[run]
duration = 0.02
step = 0.001
record_every = 0.01
[backends.linear-deformation]
)");
  ASSERT_TRUE(window_->Open(scratch_ / "fine.toml"));
  PlayToEnd();
  auto* choice = window_->findChild<QComboBox*>("arrows");
  choice->setCurrentIndex(choice->findText("constraint forces"));
  const QPointF nail = PlaceOf(0, 899);
  const QRect around(nail.toPoint() - QPoint(30, 70), QSize(60, 140));
  const QColor green(0x1b, 0x7f, 0x3b);
  EXPECT_GT(ShareOf(window_->pane_view().Image(), around, green, 8), 0.002);
  choice->setCurrentIndex(choice->findText("none"));
  EXPECT_EQ(ShareOf(window_->pane_view().Image(), around, green, 8), 0.0);
}

TEST_F(PlainWindowTest, ArrowsHaveRoomUntilTheCameraIsMoved) {
  OpenDrop();
  PlayToEnd();
  ViewState& view = window_->view();
  view.Fit();
  const Eigen::Vector2d alone = view.camera().pose().extent;
  auto* choice = window_->findChild<QComboBox*>("arrows");
  choice->setCurrentIndex(choice->findText("scene forces"));
  EXPECT_GT((view.camera().pose().extent.array() / alone.array()).minCoeff(), 1.3);
  choice->setCurrentIndex(choice->findText("offsets"));
  choice->setCurrentIndex(choice->findText("none"));
  EXPECT_LT((view.camera().pose().extent - alone).norm(), 1e-12);
  view.CameraMoved();
  choice->setCurrentIndex(choice->findText("scene forces"));
  EXPECT_LT((view.camera().pose().extent - alone).norm(), 1e-12);
  ASSERT_TRUE(window_->Open(scratch_ / "short.toml"));  // opened with them
  const Eigen::Vector2d opened = view.camera().pose().extent;
  choice->setCurrentIndex(choice->findText("none"));
  EXPECT_GT((opened.array() / view.camera().pose().extent.array()).minCoeff(), 1.3);
}

TEST_F(PlainWindowTest, APaneSaysWhyItHasNoConstraintForces) {
  OpenDrop();
  PlayToEnd();
  auto* choice = window_->findChild<QComboBox*>("arrows");
  choice->setCurrentIndex(choice->findText("constraint forces"));
  const auto words = [&](int pane) { return UndefinedText(window_->view(), pane).toStdString(); };
  const std::string kind = "constraint forces: ";
  session().Scrub(0.05);
  for (const int pane : {0, 1, 2}) {
    EXPECT_EQ(words(pane), "") << pane;
    ASSERT_TRUE(window_->view().Arrows(pane)) << pane;
    EXPECT_EQ(window_->view().Arrows(pane)->Longest(), 0.0);  // nothing is held
  }
  EXPECT_EQ(words(3), kind + "not defined");
  window_->view().Pick(3);
  EXPECT_THAT(PickedText(window_->view(), 0).toStdString(), HasSubstr("constraint forces 0 N"));
  choice->setCurrentIndex(choice->findText("scene forces"));
  const double weight = 9.81 * session().panes()[0].scene->Masses()[3];
  const QString told = PickedText(window_->view(), 0).section("scene forces ", 1);
  EXPECT_NEAR(told.section(' ', 0, 0).toDouble(), weight, 0.01 * weight);
  choice->setCurrentIndex(choice->findText("constraint forces"));
  session().Scrub(0.0);
  EXPECT_EQ(words(1), "");
  EXPECT_EQ(words(2), kind + "defined after the first step");
}

TEST_F(PlainWindowTest, ArrowsAreChosenOnceForAllPanesAndShareAScale) {
  OpenDrop();
  PlayToEnd();
  session().Scrub(0.05);
  auto* choice = window_->findChild<QComboBox*>("arrows");
  ASSERT_NE(choice, nullptr);
  choice->setCurrentIndex(choice->findText("scene forces"));
  ViewState& view = window_->view();
  double longest = 0.0;
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(view.Arrows(i)) << i;
    longest = std::max(longest, view.Arrows(i)->Longest());
  }
  EXPECT_EQ(view.longest_arrow(), longest);
  EXPECT_GT(longest, 0.0);
  KeepScreenshot(window_->grab().toImage(), "plain-arrows");
  const QImage with = window_->pane_view().Image();
  choice->setCurrentIndex(choice->findText("none"));
  EXPECT_FALSE(view.Arrows(0));
  const QImage without = window_->pane_view().Image();
  const QColor green(0x1b, 0x7f, 0x3b);
  EXPECT_GT(ShareOf(with, with.rect(), green, 8),
            ShareOf(without, without.rect(), green, 8) + 1e-4);
}

TEST_F(PlainWindowTest, TheMouseLeadsAPointThroughTheWindow) {
  const Experiment drop = ReadExperiment("experiments/drop.toml", {"run.duration=0.6"});
  WriteFile(scratch_ / "short.toml", ToToml(drop));
  ASSERT_TRUE(window_->Open(scratch_ / "short.toml"));
  EXPECT_TRUE(WaitUntil([&] { return AllPanesBegun(session()); }));
  const QPointF at = PlaceOf(1, 3);
  Mouse(QEvent::MouseButtonPress, at, Qt::LeftButton, Qt::ControlModifier);
  Mouse(QEvent::MouseMove, at + QPointF(80, -30), Qt::LeftButton, Qt::ControlModifier);
  EXPECT_TRUE(session().dragging());
  EXPECT_TRUE(session().playing());
  EXPECT_TRUE(WaitUntil([&] { return session().time() > 0.2; }));
  KeepScreenshot(window_->grab().toImage(), "plain-drag");
  Mouse(QEvent::MouseButtonRelease, at + QPointF(80, -30), Qt::LeftButton, Qt::ControlModifier);
  EXPECT_FALSE(session().dragging());
  EXPECT_FALSE(session().playing());
  EXPECT_FALSE(session().CatchingUp()) << "what has run stays";
  EXPECT_TRUE(window_->windowTitle().contains("edited"));
  EXPECT_FALSE(window_->open_experiment().experiment()->scene->forces.empty());
}

}  // namespace
}  // namespace pliant
