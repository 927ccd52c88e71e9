#include <algorithm>
#include <cctype>
#include <chrono>

#include "experiments/bundles/bundle.h"
#include "experiments/bundles/csv.h"
#include "experiments/bundles/documents.h"
#include "experiments/bundles/headline.h"
#include "experiments/bundles/kept_yardstick.h"
#include "experiments/bundles/manifest.h"
#include "experiments/bundles/mode_plan_file.h"
#include "experiments/bundles/plan_files.h"
#include "experiments/bundles/points_file.h"

namespace pliant {
namespace {

using Clock = std::chrono::steady_clock;

// The path of the bundle. The label comes from a file: it must not name another folder, nor be
// hidden, nor need quotes in the output formats.
std::filesystem::path BundlePath(const std::filesystem::path& directory, const std::string& label) {
  const bool plain = std::all_of(label.begin(), label.end(), [](unsigned char c) {
    return c >= 0x80 || std::isalnum(c) || c == '-' || c == '_' || c == '.';
  });
  if (label == kFiguresFolder) {
    throw BadInput({"backends." + label,
                    "the label '" + label + "' is the name of the folder of a report's figures",
                    "choose another"});
  }
  if (label.empty() || label.front() == '.' || !plain) {
    throw BadInput({"backends." + label, "the label '" + label + "' cannot be the name of a folder",
                    "use letters, digits, '-', '_' and '.'"});
  }
  return directory / label;
}

}  // namespace

struct BundleWriter::Impl {
  std::filesystem::path target;
  StagedFolder folder;
  std::shared_ptr<const Scene> scene;
  std::vector<Probe> probes;
  RunFacts facts;
  Clock::time_point start = Clock::now();
  std::vector<SeriesColumn> columns;
  std::vector<SeriesRow> rows;
  CsvWriter series;
  PointsWriter points;

  Impl(const std::filesystem::path& path, const Experiment& experiment, size_t index,
       const Translation& translation)
      : target(path),
        folder(path, kManifestFile),
        scene(SceneOf(experiment, index)),
        probes(ProbesOf(experiment, index)),
        columns(ColumnsOf(experiment, index, translation)),
        series(folder.path() / "series.csv", ColumnNames(columns)),
        points(folder.path() / "points.h5", scene->PointCount(),
               translation.simulation ? translation.simulation->StateLayout()
                                      : std::vector<StateBlock>()) {
    const BackendChoice& choice = experiment.backends[index];
    facts.experiment = experiment.name;
    facts.label = choice.label;
    facts.place = index;
    facts.backend = choice.backend->info().name;
    facts.reference = experiment.reference;
    if (MeasuresAgainstYardstick(experiment)) facts.yardstick = YardstickAddress(experiment);
    facts.seed = experiment.plan.seed;
    facts.started = UtcNow();
  }
};

BundleWriter::BundleWriter(const std::filesystem::path& directory, const Experiment& experiment,
                           size_t index, const Translation& translation) {
  RequireDistinctFigures(experiment);
  impl_ = std::make_unique<Impl>(BundlePath(directory, experiment.backends.at(index).label),
                                 experiment, index, translation);
  const std::filesystem::path& folder = impl_->folder.path();
  WriteFile(folder / "experiment.toml", experiment.Resolved(index));
  WriteTranslation(folder / kTranslationFile,
                   {translation.record.Entries(), translation.warnings, translation.findings});
  const Simulation* simulation = translation.simulation.get();
  if (const auto* follower = simulation == nullptr ? nullptr : simulation->AsPlanFollower()) {
    if (const auto plan = follower->plan_record()) WritePlan(folder, *plan);
    if (const auto plan = follower->deformable_plan()) WriteModePlan(folder, *plan);
  }
}

BundleWriter::~BundleWriter() = default;

void BundleWriter::Write(const Frame& frame) {
  impl_->series.Row(frame.row);
  impl_->rows.push_back(frame.row);
  const Observation& seen = frame.observation;
  impl_->points.Write(seen.time, seen.points, seen.velocities, frame.state, frame.arrays);
}

std::filesystem::path BundleWriter::Finish(const RunOutcome& outcome) {
  Impl& p = *impl_;
  p.series.Close();
  p.points.Close();
  WriteSummary(p.folder.path() / kSummaryFile, outcome,
               HeadlineFigures(*p.scene, outcome, p.columns, p.rows, p.probes));
  p.facts.finished = UtcNow();
  p.facts.wall_seconds = std::chrono::duration<double>(Clock::now() - p.start).count();
  p.facts.outcome = ToString(outcome.kind);
  WriteManifest(p.folder.path(), p.facts);
  p.folder.Commit();
  return p.target;
}

}  // namespace pliant
