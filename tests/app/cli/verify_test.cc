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

}  // namespace
}  // namespace pliant
