// The whole window: work that survives a kill of the program.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QAbstractListModel>
#include <QDockWidget>
#include <QMessageBox>
#include <QProcess>
#include <QSettings>
#include <QUndoStack>
#include <csignal>
#include <cstdlib>
#include <fstream>

#include "app/workbench/pages/search_page.h"
#include "app/workbench/window/work_guard.h"
#include "tests/app/workbench/window/unsaved_window.h"
#include "tests/experiments/shipped_file.h"

namespace pliant {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Button = QMessageBox::StandardButton;

// A window whose work is kept.
class KeptWindowTest : public UnsavedTest {
 protected:
  std::unique_ptr<MainWindow> NewWindow() const {
    auto window =
        std::make_unique<MainWindow>(WorkbenchPlaces{".", scratch_.path(), scratch_ / "kept"});
    window->resize(1300, 850);
    window->show();
    window->RestoreLeftWork();
    return window;
  }
  std::string LogOf(const MainWindow& window) const {
    const auto* log = window.findChild<QAbstractListModel*>("log");
    std::string text;
    for (int i = 0; i < log->rowCount(); ++i) {
      text += log->index(i, 0).data().toString().toStdString() + "\n";
    }
    return text;
  }
  // Runs the test of this program that is called KilledWindowTest.DISABLED_<name> in a process of
  // its own, until it says that it is ready, and kills that.
  void KillAfter(const std::string& name) {
    qputenv("PLIANT_TEST_KILLED", scratch_.path().string().c_str());
    QProcess program;
    program.setProcessChannelMode(QProcess::ForwardedChannels);
    program.start("/proc/self/exe",
                  {"--gtest_also_run_disabled_tests",
                   QString::fromStdString("--gtest_filter=KilledWindowTest.DISABLED_" + name)});
    ASSERT_TRUE(WaitUntil([&] {
      return std::filesystem::exists(scratch_ / "ready") || program.state() == QProcess::NotRunning;
    }));
    ASSERT_EQ(program.state(), QProcess::Running) << "it ended by itself";
    ::kill(static_cast<pid_t>(program.processId()), SIGKILL);
    ASSERT_TRUE(program.waitForFinished(10000));
    ASSERT_EQ(program.exitStatus(), QProcess::CrashExit);
    std::filesystem::remove(scratch_ / "ready");
  }
};

// Not tests of their own: what KillAfter() runs and kills.
class KilledWindowTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* folder = std::getenv("PLIANT_TEST_KILLED");
    if (folder == nullptr) GTEST_SKIP() << "is run by another test";
    scratch_ = folder;
    EnsureApplication();
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope,
                       QString::fromStdString((scratch_ / "settings").string()));
    window_ = std::make_unique<MainWindow>(WorkbenchPlaces{".", scratch_, scratch_ / "kept"});
    window_->show();
  }
  void WaitToBeKilled() {
    ASSERT_TRUE(WaitUntil([&] { return window_->guard().UpToDate(); }));
    std::ofstream(scratch_ / "ready") << "ready";
    WaitUntil([] { return false; });
  }

  std::filesystem::path scratch_;
  std::unique_ptr<MainWindow> window_;
};

TEST_F(KilledWindowTest, DISABLED_Edits) {
  const Experiment drop = ReadExperiment("experiments/drop.toml", {"run.duration=0.1"});
  WriteFile(scratch_ / "short.toml", ToToml(drop));
  ASSERT_TRUE(window_->Open(scratch_ / "short.toml"));
  OpenExperiment& open = window_->open_experiment();
  ASSERT_TRUE(open.SetValue({"scene", "gravity"}, "[0.0, -30.0]"));
  ASSERT_TRUE(
      open.Add(HandGesture{HandTool::kPoke, 0.2, 0, {0.5, 1.0, 0.0}, {0.0, -0.1, 0.0}, 0.03}));
  WaitToBeKilled();
}

TEST_F(KilledWindowTest, DISABLED_Searches) {
  const Experiment bounding =
      ReadExperiment(ShippedFile("faloutsos-bounding-speed"),
                     {"optimize.trials=100000", "optimize.restarts=1", "run.duration=0.4"});
  WriteFile(scratch_ / "search.toml", ToToml(bounding));
  ASSERT_TRUE(window_->Open(scratch_ / "search.toml"));
  auto& page = PageOf<SearchPage>(*window_);
  page.Start();
  ASSERT_TRUE(WaitUntil([&] {
    return !page.record().histories.empty() && page.record().histories[0].trials.size() > 4;
  }));
  QTest::qWait(600);  // until the work of pages has been looked at
  WaitToBeKilled();
}

TEST_F(KilledWindowTest, DISABLED_Restores) {
  window_->RestoreLeftWork();
  WaitToBeKilled();
}

TEST_F(KeptWindowTest, EditsAndGesturesOfAKilledWindowComeBack) {
  KillAfter("Edits");
  const std::string before = ReadFile(File());
  std::unique_ptr<MainWindow> window = NewWindow();
  OpenExperiment& open = window->open_experiment();
  ASSERT_NE(open.experiment(), nullptr);
  EXPECT_TRUE(open.edited());
  EXPECT_EQ(open.file(), File());
  EXPECT_EQ(open.experiment()->name, "short");
  EXPECT_EQ(open.experiment()->scene->gravity.y(), -30.0);
  EXPECT_EQ(open.experiment()->scene->obstacles.back().name, "hand-1");
  EXPECT_TRUE(window->windowTitle().contains("edited"));
  EXPECT_EQ(window->session().panes().size(), 4u);
  EXPECT_THAT(LogOf(*window), HasSubstr("restored short, which was open when the workbench ended"));
  KeepScreenshot(window->grab().toImage(), "restored");
  open.history()->undo();
  EXPECT_NE(open.experiment()->scene->obstacles.back().name, "hand-1");
  open.history()->redo();
  EXPECT_EQ(ReadFile(File()), before) << "the file waits for its user";
  // And it is asked about like any unsaved edit; discarded it is gone for good.
  {
    const NextDialog dialog(Press(Button::Cancel));
    EXPECT_FALSE(window->Open("experiments/press.toml"));
    EXPECT_TRUE(dialog.came());
  }
  const NextDialog dialog(Press(Button::Discard));
  EXPECT_TRUE(window->close());
  window = NewWindow();
  EXPECT_EQ(window->open_experiment().experiment(), nullptr);
  EXPECT_TRUE(NamesIn(scratch_ / "kept").empty());
}

TEST_F(KeptWindowTest, ASearchOfAKilledWindowGoesOn) {
  KillAfter("Searches");
  const std::unique_ptr<MainWindow> window = NewWindow();
  auto& page = PageOf<SearchPage>(*window);
  ASSERT_TRUE(page.searching());
  ASSERT_TRUE(WaitUntil([&] { return !page.record().histories.empty(); }));
  const size_t past = page.record().histories[0].trials.size();
  EXPECT_GT(past, 4u) << "those that were made before the kill";
  EXPECT_TRUE(WaitUntil([&] { return page.record().histories[0].trials.size() > past; }));
  EXPECT_THAT(LogOf(*window), HasSubstr("the search resumes after"));
  page.Stop();
  EXPECT_TRUE(WaitUntil([&] { return !page.searching(); }));
}

TEST_F(KeptWindowTest, DamagedWorkIsOneLineAndStays) {
  KillAfter("Edits");
  const auto folder = std::filesystem::directory_iterator(scratch_ / "kept")->path();
  WriteFile(folder / "2.toml", "scene = [");
  const std::unique_ptr<MainWindow> window = NewWindow();
  EXPECT_EQ(window->open_experiment().experiment(), nullptr);
  EXPECT_THAT(LogOf(*window), HasSubstr("unsaved work is not restored: "));
  EXPECT_THAT(LogOf(*window), HasSubstr((folder / "2.toml").string()));
  const std::filesystem::path aside =
      folder.parent_path() / ("damaged-" + folder.filename().string());
  EXPECT_EQ(ReadExperiment(aside / "3.toml").scene->gravity.y(), -30.0);
  const std::unique_ptr<MainWindow> next = NewWindow();
  EXPECT_THAT(LogOf(*next), Not(HasSubstr("not restored"))) << "told once";
}

// An experiment that ends the program does not end it at every start.
TEST_F(KeptWindowTest, WorkThatIsRestoredAndKilledTwiceIsSetAside) {
  KillAfter("Edits");
  KillAfter("Restores");
  KillAfter("Restores");
  const std::unique_ptr<MainWindow> window = NewWindow();
  EXPECT_EQ(window->open_experiment().experiment(), nullptr);
  EXPECT_THAT(LogOf(*window), HasSubstr("the program ended 2 times after this was restored"));
}

TEST_F(KeptWindowTest, WhatIsSavedOrClosedIsNotKept) {
  std::unique_ptr<MainWindow> window = NewWindow();
  OpenDrop();
  ASSERT_TRUE(window->Open(File()));
  ASSERT_TRUE(window->open_experiment().SetValue({"scene", "gravity"}, "[0.0, -30.0]"));
  EXPECT_TRUE(WaitUntil([&] { return window->guard().UpToDate(); }));
  EXPECT_FALSE(NamesIn(scratch_ / "kept").empty());
  ASSERT_TRUE(window->Save());
  EXPECT_TRUE(window->close());
  EXPECT_TRUE(NamesIn(scratch_ / "kept").empty());
}

// The layout is in the settings before the window closes.
TEST_F(KeptWindowTest, TheLayoutIsSavedWhileTheWindowIsOpen) {
  const std::unique_ptr<MainWindow> window = NewWindow();
  const QByteArray before = QSettings().value("layout").toByteArray();
  window->findChild<QDockWidget*>("Console")->hide();
  ASSERT_TRUE(WaitUntil([&] {
    const QByteArray now = QSettings().value("layout").toByteArray();
    return !now.isEmpty() && now != before;
  }));
}

}  // namespace
}  // namespace pliant
