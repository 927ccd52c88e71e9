// The series of a run: for each recorded time one row of numbers, the same columns in the same
// order for every backend, then the columns that only this formulation has.

#ifndef PLIANT_EXPERIMENTS_RUNS_SERIES_H_
#define PLIANT_EXPERIMENTS_RUNS_SERIES_H_

#include <optional>
#include <string>
#include <vector>

#include "models/scene/forces.h"
#include "models/scene/scene.h"
#include "solvers/series_column.h"
#include "solvers/simulation.h"

namespace pliant {

// How the name of a column spells its unit: "m²/s" → "_m2_s"; empty for a pure number.
std::string UnitSuffix(const std::string& unit);

// Columns for a backend: time_s, the energies and their residual, momenta, centre of mass, strain,
// extent ratio, penetration, constraint error and rate, condition number, regularisation,
// iterations, step_time_s; then the extras of the backend. With "{body}" as it stands, or for the
// bodies of a scene.
std::vector<SeriesColumn> SeriesColumns(const BackendInfo& info);
std::vector<SeriesColumn> SeriesColumns(const BackendInfo& info, const Scene& scene);

// The extras of an observation of a scene, in their order: those whose name holds "{body}" stand
// once for each body.
std::vector<SeriesColumn> ExtrasOf(const BackendInfo& info, const Scene& scene);

std::vector<std::string> ColumnNames(const std::vector<SeriesColumn>& columns);

// Absent = not defined.
using SeriesRow = std::vector<std::optional<double>>;

// Turns observations into rows. The residual of the ledger is (E − E₀) − (W − W₀), with E the sum
// of kinetic, gravitational, elastic and spring energy and index 0 the first observation; it is
// defined where kinetic energy and work are.
class SeriesRecorder {
 public:
  SeriesRecorder(std::shared_ptr<const Scene> scene, const BackendInfo& info);

  // `step_seconds`: wall time per step since the last row; absent in the first.
  SeriesRow Row(const Observation& observation, std::optional<double> step_seconds);

  const std::vector<SeriesColumn>& columns() const { return columns_; }

 private:
  std::shared_ptr<const Scene> scene_;
  SceneForces forces_;
  std::vector<SeriesColumn> columns_;
  std::optional<double> initial_balance_;  // E₀ − W₀
};

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_RUNS_SERIES_H_
