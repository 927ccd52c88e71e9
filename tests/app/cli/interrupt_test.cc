// Ctrl-C and SIGTERM: the program ends by itself, and what it leaves is whole.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include "tests/app/cli/program.h"

namespace pliant {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// With the threads that linear algebra starts before main(): signals must not end up there.
const Start kThreads = {{}, {{"OPENBLAS_NUM_THREADS", "2"}}, {}, {}};

class Interrupt : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Signals, Interrupt, ::testing::Values(SIGINT, SIGTERM),
                         [](const auto& signal) {
                           return signal.param == SIGINT ? "Int" : "Term";
                         });

TEST_P(Interrupt, ARunLeavesACancelledBundle) {
  const ScratchFolder folder;
  Program run({"run", "experiments/pendulum.toml", "--backend", "linear-deformation", "--backend",
               "displacement-constraints", "--set", "run.duration=1000", "--out", folder.path()},
              kThreads);
  ASSERT_TRUE(run.WaitForError("[1/2] linear-deformation"));
  run.Send(GetParam());
  const Ended ended = run.Wait();
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.err, HasSubstr("linear-deformation: cancelled"));
  EXPECT_THAT(ended.err,
              HasSubstr("interrupted: ends after the present step; once more ends at once\n"));
  EXPECT_EQ(ended.out, (folder / "pendulum/linear-deformation").string() + "\n");
  EXPECT_THAT(NamesIn(folder / "pendulum"), ElementsAre("linear-deformation"));
  EXPECT_THAT(TextOf(folder / "pendulum/linear-deformation/summary.json"), HasSubstr("cancelled"));
}

// The plan of a jump on a mesh that takes minutes: nothing is written before it is found.
TEST_P(Interrupt, APreparationEndsAtOnce) {
  const ScratchFolder folder;
  for (const char* command : {"check", "run"}) {
    std::vector<std::string> arguments = {command, "experiments/witkin-kass-1988/lamp-jump.toml",
                                          "--set", "backends.tracked.plan_step=0.0005"};
    if (std::string(command) == "run") {
      arguments.insert(arguments.end(), {"--out", folder.path()});
    }
    Program program(arguments, kThreads);
    std::this_thread::sleep_for(std::chrono::seconds(1));
    const auto sent = std::chrono::steady_clock::now();
    program.Send(GetParam());
    const Ended ended = program.Wait();
    EXPECT_LT(std::chrono::steady_clock::now() - sent, std::chrono::seconds(10));
    EXPECT_EQ(ended.status, 128 + GetParam()) << command;
    EXPECT_THAT(ended.err, HasSubstr("interrupted before anything was written\n"));
    EXPECT_THAT(NamesIn(folder.path()), IsEmpty());
  }
}

TEST_P(Interrupt, ASweepLeavesItsTable) {
  const ScratchFolder folder;
  Program sweep({"sweep", "experiments/studies/step-length.toml", "--backend", "linear-deformation",
                 "--set", "run.duration=1000", "--out", folder.path()},
                kThreads);
  ASSERT_TRUE(sweep.WaitForError("[1/1] step-length, 7 runs"));
  sweep.Send(GetParam());
  const Ended ended = sweep.Wait();
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.err, HasSubstr("1 cancelled"));
  EXPECT_TRUE(std::filesystem::exists(folder / "step-length/sweep.csv"));
}

TEST_P(Interrupt, ASearchSaysHowToGoOn) {
  const ScratchFolder folder;
  Program search({"optimize", "experiments/faloutsos-1995/faloutsos-worm.toml", "--set",
                  "optimize.trials=100000", "--out", folder.path()},
                 kThreads);
  // Of both annealings a trial: a search that is stopped before its first one has nothing to go on from.
  const auto trials = folder / "faloutsos-worm/.optimize.unfinished/trials.csv";
  ASSERT_TRUE(search.WaitForText(trials, "\n1,1,"));
  ASSERT_TRUE(search.WaitForText(trials, "\n2,1,"));
  search.Send(GetParam());
  const Ended ended = search.Wait();
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.err, HasSubstr("interrupted: the searches end after their present trials"));
  EXPECT_THAT(ended.err, HasSubstr("cancelled; the same command with --resume goes on"));
}

}  // namespace
}  // namespace pliant
