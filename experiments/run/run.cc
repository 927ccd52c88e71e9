#include "experiments/run/run.h"

#include <chrono>
#include <cmath>

namespace pliant {
namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Takes frames of one run and remembers which step was recorded last.
class FrameMaker {
 public:
  FrameMaker(const Experiment& experiment, size_t index, const RunHooks& hooks)
      : recorder_(experiment.scene, experiment.backends[index].backend->info()), hooks_(hooks) {}

  void Record(const Simulation& simulation, std::int64_t step, double seconds) {
    if (step == last_step_) return;
    const auto steps = static_cast<double>(step - last_step_);
    const std::optional<double> step_seconds =
        last_step_ < 0 ? std::nullopt : std::optional(seconds / steps);
    simulation.Observe(&observation_);
    const SeriesRow row = recorder_.Row(observation_, step_seconds);
    last_step_ = step;
    simulation.Save(&state_);
    if (hooks_.on_frame) hooks_.on_frame({observation_, row, state_});
  }

 private:
  SeriesRecorder recorder_;
  const RunHooks& hooks_;
  Observation observation_;
  Eigen::VectorXd state_;
  std::int64_t last_step_ = -1;
};

}  // namespace

std::string_view ToString(OutcomeKind kind) {
  switch (kind) {
    case OutcomeKind::kCompleted:
      return "completed";
    case OutcomeKind::kDiverged:
      return "diverged";
    case OutcomeKind::kNotConverged:
      return "did not converge";
    case OutcomeKind::kUnsupported:
      return "unsupported";
    case OutcomeKind::kCancelled:
      return "cancelled";
  }
  return "";
}

RunOutcome Run(const Experiment& experiment, size_t index, Simulation* simulation,
               const RunHooks& hooks) {
  const RunPlan& plan = experiment.plan;
  const double h = experiment.backends[index].step;
  const std::int64_t steps = std::llround(plan.duration / h);
  const std::int64_t every = std::llround(plan.record_every / h);

  FrameMaker frames(experiment, index, hooks);
  frames.Record(*simulation, 0, 0.0);

  RunOutcome outcome;
  Eigen::VectorXd last_good = simulation->Save();
  double seconds_since_frame = 0.0;
  for (std::int64_t step = 1; step <= steps; ++step) {
    const Clock::time_point start = Clock::now();
    const StepOutcome advanced = simulation->Advance(h);
    const double seconds = SecondsSince(start);
    seconds_since_frame += seconds;
    outcome.wall_seconds += seconds;

    if (advanced.kind == StepOutcome::Kind::kDiverged) {
      simulation->Restore(last_good);
      frames.Record(*simulation, step - 1, seconds_since_frame);
      outcome.kind = OutcomeKind::kDiverged;
      outcome.step = step;
      outcome.time = simulation->time();
      outcome.quantity = advanced.quantity;
      outcome.reason = "diverged at step " + std::to_string(step) + ": " + advanced.quantity;
      return outcome;
    }
    if (advanced.kind == StepOutcome::Kind::kNotConverged) {
      if (outcome.not_converged_steps++ == 0) {
        outcome.kind = OutcomeKind::kNotConverged;
        outcome.quantity = advanced.quantity;
        outcome.reason =
            advanced.quantity + " did not converge, first at step " + std::to_string(step);
      }
    }
    outcome.step = step;
    outcome.time = simulation->time();
    simulation->Save(&last_good);
    if (step % every == 0 || step == steps) {
      frames.Record(*simulation, step, seconds_since_frame);
      seconds_since_frame = 0.0;
    }
    if (hooks.on_step) hooks.on_step(simulation->time(), plan.duration);
    if (hooks.stop.stop_requested() && step < steps) {
      frames.Record(*simulation, step, seconds_since_frame);
      outcome.kind = OutcomeKind::kCancelled;
      outcome.reason = "cancelled at step " + std::to_string(step);
      return outcome;
    }
  }
  return outcome;
}

}  // namespace pliant
