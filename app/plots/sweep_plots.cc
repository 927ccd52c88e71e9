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
    fit.y.push_back(law.factor * std::pow(x, law.exponent));
  }
  return fit;
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
    PlottedCurve curve{lines[i].name, lines[i].name, styles[i], {}, {}, false};
    const LineValues values = ValuesOf(lines[i], table, wanted.figure);
    curve.x = values.x;
    curve.y = values.y;
    std::map<std::string, std::string> left_out;  // outcome → at which x
    for (const auto& [x, row] : lines[i].rows) {
      const RunOutcome& outcome = table.rows[row].outcome;
      if (RanToItsEnd(outcome.kind)) continue;
      std::string& at = left_out[std::string(ToString(outcome.kind))];
      at += (at.empty() ? "" : ", ") + ValueText({x, {}});
    }
    for (const auto& [outcome, at] : left_out) {
      plot.notes.push_back("Omitted because " + outcome + ": " + curve.name + " at " + at + ".");
    }
    if (varied.logarithmic && wanted.logarithmic) {
      if (const auto law = FitPowerLaw(values)) fits.push_back(FitOf(*law, curve));
    }
    panel.curves.push_back(std::move(curve));
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
