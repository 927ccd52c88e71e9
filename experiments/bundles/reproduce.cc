#include "experiments/bundles/reproduce.h"

#include <vector>

#include "experiments/bundles/judge.h"

namespace pliant {

std::optional<Reproduction> Reproduce(const Bundle& bundle, const RunHooks& hooks) {
  Judge judge(bundle);
  // A budget of time is no part of what is reproduced.
  Experiment experiment = bundle.experiment();
  experiment.plan.max_wall_seconds.reset();
  const Translation translation = TranslateFor(experiment, 0);
  const std::vector<SeriesColumn> columns = ColumnsOf(experiment, 0, translation);
  if (ColumnNames(columns) != ColumnNames(bundle.columns())) {
    judge.Differ("columns of series.csv", std::nullopt, "they differ from those of this version");
    return judge.Result();
  }
  judge.LookAtTranslation(translation);
  RunOutcome outcome;
  if (translation.simulation == nullptr) {
    outcome.kind = OutcomeKind::kUnsupported;
    outcome.reason = translation.record.WhyUnsupported();
  } else if (!judge.decided()) {
    // Stops on request, when a difference is found, and where a cancelled run was cut short.
    std::stop_source stop;
    const std::stop_callback forward(hooks.stop, [&] { stop.request_stop(); });
    const OutcomeKind before = bundle.outcome().kind;
    const bool cut_short =
        before == OutcomeKind::kCancelled || before == OutcomeKind::kBudgetExceeded;
    std::int64_t steps = 0;
    RunHooks run;
    run.stop = stop.get_token();
    run.on_frame = [&](const Frame& frame) {
      if (hooks.stop.stop_requested()) return;  // not a frame of the plan
      judge.Look(frame);
      if (judge.decided()) stop.request_stop();
    };
    run.on_step = [&](double time, double duration) {
      if (hooks.on_step) hooks.on_step(time, duration);
      if (cut_short && ++steps == bundle.outcome().step) stop.request_stop();
    };
    outcome = Run(experiment, 0, translation.simulation.get(), run);
    if (hooks.stop.stop_requested() && !judge.decided()) return std::nullopt;
    if (cut_short && outcome.kind == OutcomeKind::kCancelled &&
        outcome.step == bundle.outcome().step) {
      outcome.kind = before;  // cut short at the same step, for whatever reason
      outcome.reason = bundle.outcome().reason;
    }
  }
  if (!judge.decided()) judge.LookAtOutcome(outcome);
  if (!judge.decided()) judge.LookAtFigures();
  if (!judge.decided()) judge.LookAtManifest();
  return judge.Result();
}

}  // namespace pliant
