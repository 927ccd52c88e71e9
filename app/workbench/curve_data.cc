#include "app/workbench/curve_data.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "app/plots/comparison_plots.h"
#include "app/plots/plot_rules.h"
#include "app/workbench/session.h"
#include "experiments/record/csv.h"

namespace pliant {
namespace {

// Rows [first, last) that a window shows, with one neighbour on each side so that lines reach its
// border.
std::pair<size_t, size_t> RowsIn(const Recording& recording,
                                 const std::optional<AxisRange>& window) {
  if (!window || recording.empty()) return {0, recording.size()};
  const size_t first = recording.IndexAt(window->lower).value_or(0);
  const size_t last = recording.IndexAt(window->upper).value_or(0) + 2;
  return {first, std::min(last, recording.size())};
}

std::optional<size_t> ColumnNamed(const std::vector<SeriesColumn>& columns,
                                  const std::string& name) {
  const auto found = std::find_if(columns.begin(), columns.end(),
                                  [&](const SeriesColumn& c) { return c.name == name; });
  if (found == columns.end()) return std::nullopt;
  return static_cast<size_t>(found - columns.begin());
}

Plot RulePlot(const std::vector<Pane>& panes, const std::string& key,
              const std::optional<AxisRange>& window) {
  std::vector<RunSeries> runs;
  for (const Pane& pane : panes) {
    if (pane.backend == nullptr) continue;
    RunSeries& run = runs.emplace_back();
    run.label = pane.label;
    run.backend = pane.backend->info().name;
    run.diverged = pane.diverged;
    run.columns = pane.start.columns;
    run.extras = ExtrasOf(pane.backend->info(), *pane.scene).size();
    const auto [first, last] = RowsIn(pane.recording, window);
    for (size_t i = first; i < last; ++i) run.rows.push_back(pane.recording[i].row);
  }
  for (Plot& plot : ComparisonPlots(runs)) {
    if (plot.key == key) return std::move(plot);
  }
  return {};
}

Plot ColumnPlot(const std::vector<Pane>& panes, const CurveChoice& choice, bool logarithmic,
                const std::optional<AxisRange>& window) {
  Plot plot;
  plot.key = choice.key;
  plot.title = choice.words;
  plot.reading = choice.tip;
  plot.x = {"time", "s", false};
  Panel panel;
  for (const Pane& pane : panes) {
    const std::optional<size_t> column = ColumnNamed(pane.start.columns, choice.key);
    if (!column) continue;
    const SeriesColumn& described = pane.start.columns[*column];
    panel.y = {WordsOf(described), described.unit, logarithmic};
    PlottedCurve& curve = panel.curves.emplace_back();
    curve.name = curve.run = pane.label;
    curve.style = pane.style;
    curve.diverged = pane.diverged;
    const auto [first, last] = RowsIn(pane.recording, window);
    for (size_t i = first; i < last; ++i) {
      curve.x.push_back(pane.recording[i].time);
      curve.y.push_back(pane.recording[i].row[*column].value_or(NAN));
    }
  }
  plot.panels.push_back(std::move(panel));
  return plot;
}

}  // namespace

std::vector<CurveChoice> CurveChoices(const std::vector<Pane>& panes) {
  std::vector<CurveChoice> choices;
  for (const PlotRule& rule : PlotRules()) {
    if (rule.key == std::string("reference-distance")) continue;  // no single run records it
    choices.push_back({rule.key, rule.title, rule.reading, true});
  }
  std::set<std::string> seen = {"time_s"};
  for (const Pane& pane : panes) {
    for (const SeriesColumn& column : pane.start.columns) {
      if (!seen.insert(column.name).second) continue;
      const std::string unit = column.unit == "1" ? "" : " [" + column.unit + "]";
      choices.push_back({column.name, WordsOf(column) + unit, column.meaning, false});
    }
  }
  return choices;
}

Plot CurvePlot(const std::vector<Pane>& panes, const CurveChoice& choice, bool logarithmic,
               const std::optional<AxisRange>& window) {
  if (!choice.is_rule) return ColumnPlot(panes, choice, logarithmic, window);
  Plot plot = RulePlot(panes, choice.key, window);
  for (Panel& panel : plot.panels) panel.y.logarithmic = panel.y.logarithmic || logarithmic;
  return plot;
}

void WritePlotCsv(const Plot& plot, const std::filesystem::path& path) {
  std::vector<std::string> names = {plot.x.label + "_" + plot.x.unit};
  std::vector<const PlottedCurve*> curves;
  std::set<double> xs;
  for (const Panel& panel : plot.panels) {
    for (const PlottedCurve& curve : panel.curves) {
      std::string name = curve.name == curve.run ? panel.y.label : curve.name;
      name += " of " + curve.run;
      if (panel.y.unit != "1") name += " [" + panel.y.unit + "]";
      names.push_back(name);
      curves.push_back(&curve);
      xs.insert(curve.x.begin(), curve.x.end());
    }
  }
  CsvWriter writer(path, names);
  std::vector<size_t> next(curves.size(), 0);
  for (const double x : xs) {
    std::vector<std::optional<double>> row = {x};
    for (size_t i = 0; i < curves.size(); ++i) {
      row.emplace_back();
      if (next[i] == curves[i]->x.size() || curves[i]->x[next[i]] != x) continue;
      if (std::isfinite(curves[i]->y[next[i]])) row.back() = curves[i]->y[next[i]];
      ++next[i];
    }
    writer.Row(row);
  }
  writer.Close();
}

}  // namespace pliant
