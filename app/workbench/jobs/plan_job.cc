#include "app/workbench/jobs/plan_job.h"

#include <utility>

#include "solvers/parallel/cancellation.h"

namespace pliant {

std::unique_ptr<PlanJob> BeginPlan(std::shared_ptr<const Experiment> experiment, size_t index,
                                   double rest) {
  return std::make_unique<PlanJob>(
      [experiment = std::move(experiment), index, rest](PlanJob* job, const std::stop_token& stop) {
        const CancelScope cancel(stop);
        const auto watch = [&](const articulated_lamp::PlanSight& sight) {
          job->Report([&](PlanNews* news) { news->iterations.push_back(sight); });
          return job->WaitWhilePaused(stop, rest);
        };
        try {
          return articulated_lamp::WatchPlan(experiment->scene,
                                             experiment->backends[index].parameters, kGhosts, watch);
        } catch (const Cancelled&) {
          return std::string("stopped");
        }
      });
}

std::vector<size_t> PlannedBackends(const Experiment& experiment) {
  std::vector<size_t> planned;
  for (size_t i = 0; i < experiment.backends.size(); ++i) {
    if (articulated_lamp::AsksForPlan(experiment.backends[i].parameters)) planned.push_back(i);
  }
  return planned;
}

}  // namespace pliant
