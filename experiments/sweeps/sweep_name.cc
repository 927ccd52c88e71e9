#include "experiments/sweeps/sweep_name.h"

#include <algorithm>

#include "experiments/bundles/storage.h"
#include "experiments/comparison/kept_run.h"
#include "experiments/sweeps/sweep_table.h"

namespace pliant {
namespace {

// Whether there is a table of a sweep in `folder` that would lose a row. One that cannot be read is kept, too.
bool HasOtherTable(const Sweep& sweep, const std::filesystem::path& folder) {
  std::error_code error;
  const std::filesystem::path table = folder / kSweepFile;
  if (!std::filesystem::exists(std::filesystem::symlink_status(table, error))) return false;
  try {
    return !HasNoOtherRows(sweep, ReadFile(table));
  } catch (const StorageError&) {
    return true;
  }
}

}  // namespace

void Rename(const std::string& name, Sweep* sweep) {
  sweep->base.name = name;
  for (SweepPoint& point : sweep->points) point.experiment.name = name;
}

std::string NameForSweep(const Sweep& sweep, const std::filesystem::path& out) {
  return FirstFreeName(sweep.base.name, [&](const std::string& name) {
    if (HasOtherTable(sweep, out / name)) return false;
    return std::all_of(sweep.points.begin(), sweep.points.end(), [&](const SweepPoint& point) {
      Experiment named = point.experiment;
      named.name = name;
      return ReplacesNothing(named, out / name / point.name);
    });
  });
}

std::string NameForResumedSweep(const Sweep& sweep, const std::filesystem::path& out) {
  const std::string own = NameForSweep(sweep, out);
  const bool has_runs = std::ranges::any_of(sweep.points, [&](const SweepPoint& point) {
    std::error_code error;
    return std::filesystem::exists(out / own / point.name, error);
  });
  return has_runs ? own : sweep.base.name;
}

}  // namespace pliant
