#include "experiments/bundles/bundle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "experiments/bundles/csv.h"
#include "experiments/bundles/sha256.h"
#include "models/scene/number_text.h"
#include "tests/experiments/bundles.h"

namespace pliant {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Optional;
using ::testing::ThrowsMessage;

// The file without its columns of times of steps.
std::string SeriesWithoutStepTime(const std::filesystem::path& path) {
  CsvTable table = ReadCsv(path);
  std::string text;
  for (const auto& row : table.rows) {
    for (size_t c = 0; c < row.size(); ++c) {
      text += (row[c] && !IsTiming(table.names[c]) ? RoundTrip(*row[c]) : "") + ",";
    }
    text += "\n";
  }
  return text;
}

TEST(Bundle, HoldsTheFilesOfTheContractAndNothingElse) {
  const ScratchFolder folder;
  FallingBundle(folder);
  EXPECT_THAT(NamesIn(folder / "runs"), ElementsAre("a"));
  EXPECT_THAT(NamesIn(folder / "runs" / "a"),
              ElementsAre("experiment.toml", "manifest.json", "points.h5", "series.csv",
                          "summary.json", "translation.json"));
}

TEST(Bundle, ReadsBackWhatWasRun) {
  const ScratchFolder folder;
  const Experiment experiment = FallingExperiment(folder, Falling("a", "drift = 0.5"));
  std::vector<SeriesRow> rows;
  std::vector<Eigen::Matrix3Xd> points, velocities;
  std::vector<Eigen::VectorXd> states;
  RunHooks hooks;
  hooks.on_frame = [&](const Frame& frame) {
    rows.push_back(frame.row);
    points.push_back(frame.observation.points);
    velocities.push_back(*frame.observation.velocities);
    states.push_back(frame.state);
  };
  const BackendRun run = RunTestBackend(experiment, 0, folder / "runs", hooks);
  EXPECT_EQ(run.bundle, folder / "runs" / "a");

  const Bundle bundle = Bundle::Open(run.bundle, TestBackends());
  EXPECT_EQ(bundle.path(), run.bundle);
  EXPECT_EQ(bundle.label(), "a");
  EXPECT_EQ(&bundle.backend(), TestBackends()[0]);
  EXPECT_EQ(bundle.experiment().name, "fall");
  EXPECT_EQ(bundle.experiment().plan.seed, 7u);
  EXPECT_EQ(bundle.experiment().scene->PointCount(), 13);
  EXPECT_EQ(bundle.rows(), rows);
  EXPECT_EQ(ColumnNames(bundle.columns()),
            ColumnNames(SeriesColumns(experiment.backends[0].backend->info())));
  EXPECT_EQ(bundle.columns()[1].unit, "J");
  ASSERT_EQ(bundle.frame_count(), 6u);
  for (size_t f = 0; f < 6; ++f) {
    EXPECT_EQ(bundle.Time(f), *rows[f][0]);
    EXPECT_EQ(bundle.Points(f), points[f]);
    EXPECT_EQ(*bundle.Velocities(f), velocities[f]);
    EXPECT_EQ(bundle.State(f), states[f]);
  }
  EXPECT_EQ(bundle.Time(5), 0.2);
  EXPECT_THAT(bundle.Column("time_s").back(), Optional(0.2));
  EXPECT_THAT([&] { bundle.Column("tyme_s"); },
              ThrowsMessage<BadInput>(HasSubstr("did you mean 'time_s'?")));
}

TEST(Bundle, ManifestSaysUnderWhichCircumstances) {
  const ScratchFolder folder;
  const Experiment experiment =
      FallingExperiment(folder, Falling("a") + Falling("b"), "reference = 'b'");
  const BackendRun run = RunTestBackend(experiment, 1, folder / "runs");
  const Bundle bundle = Bundle::Open(run.bundle, TestBackends());
  const auto& manifest = bundle.manifest();
  EXPECT_EQ(manifest.at("experiment"), "fall");
  EXPECT_EQ(manifest.at("label"), "b");
  EXPECT_EQ(manifest.at("place"), "1") << "of the second backend";
  EXPECT_EQ(manifest.at("backend"), "falling");
  EXPECT_EQ(manifest.at("reference"), "b");
  EXPECT_EQ(manifest.at("outcome"), "completed");
  EXPECT_EQ(manifest.at("seed"), "7");
  EXPECT_THAT(manifest.at("commit"), MatchesRegex("[0-9a-f]{40}|unknown"));
  EXPECT_THAT(manifest.at("dirty"), MatchesRegex("true|false|unknown"));
  EXPECT_THAT(manifest.at("version"), MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"));
  EXPECT_THAT(manifest.at("compiler"), MatchesRegex("[A-Za-z]+ [0-9.]+"));
  EXPECT_THAT(manifest.at("flags"), HasSubstr("-ffp-contract=off"));
  EXPECT_THAT(manifest.at("started"), MatchesRegex("20..-..-..T..:..:..Z"));
  EXPECT_GE(manifest.at("finished"), manifest.at("started"));
  EXPECT_GT(ParseNumber(manifest.at("wall_seconds")), 0.0);
  EXPECT_GE(ParseNumber(manifest.at("threads")), 1.0);
  EXPECT_NE(manifest.at("cpu"), "");
  EXPECT_EQ(manifest.at("executable_sha256"), Sha256OfFile("/proc/self/exe"));
}

TEST(Bundle, TellsWhatBecameOfTheScene) {
  const ScratchFolder folder;
  const Bundle bundle = FallingBundle(folder);
  ASSERT_EQ(bundle.translation().size(), 6u);
  EXPECT_EQ(bundle.translation()[0].element, "gravity");
  EXPECT_EQ(bundle.translation()[0].fidelity, Fidelity::kExact);
  EXPECT_EQ(bundle.translation()[4].element, "obstacle.floor");
  EXPECT_EQ(bundle.translation()[4].fidelity, Fidelity::kIgnored);
  EXPECT_EQ(bundle.translation()[4].reason, "nothing stops it");
  EXPECT_EQ(bundle.translation()[5].element, "contact");
  EXPECT_THAT(bundle.warnings(), ElementsAre("falls, come what may"));
}

TEST(Bundle, SummaryHoldsTheOutcomeAndWhatIsNotDefinedStaysSo) {
  const ScratchFolder folder;
  const Bundle bundle = FallingBundle(folder);
  EXPECT_EQ(bundle.outcome().kind, OutcomeKind::kCompleted);
  EXPECT_EQ(bundle.outcome().step, 20);
  EXPECT_EQ(bundle.outcome().time, 0.2);
  EXPECT_GT(bundle.outcome().wall_seconds, 0.0);
  // Free fall conserves energy to rounding.
  ASSERT_TRUE(bundle.summary().at("residual_energy_max_J"));
  EXPECT_LT(*bundle.summary().at("residual_energy_max_J"), 1e-13);
  EXPECT_FALSE(bundle.summary().at("constraint_error_max_m"));
  EXPECT_FALSE(bundle.summary().at("condition_number_max"));
}

TEST(Bundle, OfAKinematicRunHasNoVelocities) {
  const ScratchFolder folder;
  const Bundle bundle = FallingBundle(folder, "kinematic = true");
  EXPECT_EQ(bundle.frame_count(), 6u);
  EXPECT_FALSE(bundle.Velocities(0));
  EXPECT_FALSE(bundle.Column("kinetic_energy_J")[1]);
}

TEST(Bundle, OfARefusedSceneTellsWhyAndHasNoFrames) {
  const ScratchFolder folder;
  const Bundle bundle = FallingBundle(folder, "refuses = true");
  EXPECT_EQ(bundle.outcome().kind, OutcomeKind::kUnsupported);
  EXPECT_THAT(bundle.outcome().reason, HasSubstr("body.net: too heavy"));
  EXPECT_EQ(bundle.translation()[1].fidelity, Fidelity::kUnsupported);
  EXPECT_EQ(bundle.frame_count(), 0u);
  EXPECT_TRUE(bundle.rows().empty());
  EXPECT_FALSE(bundle.columns().empty());
}

TEST(Bundle, OfADivergedRunEndsAtTheLastGoodState) {
  const ScratchFolder folder;
  const Bundle bundle = FallingBundle(folder, "diverges_at = 11");
  EXPECT_EQ(bundle.outcome().kind, OutcomeKind::kDiverged);
  EXPECT_EQ(bundle.outcome().step, 11);
  EXPECT_EQ(bundle.outcome().quantity, "height");
  EXPECT_EQ(bundle.frame_count(), 4u);
  EXPECT_EQ(bundle.Time(3), 10 * 0.01);
}

TEST(Bundle, OfARunThatDidNotConvergeCountsTheSteps) {
  const ScratchFolder folder;
  const Bundle bundle = FallingBundle(folder, "not_converged_at = 2");
  EXPECT_EQ(bundle.outcome().kind, OutcomeKind::kNotConverged);
  EXPECT_EQ(bundle.outcome().not_converged_steps, 1);
  EXPECT_EQ(bundle.outcome().reason, "the fall did not converge, first at step 2");
}

TEST(Bundle, KeepsWhatTheEndLeavesOpen) {
  const ScratchFolder folder;
  const Bundle bundle = FallingBundle(folder, "leaves_open = 22");
  EXPECT_EQ(bundle.outcome().unmet_count, 22);
  ASSERT_EQ(bundle.outcome().unmet.size(), 20u);
  EXPECT_EQ(bundle.outcome().unmet[1], (UnmetConstraint{"joint 21", 0.021, "m"}));
}

TEST(Bundle, OfACancelledRunIsWholeAndMarked) {
  const ScratchFolder folder;
  const Experiment experiment = FallingExperiment(folder, Falling("a"));
  StopAfter stop(6);
  const BackendRun run = RunTestBackend(experiment, 0, folder / "runs", stop.hooks());
  const Bundle bundle = Bundle::Open(run.bundle, TestBackends());
  EXPECT_EQ(bundle.outcome().kind, OutcomeKind::kCancelled);
  EXPECT_EQ(bundle.manifest().at("outcome"), "cancelled");
  EXPECT_EQ(bundle.frame_count(), 3u);
  EXPECT_EQ(bundle.Time(2), 6 * 0.01);
}

TEST(Bundle, EqualRunsLeaveEqualBytes) {
  const ScratchFolder folder;
  const Experiment experiment = FallingExperiment(folder, Falling("a", "drift = 0.1"));
  const auto first = RunTestBackend(experiment, 0, folder / "one").bundle;
  sleep(1);  // so that times of writing differ
  const auto second = RunTestBackend(experiment, 0, folder / "two").bundle;
  for (const char* name : {"experiment.toml", "translation.json", "points.h5"}) {
    EXPECT_EQ(ReadFile(first / name), ReadFile(second / name)) << name;
  }
  const std::string series = SeriesWithoutStepTime(first / "series.csv");
  EXPECT_EQ(series, SeriesWithoutStepTime(second / "series.csv"));
  EXPECT_NE(series, "");
}

// Every file but the manifest, each altered in one byte, then missing.
TEST(Bundle, AnAlteredOrMissingFileIsNamed) {
  const ScratchFolder folder;
  const auto path = FallingBundle(folder).path();
  for (const std::string name :
       {"experiment.toml", "translation.json", "series.csv", "points.h5", "summary.json"}) {
    const std::string content = ReadFile(path / name);
    std::string altered = content;
    altered[altered.size() / 2] ^= 1;
    WriteFile(path / name, altered);
    EXPECT_THAT([&] { Bundle::Open(path, TestBackends()); },
                ThrowsMessage<FileError>(HasSubstr((path / name).string() + ": changed")));
    std::filesystem::remove(path / name);
    EXPECT_THAT([&] { Bundle::Open(path, TestBackends()); },
                ThrowsMessage<FileError>(HasSubstr((path / name).string() + ": missing")));
    WriteFile(path / name, content);
    EXPECT_NO_THROW(Bundle::Open(path, TestBackends()));
  }
}

TEST(Bundle, ADamagedManifestIsNamed) {
  const ScratchFolder folder;
  const auto path = FallingBundle(folder).path();
  const std::string content = ReadFile(path / "manifest.json");
  WriteFile(path / "manifest.json", content.substr(0, content.size() / 2));
  EXPECT_THAT([&] { Bundle::Open(path, TestBackends()); },
              ThrowsMessage<FileError>(HasSubstr("manifest.json: damaged")));
  std::string unlisted = content;
  const size_t at = unlisted.find("\"series.csv\"");
  unlisted.replace(at, 12, "\"points.h5\" ");  // stands twice now; the series not at all
  WriteFile(path / "manifest.json", unlisted);
  EXPECT_THAT([&] { Bundle::Open(path, TestBackends()); },
              ThrowsMessage<FileError>(HasSubstr("manifest.json: does not list series.csv")));
  std::filesystem::remove(path / "manifest.json");
  EXPECT_THAT([&] { Bundle::Open(path, TestBackends()); },
              ThrowsMessage<FileError>(HasSubstr("is not a run bundle")));
}

// Files that agree with a manifest that was written for them, but not with each other.
TEST(Bundle, FilesThatDoNotBelongTogetherAreRefused) {
  const ScratchFolder folder;
  const auto path = FallingBundle(folder).path();
  const std::string before = Sha256OfFile(path / "series.csv");
  const std::string series = ReadFile(path / "series.csv");
  WriteFile(path / "series.csv", series.substr(0, series.rfind('\n', series.size() - 2) + 1));
  std::string manifest = ReadFile(path / "manifest.json");
  manifest.replace(manifest.find(before), before.size(), Sha256OfFile(path / "series.csv"));
  WriteFile(path / "manifest.json", manifest);
  EXPECT_THAT([&] { Bundle::Open(path, TestBackends()); },
              ThrowsMessage<FileError>(HasSubstr("has 6 frames, but series.csv has 5 rows")));
}

TEST(Bundle, AKilledWriterLeavesTheOldBundleAsItWas) {
  const ScratchFolder folder;
  const auto path = FallingBundle(folder, "drift = 1.0").path();
  const Experiment experiment = FallingExperiment(folder, Falling("a", "drift = 2.0"));
  const pid_t child = fork();
  if (child == 0) {
    RunHooks hooks;
    hooks.on_frame = [](const Frame& frame) {
      if (frame.observation.time > 0.1) kill(getpid(), SIGKILL);
    };
    RunTestBackend(experiment, 0, folder / "runs", hooks);
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(NamesIn(folder / "runs").size(), 2u);  // and the leftover
  EXPECT_EQ(FindBundles(folder.path()), std::vector{path});
  const Bundle old = Bundle::Open(path, TestBackends());
  EXPECT_EQ(std::get<double>(old.experiment().backends[0].parameters.at("drift")), 1.0);

  RunTestBackend(experiment, 0, folder / "runs");
  EXPECT_THAT(NamesIn(folder / "runs"), ElementsAre("a"));
  const Bundle replaced = Bundle::Open(path, TestBackends());
  EXPECT_EQ(std::get<double>(replaced.experiment().backends[0].parameters.at("drift")), 2.0);
}

TEST(Bundle, AFullDiskLeavesTheOldBundleAsItWasAndNothingElse) {
  const ScratchFolder folder;
  const auto path = FallingBundle(folder, "drift = 1.0").path();
  const Experiment experiment = FallingExperiment(folder, Falling("a", "drift = 2.0"));
  for (rlim_t bytes : {0, 100, 1000, 3000, 6000}) {
    const FullDisk full(bytes);
    EXPECT_THAT([&] { RunTestBackend(experiment, 0, folder / "runs"); },
                ThrowsMessage<StorageError>(HasSubstr("File too large")));
  }
  EXPECT_THAT(NamesIn(folder / "runs"), ElementsAre("a"));
  const Bundle old = Bundle::Open(path, TestBackends());
  EXPECT_EQ(std::get<double>(old.experiment().backends[0].parameters.at("drift")), 1.0);
}

TEST(Bundle, ALabelThatLeadsElsewhereIsRefused) {
  const ScratchFolder folder;
  Experiment experiment = FallingExperiment(folder, Falling("a"));
  for (const char* label : {"", "..", "../a", "/tmp/a", ".hidden", "a b", "a\"b", "a/b"}) {
    experiment.backends[0].label = label;
    EXPECT_THAT([&] { RunTestBackend(experiment, 0, folder / "runs"); },
                ThrowsMessage<BadInput>(HasSubstr("cannot be the name of a folder")))
        << label;
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "runs"));
}

TEST(FindBundles, FindsAllBelowSortedAndNoPartialOnes) {
  const ScratchFolder folder;
  const Experiment experiment = FallingExperiment(folder, Falling("b") + Falling("a"));
  for (size_t i : {0, 1}) RunTestBackend(experiment, i, folder / "runs" / "fall");
  CreateFolder(folder / "runs" / "fall" / ".c.partial-1");
  WriteFile(folder / "runs" / "fall" / ".c.partial-1" / "manifest.json", "{}");
  EXPECT_THAT(FindBundles(folder.path()),
              ElementsAre(folder / "runs" / "fall" / "a", folder / "runs" / "fall" / "b"));
  EXPECT_THAT(FindBundles(folder / "runs" / "fall" / "b"),
              ElementsAre(folder / "runs" / "fall" / "b"));
  EXPECT_TRUE(FindBundles(folder / "nowhere").empty());
}

// What the bundle is refused with when `name` stands in its manifest, with any digest.
std::string ComplaintOfListing(const std::filesystem::path& bundle, const std::string& name) {
  const std::string before = ReadFile(bundle / "manifest.json");
  std::string text = before;
  const std::string list = "\"sha256\": {";
  text.replace(text.find(list), list.size(), list + "\"" + name + "\": \"0\",");
  WriteFile(bundle / "manifest.json", text);
  std::string complaint;
  try {
    Bundle::Open(bundle, TestBackends());
  } catch (const FileError& error) {
    complaint = error.what();
  }
  WriteFile(bundle / "manifest.json", before);
  return complaint;
}

TEST(Bundle, ReadsOnlyRegularFilesOfItsOwnFolder) {
  const ScratchFolder folder;
  const auto path = FallingBundle(folder).path();
  ASSERT_EQ(mkfifo((path / "pipe").c_str(), 0600), 0);
  std::filesystem::create_symlink("/dev/zero", path / "zero");
  EXPECT_THAT(ComplaintOfListing(path, "pipe"), HasSubstr("a device, a pipe or a socket"));
  EXPECT_THAT(ComplaintOfListing(path, "zero"), HasSubstr("a device, a pipe or a socket"));
  EXPECT_THAT(ComplaintOfListing(path, "../a/points.h5"), HasSubstr("not the name of a file"));
  std::filesystem::rename(path / "manifest.json", path / "kept");
  std::filesystem::rename(path / "pipe", path / "manifest.json");
  EXPECT_THAT([&] { Bundle::Open(path, TestBackends()); },
              ThrowsMessage<FileError>(HasSubstr("a device, a pipe or a socket")));
}

TEST(Bundle, RefusesControlCharactersAndOtherFormats) {
  const ScratchFolder folder;
  const auto path = FallingBundle(folder).path();
  const std::string before = ReadFile(path / "manifest.json");
  std::string text = before;
  text.replace(text.find("\"label\": \"a"), 11, "\"label\": \"\\u001b[2J");
  WriteFile(path / "manifest.json", text);
  EXPECT_THAT([&] { Bundle::Open(path, TestBackends()); },
              ThrowsMessage<FileError>(HasSubstr("control character U+001B")));
  text = before;
  text.replace(text.find("\"format\": 1"), 11, "\"format\": 2");
  WriteFile(path / "manifest.json", text);
  EXPECT_THAT([&] { Bundle::Open(path, TestBackends()); },
              ThrowsMessage<FileError>(HasSubstr("is of format 2; this version reads format 1")));
}

TEST(Bundle, IsNeverCalledAsTheFolderOfAReportsFigures) {
  const ScratchFolder folder;
  EXPECT_THAT([&] { FallingBundle(folder, "", "figures"); },
              ThrowsMessage<BadInput>(HasSubstr("folder of a report's figures")));
}

}  // namespace
}  // namespace pliant
