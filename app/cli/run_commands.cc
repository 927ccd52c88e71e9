// run, compare and script: one experiment, its backends one after the other.

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "app/cli/commands.h"
#include "app/cli/home.h"
#include "app/cli/interrupt.h"
#include "app/cli/output.h"
#include "app/cli/progress.h"
#include "experiments/bundles/storage.h"
#include "experiments/comparison/chosen_figures.h"
#include "experiments/comparison/comparison.h"
#include "experiments/comparison/kept_run.h"
#include "experiments/files/chosen_backends.h"
#include "experiments/files/static_experiment.h"
#include "experiments/refinement/error_split.h"
#include "experiments/refinement/ladder_choice.h"
#include "experiments/runs/run_cost.h"
#include "experiments/scripts/script.h"

namespace pliant {
namespace {

constexpr size_t kShownEvents = 12;
constexpr double kPace = 0.5;        // s, from which the time that a run takes is estimated
constexpr double kMuchSlower = 5.0;  // from one estimate to the next, so that it is said again

// What happened on the way: bodies that collapsed, connections, edges that broke.
void PrintEvents(const std::vector<SimulationEvent>& events) {
  const size_t shown = std::min(events.size(), kShownEvents);
  for (size_t i = 0; i < shown; ++i) {
    PrintToStderr(fmt::format("      at {:.6g} s: {}\n", events[i].time, events[i].what));
  }
  if (events.size() > shown) {
    PrintToStderr(
        fmt::format("      and {} more events, in summary.json\n", events.size() - shown));
  }
}

Experiment ReadRequested(const RunRequest& request) {
  const std::filesystem::path file = ExperimentNamed(request.file);
  if (request.load_steps)
    return ReadStaticExperiment(file, OverridesOf(request), *request.load_steps);
  Experiment experiment = ReadExperimentOf(file, OverridesOf(request), request.backends);
  WarnOfNoDistances(request, experiment);
  return experiment;
}

// Where its runs replace nothing, unless that is asked for.
Experiment Placed(Experiment experiment, const RunRequest& request) {
  if (!request.overwrite) {
    experiment.name = AnnounceName(request, experiment.name, NameForRuns(experiment, request.out));
  }
  return experiment;
}

std::vector<BackendRun> RunWithProgress(const Experiment& experiment,
                                        const std::filesystem::path& out) {
  InterruptWatch interrupt;
  interrupt.EndAtOnce(true);  // all are prepared before the first one runs
  Progress progress(static_cast<int>(experiment.backends.size()));
  ComparisonHooks hooks;
  hooks.stop = interrupt.token();
  hooks.on_prepare = [&](const std::string& label, std::string_view what, size_t done, size_t of) {
    progress.Prepare(label, what, done, of);
  };
  double said = 0.0;  // s that were said to be left
  hooks.on_begin = [&](const std::string& label, const std::vector<std::string>& warnings) {
    interrupt.EndAtOnce(false);
    progress.Begin(label);
    for (const std::string& warning : warnings) progress.Say("warning: " + warning);
    const double used = MemoryInUse(), all = MemoryOfMachine();
    if (all > 0.0 && used > kLargeShare * all) {
      progress.Say("takes " + BytesText(used) + " of the " + BytesText(all) +
                   " of memory of this machine");
    }
    said = 0.0;
  };
  hooks.on_progress = [&](const std::string&, double fraction, double elapsed) {
    if (elapsed > kPace && fraction > 0.0) {
      const double left = elapsed / fraction - elapsed;
      if (left > std::max(kLongRun, kMuchSlower * said)) {
        progress.Say((said > 0.0 ? "its steps have become slower, as in contact: takes about "
                                 : "takes about ") +
                     DurationText(left) + " more; Ctrl-C ends it and keeps what is recorded");
        said = left;
      }
    }
    progress.Update(fraction);
  };
  hooks.on_end = [&](const BackendRun& run) {
    if (const std::string sunk = SunkInWords(run.outcome); !sunk.empty())
      progress.Say("warning: " + sunk);
    progress.End(OutcomeText(run.outcome));
    PrintEvents(run.outcome.events);
  };
  return RunComparison(experiment, out, hooks);
}

// Runs it and prints its bundles.
int RunAndPrint(const Experiment& experiment, const RunRequest& request) {
  const Experiment placed = Placed(experiment, request);
  const std::vector<BackendRun> runs = RunWithProgress(placed, request.out);
  for (const BackendRun& run : runs) {
    if (!run.bundle.empty()) fmt::print("{}\n", run.bundle.string());
  }
  return FinishRuns(runs, request.strict, kDone,
                    ElsewhereIf(request, experiment.name, placed.name));
}

// Runs the first of the ladders, since of several axes the numbers of a table have the limit of one; with a reference
// all of them, each of which is a part of the error.
std::vector<Refinement> LimitsOf(std::vector<Ladder> ladders, bool has_reference,
                                 const std::filesystem::path& out) {
  if (ladders.empty()) return {};
  if (!has_reference) ladders.resize(1);
  const InterruptWatch interrupt;
  Progress progress(1);
  SweepHooks hooks;
  hooks.stop = interrupt.token();
  hooks.on_progress = [&](double fraction) { progress.Update(fraction); };
  progress.Begin("refined in " + ladders.front().axis);
  const int jobs = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  std::vector<Refinement> limits = RunLadders(ladders, out, jobs, hooks);
  progress.End(limits.empty() ? "stopped: no limits" : "completed");
  return limits;
}

}  // namespace

int RunCommand(const RunRequest& request) { return RunAndPrint(ReadRequested(request), request); }

int ScriptCommand(const RunRequest& request, const std::filesystem::path& write) {
  const Script script = ReadScript(request.file);
  if (!write.empty()) WriteFile(write, script.toml);
  if (script.debug) fmt::print("{}\n", script.toml);
  return RunAndPrint(script.experiment, request);
}

int CompareCommand(const RunRequest& request, bool refined) {
  const Experiment read = ReadRequested(request), experiment = Placed(read, request);
  std::vector<Ladder> ladders;
  if (refined)
    ladders = ReadLadders(ExperimentNamed(request.file), OverridesOf(request), request.backends);
  const std::vector<BackendRun> runs = RunWithProgress(experiment, request.out);
  int shown = kDone;
  std::vector<std::filesystem::path> bundles;
  for (const BackendRun& run : runs) {
    if (!run.bundle.empty()) bundles.push_back(run.bundle);
  }
  if (!bundles.empty()) {
    fmt::print("{}: {}\n\n", experiment.name, experiment.title);
    const bool has_reference = !experiment.reference.empty();
    const std::vector<Refinement> limits =
        LimitsOf(std::move(ladders), has_reference, request.out / "refined");
    const auto amend = [&](ComparisonTable* table) {
      if (!limits.empty()) AddLimits(limits.front(), table);
      if (has_reference) {
        for (const Refinement& refinement : limits) AddErrorSplit(refinement, table);
      }
      KeepChosen(request.only, table);
    };
    shown = PrintTableAndReport(bundles, request.out / experiment.name / "report.html", amend);
  }
  return FinishRuns(runs, request.strict, shown, ElsewhereIf(request, read.name, experiment.name));
}

}  // namespace pliant
