#include "app/workbench/pages/curve_data.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "app/plots/claim_bounds.h"
#include "app/plots/comparison_plots.h"
#include "app/plots/plot_rules.h"
#include "app/workbench/session/session.h"
#include "app/workbench/session/yardstick_pane.h"
#include "experiments/bundles/csv.h"

namespace pliant {
namespace {

std::optional<size_t> ColumnNamed(const std::vector<SeriesColumn>& columns,
                                  const std::string& name) {
  const auto found = std::find_if(columns.begin(), columns.end(),
                                  [&](const SeriesColumn& c) { return c.name == name; });
  if (found == columns.end()) return std::nullopt;
  return static_cast<size_t>(found - columns.begin());
}

// With these columns only: a row has dozens, and there may be 10⁵ rows.
RunSeries SeriesOf(const Pane& pane, const std::set<std::string>& wanted) {
  RunSeries run;
  run.label = pane.label;
  run.backend = pane.backend->info().name;
  run.diverged = pane.diverged;
  std::vector<size_t> kept;
  for (size_t c = 0; c < pane.start.columns.size(); ++c) {
    if (!wanted.contains(pane.start.columns[c].name)) continue;
    kept.push_back(c);
    run.columns.push_back(pane.start.columns[c]);
  }
  run.rows.resize(pane.recording.size());
  for (size_t i = 0; i < pane.recording.size(); ++i) {
    run.rows[i].reserve(kept.size());
    for (const size_t c : kept) run.rows[i].push_back(pane.recording[i].row[c]);
  }
  return run;
}

// Absent where there is none to be shown.
std::optional<YardstickSeries> SeriesOf(const YardstickPane* yardstick,
                                        const std::set<std::string>& wanted) {
  if (yardstick == nullptr || yardstick->pane() == nullptr) return std::nullopt;
  return YardstickSeries{SeriesOf(*yardstick->pane(), wanted), yardstick->errors()};
}

Plot RulePlot(const std::vector<Pane>& panes, const std::string& key,
              const YardstickPane* yardstick) {
  std::set<std::string> wanted = {"time_s"};
  for (const PlotRule& rule : PlotRules()) {
    if (rule.key != key) continue;
    for (const PlotPart& part : rule.parts) wanted.insert(part.column);
  }
  std::vector<RunSeries> runs;
  for (const Pane& pane : panes) {
    if (pane.backend == nullptr) continue;
    runs.push_back(SeriesOf(pane, wanted));
  }
  const std::optional<YardstickSeries> below = SeriesOf(yardstick, wanted);
  for (Plot& plot : ComparisonPlots(runs, PlotSet::kAll, below ? &*below : nullptr)) {
    if (plot.key == key) return std::move(plot);
  }
  return {};
}

// Against the time, or as paths against another column, of every pane that has it too.
Plot ColumnPlot(const std::vector<Pane>& panes, const CurveChoice& choice, bool logarithmic,
                const CurveChoice* against, const YardstickPane* yardstick) {
  Plot plot;
  plot.key = choice.key;
  plot.title = choice.words;
  plot.reading = choice.tip;
  plot.x = {"time", "s", false};
  if (against != nullptr) {
    plot.key += "-against-" + against->key;
    plot.title += " against " + against->words;
    plot.reading += "; " + against->tip;
  }
  Panel panel;
  for (const Pane& pane : panes) {
    const std::vector<SeriesColumn>& columns = pane.start.columns;
    const std::optional<size_t> column = ColumnNamed(columns, choice.key);
    const std::optional<size_t> along =
        against == nullptr ? std::nullopt : ColumnNamed(columns, against->key);
    if (!column || (against != nullptr && !along)) continue;
    panel.y = {WordsOf(columns[*column]), columns[*column].unit, logarithmic};
    if (along) plot.x = {WordsOf(columns[*along]), columns[*along].unit, false};
    PlottedCurve& curve = panel.curves.emplace_back();
    curve.name = curve.run = pane.label;
    curve.style = pane.style;
    curve.diverged = pane.diverged;
    for (size_t i = 0; i < pane.recording.size(); ++i) {
      const PaneFrame& frame = pane.recording[i];
      curve.x.push_back(along ? frame.row[*along].value_or(NAN) : frame.time);
      curve.y.push_back(frame.row[*column].value_or(NAN));
      if (along) curve.t.push_back(frame.time);
    }
  }
  const std::optional<YardstickSeries> below =
      against == nullptr ? SeriesOf(yardstick, {"time_s", choice.key}) : std::nullopt;
  if (below) AddYardstick(*below, choice.key, &panel);
  plot.panels.push_back(std::move(panel));
  return plot;
}

bool IsOfPaths(const Plot& plot) {
  return !plot.panels.empty() && !plot.panels.front().curves.empty() &&
         !plot.panels.front().curves.front().t.empty();
}

void WritePathsCsv(const Plot& plot, const std::filesystem::path& path) {
  auto named = [](const Axis& axis, const std::string& run) {
    return axis.label + " of " + run + (axis.unit == "1" ? "" : " [" + axis.unit + "]");
  };
  const Panel& panel = plot.panels.front();
  std::vector<std::string> names = {"time_s"};
  std::map<double, std::vector<std::optional<double>>> rows;  // by time
  for (size_t i = 0; i < panel.curves.size(); ++i) {
    const PlottedCurve& curve = panel.curves[i];
    names.push_back(named(plot.x, curve.run));
    names.push_back(named(panel.y, curve.run));
    for (size_t k = 0; k < curve.t.size(); ++k) {
      std::vector<std::optional<double>>& row = rows[curve.t[k]];
      row.resize(2 * panel.curves.size());
      if (std::isfinite(curve.x[k])) row[2 * i] = curve.x[k];
      if (std::isfinite(curve.y[k])) row[2 * i + 1] = curve.y[k];
    }
  }
  CsvWriter writer(path, names);
  for (auto& [time, values] : rows) {
    values.insert(values.begin(), time);
    writer.Row(values);
  }
  writer.Close();
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
               const CurveChoice* against, const YardstickPane* yardstick) {
  if (!choice.is_rule) return ColumnPlot(panes, choice, logarithmic, against, yardstick);
  Plot plot = RulePlot(panes, choice.key, yardstick);
  for (Panel& panel : plot.panels) panel.y.logarithmic = panel.y.logarithmic || logarithmic;
  return plot;
}

void AddBounds(const std::vector<Claim>& claims, const std::vector<Pane>& panes,
               const CurveChoice& choice, Plot* plot) {
  if (choice.is_rule || plot->panels.empty() || IsOfPaths(*plot)) return;
  for (const Pane& pane : panes) {
    const auto column = ColumnNamed(pane.start.columns, choice.key);
    if (!column) continue;
    plot->notes = AddClaimBounds(claims, pane.start.columns[*column], &plot->panels.front());
    return;
  }
}

Plot Windowed(const Plot& whole, const std::optional<AxisRange>& window) {
  if (!window || IsOfPaths(whole)) return whole;
  Plot plot = whole;
  for (size_t p = 0; p < plot.panels.size(); ++p) {
    for (size_t c = 0; c < plot.panels[p].curves.size(); ++c) {
      PlottedCurve& curve = plot.panels[p].curves[c];
      const auto begin = curve.x.begin(), end = curve.x.end();
      auto first = std::upper_bound(begin, end, window->lower);
      if (first != begin) --first;
      auto last = std::upper_bound(first, end, window->upper);
      if (last != end) ++last;
      const auto from = first - begin, to = last - begin;
      curve.y = std::vector<double>(curve.y.begin() + from, curve.y.begin() + to);
      if (!curve.base.empty()) {
        curve.base = std::vector<double>(curve.base.begin() + from, curve.base.begin() + to);
      }
      curve.x = std::vector<double>(first, last);
    }
  }
  return plot;
}

void WritePlotCsv(const Plot& plot, const std::filesystem::path& path) {
  if (IsOfPaths(plot)) {
    WritePathsCsv(plot, path);
    return;
  }
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
