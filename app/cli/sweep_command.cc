// sweep: one experiment at many points.

#include <fmt/format.h>

#include "app/cli/commands.h"
#include "app/cli/home.h"
#include "app/cli/interrupt.h"
#include "app/cli/output.h"
#include "app/cli/progress.h"
#include "experiments/bundles/storage.h"
#include "experiments/refinement/ladder_choice.h"
#include "experiments/sweeps/ineffective_keys.h"
#include "experiments/sweeps/run_sweep.h"
#include "experiments/sweeps/sweep.h"
#include "experiments/sweeps/sweep_lines.h"
#include "experiments/sweeps/sweep_name.h"
#include "experiments/sweeps/sweep_table.h"
#ifdef PLIANT_QT
#include "app/report/sweep_report.h"
#endif

namespace pliant {
namespace {

std::vector<SweepRun> RunWithProgress(const Sweep& sweep, const std::filesystem::path& out,
                                      const SweepOptions& options) {
  const InterruptWatch interrupt;
  Progress progress(1);
  OutcomeCounts outcomes;
  SweepHooks hooks;
  hooks.stop = interrupt.token();
  hooks.on_progress = [&](double fraction) { progress.Update(fraction); };
  hooks.on_end = [&](const SweepRun& run) {
    const RunOutcome& outcome = run.run.outcome;
    outcomes.Add(run);
    if (outcome.kind == OutcomeKind::kCompleted) return;
    progress.Say(fmt::format("{} {}: {}", sweep.points[run.point].name, run.run.label,
                             OutcomeText(outcome)));
  };
  progress.Begin(fmt::format("{}, {} runs", sweep.base.name,
                             sweep.points.size() * sweep.base.backends.size()));
  std::vector<SweepRun> runs = RunSweep(sweep, out, options, hooks);
  const std::string text = outcomes.Text();
  progress.End(text.empty() ? "nothing began" : text);
  return runs;
}

}  // namespace

int SweepCommand(const RunRequest& request, int jobs, bool resume) {
  Sweep sweep = ReadSweep(ExperimentNamed(request.file), OverridesOf(request), request.backends);
  WarnOfNoDistances(request, sweep.base);
  RequireTranslatable(sweep);
  for (const std::string& note : sweep.notes) PrintToStderr("note: " + note + "\n");
  for (const std::string& warning : WarningsOf(sweep)) PrintToStderr("warning: " + warning + "\n");
  const std::string asked = sweep.base.name;
  if (resume) {
    Rename(NameForResumedSweep(sweep, request.out), &sweep);
  } else if (!request.overwrite) {
    Rename(AnnounceName(
               request, sweep.base.name, NameForSweep(sweep, request.out),
               "--resume keeps those that have not changed and replaces the others, --overwrite "
               "replaces all"),
           &sweep);
  }
  const std::vector<SweepRun> runs = RunWithProgress(sweep, request.out, {jobs, resume});

  const SweepTable table = CollectSweep(sweep, runs);
  const std::filesystem::path folder = request.out / sweep.base.name;
  CreateFolder(folder);
  WriteFile(folder / kSweepFile, SweepCsv(sweep, table));
  for (const std::string& share : BehaviourShares(sweep, table)) fmt::print("{}\n", share);
  if (const FindingTable slopes = TableOfSlopes(sweep, table); !slopes.rows.empty()) {
    PrintTable(slopes);
  }
  for (const std::string& mend : MendsOfNoSlopes(sweep.plan())) fmt::print("{}\n", mend);
  fmt::print("table: {}\n", (folder / kSweepFile).string());
#ifdef PLIANT_QT
  WriteSweepReport(sweep, table, folder / "sweep.html");
  fmt::print("report: {}\n", (folder / "sweep.html").string());
#else
  fmt::print("no report: a build without Qt writes none\n");
#endif
  for (const std::string& problem : table.table.problems) fmt::print("problem: {}\n", problem);
  std::vector<BackendRun> all;
  for (const SweepRun& run : runs) all.push_back(run.run);
  return FinishRuns(all, request.strict, table.table.problems.empty() ? kDone : kRunFailed,
                    ElsewhereIf(request, asked, sweep.base.name));
}

}  // namespace pliant
