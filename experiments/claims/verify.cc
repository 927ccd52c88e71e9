#include "experiments/claims/verify.h"

#include <algorithm>
#include <cmath>

#include "experiments/bundles/headline.h"
#include "experiments/claims/fixed_step.h"
#include "experiments/comparison/comparison_table.h"
#include "experiments/comparison/errors.h"
#include "experiments/files/yardstick_plan.h"
#include "experiments/runs/run.h"
#include "experiments/sweeps/sweep_table.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

std::optional<size_t> PlaceAmong(const std::vector<SeriesColumn>& columns,
                                 const std::string& name) {
  for (size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].name == name) return i;
  }
  return std::nullopt;
}

const BackendChoice& ChoiceOf(const Experiment& experiment, const std::string& label) {
  return *std::find_if(experiment.backends.begin(), experiment.backends.end(),
                       [&](const BackendChoice& choice) { return choice.label == label; });
}

bool IsColumn(const Claim& claim, const std::vector<SeriesColumn>& figures) {
  return claim.at.has_value() || (claim.order && !PlaceAmong(figures, claim.figure));
}

void RequireRecorded(const Claim& claim, const RunPlan& plan) {
  const double records = *claim.at / plan.record_every;
  if (std::abs(records - std::round(records)) <= 1e-6) return;
  FailAt(claim.place, "nothing is recorded at " + Digits(*claim.at) + " s",
         "records are " + Digits(plan.record_every) + " s apart; the nearest is " +
             Digits(std::round(records) * plan.record_every) + " s");
}

std::vector<std::string> NamesOf(const std::vector<SeriesColumn>& columns) {
  std::vector<std::string> names;
  for (const SeriesColumn& column : columns) names.push_back(column.name);
  return names;
}

// The headline figures of the runs of one backend.
std::vector<std::string> FiguresOfBackend(const Experiment& experiment, const std::string& label) {
  Experiment one = experiment;
  KeepBackends(&one, {label});
  one.reference = experiment.reference;
  return NamesOf(FiguresOf(one));
}

std::vector<std::string> ColumnsOfBackend(const Experiment& experiment, const std::string& label) {
  const auto index = &ChoiceOf(experiment, label) - experiment.backends.data();
  return NamesOf(ColumnsOf(experiment, static_cast<size_t>(index)));
}

bool IsAmong(const std::string& name, const std::vector<std::string>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void RequireFigureOf(const Claim& claim, const std::string& label,
                     const std::vector<SeriesColumn>& figures, const Experiment& experiment) {
  const bool is_column = IsColumn(claim, figures);
  const std::vector<std::string> columns = ColumnsOfBackend(experiment, label);
  const std::vector<std::string> known = is_column ? columns : FiguresOfBackend(experiment, label);
  if (IsAmong(claim.figure, known)) return;
  if (!claim.at && IsAmong(claim.figure, columns)) {
    FailAt(claim.place, "'" + claim.figure + "' is a column, which has a value at each time",
           "add at = …, or name a headline figure");
  }
  if (claim.at && PlaceAmong(figures, claim.figure)) {
    FailAt(claim.place,
           "'" + claim.figure + "' is a figure of the whole run, and has no value at a time",
           "remove at, or name a column");
  }
  const std::string kind = claim.at ? "column '" : "headline figure '";
  const bool of_another = !is_column && PlaceAmong(figures, claim.figure);
  FailAt(
      claim.place,
      of_another ? "'" + label + "' has no headline figure '" + claim.figure + "'"
                 : "there is no " + kind + claim.figure + "'",
      claim.at ? DidYouMean(claim.figure, known) : MendOfFigure(experiment, claim.figure, known));
}

void RequireFigure(const Claim& claim, const std::vector<SeriesColumn>& figures,
                   const Experiment& experiment) {
  if (IsCost(claim.figure)) {
    FailAt(claim.place,
           "'" + claim.figure + "' is a time of the machine, which no refinement determines",
           "claim a figure of the motion");
  }
  for (const std::string& label : claim.Labels())
    RequireFigureOf(claim, label, figures, experiment);
}

// `check` goes on without backends that could not be read; claims on them were complained about with those.
bool HasItsBackends(const Claim& claim, const Experiment& experiment) {
  const std::vector<std::string> known = LabelsOf(experiment);
  const std::vector<std::string> labels = claim.Labels();
  return std::all_of(labels.begin(), labels.end(),
                     [&known](const std::string& label) { return IsAmong(label, known); });
}

// The number of one backend on each rung.
struct Numbers {
  const RefinedRun* run = nullptr;
  std::string unit = "1";
  std::vector<std::optional<double>> values;
  std::vector<double> changes;  // of a column over time; else empty
};

Numbers NumbersOf(const Claim& claim, const std::string& label, const Refinement& refinement) {
  Numbers numbers;
  for (const RefinedRun& run : refinement.runs) {
    if (run.label == label) numbers.run = &run;
  }
  const RefinedRun& run = *numbers.run;
  numbers.values.resize(run.rungs());
  if (claim.outcome) return numbers;
  if (IsColumn(claim, refinement.figures)) {
    const std::optional<size_t> column = PlaceAmong(run.columns, claim.figure);
    if (!column) return numbers;  // another backend has it
    numbers.unit = run.columns[*column].unit;
    if (claim.at) numbers.values = ColumnAt(run, *column, *claim.at);
    if (!claim.at) numbers.changes = ChangesOf(run, *column);
    return numbers;
  }
  const size_t figure = *PlaceAmong(refinement.figures, claim.figure);
  numbers.unit = refinement.figures[figure].unit;
  for (size_t rung = 0; rung < run.rungs(); ++rung)
    numbers.values[rung] = run.figures[rung][figure];
  return numbers;
}

// Of two backends: what the claim says of both.
std::optional<double> Combined(const Claim& claim, const std::optional<double>& a,
                               const std::optional<double>& b) {
  if (!a || !b) return std::nullopt;
  if (claim.difference_to) return *a - *b;
  if (claim.ratio_to) return *a / *b;
  return *a - claim.less_than->factor * *b;
}

// How much the yardstick's own error changes a distance on the finest rung at most; 0 of other figures, absent
// where nothing bounds it.
std::optional<double> YardstickError(const Claim& claim, const std::string& label,
                                     const Refinement& refinement) {
  const std::string own = YardstickErrorName(claim.figure);
  if (own.empty()) return 0.0;
  if (refinement.yardstick_of_other_scene) return std::nullopt;
  const auto place = PlaceAmong(refinement.figures, own);
  if (!place) return 0.0;  // another reference
  const auto run = std::ranges::find(refinement.runs, label, &RefinedRun::label);
  return run->figures.back()[*place];
}

// The same of what the claim says of two distances, each of which may be off by its error: by the triangle
// inequality for differences; largest over the rectangle of both for ratios.
std::optional<double> Combined(const Claim& claim, const std::optional<double>& first_error,
                               const std::optional<double>& second_error,
                               const std::optional<double>& first,
                               const std::optional<double>& second) {
  if (!first_error || !second_error) return std::nullopt;
  if (*first_error == 0.0 && *second_error == 0.0)
    return 0.0;  // of any sign: no distances to a yardstick
  if (claim.difference_to) return *first_error + *second_error;
  if (claim.less_than) return *first_error + claim.less_than->factor * *second_error;
  if (!first || !second || !(*second > *second_error)) return std::nullopt;
  return (*first_error + std::abs(*first / *second) * *second_error) / (*second - *second_error);
}

// Of one step there is no limit: the file's own run decides, up to the yardstick's error.
void JudgeAtStep(const std::optional<double>& error, bool ran, VerifiedClaim* verified) {
  if (!ran) return;  // the reason is said
  if (!verified->at_file) {
    verified->why = "the figure is not defined";
    return;
  }
  Convergence alone;
  alone.value = *verified->at_file;
  alone.band = error;
  verified->verdict =
      Judge(verified->at_file, alone, verified->claim.lower,
            verified->claim.less_than ? std::nextafter(0.0, -1.0) : verified->claim.upper);
}

// Widens the band by the yardstick's error.
void WidenBy(const std::optional<double>& error, VerifiedClaim* verified) {
  if (error == 0.0 || !verified->convergence || !verified->convergence->band) return;
  if (!verified->why.empty()) verified->why += "; ";
  if (!error) {
    verified->convergence->band.reset();
    verified->why += "how far the yardstick itself is from the solution is not known";
    return;
  }
  *verified->convergence->band += *error;
  verified->why += "of the band " + Digits(*error, 2) + " by the yardstick's own error";
}

void JudgeOutcome(const Refinement& refinement, const RefinedRun& run, VerifiedClaim* verified) {
  const std::string& wanted = *verified->claim.outcome;
  verified->verdict = Verdict::kHolds;
  for (size_t rung = refinement.file_rung; rung < run.rungs(); ++rung) {
    const std::string outcome(ToString(run.outcomes[rung].kind));
    if (outcome == wanted) continue;
    verified->verdict = rung == refinement.file_rung ? Verdict::kFails : Verdict::kAtThisStepOnly;
    verified->why =
        "at size " + Digits(refinement.sizes[rung]) + " it ended as \"" + outcome + "\"";
    return;
  }
}

void JudgeOrder(const Refinement& refinement, const Numbers& numbers, VerifiedClaim* verified) {
  const Claim& claim = verified->claim;
  std::optional<double> order;
  if (!numbers.changes.empty()) {
    order = RegressedOrder(numbers.changes, refinement.rules.ratio,
                           RoundOffOf(*numbers.run, numbers.unit));
  } else if (verified->convergence) {
    order = verified->convergence->order;
  }
  if (!order) {
    verified->why = "no order: three rungs with differences above rounding are needed";
    return;
  }
  verified->why = "order " + Fixed(*order, 2);
  verified->verdict =
      std::abs(*order - *claim.order) <= claim.within ? Verdict::kHolds : Verdict::kFails;
}

VerifiedClaim VerifyClaim(const Claim& claim, const Refinement& refinement) {
  VerifiedClaim verified{claim, refinement.axis, Verdict::kCannotBeToldApart, "", "1", {}, {}, {}};
  Numbers first = NumbersOf(claim, claim.of, refinement);
  if (claim.outcome) {
    JudgeOutcome(refinement, *first.run, &verified);
    return verified;
  }
  verified.unit = claim.ratio_to ? "1" : first.unit;
  RefinedRun deciding = *first.run;  // rungs that count for both, rounding of both
  const std::vector<std::string> labels = claim.Labels();
  std::optional<double> error = YardstickError(claim, claim.of, refinement);
  if (labels.size() == 2) {
    const Numbers second = NumbersOf(claim, labels[1], refinement);
    error = Combined(claim, error, YardstickError(claim, labels[1], refinement),
                     first.values.back(), second.values.back());
    for (size_t rung = 0; rung < first.values.size(); ++rung) {
      first.values[rung] = Combined(claim, first.values[rung], second.values[rung]);
    }
    deciding.first = std::max(deciding.first, second.run->first);
    deciding.energy_scale = std::max(deciding.energy_scale, second.run->energy_scale);
    if (!second.run->left_out.empty())
      verified.why = labels[1] + ": left out " + second.run->left_out;
  }
  if (!first.run->left_out.empty()) verified.why = claim.of + ": left out " + first.run->left_out;
  verified.values = first.values;
  verified.at_file = first.values[refinement.file_rung];
  if (FixesStep(claim)) {
    JudgeAtStep(error, deciding.decides(), &verified);
    return verified;
  }
  verified.convergence = ConvergenceOf(refinement, deciding, first.values, verified.unit);
  if (claim.order) {
    JudgeOrder(refinement, first, &verified);
    return verified;
  }
  if (!verified.convergence && verified.why.empty())
    verified.why = "the figure is not defined on every rung";
  WidenBy(error, &verified);
  const double upper = claim.less_than ? 0.0 : claim.upper;
  verified.verdict = Judge(verified.at_file, verified.convergence, claim.lower, upper);
  return verified;
}

// Magnitudes and counts: a column or headline figure that begins so is never below 0.
constexpr const char* kNeverNegative[] = {"kinetic_energy_",    "edge_strain_",
                                          "extent_ratio",       "constraint_error_",
                                          "constraint_rate_",   "penetration_",
                                          "obstacle_depth_",    "body_depth_",
                                          "self_crossings",     "body_crossings",
                                          "condition_number",   "regularisation",
                                          "iterations",         "made_energy_",
                                          "momentum_residual_", "angular_momentum_residual_",
                                          "momentum_drift_",    "energy_at_stake_",
                                          "step_time_",         "step_cpu_time_",
                                          "first_contact.",     "angular_momentum_drift_"};

// Probes measure what they like, whatever their names are.
void RequirePossibleBound(const Claim& claim, const std::vector<Probe>& probes) {
  if (!claim.SaysInterval() || claim.difference_to || claim.ratio_to || claim.met) return;
  if (!(claim.upper < 0.0)) return;
  const bool is_probe = std::ranges::any_of(
      probes, [&](const Probe& probe) { return claim.figure.starts_with(probe.name + "_"); });
  const bool is_magnitude = std::ranges::any_of(
      kNeverNegative, [&](const char* beginning) { return claim.figure.starts_with(beginning); });
  if (!is_magnitude || is_probe) return;
  FailAt(claim.place, "no '" + claim.figure + "' is " + BoundInWords(claim),
         "it is a magnitude or a count: at least 0");
}

}  // namespace

std::string_view ToString(Verdict verdict) {
  switch (verdict) {
    case Verdict::kHolds:
      return "holds";
    case Verdict::kCannotBeToldApart:
      return "cannot be told apart";
    case Verdict::kAtThisStepOnly:
      return "holds at this step only";
    case Verdict::kFails:
      return "fails";
  }
  return "";
}

Verdict Judge(const std::optional<double>& at_file, const std::optional<Convergence>& limit,
              double lower, double upper) {
  if (!limit || !limit->band) return Verdict::kCannotBeToldApart;
  const double low = limit->value - *limit->band, high = limit->value + *limit->band;
  if (lower <= low && high <= upper) return Verdict::kHolds;
  if (high >= lower && low <= upper) return Verdict::kCannotBeToldApart;
  const bool met = at_file && lower <= *at_file && *at_file <= upper;
  return met ? Verdict::kAtThisStepOnly : Verdict::kFails;
}

void RequireMeasurable(const Experiment& experiment) {
  RequireDistinctFigures(experiment);
  const std::vector<SeriesColumn> figures = FiguresOf(experiment);
  std::vector<std::string> outcomes;
  for (const OutcomeKind kind : kAllOutcomes) outcomes.emplace_back(ToString(kind));
  for (const Claim& claim : experiment.claims) {
    if (claim.IsOfSearch()) continue;  // its figures are those of the search's record
    const std::optional<std::string> outcome = claim.met ? claim.met->outcome : claim.outcome;
    if (outcome) {
      if (std::find(outcomes.begin(), outcomes.end(), *outcome) == outcomes.end()) {
        FailAt(claim.place, "no run ends as '" + *outcome + "'", DidYouMean(*outcome, outcomes));
      }
      continue;
    }
    if (!HasItsBackends(claim, experiment)) continue;
    RequireFigure(claim, figures, experiment);
    RequirePossibleBound(claim, experiment.probes);
    const double duration = claim.horizon.value_or(experiment.plan.duration);
    if (claim.at && !(*claim.at >= 0.0 && *claim.at <= duration * (1.0 + 1e-9))) {
      FailAt(claim.place,
             "the claim is of " + Digits(*claim.at) + " s, but the run ends at " +
                 Digits(duration) + " s",
             "choose a time in the run");
    }
    if (claim.at) RequireRecorded(claim, experiment.plan);
  }
}

std::vector<std::string> LabelsOf(const std::vector<Claim>& claims, const Experiment& experiment) {
  std::vector<std::string> named;
  for (const Claim& claim : claims) {
    if (claim.IsOfSearch()) continue;
    for (const std::string& label : claim.Labels()) named.push_back(label);
    if (IsAgainstReference(claim.figure)) named.push_back(experiment.reference);
  }
  std::vector<std::string> labels;
  for (const BackendChoice& choice : experiment.backends) {
    if (std::find(named.begin(), named.end(), choice.label) != named.end())
      labels.push_back(choice.label);
  }
  return labels;
}

std::vector<VerifiedClaim> VerifyClaims(const std::vector<Claim>& claims,
                                        const Refinement& refinement) {
  std::vector<VerifiedClaim> verified;
  for (const Claim& claim : claims) verified.push_back(VerifyClaim(claim, refinement));
  return verified;
}

}  // namespace pliant
