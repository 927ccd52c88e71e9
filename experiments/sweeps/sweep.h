// A sweep: one experiment at many points, with different values of the keys of its [sweep]
// table.

#ifndef PLIANT_EXPERIMENTS_SWEEPS_SWEEP_H_
#define PLIANT_EXPERIMENTS_SWEEPS_SWEEP_H_

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/bundles/headline.h"
#include "experiments/files/experiment.h"
#include "experiments/files/sweep_plan.h"

namespace pliant {

struct SweepPoint {
  std::string name;               // of its folder: "step=0.001_integrator=rk4"
  std::vector<FileValue> values;  // one for each varied key
  Experiment experiment;
  double cost = 1.0;  // of a run, expected, beside that of the other points: for the time left
};

struct Sweep {
  Experiment base;  // the unchanged file, nothing varied; has a plan
  std::vector<SweepPoint> points;
  std::vector<const Backend*> backends;  // what it was read with
  std::vector<std::string> notes = {};   // one line for each varied step whose values became others

  const SweepPlan& plan() const { return *base.sweep; }
};

// Reads every point of the file's [sweep], with the backends of these labels only (all when empty).
// A point may change run, scene and backends by any key that --set takes. Throws FileError for a
// mistake in the file or at any point, naming the point, and for a file without [sweep]; BadInput
// for an unknown label.
Sweep ReadSweep(const std::filesystem::path& file, const std::vector<std::string>& overrides = {},
                const std::vector<std::string>& labels = {},
                const std::vector<const Backend*>& backends = Backends());

// Translates every backend at every point and discards the results, so that a wrong parameter is
// reported before anything runs. Throws FileError.
void RequireTranslatable(const Sweep& sweep);

// The value as a cell of a table and as a part of a point's name: "0.001", "rk4".
std::string ValueText(const FileValue& value);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_SWEEPS_SWEEP_H_
