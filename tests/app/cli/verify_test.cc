// refine and verify: ladders of runs, and what they say of claims.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/cli/program.h"
#include "tests/says.h"

namespace pliant {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<std::string> Verify(const std::filesystem::path& out,
                                const std::vector<std::string>& sets = {}) {
  std::vector<std::string> command = {"verify", "puppet", "--quick", "--out", out};
  for (const std::string& set : sets) {
    command.push_back("--set");
    command.push_back(set);
  }
  return command;
}

TEST(Verify, SaysOfEachClaimWhetherItHoldsAndKeepsItsRuns) {
  const ScratchFolder folder;
  const Ended first = Pliant(Verify(folder.path()));
  EXPECT_EQ(first.status, 0) << first.out << first.err;
  EXPECT_THAT(first.out, Says({"holds: the work of the hand is the change of energy",
                               "in the limit", "claims: 2 holds"}));
  EXPECT_THAT(first.err, HasSubstr("completed"));
  EXPECT_TRUE(std::filesystem::exists(folder / "puppet/claims.json"));
  const Ended again = Pliant(Verify(folder.path()));
  EXPECT_EQ(again.status, 0);
  EXPECT_EQ(again.out, first.out);
  EXPECT_THAT(again.err, HasSubstr("kept"));
  EXPECT_THAT(again.err, Not(HasSubstr("completed")));
}

TEST(Verify, AClaimThatDoesNotHoldIsStatus1) {
  const ScratchFolder folder;
  const Ended fails = Pliant(Verify(folder.path(), {"claim.0.at_most=-1.0"}));
  EXPECT_EQ(fails.status, 1);
  EXPECT_THAT(fails.out, HasSubstr("fails: the work of the hand"));
}

TEST(Verify, AFileWithoutClaimsAndMistakesAreStatus2) {
  const ScratchFolder folder;
  const auto refused = [&](const std::vector<std::string>& command,
                           const std::vector<std::string>& words) {
    const Ended ended = Pliant(command);
    EXPECT_EQ(ended.status, 2) << ended.out;
    EXPECT_THAT(ended.out, IsEmpty());
    EXPECT_THAT(ended.err, Says(words));
    EXPECT_EQ(ended.err.find('\n') + 1, ended.err.size()) << ended.err;
  };
  refused({"verify"}, {"nothing to verify", "--all"});
  const std::string scene = std::filesystem::absolute("data/scenes/pendulum.toml").string();
  WriteText(folder / "plain.toml",
            "scene = \"" + scene +
                "\"\n[run]\nduration = 0.1\nstep = 0.001\nrecord_every = 0.01\n"
                "[backends.linear-deformation]\n");
  refused({"verify", (folder / "plain.toml").string(), "--out", folder.path()},
          {"has no [[claim]]", "docs/claims.md"});
  refused(Verify(folder.path(), {"claim.0.figure=residual_energy_relativ"}),
          {"puppet.toml:", "no headline figure", "did you mean 'residual_energy_relative'"});
  refused({"refine", "press", "--in", "stp", "--out", folder.path()},
          {"no axis 'stp'", "did you mean 'step'"});
  refused({"refine", "press", "--backend", "nobody", "--out", folder.path()},
          {"no backend 'nobody'"});
}

TEST(Refine, PrintsLimitsAndLeavesJson) {
  const ScratchFolder folder;
  const Ended refined = Pliant({"refine", "pendulum", "--backend", "linear-deformation", "--set",
                                "run.duration=0.2", "--levels", "4", "--out", folder.path()});
  EXPECT_EQ(refined.status, 0) << refined.err;
  EXPECT_THAT(refined.out, Says({"residual_energy_max_J", "monotone, asymptotic", "at round-off"}));
  EXPECT_THAT(TextOf(folder / "pendulum/refine-step.json"),
              Says({"\"pairwise_orders\"", "\"rms_changes\""}));
}

TEST(Refine, AnUnstableCoarseRungIsSaidAndLeftOut) {
  const ScratchFolder folder;
  const Ended refined =
      Pliant({"refine", "press", "--backend", "dynamic-ffd", "--set", "run.record_every=0.08",
              "--coarser", "4", "--levels", "6", "--out", folder.path()});
  EXPECT_EQ(refined.status, 0) << refined.err;
  EXPECT_THAT(refined.out,
              HasSubstr("dynamic-ffd: left out the rung step=16x, which ended as gained energy"));
}

TEST(Refine, TheOutcomeOfALadderIsALineLikeItsFigures) {
  const ScratchFolder folder;
  const std::vector<std::string> refine = {
      "refine",   "pendulum", "--backend", "position-based", "--set", "run.duration=0.02",
      "--levels", "3",        "--out",     folder.path()};
  const auto with = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), refine.begin(), refine.end());
    return Pliant(arguments);
  };
  const Ended outcome = with({"--only", "outcome"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, Says({"position-based  outcome", "completed", "on every rung"}));
  EXPECT_THAT(outcome.out, Not(HasSubstr("made_energy")));
  const Ended all = with({});
  EXPECT_THAT(all.out, Says({" outcome  ", "on every rung", "made_energy_max_J"}));
  const Ended none = with({"--only", "residul"});
  EXPECT_EQ(none.status, 1);
  EXPECT_THAT(none.out,
              Says({"problem: no figure has 'residul' in its name", "made_energy_max_J"}));
}

std::vector<std::string> Refine(const ScratchFolder& folder, const std::vector<std::string>& more) {
  std::vector<std::string> command = {"refine",   "pendulum", "--set", "run.duration=0.1",
                                      "--levels", "3",        "--out", folder.path()};
  command.insert(command.end(), more.begin(), more.end());
  return command;
}

TEST(Refine, ASecondRefinementKeepsTheBackendsOfTheFirst) {
  const ScratchFolder folder;
  const std::vector<std::string> two = {"--backend", "linear-deformation", "--backend",
                                        "position-based"};
  EXPECT_EQ(Pliant(Refine(folder, two)).status, 0);
  const std::string kept = TextOf(folder / "pendulum/refine-step.json");
  const Ended one = Pliant(Refine(folder, {"--backend", "linear-deformation"}));
  EXPECT_EQ(one.status, 0) << one.err;
  EXPECT_THAT(one.err, HasSubstr("has results of other backends or rungs, which stay"));
  EXPECT_THAT(one.out, HasSubstr((folder / "pendulum/refine-step-2.json").string()));
  EXPECT_EQ(TextOf(folder / "pendulum/refine-step.json"), kept);
  // The same again takes their place.
  EXPECT_THAT(Pliant(Refine(folder, two)).out,
              HasSubstr((folder / "pendulum/refine-step.json").string()));
}

constexpr char kBoard[] = R"(
[run]
duration = 0.04
step = 0.002
record_every = 0.004
[scene]
name = "board"
gravity = [0, -9.81, 0]
[[scene.body]]
name = "board"
shape = "block"
size = [4, 0.2, 1]
points = [5, 2, 3]
[scene.body.material]
density = 1000
youngs_modulus = 1e7
poisson_ratio = 0.3
[[scene.nail]]
name = "left"
body = "board"
points = "x-"
[[probe]]
name = "sag"
measure = "displacement"
component = "y"
of = {body = "board", point = [2, 1, 1]}
[[probe]]
name = "place"
measure = "position"
component = "y"
of = {body = "board", points = {centre = [0, 0, 0], radius = 0.2}}
crosses = -0.0001
cycles = true
[backends.finite-elements]
)";

TEST(Refine, AProbeThatIsElsewhereOnFinerRungsIsWarnedOf) {
  const ScratchFolder folder;
  WriteText(folder / "board.toml", kBoard);
  const Ended refined = Pliant({"refine", (folder / "board.toml").string(), "--in", "resolution",
                                "--levels", "2", "--out", folder.path()});
  EXPECT_EQ(refined.status, 0) << refined.err;
  EXPECT_THAT(refined.err, Says({"warning: probe 'sag' is elsewhere on finer rungs",
                                 "points = {centre = [x, y, z], radius = r}"}));
  EXPECT_THAT(refined.err, Not(HasSubstr("probe 'place'")));
}

}  // namespace
}  // namespace pliant
