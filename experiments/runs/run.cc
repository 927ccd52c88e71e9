#include "experiments/runs/run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "experiments/runs/record_forces.h"
#include "experiments/runs/recorded_columns.h"
#include "models/scene/number_text.h"
#include "solvers/cpu_clock.h"
#include "solvers/parallel/cancellation.h"

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
    start_ = Now();
  }
  void Halt() {
    sum_ = Elapsed();
    start_.reset();
  }
  StepSeconds Elapsed() const {
    if (!start_) return sum_;
    const StepSeconds now = Now();
    return {sum_.wall + (now.wall - start_->wall), sum_.cpu + (now.cpu - start_->cpu)};
  }

 private:
  static StepSeconds Now() {
    return {std::chrono::duration<double>(Clock::now().time_since_epoch()).count(), CpuSeconds()};
  }

  std::optional<StepSeconds> start_;
  StepSeconds sum_;
};

// Takes frames of one run and remembers which step was recorded last.
class FrameMaker {
 public:
  FrameMaker(const Experiment& experiment, size_t index, Simulation* simulation,
             std::int64_t first_step, const RunHooks& hooks)
      : recorder_(SceneOf(experiment, index), experiment.backends[index].backend->info(),
                  ProbesOf(experiment, index)),
        forces_(ProbesOf(experiment, index), experiment.backends[index].backend->info(),
                simulation),
        hooks_(hooks),
        groups_(experiment.plan.record),
        recorded_(RecordedColumns(RecordedArrays(groups_, *simulation))),
        first_step_(first_step) {}

  // `seconds`: of all steps so far. False, and no frame, when a point or a velocity is not finite.
  bool Record(const Simulation& simulation, std::int64_t step, const StepSeconds& seconds) {
    if (step == last_step_) return true;
    simulation.Observe(&observation_);
    const auto& velocities = observation_.velocities;
    if (!observation_.points.allFinite() || (velocities && !velocities->allFinite())) return false;
    const auto steps = static_cast<double>(step - last_step_);
    std::optional<StepSeconds> of_step;
    if (step != first_step_) {
      of_step = {(seconds.wall - last_seconds_.wall) / steps,
                 (seconds.cpu - last_seconds_.cpu) / steps};
    }
    SeriesRow row = recorder_.Row(observation_, of_step, forces_.Record(observation_));
    last_step_ = step;
    last_seconds_ = seconds;
    simulation.Save(&state_);
    if (!hooks_.on_frame) return true;
    const size_t end = row.size(), probes = recorder_.probe_count();
    arrays_ = RecordedArrays(groups_, simulation);
    AppendRecorded(arrays_, recorded_, &row);
    const std::span<const std::optional<double>> values(row);
    hooks_.on_frame({observation_, row, values.subspan(end - probes, probes), state_, arrays_});
    return true;
  }

  std::int64_t last_step() const { return last_step_; }
  const Eigen::VectorXd& last_state() const { return state_; }  // of the last frame
  const SeriesRecorder& recorder() const { return recorder_; }
  RecordForces& forces() { return forces_; }

 private:
  SeriesRecorder recorder_;
  RecordForces forces_;
  const RunHooks& hooks_;
  const std::vector<std::string>& groups_;
  const std::vector<SeriesColumn> recorded_;
  Observation observation_;
  Eigen::VectorXd state_;
  std::vector<NamedArray> arrays_;
  const std::int64_t first_step_;
  std::int64_t last_step_ = -1;
  StepSeconds last_seconds_;
};

// As many as a reader needs.
constexpr size_t kMostUnmet = 20;

void KeepUnmet(const Simulation& simulation, RunOutcome* outcome) {
  outcome->unmet = simulation.UnmetConstraints();
  outcome->unmet_count = static_cast<std::int64_t>(outcome->unmet.size());
  if (outcome->unmet.size() > kMostUnmet) outcome->unmet.resize(kMostUnmet);
}

// "body 'beam' went through obstacle 'ball' at 0.48 s, at (0.3, -0.2, 0)".
SimulationEvent EventOf(const Passage& passage, const Scene& scene) {
  const auto body = [&scene](int b) { return "body '" + scene.bodies[b].name + "'"; };
  const std::string what = passage.obstacle >= 0
                               ? "obstacle '" + scene.obstacles[passage.obstacle].name + "'"
                               : body(passage.other);
  const Eigen::Vector3d& at = passage.place;
  return {passage.time, body(passage.body) + " went through " + what + ", at (" +
                            ThreeDigits(at.x()) + ", " + ThreeDigits(at.y()) + ", " +
                            ThreeDigits(at.z()) + ") m"};
}

// What happened in a run, in the order of time.
std::vector<SimulationEvent> EventsOf(const Simulation& simulation,
                                      const SeriesRecorder& recorder) {
  std::vector<SimulationEvent> events = simulation.events();
  for (const Passage& passage : recorder.passages()) {
    events.push_back(EventOf(passage, simulation.scene()));
  }
  std::stable_sort(events.begin(), events.end(),
                   [](const auto& a, const auto& b) { return a.time < b.time; });
  return events;
}

// What lies deep in an obstacle or a body, unless it went through that, which an event says.
std::optional<Sunk> SunkOf(const Scene& scene, const SeriesRecorder& recorder) {
  const std::optional<Sunk>& sunk = recorder.sunk();
  const auto is_that = [&](const Passage& passage) {
    const std::string& body = scene.bodies[passage.body].name;
    if (passage.obstacle >= 0)
      return body == sunk->body && scene.obstacles[passage.obstacle].name == sunk->obstacle;
    const std::string& other = scene.bodies[passage.other].name;
    return (body == sunk->body && other == sunk->other) ||
           (body == sunk->other && other == sunk->body);
  };
  const bool passed = sunk && std::ranges::any_of(recorder.passages(), is_that);
  return passed ? std::nullopt : sunk;
}

// When a step that begins now ends at the latest.
std::optional<CancelScope::Clock::time_point> EndOfTime(const RunPlan& plan,
                                                        const StepWatch& watch) {
  if (!plan.max_wall_seconds) return std::nullopt;
  const std::chrono::duration<double> left(*plan.max_wall_seconds - watch.Elapsed().wall);
  return CancelScope::Clock::now() + std::chrono::duration_cast<CancelScope::Clock::duration>(left);
}

void EndEarly(bool over_budget, std::int64_t step, RunOutcome* outcome) {
  outcome->kind = over_budget ? OutcomeKind::kBudgetExceeded : OutcomeKind::kCancelled;
  outcome->reason = (over_budget ? "max_wall_seconds exceeded at step " : "cancelled at step ") +
                    std::to_string(step);
}

// Of a run that made all its steps: the worst that can be said of it.
void Judge(const RunPlan& plan, const Scene& scene, const SeriesRecorder& recorder,
           std::int64_t steps, RunOutcome* outcome) {
  const auto found = [outcome](OutcomeKind kind, const std::string& quantity,
                               const std::string& reason) {
    outcome->kind = kind;
    outcome->quantity = quantity;
    outcome->reason = reason;
  };
  const std::vector<Passage>& passages = recorder.passages();
  if (!passages.empty() && !plan.may_go_through) {
    const auto first = std::min_element(passages.begin(), passages.end(),
                                        [](auto& a, auto& b) { return a.time < b.time; });
    const SimulationEvent event = EventOf(*first, scene);
    found(OutcomeKind::kWentThrough, "body '" + scene.bodies[first->body].name + "'",
          event.what + ", at " + ThreeDigits(event.time) + " s");
  } else if (const auto& inside_out = recorder.inside_out()) {
    const std::string body = "body '" + scene.bodies[inside_out->body].name + "'";
    found(OutcomeKind::kTurnedInsideOut, body,
          body + " had no positive " + (scene.bodies[inside_out->body].closed ? "volume" : "area") +
              " at " + ThreeDigits(inside_out->time) + " s");
  } else if (const auto& inverted = recorder.inverted_element()) {
    found(OutcomeKind::kTurnedInsideOut, "an element",
          "an element had det F = " + ThreeDigits(inverted->determinant) + " at " +
              ThreeDigits(inverted->time) + " s");
  } else if (const auto made = recorder.ledger().made_energy().Beyond(plan.made_energy_share)) {
    found(OutcomeKind::kGainedEnergy, made->by,
          "passive parts made " + ThreeDigits(made->made) + " J, " +
              ThreeDigits(100.0 * made->share) + " % of the energy at stake, most of it by " +
              made->by + ", first at " + ThreeDigits(made->time) + " s");
  } else if (const auto lost = plan.lost_energy_share ? recorder.ledger().made_energy().LostBeyond(
                                                            *plan.lost_energy_share)
                                                      : std::nullopt) {
    found(OutcomeKind::kLostEnergy, lost->by,
          "the discretisation lost " + ThreeDigits(lost->made) + " J, " +
              ThreeDigits(100.0 * lost->share) + " % of the energy at stake, most of it by " +
              lost->by + ", first at " + ThreeDigits(lost->time) + " s");
  } else if (static_cast<double>(outcome->not_converged_steps) >
             plan.not_converged_share * static_cast<double>(steps)) {
    outcome->kind = OutcomeKind::kNotConverged;
  }
}

}  // namespace

std::vector<SeriesColumn> ColumnsOf(const Experiment& experiment, size_t index) {
  return SeriesColumns(experiment.backends[index].backend->info(), *SceneOf(experiment, index),
                       ProbesOf(experiment, index));
}

std::vector<SeriesColumn> ColumnsOf(const Experiment& experiment, size_t index,
                                    const Translation& translation) {
  std::vector<SeriesColumn> columns = ColumnsOf(experiment, index);
  if (translation.simulation == nullptr) return columns;
  const auto recorded =
      RecordedColumns(RecordedArrays(experiment.plan.record, *translation.simulation));
  columns.insert(columns.end(), recorded.begin(), recorded.end());
  return columns;
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

  if (!plan.record.empty()) simulation->KeepConstraintForces();  // arrays of the last step
  FrameMaker frames(experiment, index, simulation, first, hooks);
  if (!frames.Record(*simulation, first, {})) return diverged(first, kNotFinite);

  StepWatch watch;
  const auto keep_times = [&] {
    outcome.wall_seconds = watch.Elapsed().wall;
    outcome.cpu_seconds = watch.Elapsed().cpu;
  };
  Eigen::VectorXd checkpoint = simulation->Save();
  std::int64_t checkpoint_step = first;
  for (std::int64_t step = first + 1; step <= steps; ++step) {
    watch.Run();
    StepOutcome advanced;
    try {
      const CancelScope cancel(hooks.stop, {}, EndOfTime(plan, watch));
      advanced = simulation->Advance(h);
    } catch (const Cancelled&) {  // in the midst of a long step: the last frame is what there is
      const bool over_budget = !hooks.stop.stop_requested();
      watch.Halt();
      keep_times();
      simulation->Restore(frames.last_state());
      outcome.step = std::llround(simulation->time() / h);
      outcome.time = simulation->time();
      EndEarly(over_budget, outcome.step, &outcome);
      break;
    }
    if (advanced.kind == StepOutcome::Kind::kDiverged) {
      watch.Halt();
      keep_times();
      // The last good state, bit for bit as it was.
      simulation->Restore(checkpoint);
      for (std::int64_t again = checkpoint_step + 1; again < step; ++again) simulation->Advance(h);
      if (!frames.Record(*simulation, step - 1, watch.Elapsed())) {
        simulation->Restore(frames.last_state());
      }
      return diverged(step, advanced.quantity);
    }
    if (frames.forces().LooksAtSteps()) {
      watch.Halt();
      frames.forces().EndStep();
    }
    if (advanced.kind == StepOutcome::Kind::kNotConverged) {
      if (outcome.not_converged_steps++ == 0) {
        outcome.quantity = advanced.quantity;
        outcome.reason =
            advanced.quantity + " did not converge, first at step " + std::to_string(step);
      }
    }
    if (hooks.on_step) {
      watch.Halt();
      hooks.on_step(simulation->time(), plan.duration);
    }
    const bool over_budget =
        plan.max_wall_seconds && step < steps && watch.Elapsed().wall > *plan.max_wall_seconds;
    const bool stop = over_budget || (hooks.stop.stop_requested() && step < steps);
    if (step % every == 0 || step == steps || stop) {
      watch.Halt();
      keep_times();
      if (!frames.Record(*simulation, step, watch.Elapsed())) {
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
      EndEarly(over_budget, step, &outcome);
      break;
    }
  }
  if (outcome.kind == OutcomeKind::kCompleted) {
    Judge(plan, simulation->scene(), frames.recorder(), steps - first, &outcome);
  }
  const MadeEnergy& made_energy = frames.recorder().ledger().made_energy();
  if (made_energy.defined()) outcome.energy_at_stake = made_energy.AtStake();
  outcome.events = EventsOf(*simulation, frames.recorder());
  outcome.sunk = SunkOf(simulation->scene(), frames.recorder());
  KeepUnmet(*simulation, &outcome);
  return outcome;
}

}  // namespace pliant
