// What a run will cost, said before it is made: from its first steps, its records and what the
// process takes now.

#ifndef PLIANT_EXPERIMENTS_RUNS_RUN_COST_H_
#define PLIANT_EXPERIMENTS_RUNS_RUN_COST_H_

#include <cstdint>
#include <optional>
#include <string>

#include "experiments/files/experiment.h"
#include "solvers/simulation.h"

namespace pliant {

struct RunCost {
  // CPU time of all steps if those to come are like the last quarter of those that were tried [s]; absent when these do
  // not advance. What begins later, a contact above all, is not in it.
  std::optional<double> step_seconds;
  std::int64_t steps = 0;
  std::int64_t records = 0;
  double record_bytes = 0.0;  // of all records in points.h5, before compression
};

// Of a whole run: at the start, at each whole interval, and at the end where that is none.
std::int64_t RecordsOf(const RunPlan& plan);

// Advances the simulation, which is of no use for a run afterwards, for this CPU time [s] and one step; up to eight times
// as long while its steps take longer and longer, as those of methods that sweep until gaps are closed do at first.
RunCost EstimateCost(const Experiment& experiment, size_t index, Simulation* simulation,
                     double seconds = 0.05);

// Of this process: the memory it has in use, and of the machine [bytes]; 0 where it is not known.
double MemoryInUse();
double MemoryOfMachine();

// "3.2 s", "4 min", "2.5 h"; "12 kB", "3.4 MB", "1.2 GB".
std::string DurationText(double seconds);
std::string BytesText(double bytes);

// Above these a run says what it costs before it goes on: a minute, half of the memory.
inline constexpr double kLongRun = 60.0;  // s
inline constexpr double kLargeShare = 0.5;

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_RUNS_RUN_COST_H_
