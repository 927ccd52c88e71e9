// The plan of a lamp's jump, found on a thread of its own as the backend finds it, iteration after
// iteration. No Qt.

#ifndef PLIANT_APP_WORKBENCH_JOBS_PLAN_JOB_H_
#define PLIANT_APP_WORKBENCH_JOBS_PLAN_JOB_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/workbench/jobs/watched_job.h"
#include "experiments/files/experiment.h"
#include "solvers/articulated_lamp/plan_of_scene.h"

namespace pliant {

struct PlanNews {
  std::vector<articulated_lamp::PlanSight> iterations;
  std::optional<std::string> end;  // how it ended, in words
};
using PlanJob = WatchedJob<PlanNews>;

inline constexpr int kGhosts = 9;  // times of a motion that are shown

// The plan of the backend at `index`, which asks for one; it rests after every iteration, for
// `rest` [s] at least, for eyes.
std::unique_ptr<PlanJob> BeginPlan(std::shared_ptr<const Experiment> experiment, size_t index,
                                   double rest);

// The backends of an experiment whose motion is planned, by their place.
std::vector<size_t> PlannedBackends(const Experiment& experiment);

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_JOBS_PLAN_JOB_H_
