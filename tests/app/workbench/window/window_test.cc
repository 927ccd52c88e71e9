// The whole window without OpenGL: files, runs, films, searches, dialogs and pages.

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
  window_->open_experiment().history()->undo();
  page.Start();
  OpenDrop();
  EXPECT_FALSE(page.searching());
  EXPECT_THAT(page.WhyNot().toStdString(), HasSubstr("no [optimize] table"));
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
    ++opened;
    // The first equilibrium of fine meshes takes a minute.
    if (session().experiment()->name == "keeps-its-volume") continue;
    session().StepForward();
    const auto stepped = [&] { return session().time() > 0.0 || AllPanesEnded(session()); };
    EXPECT_TRUE(WaitUntil(stepped, 60));
    for (const Pane& pane : session().panes()) {
      EXPECT_EQ(pane.reason.find("failed"), std::string::npos) << pane.label << ": " << pane.reason;
    }
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
