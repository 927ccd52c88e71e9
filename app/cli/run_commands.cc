// run and compare: one experiment, its backends one after the other.

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/commands.h"
#include "app/cli/interrupt.h"
#include "app/cli/output.h"
#include "app/cli/progress.h"
#include "experiments/experiment/experiment.h"
#include "experiments/run/comparison.h"

namespace pliant {
namespace {

// The reason alone where it says the kind of outcome itself ("diverged at step 6: …").
std::string OutcomeText(const RunOutcome& outcome) {
  const std::string kind(ToString(outcome.kind));
  if (outcome.reason.empty()) return kind;
  if (outcome.reason.find(kind) != std::string::npos) return outcome.reason;
  return kind + ": " + outcome.reason;
}

Experiment ReadRequested(const RunRequest& request) {
  std::vector<std::string> overrides = request.overrides;
  if (request.seed) overrides.push_back(fmt::format("run.seed={}", *request.seed));
  Experiment experiment = ReadExperiment(request.file, overrides);
  KeepBackends(&experiment, request.backends);
  return experiment;
}

std::vector<BackendRun> RunWithProgress(const Experiment& experiment,
                                        const std::filesystem::path& out) {
  const InterruptWatch interrupt;
  Progress progress(static_cast<int>(experiment.backends.size()));
  ComparisonHooks hooks;
  hooks.stop = interrupt.token();
  hooks.on_begin = [&](const std::string& label) { progress.Begin(label); };
  hooks.on_progress = [&](const std::string&, double fraction, double) {
    progress.Update(fraction);
  };
  hooks.on_end = [&](const BackendRun& run) {
    progress.End(OutcomeText(run.outcome));
    for (const std::string& warning : run.warnings) {
      fmt::print(stderr, "      warning: {}\n", warning);
    }
  };
  return RunComparison(experiment, out, hooks);
}

// A refusal is an answer, unless nothing ran at all.
int StatusOf(const std::vector<BackendRun>& runs) {
  bool any_ran = false;
  for (const BackendRun& run : runs) {
    switch (run.outcome.kind) {
      case OutcomeKind::kDiverged:
      case OutcomeKind::kCancelled:
        return kRunFailed;
      case OutcomeKind::kCompleted:
      case OutcomeKind::kNotConverged:
        any_ran = true;
        break;
      case OutcomeKind::kUnsupported:
        break;
    }
  }
  return any_ran ? kDone : kRunFailed;
}

}  // namespace

int RunCommand(const RunRequest& request) {
  const Experiment experiment = ReadRequested(request);
  const std::vector<BackendRun> runs = RunWithProgress(experiment, request.out);
  for (const BackendRun& run : runs) {
    if (!run.bundle.empty()) fmt::print("{}\n", run.bundle.string());
  }
  return StatusOf(runs);
}

int CompareCommand(const RunRequest& request) {
  const Experiment experiment = ReadRequested(request);
  const std::vector<BackendRun> runs = RunWithProgress(experiment, request.out);
  std::vector<std::filesystem::path> bundles;
  for (const BackendRun& run : runs) {
    if (!run.bundle.empty()) bundles.push_back(run.bundle);
  }
  if (!bundles.empty()) {
    fmt::print("{}: {}\n\n", experiment.name, experiment.title);
    const int shown = PrintTableAndReport(bundles, request.out / experiment.name / "report.html");
    if (shown != kDone) return shown;
  }
  return StatusOf(runs);
}

}  // namespace pliant
