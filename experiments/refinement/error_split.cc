#include "experiments/refinement/error_split.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "experiments/bundles/bundle.h"
#include "experiments/comparison/distance.h"
#include "experiments/refinement/error_of_finest.h"
#include "models/problem.h"

namespace pliant {
namespace {

double LargestDistance(const Bundle& a, const Bundle& b) {
  const DistanceSeries distance = MeasureDistance(a, b);
  return distance.rms.empty() ? 0.0 : *std::ranges::max_element(distance.rms);
}

// The error of the finest rung from the distances of neighbouring ones, of which rounding is a part.
double BandOf(const std::vector<double>& steps, const ConvergenceRules& rules) {
  LadderDifferences d;
  d.last = steps.back();
  for (const double step : steps) d.sum += step;
  d.assumed = steps.size() < 2;
  d.grows = !d.assumed && d.last > steps[steps.size() - 2];
  d.order = d.assumed ? std::optional(rules.assumed_order)
                      : RegressedOrder(steps, rules.ratio, rules.round_off);
  return std::max(ErrorOfFinest(d, rules), kSpreadFactor * rules.round_off);
}

std::optional<double> FigureOfFinest(const Refinement& refinement, const RefinedRun& run,
                                     const std::string& name) {
  const auto figure = std::ranges::find(refinement.figures, name, &SeriesColumn::name);
  if (figure == refinement.figures.end()) return std::nullopt;
  return run.figures.back()[static_cast<size_t>(figure - refinement.figures.begin())];
}

}  // namespace

std::optional<ErrorPart> SplitError(const Refinement& refinement, const RefinedRun& run,
                                    const std::vector<const Backend*>& backends) {
  const size_t file = refinement.file_rung;
  if (!run.decides() || file < run.first || run.rungs() - run.first < 2) return std::nullopt;
  ErrorPart split;
  try {
    std::vector<Bundle> rungs;
    for (size_t rung = run.first; rung < run.rungs(); ++rung)
      rungs.push_back(Bundle::Open(run.bundles[rung], backends));
    std::vector<double> steps;
    for (size_t k = 0; k + 1 < rungs.size(); ++k)
      steps.push_back(LargestDistance(rungs[k], rungs[k + 1]));
    ConvergenceRules rules = refinement.rules;
    rules.round_off = RoundOffOf(run, "m");
    split.band = BandOf(steps, rules);
    split.part = LargestDistance(rungs[file - run.first], rungs.back());
  } catch (const BadInput&) {
    return std::nullopt;  // other numbers of points, or of records
  }
  split.beyond = FigureOfFinest(refinement, run, "distance_to_reference_rms_m");
  const auto own = FigureOfFinest(refinement, run, "yardstick_error_rms_m");
  if (split.beyond && !refinement.yardstick_of_other_scene)
    split.beyond_band = split.band + own.value_or(0.0);
  return split;
}

void AddErrorSplit(const Refinement& refinement, ComparisonTable* table,
                   const std::vector<const Backend*>& backends) {
  std::string axis = refinement.axis;
  std::ranges::replace_if(
      axis, [](char c) { return c == '+' || c == '-'; }, '_');
  const std::string finest = "the finest rung of the ladder in " + refinement.axis;
  const std::array<SeriesColumn, 4> columns = {
      SeriesColumn{"error_from_" + axis + "_m", "m",
                   "distance to " + finest + ", root mean square over the mass, largest over time"},
      SeriesColumn{"error_from_" + axis + "_band_m", "m", "estimated error of " + finest},
      SeriesColumn{
          "error_beyond_" + axis + "_m", "m",
          "distance of " + finest +
              " to the reference: formulation, basis and all that the ladder does not refine"},
      SeriesColumn{"error_beyond_" + axis + "_band_m", "m",
                   "estimated error of " + finest + " and of the reference"}};
  const size_t first = table->columns.size();
  table->columns.insert(table->columns.end(), columns.begin(), columns.end());
  for (ComparisonRow& row : table->rows) {
    row.values.resize(table->columns.size());
    const auto run = std::ranges::find(refinement.runs, row.label, &RefinedRun::label);
    if (run == refinement.runs.end()) continue;
    const auto split = SplitError(refinement, *run, backends);
    if (!split) continue;
    row.values[first] = split->part;
    row.values[first + 1] = split->band;
    row.values[first + 2] = split->beyond;
    row.values[first + 3] = split->beyond_band;
  }
}

}  // namespace pliant
