// Looking into steps: what each pane shows while the user goes from phase to phase. All panes go on
// together; one that has seen all phases of its step waits at the end of it for the others.

#ifndef PLIANT_APP_WORKBENCH_SESSION_PHASE_STEPPER_H_
#define PLIANT_APP_WORKBENCH_SESSION_PHASE_STEPPER_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/workbench/jobs/retired_jobs.h"
#include "app/workbench/session/recording.h"
#include "app/workbench/session/step_walker.h"

namespace pliant {

// What one pane shows in place of its recording.
struct ShownPhase {
  std::string words;  // "2 of 7 in the step from 0.4 s: free motion of level 1"
  std::shared_ptr<const PaneFrame> frame;  // without numbers; null when the step failed at once
  StepPicture picture;
};

class PhaseStepper {
 public:
  // A walker for each pane, null for those that show no steps.
  void Begin(std::vector<std::unique_ptr<StepWalker>> walkers);
  void End();  // never waits
  bool active() const { return !walkers_.empty(); }

  void Next();  // nothing while the last wish is not fulfilled
  // Takes what walkers have done: true when something else is to be shown. Never waits.
  bool Collect();

  // Null where the recording is shown.
  const ShownPhase* At(size_t pane) const;

 private:
  size_t Longest() const;
  void Show();

  std::vector<std::unique_ptr<StepWalker>> walkers_;
  RetiredJobs<StepWalker> retired_;
  std::vector<std::optional<WalkedStep>> steps_;  // present ones, by pane
  std::vector<std::optional<ShownPhase>> shown_;
  bool waiting_ = false;  // for the next steps
  size_t at_ = 0;         // phase
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_SESSION_PHASE_STEPPER_H_
