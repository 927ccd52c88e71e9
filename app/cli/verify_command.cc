// refine and verify: one experiment on ladders of finer runs.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>

#include "app/cli/commands.h"
#include "app/cli/home.h"
#include "app/cli/interrupt.h"
#include "app/cli/output.h"
#include "app/cli/progress.h"
#include "experiments/bundles/storage.h"
#include "experiments/claims/claimed_experiment.h"
#include "experiments/comparison/chosen_figures.h"
#include "experiments/comparison/kept_run.h"
#include "experiments/files/chosen_backends.h"
#include "experiments/files/listing.h"
#include "experiments/refinement/moved_probes.h"
#include "experiments/refinement/refinement.h"
#ifdef PLIANT_QT
#include "app/report/refinement_report.h"
#endif

namespace pliant {
namespace {

using Clock = std::chrono::steady_clock;

int JobsOf(const std::optional<int>& jobs) {
  return jobs.value_or(std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
}

void WriteReportOf([[maybe_unused]] const Experiment& experiment,
                   [[maybe_unused]] const std::vector<Refinement>& refinements,
                   [[maybe_unused]] const std::vector<VerifiedClaim>& claims,
                   const std::filesystem::path& html,
                   [[maybe_unused]] const std::vector<std::string>& only = {}) {
#ifdef PLIANT_QT
  WriteRefinementReport(experiment, refinements, claims, html, only);
  fmt::print("report: {}\n", html.string());
#else
  fmt::print("no report: {} is not written by a build without Qt\n", html.string());
#endif
}

// "" or "-2", "-3", …: the first with which no results of other backends or of other rungs are replaced.
std::string NumberForResults(const std::vector<Refinement>& refinements,
                             const std::filesystem::path& folder) {
  const std::string free = FirstFreeName("refine", [&](const std::string& name) {
    return std::ranges::all_of(refinements, [&](const Refinement& refinement) {
      const std::string file = "refine-" + refinement.axis + name.substr(6) + ".json";
      return !HoldsOthers(refinement, folder / file);
    });
  });
  const std::string number = free.substr(6);
  if (!number.empty()) {
    PrintToStderr(
        fmt::format("{}: has results of other backends or rungs, which stay; these go to "
                    "refine{}.html and the data beside it\n",
                    folder.string(), number));
  }
  return number;
}

}  // namespace

int RefineCommand(const RefineRequest& request) {
  const std::filesystem::path file = ExperimentNamed(request.run.file);
  const Experiment experiment =
      ReadExperimentOf(file, OverridesOf(request.run), request.run.backends);
  WarnOfNoDistances(request.run, experiment);
  const std::vector<Ladder> ladders = ReadLadders(
      file, OverridesOf(request.run), request.run.backends, PlanOf(experiment, request.ladder));
  for (const Ladder& ladder : ladders) {
    RequireTranslatable(ladder.rungs);
    for (const std::string& moved : MovedProbes(ladder)) PrintToStderr("warning: " + moved + "\n");
  }
  const InterruptWatch interrupt;
  Progress progress(1);
  progress.Begin(experiment.name);
  OutcomeCounts outcomes;
  SweepHooks hooks;
  hooks.stop = interrupt.token();
  hooks.on_progress = [&](double fraction) { progress.Update(fraction); };
  hooks.on_end = [&](const SweepRun& run) { outcomes.Add(run); };
  const std::vector<Refinement> refinements =
      RunLadders(ladders, request.run.out, JobsOf(request.jobs), hooks);
  if (interrupt.token().stop_requested()) return kRunFailed;
  progress.End(outcomes.Text());
  const std::filesystem::path folder = request.run.out / experiment.name;
  const std::string number = NumberForResults(refinements, folder);
  int status = kDone;
  std::vector<std::string> only;
  for (const Refinement& refinement : refinements) {
    ComparisonTable chosen;  // of the figures alone, to learn which of the texts are in no name
    chosen.columns = refinement.figures;
    KeepChosen(request.run.only, &chosen);
    only = chosen.problems.size() < request.run.only.size() ? request.run.only
                                                            : std::vector<std::string>();
    std::vector<std::string> problems = refinement.problems;
    problems.insert(problems.end(), chosen.problems.begin(), chosen.problems.end());
    fmt::print("{}, refined in {}:\n{}", experiment.name, refinement.axis,
               RefinementText(refinement, only));
    const std::filesystem::path json = folder / ("refine-" + refinement.axis + number + ".json");
    WriteFile(json, RefinementJson(refinement, experiment.name));
    fmt::print("data: {}\n", json.string());
    for (const std::string& problem : problems) fmt::print("problem: {}\n", problem);
    bool any = false;
    for (const RefinedRun& run : refinement.runs) any = any || run.decides();
    if (!any || !problems.empty()) status = kRunFailed;
  }
  WriteReportOf(experiment, refinements, {}, folder / ("refine" + number + ".html"), only);
  return status;
}

int VerifyCommand(const std::vector<std::filesystem::path>& files, bool all, bool quick,
                  const RefineRequest& request) {
  if (files.empty() && !all) {
    throw BadInput({"FILE", "nothing to verify", "name experiment files, or give --all"});
  }
  std::vector<std::filesystem::path> paths;
  for (const std::filesystem::path& file : files) paths.push_back(ExperimentNamed(file));
  if (all) {
    for (const ListedFile& listed : ListExperiments(Home() / "experiments"))
      paths.push_back(listed.file);
  }
  std::vector<ClaimedExperiment> asked;
  const bool translates = !all;  // those that ship can be translated
  for (const std::filesystem::path& path : paths) {
    ClaimedExperiment verified =
        ReadClaims(path, OverridesOf(request.run), request.ladder, quick, translates);
    if (!verified.empty()) {
      asked.push_back(std::move(verified));
    } else if (!all) {
      throw FileError(NoClaims(path, quick));
    }
  }
  const InterruptWatch interrupt;
  int parts = 0;
  for (const ClaimedExperiment& one : asked) parts += PartsOf(one);
  Progress progress(parts);
  VerifyHooks hooks;
  hooks.stop = interrupt.token();
  hooks.on_part = [&](const std::string& what) { progress.Begin(what); };
  hooks.on_progress = [&](double fraction) { progress.Update(fraction); };
  hooks.on_part_end = [&](const std::string& words) { progress.End(words); };
  FindingTable times{"Time of each", {"experiment", "seconds", "claims"}, {}, ""};
  WordCounts verdicts;
  int status = kDone;
  for (const ClaimedExperiment& one : asked) {
    const Clock::time_point began = Clock::now();
    const auto [refinements, claims] = Verify(one, request.run.out, JobsOf(request.jobs), hooks);
    if (interrupt.token().stop_requested()) {
      PrintToStderr("pliant: stopped; the same command goes on where it was\n");
      return kRunFailed;
    }
    const std::filesystem::path folder = request.run.out / one.experiment.name;
    CreateFolder(folder);
    fmt::print("{}: {}\n{}", one.experiment.name, one.experiment.title, ClaimsText(claims));
    WriteFile(folder / "claims.json", ClaimsJson(claims, one.experiment.name));
    WriteReportOf(one.experiment, refinements, claims, folder / "claims.html");
    for (const VerifiedClaim& claim : claims) {
      verdicts.Add(ToString(claim.verdict));
      if (claim.verdict != Verdict::kHolds) status = kRunFailed;
    }
    const std::chrono::duration<double> took = Clock::now() - began;
    times.rows.push_back(
        {one.experiment.name, fmt::format("{:.1f}", took.count()), std::to_string(claims.size())});
  }
  if (asked.size() > 1) PrintTable(times);
  fmt::print("claims: {}\n", verdicts.Text());
  return status;
}

}  // namespace pliant
