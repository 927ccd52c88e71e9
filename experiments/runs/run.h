// The only simulation loop: command line, workbench, sweeps, tests and benchmarks go through it.

#ifndef PLIANT_EXPERIMENTS_RUNS_RUN_H_
#define PLIANT_EXPERIMENTS_RUNS_RUN_H_

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/files/experiment.h"
#include "experiments/runs/series.h"
#include "solvers/simulation.h"

namespace pliant {

enum class OutcomeKind { kCompleted, kDiverged, kNotConverged, kUnsupported, kCancelled };
std::string_view ToString(OutcomeKind kind);

// How a run ended. A run with steps that did not converge continues to its end and is marked
// kNotConverged, with the first such step.
struct RunOutcome {
  OutcomeKind kind = OutcomeKind::kCompleted;
  std::int64_t step = 0;  // steps done; for diverged: the step that diverged
  double time = 0.0;      // s, of the last good state
  std::string quantity;   // what diverged or did not converge
  std::string reason;     // in words; empty when completed
  std::int64_t not_converged_steps = 0;
  double wall_seconds = 0.0;  // of the steps alone
  std::vector<SimulationEvent> events;
  // Constraints that are violated at the end: the worst of them, and their number.
  std::vector<UnmetConstraint> unmet;
  std::int64_t unmet_count = 0;
};

// "open at the end: nail 'hook' by 0.12 m, and 3 more"; empty when nothing is.
std::string UnmetInWords(const RunOutcome& outcome);

// One recorded time. References are valid during the call only.
struct Frame {
  const Observation& observation;
  const SeriesRow& row;
  const Eigen::VectorXd& state;
};

struct RunHooks {
  std::function<void(const Frame&)> on_frame;                 // each recorded time, first t = 0
  std::function<void(double time, double duration)> on_step;  // cheap; after every step
  std::stop_token stop;  // checked after every step, after on_step
};

// Runs the simulation of the backend at `index` from its present state (at the start, or
// restored from a frame) to the end of the plan. The last frame is at the end time, or the last
// good state when the run diverged (a frame is recorded there unless one was). If a simulation
// does not notice that a point has no finite position, the next recorded time detects it:
// diverged.
RunOutcome Run(const Experiment& experiment, size_t index, Simulation* simulation,
               const RunHooks& hooks);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_RUNS_RUN_H_
