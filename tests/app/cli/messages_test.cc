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
        Refusal{{"list"},
                2,
                {"what should be listed?",
                 "pliant list backends, elements, scenes, meshes, experiments, figures, metrics, "
                 "parameters, schema"}},
        Refusal{
            {"check", "hang", "--set", "run.step=0,001"},
            2,
            {"--set run.step=0,001: '0,001' is not a TOML value; write a decimal point: 0.001"}},
        Refusal{{"run"}, 2, {"pliant: FILE is required; see pliant run --help"}},
        Refusal{
            {"inspect", "docs"},
            2,
            {"is not a run bundle: it has no manifest.json; give the folder that run or compare "
             "printed"}},
        Refusal{{"check", "hang", "--set", "step=0.001"},
                2,
                {"unknown key 'step' in the experiment; 'step' belongs to [run]"}},
        Refusal{{"check", "hang", "--set", "run.step=,"},
                2,
                {"',' is not a TOML value; put a text in quotes, and an array in brackets"}},
        Refusal{{"--max-memory", "lots", "check", "hang"},
                2,
                {"--max-memory: 'lots' is no amount of memory; write MB, as 4000, or 4G"}},
        Refusal{{"--max-memory", "4T", "check", "hang"}, 2, {"'4T' is no amount of memory"}},
        Refusal{{"check", "hang", "--max-memory", "4G"},
                2,
                {"--max-memory stands before the command: pliant --max-memory 4G check …"}},
        Refusal{{"figure"}, 2, {"no figure is named", "give --all"}}));

TEST(MostMemory, HasUnits) {
  for (const char* much : {"4000", "4000M", "4G", "4GB", "4gib", "0.5G"})
    EXPECT_EQ(Pliant({"--max-memory", much, "list", "backends"}).status, 0) << much;
  EXPECT_THAT(Pliant({"--max-memory", "0.0001G", "list", "backends"}).err,
              HasSubstr("is no amount of memory"));
}

TEST(Inspect, SaysThatATimeIsNotWithinTheRun) {
  const ScratchFolder folder;
  ASSERT_EQ(Pliant({"run", "hang", "--backend", "position-based", "--set", "run.duration=0.1",
                    "--out", folder.path()})
                .status,
            0);
  const std::string bundle = (folder / "hang/position-based").string();
  for (const char* time : {"99", "-1", "0.11"}) {
    const Ended late = Pliant({"inspect", bundle, "--time", time});
    EXPECT_EQ(late.status, 2);
    EXPECT_EQ(late.err, std::string("pliant: --time ") + time +
                            " s is not within the run, whose records are from 0 to 0.1 s; give a "
                            "time between them, or none for the last record\n");
    EXPECT_THAT(late.out, IsEmpty());
  }
  for (const char* time : {"0", "0.1", "0.033"})
    EXPECT_EQ(Pliant({"inspect", bundle, "--time", time}).status, 0) << time;
}

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
