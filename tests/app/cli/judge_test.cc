// judge: motions by the costs of other files.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/cli/program.h"

namespace pliant {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class OnMotions : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(Pliant({"run", "faloutsos-worm", "--set", "run.duration=0.2", "--out", runs_}).status,
              0);
    ASSERT_EQ(Pliant({"run", "experiments/pendulum.toml", "--backend", "linear-deformation",
                      "--set", "run.duration=0.02", "--out", runs_})
                  .status,
              0);
  }
  const ScratchFolder folder_;
  const std::string runs_ = folder_ / "runs";
  const std::string worm_ = folder_ / "runs/faloutsos-worm";
};

TEST_F(OnMotions, ATableHasARowForEachMotionAndAColumnForEachCost) {
  const Ended judged =
      Pliant({"judge", worm_, "--by", "faloutsos-worm", "--by", "faloutsos-bounding-distance"});
  EXPECT_EQ(judged.status, 0) << judged.err;
  EXPECT_THAT(judged.out, HasSubstr("faloutsos-worm  faloutsos-bounding-distance\n"));
  EXPECT_THAT(judged.out, HasSubstr(worm_ + "/dynamic-ffd  dynamic-ffd  0.2  "));
}

TEST_F(OnMotions, WhatACostNeedsAndAMotionLacksIsOneLineAndStatus1) {
  const Ended judged = Pliant({"judge", runs_, "--by", "faloutsos-worm", "--format", "csv"});
  EXPECT_EQ(judged.status, 1);
  EXPECT_THAT(judged.out, StartsWith("motion,backend,duration_s,faloutsos-worm,remarks\n"));
  EXPECT_THAT(judged.err, HasSubstr(runs_ + "/pendulum/linear-deformation by faloutsos-worm: "
                                            "linear-deformation does not measure the energy of a "
                                            "motion\n"));
  const Ended table = Pliant({"judge", worm_, "--by", "faloutsos-worm", "--format", "markdown"});
  EXPECT_THAT(table.out, StartsWith("| motion | backend | duration [s] | faloutsos-worm |\n"
                                    "| --- | --- | --- | --- |\n| " +
                                    worm_));
}

TEST_F(OnMotions, BadUsageIsStatus2) {
  const Ended none = Pliant({"judge", worm_, "--by", "pendulum"});
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.err, HasSubstr("pendulum.toml:1:1: the file has no [optimize] table"));
  const Ended nothing = Pliant({"judge", folder_ / "nothing", "--by", "faloutsos-worm"});
  EXPECT_EQ(nothing.status, 2);
  EXPECT_THAT(nothing.err, StartsWith("pliant: no run bundle at or below "));
  const Ended format = Pliant({"judge", worm_, "--by", "faloutsos-worm", "--format", "cvs"});
  EXPECT_EQ(format.status, 2);
  EXPECT_EQ(format.err, "pliant: unknown format 'cvs'; did you mean 'csv'?\n");
  EXPECT_EQ(Pliant({"judge", worm_}).err, "pliant: --by is required; see pliant judge --help\n");
}

}  // namespace
}  // namespace pliant
