// Run bundles: the folder a run leaves behind.
//
//   experiment.toml   everything resolved, so that it reproduces the run
//   manifest.json     version, commit, compiler, machine, seed, times, outcome, SHA-256 of each
//   file translation.json  element → fidelity and reason series.csv        one row per recorded
//   time; empty = not defined points.h5         /time [n], /points [n×N×3], /velocities, /state
//   [n×dof]; units as attributes summary.json      outcome and headline figures
//
// A bundle is written beside its name (".<label>.partial-<pid>") and renamed when complete: a
// reader sees the complete old bundle or the complete new one, never a part. Equal runs of one
// program leave equal bytes, except for times: manifest.json, the times of steps in series.csv and
// in summary.json.

#ifndef PLIANT_EXPERIMENTS_BUNDLES_BUNDLE_H_
#define PLIANT_EXPERIMENTS_BUNDLES_BUNDLE_H_

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiments/bundles/storage.h"
#include "experiments/files/experiment.h"
#include "experiments/runs/run.h"
#include "experiments/runs/series.h"
#include "solvers/backends.h"

namespace pliant {

// Folder of the figures of a report, beside it and so beside the bundles: no bundle has this name.
inline constexpr char kFiguresFolder[] = "figures";

class BundleWriter {
 public:
  // Writes `directory`/<label>; a refused translation makes a bundle without frames. Throws
  // StorageError when it cannot be written, as does all below, and BadInput when the label is no
  // name for a folder.
  BundleWriter(const std::filesystem::path& directory, const Experiment& experiment, size_t index,
               const Translation& translation);
  ~BundleWriter();  // removes what is not finished

  void Write(const Frame& frame);

  // Completes the bundle and replaces an old one; returns its path.
  std::filesystem::path Finish(const RunOutcome& outcome);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// A bundle read back. Small data are in memory; points are read on demand.
class Bundle {
 public:
  // Throws FileError when a file is missing, altered (SHA-256) or not of its form, saying which,
  // and StorageError when the system cannot read it. Reads and hashes every file.
  static Bundle Open(const std::filesystem::path& path,
                     const std::vector<const Backend*>& backends = Backends());

  Bundle(Bundle&&) noexcept;
  Bundle& operator=(Bundle&&) noexcept;
  ~Bundle();

  const std::filesystem::path& path() const;
  const Experiment& experiment() const;  // of the one backend, from experiment.toml
  const std::string& label() const;      // of the backend
  const Backend& backend() const;
  const RunOutcome& outcome() const;
  const std::vector<TranslatedElement>& translation() const;
  const std::vector<std::string>& warnings() const;
  const std::vector<FindingTable>& findings() const;
  const std::map<std::string, std::string>& manifest() const;           // "commit" → "…"
  const std::map<std::string, std::optional<double>>& summary() const;  // see headline.h

  const std::vector<SeriesColumn>& columns() const;
  const std::vector<SeriesRow>& rows() const;
  // Values of one column over all rows; throws BadInput with a did-you-mean when there is none.
  std::vector<std::optional<double>> Column(const std::string& name) const;

  size_t frame_count() const;
  double Time(size_t frame) const;              // s
  Eigen::Matrix3Xd Points(size_t frame) const;  // 3×n [m]
  std::optional<Eigen::Matrix3Xd> Velocities(size_t frame) const;
  Eigen::VectorXd State(size_t frame) const;

 private:
  Bundle();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Whether its run was of a variant of the experiment's scene, which its experiment.toml has in place of that.
inline bool IsOfVariant(const Bundle& bundle) {
  return !bundle.experiment().backends.front().variant.empty();
}

// Bundles found at or below `path`, sorted by name; hidden folders are skipped.
std::vector<std::filesystem::path> FindBundles(const std::filesystem::path& path);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_BUNDLES_BUNDLE_H_
