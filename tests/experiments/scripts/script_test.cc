// Scripts in the source's command language: what each command does, what is refused, and that the
// printed one runs.

#include "experiments/scripts/script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <numbers>
#include <sstream>

#include "experiments/bundles/bundle.h"
#include "experiments/comparison/comparison.h"
#include "tests/experiments/bundles/scratch.h"
#include "tests/experiments/complaints.h"
#include "tests/observed.h"

namespace pliant {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::filesystem::path kScripts = std::filesystem::path(PLIANT_SOURCE_DIR) / "data/scripts";

// A square of 2 m with a mass of 4 kg; two modes drawn for a box of 1 m: a stretch along x that
// keeps the left side, and a shear.
void WriteObject(const ScratchFolder& folder) {
  WriteFile(folder / "square.toml",
            "points = [[0, 0], [0.2, 0], [0.2, 0.2], [0, 0.2]]\nmasses = [1, 1, 1, 1]\n"
            "edges = [[0, 1], [1, 2], [2, 3], [3, 0]]\n");
  WriteFile(folder / "modes.toml", R"(
degree_x = 1
degree_y = 1
size_x = 1.0
size_y = 1.0
[[entry]]
name = "stretch"
stiffness = 3.0
values = [[0, 1, 0, 1], [0, 0, 0, 0]]
[[entry]]
name = "shear"
values = [[0, 0, 1, 1], [0, 0, 0, 0]]
)");
  WriteFile(folder / "square.def.toml",
            "shape = 'square.toml'\nscale = 10\nmass = 8\nmodes = 'modes.toml'\n"
            "constants = [[10, 1], [20, 2]]\n");
}

constexpr char kMinimal[] = "load_def square.def.toml\nset dt 0.01\nset end 0.1\n";

Script ReadText(const ScratchFolder& folder, const std::string& commands,
                const std::string& after = "simul\n") {
  WriteObject(folder);
  WriteFile(folder / "trial.txt", kMinimal + commands + after);
  return ReadScript(folder / "trial.txt");
}

const Body& BodyOf(const Script& script) { return script.experiment.scene->bodies.at(0); }

double Parameter(const Script& script, const std::string& name) {
  return std::get<double>(script.experiment.backends.at(0).parameters.at(name));
}

std::map<std::string, double> Mode(const Script& script, size_t mode) {
  return ValueAs<MatrixTable>(script.experiment.backends.at(0).parameters.at("modes"))
      ->entries.at(mode)
      .scalars;
}

TEST(Script, BecomesAnExperimentOfDynamicFfdOnAGround) {
  const ScratchFolder folder;
  const Script script = ReadText(folder, "");
  EXPECT_EQ(script.experiment.name, "trial");
  EXPECT_EQ(script.experiment.backends.at(0).label, "dynamic-ffd");
  EXPECT_EQ(script.experiment.plan.duration, 0.1);
  EXPECT_EQ(script.experiment.plan.step, 0.01);
  EXPECT_EQ(script.experiment.plan.record_every, 0.01);
  EXPECT_EQ(script.experiment.scene->dimension, 2);
  EXPECT_EQ(script.experiment.scene->gravity, Eigen::Vector3d(0, -9.81, 0));
  ASSERT_EQ(script.experiment.scene->obstacles.size(), 1u);
  EXPECT_EQ(script.experiment.scene->obstacles[0].friction, 0.0);
  EXPECT_FALSE(script.debug);
}

TEST(Script, LoadDefScalesTheObjectAndGivesItsModesTheirConstants) {
  const ScratchFolder folder;
  const Script script = ReadText(folder, "");
  EXPECT_EQ(BodyOf(script).name, "square");
  EXPECT_EQ(BodyOf(script).rest.col(2), Eigen::Vector3d(2.0, 2.0, 0.0));
  EXPECT_DOUBLE_EQ(BodyOf(script).mass.sum(), 8.0);
  EXPECT_EQ(BodyOf(script).edges.size(), 4u);
  EXPECT_EQ(Mode(script, 0).at("stiffness"), 5.0);  // V = C/2 γ²
  EXPECT_EQ(Mode(script, 1).at("damping"), 2.0);
}

TEST(Script, SettingsGoWhereTheEquationsHaveThem) {
  const ScratchFolder folder;
  const Script script = ReadText(folder,
                                 "set gr_const 4500\nset gr_dam 550  # a comment\n"
                                 "set fr_const 50\n\n  set fr_sin 0.6\nset gravity F\n"
                                 "set time 0.04\nset debug T\nset codamA 7\nset spdam 3\n");
  EXPECT_EQ(Parameter(script, "contact_stiffness"), 4500.0);
  EXPECT_EQ(Parameter(script, "contact_tangential_stiffness"), 4500.0);
  EXPECT_EQ(Parameter(script, "contact_damping"), 550.0);
  EXPECT_EQ(Parameter(script, "contact_tangential_damping"), 50.0);
  EXPECT_DOUBLE_EQ(script.experiment.scene->obstacles[0].friction, 0.75);  // 3:4:5
  EXPECT_TRUE(script.experiment.scene->gravity.isZero(0.0));
  EXPECT_DOUBLE_EQ(script.experiment.plan.duration, 0.06);
  EXPECT_TRUE(script.debug);
  EXPECT_EQ(Mode(script, 0).at("damping"), 7.0);
}

TEST(Script, AssignGivesAModeItsConstantsAndTheLastOneHolds) {
  const ScratchFolder folder;
  const Script script = ReadText(folder, "assign 2 100 5\nassign 2 400 60\n");
  EXPECT_EQ(Mode(script, 1).at("stiffness"), 200.0);
  EXPECT_EQ(Mode(script, 1).at("damping"), 60.0);
  EXPECT_EQ(Mode(script, 0).at("stiffness"), 5.0);
}

// The state the run starts from, in the source's coordinates.
struct Start {
  Eigen::Matrix3Xd x, v;
};

Start StartOf(const Script& script) {
  const Translation translation = TranslateFor(script.experiment, 0);
  const Observation seen = Observed(*translation.simulation);
  return {seen.points, *seen.velocities};
}

TEST(Script, TransAndQPlaceTheLatticeCornerAlsoOfADeformedObject) {
  const ScratchFolder folder;
  // (4.2) by hand: x = t + R (X + 0.25 b₁ + 0.5 b₂), b₁ = (X_x, 0), b₂ = (X_y, 0) on 2 m.
  const Script script = ReadText(folder, "trans 3 4 0\nset_vec q 1 2 90deg 0.25 0.5\n");
  const Start start = StartOf(script);
  EXPECT_NEAR((start.x.col(0) - Eigen::Vector3d(4, 6, 0)).norm(), 0.0, 1e-12);
  EXPECT_NEAR((start.x.col(1) - Eigen::Vector3d(4, 8.5, 0)).norm(), 0.0, 1e-12);
  EXPECT_NEAR((start.x.col(2) - Eigen::Vector3d(2, 9.5, 0)).norm(), 0.0, 1e-12);
  EXPECT_NEAR((start.x.col(3) - Eigen::Vector3d(2, 7, 0)).norm(), 0.0, 1e-12);
  EXPECT_TRUE(start.v.isZero(1e-12));
}

TEST(Script, DqIsTheRateOfThatState) {
  const ScratchFolder folder;
  const std::string q = "trans 3 4\nset_vec q 1 2 -60deg 0.25 0.5\n";
  const Start start = StartOf(ReadText(folder, q + "set_vec dq 0.5 -1 2 0.7 -0.3\n"));
  // A difference of two places: q ± h dq.
  constexpr double h = 1e-5;
  auto place = [&](double sign) {
    const double s = sign * h;
    std::ostringstream text;
    text.precision(17);
    text << "trans 3 4\nset_vec q " << 1 + s * 0.5 << ' ' << 2 - s << ' '
         << -std::numbers::pi / 3 + s * 2 << ' ' << 0.25 + s * 0.7 << ' ' << 0.5 - s * 0.3 << '\n';
    return StartOf(ReadText(folder, text.str())).x;
  };
  const Eigen::Matrix3Xd rate = (place(1.0) - place(-1.0)) / (2.0 * h);
  EXPECT_NEAR((start.v - rate).cwiseAbs().maxCoeff(), 0.0, 1e-8);
}

TEST(Script, ThePrintedInputRunsToItsEnd) {
  const ScratchFolder folder;
  const Script script = ReadScript(kScripts / "appendix-c.txt");
  EXPECT_EQ(script.experiment.plan.duration, 25.0);
  EXPECT_EQ(script.experiment.backends.at(0).step, 0.1);
  EXPECT_THAT(script.experiment.description, HasSubstr("App. C"));
  // t = (500, 400) is the lattice corner, and the lattice is the box of the outline.
  const Eigen::Vector3d corner = StartOf(script).x.rowwise().minCoeff();
  EXPECT_NEAR(corner.x(), 500.0, 1e-9);
  EXPECT_NEAR(corner.y(), 400.0, 1e-9);
  const std::vector<BackendRun> runs = RunComparison(script.experiment, folder / "runs", {});
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0].outcome.kind, OutcomeKind::kCompleted) << runs[0].outcome.reason;
  const Bundle bundle = Bundle::Open(runs[0].bundle);
  EXPECT_EQ(bundle.frame_count(), 251u);
  // It fell, touched the ground, and still stands on it.
  const std::vector<std::optional<double>> height = bundle.Column("centre_y_m");
  EXPECT_GT(*height.front() - *height.back(), 300.0);
  EXPECT_GT(*height.back(), 0.0);
  EXPECT_GT(*bundle.summary().at("penetration_max_m"), 0.0);
}

TEST(Script, ItsTomlGivesTheSameBytes) {
  const ScratchFolder folder;
  const Script script = ReadScript(kScripts / "appendix-c.txt");
  WriteFile(folder / "elsewhere.toml", script.toml);
  const Experiment experiment = ReadExperiment(folder / "elsewhere.toml");
  EXPECT_EQ(experiment.name, "appendix-c");
  EXPECT_EQ(experiment.Resolved(0), script.experiment.Resolved(0));
  const BackendRun a = RunComparison(script.experiment, folder / "a", {}).at(0);
  const BackendRun b = RunComparison(experiment, folder / "b", {}).at(0);
  EXPECT_EQ(ReadFile(a.bundle / "points.h5"), ReadFile(b.bundle / "points.h5"));
  EXPECT_EQ(ReadFile(a.bundle / "experiment.toml"), ReadFile(b.bundle / "experiment.toml"));
}

// A script with a slip, the line and column it is told at, and what is said.
struct ScriptSlip {
  std::string commands;  // after the three of kMinimal
  std::string at;
  std::vector<std::string> says;
};

void PrintTo(const ScriptSlip& slip, std::ostream* out) { *out << slip.commands; }

class ScriptMistake : public testing::TestWithParam<ScriptSlip> {};

TEST_P(ScriptMistake, IsToldAtItsPlaceInOneLine) {
  const ScriptSlip& slip = GetParam();
  const ScratchFolder folder;
  const std::string error =
      FileErrorOf([&] { TranslateFor(ReadText(folder, slip.commands, "").experiment, 0); });
  ExpectComplaint(error, (folder / "trial.txt").string(), slip.at, slip.says);
}

INSTANTIATE_TEST_SUITE_P(
    Script, ScriptMistake,
    testing::Values(
        ScriptSlip{"  simull\n", "4:3", {"no command 'simull'", "did you mean 'simul'?"}},
        ScriptSlip{"set gr_cons 1\nsimul\n", "4:5", {"'gr_cons'", "did you mean 'gr_const'?"}},
        ScriptSlip{"set gr_const much\nsimul\n", "4:14", {"'gr_const' is 'much'", "a number"}},
        ScriptSlip{"set gr_const -5\nsimul\n", "4:14", {"contact_stiffness"}},
        ScriptSlip{"set gr_const nan\nsimul\n", "4:14", {"'nan'"}},
        ScriptSlip{"set gr_const 1 2\nsimul\n", "4:16", {"3 arguments", "set NAME VALUE"}},
        ScriptSlip{"set gravity yes\nsimul\n", "4:13", {"'yes'", "T or F"}},
        ScriptSlip{"set fr_sin 1\nsimul\n", "4:12", {"sine"}},
        ScriptSlip{"set spring T\nsimul\n", "4:12", {"where the spring is attached"}},
        ScriptSlip{"set end 0.055\nsimul\n", "4:9", {"whole number of steps"}},
        ScriptSlip{"set time 3\nsimul\n", "3:9", {"duration must be more than 0"}},
        ScriptSlip{"trans 1\nsimul\n", "4:1", {"1 argument", "trans X Y [Z]"}},
        ScriptSlip{"trans 1 2 3\nsimul\n", "4:11", {"z of trans is 3"}},
        ScriptSlip{"trans 1 2e\nsimul\n", "4:9", {"y of trans is '2e'"}},
        ScriptSlip{"assign 3 1 1\nsimul\n", "4:8", {"no mode 3", "has 2"}},
        ScriptSlip{"assign 0 1 1\nsimul\n", "4:8", {"from 1"}},
        ScriptSlip{"assign 1 -1 1\nsimul\n", "4:10", {"C of assign is -1"}},
        ScriptSlip{"assign 1 1\nsimul\n", "4:1", {"2 arguments", "assign MODE C D"}},
        ScriptSlip{"set_vec q 0 0 0 0\nsimul\n", "4:9", {"'q' has 4 numbers", "2 modes make 5"}},
        ScriptSlip{"set_vec p 0 0 0 0 0\nsimul\n", "4:9", {"no vector 'p'"}},
        ScriptSlip{"set_vec dq 0 0 fast 0 0\nsimul\n", "4:16", {"number 3 of dq is 'fast'"}},
        ScriptSlip{"load_def pan\nsimul\n", "4:10", {"no file", "pan.toml"}},
        ScriptSlip{"simul\nset dt 1\n", "5:1", {"'set' comes after simul"}},
        ScriptSlip{"simul\nsimul\n", "5:1", {"'simul' comes after simul", "one run"}},
        ScriptSlip{"simul now\n", "4:7", {"1 argument", "write simul"}},
        ScriptSlip{"", "1:1", {"has no simul"}}));

TEST(Script, WhatSimulNeedsIsAskedFor) {
  const ScratchFolder folder;
  WriteObject(folder);
  auto error_of = [&](const std::string& text) -> std::string {
    WriteFile(folder / "trial.txt", text);
    try {
      ReadScript(folder / "trial.txt");
    } catch (const FileError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(error_of("set dt 1\nset end 1\nsimul\n"), HasSubstr(":3:1: simul needs an object"));
  EXPECT_THAT(error_of("load_def square.def\nset dt 1\nsimul"), HasSubstr("simul without 'end'"));
  EXPECT_THAT(error_of("load_def square.def\nset end 1\nsimul"), HasSubstr("simul without 'dt'"));
}

TEST(Script, ModesWithoutAPlaceInTheStateAreRefused) {
  const ScratchFolder folder;
  WriteObject(folder);
  std::ofstream(folder / "modes.toml", std::ios::app)
      << "[[entry]]\nname = 'lean'\nblend = {stretch = 1.0, shear = 1.0}\n";
  WriteFile(folder / "square.def.toml",
            "shape = 'square.toml'\nscale = 10\nmass = 8\nmodes = 'modes.toml'\n");
  WriteFile(folder / "trial.txt", std::string(kMinimal) + "simul\n");
  try {
    ReadScript(folder / "trial.txt");
    FAIL() << "accepted";
  } catch (const FileError& error) {
    EXPECT_THAT(error.what(), HasSubstr(":1:10: 2 of its 3 modes have no entry in q"));
  }
}

TEST(Script, TheDocumentationNamesEveryCommandAndSetting) {
  const std::string page = ReadFile(std::filesystem::path(PLIANT_SOURCE_DIR) / "docs/script.md");
  for (const char* word :
       {"load_def", "trans",    "assign", "set_vec q", "set_vec dq", "simul",    "gr_const",
        "gr_dam",   "fr_const", "fr_sin", "codamA",    "gravity",    "time",     "end",
        "dt",       "spring",   "spdam",  "debug",     "scale",      "constants"}) {
    EXPECT_THAT(page, HasSubstr(std::string("`") + word)) << word;
  }
}

}  // namespace
}  // namespace pliant
