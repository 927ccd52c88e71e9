// The whole window without OpenGL: what a user does, and what is left of it.

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

TEST_F(PlainWindowTest, OpensPlaysEditsUndoesSavesAndTheSavedFileRunsAlike) {
  OpenDrop();
  ASSERT_EQ(session().panes().size(), 4u);
  PlayToEnd();
  EXPECT_NEAR(session().time(), 0.1, 1e-12);
  const double before = session().panes()[0].recording.At(0.1)->points(1, 0);

  OpenExperiment& open = window_->open_experiment();
  ASSERT_TRUE(open.SetValue({"scene", "gravity"}, "[0.0, -30.0]"));
  EXPECT_TRUE(window_->windowTitle().contains("edited"));
  EXPECT_TRUE(WaitUntil([&] { return !session().CatchingUp() && AllPanesEnded(session()); }));
  const double after = session().panes()[0].recording.At(0.1)->points(1, 0);
  EXPECT_LT(after, before - 0.01);
  open.history()->undo();
  EXPECT_TRUE(WaitUntil([&] { return !session().CatchingUp() && AllPanesEnded(session()); }));
  EXPECT_EQ(session().panes()[0].recording.At(0.1)->points(1, 0), before);
  open.history()->redo();
  EXPECT_TRUE(WaitUntil([&] { return !session().CatchingUp() && AllPanesEnded(session()); }));

  ASSERT_TRUE(window_->SaveTo(scratch_ / "heavy.toml"));
  EXPECT_FALSE(window_->windowTitle().contains("edited"));
  const Experiment saved = ReadExperiment(scratch_ / "heavy.toml");
  for (size_t i = 0; i < 4; ++i) {
    const BackendRun run = RunIntoBundle(saved, i, TranslateFor(saved, i), scratch_ / "heavy", {});
    const Bundle bundle = Bundle::Open(run.bundle);
    const Recording& recording = session().panes()[i].recording;
    ASSERT_EQ(recording.size(), bundle.rows().size());
    for (size_t k = 0; k < recording.size(); ++k) {
      for (size_t c = 0; c < bundle.columns().size(); ++c) {
        if (IsTiming(bundle.columns()[c].name)) continue;
        EXPECT_EQ(recording[k].row[c], bundle.rows()[k][c]) << bundle.columns()[c].name;
      }
    }
  }
  // The bundles open side by side.
  ASSERT_TRUE(window_->Open(scratch_ / "heavy"));
  EXPECT_TRUE(WaitUntil([&] { return AllPanesEnded(session()); }));
  EXPECT_EQ(session().panes().size(), 4u);
  EXPECT_EQ(session().panes()[0].recording.size(), 11u);
  KeepScreenshot(window_->grab().toImage(), "plain-bundles");
}

TEST_F(PlainWindowTest, DrawsPlainlyWithoutOpenGlAndTheCurvesStillWork) {
  ASSERT_NE(LookForOpenGl().why_not, "");
  OpenDrop();
  PlayToEnd();
  session().Scrub(0.05);
  const QImage image = window_->pane_view().Image();
  for (int i = 0; i < 4; ++i) {
    EXPECT_GT(Inked(image, RectOf(i).adjusted(4, 44, -4, -40)), 0.02) << i;
  }
  PageOf<CurvePage>(*window_, "Curves").Choose("total-energy");
  EXPECT_TRUE(WaitUntil([&] {
    const Plot& plot = PageOf<CurvePage>(*window_, "Curves").plot();
    return !plot.panels.empty() && plot.panels[0].curves[0].x.size() == 11;
  }));
  // What is zoomed into stays when more is known, until another file is open.
  const auto first_time = [&] {
    return PageOf<CurvePage>(*window_, "Curves").plot().panels[0].curves[0].x.front();
  };
  PageOf<CurvePage>(*window_, "Curves").ShowWindow(AxisRange{0.045, 0.08});
  EXPECT_TRUE(WaitUntil([&] { return first_time() > 0.03; }));
  emit session().Recorded();
  QTest::qWait(200);
  EXPECT_NEAR(first_time(), 0.04, 1e-9) << "and one neighbour";
  PageOf<CurvePage>(*window_, "Curves").ShowWindow(std::nullopt);
  EXPECT_TRUE(WaitUntil([&] { return first_time() == 0.0; }));
  PageOf<CurvePage>(*window_, "Curves").Export(scratch_ / "energy.csv");
  const CsvTable table = ReadCsv(scratch_ / "energy.csv");
  EXPECT_EQ(table.rows.size(), 11u);
  for (const char* ending : {"svg", "pdf", "png"}) {
    PageOf<CurvePage>(*window_, "Curves").Export(scratch_ / (std::string("energy.") + ending));
    EXPECT_GT(std::filesystem::file_size(scratch_ / (std::string("energy.") + ending)), 1000u);
  }
  KeepScreenshot(window_->grab().toImage(), "plain");
}

TEST_F(PlainWindowTest, ABrokenFileIsShownWithItsLineMarked) {
  WriteFile(scratch_ / "broken.toml",
            "scene = \"" + std::filesystem::absolute("data/scenes/drop.toml").string() +
                "\"\n[run]\nduration = 1.0\nstep = 0.001\nrecord_evry = 0.01\n"
                "[backends.linear-deformation]\n");
  OpenDrop();
  EXPECT_FALSE(window_->Open(scratch_ / "broken.toml"));
  EXPECT_EQ(window_->source().marked_line(), 5);
  const auto* message = window_->source().findChild<QLabel*>("message");
  EXPECT_THAT(message->text().toStdString(), HasSubstr("record_every"));
  const auto* text = window_->source().findChild<QPlainTextEdit*>("source");
  EXPECT_TRUE(text->textCursor().block().text().contains("record_evry = 0.01"));
  ASSERT_EQ(text->extraSelections().size(), 1);
  EXPECT_EQ(text->extraSelections()[0].cursor.blockNumber(), 4);
  EXPECT_TRUE(session().panes().empty());
  KeepScreenshot(window_->grab().toImage(), "broken");
  EXPECT_TRUE(window_->Open(scratch_ / "short.toml"));  // and all is well again
}

TEST_F(PlainWindowTest, AFolderWithoutBundlesIsTold) {
  EXPECT_FALSE(window_->Open(scratch_.path()));
  EXPECT_EQ(window_->source().marked_line(), 0);
  EXPECT_FALSE(window_->Open("no/such/file.toml"));
}

// Ten pictures a second of 0.1 s at a tenth of the speed: 0, 0.01, …, 0.1.
TEST_F(PlainWindowTest, AFilmGoesThroughWhatIsRecorded) {
  OpenDrop();
  PlayToEnd();
  session().Scrub(0.03);
  FilmPlan plan;
  plan.path = scratch_ / "film";
  plan.pictures_per_second = 10.0;
  plan.speed = 0.1;
  EXPECT_EQ(WhyNoFilm(plan), "");
  std::vector<double> times;
  const auto film_of = [&] {
    QString words;
    Film film(
        &session(),
        [&] {
          times.push_back(session().time());
          return window_->PictureOf(MainWindow::kPanesAndCurves);
        },
        plan);
    QObject::connect(&film, &Film::Finished, [&](const QString& said) { words = said; });
    EXPECT_EQ(film.pictures(), 11);
    film.Start();
    EXPECT_TRUE(WaitUntil([&] { return !words.isEmpty(); }));
    return words.toStdString();
  };
  EXPECT_THAT(film_of(), HasSubstr("wrote 11 pictures to"));
  ASSERT_EQ(times.size(), 11u);
  for (int i = 0; i < 11; ++i) EXPECT_NEAR(times[static_cast<size_t>(i)], 0.01 * i, 1e-12);
  EXPECT_NEAR(session().time(), 0.03, 1e-12) << "the clock goes back";
  const QImage first(QString::fromStdString((plan.path / "frame-00001.png").string()));
  const QImage last(QString::fromStdString((plan.path / "frame-00011.png").string()));
  EXPECT_GT(first.height(), window_->pane_view().Image().height() + 50) << "curves below";
  EXPECT_NE(first, last);
  EXPECT_EQ(window_->PictureOf(2).size(), RectOf(2).size());

  // ffmpeg gets all pictures; what it says when it fails is told.
  plan.path = scratch_ / "film.mp4";
  const QByteArray path = qgetenv("PATH");
  qputenv("PATH", scratch_.path().string().c_str());
  EXPECT_THAT(WhyNoFilm(plan).toStdString(), HasSubstr("ffmpeg is not installed"));
  const std::filesystem::path encoder = scratch_ / "ffmpeg";
  WriteFile(encoder,
            "#!/bin/sh\nfor last; do :; done\n/bin/ls \"$(/usr/bin/dirname \"$7\")\" > $last\n");
  std::filesystem::permissions(encoder, std::filesystem::perms::owner_all);
  EXPECT_EQ(WhyNoFilm(plan), "");
  EXPECT_THAT(film_of(), HasSubstr("film.mp4, 11 pictures"));
  std::ifstream listed(plan.path);
  const std::string names((std::istreambuf_iterator<char>(listed)), {});
  EXPECT_THAT(names, HasSubstr("frame-00011.png"));
  WriteFile(encoder, "#!/bin/sh\necho no such codec >&2\nexit 3\n");
  EXPECT_EQ(film_of(), "ffmpeg failed: no such codec");
  qputenv("PATH", path);
}

// The trials are those of the command line, and the best motion goes into the experiment.
TEST_F(PlainWindowTest, ASearchIsShownPausedStoppedAndItsBestIsKept) {
  const char* file = "experiments/faloutsos-1995/faloutsos-bounding-speed.toml";
  const Experiment bounding =
      ReadExperiment(file, {"optimize.trials=12", "optimize.restarts=1", "run.duration=0.4"});
  WriteFile(scratch_ / "search.toml", ToToml(bounding));
  ASSERT_TRUE(window_->Open(scratch_ / "search.toml"));
  SearchPage& page = PageOf<SearchPage>(*window_);
  auto* state = page.findChild<QLabel*>("search state");
  page.Start();
  ASSERT_TRUE(page.searching());
  ASSERT_TRUE(WaitUntil([&] { return !page.searching(); }));
  EXPECT_THAT(state->text().toStdString(), HasSubstr("completed: 12 trials, best cost"));
  const SearchRecord left = ReadSearchRecord(scratch_ / "search" / "optimize");
  ASSERT_EQ(page.record().histories.size(), 1u);
  const std::vector<Trial>& trials = page.record().histories[0].trials;
  ASSERT_EQ(trials.size(), 12u);
  for (size_t t = 0; t < 12; ++t) {
    EXPECT_EQ(trials[t].numbers, left.histories[0].trials[t].numbers);
    EXPECT_EQ(trials[t].score.cost, left.histories[0].trials[t].score.cost);
  }
  const Trial* best = page.record().histories[0].Best();
  ASSERT_NE(best, nullptr);
  ASSERT_NE(best, &trials[0]) << "else there is nothing to keep";

  // Its motion is drawn: the run of the experiment with its numbers, from start to end.
  auto* ghosts = page.findChild<QWidget*>("ghosts");
  ASSERT_NE(ghosts, nullptr);
  const auto& poses = static_cast<GhostView*>(ghosts)->poses();
  const auto with_best = WithNumbers(bounding, best->numbers);
  const std::unique_ptr<Simulation> moved = TranslateFor(*with_best, 0).simulation;
  std::vector<Eigen::Matrix3Xd> frames;
  RunHooks hooks;
  hooks.on_frame = [&](const Frame& frame) { frames.push_back(frame.observation.points); };
  pliant::Run(*with_best, 0, moved.get(), hooks);
  window_->findChild<QDockWidget*>("Search")->raise();
  EXPECT_TRUE(WaitUntil([&] { return !poses.empty() && poses.back() == frames.back(); }));
  EXPECT_EQ(poses.size(), 9u);
  EXPECT_EQ(poses.front(), frames.front());

  page.KeepBest();
  const auto kept = window_->open_experiment().experiment();
  const SearchPlan again = ReadSearchPlan(*kept);
  EXPECT_EQ(again.Problem()->numbers().start, best->numbers);
  EXPECT_EQ(again.Problem()->Evaluate(best->numbers).cost, best->score.cost);
  WriteFile(scratch_ / "kept.toml", ToToml(*kept));
  EXPECT_EQ(ReadSearchPlan(ReadExperiment(scratch_ / "kept.toml")).Problem()->numbers().start,
            best->numbers);
  window_->open_experiment().history()->undo();
  EXPECT_EQ(ReadSearchPlan(*window_->open_experiment().experiment()).Problem()->numbers().start,
            trials[0].numbers);
  KeepScreenshot(window_->grab().toImage(), "plain-search");

  // Paused it makes no trials; stopped it leaves what it has.
  ASSERT_TRUE(window_->open_experiment().SetValue({"optimize", "trials"}, "100000"));
  page.Start();
  ASSERT_TRUE(WaitUntil([&] { return state->text().contains("best cost"); }));
  page.SetPaused(true);
  const auto count = [&] { return page.record().histories[0].trials.size(); };
  QTest::qWait(300);
  const size_t then = count();
  QTest::qWait(200);
  EXPECT_EQ(count(), then);
  EXPECT_THAT(state->text().toStdString(), HasSubstr("paused"));
  page.SetPaused(false);
  EXPECT_TRUE(WaitUntil([&] { return count() > then; }));
  page.Stop();
  ASSERT_TRUE(WaitUntil([&] { return !page.searching(); }));
  EXPECT_THAT(state->text().toStdString(), HasSubstr("cancelled"));
  EXPECT_EQ(ReadSearchRecord(scratch_ / "search" / "optimize").histories[0].trials.size(), count());
  // Another file ends the search of this one.
  page.Start();
  OpenDrop();
  EXPECT_FALSE(page.searching());
  EXPECT_THAT(page.WhyNot().toStdString(), HasSubstr("no [optimize] table"));
}

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

// Also that none fails: a refusal or a divergence is an answer, an exception is not.
TEST_F(PlainWindowTest, EveryExperimentOfTheRepositoryOpensAndSteps) {
  int opened = 0;
  for (const ListedFile& listed : ListScenes("experiments")) {
    const std::filesystem::path& file = listed.file;
    // Translating these plans a jump, which takes seconds; lamp-dance and lamp-timed stand for
    // them.
    if (listed.name.starts_with("lamp-jump")) continue;
    SCOPED_TRACE(file);
    EXPECT_TRUE(window_->Open(file));
    EXPECT_TRUE(WaitUntil([&] { return AllPanesBegun(session()); }));
    session().StepForward();
    EXPECT_TRUE(WaitUntil([&] { return session().time() > 0.0 || AllPanesEnded(session()); }));
    for (const Pane& pane : session().panes()) {
      EXPECT_EQ(pane.reason.find("failed"), std::string::npos) << pane.label << ": " << pane.reason;
    }
    ++opened;
  }
  EXPECT_GT(opened, 30);
}

// What a dialog says, and its picture; it is closed.
std::string SaidByDialog(QWidget* window, const QString& action, const std::string& picture) {
  QString said;
  QTimer::singleShot(100, window, [&] {
    auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
    if (box == nullptr) return;
    said = box->text();
    KeepScreenshot(box->grab().toImage(), picture);
    box->close();
  });
  for (QAction* each : window->findChildren<QAction*>()) {
    if (each->text().remove('&') == action) each->trigger();
  }
  return said.toStdString();
}

TEST_F(PlainWindowTest, KeysAreListedAndAboutTellsVersions) {
  const std::string keys = SaidByDialog(window_.get(), "Keys and gestures", "keys");
  for (const QAction* action : window_->findChildren<QAction*>()) {
    if (action->shortcut().isEmpty()) continue;
    const QString text = action->text().remove('&');
    if (text.startsWith("take pose")) continue;
    EXPECT_THAT(keys, HasSubstr(text.toHtmlEscaped().toStdString()));
  }
  EXPECT_THAT(keys, HasSubstr("1 … 9"));
  EXPECT_THAT(keys, HasSubstr("Ctrl + drag a point"));
  const std::string about = SaidByDialog(window_.get(), "About", "about");
  EXPECT_THAT(about, HasSubstr(qVersion()));
  EXPECT_THAT(about, HasSubstr("plain drawing"));
}

TEST_F(PlainWindowTest, WhatIsDroppedOnItOpens) {
  WriteFile(scratch_ / "short.toml",
            ToToml(ReadExperiment("experiments/drop.toml", {"run.duration=0.1"})));
  QMimeData files;
  files.setUrls({QUrl::fromLocalFile(QString::fromStdString((scratch_ / "short.toml").string()))});
  QDragEnterEvent enter({20, 20}, Qt::CopyAction, &files, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(window_.get(), &enter);
  EXPECT_TRUE(enter.isAccepted());
  QDropEvent drop({20, 20}, Qt::CopyAction, &files, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(window_.get(), &drop);
  EXPECT_EQ(session().panes().size(), 4u);
  EXPECT_TRUE(window_->windowTitle().startsWith("short"));
}

TEST_F(PlainWindowTest, APageThatDoesNotApplySaysWhy) {
  const auto why_not = [&](const char* title) {
    return window_->findChild<QDockWidget*>(title)->findChild<QLabel*>("why not")->text();
  };
  EXPECT_EQ(why_not("Parameters"),
            "No experiment is open. The values of a bundle are those it was run with.");
  OpenDrop();
  EXPECT_EQ(why_not("Parameters"), "");
  EXPECT_THAT(why_not("Plan").toStdString(), HasSubstr("There is nothing to plan"));
  window_->findChild<QDockWidget*>("Plan")->raise();
  QCoreApplication::processEvents();
  KeepScreenshot(window_->grab().toImage(), "page-that-does-not-apply");
}

// Each page of the table has a dock and a key of its own that brings it to the front.
TEST_F(PlainWindowTest, EachPageHasADockAndAKey) {
  std::set<std::string> keys;
  for (const PageInfo& info : PageTable()) {
    auto* dock = window_->findChild<QDockWidget*>(info.title);
    ASSERT_NE(dock, nullptr) << info.title;
    EXPECT_TRUE(keys.insert(info.shortcut).second) << info.shortcut;
    dock->hide();
    for (QAction* action : window_->findChildren<QAction*>()) {
      if (action->shortcut() == QKeySequence(info.shortcut)) action->trigger();
    }
    EXPECT_TRUE(dock->isVisible()) << info.title;
  }
}

TEST_F(PlainWindowTest, PagesRememberTheirState) {
  OpenDrop();
  PageOf<CurvePage>(*window_, "Curves").Choose("step_time_s");
  PageOf<CurvePage>(*window_, "Curves").SetLogarithmic(true);
  window_->close();
  MainWindow next(WorkbenchPlaces{".", scratch_.path()});
  ASSERT_TRUE(next.Open(scratch_ / "short.toml"));
  EXPECT_TRUE(
      WaitUntil([&] { return PageOf<CurvePage>(next, "Curves").chosen() == "step_time_s"; }));
  EXPECT_NE(PageOf<CurvePage>(next, "More curves").chosen(), "step_time_s");
}

TEST_F(PlainWindowTest, ClosesDuringARun) {
  OpenDrop();
  session().Play();
  WaitUntil([&] { return session().panes()[0].recording.size() > 1; });
  window_->close();
  window_.reset();
}

}  // namespace
}  // namespace pliant
