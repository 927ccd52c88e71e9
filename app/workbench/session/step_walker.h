// Shows the phases of one step after the other: a second simulation on its own thread, advanced to
// the time that is displayed.

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
  std::vector<StepPicture> pictures;  // at least one, unless the step failed
  std::string failure;                // why the step is missing or diverged; else empty
};

class StepWalker {
 public:
  // For the backend at `index`, from `time`, which is a multiple of its steps. `checkpoints` may be
  // null.
  StepWalker(std::shared_ptr<const Experiment> experiment, size_t index, double time,
             std::shared_ptr<const Checkpoints> checkpoints);
  StepWalker(const StepWalker&) = delete;
  StepWalker& operator=(const StepWalker&) = delete;

  void RequestStep();                   // never waits
  std::optional<WalkedStep> Collect();  // the requested step, when it is done
  void Stop() { thread_.request_stop(); }
  bool finished() const;

 private:
  void Walk(const Experiment& experiment, size_t index, double time, const Checkpoints* checkpoints,
            const std::stop_token& stop);
  WalkedStep Step(Simulation* simulation, double step);
  bool WaitForRequest(const std::stop_token& stop);
  void Post(WalkedStep step);

  mutable std::mutex mutex_;  // of all below but the thread
  std::condition_variable_any requested_;
  bool pending_ = false, finished_ = false;
  std::optional<WalkedStep> done_;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_SESSION_STEP_WALKER_H_
