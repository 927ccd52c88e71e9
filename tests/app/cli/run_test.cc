// run, compare, script: bundles, what is printed of them, and how a run that fails is told.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/cli/program.h"

namespace pliant {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

const char kPendulum[] = "experiments/pendulum.toml";
const char kShort[] = "run.duration=0.02";

TEST(Run, PrintsItsBundlesOnStdoutAndItsProgressOnStderr) {
  const ScratchFolder folder;
  const Ended run = Pliant({"run", kPendulum, "--set", kShort, "--out", folder.path(), "--backend",
                            "linear-deformation", "--backend", "dynamic-ffd"});
  EXPECT_EQ(run.status, 0);
  const std::string pendulum = folder / "pendulum";
  EXPECT_EQ(run.out, pendulum + "/dynamic-ffd\n" + pendulum + "/linear-deformation\n");
  EXPECT_THAT(run.err, HasSubstr("[2/2] linear-deformation: completed ("));
  EXPECT_THAT(NamesIn(folder / "pendulum/dynamic-ffd"),
              testing::IsSupersetOf({"experiment.toml", "manifest.json", "translation.json",
                                     "series.csv", "points.h5", "summary.json"}));
}

TEST(Run, TheSeedOfTheCommandLineIsInTheBundle) {
  const ScratchFolder folder;
  const Ended run = Pliant({"run", kPendulum, "--set", kShort, "--out", folder.path(), "--backend",
                            "linear-deformation", "--seed", "77"});
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(TextOf(folder / "pendulum/linear-deformation/experiment.toml"),
              HasSubstr("seed = 77\n"));
}

TEST(Run, ARunThatDivergesIsStatus1AndItsBundleSaysHow) {
  const ScratchFolder folder;
  const Ended run = Pliant({"run", kPendulum, "--backend", "dynamic-ffd", "--set", "run.step=0.01",
                            "--set", "run.duration=0.5", "--out", folder.path()});
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.out, (folder / "pendulum/dynamic-ffd").string() + "\n");
  EXPECT_THAT(run.err,
              AllOf(HasSubstr("warning: the step of 0.01 s"), HasSubstr("diverged at step")));
  EXPECT_THAT(TextOf(folder / "pendulum/dynamic-ffd/summary.json"), HasSubstr("diverged"));
}

TEST(Run, WhereNoBackendRunsTheStatusIs1) {
  const ScratchFolder folder;
  const Ended run =
      Pliant({"run", kPendulum, "--backend", "kinematic-response", "--out", folder.path()});
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, HasSubstr("unsupported: nail.hook"));
  EXPECT_THAT(TextOf(folder / "pendulum/kinematic-response/summary.json"),
              HasSubstr("unsupported"));
}

TEST(Run, WhatCannotBeWrittenIsStatus3) {
  const ScratchFolder folder;
  WriteText(folder / "file", "");
  for (const char* command : {"run", "compare"}) {
    const Ended run = Pliant({command, kPendulum, "--set", kShort, "--out", folder / "file"});
    EXPECT_EQ(run.status, 3) << command;
    EXPECT_THAT(run.out, IsEmpty());
    EXPECT_THAT(run.err, HasSubstr("pliant: " + (folder / "file/pendulum").string() + ": cannot"));
  }
}

TEST(Compare, PrintsATableOfAllBackendsOnStdout) {
  const ScratchFolder folder;
  const Ended compare = Pliant({"compare", kPendulum, "--set", kShort, "--out", folder.path()});
  EXPECT_EQ(compare.status, 0);  // one backend of it refuses the scene, which is an answer
  EXPECT_THAT(compare.out, StartsWith("pendulum: A triple pendulum\n\n"));
  EXPECT_THAT(compare.out, AllOf(HasSubstr("dynamic-ffd  linear-deformation"),
                                 HasSubstr("unsupported"), HasSubstr("residual_energy_max_J")));
  EXPECT_THAT(compare.err, AllOf(HasSubstr("completed"), Not(HasSubstr("residual_energy_max_J"))));
  const std::filesystem::path report = folder / "pendulum/report.html";
#ifdef PLIANT_QT
  EXPECT_THAT(compare.out, HasSubstr("\nreport: " + report.string() + "\n"));
  EXPECT_TRUE(std::filesystem::exists(report));
#else
  EXPECT_THAT(compare.out, HasSubstr("\nno report: " + report.string()));
  EXPECT_FALSE(std::filesystem::exists(report));
#endif
}

TEST(Script, RunsAndWritesTheExperimentItBecomes) {
  const ScratchFolder folder;
  const Ended script = Pliant({"script", "data/scripts/appendix-c.txt", "--out", folder.path(),
                               "--write", folder / "became.toml"});
  EXPECT_EQ(script.status, 0);
  EXPECT_EQ(script.out, (folder / "appendix-c/dynamic-ffd").string() + "\n");
  EXPECT_EQ(Pliant({"check", folder / "became.toml"}).status, 0);
  WriteText(folder / "file", "");
  EXPECT_EQ(Pliant({"script", "data/scripts/appendix-c.txt", "--out", folder.path(), "--write",
                    folder / "file/became.toml"})
                .status,
            3);
}

}  // namespace
}  // namespace pliant
