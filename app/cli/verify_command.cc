// refine and verify: one experiment on ladders of finer runs.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <set>
#include <thread>

#include "app/cli/commands.h"
#include "app/cli/home.h"
#include "app/cli/interrupt.h"
#include "app/cli/output.h"
#include "app/cli/progress.h"
#include "experiments/bundles/storage.h"
#include "experiments/claims/verify.h"
#include "experiments/files/listing.h"
#include "experiments/refinement/refinement.h"
#include "experiments/yardstick/yardstick.h"
#ifdef PLIANT_QT
#include "app/report/refinement_report.h"
#endif

namespace pliant {
namespace {

using Clock = std::chrono::steady_clock;

int JobsOf(const std::optional<int>& jobs) {
  return jobs.value_or(std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
}

// The axes that --in names, several of them separated by commas.
std::vector<RefinedAxis> AxesNamed(const std::vector<std::string>& words) {
  std::vector<RefinedAxis> axes;
  std::vector<std::string> known;
  for (const auto& [word, axis] : WordsOf(RefinedAxis())) known.push_back(word);
  for (const std::string& word : words) {
    const auto found = std::find(known.begin(), known.end(), word);
    if (found == known.end()) {
      throw BadInput({"in", "there is no axis '" + word + "'", DidYouMean(word, known)});
    }
    axes.push_back(WordsOf(RefinedAxis())[static_cast<size_t>(found - known.begin())].second);
  }
  return axes;
}

// The plan of the file with what the command line says instead; throws BadInput.
RefinePlan PlanOf(const Experiment& experiment, const RefineRequest& request) {
  RefinePlan plan = experiment.refine;
  if (!request.axes.empty()) plan.axes = AxesNamed(request.axes);
  plan.joint = plan.joint || request.joint;
  plan.levels = request.levels.value_or(plan.levels);
  plan.coarser = request.coarser.value_or(plan.coarser);
  plan.ratio = request.ratio.value_or(plan.ratio);
  if (plan.coarser >= plan.levels) {
    throw BadInput(
        {"coarser",
         fmt::format("{} of {} rungs are coarser than the file", plan.coarser, plan.levels),
         "one rung must be the file as it is"});
  }
  return plan;
}

// Runs and reads one ladder after the other; nothing after a stop.
std::vector<Refinement> RunLadders(const std::vector<Ladder>& ladders, const RefineRequest& request,
                                   const std::stop_token& stop, Progress* progress) {
  std::vector<Refinement> refinements;
  std::map<std::string, int> outcomes;
  for (size_t i = 0; i < ladders.size(); ++i) {
    SweepHooks hooks;
    hooks.stop = stop;
    hooks.on_progress = [&](double fraction) {
      progress->Update((static_cast<double>(i) + fraction) / static_cast<double>(ladders.size()));
    };
    hooks.on_end = [&](const SweepRun& run) {
      ++outcomes[run.kept ? "kept" : std::string(ToString(run.run.outcome.kind))];
    };
    const std::vector<SweepRun> runs =
        RunLadder(ladders[i], request.run.out, JobsOf(request.jobs), hooks);
    if (stop.stop_requested()) return {};
    refinements.push_back(CollectLadder(ladders[i], runs));
  }
  std::string text;
  for (const auto& [outcome, count] : outcomes) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, outcome);
  }
  progress->End(text);
  return refinements;
}

void WriteReportOf([[maybe_unused]] const Experiment& experiment,
                   [[maybe_unused]] const std::vector<Refinement>& refinements,
                   [[maybe_unused]] const std::vector<VerifiedClaim>& claims,
                   const std::filesystem::path& html) {
#ifdef PLIANT_QT
  WriteRefinementReport(experiment, refinements, claims, html);
  fmt::print("report: {}\n", html.string());
#else
  fmt::print("no report: {} is not written by a build without Qt\n", html.string());
#endif
}

// An experiment whose claims are asked for.
struct Verified {
  std::filesystem::path file;
  Experiment experiment;
  std::vector<Claim> claims;
  std::vector<Ladder> ladders;
};

Verified ReadClaims(const std::filesystem::path& file, const RefineRequest& request, bool quick) {
  Verified verified{file, ReadExperiment(file, OverridesOf(request.run)), {}, {}};
  RequireMeasurable(verified.experiment);
  for (const Claim& claim : verified.experiment.claims) {
    if (claim.quick || !quick) verified.claims.push_back(claim);
  }
  if (verified.claims.empty()) return verified;
  RefinePlan plan = PlanOf(verified.experiment, request);
  if (quick) {
    plan.levels = 2;
    plan.coarser = 0;
  }
  verified.ladders = ReadLadders(file, OverridesOf(request.run),
                                 LabelsOf(verified.claims, verified.experiment), plan);
  for (const Ladder& ladder : verified.ladders) RequireTranslatable(ladder.rungs);
  return verified;
}

// Sees to it that the yardsticks of all rungs are kept, where a claim is about a distance to them. Of several rungs of
// one scene the file's own is asked, as `pliant yardstick` does: its step is the coarsest.
void MakeYardsticks(const Verified& verified, const RefineRequest& request,
                    const std::stop_token& stop, Progress* progress) {
  if (!std::ranges::any_of(verified.claims, IsDistance)) return;
  YardstickHooks hooks;
  hooks.stop = stop;
  hooks.on_progress = [progress](double fraction) { progress->Update(fraction); };
  std::set<std::string> made;
  const auto make = [&](const Experiment& experiment) {
    if (!MeasuresAgainstYardstick(experiment) || stop.stop_requested()) return;
    if (!made.insert(YardstickAddress(experiment)).second) return;
    const Yardstick yardstick =
        MakeYardstick(experiment, request.run.out / kYardsticksFolder, JobsOf(request.jobs), hooks);
    if (!yardstick.failure.empty())
      throw FileError(verified.file.string() + ": no yardstick: " + yardstick.failure);
  };
  make(verified.experiment);
  for (const Ladder& ladder : verified.ladders) {
    for (const SweepPoint& point : ladder.rungs.points) make(point.experiment);
  }
}

std::string CountText(const std::map<std::string, int>& verdicts) {
  std::string text;
  for (const auto& [verdict, count] : verdicts) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, verdict);
  }
  return text;
}

}  // namespace

int RefineCommand(const RefineRequest& request) {
  const std::filesystem::path file = ExperimentNamed(request.run.file);
  Experiment experiment = ReadExperiment(file, OverridesOf(request.run));
  KeepBackends(&experiment, request.run.backends);
  const std::vector<Ladder> ladders = ReadLadders(
      file, OverridesOf(request.run), request.run.backends, PlanOf(experiment, request));
  for (const Ladder& ladder : ladders) RequireTranslatable(ladder.rungs);
  const InterruptWatch interrupt;
  Progress progress(1);
  progress.Begin(experiment.name);
  const std::vector<Refinement> refinements =
      RunLadders(ladders, request, interrupt.token(), &progress);
  if (interrupt.token().stop_requested()) return kRunFailed;
  const std::filesystem::path folder = request.run.out / experiment.name;
  int status = kDone;
  for (const Refinement& refinement : refinements) {
    fmt::print("{}, refined in {}:\n{}", experiment.name, refinement.axis,
               RefinementText(refinement));
    const std::filesystem::path json = folder / ("refine-" + refinement.axis + ".json");
    WriteFile(json, RefinementJson(refinement, experiment.name));
    fmt::print("data: {}\n", json.string());
    for (const std::string& problem : refinement.problems) fmt::print("problem: {}\n", problem);
    bool any = false;
    for (const RefinedRun& run : refinement.runs) any = any || run.decides();
    if (!any || !refinement.problems.empty()) status = kRunFailed;
  }
  WriteReportOf(experiment, refinements, {}, folder / "refine.html");
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
  std::vector<Verified> asked;
  for (const std::filesystem::path& path : paths) {
    Verified verified = ReadClaims(path, request, quick);
    if (!verified.claims.empty()) {
      asked.push_back(std::move(verified));
    } else if (!all) {
      throw FileError(path.string() + ": has no [[claim]]" + (quick ? " that is quick" : "") +
                      " to verify; docs/claims.md says how to write one");
    }
  }
  const InterruptWatch interrupt;
  Progress progress(static_cast<int>(asked.size()));
  FindingTable times{"Time of each", {"experiment", "seconds", "claims"}, {}, ""};
  std::map<std::string, int> verdicts;
  int status = kDone;
  for (const Verified& one : asked) {
    const Clock::time_point began = Clock::now();
    progress.Begin(one.experiment.name);
    MakeYardsticks(one, request, interrupt.token(), &progress);
    const std::vector<Refinement> refinements =
        RunLadders(one.ladders, request, interrupt.token(), &progress);
    if (interrupt.token().stop_requested()) {
      PrintToStderr("pliant: stopped; the same command goes on where it was\n");
      return kRunFailed;
    }
    std::vector<VerifiedClaim> claims;
    for (const Refinement& refinement : refinements) {
      for (VerifiedClaim& claim : VerifyClaims(one.claims, refinement))
        claims.push_back(std::move(claim));
    }
    const std::filesystem::path folder = request.run.out / one.experiment.name;
    fmt::print("{}: {}\n{}", one.experiment.name, one.experiment.title, ClaimsText(claims));
    WriteFile(folder / "claims.json", ClaimsJson(claims, one.experiment.name));
    WriteReportOf(one.experiment, refinements, claims, folder / "claims.html");
    for (const VerifiedClaim& claim : claims) {
      ++verdicts[std::string(ToString(claim.verdict))];
      if (claim.verdict != Verdict::kHolds) status = kRunFailed;
    }
    std::fflush(stdout);  // in step with the progress on stderr
    const std::chrono::duration<double> took = Clock::now() - began;
    times.rows.push_back(
        {one.experiment.name, fmt::format("{:.1f}", took.count()), std::to_string(claims.size())});
  }
  if (asked.size() > 1) PrintTable(times);
  fmt::print("claims: {}\n", CountText(verdicts));
  return status;
}

}  // namespace pliant
