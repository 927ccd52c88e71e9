// Runs every point of a sweep with every backend, through the one path that all runs use, several
// at a time if there are processors for it. Runs share nothing: their number at a time changes no
// byte except timings.

#ifndef PLIANT_EXPERIMENTS_SWEEPS_RUN_SWEEP_H_
#define PLIANT_EXPERIMENTS_SWEEPS_RUN_SWEEP_H_

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "experiments/comparison/comparison.h"
#include "experiments/sweeps/sweep.h"

namespace pliant {

// The result of one backend at one point.
struct SweepRun {
  size_t point = 0;
  BackendRun run;
  bool kept = false;  // its bundle was there already
};

struct SweepOptions {
  int jobs = 1;  // runs at a time, ≥ 1
  // Keeps every complete bundle whose resolved experiment is unchanged, also of a run that
  // diverged. A cancelled run is repeated.
  bool resume = false;
  // Of those, keeps only bundles that this very program has written: what verifies the program must
  // not take the results of another one.
  bool same_program = false;
};

struct SweepHooks {
  // Called one at a time, from the thread of any run: every now and then with the part of all runs
  // that is done; after a bundle is in place.
  std::function<void(double fraction)> on_progress;
  std::function<void(const SweepRun& run)> on_end;
  std::stop_token stop;
};

// Leaves `out`/<experiment>/<point>/<label>; returns a run for each backend at each point, in the
// order of the points, then of the backends. A backend that refuses the scene or diverges is an
// outcome, and the others continue. After a stop the runs under way leave cancelled bundles; those
// not begun leave an older bundle unchanged. Throws StorageError when a bundle cannot be written,
// after the other runs under way have stopped.
std::vector<SweepRun> RunSweep(const Sweep& sweep, const std::filesystem::path& out,
                               const SweepOptions& options, const SweepHooks& hooks = {});

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_SWEEPS_RUN_SWEEP_H_
