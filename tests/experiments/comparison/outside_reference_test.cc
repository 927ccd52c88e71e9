// References from outside: bundles of other runs and tables of measured values.

#include "experiments/files/outside_reference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "experiments/comparison/comparison_table.h"
#include "experiments/comparison/measured_table.h"
#include "tests/experiments/bundles.h"

namespace pliant {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Optional;
using ::testing::ThrowsMessage;

std::vector<Bundle> RunAll(const Experiment& experiment, const std::filesystem::path& out) {
  std::vector<Bundle> bundles;
  for (const BackendRun& run : RunComparison(experiment, out, {})) {
    bundles.push_back(Bundle::Open(run.bundle, TestBackends()));
  }
  return bundles;
}

std::optional<double> ValueOf(const ComparisonTable& table, const std::string& name) {
  for (size_t c = 0; c < table.columns.size(); ++c) {
    if (table.columns[c].name == name) return table.rows[0].values.at(c);
  }
  ADD_FAILURE() << "no column " << name;
  return std::nullopt;
}

TEST(OutsideReference, ABundleIsMeasuredAgainstAsALabelIs) {
  const ScratchFolder folder;
  RunAll(FallingExperiment(folder, Falling("exact")), folder / "kept");
  const Experiment experiment =
      FallingExperiment(folder, Falling("off", "drift = 0.5"), "reference = 'kept/fall/exact'");
  const std::string path = (folder / "kept" / "fall" / "exact").string();
  EXPECT_EQ(experiment.reference, path);
  const std::vector<Bundle> bundles = RunAll(experiment, folder / "runs");
  EXPECT_EQ(ReferenceAmong(bundles), path) << "a single run is compared too";
  const ComparisonTable table = CompareBundles(bundles, path);
  EXPECT_THAT(table.problems, IsEmpty());
  // The test of labels has the same drift and the same numbers.
  EXPECT_THAT(ValueOf(table, "distance_to_reference_rms_m"), Optional(DoubleNear(0.1, 1e-14)));
  EXPECT_THAT(ValueOf(table, "distance_to_reference_rms_final_m"),
              Optional(DoubleNear(0.1, 1e-14)));
  ASSERT_EQ(table.provenance.size(), 1u);
  EXPECT_THAT(table.provenance[0], HasSubstr(path + ": run 'exact' (falling) of experiment fall, "
                                                    "completed, made 2"));
  EXPECT_THAT(TableText(table), HasSubstr("reference: " + path));
}

TEST(OutsideReference, ARunOfAnotherSceneIsRefused) {
  const ScratchFolder folder;
  const Experiment other = ReadExperiment(
      [&] {
        FallingExperiment(folder, Falling("exact"));
        return folder / "fall.toml";
      }(),
      {"scene.gravity=[0, -5, 0]"}, TestBackends());
  RunAll(other, folder / "kept");
  const Experiment experiment =
      FallingExperiment(folder, Falling("off"), "reference = 'kept/fall/exact'");
  const ComparisonTable table =
      CompareBundles(RunAll(experiment, folder / "runs"), experiment.reference);
  ASSERT_EQ(table.problems.size(), 1u);
  EXPECT_THAT(table.problems[0], HasSubstr("is a run of another scene than"));
  EXPECT_THAT(table.problems[0], HasSubstr(": scene.gravity is [0, -5, 0] there, "));
  EXPECT_THAT(table.provenance, IsEmpty());
}

// Names of points change no motion, unless something is held by them.
TEST(OutsideReference, MarksThatNothingNamesMakeNoOtherScene) {
  for (const bool is_held : {false, true}) {
    const ScratchFolder folder;
    FallingExperiment(folder, Falling("exact"));
    std::vector<std::string> changes = {"scene.body[0].marks={tip = 0}"};
    const auto nail = [&](const char* point) {
      const std::string body =
          ReadExperiment(folder / "fall.toml", {}, TestBackends()).scene->bodies[0].name;
      return "scene.nail=[{name = \"hook\", body = \"" + body + "\", point = \"" + point + "\"}]";
    };
    if (is_held) changes.push_back(nail("tip"));
    RunAll(ReadExperiment(folder / "fall.toml", changes, TestBackends()), folder / "kept");
    changes[0] = "scene.body[0].marks={tip = 1, heel = 0}";
    changes.push_back("reference=kept/fall/exact");
    const Experiment experiment = ReadExperiment(folder / "fall.toml", changes, TestBackends());
    const ComparisonTable table =
        CompareBundles(RunAll(experiment, folder / "runs"), experiment.reference);
    EXPECT_EQ(table.problems.size(), is_held ? 1u : 0u);
    if (is_held && !table.problems.empty()) {
      EXPECT_THAT(table.problems[0], HasSubstr(".marks.tip is 0 there, 1 here;"));
    }
  }
}

TEST(OutsideReference, ADamagedBundleIsAProblem) {
  const ScratchFolder folder;
  RunAll(FallingExperiment(folder, Falling("exact")), folder / "kept");
  const Experiment experiment =
      FallingExperiment(folder, Falling("off"), "reference = 'kept/fall/exact'");
  const std::vector<Bundle> bundles = RunAll(experiment, folder / "runs");
  std::filesystem::remove(folder / "kept" / "fall" / "exact" / "points.h5");
  const ComparisonTable table = CompareBundles(bundles, experiment.reference);
  ASSERT_EQ(table.problems.size(), 1u);
  EXPECT_THAT(table.problems[0], HasSubstr("points.h5"));
}

TEST(OutsideReference, APathOfNothingIsOneLineWithPlaceAndMend) {
  const ScratchFolder folder;
  for (const char* path : {"kept/nothing", "measured.csv"}) {
    EXPECT_THAT(
        [&] { FallingExperiment(folder, Falling("a"), "reference = '" + std::string(path) + "'"); },
        ThrowsMessage<FileError>(
            AllOf(HasSubstr("fall.toml:1:"),
                  HasSubstr("the reference '" + std::string(path) +
                            "' is neither a run bundle nor a "
                            "table; name the folder of a run, which has a manifest.json"))));
  }
}

// The sheet falls under gravity: the height of its centre is 1 + 2 t − 5 t², the rope's 0 − 5 t² …
constexpr char kProbe[] =
    "[[probe]]\nname = 'height'\nmeasure = 'position'\ncomponent = 'y'\n"
    "of = {body = 'net', points = [4]}\n";

TEST(OutsideReference, ATableOfMeasuredValuesIsMeasuredAgainstAtItsOwnTimes) {
  const ScratchFolder folder;
  // The motion of the test backend less 0.01 and 0.03 at times between its records, and one value missing.
  const auto exact = [](double t) { return 1.0 + 2.0 * t - 5.0 * t * t; };
  const auto chord = [&](double a, double b) { return 0.5 * (exact(a) + exact(b)); };
  const std::string content = "height_m,time_s\n" + std::to_string(chord(0.0, 0.04) - 0.01) +
                              ",0.02\n,0.1\n" + std::to_string(exact(0.16) - 0.03) +
                              ",0.16\n9,0.3\n";
  WriteFile(folder / "measured.csv", content);
  const Experiment experiment =
      FallingExperiment(folder, Falling("a") + kProbe, "reference = 'measured.csv'");
  const std::vector<Bundle> bundles = RunAll(experiment, folder / "runs");
  const ComparisonTable table = CompareBundles(bundles, ReferenceAmong(bundles));
  EXPECT_THAT(table.problems, IsEmpty());
  EXPECT_THAT(ValueOf(table, "error_of_height_max_m"), Optional(DoubleNear(0.03, 2e-6)));
  EXPECT_THAT(ValueOf(table, "error_of_height_early_m"), Optional(DoubleNear(0.01, 2e-6)));
  EXPECT_THAT(ValueOf(table, "error_of_height_final_m"), Optional(DoubleNear(0.03, 2e-6)));
  EXPECT_THAT(ValueOf(table, "error_of_height_over_time_m"),
              Optional(DoubleNear(std::sqrt(0.5 * (0.01 * 0.01 + 0.03 * 0.03)), 2e-6)));
  ASSERT_EQ(table.provenance.size(), 1u);
  EXPECT_THAT(table.provenance[0], HasSubstr("measured.csv: 4 lines of measured values, SHA-256 "));
}

TEST(OutsideReference, ATableOfAColumnThatNoRunHasIsAProblem) {
  const ScratchFolder folder;
  WriteFile(folder / "measured.csv", "time_s,hight_m\n0,1\n");
  const Experiment experiment =
      FallingExperiment(folder, Falling("a") + kProbe, "reference = 'measured.csv'");
  const ComparisonTable table =
      CompareBundles(RunAll(experiment, folder / "runs"), experiment.reference);
  ASSERT_EQ(table.problems.size(), 1u);
  EXPECT_THAT(table.problems[0], HasSubstr("the runs record no column 'hight_m'"));
  EXPECT_THAT(table.problems[0], HasSubstr("height_m"));
}

TEST(MeasuredTable, RefusesWhatIsNoTableOfCurves) {
  const ScratchFolder folder;
  const auto read = [&](const std::string& text) {
    WriteFile(folder / "t.csv", text);
    return ReadMeasuredTable(folder / "t.csv");
  };
  EXPECT_EQ(read("time_s,a\n0,1\n0.5,\n").times.size(), 2u);
  const auto refused = [&](const std::string& text, const std::string& why) {
    EXPECT_THAT([&] { read(text); }, ThrowsMessage<FileError>(HasSubstr("t.csv:" + why))) << text;
  };
  refused("t,a\n0,1\n", "1: a table of measured values has no column time_s; name its times so");
  refused("time_s\n0\n", "1: a table of measured values has times only");
  refused("time_s,a\n", "1: a table of measured values has no lines");
  refused("time_s,a,a\n0,1,2\n", "1: the column a appears twice");
  refused("time_s,a\n0,1\n0,2\n", "3: times have to ascend");
  refused("time_s,a\n-1,1\n", "2: times have to ascend");
  refused("time_s,a\n,1\n", "2: times have to ascend");
  refused("time_s,a\n0,x\n", "2: 'x' in column a is not a number");
  refused("time_s,a\n0,inf\n", "2:");
  refused("time_s,a\n0\n", "2: 1 cells, but the header has 2");
}

}  // namespace
}  // namespace pliant
