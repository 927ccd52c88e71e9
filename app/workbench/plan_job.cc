#include "app/workbench/plan_job.h"

#include <chrono>
#include <exception>
#include <utility>

namespace pliant {

PlanJob::PlanJob(std::shared_ptr<const Experiment> experiment, size_t index, double pause_between)
    : pause_between_(pause_between),
      thread_([this, experiment = std::move(experiment), index](const std::stop_token& stop) {
        std::string end;
        try {
          end = WatchPlan(experiment->scene, experiment->backends[index].parameters, kPoses,
                          [&](const PlanSight& sight) { return Take(sight, stop); })
                    .message;
        } catch (const std::exception& thrown) {
          end = thrown.what();
        }
        const std::lock_guard lock(mutex_);
        news_.end = std::move(end);
        finished_ = true;
      }) {}

PlanJob::~PlanJob() = default;

void PlanJob::SetPaused(bool paused) {
  {
    const std::lock_guard lock(mutex_);
    paused_ = paused;
  }
  changed_.notify_all();
}

void PlanJob::Stop() { thread_.request_stop(); }

PlanNews PlanJob::Collect() {
  const std::lock_guard lock(mutex_);
  return std::exchange(news_, {});
}

bool PlanJob::finished() const {
  const std::lock_guard lock(mutex_);
  return finished_;
}

bool PlanJob::Take(const PlanSight& sight, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  news_.iterations.push_back(sight);
  if (pause_between_ > 0.0) {
    changed_.wait_for(lock, stop, std::chrono::duration<double>(pause_between_),
                      [] { return false; });
  }
  changed_.wait(lock, stop, [this] { return !paused_; });
  return !stop.stop_requested();
}

std::vector<size_t> PlannedBackends(const Experiment& experiment) {
  std::vector<size_t> planned;
  for (size_t i = 0; i < experiment.backends.size(); ++i) {
    if (AsksForPlan(experiment.backends[i].parameters)) planned.push_back(i);
  }
  return planned;
}

}  // namespace pliant
