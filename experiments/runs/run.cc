#include "experiments/runs/run.h"

#include <chrono>
#include <cmath>
#include <optional>

#include "models/scene/number_text.h"

namespace pliant {
namespace {

using Clock = std::chrono::steady_clock;

constexpr char kNotFinite[] = "a point no longer has a finite position or velocity";

// Number of steps after which the state is saved, in case a later step diverges.
constexpr std::int64_t kCheckpoint = 32;

// A clock that runs during steps and is halted for everything else. A step may be as short as
// reading the time, so the clock runs on between steps.
class StepWatch {
 public:
  void Run() {
    if (start_) return;
    start_ = Clock::now();
  }
  void Halt() {
    if (!start_) return;
    seconds_ += std::chrono::duration<double>(Clock::now() - *start_).count();
    start_.reset();
  }
  double seconds() const { return seconds_; }  // when halted

 private:
  std::optional<Clock::time_point> start_;
  double seconds_ = 0.0;
};

// Takes frames of one run and remembers which step was recorded last.
class FrameMaker {
 public:
  FrameMaker(const Experiment& experiment, size_t index, std::int64_t first_step,
             const RunHooks& hooks)
      : recorder_(experiment.scene, experiment.backends[index].backend->info()),
        hooks_(hooks),
        first_step_(first_step) {}

  // `seconds` of all steps so far. False, and no frame, when a point or a velocity is not finite.
  bool Record(const Simulation& simulation, std::int64_t step, double seconds) {
    if (step == last_step_) return true;
    simulation.Observe(&observation_);
    const auto& velocities = observation_.velocities;
    if (!observation_.points.allFinite() || (velocities && !velocities->allFinite())) return false;
    const auto steps = static_cast<double>(step - last_step_);
    const std::optional<double> step_seconds =
        step == first_step_ ? std::nullopt : std::optional((seconds - last_seconds_) / steps);
    const SeriesRow row = recorder_.Row(observation_, step_seconds);
    last_step_ = step;
    last_seconds_ = seconds;
    simulation.Save(&state_);
    if (hooks_.on_frame) hooks_.on_frame({observation_, row, state_});
    return true;
  }

  std::int64_t last_step() const { return last_step_; }
  const Eigen::VectorXd& last_state() const { return state_; }  // of the last frame

 private:
  SeriesRecorder recorder_;
  const RunHooks& hooks_;
  Observation observation_;
  Eigen::VectorXd state_;
  const std::int64_t first_step_;
  std::int64_t last_step_ = -1;
  double last_seconds_ = 0.0;
};

// As many as a reader needs.
constexpr size_t kMostUnmet = 20;

void KeepUnmet(const Simulation& simulation, RunOutcome* outcome) {
  outcome->unmet = simulation.UnmetConstraints();
  outcome->unmet_count = static_cast<std::int64_t>(outcome->unmet.size());
  if (outcome->unmet.size() > kMostUnmet) outcome->unmet.resize(kMostUnmet);
}

}  // namespace

std::string UnmetInWords(const RunOutcome& outcome) {
  if (outcome.unmet.empty()) return "";
  const UnmetConstraint& worst = outcome.unmet[0];
  std::string words =
      "open at the end: " + worst.name + " by " + ThreeDigits(worst.size) + " " + worst.unit;
  if (outcome.unmet_count > 1)
    words += ", and " + std::to_string(outcome.unmet_count - 1) + " more";
  return words;
}

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
  const std::int64_t first = std::llround(simulation->time() / h);
  const std::int64_t steps = std::llround(plan.duration / h);
  const std::int64_t every = std::llround(plan.record_every / h);

  RunOutcome outcome;
  outcome.step = first;
  outcome.time = simulation->time();
  auto diverged = [&](std::int64_t step, const std::string& quantity) {
    outcome.kind = OutcomeKind::kDiverged;
    outcome.step = step;
    outcome.time = simulation->time();
    outcome.quantity = quantity;
    outcome.reason = "diverged at step " + std::to_string(step) + ": " + quantity;
    outcome.events = simulation->events();
    return outcome;
  };

  FrameMaker frames(experiment, index, first, hooks);
  if (!frames.Record(*simulation, first, 0.0)) return diverged(first, kNotFinite);

  StepWatch watch;
  Eigen::VectorXd checkpoint = simulation->Save();
  std::int64_t checkpoint_step = first;
  for (std::int64_t step = first + 1; step <= steps; ++step) {
    watch.Run();
    const StepOutcome advanced = simulation->Advance(h);
    if (advanced.kind == StepOutcome::Kind::kDiverged) {
      watch.Halt();
      outcome.wall_seconds = watch.seconds();
      // The last good state, bit for bit as it was.
      simulation->Restore(checkpoint);
      for (std::int64_t again = checkpoint_step + 1; again < step; ++again) simulation->Advance(h);
      if (!frames.Record(*simulation, step - 1, watch.seconds())) {
        simulation->Restore(frames.last_state());
      }
      return diverged(step, advanced.quantity);
    }
    if (advanced.kind == StepOutcome::Kind::kNotConverged) {
      if (outcome.not_converged_steps++ == 0) {
        outcome.kind = OutcomeKind::kNotConverged;
        outcome.quantity = advanced.quantity;
        outcome.reason =
            advanced.quantity + " did not converge, first at step " + std::to_string(step);
      }
    }
    if (hooks.on_step) {
      watch.Halt();
      hooks.on_step(simulation->time(), plan.duration);
    }
    const bool stop = hooks.stop.stop_requested() && step < steps;
    if (step % every == 0 || step == steps || stop) {
      watch.Halt();
      outcome.wall_seconds = watch.seconds();
      if (!frames.Record(*simulation, step, watch.seconds())) {
        // The simulation did not notice. The step is unknown, but the last frame is good.
        simulation->Restore(frames.last_state());
        return diverged(step, kNotFinite);
      }
    }
    if (step - checkpoint_step == kCheckpoint) {
      watch.Halt();
      simulation->Save(&checkpoint);
      checkpoint_step = step;
    }
    outcome.step = step;
    outcome.time = simulation->time();
    if (stop) {
      outcome.kind = OutcomeKind::kCancelled;
      outcome.reason = "cancelled at step " + std::to_string(step);
      break;
    }
  }
  outcome.events = simulation->events();
  KeepUnmet(*simulation, &outcome);
  return outcome;
}

}  // namespace pliant
