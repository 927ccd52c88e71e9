// The only simulation loop: command line, workbench, sweeps, tests and benchmarks go through it.

#ifndef PLIANT_EXPERIMENTS_RUNS_RUN_H_
#define PLIANT_EXPERIMENTS_RUNS_RUN_H_

#include <functional>
#include <optional>
#include <span>
#include <stop_token>

#include "experiments/files/experiment.h"
#include "experiments/runs/outcome.h"
#include "experiments/runs/series.h"
#include "solvers/simulation.h"

namespace pliant {

// One recorded time. References are valid during the call only.
struct Frame {
  const Observation& observation;
  const SeriesRow& row;
  std::span<const std::optional<double>> probes;  // the part of the row that they are
  const Eigen::VectorXd& state;
  const std::vector<NamedArray>& arrays;  // of the groups that the plan records
};

struct RunHooks {
  std::function<void(const Frame&)> on_frame;                 // each recorded time, first t = 0
  std::function<void(double time, double duration)> on_step;  // cheap; after every step
  std::stop_token stop;  // checked after every step, after on_step
};

// The columns of the rows of a run of the backend at `index`: those of every backend, those of the formulation, the
// probes; with the translation at its start, then the arrays that the plan records.
std::vector<SeriesColumn> ColumnsOf(const Experiment& experiment, size_t index);
std::vector<SeriesColumn> ColumnsOf(const Experiment& experiment, size_t index,
                                    const Translation& translation);

// Runs the simulation of the backend at `index` from its present state (at the start, or
// restored from a frame) to the end of the plan. The last frame is at the end time, or the last
// good state when the run diverged (a frame is recorded there unless one was). If a simulation
// does not notice that a point has no finite position, the next recorded time detects it:
// diverged. A run that made all its steps is judged from its recorded times (OutcomeKind).
RunOutcome Run(const Experiment& experiment, size_t index, Simulation* simulation,
               const RunHooks& hooks);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_RUNS_RUN_H_
