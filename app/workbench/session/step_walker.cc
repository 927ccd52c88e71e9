#include "app/workbench/session/step_walker.h"

#include <exception>
#include <utility>

#include "app/workbench/jobs/thread_priority.h"
#include "solvers/parallel/cancellation.h"

namespace pliant {

StepWalker::StepWalker(std::shared_ptr<const Experiment> experiment, size_t index, double time,
                       std::shared_ptr<const Checkpoints> checkpoints)
    : thread_([this, experiment = std::move(experiment), index, time,
               checkpoints = std::move(checkpoints)](const std::stop_token& stop) {
        LowerThreadPriority();
        try {
          Walk(*experiment, index, time, checkpoints.get(), stop);
        } catch (const std::exception& thrown) {
          Post({time, time, {}, thrown.what()});
        }
        const std::lock_guard lock(mutex_);
        finished_ = true;
      }) {}

void StepWalker::RequestStep() {
  {
    const std::lock_guard lock(mutex_);
    pending_ = true;
  }
  requested_.notify_all();
}

std::optional<WalkedStep> StepWalker::Collect() {
  const std::lock_guard lock(mutex_);
  return std::exchange(done_, std::nullopt);
}

bool StepWalker::finished() const {
  const std::lock_guard lock(mutex_);
  return finished_;
}

void StepWalker::Post(WalkedStep step) {
  const std::lock_guard lock(mutex_);
  done_ = std::move(step);
}

bool StepWalker::WaitForRequest(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  return requested_.wait(lock, stop, [this] { return std::exchange(pending_, false); });
}

void StepWalker::Walk(const Experiment& experiment, size_t index, double time,
                      const Checkpoints* checkpoints, const std::stop_token& stop) {
  const CancelScope cancel(stop);
  const Translation translation = TranslateFor(experiment, index);
  Simulation* simulation = translation.simulation.get();
  if (simulation == nullptr) {
    Post({time, time, {}, translation.record.WhyUnsupported()});
    return;
  }
  const double step = experiment.backends[index].step;
  if (checkpoints != nullptr) {
    if (const auto state = checkpoints->Before(time); state.numbers != nullptr) {
      simulation->Restore(*state.numbers);
    }
  }
  while (simulation->time() < time - 0.5 * step && !stop.stop_requested()) {
    if (simulation->Advance(step).kind == StepOutcome::Kind::kDiverged) break;
  }
  while (WaitForRequest(stop)) Post(Step(simulation, step));
}

WalkedStep StepWalker::Step(Simulation* simulation, double step) {
  WalkedStep walked;
  walked.begin = simulation->time();
  HasPhases* phased = simulation->AsPhased();
  if (phased != nullptr) {
    phased->ShowPhases([&walked](const StepPicture& seen) { walked.pictures.push_back(seen); });
  }
  const StepOutcome outcome = simulation->Advance(step);
  if (phased != nullptr) phased->ShowPhases({});
  walked.end = simulation->time();
  if (outcome.kind == StepOutcome::Kind::kDiverged) {
    walked.failure = "diverged: " + outcome.quantity;
    return walked;
  }
  Observation seen;
  simulation->Observe(&seen);
  StepPicture end;
  end.phase = phased != nullptr ? "end of the step" : "whole step: this formulation has no phases";
  end.points = seen.points;
  walked.pictures.push_back(std::move(end));
  return walked;
}

}  // namespace pliant
