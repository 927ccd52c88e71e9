#include "experiments/runs/run_cost.h"

#include <unistd.h>

#include <cmath>
#include <fstream>

#include "models/scene/number_text.h"
#include "solvers/cpu_clock.h"
#include "solvers/parallel/cancellation.h"

namespace pliant {

RunCost EstimateCost(const Experiment& experiment, size_t index, Simulation* simulation,
                     double seconds) {
  const RunPlan& plan = experiment.plan;
  const double step = experiment.backends[index].step;
  RunCost cost;
  cost.steps = std::llround(plan.duration / step);
  cost.records = std::llround(plan.duration / plan.record_every) + 1;
  // Positions and velocities of each point, and the state.
  const double numbers =
      6.0 * experiment.scene->PointCount() + static_cast<double>(simulation->Save().size());
  cost.record_bytes = 8.0 * numbers * static_cast<double>(cost.records);

  const double begin = CpuSeconds();
  std::int64_t made = 0;
  do {
    AtPreparation("first steps", static_cast<size_t>(made));
    if (simulation->Advance(step).kind == StepOutcome::Kind::kDiverged) return cost;
    ++made;
  } while (made < cost.steps && CpuSeconds() - begin < seconds);
  cost.step_seconds =
      (CpuSeconds() - begin) / static_cast<double>(made) * static_cast<double>(cost.steps);
  return cost;
}

double MemoryInUse() {
  std::ifstream statm("/proc/self/statm");
  double size = 0.0, resident = 0.0;
  if (!(statm >> size >> resident)) return 0.0;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

double MemoryOfMachine() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  return pages <= 0 ? 0.0 : static_cast<double>(pages) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

std::string DurationText(double seconds) {
  if (seconds < 99.5) return ThreeDigits(seconds) + " s";
  if (seconds < 99.5 * 60.0) return ThreeDigits(seconds / 60.0) + " min";
  return ThreeDigits(seconds / 3600.0) + " h";
}

std::string BytesText(double bytes) {
  if (bytes < 1e6) return ThreeDigits(bytes / 1e3) + " kB";
  if (bytes < 1e9) return ThreeDigits(bytes / 1e6) + " MB";
  return ThreeDigits(bytes / 1e9) + " GB";
}

}  // namespace pliant
