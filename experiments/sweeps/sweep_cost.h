// What a sweep will cost, said before it is made, from what its file's own point costs.

#ifndef PLIANT_EXPERIMENTS_SWEEPS_SWEEP_COST_H_
#define PLIANT_EXPERIMENTS_SWEEPS_SWEEP_COST_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "experiments/runs/run_cost.h"
#include "experiments/sweeps/sweep.h"

namespace pliant {

// CPU time of all runs [s] if a step costs at every point what it costs at the file's own: Σ over points and backends of
// steps × time of a step. `costs`: of each backend of sweep.base; those without an estimate count as nothing, and it is
// absent where none has one.
std::optional<double> SweepSeconds(const Sweep& sweep,
                                   const std::vector<std::optional<RunCost>>& costs);

// Records of all runs: what each takes to be measured and written is not in the time of steps. Measured: 0.12 ms of a
// pendulum of two points, 0.7 ms of a sheet of 289, table and report included.
std::int64_t SweepRecords(const Sweep& sweep);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_SWEEPS_SWEEP_COST_H_
