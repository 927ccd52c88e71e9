#include "experiments/runs/run_cost.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <vector>

#include "models/scene/number_text.h"
#include "solvers/cpu_clock.h"
#include "solvers/parallel/cancellation.h"

namespace pliant {
namespace {

// While steps become longer, so many times as long is looked at.
constexpr double kPatience = 8.0;
// Of the mean over all steps: later ones that take more are longer.
constexpr double kRise = 1.15;

// Mean of the last quarter of the steps [s].
double LateStep(const std::vector<double>& ends) {
  const size_t late = std::max<size_t>(1, ends.size() / 4), first = ends.size() - late;
  return (ends.back() - (first == 0 ? 0.0 : ends[first - 1])) / static_cast<double>(late);
}

bool IsRising(const std::vector<double>& ends) {
  return LateStep(ends) > kRise * ends.back() / static_cast<double>(ends.size());
}

}  // namespace

std::int64_t RecordsOf(const RunPlan& plan) {
  constexpr double kRounding = 1e-9;  // of the number of intervals
  return std::llround(std::ceil(plan.duration / plan.record_every * (1.0 - kRounding))) + 1;
}

RunCost EstimateCost(const Experiment& experiment, size_t index, Simulation* simulation,
                     double seconds) {
  const RunPlan& plan = experiment.plan;
  const double step = experiment.backends[index].step;
  RunCost cost;
  cost.steps = std::llround(plan.duration / step);
  cost.records = RecordsOf(plan);
  // Positions and velocities of each point, and the state.
  const double numbers = 6.0 * SceneOf(experiment, index)->PointCount() +
                         static_cast<double>(simulation->Save().size());
  cost.record_bytes = 8.0 * numbers * static_cast<double>(cost.records);

  const double begin = CpuSeconds();
  const auto steps = static_cast<size_t>(cost.steps);
  std::vector<double> ends;  // of the steps made, since `begin` [s]
  do {
    AtPreparation("first steps", ends.size());
    if (simulation->Advance(step).kind == StepOutcome::Kind::kDiverged) return cost;
    ends.push_back(CpuSeconds() - begin);
  } while (ends.size() < steps &&
           (ends.back() < seconds || (IsRising(ends) && ends.back() < kPatience * seconds)));
  cost.step_seconds = ends.back() + static_cast<double>(steps - ends.size()) * LateStep(ends);
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
