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
using ::testing::Not;
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
  // It goes on where its own runs are.
  edited.push_back("--resume");
  const Ended resumed = Pliant(edited);
  EXPECT_THAT(resumed.err, HasSubstr("7 kept"));
  EXPECT_THAT(resumed.out, HasSubstr((folder / "step-length-2/sweep.csv").string()));
  EXPECT_EQ(TextOf(folder / "step-length/sweep.csv"), kept);
  edited.back() = "--overwrite";
  EXPECT_THAT(Pliant(edited).out, HasSubstr((folder / "step-length/sweep.csv").string()));
}

// Points of other names replace no bundle, but their table would replace that of the first sweep.
TEST(Sweep, TheTableOfOtherKeysOrPointsStays) {
  const ScratchFolder folder;
  const auto sweep = [&](const std::string& vary, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {"sweep",     "pendulum",
                                      "--backend", "position-based",
                                      "--set",     "run.duration=0.1",
                                      "--set",     "sweep.vary=[" + vary + "]",
                                      "--jobs",    "2",
                                      "--out",     folder.path()};
    words.insert(words.end(), more.begin(), more.end());
    const Ended ended = Pliant(words);
    EXPECT_EQ(ended.status, 0) << ended.err;
    return ended.err;
  };
  const std::string by_step = "{key = \"run.step\", values = [0.001, 0.0005]}";
  const auto table = [&](const std::string& name) { return TextOf(folder / name / "sweep.csv"); };
  EXPECT_THAT(sweep(by_step), Not(HasSubstr("stay")));
  const std::string kept = table("pendulum");
  // Another key; a point less; another backend.
  EXPECT_THAT(sweep("{key = \"scene.gravity\", values = [[0, -5, 0], [0, -9, 0]]}"),
              HasSubstr("pendulum: has other runs, which stay"));
  EXPECT_THAT(table("pendulum-2"), StartsWith("point,scene.gravity,label,"));
  EXPECT_THAT(sweep("{key = \"run.step\", values = [0.001]}"), HasSubstr("pendulum-3"));
  EXPECT_EQ(table("pendulum"), kept);
  // The same again, and with a point more, replaces no row.
  EXPECT_THAT(sweep(by_step), Not(HasSubstr("stay")));
  EXPECT_THAT(sweep("{key = \"run.step\", values = [0.001, 0.0005, 0.002]}"),
              Not(HasSubstr("stay")));
  EXPECT_THAT(table("pendulum"), HasSubstr("step=0.002"));
  // A table that nobody can read as one of this sweep stays, too, unless it may be replaced.
  WriteText(folder / "pendulum/sweep.csv", "mine");
  EXPECT_THAT(sweep(by_step), HasSubstr("pendulum-3"));
  EXPECT_EQ(table("pendulum"), "mine");
  EXPECT_THAT(sweep(by_step, {"--overwrite"}), Not(HasSubstr("stay")));
  EXPECT_THAT(table("pendulum"), StartsWith("point,run.step,label,"));
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

// What was found is in the terminal and in the report, with what to do next.
TEST(Optimize, PrintsTheNumbersThatItFound) {
  const ScratchFolder folder;
  const Ended optimize = Pliant(Optimize(folder.path()));
  EXPECT_THAT(optimize.out,
              Says({"Numbers that the search varied:", "number", "start", "best", "lower bound",
                    "control.pose.reach.duration", "0.05", "0.5",
                    "best/experiment.toml is an experiment of its own", "`pliant refine` it"}));
#ifdef PLIANT_QT
  EXPECT_THAT(TextOf(folder / "faloutsos-worm/optimize/report.html"),
              Says({"Numbers that the search varied", "control.pose.reach.duration",
                    "best/experiment.toml is an experiment of its own"}));
#endif
}

TEST(Optimize, SearchesByTheMethodsThatAreChosen) {
  const ScratchFolder folder;
  std::vector<std::string> command = Optimize(folder.path());
  command.insert(command.end(), {"--set", "optimize.methods={annealing={},random-search={}}",
                                 "--method", "random-search", "--method", "cma-es"});
  const Ended optimize = Pliant(command);
  EXPECT_EQ(optimize.status, 0) << optimize.err;
  EXPECT_THAT(optimize.out, Says({"random-search", "cma-es"}));
  EXPECT_THAT(optimize.out, Not(HasSubstr("annealing")));
  command.back() = "cma-e";
  const Ended unknown = Pliant(command);
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, StartsWith("pliant: there is no method 'cma-e'; did you mean"));
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

// On a terminal, which `script` pretends to be: trials that are not made again are done when it begins.
TEST(Optimize, AResumedSearchShowsWhatWasDoneBefore) {
  const ScratchFolder folder;
  EXPECT_EQ(Pliant(Optimize(folder.path())).status, 0);
  std::vector<std::string> command = Optimize(folder.path());
  command.insert(command.end(), {"--set", "optimize.trials=6", "--resume"});
  std::string line = BuiltProgram().string();
  for (const std::string& word : command) line += " '" + word + "'";
  const Ended resumed =
      Pliant({"-qec", line, (folder / "typescript").string()}, {.program = "/usr/bin/script"});
  EXPECT_EQ(resumed.status, 0) << resumed.out;
  EXPECT_THAT(resumed.out, HasSubstr("]  50 % \r"));
}

// Advice that does not work is none.
TEST(Optimize, ResumeIsAdvisedOnlyWhereItGoesOn) {
  const ScratchFolder folder;
  EXPECT_EQ(Pliant(Optimize(folder.path())).status, 0);
  std::vector<std::string> changed = Optimize(folder.path());
  changed.insert(changed.end(), {"--set", "run.step=0.0004"});
  const Ended other = Pliant(changed);
  EXPECT_EQ(other.status, 0) << other.err;
  EXPECT_THAT(other.err,
              Says({"faloutsos-worm: has other runs, which stay",
                    "another search, with which --resume cannot go on", "--overwrite replaces"}));
  // Now there is one of the changed file.
  EXPECT_THAT(Pliant(changed).err, HasSubstr("--resume goes on with the search of this file"));
  changed.push_back("--resume");
  EXPECT_EQ(Pliant(changed).status, 0);
  std::vector<std::string> unknown = Optimize(folder.path());
  unknown.insert(unknown.end(), {"--set", "run.step=0.0005", "--resume"});
  const Ended refused = Pliant(unknown);
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err,
              Says({"belongs to another search", "run.step is 5e-04 (there ", "without --resume"}));
  unknown = Optimize(folder.path());
  unknown.insert(unknown.end(), {"--method", "random-search", "--resume"});
  EXPECT_THAT(Pliant(unknown).err, Says({"belongs to another search: optimize.", "random-search"}));
}

// An empty table would not say why.
TEST(Optimize, SaysWhyAllTrialsFailed) {
  const ScratchFolder folder;
  std::vector<std::string> command = Optimize(folder.path());
  command.insert(command.end(), {"--set", "run.step=0.05", "--set", "run.record_every=0.05"});
  const Ended failed = Pliant(command);
  EXPECT_EQ(failed.status, 1) << failed.out;
  EXPECT_THAT(failed.err, HasSubstr("failed: no trial made a motion"));
  EXPECT_THAT(failed.out, Says({"Why trials failed:", "trials  reason", "diverged at step"}));
  EXPECT_THAT(failed.out, Not(HasSubstr("Cost and feasibility")));
  // Of a search without plans nothing is said of plans.
  EXPECT_THAT(Pliant(Optimize(folder / "other")).out,
              AllOf(HasSubstr("Cost and feasibility"), Not(HasSubstr("how well a plan"))));
}

// Ctrl-C of a search that got another name, then the same command with --resume.
TEST(Optimize, ResumesUnderTheNameItGot) {
  const ScratchFolder folder;
  EXPECT_EQ(Pliant(Optimize(folder.path())).status, 0);
  const std::string kept = TextOf(folder / "faloutsos-worm/optimize/history.csv");
  std::vector<std::string> other = Optimize(folder.path());
  other.insert(other.end(), {"--set", "optimize.trials=4"});
  EXPECT_EQ(Pliant(other).status, 0);
  other.push_back("--resume");
  const Ended resumed = Pliant(other);
  EXPECT_EQ(resumed.status, 0) << resumed.err;
  EXPECT_THAT(resumed.err, HasSubstr("this search is in " + (folder / "faloutsos-worm-2").string() +
                                     ", which goes on\n"));
  EXPECT_THAT(resumed.out, HasSubstr((folder / "faloutsos-worm-2/optimize").string() + "\n"));
  EXPECT_EQ(TextOf(folder / "faloutsos-worm/optimize/history.csv"), kept);
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
