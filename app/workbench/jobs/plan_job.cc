#include "app/workbench/jobs/plan_job.h"

#include <utility>

#include "solvers/articulated_lamp/plan_of_scene.h"
#include "solvers/dynamic_ffd/backend.h"
#include "solvers/parallel/cancellation.h"

namespace pliant {
namespace {

// A formulation that plans, where its parameters ask for it.
struct Planner {
  bool (*is_asked)(const ParameterValues&);
  std::string (*watch)(const std::shared_ptr<const Scene>&, const ParameterValues&, int poses,
                       const PlanWatch&);
};
constexpr Planner kPlanners[] = {{articulated_lamp::AsksForPlan, articulated_lamp::WatchPlan},
                                 {dynamic_ffd::AsksForPlan, dynamic_ffd::WatchPlan}};

const Planner* PlannerOf(const BackendChoice& choice) {
  for (const Planner& planner : kPlanners) {
    if (planner.is_asked(choice.parameters)) return &planner;
  }
  return nullptr;
}

}  // namespace

std::unique_ptr<PlanJob> BeginPlan(std::shared_ptr<const Experiment> experiment, size_t index,
                                   double rest) {
  return std::make_unique<PlanJob>(
      [experiment = std::move(experiment), index, rest](PlanJob* job, const std::stop_token& stop) {
        const CancelScope cancel(stop);
        const auto watch = [&](const PlanSight& sight) {
          job->Report([&](PlanNews* news) { news->iterations.push_back(sight); });
          return job->WaitWhilePaused(stop, rest);
        };
        try {
          const BackendChoice& choice = experiment->backends[index];
          return PlannerOf(choice)->watch(SceneOf(*experiment, index), choice.parameters, kGhosts,
                                          watch);
        } catch (const Cancelled&) {
          return std::string("stopped");
        }
      });
}

std::vector<size_t> PlannedBackends(const Experiment& experiment) {
  std::vector<size_t> planned;
  for (size_t i = 0; i < experiment.backends.size(); ++i) {
    if (PlannerOf(experiment.backends[i]) != nullptr) planned.push_back(i);
  }
  return planned;
}

}  // namespace pliant
