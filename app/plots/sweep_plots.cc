#include "app/plots/sweep_plots.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "app/plots/comparison_plots.h"
#include "experiments/sweeps/sweep_lines.h"

namespace pliant {
namespace {

// The fitted power law over the range of a line, in its colour.
PlottedCurve FitOf(const PowerLaw& law, const PlottedCurve& line) {
  PlottedCurve fit{line.name + ": slope " + ExponentText(law), line.run, line.style, {}, {}, false};
  fit.style.dash = Dash::kDotted;
  fit.style.marker = Marker::kNone;
  fit.style.width = 1.0;
  for (const double x : {line.x.front(), line.x.back()}) {
    fit.x.push_back(x);
    fit.y.push_back(std::abs(law.factor) *
                    std::pow(x, law.exponent));  // as a logarithmic axis shows it
  }
  return fit;
}

// "diverged" → "a at 2, 4", of the runs of a line that ended so.
using PlacesByOutcome = std::map<std::string, std::string>;

void AddPlace(double x, const RunOutcome& outcome, PlacesByOutcome* places) {
  std::string& at = (*places)[std::string(ToString(outcome.kind))];
  at += (at.empty() ? "" : ", ") + ValueText({x, {}});
}

// The values of a line, with a cross where the run is not to be trusted; notes say why it is or has no place.
PlottedCurve CurveOf(const SweepLine& line, const LineValues& values, const ComparisonTable& table,
                     const LineStyle& style, std::vector<std::string>* notes) {
  PlottedCurve curve{line.name, line.name, style, values.x, values.y, false};
  PlacesByOutcome left_out, crossed;
  for (size_t i = 0; i < line.rows.size(); ++i) {
    const auto& [x, row] = line.rows[i];
    const RunOutcome& outcome = table.rows[row].outcome;
    if (outcome.kind == OutcomeKind::kCompleted) continue;
    if (!RanToItsEnd(outcome.kind)) {
      AddPlace(x, outcome, &left_out);
    } else if (std::isfinite(values.y[i])) {
      AddPlace(x, outcome, &crossed);
      curve.crossed.push_back(i);
    }
  }
  for (const auto& [outcome, at] : left_out) {
    notes->push_back("Omitted because " + outcome + ": " + line.name + " at " + at + ".");
  }
  for (const auto& [outcome, at] : crossed) {
    notes->push_back("Crossed because " + outcome + ": " + line.name + " at " + at + ".");
  }
  return curve;
}

// On a logarithmic axis what is negative is drawn by its magnitude.
void DrawMagnitude(PlottedCurve* curve, Plot* plot, Panel* panel) {
  for (double& y : curve->y) y = std::abs(y);
  if (!panel->y.label.starts_with('|')) panel->y.label = "|" + panel->y.label + "|";
  plot->notes.push_back("Drawn by its magnitude, because it is below 0: " + curve->name + ".");
}

Plot MakePlot(const SweepCurve& wanted, const SweepPlan& plan, size_t key_of_x,
              const SweepTable& sweep_table, const std::vector<SweepLine>& lines) {
  const ComparisonTable& table = sweep_table.table;
  const VariedKey& varied = plan.vary[key_of_x];
  const auto figure =
      std::find_if(table.columns.begin(), table.columns.end(),
                   [&](const SeriesColumn& column) { return column.name == wanted.figure; });
  Plot plot;
  plot.key = "sweep-" + wanted.figure;
  plot.title = WordsOf(*figure) + " against " + varied.label;
  plot.reading = figure->meaning + "; each mark is a run.";
  plot.x = {varied.label, varied.unit, varied.logarithmic};
  plot.mark_values = true;
  std::vector<std::string> backends;
  for (const SweepLine& line : lines) backends.push_back(line.backend);
  const std::vector<LineStyle> styles = StylesOfRuns(backends);
  Panel panel{"", {WordsOf(*figure), figure->unit, wanted.logarithmic}, {}};
  std::vector<PlottedCurve> fits;
  for (size_t i = 0; i < lines.size(); ++i) {
    const LineValues values = ValuesOf(lines[i], table, wanted.figure);
    PlottedCurve curve = CurveOf(lines[i], values, table, styles[i], &plot.notes);
    if (wanted.logarithmic && IsNegative(values)) DrawMagnitude(&curve, &plot, &panel);
    if (varied.logarithmic && wanted.logarithmic) {
      if (const auto law = FitPowerLaw(values)) {
        fits.push_back(FitOf(*law, curve));
      } else {
        plot.notes.push_back("No slope of " + curve.name + ": " + WhyNoPowerLaw(values) + ".");
      }
    }
    panel.curves.push_back(std::move(curve));
  }
  if (varied.logarithmic && !wanted.logarithmic) {
    plot.notes.push_back(
        "No slopes, because its axis is linear: scale = \"logarithmic\" in the [[sweep.curve]] "
        "of " +
        wanted.figure + " fits them.");
  }
  panel.curves.insert(panel.curves.end(), fits.begin(), fits.end());
  plot.panels.push_back(std::move(panel));
  return plot;
}

}  // namespace

std::vector<Plot> SweepPlots(const Sweep& sweep, const SweepTable& table) {
  const std::optional<size_t> key_of_x = KeyOfX(sweep.plan());
  if (!key_of_x) return {};
  const std::vector<SweepLine> lines = LinesOf(sweep, table, *key_of_x);
  std::vector<Plot> plots;
  for (const SweepCurve& curve : sweep.plan().curves) {
    plots.push_back(MakePlot(curve, sweep.plan(), *key_of_x, table, lines));
  }
  return plots;
}

}  // namespace pliant
