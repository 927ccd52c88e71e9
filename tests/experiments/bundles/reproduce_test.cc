#include "experiments/bundles/reproduce.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "experiments/bundles/csv.h"
#include "experiments/bundles/points_file.h"
#include "experiments/bundles/sha256.h"
#include "tests/experiments/bundles.h"

namespace pliant {
namespace {

using ::testing::DoubleNear;
using ::testing::HasSubstr;
using ::testing::Optional;
using Verdict = Reproduction::Verdict;

// Opens the bundle as a program whose falling backend drifts by `drift` [m/s] more.
class OtherProgram {
 public:
  explicit OtherProgram(double drift) : falling_({}, drift) {}
  Reproduction Reproduce(const std::filesystem::path& path) {
    return *pliant::Reproduce(Bundle::Open(path, {&falling_}));
  }

 private:
  FallingBackend falling_;
};

// Puts `content` into a file of a bundle as if the run had written it.
void Replace(const std::filesystem::path& bundle, const std::string& name,
             const std::string& content) {
  const std::string before = Sha256OfFile(bundle / name);
  WriteFile(bundle / name, content);
  std::string manifest = ReadFile(bundle / "manifest.json");
  manifest.replace(manifest.find(before), before.size(), Sha256OfFile(bundle / name));
  WriteFile(bundle / "manifest.json", manifest);
}

// Changes the cell of a series as if the run had written it.
void ReplaceCell(const std::filesystem::path& bundle, const std::string& column, size_t row,
                 std::optional<double> value) {
  CsvTable table = ReadCsv(bundle / "series.csv");
  for (size_t c = 0; c < table.names.size(); ++c) {
    if (table.names[c] == column) table.rows.at(row)[c] = value;
  }
  const std::filesystem::path scratch = bundle.parent_path() / "scratch.csv";
  CsvWriter writer(scratch, table.names);
  for (const auto& each : table.rows) writer.Row(each);
  writer.Close();
  Replace(bundle, "series.csv", ReadFile(scratch));
}

TEST(Reproduce, TheSameProgramIsIdentical) {
  const ScratchFolder folder;
  const auto reproduction = Reproduce(FallingBundle(folder, "drift = 0.1"));
  ASSERT_TRUE(reproduction);
  EXPECT_EQ(reproduction->verdict, Verdict::kIdentical) << reproduction->words;
  EXPECT_THAT(reproduction->words, HasSubstr("6 frames bit for bit"));
  EXPECT_TRUE(reproduction->same_program);
}

TEST(Reproduce, EveryOutcomeIsReproduced) {
  for (const char* parameters : {"diverges_at = 7", "spoils_points_at = 7", "not_converged_at = 3",
                                 "refuses = true", "kinematic = true"}) {
    const ScratchFolder folder;
    const auto reproduction = Reproduce(FallingBundle(folder, parameters));
    EXPECT_EQ(reproduction->verdict, Verdict::kIdentical)
        << parameters << ": " << reproduction->words;
  }
}

TEST(Reproduce, ACancelledRunIsReproducedAsFarAsItWent) {
  const ScratchFolder folder;
  const Experiment experiment = FallingExperiment(folder, Falling("a"));
  StopAfter stop(7);
  const BackendRun run = RunTestBackend(experiment, 0, folder / "runs", stop.hooks());
  const auto reproduction = Reproduce(Bundle::Open(run.bundle, TestBackends()));
  EXPECT_EQ(reproduction->verdict, Verdict::kIdentical) << reproduction->words;
  EXPECT_THAT(reproduction->words, HasSubstr("3 frames"));
}

TEST(Reproduce, GivesNoVerdictWhenStopped) {
  const ScratchFolder folder;
  const Bundle bundle = FallingBundle(folder);
  StopAfter stop(7);
  EXPECT_FALSE(Reproduce(bundle, stop.hooks()));
}

TEST(Reproduce, ATinyDeviationIsWithinToleranceAndMeasured) {
  const ScratchFolder folder;
  const Bundle bundle = FallingBundle(folder);
  const Reproduction reproduction = OtherProgram(1e-10).Reproduce(bundle.path());
  EXPECT_EQ(reproduction.verdict, Verdict::kWithinTolerance) << reproduction.words;
  // All points, and with them the centre of mass, end up 2e-11 m away. The centre goes less far
  // than the points do, so its scale, the largest magnitude of all columns in m, is the smaller
  // one.
  double scale = 0.0;
  for (const SeriesRow& row : bundle.rows()) {
    for (size_t c = 0; c < row.size(); ++c) {
      if (row[c] && bundle.columns()[c].unit == "m") scale = std::max(scale, std::abs(*row[c]));
    }
  }
  EXPECT_EQ(reproduction.quantity, "centre_x_m");
  EXPECT_THAT(reproduction.deviation, Optional(DoubleNear(2e-11 / scale, 1e-15)));
  EXPECT_THAT(reproduction.time, Optional(0.2));
  EXPECT_THAT(reproduction.words, HasSubstr("within tolerance (1e-09"));
}

TEST(Reproduce, ADeviationBeyondToleranceIsNamedWhereItFirstIs) {
  const ScratchFolder folder;
  const auto path = FallingBundle(folder).path();
  const Reproduction reproduction = OtherProgram(1e-3).Reproduce(path);
  EXPECT_EQ(reproduction.verdict, Verdict::kDifferent);
  EXPECT_EQ(reproduction.quantity, "angular_momentum_z_kg_m2_s");  // the first column that sees x
  EXPECT_THAT(reproduction.time, Optional(4 * 0.01));  // the first frame after the start
  EXPECT_THAT(reproduction.words, HasSubstr("different: angular_momentum_z_kg_m2_s at 0.04 s: "));
  ASSERT_TRUE(reproduction.deviation);
  EXPECT_GT(*reproduction.deviation, kReproductionTolerance);
}

TEST(Reproduce, TheLineIsAtTheTolerance) {
  const ScratchFolder folder;
  const auto path = FallingBundle(folder).path();
  const double small = 1e-10;  // m/s; what it does to every number is proportional to it
  const double at_the_line =
      small * kReproductionTolerance / *OtherProgram(small).Reproduce(path).deviation;
  EXPECT_EQ(OtherProgram(0.99 * at_the_line).Reproduce(path).verdict, Verdict::kWithinTolerance);
  EXPECT_EQ(OtherProgram(1.01 * at_the_line).Reproduce(path).verdict, Verdict::kDifferent);
}

TEST(Reproduce, AnotherOutcomeIsDifferent) {
  const ScratchFolder folder;
  const auto path = FallingBundle(folder, "not_converged_at = 3").path();
  std::string toml = ReadFile(path / "experiment.toml");
  toml.replace(toml.find("not_converged_at = 3"), 20, "not_converged_at = 0");
  Replace(path, "experiment.toml", toml);
  const auto reproduction = Reproduce(Bundle::Open(path, TestBackends()));
  EXPECT_EQ(reproduction->verdict, Verdict::kDifferent);
  EXPECT_EQ(reproduction->quantity, "outcome");
  EXPECT_THAT(reproduction->words, HasSubstr("did not converge at step 20"));
  EXPECT_THAT(reproduction->words, HasSubstr("completed at step 20 now"));
}

TEST(Reproduce, ANumberThatIsMissingOnOneSideIsDifferent) {
  const ScratchFolder folder;
  const auto path = FallingBundle(folder).path();
  const std::string series = ReadFile(path / "series.csv");
  ReplaceCell(path, "kinetic_energy_J", 3, std::nullopt);
  auto reproduction = Reproduce(Bundle::Open(path, TestBackends()));
  EXPECT_EQ(reproduction->verdict, Verdict::kDifferent);
  EXPECT_THAT(reproduction->words,
              HasSubstr("kinetic_energy_J at 0.12 s: defined now, not before"));

  Replace(path, "series.csv", series);
  ReplaceCell(path, "condition_number", 2, 1.0);
  reproduction = Reproduce(Bundle::Open(path, TestBackends()));
  EXPECT_EQ(reproduction->verdict, Verdict::kDifferent);
  EXPECT_THAT(reproduction->words,
              HasSubstr("condition_number at 0.08 s: defined before, not now"));
}

TEST(Reproduce, ANanOnOneSideIsDifferent) {
  const ScratchFolder folder;
  const auto path = FallingBundle(folder).path();
  ReplaceCell(path, "kinetic_energy_J", 3, std::nan(""));
  const auto reproduction = Reproduce(Bundle::Open(path, TestBackends()));
  EXPECT_EQ(reproduction->verdict, Verdict::kDifferent);
  EXPECT_EQ(reproduction->quantity, "kinetic_energy_J");
}

// They do, from run to run; but the figures are those of the times that the series holds.
TEST(Reproduce, TimesOfStepsMayDifferFromRunToRunAndNotWithinABundle) {
  const ScratchFolder folder;
  const auto path = FallingBundle(folder).path();
  EXPECT_EQ(Reproduce(Bundle::Open(path, TestBackends()))->verdict, Verdict::kIdentical);
  ReplaceCell(path, "step_time_s", 3, 1e6);
  const auto reproduction = Reproduce(Bundle::Open(path, TestBackends()));
  EXPECT_EQ(reproduction->verdict, Verdict::kDifferent);
  EXPECT_EQ(reproduction->quantity, "step_wall_time_max_s");
}

// Replaces the first `from` of a file by `to` and seals the bundle again; returns the first thing that is found.
std::string FoundAfter(const std::filesystem::path& bundle, const std::string& name,
                       const std::string& from, const std::string& to) {
  const std::string before = ReadFile(bundle / name);
  std::string text = before;
  if (text.find(from) == std::string::npos) return "no '" + from + "' in " + name;
  text.replace(text.find(from), from.size(), to);
  name == "manifest.json" ? WriteFile(bundle / name, text) : Replace(bundle, name, text);
  const auto reproduction = Reproduce(Bundle::Open(bundle, TestBackends()));
  name == "manifest.json" ? WriteFile(bundle / name, before) : Replace(bundle, name, before);
  return reproduction->verdict == Verdict::kDifferent ? reproduction->quantity
                                                      : reproduction->words;
}

TEST(Reproduce, ASealedForgeryOfWhatIsSaidIsDifferent) {
  const ScratchFolder folder;
  const auto path = FallingBundle(folder, "not_converged_at = 3").path();
  const nlohmann::ordered_json summary =
      nlohmann::ordered_json::parse(ReadFile(path / "summary.json"));
  for (const auto& [name, value] : summary.at("figures").items()) {
    const std::string figure = "\"" + name + "\": ";
    EXPECT_EQ(FoundAfter(path, "summary.json", figure + value.dump(), figure + "17.25"), name);
  }
  const std::string time = "\"time_s\": " + summary.at("outcome").at("time_s").dump();
  EXPECT_EQ(FoundAfter(path, "summary.json", time, "\"time_s\": 0.1"), "time of the outcome");
  EXPECT_EQ(FoundAfter(path, "summary.json", "\"events\": []",
                       "\"events\": [{\"time_s\": 0.1, \"what\": \"left touched right\"}]"),
            "events");
  EXPECT_EQ(
      FoundAfter(path, "summary.json", "\"unmet_constraints\": 0", "\"unmet_constraints\": 1"),
      "open constraints");
  EXPECT_EQ(FoundAfter(path, "translation.json", "\"findings\": []",
                       "\"findings\": [{\"title\": \"a\", \"columns\": [\"b\"], "
                       "\"rows\": [], \"remark\": \"\"}]"),
            "findings");
  for (const std::string fact :
       {"backend", "label", "outcome", "commit", "compiler", "flags", "version"}) {
    EXPECT_EQ(FoundAfter(path, "manifest.json", "\"" + fact + "\": \"", "\"" + fact + "\": \"x"),
              fact + " in the manifest");
  }
  EXPECT_EQ(FoundAfter(path, "manifest.json", "\"seed\": 7", "\"seed\": 8"),
            "seed in the manifest");
  EXPECT_EQ(Reproduce(Bundle::Open(path, TestBackends()))->verdict, Verdict::kIdentical);
}

TEST(Reproduce, TheTimesOfThePointsAreCompared) {
  const ScratchFolder folder;
  const auto path = FallingBundle(folder).path();
  for (const double wrong : {0.081, std::nan("")}) {
    const std::string before = ReadFile(path / "points.h5");
    {
      const PointsReader reader(path / "points.h5", 13);
      PointsWriter points(folder / "scratch.h5", 13);
      for (size_t f = 0; f < reader.frame_count(); ++f) {
        points.Write(f == 2 ? wrong : reader.Time(f), reader.Points(f), reader.Velocities(f),
                     reader.State(f));
      }
      points.Close();
    }
    Replace(path, "points.h5", ReadFile(folder / "scratch.h5"));
    const auto reproduction = Reproduce(Bundle::Open(path, TestBackends()));
    EXPECT_EQ(reproduction->verdict, Verdict::kDifferent);
    EXPECT_EQ(reproduction->quantity, "/time");
    Replace(path, "points.h5", before);
  }
}

// Rows and frames of a bundle as if the run had ended early without saying so.
void KeepFrames(const std::filesystem::path& path, size_t frames) {
  const std::filesystem::path scratch = path.parent_path() / "scratch";
  {
    const PointsReader reader(path / "points.h5", 13);
    PointsWriter points(scratch, 13);
    CsvTable table = ReadCsv(path / "series.csv");
    CsvWriter series(path.parent_path() / "scratch.csv", table.names);
    for (size_t f = 0; f < frames; ++f) {
      points.Write(reader.Time(f), reader.Points(f), reader.Velocities(f), reader.State(f));
      series.Row(table.rows[f]);
    }
    points.Close();
    series.Close();
  }
  Replace(path, "points.h5", ReadFile(scratch));
  Replace(path, "series.csv", ReadFile(path.parent_path() / "scratch.csv"));
}

TEST(Reproduce, MissingFramesAreDifferent) {
  const ScratchFolder folder;
  const auto path = FallingBundle(folder).path();
  KeepFrames(path, 5);
  auto reproduction = Reproduce(Bundle::Open(path, TestBackends()));
  EXPECT_EQ(reproduction->verdict, Verdict::kDifferent);
  EXPECT_EQ(reproduction->quantity, "number of frames");
  EXPECT_THAT(reproduction->time, Optional(0.2));
  KeepFrames(path, 0);
  reproduction = Reproduce(Bundle::Open(path, TestBackends()));
  EXPECT_EQ(reproduction->verdict, Verdict::kDifferent);
  EXPECT_EQ(reproduction->quantity, "number of frames");
}

TEST(Reproduce, FramesThatDoNotComeAgainAreDifferent) {
  const ScratchFolder folder;
  const auto path = FallingBundle(folder).path();
  std::string toml = ReadFile(path / "experiment.toml");
  toml.replace(toml.find("duration = 0.2"), 14, "duration = 0.08");
  Replace(path, "experiment.toml", toml);
  const auto reproduction = Reproduce(Bundle::Open(path, TestBackends()));
  EXPECT_EQ(reproduction->verdict, Verdict::kDifferent);
  EXPECT_EQ(reproduction->quantity, "number of frames") << reproduction->words;
  EXPECT_THAT(reproduction->time, Optional(12 * 0.01));  // the first that does not come
}

TEST(Reproduce, AnotherNumberOfStepsThatDidNotConvergeIsDifferent) {
  const ScratchFolder folder;
  const auto path = FallingBundle(folder, "not_converged_at = 3").path();
  std::string summary = ReadFile(path / "summary.json");
  const std::string count = "\"not_converged_steps\": 1";
  summary.replace(summary.find(count), count.size(), "\"not_converged_steps\": 2");
  Replace(path, "summary.json", summary);
  const auto reproduction = Reproduce(Bundle::Open(path, TestBackends()));
  EXPECT_EQ(reproduction->verdict, Verdict::kDifferent);
  EXPECT_EQ(reproduction->quantity, "outcome");
}

TEST(Reproduce, PlacesAreComparedThemselvesAndNotOnlyTheSeries) {
  const ScratchFolder folder;
  const auto path = FallingBundle(folder).path();
  const std::filesystem::path scratch = folder / "scratch.h5";
  for (const char* dataset : {"/points", "/velocities", "/state"}) {
    const std::string before = ReadFile(path / "points.h5");
    {
      const PointsReader reader(path / "points.h5", 13);
      PointsWriter points(scratch, 13);
      for (size_t f = 0; f < 6; ++f) {
        Eigen::Matrix3Xd x = reader.Points(f);
        std::optional<Eigen::Matrix3Xd> v = reader.Velocities(f);
        Eigen::VectorXd state = reader.State(f);
        if (f == 2 && dataset == std::string("/points")) x(1, 4) += 1e-6;
        if (f == 2 && dataset == std::string("/velocities")) (*v)(1, 4) += 1e-6;
        if (f == 2 && dataset == std::string("/state")) state[3] += 1e-6;
        points.Write(reader.Time(f), x, v, state);
      }
      points.Close();
    }
    Replace(path, "points.h5", ReadFile(scratch));
    const auto reproduction = Reproduce(Bundle::Open(path, TestBackends()));
    EXPECT_EQ(reproduction->verdict, Verdict::kDifferent) << dataset;
    EXPECT_EQ(reproduction->quantity, dataset);
    EXPECT_THAT(reproduction->time, Optional(8 * 0.01));
    Replace(path, "points.h5", before);
  }
}

TEST(Reproduce, AnotherTranslationIsDifferent) {
  const ScratchFolder folder;
  const auto path = FallingBundle(folder).path();
  std::string record = ReadFile(path / "translation.json");
  record.replace(record.find("nothing stops it"), 16, "it is too soft  ");
  Replace(path, "translation.json", record);
  const auto reproduction = Reproduce(Bundle::Open(path, TestBackends()));
  EXPECT_EQ(reproduction->verdict, Verdict::kDifferent);
  EXPECT_THAT(reproduction->words, HasSubstr("obstacle.floor was translated differently"));
}

TEST(Reproduce, OtherColumnsAreDifferent) {
  const ScratchFolder folder;
  const auto path = FallingBundle(folder).path();
  std::string series = ReadFile(path / "series.csv");
  series.replace(series.find("fall_s"), 6, "rise_s");
  Replace(path, "series.csv", series);
  const auto reproduction = Reproduce(Bundle::Open(path, TestBackends()));
  EXPECT_EQ(reproduction->verdict, Verdict::kDifferent);
  EXPECT_EQ(reproduction->quantity, "columns of series.csv");
}

}  // namespace
}  // namespace pliant
