#include "experiments/bundles/bundle.h"

#include <algorithm>

#include "experiments/bundles/csv.h"
#include "experiments/bundles/documents.h"
#include "experiments/bundles/manifest.h"
#include "experiments/bundles/points_file.h"
#include "experiments/files/readable_file.h"
#include "experiments/runs/recorded_columns.h"

namespace pliant {
namespace {

// Files that a bundle must contain besides its manifest.
const std::vector<std::string> kFiles = {"experiment.toml", kTranslationFile, "series.csv",
                                         "points.h5", kSummaryFile};

// Columns by the names in a file; unit and meaning as this version knows them.
std::vector<SeriesColumn> DescribeColumns(const std::vector<std::string>& names,
                                          const Experiment& experiment) {
  const std::vector<SeriesColumn> known = ColumnsOf(experiment, 0);
  std::vector<SeriesColumn> columns;
  for (const std::string& name : names) {
    const auto found = std::find_if(known.begin(), known.end(), [&](const SeriesColumn& column) {
      return column.name == name;
    });
    columns.push_back(
        found != known.end() ? *found : RecordedColumn(name).value_or(SeriesColumn{name, "1", ""}));
  }
  return columns;
}

}  // namespace

struct Bundle::Impl {
  std::filesystem::path path;
  Manifest manifest;
  Experiment experiment;
  TranslationDocument translation;
  SummaryDocument summary;
  std::vector<SeriesColumn> columns;
  CsvTable series;
  PointsReader points;

  Impl(const std::filesystem::path& folder, Manifest verified,
       const std::vector<const Backend*>& backends)
      : path(folder),
        manifest(std::move(verified)),
        experiment(ReadExperiment(folder / "experiment.toml", {}, backends)),
        translation(ReadTranslation(folder / kTranslationFile)),
        summary(ReadSummary(folder / kSummaryFile)),
        series(ReadCsv(folder / "series.csv")),
        points(folder / "points.h5", experiment.scene->PointCount()) {
    if (experiment.backends.size() != 1) {
      throw FileError((folder / "experiment.toml").string() + ": must have one backend, but has " +
                      std::to_string(experiment.backends.size()));
    }
    if (series.rows.size() != points.frame_count()) {
      throw FileError((folder / "points.h5").string() + ": has " +
                      std::to_string(points.frame_count()) + " frames, but series.csv has " +
                      std::to_string(series.rows.size()) + " rows");
    }
    columns = DescribeColumns(series.names, experiment);
  }
};

Bundle::Bundle() = default;
Bundle::Bundle(Bundle&&) noexcept = default;
Bundle& Bundle::operator=(Bundle&&) noexcept = default;
Bundle::~Bundle() = default;

Bundle Bundle::Open(const std::filesystem::path& path,
                    const std::vector<const Backend*>& backends) {
  const std::filesystem::path manifest_path = path / kManifestFile;
  if (!std::filesystem::exists(manifest_path)) {
    throw FileError(path.string() + ": is not a run bundle: it has no " + kManifestFile +
                    "; give the folder that run or compare printed");
  }
  if (const auto problem = WhyUnreadable(manifest_path, kMostRecordBytes)) {
    throw FileError(problem->what);
  }
  std::string text = ReadFile(manifest_path);
  while (true) {
    try {
      Manifest manifest = ParseManifest(text, manifest_path);
      VerifyFiles(manifest, path, kFiles);
      Bundle bundle;
      bundle.impl_ = std::make_unique<Impl>(path, std::move(manifest), backends);
      return bundle;
    } catch (const std::runtime_error&) {
      // A run may have put a new bundle in place while this one was being read.
      std::string now = ReadFile(manifest_path);
      if (now == text) throw;
      text = std::move(now);
    }
  }
}

const std::filesystem::path& Bundle::path() const { return impl_->path; }
const Experiment& Bundle::experiment() const { return impl_->experiment; }
const std::string& Bundle::label() const { return impl_->experiment.backends[0].label; }
const Backend& Bundle::backend() const { return *impl_->experiment.backends[0].backend; }
const RunOutcome& Bundle::outcome() const { return impl_->summary.outcome; }
const std::vector<TranslatedElement>& Bundle::translation() const {
  return impl_->translation.elements;
}
const std::vector<std::string>& Bundle::warnings() const { return impl_->translation.warnings; }

const std::vector<FindingTable>& Bundle::findings() const { return impl_->translation.findings; }
const std::map<std::string, std::string>& Bundle::manifest() const { return impl_->manifest.facts; }
const std::map<std::string, std::optional<double>>& Bundle::summary() const {
  return impl_->summary.figures;
}
const std::vector<SeriesColumn>& Bundle::columns() const { return impl_->columns; }
const std::vector<SeriesRow>& Bundle::rows() const { return impl_->series.rows; }

std::vector<std::optional<double>> Bundle::Column(const std::string& name) const {
  const auto found = std::find(impl_->series.names.begin(), impl_->series.names.end(), name);
  if (found == impl_->series.names.end()) {
    throw BadInput({name, "no column '" + name + "' in " + (path() / "series.csv").string(),
                    DidYouMean(name, impl_->series.names)});
  }
  const size_t column = static_cast<size_t>(found - impl_->series.names.begin());
  std::vector<std::optional<double>> values;
  for (const SeriesRow& row : rows()) values.push_back(row[column]);
  return values;
}

size_t Bundle::frame_count() const { return impl_->points.frame_count(); }
double Bundle::Time(size_t frame) const { return impl_->points.Time(frame); }
Eigen::Matrix3Xd Bundle::Points(size_t frame) const { return impl_->points.Points(frame); }
std::optional<Eigen::Matrix3Xd> Bundle::Velocities(size_t frame) const {
  return impl_->points.Velocities(frame);
}
Eigen::VectorXd Bundle::State(size_t frame) const { return impl_->points.State(frame); }

std::vector<std::filesystem::path> FindBundles(const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (fs::exists(path / kManifestFile, error)) return {path};
  std::vector<fs::path> bundles;
  for (const fs::directory_entry& entry : fs::directory_iterator(path, error)) {
    const bool hidden = entry.path().filename().string().starts_with('.');
    if (hidden || entry.is_symlink(error) || !entry.is_directory(error)) continue;
    const std::vector<fs::path> found = FindBundles(entry.path());
    bundles.insert(bundles.end(), found.begin(), found.end());
  }
  std::sort(bundles.begin(), bundles.end());
  return bundles;
}

}  // namespace pliant
