// The pages around the panes, in a window without OpenGL: editors, plans, console, export.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QMouseEvent>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSlider>
#include <QTableView>
#include <QTest>
#include <QTextBlock>
#include <QUndoStack>
#include <cmath>
#include <memory>

#include "app/plots/canvas.h"
#include "app/report/report.h"
#include "app/workbench/editors/number_strip.h"
#include "app/workbench/editors/pose_graph_view.h"
#include "app/workbench/edits/new_experiment.h"
#include "app/workbench/edits/open_experiment.h"
#include "app/workbench/pages/console_page.h"
#include "app/workbench/pages/editor_page.h"
#include "app/workbench/pages/log_model.h"
#include "app/workbench/pages/page_table.h"
#include "app/workbench/pages/plan_page.h"
#include "app/workbench/window/exporter.h"
#include "app/workbench/window/main_window.h"
#include "experiments/bundles/bundle.h"
#include "experiments/bundles/storage.h"
#include "experiments/comparison/comparison.h"
#include "experiments/files/experiment_document.h"
#include "tests/app/workbench/by_program.h"
#include "tests/app/workbench/windows.h"
#include "tests/experiments/shipped_file.h"

namespace pliant {
namespace {

using ::testing::HasSubstr;

class PagesTest : public WindowTest {
 protected:
  PagesTest() {
    EnsureApplication();
    window_ = std::make_unique<MainWindow>(WorkbenchPlaces{".", scratch_.path()});
    window_->resize(1300, 850);
    window_->show();
  }
  // An experiment of the repository, shortened, from a file of its own.
  void Open(const std::string& name, const std::vector<std::string>& changes) {
    const Experiment experiment = ReadExperiment(ShippedFile(name), changes);
    const std::filesystem::path file = scratch_ / (name + ".toml");
    WriteFile(file, ToToml(experiment));
    ASSERT_TRUE(window_->Open(file));
  }
  void Raise(const char* dock) { window_->findChild<QDockWidget*>(dock)->raise(); }
  EditorPage& OpenEditor(EditorGroup::Kind kind) {
    Raise("Editors");
    EditorPage& page = PageOf<EditorPage>(*window_);
    EXPECT_TRUE(WaitUntil([&] { return page.isVisible() && !page.groups().empty(); }));
    for (size_t i = 0; i < page.groups().size(); ++i) {
      if (page.groups()[i].kind != kind) continue;
      page.Choose(static_cast<int>(i));
      break;
    }
    QCoreApplication::processEvents();
    return page;
  }
  void Drag(NumberStrip* strip, size_t place, double to) {
    const QPointF from = strip->PlaceOf(place), end = strip->PlaceOf(place, to);
    for (const auto& [type, at] :
         {std::pair(QEvent::MouseButtonPress, from),
          std::pair(QEvent::MouseMove, 0.5 * (from + end)), std::pair(QEvent::MouseMove, end),
          std::pair(QEvent::MouseButtonRelease, end)}) {
      QMouseEvent event(type, at, strip->mapToGlobal(at), Qt::LeftButton, Qt::LeftButton,
                        Qt::NoModifier);
      QCoreApplication::sendEvent(strip, &event);
    }
  }
  OpenExperiment& open() { return window_->open_experiment(); }
  Session& session() { return window_->session(); }
  std::vector<double> Numbers(size_t backend, const char* name) {
    return std::get<std::vector<double>>(
        open().experiment()->backends[backend].parameters.at(name));
  }

  ScratchFolder scratch_;
  std::unique_ptr<MainWindow> window_;
};

TEST_F(PagesTest, ADraggedLevelIsAnEditThatCanBeUndone) {
  Open("harrison-patch", {"run.duration=0.02", "run.record_every=0.01"});
  EditorPage& page = OpenEditor(EditorGroup::Kind::kLevels);
  NumberStrip* absorption = page.strip(0);
  ASSERT_EQ(absorption->list().title, "absorption");
  const auto marked = [&] {  // in the colour of what differs from the file
    const QImage strip = absorption->grab().toImage();
    return ShareOf(strip, strip.rect(), QColor(0xb3, 0x4a, 0x00), 20) > 0.0;
  };
  EXPECT_FALSE(marked());
  Drag(absorption, 1, 0.5);
  EXPECT_TRUE(marked());
  EXPECT_NEAR(Numbers(0, "absorption")[1], 0.5, 0.03);
  EXPECT_EQ(Numbers(0, "absorption")[2], 0.2);
  EXPECT_TRUE(open().edited());
  KeepScreenshot(window_->grab().toImage(), "editor-levels");
  open().history()->undo();
  EXPECT_EQ(Numbers(0, "absorption")[1], 0.0);
  EXPECT_EQ(absorption->list().values[1], 0.0) << "the strip shows it";
  EXPECT_FALSE(marked());
}

// From three levels to six, coarsest first or last, as narrow as an editor is.
TEST_F(PagesTest, LabelsOfLevelsCanBeRead) {
  NumberStrip strip;
  strip.setFixedWidth(strip.sizeHint().width());
  const auto expect_readable = [](const NumberStrip& shown) {
    double end = 0.0;
    for (size_t i = 0; i < shown.list().labels.size(); ++i) {
      const NumberStrip::Label label = shown.LabelOf(i);
      EXPECT_EQ(label.text.toStdString(), shown.list().labels[i]);
      EXPECT_GT(label.box.left(), end);
      end = label.box.right();
      EXPECT_GT(end, shown.PlaceOf(i).x()) << label.text.toStdString() << " is below its place";
      EXPECT_LT(label.box.left(), shown.PlaceOf(i).x());
    }
    EXPECT_LE(end, shown.width());
  };
  for (size_t levels = 3; levels <= 6; ++levels) {
    NumberList list;
    list.title = "levels";
    list.values.assign(levels, 0.25);
    list.ranges.assign(levels, Between(0.0, 1.0));
    for (size_t i = 1; i <= levels; ++i) list.labels.push_back(std::to_string(i));
    list.labels.front() = "coarsest";
    list.labels.back() = "finest";
    for (const bool coarsest_first : {true, false}) {
      SCOPED_TRACE(std::to_string(levels) + (coarsest_first ? " from" : " to") + " the coarsest");
      if (!coarsest_first) std::reverse(list.labels.begin(), list.labels.end());
      strip.SetList(list, false);
      expect_readable(strip);
    }
  }
  Open("harrison-patch", {"run.duration=0.02", "run.record_every=0.01"});
  const EditorPage& page = OpenEditor(EditorGroup::Kind::kLevels);
  ASSERT_EQ(page.strip(0)->list().labels.size(), 5u);
  expect_readable(*page.strip(0));
  const NumberStrip& alike = *page.strip(1);
  ASSERT_EQ(alike.list().labels, std::vector<std::string>{"all levels"});
  EXPECT_GE(alike.LabelOf(0).box.width(), alike.fontMetrics().horizontalAdvance("all levels"))
      << "in one line where it fits";
}

TEST_F(PagesTest, BarsOfSharesKeepTheirSum) {
  Open("palazzi-fractions", {"run.duration=0.02", "run.record_every=0.01"});
  EditorPage& page = OpenEditor(EditorGroup::Kind::kShares);
  Drag(page.strip(0), 3, 0.4);
  const std::vector<double> shares = Numbers(0, "force_fractions");
  EXPECT_NEAR(shares[3], 0.4, 0.02);
  EXPECT_NEAR(shares[0] + shares[3], 1.0, 1e-12);
  KeepScreenshot(window_->grab().toImage(), "editor-shares");
}

TEST_F(PagesTest, ModesAreDraggedAndTheirMatrixIsATable) {
  Open("faloutsos-cliff", {"run.duration=0.02"});
  EditorPage& page = OpenEditor(EditorGroup::Kind::kModes);
  auto* mode = page.findChild<QComboBox*>("mode");
  ASSERT_NE(mode, nullptr);
  mode->setCurrentIndex(1);
  emit mode->activated(1);
  auto* matrix = page.findChild<QTableView*>("mode matrix");
  EXPECT_EQ(matrix->model()->rowCount(), 8);
  Drag(page.strip(0), 2, -0.5);
  const auto modes = [&] {
    return *ValueAs<MatrixTable>(open().experiment()->backends[0].parameters.at("modes"));
  };
  EXPECT_NEAR(modes().entries[2].scalars.at("initial"), -0.5, 0.03);
  EXPECT_TRUE(matrix->model()->setData(matrix->model()->index(0, 0), 120.0));
  EXPECT_EQ(modes().entries[1].values(0, 0), 120.0);
  KeepScreenshot(window_->grab().toImage(), "editor-modes");
}

// A number key takes a pose at the present time; what came before stays.
TEST_F(PagesTest, PosesAreOnTheNumberKeys) {
  Open("lamp-dance", {"run.duration=0.4"});
  EditorPage& page = OpenEditor(EditorGroup::Kind::kPoses);
  session().SetSpeed(1000.0);
  session().Play();
  EXPECT_TRUE(WaitUntil([&] { return session().RecordedEnd() >= 0.39; }));
  session().Pause();
  session().Scrub(0.2);
  const Eigen::Matrix3Xf before = session().panes()[0].recording.At(0.4)->points;
  QTest::keyClick(window_.get(), Qt::Key_3);
  EXPECT_TRUE(WaitUntil([&] { return !session().CatchingUp(); }));
  const auto& control =
      *ValueAs<ControlTable>(open().experiment()->backends[0].parameters.at("control"));
  ASSERT_EQ(control.poses.size(), 4u);
  EXPECT_EQ(control.poses[3].targets, control.poses[2].targets);
  ASSERT_EQ(control.sensors.size(), 1u);
  EXPECT_NEAR(control.sensors[0].threshold, 0.2, 1e-9);
  session().Play();
  EXPECT_TRUE(WaitUntil([&] { return AllPanesEnded(session()); }));
  EXPECT_GT((session().panes()[0].recording.At(0.4)->points - before).norm(), 0.01F);
  auto* table = page.findChild<QTableView*>("poses");
  EXPECT_EQ(table->model()->rowCount(), 4);
  // The graph is drawn beside its table, and chosen in alike.
  auto* graph = page.findChild<PoseGraphView*>();
  QTest::mouseClick(graph, Qt::LeftButton, {}, graph->BoxOf(2).center().toPoint());
  EXPECT_EQ(table->currentIndex().row(), 2);
  EXPECT_GT(Inked(graph->grab().toImage(), graph->rect()), 0.02);
  KeepScreenshot(window_->grab().toImage(), "editor-poses");
  open().history()->undo();
  // The editor is another one by now.
  EXPECT_EQ(page.findChild<QTableView*>("poses")->model()->rowCount(), 3) << "an edit like others";
}

TEST_F(PagesTest, APlanIsSeenAsItIsFound) {
  Open("lamp-jump", {"run.duration=0.01"});
  Raise("Plan");
  PlanPage& page = PageOf<PlanPage>(*window_);
  page.Start();
  ASSERT_TRUE(page.planning());
  ASSERT_TRUE(WaitUntil([&] { return page.iterations().size() >= 2; }));
  page.SetPaused(true);
  QTest::qWait(300);
  const size_t then = page.iterations().size();
  QTest::qWait(300);
  EXPECT_EQ(page.iterations().size(), then);
  page.SetPaused(false);
  ASSERT_TRUE(WaitUntil([&] { return page.iterations().size() > then; }));
  page.Stop();
  ASSERT_TRUE(WaitUntil([&] { return !page.planning(); }));
  EXPECT_THAT(page.end().toStdString(), HasSubstr("stopped"));
  page.findChild<QCheckBox*>()->setChecked(false);  // slowly
  page.Start();
  ASSERT_TRUE(WaitUntil([&] { return !page.planning(); }));
  EXPECT_EQ(page.end().toStdString(), "converged");
  const std::vector<PlanSight>& seen = page.iterations();
  EXPECT_GT(seen.size(), then);
  EXPECT_LT(seen.back().iteration.violation, 1e-8);
  EXPECT_GT(seen.front().iteration.violation, 1e-6);
  ASSERT_EQ(seen.back().poses.size(), 9u);
  const auto base = [](const Eigen::Matrix3Xd& pose) { return pose(0, 0); };
  EXPECT_NEAR(base(seen.back().poses.back()) - base(seen.back().poses.front()), 0.3, 1e-6)
      << "the jump of the file";
  auto* slider = page.findChild<QSlider*>();
  slider->setValue(1);
  page.findChild<QPushButton*>("plan Show best")->click();
  EXPECT_EQ(slider->value(), static_cast<int>(seen.size())) << "the end of one that converged";
  KeepScreenshot(window_->grab().toImage(), "plan");
}

// Of a body whose modes move it: its lattice at nine times of the motion.
TEST_F(PagesTest, ThePlanOfADeformableBodyIsSeenAsItIsFound) {
  Open("jelly-jump", {"run.duration=0.01"});
  Raise("Plan");
  PlanPage& page = PageOf<PlanPage>(*window_);
  page.findChild<QCheckBox*>()->setChecked(false);  // slowly
  page.Start();
  ASSERT_TRUE(WaitUntil([&] { return !page.planning(); }));
  EXPECT_EQ(page.end().toStdString(), "converged");
  const std::vector<PlanSight>& seen = page.iterations();
  ASSERT_FALSE(seen.empty());
  EXPECT_LT(seen.back().iteration.violation, 1e-8);
  ASSERT_EQ(seen.back().poses.size(), 9u);
  const Eigen::Matrix3Xd &first = seen.back().poses.front(), &last = seen.back().poses.back();
  const double distance = (last - first).row(0).mean();
  EXPECT_GT(distance, 0.05);
  EXPECT_NEAR((last.colwise() - Eigen::Vector3d(distance, 0.0, 0.0) - first).cwiseAbs().maxCoeff(),
              0.0, 1e-6)
      << "at rest at both ends, in one shape";
  page.findChild<QPushButton*>("plan Show best")->click();
  KeepScreenshot(window_->grab().toImage(), "plan-jelly");
}

TEST(BestOfPlans, IsTheCheapestThatKeepsItsConstraintsOnTheFinestMesh) {
  const auto sight = [](double mesh_step, double violation, double cost) {
    return PlanSight{0, mesh_step, {"fast", 1.0, 1, cost, violation, 1.0, 0.0}, 1.0, {}};
  };
  EXPECT_FALSE(BestSight({}));
  EXPECT_EQ(BestSight({sight(0.1, 0.0, 1.0), sight(0.05, 1e-3, 5.0), sight(0.05, 1e-4, 9.0)}), 2u);
  EXPECT_EQ(BestSight({sight(0.05, 1e-9, 7.0), sight(0.05, 2e-9, 6.0), sight(0.05, 1e-7, 5.0)}),
            1u);
}

TEST_F(PagesTest, TheConsoleRunsScriptsAndMarksWhatIsWrong) {
  Raise("Console");
  ConsolePage& console = PageOf<ConsolePage>(*window_);
  console.OpenScript("data/scripts/appendix-c.txt");
  QString script = console.text();
  script.replace("set end 25", "set end 1");
  console.SetText(script);
  ASSERT_TRUE(console.Run()) << console.message().toStdString();
  ASSERT_EQ(session().panes().size(), 1u);
  EXPECT_EQ(open().experiment()->plan.duration, 1.0);
  // One command more, and one that is none.
  EXPECT_TRUE(console.Enter("assign 1 123456 1000"));
  EXPECT_THAT(ToToml(*open().experiment()), HasSubstr("61728.0")) << "K of V = K γ² is half of C";
  const QString good = console.text();
  EXPECT_LT(good.indexOf("assign 1 123456"), good.lastIndexOf("simul"));
  EXPECT_FALSE(console.Enter("asign 1 2 3"));
  EXPECT_THAT(console.message().toStdString(), HasSubstr("assign"));
  EXPECT_EQ(console.text(), good);
  script.replace("set gr_dam 550", "set gr_dam much");
  console.SetText(script);
  EXPECT_FALSE(console.Run());
  const auto* text = console.findChild<QPlainTextEdit*>("console text");
  ASSERT_EQ(text->extraSelections().size(), 1);
  EXPECT_TRUE(text->textCursor().block().text().contains("gr_dam much"));
  KeepScreenshot(window_->grab().toImage(), "console");
  EXPECT_NE(open().experiment(), nullptr) << "what was open stays";
}

// What was said before the page was made, too; the newest line stays in sight unless somebody has scrolled up.
TEST_F(PagesTest, TheLogShowsItsNewestLines) {
  LogModel log;
  log.Add("first");
  PageContext context{};
  context.log = &log;
  const PageInfo& row = PageTable().back();
  ASSERT_STREQ(row.title, "Log");
  const std::unique_ptr<Page> page(row.make(context, nullptr));
  page->resize(300, 200);
  page->show();
  const auto* text = page->findChild<QPlainTextEdit*>("log text");
  EXPECT_TRUE(text->toPlainText().endsWith("  first"));
  for (int i = 0; i < 3000; ++i) log.Add(QString::number(i));
  EXPECT_EQ(text->blockCount(), LogModel::kMostLines);
  EXPECT_TRUE(text->toPlainText().endsWith("  2999"));
  QScrollBar* bar = text->verticalScrollBar();
  EXPECT_EQ(bar->value(), bar->maximum());
  bar->setValue(10);
  log.Add("last");
  EXPECT_LT(bar->value(), bar->maximum());
}

TEST_F(PagesTest, BehavioursOfTheSceneAreEditedInTheConsole) {
  Open("witkin-welch-monster", {"run.duration=0.01"});
  ConsolePage& console = PageOf<ConsolePage>(*window_);
  const auto& root = open().experiment()->document->root;
  const FileValue& first = root.Find("scene")->Find("behaviour")->array()->front();
  const QString name = "behaviour " + QString::fromStdString(ElementName(first, 0));
  console.Choose(name);
  const QString before = console.text();
  EXPECT_THAT(before.toStdString(), HasSubstr("WaitFor(distance(monster.brow"));
  console.SetText(QString(before).replace("< 1.9", "< 1.2"));
  EXPECT_TRUE(console.Run()) << console.message().toStdString();
  EXPECT_THAT(ToToml(*open().experiment()), HasSubstr("< 1.2"));
  console.SetText("Grab(");
  EXPECT_FALSE(console.Run());
  EXPECT_NE(console.message(), "");
  open().history()->undo();
  EXPECT_FALSE(open().edited());
}

TEST_F(PagesTest, ANewExperimentIsASceneInTheFormulationsAskedFor) {
  OpenExperiment fresh;
  fresh.New({"data/scenes/press.toml", {"linear-deformation"}, 0.5, 0.01, 0.05});
  ASSERT_EQ(fresh.experiment()->backends.size(), 1u);
  EXPECT_EQ(fresh.experiment()->backends[0].label, "linear-deformation");
  EXPECT_EQ(fresh.experiment()->plan.duration, 0.5);
  EXPECT_THROW(fresh.New({"data/scenes/press.toml", {}, 0.5, 0.01, 0.015}), FileError);
}

// What is exported is what the command line would export.
TEST_F(PagesTest, ExportsMeshesAndAReport) {
  Open("drop", {"run.duration=0.02", "run.record_every=0.01"});
  const auto words_of = [&](const std::string& format, const std::filesystem::path& report) {
    QString words;
    Exporter exporter(
        {open().experiment(), scratch_ / "runs", {}, format, scratch_ / "out", report},
        window_.get());
    QObject::connect(&exporter, &Exporter::Finished, [&](const QString& said) { words = said; });
    EXPECT_TRUE(WaitUntil([&] { return !words.isEmpty(); }));
    return words.toStdString();
  };
  EXPECT_THAT(words_of("obj", {}), HasSubstr("wrote"));
  EXPECT_EQ(FindBundles(scratch_ / "runs").size(), 4u);
  size_t meshes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(scratch_ / "out")) {
    meshes += entry.path().extension() == ".obj" ? 1 : 0;
  }
  EXPECT_EQ(meshes, 12u) << "three frames of four backends";
  EXPECT_THAT(words_of("", scratch_ / "report.html"), HasSubstr("report.html"));
  // The thread of the window draws what only it may; all the rest is done elsewhere.
  std::vector<Bundle> bundles;
  for (const BackendChoice& choice : open().experiment()->backends) {
    bundles.push_back(Bundle::Open(scratch_ / "runs" / "drop" / choice.label));
  }
  const std::string elsewhere = ReadFile(scratch_ / "report.html");
  WriteReport(bundles, scratch_ / "report.html");
  EXPECT_TRUE(elsewhere == ReadFile(scratch_ / "report.html"));
  EXPECT_TRUE(std::filesystem::exists(scratch_ / "figures" / "total-energy.pdf"));
  EXPECT_THAT(words_of("stl", {}), HasSubstr("stl"));
  EXPECT_THAT(words_of("", scratch_ / "runs" / "drop"), HasSubstr("drop")) << "that is a folder";
}

// What waits for the window must not hold it up when it closes.
TEST_F(PagesTest, AReportIsGivenUp) {
  Open("drop", {"run.duration=0.02", "run.record_every=0.01"});
  ExportJob job({open().experiment(), scratch_ / "runs", {}, "", {}, scratch_ / "report.html"});
  EXPECT_TRUE(WaitUntil([&] { return job.Draw(); }));  // the first of many
  QTest::qWait(20);
  job.Stop();
  EXPECT_TRUE(WaitUntil([&] { return job.result().has_value(); }));
  EXPECT_TRUE(job.result()->stopped);
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "report.html"));
}

// The whole way: edited here, saved, and run by the program itself.
TEST_F(PagesTest, TheProgramRunsASavedFileToTheSameSeries) {
  Open("drop", {"run.duration=0.05", "run.record_every=0.01"});
  ASSERT_TRUE(open().SetValue({"scene", "gravity"}, "[0.0, -20.0]"));
  ASSERT_TRUE(window_->SaveTo(scratch_ / "saved.toml"));
  session().SetSpeed(1000.0);
  session().Play();
  ASSERT_TRUE(WaitUntil([&] { return AllPanesEnded(session()); }));
  ExpectTheProgramRunsAlike(session(), scratch_ / "saved.toml", scratch_ / "by-cli");
  const std::vector<std::filesystem::path> bundles = FindBundles(scratch_ / "by-cli");
  // A bundle that lost a file says which; the others are shown.
  std::filesystem::remove(bundles[1] / "points.h5");
  ASSERT_TRUE(window_->Open(scratch_ / "by-cli"));
  EXPECT_TRUE(WaitUntil([&] { return AllPanesEnded(session()); }));
  EXPECT_EQ(session().panes()[0].state, PaneState::kEnded);
  EXPECT_EQ(session().panes()[1].state, PaneState::kFrozen);
  EXPECT_THAT(session().panes()[1].reason, HasSubstr("points.h5"));
}

}  // namespace
}  // namespace pliant
