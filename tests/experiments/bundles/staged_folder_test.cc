#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "experiments/bundles/storage.h"
#include "tests/experiments/bundles/scratch.h"

namespace pliant {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

constexpr char kMarker[] = "manifest.json";

void CommitFolder(const std::filesystem::path& target, const std::string& content) {
  StagedFolder staged(target, kMarker);
  WriteFile(staged.path() / kMarker, content);
  staged.Commit();
}

// Runs `work`, which kills itself, in a child, and waits for its end.
template <typename Work>
void InKilledChild(const Work& work) {
  const pid_t child = fork();
  if (child == 0) {
    work();
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

TEST(StagedFolder, AppearsOnlyWhenCommitted) {
  const ScratchFolder folder;
  {
    StagedFolder staged(folder / "deep" / "run", kMarker);
    WriteFile(staged.path() / kMarker, "new");
    EXPECT_FALSE(std::filesystem::exists(folder / "deep" / "run"));
    staged.Commit();
  }
  EXPECT_THAT(NamesIn(folder / "deep"), ElementsAre("run"));
  EXPECT_EQ(ReadFile(folder / "deep" / "run" / kMarker), "new");
}

TEST(StagedFolder, ReplacesAnOldOneWhole) {
  const ScratchFolder folder;
  CommitFolder(folder / "run", "old");
  WriteFile(folder / "run" / "only in the old one", "");
  CommitFolder(folder / "run", "new");
  EXPECT_THAT(NamesIn(folder.path()), ElementsAre("run"));
  EXPECT_THAT(NamesIn(folder / "run"), ElementsAre(kMarker));
  EXPECT_EQ(ReadFile(folder / "run" / kMarker), "new");
}

TEST(StagedFolder, IsGoneWhenNotCommitted) {
  const ScratchFolder folder;
  CommitFolder(folder / "run", "old");
  {
    StagedFolder staged(folder / "run", kMarker);
    WriteFile(staged.path() / kMarker, "new");
  }
  EXPECT_THAT(NamesIn(folder.path()), ElementsAre("run"));
  EXPECT_EQ(ReadFile(folder / "run" / kMarker), "old");
}

TEST(StagedFolder, AKilledWriterLeavesTheOldOneAndTheNextOneCleansUp) {
  const ScratchFolder folder;
  CommitFolder(folder / "run", "old");
  InKilledChild([&] {
    StagedFolder staged(folder / "run", kMarker);
    WriteFile(staged.path() / kMarker, "half");
    kill(getpid(), SIGKILL);
  });
  EXPECT_EQ(ReadFile(folder / "run" / kMarker), "old");
  EXPECT_EQ(NamesIn(folder.path()).size(), 2u);  // and the leftover
  CommitFolder(folder / "run", "new");
  EXPECT_THAT(NamesIn(folder.path()), ElementsAre("run"));
  EXPECT_EQ(ReadFile(folder / "run" / kMarker), "new");
}

// Process numbers come again, above all in containers: a leftover may bear our own.
TEST(StagedFolder, ALeftoverWithOurOwnProcessNumberIsRemovedToo) {
  const ScratchFolder folder;
  const std::string leftover = ".run.partial-" + std::to_string(getpid());
  CreateFolder(folder / leftover);
  WriteFile(folder / leftover / "junk", "");
  CommitFolder(folder / "run", "new");
  EXPECT_THAT(NamesIn(folder.path()), ElementsAre("run"));
  EXPECT_THAT(NamesIn(folder / "run"), ElementsAre(kMarker));
}

TEST(StagedFolder, LeavesThePartialFolderOfALivingWriterAlone) {
  const ScratchFolder folder;
  int ready[2], done[2];
  ASSERT_EQ(pipe(ready) + pipe(done), 0);
  const pid_t child = fork();
  if (child == 0) {
    char byte = 0;
    StagedFolder staged(folder / "run", kMarker);
    WriteFile(staged.path() / kMarker, "of the child");
    if (write(ready[1], &byte, 1) != 1 || read(done[0], &byte, 1) != 1) _exit(1);
    staged.Commit();
    _exit(0);
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  CommitFolder(folder / "run", "of the parent");
  EXPECT_EQ(ReadFile(folder / "run" / kMarker), "of the parent");
  ASSERT_EQ(write(done[1], &byte, 1), 1);
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(ReadFile(folder / "run" / kMarker), "of the child");
  EXPECT_THAT(NamesIn(folder.path()), ElementsAre("run"));
  for (int end : {ready[0], ready[1], done[0], done[1]}) close(end);
}

TEST(StagedFolder, TwoWritersOfOneProcessDoNotShareAFolder) {
  const ScratchFolder folder;
  StagedFolder first(folder / "run", kMarker);
  EXPECT_THAT([&] { StagedFolder(folder / "run", kMarker); },
              ThrowsMessage<StorageError>(HasSubstr("another run is writing the same bundle")));
  WriteFile(first.path() / kMarker, "first");
  first.Commit();
  EXPECT_EQ(ReadFile(folder / "run" / kMarker), "first");
}

TEST(StagedFolder, OfAnotherNameIsNoLeftover) {
  const ScratchFolder folder;
  CreateFolder(folder / ".runner.partial-1");
  CommitFolder(folder / "run", "new");
  EXPECT_THAT(NamesIn(folder.path()), ElementsAre(".runner.partial-1", "run"));
}

// On a file system that cannot exchange two folders a writer may be killed between two renames.
TEST(StagedFolder, AnOldOneThatWasTakenAwayComesBackWhenTheNewOneIsNeverPutInPlace) {
  const ScratchFolder folder;
  CreateFolder(folder / ".run.old-1");
  WriteFile(folder / ".run.old-1" / kMarker, "old");
  { const StagedFolder given_up(folder / "run", kMarker); }
  EXPECT_EQ(ReadFile(folder / "run" / kMarker), "old");
  EXPECT_THAT(NamesIn(folder.path()), ElementsAre("run"));
}

TEST(StagedFolder, NeverReplacesWhatIsNotItsOwn) {
  const ScratchFolder folder;
  CreateFolder(folder / "thesis");
  WriteFile(folder / "thesis" / "chapter.tex", "ten years of work");
  EXPECT_THAT([&] { StagedFolder(folder / "thesis", kMarker); },
              ThrowsMessage<StorageError>(HasSubstr("is not a run bundle")));
  WriteFile(folder / "letter", "");
  EXPECT_THAT([&] { StagedFolder(folder / "letter", kMarker); },
              ThrowsMessage<StorageError>(HasSubstr("is not a run bundle")));
  EXPECT_THAT(NamesIn(folder / "thesis"), ElementsAre("chapter.tex"));

  CreateFolder(folder / "empty");
  CommitFolder(folder / "empty", "new");
  EXPECT_EQ(ReadFile(folder / "empty" / kMarker), "new");
}

TEST(StagedFolder, AFolderThatCannotBeWrittenToIsAnErrorWithItsPath) {
  const ScratchFolder folder;
  WriteFile(folder / "file", "");
  EXPECT_THAT([&] { StagedFolder(folder / "file" / "run", kMarker); },
              ThrowsMessage<StorageError>(HasSubstr("file: cannot create the folder: Not a dir")));
  EXPECT_THAT([&] { StagedFolder("/proc/run", kMarker); },
              ThrowsMessage<StorageError>(HasSubstr("/proc: cannot write here: ")));
}

}  // namespace
}  // namespace pliant
