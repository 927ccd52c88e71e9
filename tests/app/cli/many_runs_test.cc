// sweep and optimize: many runs, one table.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/app/cli/program.h"
#include "tests/says.h"

namespace pliant {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

std::vector<std::string> Sweep(const std::filesystem::path& out) {
  return {"sweep",     "experiments/studies/step-length.toml",
          "--backend", "linear-deformation",
          "--set",     "run.duration=0.02",
          "--jobs",    "2",
          "--out",     out};
}

std::vector<std::string> Optimize(const std::filesystem::path& out) {
  return {"optimize", "experiments/faloutsos-1995/faloutsos-worm.toml",
          "--set",    "run.duration=0.1",
          "--set",    "optimize.trials=3",
          "--set",    "optimize.restarts=1",
          "--out",    out};
}

TEST(Sweep, LeavesATableOfAllPointsAndSaysWhere) {
  const ScratchFolder folder;
  const Ended sweep = Pliant(Sweep(folder.path()));
  EXPECT_EQ(sweep.status, 0);
  const std::string table = folder / "step-length/sweep.csv";
  EXPECT_THAT(sweep.out, HasSubstr("table: " + table + "\n"));
  EXPECT_THAT(sweep.err, HasSubstr("7 completed"));
  const std::string rows = TextOf(table);
  EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 1 + 7);
  EXPECT_THAT(sweep.out, Says({"Slopes:", "residual_energy_relative  step", " ± "}));
}

TEST(Sweep, ResumeKeepsWhatIsThere) {
  const ScratchFolder folder;
  EXPECT_EQ(Pliant(Sweep(folder.path())).status, 0);
  std::vector<std::string> again = Sweep(folder.path());
  again.push_back("--resume");
  const Ended resumed = Pliant(again);
  EXPECT_EQ(resumed.status, 0);
  EXPECT_THAT(resumed.err, HasSubstr("7 kept"));
}

TEST(Sweep, OtherPointsStayUnlessTheyMayBeReplaced) {
  const ScratchFolder folder;
  EXPECT_EQ(Pliant(Sweep(folder.path())).status, 0);
  const std::string kept = TextOf(folder / "step-length/sweep.csv");
  std::vector<std::string> edited = Sweep(folder.path());
  for (std::string& word : edited) {
    if (word == "run.duration=0.02") word = "run.duration=0.04";
  }
  const Ended beside = Pliant(edited);
  EXPECT_EQ(beside.status, 0) << beside.err;
  EXPECT_THAT(beside.err, Says({"step-length: has other runs, which stay", "--overwrite"}));
  EXPECT_THAT(beside.out, HasSubstr((folder / "step-length-2/sweep.csv").string()));
  EXPECT_THAT(beside.err, testing::EndsWith("exit status 0; the results are in " +
                                            (folder / "step-length-2").string() + "\n"));
  EXPECT_EQ(TextOf(folder / "step-length/sweep.csv"), kept);
  edited.push_back("--overwrite");
  EXPECT_THAT(Pliant(edited).out, HasSubstr((folder / "step-length/sweep.csv").string()));
}

TEST(Sweep, APointThatDivergesIsStatus1AndTheOthersGoOn) {
  const ScratchFolder folder;
  const Ended sweep = Pliant({"sweep", "experiments/studies/step-length.toml", "--backend",
                              "dynamic-ffd", "--set", "run.duration=0.5", "--set",
                              "sweep.vary.0.values=[0.002, 0.01]", "--out", folder.path()});
  EXPECT_EQ(sweep.status, 1) << sweep.err;
  EXPECT_THAT(sweep.err, Says({"diverged at step", "1 completed, 1 diverged"}));
  EXPECT_THAT(sweep.out, HasSubstr("table: "));
}

TEST(Optimize, PrintsItsSearchesAndLeavesThem) {
  const ScratchFolder folder;
  const Ended optimize = Pliant(Optimize(folder.path()));
  EXPECT_EQ(optimize.status, 0) << optimize.err;
  EXPECT_THAT(optimize.out, StartsWith("search "));
  EXPECT_THAT(optimize.err, HasSubstr("completed"));
  EXPECT_TRUE(std::filesystem::exists(folder / "faloutsos-worm"));
}

TEST(Optimize, AFinishedSearchStaysUnlessItMayBeReplaced) {
  const ScratchFolder folder;
  EXPECT_EQ(Pliant(Optimize(folder.path())).status, 0);
  const std::string kept = TextOf(folder / "faloutsos-worm/optimize/history.csv");
  const Ended again = Pliant(Optimize(folder.path()));
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_THAT(again.err, Says({"faloutsos-worm: has other runs, which stay", "--resume goes on"}));
  EXPECT_EQ(TextOf(folder / "faloutsos-worm/optimize/history.csv"), kept);
  EXPECT_TRUE(std::filesystem::exists(folder / "faloutsos-worm-2/optimize/history.csv"));
}

TEST(ManyRuns, WhatCannotBeWrittenIsStatus3) {
  const ScratchFolder folder;
  WriteText(folder / "file", "");
  for (const auto& command : {Sweep(folder / "file"), Optimize(folder / "file")}) {
    const Ended ended = Pliant(command);
    EXPECT_EQ(ended.status, 3);
    EXPECT_THAT(ended.out, IsEmpty());
    EXPECT_THAT(ended.err, HasSubstr("pliant: " + (folder / "file").string()));
  }
}

}  // namespace
}  // namespace pliant
