// The whole window: questions before unsaved edits would be lost.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QMessageBox>
#include <QPlainTextEdit>
#include <QTest>
#include <QUndoStack>
#include <functional>

#include "app/workbench/edits/new_experiment.h"
#include "app/workbench/edits/open_experiment.h"
#include "app/workbench/pages/console_page.h"
#include "app/workbench/pages/source_page.h"
#include "tests/app/workbench/window/unsaved_window.h"
#include "tests/experiments/shipped_file.h"

namespace pliant {
namespace {

using ::testing::HasSubstr;
using Button = QMessageBox::StandardButton;

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

// The edits say that they are gone when the window is half gone itself.
TEST_F(UnsavedTest, AWindowThatGoesHearsNothingOfItsEdits) {
  OpenDrop();
  Edit();
  int titles = 0;
  QObject::connect(window_.get(), &QWidget::windowTitleChanged, [&titles] { ++titles; });
  window_.reset();
  EXPECT_EQ(titles, 0);
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
      {"backends.tracked.jump_flight=45.0", "backends.torques-alone.jump_flight=45.0"});
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

}  // namespace
}  // namespace pliant
