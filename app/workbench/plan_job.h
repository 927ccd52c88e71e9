// The plan of a lamp's jump, found on a thread of its own as the backend finds it, iteration after
// iteration. No Qt.

#ifndef PLIANT_APP_WORKBENCH_PLAN_JOB_H_
#define PLIANT_APP_WORKBENCH_PLAN_JOB_H_

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "experiments/experiment/experiment.h"
#include "solvers/lamp/plan_of_scene.h"

namespace pliant {

struct PlanNews {
  std::vector<PlanSight> iterations;
  std::optional<std::string> end;  // how it ended, in words
};

class PlanJob {
 public:
  static constexpr int kPoses = 9;  // of the body, in every iteration

  // The plan of the backend at `index`, which asks for one. `pause_between` [s] after every
  // iteration, for eyes.
  PlanJob(std::shared_ptr<const Experiment> experiment, size_t index, double pause_between);
  ~PlanJob();  // waits for the present iteration
  PlanJob(const PlanJob&) = delete;
  PlanJob& operator=(const PlanJob&) = delete;

  void SetPaused(bool paused);  // halts after the present iteration, and goes on
  void Stop();                  // ends after the present iteration; never waits
  PlanNews Collect();           // what is new since the last call
  bool finished() const;

 private:
  bool Take(const PlanSight& sight, const std::stop_token& stop);

  mutable std::mutex mutex_;  // of all below but the thread
  std::condition_variable_any changed_;
  PlanNews news_;
  double pause_between_;
  bool paused_ = false, finished_ = false;
  std::jthread thread_;  // last: it uses the others
};

// The backends of an experiment whose motion is planned, by their place.
std::vector<size_t> PlannedBackends(const Experiment& experiment);

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_PLAN_JOB_H_
