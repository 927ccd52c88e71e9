#include "experiments/comparison/comparison.h"

#include <chrono>
#include <optional>
#include <utility>

#include "experiments/bundles/bundle.h"
#include "experiments/comparison/ignored_material.h"
#include "experiments/comparison/kept_run.h"
#include "solvers/parallel/cancellation.h"

namespace pliant {

BackendRun RunIntoBundle(const Experiment& experiment, size_t index, Translation translation,
                         const std::filesystem::path& directory, const RunHooks& hooks) {
  BackendRun run;
  run.label = experiment.backends[index].label;
  run.warnings = translation.warnings;
  BundleWriter writer(directory, experiment, index, translation);
  if (translation.simulation == nullptr) {
    run.outcome.kind = OutcomeKind::kUnsupported;
    run.outcome.reason = translation.record.WhyUnsupported();
  } else {
    RunHooks recording = hooks;
    recording.on_frame = [&](const Frame& frame) {
      writer.Write(frame);
      if (hooks.on_frame) hooks.on_frame(frame);
    };
    run.outcome = Run(experiment, index, translation.simulation.get(), recording);
  }
  run.outcome.preparation_seconds = translation.cpu_seconds;
  run.outcome.preparation_wall_seconds = translation.wall_seconds;
  run.bundle = writer.Finish(run.outcome);
  return run;
}

std::vector<BackendRun> RunComparison(const Experiment& experiment,
                                      const std::filesystem::path& out,
                                      const ComparisonHooks& hooks, Existing existing) {
  using Clock = std::chrono::steady_clock;
  const std::filesystem::path folder = out / experiment.name;
  std::vector<std::optional<BackendRun>> kept(experiment.backends.size());
  std::vector<std::optional<Translation>> translations(experiment.backends.size());
  try {
    for (size_t i = 0; i < experiment.backends.size(); ++i) {
      PreparationListener listener;
      if (hooks.on_prepare) {
        listener = [&](std::string_view what, size_t done, size_t of) {
          hooks.on_prepare(experiment.backends[i].label, what, done, of);
        };
      }
      const CancelScope cancel(hooks.stop, std::move(listener));
      if (existing == Existing::kKeep) {
        kept[i] = KeptRun(experiment, i, folder / experiment.backends[i].label, true);
      }
      if (!kept[i]) translations[i] = TranslateFor(experiment, i);
    }
  } catch (const Cancelled&) {  // none of the others begins
  }
  std::string of_all = WarnOfIgnoredMaterials(experiment, translations);
  std::vector<BackendRun> runs;
  for (size_t i = 0; i < experiment.backends.size(); ++i) {
    const std::string& label = experiment.backends[i].label;
    if (kept[i]) {
      runs.push_back(std::move(*kept[i]));
      if (hooks.on_end) hooks.on_end(runs.back());
      continue;
    }
    if (hooks.stop.stop_requested()) {
      BackendRun& run = runs.emplace_back();
      run.label = label;
      run.outcome.kind = OutcomeKind::kCancelled;
      run.outcome.reason = "cancelled before it began";
      continue;
    }
    if (hooks.on_begin) {
      std::vector<std::string> warnings = translations[i]->warnings;
      if (!of_all.empty()) warnings.push_back(std::exchange(of_all, ""));
      hooks.on_begin(label, warnings);
    }
    RunHooks run_hooks;
    run_hooks.stop = hooks.stop;
    if (hooks.on_progress) {
      run_hooks.on_step = [&, start = Clock::now()](double time, double duration) {
        const std::chrono::duration<double> elapsed = Clock::now() - start;
        hooks.on_progress(label, time / duration, elapsed.count());
      };
    }
    runs.push_back(RunIntoBundle(experiment, i, std::move(*translations[i]), folder, run_hooks));
    if (hooks.on_end) hooks.on_end(runs.back());
  }
  return runs;
}

}  // namespace pliant
