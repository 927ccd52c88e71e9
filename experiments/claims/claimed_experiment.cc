#include "experiments/claims/claimed_experiment.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "experiments/bundles/manifest.h"
#include "experiments/bundles/sha256.h"
#include "experiments/claims/at_claim.h"
#include "experiments/claims/fixed_step.h"
#include "experiments/comparison/errors.h"
#include "experiments/searches/run_searches.h"
#include "experiments/yardstick/yardstick.h"

namespace pliant {
namespace {

bool HasDistance(const SingleRuns& single) {
  return std::ranges::any_of(single.claims,
                             [](const Claim& claim) { return IsAgainstReference(claim.figure); });
}

// Sees to it that the yardsticks of all rungs are kept, where a claim is about a distance to them. Of several rungs of
// one scene the file's own is asked, as `pliant yardstick` does: its step is the coarsest.
void MakeYardsticks(const ClaimedExperiment& claimed, const std::filesystem::path& out, int jobs,
                    const VerifyHooks& hooks) {
  YardstickHooks of_yardstick;
  of_yardstick.stop = hooks.stop;
  of_yardstick.on_progress = hooks.on_progress;
  std::set<std::string> made;
  const auto make = [&](const Experiment& experiment) {
    if (!MeasuresAgainstYardstick(experiment) || hooks.stop.stop_requested()) return;
    if (!made.insert(YardstickAddress(experiment)).second) return;
    const Yardstick yardstick =
        MakeYardstick(experiment, out / kYardsticksFolder, jobs, of_yardstick);
    if (!yardstick.failure.empty())
      throw FileError(claimed.file.string() + ": no yardstick: " + yardstick.failure);
  };
  make(claimed.experiment);
  for (const SingleRuns& single : claimed.singles) {
    if (!HasDistance(single)) continue;
    for (const Ladder& ladder : single.ladders) {
      for (const SweepPoint& point : ladder.rungs.points) make(point.experiment);
    }
  }
}

SweepHooks OfRuns(const VerifyHooks& hooks) {
  SweepHooks of_runs;
  of_runs.stop = hooks.stop;
  of_runs.on_progress = hooks.on_progress;
  return of_runs;
}

// Runs all members of an ensemble, several at a time; nothing after a stop.
std::vector<VerifiedClaim> RunEnsemble(const EnsembleLadder& ensemble,
                                       const std::filesystem::path& out, int jobs,
                                       const VerifyHooks& hooks) {
  const std::vector<SweepRun> runs =
      RunSweep(ensemble.runs, out, {jobs, true, true}, OfRuns(hooks));
  if (hooks.stop.stop_requested()) return {};
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
std::vector<VerifiedClaim> RunSearchesOf(const ClaimedExperiment& claimed,
                                         const std::filesystem::path& out, int jobs,
                                         const VerifyHooks& hooks) {
  int seeds = 0;
  std::set<std::string> labels;
  for (const Claim& claim : claimed.of_searches) {
    seeds = std::max(seeds, claim.over->seeds);
    labels.insert(claim.of);
  }
  std::vector<std::string> overrides = claimed.overrides;
  overrides.push_back("optimize.restarts=" + std::to_string(seeds));
  SearchPlan plan = ReadSearchPlan(ReadExperiment(claimed.file, overrides));
  std::erase_if(plan.searches,
                [&](const SearchChoice& choice) { return !labels.contains(choice.label); });
  SearchesHooks of_searches;
  of_searches.stop = hooks.stop;
  const auto total = static_cast<double>(plan.trials) * static_cast<double>(plan.searches.size());
  double done = 0.0;
  of_searches.on_past = [&](const std::vector<SearchHistory>& past) { done += TrialsIn(past); };
  of_searches.on_trial = [&](size_t, const Trial&) {
    if (hooks.on_progress) hooks.on_progress(++done / total);
  };
  const std::string address = Sha256OfText(ExecutableSha256() + plan.Resolved()).substr(0, 16);
  const std::filesystem::path folder = out / "searches" / address;
  const bool resume = std::filesystem::exists(folder);
  const SearchesResult result = RunSearches(plan, folder, jobs, resume, of_searches);
  if (hooks.stop.stop_requested()) return {};
  return VerifySearches(claimed.of_searches, ReadSearchRecord(result.folder));
}

// One rung where the claims are about one step.
RefinePlan PlanFor(const SingleRuns& single, RefinePlan plan) {
  if (!FixesStep(single.claims.front())) return plan;
  plan.axes = {RefinedAxis::kStep};
  plan.levels = 1;
  plan.coarser = 0;
  return plan;
}

void ReadRungs(const ClaimedExperiment& claimed, const RefinePlan& plan, size_t number,
               bool translates, SingleRuns* single) {
  const Claim& first = single->claims.front();
  std::vector<std::string> changed = claimed.overrides;
  changed.insert(changed.end(), first.set.begin(), first.set.end());
  single->ladders = ReadLadders(claimed.file, changed, LabelsOf(single->claims, claimed.experiment),
                                PlanFor(*single, plan));
  for (const Claim& claim : single->claims) {
    if (claim.order && FixesStep(claim))
      FailAt(claim.place, "an order needs several steps, and the claim fixes one",
             "remove the step from set");
    if (claim.order && plan.levels < 3)
      FailAt(claim.place, "an order needs three rungs, and the ladder has two", "levels = 3");
  }
  for (Ladder& ladder : single->ladders) {
    if (translates) RequireTranslatable(ladder.rungs);
    // What is changed runs beside the file's own rungs.
    for (SweepPoint& point : ladder.rungs.points) {
      if (!first.set.empty()) point.name = "set-" + std::to_string(number) + "/" + point.name;
    }
  }
}

}  // namespace

ClaimedExperiment ReadClaims(const std::filesystem::path& file,
                             const std::vector<std::string>& overrides, const LadderChoice& choice,
                             bool quick, bool translates) {
  ClaimedExperiment claimed{file, overrides, ReadExperiment(file, overrides), {}, {}, {}};
  RequireMeasurable(claimed.experiment);
  std::vector<Claim> of_ensembles;
  for (const Claim& claim : claimed.experiment.claims) {
    if (quick && !claim.quick) continue;
    if (claim.IsOfSearch()) {
      claimed.of_searches.push_back(claim);
    } else if (claim.over) {
      of_ensembles.push_back(claim);
    } else {
      const auto group = std::ranges::find_if(claimed.singles, [&](const SingleRuns& other) {
        return other.claims.front().set == claim.set;
      });
      (group == claimed.singles.end() ? claimed.singles.emplace_back() : *group)
          .claims.push_back(claim);
    }
  }
  RefinePlan plan = PlanOf(claimed.experiment, choice);
  if (quick) {
    plan.levels = 2;
    plan.coarser = 0;
  }
  claimed.ensembles = ReadEnsembles(file, overrides, of_ensembles, plan);
  for (const EnsembleLadder& ensemble : claimed.ensembles) {
    if (translates) RequireTranslatable(ensemble.runs);
  }
  for (size_t number = 0; number < claimed.singles.size(); ++number) {
    SingleRuns& single = claimed.singles[number];
    AtClaim(single.claims.front(), [&] { ReadRungs(claimed, plan, number, translates, &single); });
  }
  return claimed;
}

std::string NoClaims(const std::filesystem::path& file, bool quick) {
  return file.string() + ": has no [[claim]]" + (quick ? " that is quick" : "") +
         " to verify; docs/claims.md says how to write one";
}

int PartsOf(const ClaimedExperiment& claimed) {
  const size_t others = (std::ranges::any_of(claimed.singles, HasDistance) ? 1 : 0) +
                        (claimed.of_searches.empty() ? 0 : 1);
  return static_cast<int>(claimed.singles.size() + claimed.ensembles.size() + others);
}

Verification Verify(const ClaimedExperiment& claimed, const std::filesystem::path& out, int jobs,
                    const VerifyHooks& hooks) {
  Verification made;
  const std::string& name = claimed.experiment.name;
  // Makes one part, unless it was asked to stop.
  const auto part = [&hooks](const std::string& what, const auto& make) {
    if (hooks.stop.stop_requested()) return;
    if (hooks.on_part) hooks.on_part(what);
    const std::string words = make();
    if (hooks.on_part_end && !hooks.stop.stop_requested()) hooks.on_part_end(words);
  };
  const auto add = [&made](std::vector<VerifiedClaim> more) {
    std::ranges::move(more, std::back_inserter(made.claims));
  };
  if (std::ranges::any_of(claimed.singles, HasDistance)) {
    part(name + ", yardstick", [&] {
      MakeYardsticks(claimed, out, jobs, hooks);
      return "kept";
    });
  }
  for (const SingleRuns& single : claimed.singles) {
    part(name, [&] {
      OutcomeCounts outcomes;
      SweepHooks of_runs = OfRuns(hooks);
      of_runs.on_end = [&outcomes](const SweepRun& run) { outcomes.Add(run); };
      for (Refinement& refinement : RunLadders(single.ladders, out, jobs, of_runs)) {
        add(VerifyClaims(single.claims, refinement));
        if (refinement.sizes.size() > 1) made.refinements.push_back(std::move(refinement));
      }
      return outcomes.Text();
    });
  }
  for (const EnsembleLadder& ensemble : claimed.ensembles) {
    part(name + ", ensemble", [&] {
      add(RunEnsemble(ensemble, out, jobs, hooks));
      return "completed";
    });
  }
  if (!claimed.of_searches.empty()) {
    part(name + ", searches", [&] {
      add(RunSearchesOf(claimed, out, jobs, hooks));
      return "completed";
    });
  }
  return made;
}

}  // namespace pliant
