// refine and verify: one experiment on ladders of finer runs.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iterator>
#include <map>
#include <set>
#include <thread>

#include "app/cli/commands.h"
#include "app/cli/home.h"
#include "app/cli/interrupt.h"
#include "app/cli/output.h"
#include "app/cli/progress.h"
#include "experiments/bundles/manifest.h"
#include "experiments/bundles/sha256.h"
#include "experiments/bundles/storage.h"
#include "experiments/claims/ensemble.h"
#include "experiments/claims/verify.h"
#include "experiments/files/listing.h"
#include "experiments/refinement/refinement.h"
#include "experiments/searches/run_searches.h"
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

// Claims of single runs, of the file with the same changes.
struct SingleRuns {
  std::vector<Claim> claims;
  std::vector<Ladder> ladders;
};

// An experiment whose claims are asked for.
struct Verified {
  std::filesystem::path file;
  Experiment experiment;
  std::vector<SingleRuns> singles;
  std::vector<EnsembleLadder> ensembles;
  std::vector<Claim> of_searches;

  bool empty() const { return singles.empty() && ensembles.empty() && of_searches.empty(); }
};

Verified ReadClaims(const std::filesystem::path& file, const RefineRequest& request, bool quick) {
  Verified verified{file, ReadExperiment(file, OverridesOf(request.run)), {}, {}, {}};
  RequireMeasurable(verified.experiment);
  std::vector<Claim> of_ensembles;
  for (const Claim& claim : verified.experiment.claims) {
    if (quick && !claim.quick) continue;
    if (claim.IsOfSearch()) {
      verified.of_searches.push_back(claim);
    } else if (claim.over) {
      of_ensembles.push_back(claim);
    } else {
      const auto group = std::ranges::find_if(verified.singles, [&](const SingleRuns& other) {
        return other.claims.front().set == claim.set;
      });
      (group == verified.singles.end() ? verified.singles.emplace_back() : *group)
          .claims.push_back(claim);
    }
  }
  RefinePlan plan = PlanOf(verified.experiment, request);
  if (quick) {
    plan.levels = 2;
    plan.coarser = 0;
  }
  verified.ensembles = ReadEnsembles(file, OverridesOf(request.run), of_ensembles, plan);
  for (const EnsembleLadder& ensemble : verified.ensembles) RequireTranslatable(ensemble.runs);
  for (SingleRuns& single : verified.singles) {
    const std::vector<std::string>& set = single.claims.front().set;
    std::vector<std::string> overrides = OverridesOf(request.run);
    overrides.insert(overrides.end(), set.begin(), set.end());
    single.ladders =
        ReadLadders(file, overrides, LabelsOf(single.claims, verified.experiment), plan);
    for (Ladder& ladder : single.ladders) {
      RequireTranslatable(ladder.rungs);
      // What is changed runs beside the file's own rungs.
      const size_t number = static_cast<size_t>(&single - verified.singles.data());
      for (SweepPoint& point : ladder.rungs.points) {
        if (!set.empty()) point.name = "set-" + std::to_string(number) + "/" + point.name;
      }
    }
  }
  return verified;
}

bool NeedsYardstick(const Verified& verified) {
  return std::ranges::any_of(verified.singles, [](const SingleRuns& single) {
    return std::ranges::any_of(single.claims, IsDistance);
  });
}

// Sees to it that the yardsticks of all rungs are kept, where a claim is about a distance to them. Of several rungs of
// one scene the file's own is asked, as `pliant yardstick` does: its step is the coarsest.
void MakeYardsticks(const Verified& verified, const RefineRequest& request,
                    const std::stop_token& stop, Progress* progress) {
  std::vector<const SingleRuns*> measured;
  for (const SingleRuns& single : verified.singles) {
    if (std::ranges::any_of(single.claims, IsDistance)) measured.push_back(&single);
  }
  if (measured.empty()) return;
  progress->Begin(verified.experiment.name + ", yardstick");
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
  for (const SingleRuns* single : measured) {
    for (const Ladder& ladder : single->ladders) {
      for (const SweepPoint& point : ladder.rungs.points) make(point.experiment);
    }
  }
  progress->End("kept");
}

// Runs all members of an ensemble, several at a time; nothing after a stop.
std::vector<VerifiedClaim> RunEnsemble(const EnsembleLadder& ensemble, const RefineRequest& request,
                                       const std::stop_token& stop, Progress* progress) {
  SweepHooks hooks;
  hooks.stop = stop;
  hooks.on_progress = [&](double fraction) { progress->Update(fraction); };
  const std::vector<SweepRun> runs =
      RunSweep(ensemble.runs, request.run.out, {JobsOf(request.jobs), true, true}, hooks);
  if (stop.stop_requested()) return {};
  const size_t of_member = runs.size() / ensemble.members.size();
  const size_t rungs = ensemble.members.front().rungs.points.size();
  std::vector<Refinement> members;
  for (size_t m = 0; m < ensemble.members.size(); ++m) {
    const auto begin = runs.begin() + static_cast<std::ptrdiff_t>(m * of_member);
    std::vector<SweepRun> own(begin, begin + static_cast<std::ptrdiff_t>(of_member));
    for (SweepRun& run : own) run.point -= m * rungs;
    members.push_back(CollectLadder(ensemble.members[m], own));
  }
  return VerifyEnsemble(ensemble, members);
}

// Searches from as many seeds as the claims name, unless this program has done so before; nothing after a stop.
std::vector<VerifiedClaim> RunSearchesOf(const Verified& verified, const RefineRequest& request,
                                         const std::stop_token& stop, Progress* progress) {
  int seeds = 0;
  std::set<std::string> labels;
  for (const Claim& claim : verified.of_searches) {
    seeds = std::max(seeds, claim.over->seeds);
    labels.insert(claim.of);
  }
  std::vector<std::string> overrides = OverridesOf(request.run);
  overrides.push_back("optimize.restarts=" + std::to_string(seeds));
  SearchPlan plan = ReadSearchPlan(ReadExperiment(verified.file, overrides));
  std::erase_if(plan.searches,
                [&](const SearchChoice& choice) { return !labels.contains(choice.label); });
  SearchesHooks hooks;
  hooks.stop = stop;
  const auto total = static_cast<double>(plan.trials) * static_cast<double>(plan.searches.size());
  double done = 0.0;
  hooks.on_trial = [&](size_t, const Trial&) { progress->Update(++done / total); };
  const std::string address = Sha256OfText(ExecutableSha256() + plan.Resolved()).substr(0, 16);
  const std::filesystem::path folder = request.run.out / "searches" / address;
  const bool resume = std::filesystem::exists(folder);
  const SearchesResult result = RunSearches(plan, folder, JobsOf(request.jobs), resume, hooks);
  if (stop.stop_requested()) return {};
  return VerifySearches(verified.of_searches, ReadSearchRecord(result.folder));
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
    if (!verified.empty()) {
      asked.push_back(std::move(verified));
    } else if (!all) {
      throw FileError(path.string() + ": has no [[claim]]" + (quick ? " that is quick" : "") +
                      " to verify; docs/claims.md says how to write one");
    }
  }
  const InterruptWatch interrupt;
  size_t parts = 0;
  for (const Verified& one : asked)
    parts += one.singles.size() + one.ensembles.size() + (NeedsYardstick(one) ? 1 : 0) +
             (one.of_searches.empty() ? 0 : 1);
  Progress progress(static_cast<int>(parts));
  FindingTable times{"Time of each", {"experiment", "seconds", "claims"}, {}, ""};
  std::map<std::string, int> verdicts;
  int status = kDone;
  for (const Verified& one : asked) {
    const Clock::time_point began = Clock::now();
    MakeYardsticks(one, request, interrupt.token(), &progress);
    std::vector<Refinement> refinements;
    std::vector<VerifiedClaim> claims;
    const auto add = [&claims](std::vector<VerifiedClaim> more) {
      std::ranges::move(more, std::back_inserter(claims));
    };
    for (const SingleRuns& single : one.singles) {
      if (interrupt.token().stop_requested()) break;
      progress.Begin(one.experiment.name);
      for (Refinement& refinement :
           RunLadders(single.ladders, request, interrupt.token(), &progress)) {
        add(VerifyClaims(single.claims, refinement));
        refinements.push_back(std::move(refinement));
      }
    }
    for (const EnsembleLadder& ensemble : one.ensembles) {
      if (interrupt.token().stop_requested()) break;
      progress.Begin(one.experiment.name + ", ensemble");
      add(RunEnsemble(ensemble, request, interrupt.token(), &progress));
      progress.End("completed");
    }
    if (!one.of_searches.empty() && !interrupt.token().stop_requested()) {
      progress.Begin(one.experiment.name + ", searches");
      add(RunSearchesOf(one, request, interrupt.token(), &progress));
      progress.End("completed");
    }
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
