// Goes through one step after the other, phase by phase, on a thread of its own: a simulation
// besides the one that runs, brought to the time that is looked at.

#ifndef PLIANT_APP_WORKBENCH_SESSION_STEP_WALKER_H_
#define PLIANT_APP_WORKBENCH_SESSION_STEP_WALKER_H_

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "app/workbench/session/checkpoints.h"
#include "experiments/files/experiment.h"
#include "solvers/step_pictures.h"

namespace pliant {

struct WalkedStep {
  double begin = 0.0, end = 0.0;      // s
  std::vector<StepPicture> pictures;  // one at least, unless it failed
  std::string failure;                // why there is no step, or no good one; else empty
};

class StepWalker {
 public:
  // Of the backend at `index`, from `time` on, which its steps reach; `checkpoints` may be null.
  StepWalker(std::shared_ptr<const Experiment> experiment, size_t index, double time,
             std::shared_ptr<const Checkpoints> checkpoints);
  StepWalker(const StepWalker&) = delete;
  StepWalker& operator=(const StepWalker&) = delete;

  void AskForStep();                    // never waits
  std::optional<WalkedStep> Collect();  // the step asked for, when it is there
  void Stop() { thread_.request_stop(); }
  bool finished() const;

 private:
  void Walk(const Experiment& experiment, size_t index, double time, const Checkpoints* checkpoints,
            const std::stop_token& stop);
  WalkedStep Step(Simulation* simulation, double step);
  bool WaitForDemand(const std::stop_token& stop);
  void Post(WalkedStep step);

  mutable std::mutex mutex_;  // of all below but the thread
  std::condition_variable_any asked_more_;
  bool asked_ = false, finished_ = false;
  std::optional<WalkedStep> done_;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_SESSION_STEP_WALKER_H_
