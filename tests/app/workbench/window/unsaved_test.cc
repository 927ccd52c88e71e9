// The whole window: questions before unsaved edits would be lost, and work that survives a kill.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QAbstractListModel>
#include <QDockWidget>
#include <QFileDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QProcess>
#include <QPushButton>
#include <QTest>
#include <QTimer>
#include <QUndoStack>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>

#include "app/workbench/edits/new_experiment.h"
#include "app/workbench/edits/open_experiment.h"
#include "app/workbench/pages/console_page.h"
#include "app/workbench/pages/search_page.h"
#include "app/workbench/pages/source_page.h"
#include "app/workbench/window/work_guard.h"
#include "tests/app/workbench/plain_window.h"
#include "tests/experiments/shipped_file.h"

namespace pliant {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Button = QMessageBox::StandardButton;

// Makes the next modal dialog answer; says whether one came, what it said and a picture of it.
class NextDialog {
 public:
  NextDialog(const std::function<void(QWidget* dialog)>& answer, const std::string& picture = "")
      : answer_(answer), picture_(picture) {
    QObject::connect(&timer_, &QTimer::timeout, [this] {
      QWidget* dialog = QApplication::activeModalWidget();
      if (dialog == nullptr || !dialog->isVisible()) return;
      timer_.stop();
      came_ = true;
      if (const auto* box = qobject_cast<QMessageBox*>(dialog)) {
        said_ = (box->text() + "\n" + box->informativeText()).toStdString();
      }
      if (!picture_.empty()) KeepScreenshot(dialog->grab().toImage(), picture_);
      answer_(dialog);
    });
    timer_.start(20);
  }
  bool came() const { return came_; }
  const std::string& said() const { return said_; }

 private:
  std::function<void(QWidget*)> answer_;
  std::string picture_, said_;
  bool came_ = false;
  QTimer timer_;
};

std::function<void(QWidget*)> Press(Button button) {
  return [button](QWidget* dialog) { qobject_cast<QMessageBox*>(dialog)->button(button)->click(); };
}
std::function<void(QWidget*)> Key(Qt::Key key) {
  return [key](QWidget* dialog) { QTest::keyClick(dialog, key); };
}
std::function<void(QWidget*)> PressNamed(const QString& text) {
  return [text](QWidget* dialog) {
    for (auto* button : dialog->findChildren<QPushButton*>()) {
      if (button->text().remove('&') == text) button->click();
    }
  };
}
std::function<void(QWidget*)> EnterName(const std::filesystem::path& path) {
  return [path](QWidget* dialog) {
    dialog->findChild<QLineEdit*>()->setText(QString::fromStdString(path.string()));
    QTest::keyClick(dialog->findChild<QLineEdit*>(), Qt::Key_Return);
  };
}

class UnsavedTest : public PlainWindowTest {
 protected:
  OpenExperiment& open() { return window_->open_experiment(); }
  void Edit() { ASSERT_TRUE(open().SetValue({"scene", "gravity"}, "[0.0, -30.0]")); }
  double GravityOf(const std::filesystem::path& file) const {
    return ReadExperiment(file).scene->gravity.y();
  }
  std::filesystem::path File() const { return scratch_ / "short.toml"; }
  bool ClosesWith(const std::function<void(QWidget*)>& answer, std::string* said = nullptr) {
    const NextDialog dialog(answer, said != nullptr ? "unsaved" : "");
    const bool closed = window_->close();
    EXPECT_TRUE(dialog.came());
    if (said != nullptr) *said = dialog.said();
    return closed;
  }
};

TEST_F(UnsavedTest, ClosingAsksAndCancelKeepsTheWindow) {
  OpenDrop();
  Edit();
  std::string said;
  EXPECT_FALSE(ClosesWith(Key(Qt::Key_Escape), &said));
  EXPECT_THAT(said, HasSubstr("Save the changes to short?"));
  EXPECT_THAT(said, HasSubstr("One edit is not saved: change gravity."));
  EXPECT_TRUE(window_->isVisible());
  EXPECT_TRUE(open().edited());
  ASSERT_TRUE(open().SetValue({"run", "duration"}, "0.2"));
  EXPECT_FALSE(ClosesWith(Press(Button::Cancel), &said));
  EXPECT_THAT(said, HasSubstr("2 edits are not saved. The last one: change duration."));
  EXPECT_TRUE(ClosesWith(Press(Button::Discard)));
  EXPECT_NE(GravityOf(File()), -30.0);
}

TEST_F(UnsavedTest, ClosingWithReturnSaves) {
  OpenDrop();
  Edit();
  EXPECT_TRUE(ClosesWith(Key(Qt::Key_Return)));
  EXPECT_EQ(GravityOf(File()), -30.0);
}

TEST_F(UnsavedTest, WithoutEditsNobodyAsks) {
  OpenDrop();
  Edit();
  open().history()->undo();
  const NextDialog dialog(Press(Button::Cancel));
  EXPECT_TRUE(window_->Open(File()));
  EXPECT_TRUE(window_->close());
  EXPECT_FALSE(dialog.came());
}

TEST_F(UnsavedTest, OpeningAnotherFileABundleOrABadFileAsks) {
  OpenDrop();
  Edit();
  WriteFile(scratch_ / "bad.toml", "scene = [");
  for (const std::filesystem::path& path :
       {std::filesystem::path("experiments/press.toml"), scratch_ / "bad.toml", scratch_.path(),
        std::filesystem::path("no/such/file.toml")}) {
    const NextDialog dialog(Press(Button::Cancel));
    EXPECT_FALSE(window_->Open(path)) << path;
    EXPECT_TRUE(dialog.came()) << path;
    EXPECT_EQ(open().file(), File()) << "what was open stays";
    EXPECT_TRUE(open().edited());
    EXPECT_EQ(session().panes().size(), 4u);
    EXPECT_FALSE(window_->source().isVisible());
  }
  {
    const NextDialog dialog(Press(Button::Save));
    EXPECT_FALSE(window_->Open(scratch_ / "bad.toml"));
    EXPECT_TRUE(dialog.came());
  }
  EXPECT_EQ(GravityOf(File()), -30.0);
  EXPECT_EQ(open().experiment(), nullptr);
  EXPECT_TRUE(window_->source().isVisible());
}

TEST_F(UnsavedTest, TheConsoleAsksBeforeAScriptReplacesEdits) {
  OpenDrop();
  Edit();
  ConsolePage& console = PageOf<ConsolePage>(*window_);
  console.OpenScript("data/scripts/appendix-c.txt");
  {
    const NextDialog dialog(Press(Button::Cancel));
    EXPECT_FALSE(console.Run());
    EXPECT_TRUE(dialog.came());
  }
  EXPECT_TRUE(open().edited());
  EXPECT_EQ(open().file(), File());
  const NextDialog dialog(Press(Button::Discard));
  EXPECT_TRUE(console.Run());
  EXPECT_TRUE(dialog.came());
}

// A text that was typed is not lost to the next one, nor to the next start.
TEST_F(UnsavedTest, TheConsoleRemembersItsText) {
  ConsolePage& console = PageOf<ConsolePage>(*window_);
  console.SetText("load_def mine\nset end 2");
  console.SetText("simul");
  console.findChild<QPlainTextEdit*>("console text")->undo();
  EXPECT_EQ(console.text(), "load_def mine\nset end 2");
  window_->close();
  const MainWindow next(WorkbenchPlaces{".", scratch_.path()});
  EXPECT_EQ(PageOf<ConsolePage>(next).text(), "load_def mine\nset end 2");
}

TEST_F(UnsavedTest, CtrlSSavesIntoTheFile) {
  OpenDrop();
  Edit();
  ASSERT_TRUE(QTest::qWaitForWindowActive(window_.get()));  // or no key is a shortcut
  QTest::keyClick(window_.get(), Qt::Key_S, Qt::ControlModifier);
  EXPECT_FALSE(open().edited());
  EXPECT_EQ(GravityOf(File()), -30.0);
  EXPECT_EQ(NamesIn(scratch_.path()).size(), 1u) << "no partial file is left";
  const NextDialog dialog(Press(Button::Cancel));
  EXPECT_TRUE(window_->close());
  EXPECT_FALSE(dialog.came());
}

// A file that a person wrote has more than the workbench would write.
TEST_F(UnsavedTest, SavingOverCommentsOrAChangedFileAsks) {
  OpenDrop();
  const std::string written = "# why it is so\n" + ReadFile(File());
  WriteFile(File(), written);
  ASSERT_TRUE(window_->Open(File()));
  Edit();
  {
    const NextDialog dialog(Key(Qt::Key_Escape), "replace");
    EXPECT_FALSE(window_->Save());
    EXPECT_TRUE(dialog.came());
    EXPECT_THAT(dialog.said(), HasSubstr("Replace short.toml?"));
    EXPECT_THAT(dialog.said(), HasSubstr("comments are lost"));
  }
  EXPECT_EQ(ReadFile(File()), written);
  EXPECT_TRUE(open().edited());
  {
    const NextDialog dialog(PressNamed("Replace"));
    EXPECT_TRUE(window_->Save());
    EXPECT_TRUE(dialog.came());
  }
  EXPECT_EQ(GravityOf(File()), -30.0);
  // Changed by another program since.
  WriteFile(File(), written);
  ASSERT_TRUE(open().SetValue({"run", "duration"}, "0.2"));
  const NextDialog dialog(Key(Qt::Key_Escape));
  EXPECT_FALSE(window_->Save());
  EXPECT_TRUE(dialog.came());
  EXPECT_EQ(ReadFile(File()), written);
}

TEST_F(UnsavedTest, WhatHasNoExperimentFileIsSavedUnderANewName) {
  open().New({"data/scenes/press.toml", {"linear-deformation"}, 0.5, 0.01, 0.05});
  EXPECT_TRUE(open().edited()) << "no file has it";
  std::string said;
  EXPECT_FALSE(ClosesWith(Press(Button::Cancel), &said));
  EXPECT_THAT(said, HasSubstr("This experiment has not been saved."));
  const std::string scene = ReadFile("data/scenes/press.toml");
  {
    const NextDialog dialog(EnterName(scratch_ / "mine"), "save-as");  // the ending is added
    EXPECT_TRUE(window_->Save());
    EXPECT_TRUE(dialog.came());
  }
  EXPECT_EQ(ReadFile("data/scenes/press.toml"), scene);
  EXPECT_FALSE(open().edited());
  EXPECT_EQ(open().file(), scratch_ / "mine.toml");
  EXPECT_EQ(ReadExperiment(scratch_ / "mine.toml").plan.duration, 0.5);
}

TEST_F(UnsavedTest, WhatCannotBeSavedStays) {
  OpenDrop();
  const std::string before = ReadFile(File());
  Edit();
  {
    const FullDisk full(100);
    const NextDialog dialog(Press(Button::Save));
    EXPECT_FALSE(window_->Open("experiments/press.toml"));
    EXPECT_TRUE(dialog.came());
  }
  EXPECT_EQ(ReadFile(File()), before);
  EXPECT_TRUE(open().edited());
  EXPECT_EQ(open().file(), File());
}

// Not a matter of edits, but of what a window leaves behind: a plan of minutes ends with it.
TEST_F(UnsavedTest, ALongPreparationIsCancelledAndDoesNotOutliveTheWindow) {
  const Experiment jump = ReadExperiment(
      ShippedFile("lamp-jump"),
      {"backends.tracked.jump_flight=154.0", "backends.torques-alone.jump_flight=154.0"});
  WriteFile(scratch_ / "long.toml", ToToml(jump));
  ASSERT_TRUE(window_->Open(scratch_ / "long.toml"));
  QTest::qWait(300);
  EXPECT_EQ(session().panes()[0].state, PaneState::kPreparing);
  ASSERT_TRUE(QTest::qWaitForWindowActive(window_.get()));
  QTest::keyClick(window_.get(), Qt::Key_Period, Qt::ControlModifier);
  EXPECT_TRUE(WaitUntil([&] { return AllPanesEnded(session()); }));
  for (const Pane& pane : session().panes()) {
    EXPECT_EQ(pane.state, PaneState::kFrozen);
    EXPECT_EQ(pane.reason, "cancelled before it began");
  }
  KeepScreenshot(window_->grab().toImage(), "cancelled");
  ASSERT_TRUE(window_->Open(scratch_ / "long.toml"));
  QTest::qWait(300);
  EXPECT_TRUE(window_->close());
  window_.reset();  // waits for the threads of the panes
}

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
