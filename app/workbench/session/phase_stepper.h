// Stepping through the phases of steps: what each pane shows while the user goes from phase to
// phase. All panes advance together; a pane whose step has fewer phases waits at its end for the
// others.

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

// What one pane shows instead of its recording.
struct ShownPhase {
  std::string words;  // "2 of 7 in the step from 0.4 s: free motion of level 1"
  std::shared_ptr<const PaneFrame> frame;  // without a row; null when the step failed at once
  StepPicture picture;
};

class PhaseStepper {
 public:
  // One walker per pane; null for panes that show no steps.
  void Begin(std::vector<std::unique_ptr<StepWalker>> walkers);
  void End();  // never waits
  bool active() const { return !walkers_.empty(); }

  void Next();  // no effect until the last request is done
  // Takes the steps that are done; true when the panes have something new to show. Never waits.
  bool Collect();

  // Null when the pane shows its recording.
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
