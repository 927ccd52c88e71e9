// run, compare, script: bundles, what is printed of them, and how a failed run is reported.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/cli/program.h"
#include "tests/says.h"

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

TEST(Run, OtherRunsOfTheNameStayUnlessTheyMayBeReplaced) {
  const ScratchFolder folder;
  const auto run = [&](const std::string& duration, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments = {
        "run",   kPendulum,     "--set",     "run.duration=" + duration,
        "--out", folder.path(), "--backend", "linear-deformation"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Pliant(arguments);
  };
  const std::string first = (folder / "pendulum/linear-deformation").string();
  const std::string second = (folder / "pendulum-2/linear-deformation").string();
  EXPECT_EQ(run("0.02").out, first + "\n");
  const std::string kept = TextOf(first + "/manifest.json");

  const Ended edited = run("0.04");
  EXPECT_EQ(edited.status, 0) << edited.err;
  EXPECT_EQ(edited.out, second + "\n");
  EXPECT_THAT(edited.err, Says({(folder / "pendulum").string() + ": has other runs, which stay",
                                (folder / "pendulum-2").string(), "--overwrite replaces them"}));
  EXPECT_THAT(edited.err, testing::EndsWith("exit status 0; the results are in " +
                                            (folder / "pendulum-2").string() + "\n"));
  EXPECT_EQ(TextOf(first + "/manifest.json"), kept);

  // The same experiment again is the same bundle.
  const Ended again = run("0.02");
  EXPECT_EQ(again.out, first + "\n");
  EXPECT_THAT(again.err, Not(HasSubstr("stay")));

  EXPECT_EQ(run("0.06", {"--overwrite"}).out, first + "\n");
  EXPECT_THAT(TextOf(first + "/experiment.toml"), HasSubstr("duration = 0.06"));
}

// A rod of 0.5 m, 0.05 m above a floor.
constexpr char kFallingRod[] = R"([run]
duration = 0.4
step = 0.001
record_every = 0.01
[scene]
name = "rod"
gravity = [0, -9.81, 0]
[[scene.body]]
name = "rod"
shape = "block"
size = [0.1, 0.5, 0.1]
points = [2, 6, 2]
position = [0, 0.3, 0]
[scene.body.material]
density = 1000
youngs_modulus = 1e5
poisson_ratio = 0.3
[[scene.obstacle]]
name = "floor"
shape = "plane"
[[probe]]
name = "blow"
measure = "contact-force"
of = {body = "rod"}
[backends.dynamic-ffd]
free_lattice = true
modes = {degree_x = 1, degree_y = 1, degree_z = 1, size_x = 0.1, size_y = 0.5, size_z = 0.1}
)";

TEST(Run, ABodyThatTheFloorDoesNotCarryIsAWarningOfRunTableAndReport) {
  const ScratchFolder folder;
  const std::string file = (folder / "rod.toml").string();
  WriteText(file, kFallingRod);
  const auto run = [&](const std::string& stiffness) {
    return Pliant({"run", file, "--out", folder.path(), "--overwrite", "--set",
                   "backends.dynamic-ffd.contact_stiffness=" + stiffness, "--set",
                   "backends.dynamic-ffd.contact_damping=0"});
  };
  const Ended soft = run("1e-6");
  EXPECT_EQ(soft.status, 0) << soft.err;
  EXPECT_THAT(soft.err,
              HasSubstr("warning: body 'rod' is 0.737 m deep in obstacle 'floor' at 0.4 s, "
                        "142 % of its size"));  // ½ g (t² + h t) − 0.05 m
  EXPECT_THAT(TextOf(folder / "rod/dynamic-ffd/summary.json"),
              Says({"\"sunk\": {", "\"obstacle\": \"floor\"", "\"share_of_size\": 1.41"}));
  const Ended carried = run("1e5");
  EXPECT_THAT(carried.err, Not(HasSubstr("deep in obstacle")));
  EXPECT_THAT(TextOf(folder / "rod/dynamic-ffd/summary.json"), Not(HasSubstr("\"sunk\"")));
}

TEST(Run, AContactForceIsSaidToBeAMeanOverARecordWhereItIsRead) {
  const ScratchFolder folder;
  const std::string file = (folder / "rod.toml").string();
  WriteText(file, kFallingRod);
  EXPECT_THAT(Pliant({"check", file}).out,
              Says({"note: " + file +
                    ":23:11: a contact-force is its mean over a record of 10 ms "
                    "(run.record_every): the largest of probe 'blow' grows"}));
  const auto table = [&](const std::string& only) {
    return Pliant({"compare", file, "--out", folder.path(), "--only", only}).out;
  };
  EXPECT_THAT(table("blow"), HasSubstr("note: a contact force is its mean over a record (10 ms)"));
  EXPECT_THAT(table("contact_force."),
              HasSubstr("note: a contact force is its mean over a record (10 ms)"));
  EXPECT_THAT(table("penetration"), Not(HasSubstr("mean over a record")));
  // The figures of the file's own probes stand first.
  const std::string all = Pliant({"compare", file, "--out", folder.path()}).out;
  const size_t own = all.find("blow_max_N"), first = all.find("residual_energy_max_J");
  ASSERT_NE(first, std::string::npos);
  EXPECT_LT(own, first);
}

TEST(Run, ARunThatDivergesIsStatus1AndItsBundleSaysHow) {
  const ScratchFolder folder;
  const Ended run = Pliant({"run", kPendulum, "--backend", "dynamic-ffd", "--set", "run.step=0.01",
                            "--set", "run.duration=0.5", "--out", folder.path()});
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.out, (folder / "pendulum/dynamic-ffd").string() + "\n");
  EXPECT_THAT(run.err, Says({"warning: the step of 0.01 s", "diverged at step"}));
  EXPECT_THAT(TextOf(folder / "pendulum/dynamic-ffd/summary.json"), HasSubstr("diverged"));
}

// A rigid block on a still floor without friction or damping, at a step that is far too long for
// the stiffness of the floor: its ledger closes to rounding of the work, and it bounces higher than
// it fell.
std::string BlockOnAFloor(const std::filesystem::path& folder) {
  const std::string modes = std::filesystem::absolute("data/modes/rigid.toml").string();
  WriteText(folder / "block.toml", R"(
[run]
duration = 1.5
step = 0.02
record_every = 0.02
[scene]
name = "block"
gravity = [0, -9.81, 0]
[[scene.body]]
name = "block"
shape = "block"
size = [0.4, 0.4, 0.4]
points = [3, 3, 3]
mass = 4
position = [0, 1.35, 0]
[[scene.obstacle]]
name = "floor"
shape = "plane"
friction = 0
[backends.dynamic-ffd]
integrator = "implicit-midpoint"
contact_damping = 0
modes = ")" + modes + "\"\n");
  return folder / "block.toml";
}

TEST(Run, ARunThatGainedEnergyIsStatus1AndNamesTheShareTheCauseAndTheTime) {
  const ScratchFolder folder;
  const std::string file = BlockOnAFloor(folder.path());
  const Ended run = Pliant({"run", file, "--out", folder.path()});
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, AllOf(HasSubstr("gained energy: passive parts made"),
                             HasSubstr("% of the energy at stake"), HasSubstr("first at 0.5")));
  EXPECT_THAT(TextOf(folder / "block/dynamic-ffd/summary.json"), HasSubstr("gained energy"));
  EXPECT_EQ(Pliant({"run", file, "--set", "run.step=0.0025", "--out", folder.path()}).status, 0)
      << "at an eighth of the step it is what it should be";
  EXPECT_EQ(
      Pliant({"run", file, "--set", "run.made_energy_share=10", "--out", folder.path()}).status, 0)
      << "the file may allow it";
}

TEST(Run, ARunBeyondItsBudgetStopsWithAFrame) {
  const ScratchFolder folder;
  const Ended run = Pliant({"run", kPendulum, "--backend", "dynamic-ffd", "--set",
                            "run.max_wall_seconds=1e-9", "--out", folder.path()});
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, HasSubstr("max_wall_seconds exceeded at step 1"));
  EXPECT_THAT(TextOf(folder / "pendulum/dynamic-ffd/summary.json"), HasSubstr("budget exceeded"));
  const Ended again = Pliant({"reproduce", folder / "pendulum/dynamic-ffd"});
  EXPECT_EQ(again.status, 0) << again.out;
}

// What comes before the first step is told by `check`, and is in the table of `compare` and the record of a run.
TEST(Check, TellsWhatThePreparationCosts) {
  const Ended checked = Pliant({"check", kPendulum});
  EXPECT_EQ(checked.status, 0);
  EXPECT_THAT(checked.out,
              testing::ContainsRegex("preparation: [0-9.e-]+ s of CPU time, [0-9.e-]+ s\n"));
  const ScratchFolder folder;
  const Ended compared = Pliant(
      {"compare", kPendulum, "--set", kShort, "--backend", "dynamic-ffd", "--out", folder.path()});
  EXPECT_THAT(compared.out, HasSubstr("preparation_time_s"));
  EXPECT_THAT(TextOf(folder / "pendulum/dynamic-ffd/summary.json"),
              AllOf(HasSubstr("preparation_cpu_s"), HasSubstr("preparation_wall_s"),
                    HasSubstr("real_time_factor_overall")));
}

// And what the run would.
TEST(Check, EstimatesTimeRecordsAndMemory) {
  const Ended checked = Pliant({"check", kPendulum, "--set", "run.duration=2", "--set",
                                "run.step=0.001", "--set", "run.record_every=0.01"});
  EXPECT_EQ(checked.status, 0) << checked.err;
  EXPECT_THAT(checked.out,
              testing::ContainsRegex(
                  "estimate: dynamic-ffd: [0-9.]+ (s|min|h) of CPU time in 2000 "
                  "steps like the last ones tried, 201 records of at most [0-9.]+ [kMG]B\n"));
  EXPECT_THAT(checked.out, testing::ContainsRegex("estimate: memory: [0-9.]+ [MG]B"));
  const Ended json = Pliant({"check", kPendulum, "--json"});
  EXPECT_THAT(json.out, AllOf(HasSubstr("\"estimate\""), HasSubstr("\"record_bytes\""),
                              HasSubstr("\"memory_bytes\"")));
}

TEST(MaxMemory, EndsACommandWithAMessageThatNamesTheLimit) {
#ifdef PLIANT_SANITIZED
  GTEST_SKIP() << "the sanitizer needs terabytes of addresses for itself";
#endif
  const ScratchFolder folder;
  WriteText(folder / "scene.toml",
            "name = 'large'\n[[body]]\nname = 'b'\nshape = 'block'\nsize = [1.0, 1.0, 1.0]\n"
            "points = [100, 100, 100]\nmass = 1.0\n");
  const std::string file = folder / "large.toml";
  WriteText(file,
            "scene = 'scene.toml'\n[run]\nduration = 0.001\nstep = 0.001\nrecord_every = 0.001\n"
            "[backends.position-based]\n");
  const Ended ended = Pliant({"--max-memory", "100", "check", file});
  EXPECT_EQ(ended.status, 1);
  EXPECT_EQ(ended.err,
            "pliant: not enough memory for this, more than 100 MB; use fewer points, records or "
            "backends at once\n");
  EXPECT_EQ(Pliant({"--max-memory", "4000", "check", kPendulum}).status, 0);
  const Ended wrong = Pliant({"--max-memory", "0", "check", kPendulum});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, HasSubstr("--max-memory"));
}

TEST(Inspect, PrintsAndWritesTheArraysOfAFormulation) {
  const ScratchFolder folder;
  ASSERT_EQ(Pliant({"run", kPendulum, "--set", kShort, "--backend", "dynamic-ffd", "--set",
                    "run.record=[\"modes\"]", "--out", folder.path()})
                .status,
            0);
  const std::string bundle = folder / "pendulum/dynamic-ffd";
  const Ended seen = Pliant({"inspect", bundle, "--time", "0.013", "--out", folder / "seen.h5"});
  EXPECT_EQ(seen.status, 0);
  EXPECT_THAT(seen.out, AllOf(HasSubstr("the nearest record"), HasSubstr("equations/M."),
                              HasSubstr("mass matrix M(q)"), HasSubstr("equations/acceleration.")));
  EXPECT_TRUE(std::filesystem::exists(folder / "seen.h5"));
  EXPECT_EQ(Pliant({"inspect", folder / "nothing"}).status, 2);
}

// In the series, in the report, and where a bundle is run again.
TEST(Run, RecordedGroupsAreColumnsThatReportsPlot) {
  const ScratchFolder folder;
  ASSERT_EQ(Pliant({"run", kPendulum, "--set", kShort, "--backend", "displacement-constraints",
                    "--set", "run.record=[\"multipliers\",\"levels\"]", "--out", folder.path()})
                .status,
            0);
  const std::string bundle = folder / "pendulum/displacement-constraints";
  EXPECT_THAT(
      TextOf(folder / "pendulum/displacement-constraints/series.csv"),
      AllOf(HasSubstr("multipliers.lambda.nail_"), HasSubstr("levels.spins.0.largest_rad_s")));
  EXPECT_EQ(Pliant({"reproduce", bundle}).status, 0);
#ifdef PLIANT_QT
  const Ended report = Pliant({"report", bundle, "--out", folder / "report.html"});
  EXPECT_EQ(report.status, 0) << report.err;
  EXPECT_THAT(TextOf(folder / "report.html"), HasSubstr("recorded array levels.spins.0: largest"));
#endif
}

// What a method knows of its last step only is found by making the steps before the record again.
TEST(Inspect, KnowsTheForcesOfTheLastStep) {
  const ScratchFolder folder;
  ASSERT_EQ(Pliant({"run", kPendulum, "--set", kShort, "--backend", "position-based", "--out",
                    folder.path()})
                .status,
            0);
  const Ended seen = Pliant({"inspect", folder / "pendulum/position-based"});
  EXPECT_EQ(seen.status, 0);
  EXPECT_THAT(seen.out, AllOf(HasSubstr("multipliers/lambda [N], 3×3"), Not(HasSubstr("nan")),
                              HasSubstr("corrections/displacements")));
  const Ended start = Pliant({"inspect", folder / "pendulum/position-based", "--time", "0"});
  EXPECT_THAT(start.out, HasSubstr("nan"));
}

// The outcomes of a run one by one, with and without --strict, and the line that counts them.
TEST(ExitStatus, IsThatOfTheTableForEveryOutcome) {
  const ScratchFolder folder;
  const auto run = [&](const std::string& file, std::vector<std::string> options, bool strict) {
    options.insert(options.begin(), {"run", file, "--overwrite", "--out", folder.path().string()});
    if (strict) options.push_back("--strict");
    return Pliant(options);
  };
  const std::string block = BlockOnAFloor(folder.path());
  struct Case {
    const char* name;
    std::string file;
    std::vector<std::string> options;
    int status, strict;
    const char* line;
  };
  const std::vector<Case> cases = {
      {"completed",
       kPendulum,
       {"--set", kShort, "--backend", "linear-deformation"},
       0,
       0,
       "1 run: 1 completed; exit status 0\n"},
      {"some refused",
       kPendulum,
       {"--set", kShort, "--backend", "linear-deformation", "--backend", "kinematic-response"},
       0,
       1,
       "2 runs: 1 completed, 1 unsupported; exit status 0 (1 with --strict)\n"},
      {"all refused",
       kPendulum,
       {"--backend", "kinematic-response"},
       1,
       1,
       "1 run: 1 unsupported; exit status 1\n"},
      {"gained energy", block, {}, 1, 1, "1 run: 1 gained energy; exit status 1\n"},
      {"lost energy",
       kPendulum,
       {"--backend", "displacement-constraints", "--set", "run.lost_energy_share=0.01"},
       1,
       1,
       "1 run: 1 lost energy; exit status 1\n"},
      {"lost energy where the file sets no limit",
       kPendulum,
       {"--backend", "displacement-constraints"},
       0,
       0,
       "1 run: 1 completed; exit status 0\n"},
      {"diverged",
       kPendulum,
       {"--backend", "dynamic-ffd", "--set", "run.step=0.01", "--set", "run.duration=0.5"},
       1,
       1,
       "1 run: 1 diverged; exit status 1\n"},
      {"did not converge",
       kPendulum,
       {"--backend", "displacement-constraints", "--set",
        "backends.displacement-constraints.max_sweeps=1", "--set",
        "backends.displacement-constraints.tolerance=1e-15", "--set", kShort},
       1,
       1,
       "1 run: 1 did not converge; exit status 1\n"},
      {"did not converge where the file allows it",
       kPendulum,
       {"--backend", "displacement-constraints", "--set",
        "backends.displacement-constraints.max_sweeps=1", "--set",
        "backends.displacement-constraints.tolerance=1e-15", "--set", kShort, "--set",
        "run.not_converged_share=1"},
       0,
       1,
       "1 run: 1 completed with steps that did not converge or constraints left open; exit status "
       "0 "
       "(1 with --strict)\n"},
      {"budget exceeded",
       kPendulum,
       {"--backend", "dynamic-ffd", "--set", "run.max_wall_seconds=1e-9"},
       1,
       1,
       "1 run: 1 budget exceeded; exit status 1\n"},
  };
  for (const Case& one : cases) {
    const Ended ended = run(one.file, one.options, false);
    EXPECT_EQ(ended.status, one.status) << one.name;
    EXPECT_THAT(ended.err, testing::EndsWith(one.line)) << one.name;
    const Ended strict = run(one.file, one.options, true);
    EXPECT_EQ(strict.status, one.strict) << one.name;
    EXPECT_THAT(strict.err, testing::EndsWith("; exit status " + std::to_string(one.strict) + "\n"))
        << one.name;
  }
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
