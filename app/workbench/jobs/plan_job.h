// The plan of a jump, computed in the background as the backend computes it, with a report
// of each iteration. No Qt.

#ifndef PLIANT_APP_WORKBENCH_JOBS_PLAN_JOB_H_
#define PLIANT_APP_WORKBENCH_JOBS_PLAN_JOB_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/workbench/jobs/background_job.h"
#include "experiments/files/experiment.h"
#include "solvers/spacetime/plan_sight.h"

namespace pliant {

struct PlanNews {
  std::vector<PlanSight> iterations;
  std::optional<std::string> end;  // how it ended, in words
};
using PlanJob = BackgroundJob<PlanNews>;

inline constexpr int kGhosts = 9;  // poses that are displayed of a motion

// Plans for the backend at `index`, whose motion is planned; waits at least `rest` [s] after every
// iteration, so that the eye can follow.
std::unique_ptr<PlanJob> BeginPlan(std::shared_ptr<const Experiment> experiment, size_t index,
                                   double rest);

// Indices of the backends of an experiment whose motion is planned.
std::vector<size_t> PlannedBackends(const Experiment& experiment);

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_JOBS_PLAN_JOB_H_
