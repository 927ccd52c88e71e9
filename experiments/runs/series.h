// The series of a run: for each recorded time one row of numbers, the same columns in the same
// order for every backend, then the columns that only this formulation has.

#ifndef PLIANT_EXPERIMENTS_RUNS_SERIES_H_
#define PLIANT_EXPERIMENTS_RUNS_SERIES_H_

#include <optional>
#include <string>
#include <vector>

#include "experiments/runs/ledger.h"
#include "experiments/runs/mean_contact_force.h"
#include "experiments/runs/sinking_meter.h"
#include "models/contact/contact_meter.h"
#include "models/contact/passages.h"
#include "models/scene/forces.h"
#include "models/scene/probe.h"
#include "models/scene/scene.h"
#include "solvers/series_column.h"
#include "solvers/simulation.h"

namespace pliant {

// How the name of a column spells its unit: "m²/s" → "_m2_s"; empty for a pure number.
std::string UnitSuffix(const std::string& unit);

// Columns for a backend: time_s, the energies and their residual, momenta, centre of mass, strain,
// extent ratio, penetration, constraint error and rate, condition number, regularisation,
// iterations, times of steps; then the extras of the backend, impulses of contact that the run sums up, then the probes. Names contain "{body}" and "{pair}" as
// written, or, when a scene is given, the name of each of its bodies and contact pairs.
std::vector<SeriesColumn> SeriesColumns(const BackendInfo& info);
std::vector<SeriesColumn> SeriesColumns(const BackendInfo& info, const Scene& scene,
                                        const std::vector<Probe>& probes = {});

// The impulses of contact of the pairs of a scene, of a backend whose extras have forces of contact without impulses:
// columns behind the extras, which the run sums up step by step (record_forces.h). Axis by axis.
std::vector<SeriesColumn> ImpulseColumnsToSum(const BackendInfo& info, const Scene& scene);

// The extras of an observation of a scene, in their order: those whose name contains "{body}"
// appear once for each body, those with "{pair}" once for each of ContactPairs().
std::vector<SeriesColumn> ExtrasOf(const BackendInfo& info, const Scene& scene);

// The column of the smallest det F over all elements, which formulations of elements record beside the common ones: a
// body may keep its volume while an element of it is inside out.
inline constexpr char kElementDeterminant[] = "element_det";

// Whether a column contains times of steps, which no other run reproduces.
bool IsTiming(const std::string& column);

std::vector<std::string> ColumnNames(const std::vector<SeriesColumn>& columns);

// Absent = not defined.
using SeriesRow = std::vector<std::optional<double>>;

// Time of steps [s].
struct StepSeconds {
  double wall = 0.0;
  double cpu = 0.0;  // of the thread that makes them
};

// Turns observations into rows.
class SeriesRecorder {
 public:
  SeriesRecorder(std::shared_ptr<const Scene> scene, const BackendInfo& info,
                 std::vector<Probe> probes = {});

  // `step_seconds`: mean of the steps since the last row; absent in the first.
  // `forces`: for probes that measure some and impulses that the run sums up; null where nobody does.
  SeriesRow Row(const Observation& observation, const std::optional<StepSeconds>& step_seconds,
                const ProbeForces* forces = nullptr);

  const std::vector<SeriesColumn>& columns() const { return columns_; }
  size_t probe_count() const { return probe_meter_.probes().size(); }  // the last of a row
  const Ledger& ledger() const { return ledger_; }
  // The first body found turned inside out, and when [s].
  struct InsideOut {
    int body;
    double time;
  };
  const std::optional<InsideOut>& inside_out() const { return inside_out_; }
  // The first record at which an element had no positive det F, of formulations with the column kElementDeterminant.
  struct InvertedElement {
    double determinant;
    double time;  // s
  };
  const std::optional<InvertedElement>& inverted_element() const { return inverted_element_; }
  // What went through what between the times of the rows, the first of each.
  const std::vector<Passage>& passages() const { return passages_.found(); }
  // What lies deepest in what, of bodies that lie deep in an obstacle.
  const std::optional<Sunk>& sunk() const { return sinking_.sunk(); }

 private:
  std::shared_ptr<const Scene> scene_;
  SceneForces forces_;
  std::vector<SeriesColumn> columns_;
  Ledger ledger_;
  std::optional<InsideOut> inside_out_;
  std::optional<size_t> determinant_column_;
  size_t summed_;  // columns of impulses of contact behind the extras
  std::optional<InvertedElement> inverted_element_;
  ContactMeter contact_meter_;
  Passages passages_;
  SinkingMeter sinking_;
  MeanContactForces mean_contact_forces_;
  ProbeMeter probe_meter_;
};

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_RUNS_SERIES_H_
