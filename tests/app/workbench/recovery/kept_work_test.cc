// Work on disk, without a window: what a killed process leaves, what damage makes of it.

#include "app/workbench/recovery/kept_work.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QUndoStack>
#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include "app/plots/canvas.h"
#include "app/workbench/edits/open_experiment.h"
#include "app/workbench/recovery/work_keeper.h"
#include "experiments/bundles/storage.h"
#include "tests/experiments/bundles/scratch.h"

namespace pliant {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr char kEditedFile[] = "experiments/drop.toml";

class KeptWorkTest : public ::testing::Test {
 protected:
  KeptWorkTest() { EnsureApplication(); }
  // Opened, edited twice, one edit undone.
  static void Edit(OpenExperiment* open) {
    open->Open(kEditedFile);
    ASSERT_TRUE(open->SetValue({"run", "duration"}, "1.0"));
    ASSERT_TRUE(open->SetValue({"scene", "gravity"}, "[0.0, -30.0]"));
    open->history()->undo();
  }
  std::filesystem::path all() const { return scratch_ / "work"; }

  ScratchFolder scratch_;
};

TEST_F(KeptWorkTest, ComesBackWithItsHistory) {
  OpenExperiment open;
  Edit(&open);
  const KeptWork work{open.work(), {{"Search", {{"name", "drop"}}}}, 1};
  const auto folder = WorkFolder::Claim(all());
  folder->Write(work);
  const KeptWork read = ReadKeptWork(folder->path());
  EXPECT_EQ(read.pages, work.pages);
  EXPECT_EQ(read.restores, 1);

  OpenExperiment again;
  int opened = 0, edited = 0;
  QObject::connect(&again, &OpenExperiment::Opened, [&] { ++opened; });
  QObject::connect(&again, &OpenExperiment::Edited, [&] { ++edited; });
  again.Restore(read.open);
  EXPECT_EQ(opened, 1);
  EXPECT_EQ(edited, 0);
  EXPECT_EQ(again.file(), kEditedFile);
  EXPECT_TRUE(again.has_own_file());
  EXPECT_TRUE(again.edited());
  EXPECT_EQ(again.experiment()->name, "drop");
  EXPECT_EQ(ToToml(*again.experiment()), ToToml(*open.experiment()));
  EXPECT_EQ(ToToml(*again.of_file()), ToToml(*open.of_file()));
  EXPECT_EQ(again.history()->undoText(), open.history()->undoText());
  EXPECT_EQ(again.history()->redoText(), open.history()->redoText());
  for (OpenExperiment* one : {&open, &again}) one->history()->redo();
  EXPECT_EQ(ToToml(*again.experiment()), ToToml(*open.experiment()));
  EXPECT_EQ(again.experiment()->scene->gravity.y(), -30.0);
  again.history()->undo();
  again.history()->undo();
  EXPECT_FALSE(again.edited());
  EXPECT_EQ(ToToml(*again.experiment()), ToToml(*again.of_file()));
}

TEST_F(KeptWorkTest, EachStateIsAnExperimentFileThatIsWrittenOnce) {
  OpenExperiment open;
  Edit(&open);
  const auto folder = WorkFolder::Claim(all());
  folder->Write({open.work(), {}, 0});
  EXPECT_THAT(NamesIn(folder->path()), ElementsAre("1.toml", "2.toml", "3.toml", "work.json"));
  EXPECT_EQ(ReadExperiment(folder->path() / "2.toml").plan.duration, 1.0);
  const auto written = std::filesystem::last_write_time(folder->path() / "1.toml");
  ASSERT_TRUE(open.SetValue({"run", "duration"}, "2.0"));  // the state that was undone goes
  folder->Write({open.work(), {}, 0});
  EXPECT_THAT(NamesIn(folder->path()), ElementsAre("1.toml", "2.toml", "4.toml", "work.json"));
  EXPECT_EQ(std::filesystem::last_write_time(folder->path() / "1.toml"), written);
  folder->Write({});
  EXPECT_THAT(NamesIn(folder->path()), IsEmpty());
}

TEST_F(KeptWorkTest, OfManyEditsThoseAroundThePresentOneAreKept) {
  OpenExperiment open;
  open.Open(kEditedFile);
  for (int i = 1; i <= 60; ++i) {
    ASSERT_TRUE(open.SetValue({"run", "duration"}, std::to_string(i) + ".0"));
  }
  for (const int index : {60, 30, 0}) {
    open.history()->setIndex(index);
    const auto folder = WorkFolder::Claim(all());
    folder->Write({open.work(), {}, 0});
    const ExperimentWork read = ReadKeptWork(folder->path()).open;
    ASSERT_EQ(read.states.size(), kMostKeptStates);
    EXPECT_EQ(ToToml(*read.states[read.present]), ToToml(*open.experiment())) << index;
    EXPECT_EQ(read.saved.has_value(), index == 0);
    EXPECT_EQ(ToToml(*read.of_file), ToToml(*open.of_file()));
  }
}

TEST_F(KeptWorkTest, OnlyThatOfADeadProcessIsLeft) {
  const auto living = WorkFolder::Claim(all());
  OpenExperiment open;
  Edit(&open);
  living->Write({open.work(), {}, 0});
  EXPECT_THAT(LeftWork(all()), IsEmpty());
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const auto folder = WorkFolder::Claim(all());
    folder->Write({open.work(), {}, 0});
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  const std::vector<std::filesystem::path> left = LeftWork(all());
  ASSERT_EQ(left.size(), 1u);
  EXPECT_NE(left[0], living->path());
  EXPECT_EQ(ToToml(*ReadKeptWork(left[0]).open.states[1]), ToToml(*open.experiment()));
  const auto taken = WorkFolder::TakeOver(left[0]);
  ASSERT_NE(taken, nullptr);
  EXPECT_THAT(LeftWork(all()), IsEmpty()) << "it has a process again";
  EXPECT_EQ(WorkFolder::TakeOver(left[0]), nullptr);
}

// At whatever moment the process is killed, its folder holds one of the works, whole.
TEST_F(KeptWorkTest, AKillAtAnyMomentLeavesWholeWork) {
  for (int round = 0; round < 20; ++round) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      alarm(60);
      OpenExperiment open;
      open.Open(kEditedFile);
      const auto folder = WorkFolder::Claim(all());
      folder->Write({open.work(), {}, 0});
      std::ofstream(scratch_ / ("begun" + std::to_string(round))) << "x";
      for (int i = 1; true; ++i) {
        open.SetValue({"run", "duration"}, std::to_string(i) + ".0");
        folder->Write({open.work(), {}, i});
      }
    }
    while (!std::filesystem::exists(scratch_ / ("begun" + std::to_string(round)))) usleep(200);
    usleep(static_cast<useconds_t>(700 * round));
    kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    const std::vector<std::filesystem::path> left = LeftWork(all());
    ASSERT_EQ(left.size(), 1u);
    const KeptWork read = ReadKeptWork(left[0]);
    const double shown = read.open.states[read.open.present]->plan.duration;
    if (read.restores > 0) {  // else it was not edited yet
      EXPECT_EQ(shown, read.restores);
    }
    std::filesystem::remove_all(left[0]);
  }
}

// Whatever is wrong with a file of it, reading says so in one line that names the file.
TEST_F(KeptWorkTest, DamageIsOneLine) {
  OpenExperiment open;
  Edit(&open);
  const auto folder = WorkFolder::Claim(all());
  const KeptWork work{open.work(), {{"Search", {{"name", "drop"}}}}, 0};
  folder->Write(work);
  const auto expect_one_line = [&](const std::string& what) {
    try {
      ReadKeptWork(folder->path());
      ADD_FAILURE() << what << " is accepted";
    } catch (const std::exception& wrong) {  // FileError or StorageError; no other may come
      const std::string line = wrong.what();
      EXPECT_THAT(line, HasSubstr(folder->path().string())) << what;
      EXPECT_THAT(line, Not(HasSubstr("\n"))) << what;
    }
  };
  for (const char* name : {"1.toml", "2.toml", "3.toml", "work.json"}) {
    const std::filesystem::path file = folder->path() / name;
    const std::string whole = ReadFile(file);
    for (size_t size : {size_t{0}, size_t{1}, whole.size() / 3, whole.size() / 2}) {
      WriteFile(file, whole.substr(0, size));
      expect_one_line(std::string(name) + " cut to " + std::to_string(size));
    }
    WriteFile(file, std::string(100, '\0') + "\xff\xfe{[\"");
    expect_one_line(std::string(name) + " of other bytes");
    std::filesystem::remove(file);
    expect_one_line(std::string(name) + " removed");
    std::filesystem::create_directory(file);
    expect_one_line(std::string(name) + " a folder");
    std::filesystem::remove(file);
    WriteFile(file, whole);
  }
  const std::filesystem::path json = folder->path() / kWorkFile;
  const std::string whole = ReadFile(json);
  const auto replaced = [&](const std::string& what, const std::string& by) {
    std::string text = whole;
    const size_t at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    if (at != std::string::npos) text.replace(at, what.size(), by);
    WriteFile(json, text);
    expect_one_line(what + " → " + by);
  };
  replaced("\"format\": 1", "\"format\": 2");
  replaced("\"format\": 1", "\"format\": \"one\"");
  replaced("\"present\": 1", "\"present\": 3");
  replaced("\"present\": 1", "\"present\": -1");
  replaced("\"saved\": 0", "\"saved\": 77");
  replaced("\"saved\": 0", "\"saved\": \"no\"");
  replaced("\"file\": \"2.toml\"", "\"file\": \"../2.toml\"");
  replaced("\"file\": \"2.toml\"", "\"file\": \"/dev/zero\"");
  replaced("\"file\": \"2.toml\"", "\"file\": 2");
  replaced("\"restores\": 0", "\"restored\": 0");
  replaced("\"edits\": [", "\"edits\": [7,");
  WriteFile(json, std::string(100000, '['));
  expect_one_line("deep nesting");
  WriteFile(json, whole);
  EXPECT_EQ(ReadKeptWork(folder->path()).pages, work.pages);
}

TEST_F(KeptWorkTest, AThreadWritesTheLastWorkAndForgetsIt) {
  OpenExperiment open;
  open.Open(kEditedFile);
  std::filesystem::path path;
  {
    auto folder = WorkFolder::Claim(all());
    path = folder->path();
    WorkKeeper keeper(std::move(folder));
    for (int i = 1; i <= 20; ++i) {
      ASSERT_TRUE(open.SetValue({"run", "duration"}, std::to_string(i) + ".0"));
      keeper.Keep({open.work(), {}, 0});
    }
  }  // as when the window goes without having closed
  const KeptWork read = ReadKeptWork(path);
  EXPECT_EQ(read.open.states[read.open.present]->plan.duration, 20.0);
  ASSERT_EQ(LeftWork(all()), std::vector{path});

  WorkKeeper keeper(WorkFolder::TakeOver(path));
  keeper.Keep({open.work(), {}, 0});
  keeper.Forget();
  EXPECT_FALSE(std::filesystem::exists(path));
  keeper.Forget();  // no effect
}

TEST_F(KeptWorkTest, AFullDiskIsToldOnceAndTheOldWorkStays) {
  OpenExperiment open;
  Edit(&open);
  auto folder = WorkFolder::Claim(all());
  const std::filesystem::path path = folder->path();
  folder->Write({open.work(), {}, 0});
  const std::string before = ReadFile(path / kWorkFile);
  ASSERT_TRUE(open.SetValue({"run", "duration"}, "3.0"));
  WorkKeeper keeper(std::move(folder));
  const auto failure = [&] {
    for (int i = 0; i < 10000; ++i) {
      const std::string line = keeper.CollectFailure();
      if (!line.empty()) return line;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return std::string();
  };
  {
    const FullDisk full(10);
    keeper.Keep({open.work(), {}, 0});
    EXPECT_THAT(failure(), HasSubstr(path.string()));
    EXPECT_FALSE(keeper.UpToDate());
    EXPECT_EQ(ReadFile(path / kWorkFile), before);
    EXPECT_EQ(ToToml(*ReadKeptWork(path).open.states[1]), ToToml(*open.work().states[1]));
  }
  keeper.Keep({open.work(), {}, 0});
  for (int i = 0; i < 10000 && !keeper.UpToDate(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  const KeptWork read = ReadKeptWork(path);
  EXPECT_EQ(read.open.states[read.open.present]->plan.duration, 3.0);
}

}  // namespace
}  // namespace pliant
