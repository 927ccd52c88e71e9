// Messages of the command line that no other test triggers.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <string>
#include <vector>

#include "tests/app/cli/program.h"
#include "tests/says.h"

namespace pliant {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Refusal {
  std::vector<std::string> arguments;
  int status;
  std::vector<std::string> says;
};
void PrintTo(const Refusal& refusal, std::ostream* out) {
  for (const std::string& word : refusal.arguments) *out << word << ' ';
}

class RefusedCommand : public testing::TestWithParam<Refusal> {};

TEST_P(RefusedCommand, SaysWhyInOneLine) {
  const Ended ended = Pliant(GetParam().arguments);
  EXPECT_EQ(ended.status, GetParam().status);
  EXPECT_THAT(ended.err, Says(GetParam().says));
  EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << ended.err;
  EXPECT_THAT(ended.out, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    All, RefusedCommand,
    testing::Values(
        Refusal{{"list", "figures", "nowhere"}, 2, {"there is no source 'nowhere'"}},
        Refusal{{"list", "schema", "scenes"}, 2, {"there is no schema 'scenes'", "'scene'"}},
        Refusal{{"check", "data/scenes/pendulum.toml", "--backend", "dynamic-ffd"},
                2,
                {"a scene file has no backends", "check an experiment"}},
        Refusal{{"check", "experiments/pendulum.toml", "--backend", "dynamic-fdf"},
                2,
                {"the experiment has no backend 'dynamic-fdf'", "did you mean 'dynamic-ffd'?"}},
        Refusal{{"list", "meshes", "bal"}, 2, {"nothing to list is called 'bal'", "'ball'"}},
        Refusal{{"figure"}, 2, {"no figure is named", "give --all"}}));

TEST(Check, OfOneBackendSpeaksOfNoOther) {
  const Ended check = Pliant({"check", "experiments/pendulum.toml", "--backend", "position-based"});
  EXPECT_EQ(check.status, 0) << check.err;
  EXPECT_THAT(check.out, HasSubstr("position-based ("));
  EXPECT_THAT(check.out, testing::Not(HasSubstr("dynamic-ffd (")));
}

TEST(Check, SaysThatAContactMayBeginLater) {
  const std::string words = "estimate: a contact that begins later is not in these times";
  EXPECT_THAT(Pliant({"check", "sheet-on-ball", "--backend", "position-based"}).out,
              HasSubstr(words));
  EXPECT_THAT(
      Pliant({"check", "experiments/accuracy/swinging-strip.toml", "--backend", "position-based"})
          .out,
      testing::Not(HasSubstr(words)));
}

// The step of a backend that does not run need not fit.
TEST(Run, OnlyTheStepsOfChosenBackendsCount) {
  const ScratchFolder folder;
  const std::vector<std::string> all = {"run",   "experiments/pendulum.toml",
                                        "--set", "run.duration=0.03",
                                        "--set", "run.record_every=0.01",
                                        "--set", "backends.dynamic-ffd.step=0.02",
                                        "--out", folder.path()};
  const Ended refused = Pliant(all);
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(
      refused.err,
      HasSubstr("is not a whole number of steps of 0.02 s, the step of backend 'dynamic-ffd'"));
  std::vector<std::string> one = all;
  one.insert(one.end(), {"--backend", "position-based"});
  const Ended ended = Pliant(one);
  EXPECT_EQ(ended.status, 0) << ended.err;
  one.back() = "dynamic-ffd";
  EXPECT_EQ(Pliant(one).status, 2);
  // Ladders and sweeps do not ask it either.
  one.back() = "position-based";
  one[0] = "refine";
  one.insert(one.end(), {"--levels", "2"});
  const Ended refined = Pliant(one);
  EXPECT_EQ(refined.status, 0) << refined.err;
  one[0] = "sweep";
  one.resize(one.size() - 2);
  one.insert(one.end(), {"--set", "sweep.vary=[{key = \"scene.gravity\", values = [[0, -5, 0]]}]"});
  const Ended swept = Pliant(one);
  EXPECT_EQ(swept.status, 0) << swept.err;
}

TEST(List, NamesTheMeshesThatShip) {
  const Ended list = Pliant({"list", "meshes"});
  EXPECT_EQ(list.status, 0);
  EXPECT_THAT(list.out, HasSubstr("ball  "));
  EXPECT_THAT(list.out, HasSubstr("A ball of radius 1 m"));
}

TEST(Report, OfBundlesThatCannotBeReadSaysSo) {
  const ScratchFolder folder;
  EXPECT_EQ(Pliant({"run", "experiments/pendulum.toml", "--set", "run.duration=0.02", "--backend",
                    "linear-deformation", "--backend", "position-based", "--out", folder.path()})
                .status,
            0);
  for (const std::string label : {"linear-deformation", "position-based"}) {
    WriteText(folder / "pendulum" / label / "summary.json", "{");
  }
  const Ended report = Pliant({"report", folder / "pendulum"});
  EXPECT_EQ(report.status, 2);
  EXPECT_THAT(report.err, Says({"is left out", "no bundle can be read; run the experiment again"}));
}

// What is stopped says how to go on.
TEST(Stopped, VerifyAndYardstickGoOnWhereTheyWere) {
  const ScratchFolder folder;
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"verify", "experiments/pendulum.toml", "--set",
                                 "run.duration=400"},
        {"yardstick", "experiments/accuracy/swinging-strip.toml"}}) {
    std::vector<std::string> arguments = command;
    arguments.insert(arguments.end(), {"--out", folder / command[0]});
    Program program(arguments);
    ASSERT_TRUE(program.WaitForError("[1/")) << command[0];
    program.Send(SIGINT);
    const Ended ended = program.Wait();
    EXPECT_EQ(ended.status, 1) << command[0];
    EXPECT_THAT(ended.err, HasSubstr("pliant: stopped; the same command goes on where it was\n"));
  }
}

}  // namespace
}  // namespace pliant
