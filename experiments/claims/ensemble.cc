#include "experiments/claims/ensemble.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "experiments/claims/at_claim.h"
#include "models/geometry/extent.h"
#include "models/scene/number_text.h"
#include "solvers/search/random_stream.h"

namespace pliant {
namespace {

// Bodies that a hold of the scene keeps somewhere: displaced they would begin with broken holds.
std::set<int> HeldBodies(const Scene& scene) {
  std::set<int> held;
  for (const Nail& nail : scene.nails) held.insert(nail.point.body);
  for (const Attachment& attachment : scene.attachments)
    held.insert({attachment.a.body, attachment.b.body});
  for (const Slider& slider : scene.sliders) held.insert(slider.point.body);
  for (const Combination& combination : scene.combinations) {
    for (const Combination::Term& term : combination.terms) held.insert(term.point.body);
  }
  return held;
}

double Signed(RandomStream* random) { return 2.0 * random->Uniform() - 1.0; }

std::string VectorText(const Eigen::Vector3d& v) {
  return "[" + RoundTrip(v.x()) + ", " + RoundTrip(v.y()) + ", " + RoundTrip(v.z()) + "]";
}

// Along the ground either way, against gravity only upwards: below a body may be what it stands on.
Eigen::Vector3d Displaced(const Scene& scene, double most, RandomStream* random) {
  Eigen::Vector3d by = Eigen::Vector3d::Zero();
  for (int axis = 0; axis < scene.dimension; ++axis) by[axis] = most * Signed(random);
  if (scene.gravity.isZero()) return by;
  const Eigen::Vector3d up = -scene.gravity.normalized();
  const double height = by.dot(up);
  return by + (std::abs(height) - height) * up;
}

void PerturbBodies(const Experiment& experiment, double part, RandomStream* random,
                   std::vector<std::string>* overrides) {
  const Scene& scene = *experiment.scene;
  const std::set<int> held = HeldBodies(scene);
  for (size_t i = 0; i < scene.bodies.size(); ++i) {
    if (held.contains(static_cast<int>(i))) continue;
    const Body& body = scene.bodies[i];
    const double extent = ExtentOf(body.rest);
    const double speed = std::max(body.velocity.norm(), std::sqrt(scene.gravity.norm() * extent));
    Eigen::Vector3d velocity = body.velocity;
    const Eigen::Vector3d position = body.position + Displaced(scene, part * extent, random);
    for (int axis = 0; axis < scene.dimension; ++axis)
      velocity[axis] += part * speed * Signed(random);
    const std::string key = "scene.body." + body.name;
    overrides->push_back(key + ".position=" + VectorText(position));
    if (speed > 0.0) overrides->push_back(key + ".velocity=" + VectorText(velocity));
  }
}

bool SameRuns(const Claim& a, const Claim& b) {
  return *a.over == *b.over && a.horizon == b.horizon && a.set == b.set;
}

EnsembleLadder ReadEnsemble(const std::filesystem::path& file,
                            const std::vector<std::string>& overrides, std::vector<Claim> claims,
                            const RefinePlan& plan, size_t number,
                            const std::vector<const Backend*>& backends) {
  std::vector<std::string> shared = overrides;
  const std::vector<std::string>& set = claims.front().set;
  shared.insert(shared.end(), set.begin(), set.end());
  const Experiment experiment = ReadExperiment(file, shared, backends);
  EnsembleLadder ensemble{std::move(claims), {}, {experiment, {}, backends}};
  const Claim& first = ensemble.claims.front();
  const std::vector<std::string> labels = LabelsOf(ensemble.claims, experiment);
  KeepBackends(&ensemble.runs.base, labels);
  if (first.horizon) shared.push_back("run.duration=" + RoundTrip(*first.horizon));
  RefinePlan steps = plan;  // one ladder: that of the first axis, or the joint one
  if (!steps.joint) steps.axes.resize(1);
  for (int member = 1; member <= first.over->seeds; ++member) {
    std::vector<std::string> changed = shared;
    for (std::string& change : MemberOverrides(experiment, first, member))
      changed.push_back(std::move(change));
    ensemble.members.push_back(ReadLadders(file, changed, labels, steps, backends).front());
    for (SweepPoint point : ensemble.members.back().rungs.points) {
      point.name = "ensemble-" + std::to_string(number) + "/member-" + std::to_string(member) +
                   "/" + point.name;
      ensemble.runs.points.push_back(std::move(point));
    }
  }
  return ensemble;
}

// The number of a member on a rung; for a rate 1 where it counts and 0 where it does not.
std::optional<double> NumberOf(const Claim& claim, const std::optional<double>& value,
                               const Refinement& member, size_t rung) {
  if (claim.statistic != Statistic::kRate) return value;
  if (claim.met->outcome) {
    const auto run = std::ranges::find(member.runs, claim.of, &RefinedRun::label);
    return ToString(run->outcomes[rung].kind) == *claim.met->outcome ? 1.0 : 0.0;
  }
  if (!value) return std::nullopt;
  return claim.met->lower <= *value && *value <= claim.met->upper ? 1.0 : 0.0;
}

// The number of one member as if it were claimed of a single run.
Claim OfOneMember(Claim claim) {
  claim.over.reset();
  if (claim.met && claim.met->outcome) claim.outcome = claim.met->outcome;
  return claim;
}

std::optional<Interval> IntervalOf(const Claim& claim, const std::vector<double>& values) {
  const int n = static_cast<int>(values.size());
  const double least = *std::ranges::min_element(values);
  const double most = *std::ranges::max_element(values);
  switch (claim.statistic) {
    case Statistic::kMean:
      return MeanInterval(values);
    case Statistic::kWorst:
      return Interval{least, most};
    case Statistic::kRate:
      return RateInterval(static_cast<int>(std::lround(MeanOf(values) * n)), n);
  }
  return std::nullopt;
}

Verdict VerdictOf(const Claim& claim, const std::optional<Interval>& interval) {
  if (!interval) return Verdict::kCannotBeToldApart;
  if (claim.lower <= interval->lower && interval->upper <= claim.upper) return Verdict::kHolds;
  // One member outside settles what is said of the worst.
  const bool outside = interval->upper < claim.lower || interval->lower > claim.upper;
  if (outside || claim.statistic == Statistic::kWorst) return Verdict::kFails;
  return Verdict::kCannotBeToldApart;
}

// The least number of members from which on the verdict no longer changes.
size_t DecidingMembers(const Claim& claim, const std::vector<double>& values, Verdict verdict) {
  size_t deciding = values.size();
  while (deciding > 1) {
    const std::vector<double> fewer(values.begin(),
                                    values.begin() + static_cast<std::ptrdiff_t>(deciding - 1));
    if (VerdictOf(claim, IntervalOf(claim, fewer)) != verdict) break;
    --deciding;
  }
  return deciding;
}

std::string DecidedInWords(size_t deciding, size_t members) {
  const std::string all = std::to_string(members);
  if (deciding == members) return "it takes all " + all + " members to say so";
  return "the first " + std::to_string(deciding) + " of the " + all + " members already say so";
}

// How many members would tell, were all others like these.
std::string MoreMembers(const Claim& claim, const std::vector<double>& values) {
  const int n = static_cast<int>(values.size());
  std::optional<int> needed;
  for (const double bound : {claim.lower, claim.upper}) {
    if (!std::isfinite(bound)) continue;
    const std::optional<int> of_bound =
        claim.statistic == Statistic::kMean
            ? MembersForMean(values, bound)
            : MembersForRate(static_cast<int>(std::lround(MeanOf(values) * n)), n, bound);
    if (!of_bound) return "no number of members would tell: the bound is where the estimate is";
    needed = std::max(needed.value_or(0), *of_bound);
  }
  return "about " + std::to_string(needed.value_or(n)) + " members would tell";
}

std::string Percent(double share) { return Digits(100.0 * share, 3) + " %"; }

std::string StatisticText(const Claim& claim, const StatisticOfMembers& statistic, size_t members) {
  std::string text = WordOf(claim.statistic) + " " + Digits(*statistic.value, 4);
  if (claim.statistic == Statistic::kWorst) {
    text += " (others from " + Digits(statistic.interval->lower, 4) + " to " +
            Digits(statistic.interval->upper, 4) + "; 95 %: at least " +
            Percent(CoveredShare(static_cast<int>(members))) + " of all are no worse)";
  } else if (statistic.interval) {
    text += " (95 %: " + Digits(statistic.interval->lower, 4) + " to " +
            Digits(statistic.interval->upper, 4) + ")";
  }
  return text;
}

double WorstOf(const Claim& claim, const Interval& range) {
  if (!std::isfinite(claim.upper)) return range.lower;
  if (!std::isfinite(claim.lower)) return range.upper;
  const double middle = 0.5 * (claim.lower + claim.upper);
  return middle - range.lower > range.upper - middle ? range.lower : range.upper;
}

// Of all rungs from that of the file on.
Verdict VerdictOfRungs(const std::vector<StatisticOfMembers>& rungs, size_t file_rung) {
  const auto from_file = rungs.begin() + static_cast<std::ptrdiff_t>(file_rung);
  const auto is = [](Verdict verdict) {
    return [verdict](const StatisticOfMembers& rung) { return rung.verdict == verdict; };
  };
  if (std::all_of(from_file, rungs.end(), is(Verdict::kHolds))) return Verdict::kHolds;
  if (std::all_of(from_file, rungs.end(), is(Verdict::kFails))) return Verdict::kFails;
  const bool fails_finer = std::any_of(from_file + 1, rungs.end(), is(Verdict::kFails));
  if (from_file->verdict == Verdict::kHolds && fails_finer) return Verdict::kAtThisStepOnly;
  return fails_finer && rungs.back().verdict == Verdict::kFails ? Verdict::kFails
                                                                : Verdict::kCannotBeToldApart;
}

const std::vector<std::string>& OwnFigures() {
  static const std::vector<std::string> names = {"best_cost", "best_cost_share"};
  return names;
}

std::optional<double> FigureOfSearch(const std::string& figure, const SearchHistory& history,
                                     const SearchRecord& record) {
  const Trial* best = history.Best();
  if (best == nullptr) return std::nullopt;
  if (figure == "best_cost") return best->score.cost;
  if (figure == "best_cost_share") return best->score.cost / history.trials.front().score.cost;
  const auto term = std::ranges::find(record.terms, figure.substr(std::string("best_").size()));
  const double value = best->score.terms[static_cast<size_t>(term - record.terms.begin())];
  return std::isnan(value) ? std::nullopt : std::optional(value);
}

void RequireFigureOfSearch(const Claim& claim, const SearchRecord& record) {
  std::vector<std::string> known = OwnFigures();
  for (const std::string& term : record.terms) known.push_back("best_" + term);
  if (std::ranges::find(known, claim.figure) != known.end()) return;
  FailAt(claim.place, "a search has no figure '" + claim.figure + "'",
         DidYouMean(claim.figure, known));
}

}  // namespace

std::vector<std::string> MemberOverrides(const Experiment& experiment, const Claim& claim,
                                         int member) {
  const Ensemble& over = *claim.over;
  const std::uint64_t seed = experiment.plan.seed + static_cast<std::uint64_t>(member);
  RandomStream random(seed);
  std::vector<std::string> overrides = {"run.seed=" + std::to_string(seed)};
  if (over.perturb > 0.0) PerturbBodies(experiment, over.perturb, &random, &overrides);
  for (const std::string& key : over.vary) {
    const std::optional<double> value = NumberAt(experiment, key);
    if (!value) {
      FailAt(claim.place, "'" + key + "' is no number of the experiment",
             "name a number of [run], the scene or a backend");
    }
    overrides.push_back(key + "=" + RoundTrip(*value * (1.0 + over.perturb * Signed(&random))));
  }
  if (overrides.size() == 1) {
    FailAt(claim.place, "no member would differ: nothing is perturbed, or every body is held",
           "add perturb = 0.01, and vary = […] where every body is held");
  }
  return overrides;
}

std::vector<EnsembleLadder> ReadEnsembles(const std::filesystem::path& file,
                                          const std::vector<std::string>& overrides,
                                          const std::vector<Claim>& claims, const RefinePlan& plan,
                                          const std::vector<const Backend*>& backends) {
  std::vector<std::vector<Claim>> groups;
  for (const Claim& claim : claims) {
    if (!claim.over || claim.IsOfSearch()) continue;
    const auto group = std::ranges::find_if(
        groups, [&](const std::vector<Claim>& other) { return SameRuns(other.front(), claim); });
    (group == groups.end() ? groups.emplace_back() : *group).push_back(claim);
  }
  std::vector<EnsembleLadder> ensembles;
  for (const std::vector<Claim>& group : groups) {
    AtClaim(group.front(), [&] {
      ensembles.push_back(
          ReadEnsemble(file, overrides, group, plan, ensembles.size() + 1, backends));
    });
  }
  return ensembles;
}

StatisticOfMembers JudgeMembers(const Claim& claim,
                                const std::vector<std::optional<double>>& members) {
  StatisticOfMembers statistic;
  std::vector<double> values;
  for (const std::optional<double>& member : members) {
    if (member && std::isfinite(*member)) values.push_back(*member);
  }
  if (values.size() < members.size()) {
    statistic.why = std::to_string(members.size() - values.size()) + " of " +
                    std::to_string(members.size()) + " members lack the figure";
    return statistic;
  }
  if (values.empty()) {
    statistic.why = "there is no member";
    return statistic;
  }
  statistic.interval = IntervalOf(claim, values);
  statistic.value =
      claim.statistic == Statistic::kWorst ? WorstOf(claim, *statistic.interval) : MeanOf(values);
  statistic.verdict = VerdictOf(claim, statistic.interval);
  statistic.why = StatisticText(claim, statistic, values.size()) + "; ";
  if (statistic.verdict == Verdict::kCannotBeToldApart) {
    statistic.why += MoreMembers(claim, values);
  } else {
    statistic.why +=
        DecidedInWords(DecidingMembers(claim, values, statistic.verdict), values.size());
  }
  return statistic;
}

std::vector<VerifiedClaim> VerifyEnsemble(const EnsembleLadder& ensemble,
                                          const std::vector<Refinement>& members) {
  std::vector<Claim> single;
  for (const Claim& claim : ensemble.claims) single.push_back(OfOneMember(claim));
  std::vector<std::vector<VerifiedClaim>> of_members;
  for (const Refinement& member : members) of_members.push_back(VerifyClaims(single, member));
  const Refinement& first = members.front();
  std::vector<VerifiedClaim> verified;
  for (size_t c = 0; c < ensemble.claims.size(); ++c) {
    const Claim& claim = ensemble.claims[c];
    VerifiedClaim result{claim, first.axis, Verdict::kCannotBeToldApart, "", "1", {}, {}, {}};
    if (claim.statistic != Statistic::kRate) result.unit = of_members.front()[c].unit;
    std::vector<StatisticOfMembers> rungs;
    for (size_t rung = 0; rung < first.sizes.size(); ++rung) {
      std::vector<std::optional<double>> numbers;
      for (size_t m = 0; m < members.size(); ++m) {
        const auto& values = of_members[m][c].values;
        numbers.push_back(
            NumberOf(claim, rung < values.size() ? values[rung] : std::nullopt, members[m], rung));
      }
      rungs.push_back(JudgeMembers(claim, numbers));
      result.values.push_back(rungs.back().value);
      result.why += (result.why.empty() ? "" : "; ") + std::string("at size ") +
                    Digits(first.sizes[rung]) + " " + rungs.back().why;
    }
    result.at_file = rungs[first.file_rung].value;
    result.verdict = VerdictOfRungs(rungs, first.file_rung);
    verified.push_back(std::move(result));
  }
  return verified;
}

std::vector<VerifiedClaim> VerifySearches(const std::vector<Claim>& claims,
                                          const SearchRecord& record) {
  std::vector<VerifiedClaim> verified;
  for (const Claim& claim : claims) {
    RequireFigureOfSearch(claim, record);
    std::vector<std::optional<double>> numbers;
    for (size_t s = 0; s < record.searches.size(); ++s) {
      const bool wanted = record.searches[s].label == claim.of &&
                          numbers.size() < static_cast<size_t>(claim.over->seeds);
      if (!wanted) continue;
      auto number = FigureOfSearch(claim.figure, record.histories[s], record);
      if (number && claim.statistic == Statistic::kRate)
        number = claim.met->lower <= *number && *number <= claim.met->upper ? 1.0 : 0.0;
      numbers.push_back(number);
    }
    const StatisticOfMembers statistic = JudgeMembers(claim, numbers);
    verified.push_back({claim,
                        "seeds, at the step of the file",
                        statistic.verdict,
                        statistic.why,
                        "1",
                        {statistic.value},
                        statistic.value,
                        {}});
  }
  return verified;
}

}  // namespace pliant
