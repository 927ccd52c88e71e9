#include "experiments/sweeps/sweep_cost.h"

namespace pliant {

std::optional<double> SweepSeconds(const Sweep& sweep,
                                   const std::vector<std::optional<RunCost>>& costs) {
  std::optional<double> seconds;
  for (size_t index = 0; index < costs.size(); ++index) {
    if (!costs[index] || !costs[index]->step_seconds) continue;
    const double of_step =
        *costs[index]->step_seconds * sweep.base.backends[index].step / sweep.base.plan.duration;
    for (const SweepPoint& point : sweep.points) {
      const double steps = point.experiment.plan.duration / point.experiment.backends[index].step;
      seconds = seconds.value_or(0.0) + of_step * steps;
    }
  }
  return seconds;
}

std::int64_t SweepRecords(const Sweep& sweep) {
  std::int64_t records = 0;
  for (const SweepPoint& point : sweep.points) {
    records += static_cast<std::int64_t>(point.experiment.backends.size()) *
               RecordsOf(point.experiment.plan);
  }
  return records;
}

}  // namespace pliant
