#include "app/plots/comparison_plots.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "app/plots/contact_force_plot.h"
#include "app/plots/extras_plots.h"
#include "app/plots/plot_rules.h"

namespace pliant {
namespace {

bool HasOnly(const PlottedCurve& curve, double value) {
  return std::all_of(curve.y.begin(), curve.y.end(),
                     [&](double y) { return !std::isfinite(y) || y == value; });
}

// Nothing to see: 0 wherever it is defined, and defined somewhere.
bool IsZero(const std::vector<const PlottedCurve*>& curves) {
  return std::all_of(curves.begin(), curves.end(),
                     [](const PlottedCurve* curve) { return HasOnly(*curve, 0.0); }) &&
         std::any_of(curves.begin(), curves.end(),
                     [](const PlottedCurve* curve) { return IsDefined(*curve); });
}

bool IsUndefined(const std::vector<const PlottedCurve*>& curves) {
  return std::none_of(curves.begin(), curves.end(),
                      [](const PlottedCurve* curve) { return IsDefined(*curve); });
}

double LargestMagnitude(const Panel& panel) {
  double largest = 0.0;
  for (const PlottedCurve& curve : panel.curves) {
    for (const double y : curve.y) {
      if (std::isfinite(y)) largest = std::max(largest, std::abs(y));
    }
  }
  return largest;
}

// Drops components in which every run is 0 but for round-off (the third axis of a planar scene).
void DropNegligiblePanels(Plot* plot) {
  constexpr double kNegligible = 1e-9;  // of the largest component
  double largest = 0.0;
  for (const Panel& panel : plot->panels) largest = std::max(largest, LargestMagnitude(panel));
  if (largest == 0.0) return;  // a plot of zeros says that all is 0
  std::vector<std::string> dropped;
  std::vector<Panel> kept;
  for (Panel& panel : plot->panels) {
    if (LargestMagnitude(panel) <= kNegligible * largest) {
      dropped.push_back(panel.y.label);
    } else {
      kept.push_back(std::move(panel));
    }
  }
  plot->panels = std::move(kept);
  if (!dropped.empty()) {
    plot->notes.push_back("0 up to rounding in every run: " + Join(dropped) + ".");
  }
}

// Drops the panels of runs that define nothing in it.
void DropUndefinedRuns(Plot* plot) {
  if (!HasValues(*plot)) return;  // then that is what there is to say
  std::vector<std::string> dropped;
  std::vector<Panel> kept;
  for (Panel& panel : plot->panels) {
    if (std::none_of(panel.curves.begin(), panel.curves.end(), IsDefined)) {
      dropped.push_back(panel.title);
    } else {
      kept.push_back(std::move(panel));
    }
  }
  plot->panels = std::move(kept);
  if (!dropped.empty()) plot->notes.push_back("Not defined for " + Join(dropped) + ".");
}

// Drops parts that are 0 or not defined in every run, so that the legend holds what there is.
void DropZeroParts(Plot* plot) {
  if (plot->panels.empty()) return;
  std::vector<std::string> zero, undefined;
  std::vector<bool> drop;
  for (size_t part = 0; part < plot->panels.front().curves.size(); ++part) {
    std::vector<const PlottedCurve*> curves;
    for (const Panel& panel : plot->panels) curves.push_back(&panel.curves[part]);
    const std::string& name = curves.front()->name;
    if (IsZero(curves)) zero.push_back(name);
    if (IsUndefined(curves)) undefined.push_back(name);
    drop.push_back(IsZero(curves) || IsUndefined(curves));
  }
  if (std::all_of(drop.begin(), drop.end(), [](bool d) { return d; })) return;
  for (Panel& panel : plot->panels) {
    std::vector<PlottedCurve> kept;
    for (size_t part = 0; part < drop.size(); ++part) {
      if (!drop[part]) kept.push_back(std::move(panel.curves[part]));
    }
    panel.curves = std::move(kept);
  }
  if (!zero.empty()) {
    plot->notes.push_back("Omitted because it is 0 wherever it is defined: " + Join(zero) + ".");
  }
  if (!undefined.empty()) plot->notes.push_back("Not defined in any run: " + Join(undefined) + ".");
}

constexpr double kDecadesApart = 6.0;  // what is smaller beside the largest value is rounding

// Are the largest values of curves so far apart that a linear axis shows only the larger ones?
// Rounding errors beside values do not count.
bool AreApart(const Panel& panel) {
  constexpr double kApart = 30.0;
  const double rounding = std::pow(10.0, -kDecadesApart);
  double least = std::numeric_limits<double>::infinity(), most = 0.0;
  for (const PlottedCurve& curve : panel.curves) {
    double largest = 0.0;
    for (const double y : curve.y) {
      if (std::isfinite(y)) largest = std::max(largest, y);
    }
    if (largest == 0.0) continue;
    least = std::min(least, largest);
    most = std::max(most, largest);
  }
  return most > kApart * least && least > rounding * most;
}

Plot FromRule(const PlotRule& rule) {
  Plot plot;
  plot.key = rule.key;
  plot.title = rule.title;
  plot.reading = rule.reading;
  plot.x = {"time", "s", false};
  plot.common_y = rule.common_y;
  plot.zero_line = rule.zero_line;
  return plot;
}

void CountFromLowest(PlottedCurve* curve) {
  double lowest = std::numeric_limits<double>::infinity();
  for (const double y : curve->y) {
    if (std::isfinite(y)) lowest = std::min(lowest, y);
  }
  for (double& y : curve->y) y -= lowest;
}

Plot PanelPerRun(const PlotRule& rule, const std::vector<RunSeries>& runs) {
  Plot plot = FromRule(rule);
  for (const RunSeries& run : runs) {
    Panel panel{run.label, {rule.axis, "1", rule.logarithmic}, {}};
    for (size_t part = 0; part < rule.parts.size(); ++part) {
      const std::optional<size_t> column = IndexOf(run, rule.parts[part].column);
      const std::string label = rule.parts[part].label;
      const LineStyle style =
          label == "total" ? StyleOfTotal() : StyleOfPart(static_cast<int>(part));
      if (column) panel.y.unit = run.columns[*column].unit;
      panel.curves.push_back(column ? CurveOf(run, *column, label, style)
                                    : PlottedCurve{label, run.label, style, {}, {}, false});
    }
    std::vector<PlottedCurve*> areas;
    for (size_t part = 0; part < rule.parts.size(); ++part) {
      if (rule.parts[part].above_lowest) CountFromLowest(&panel.curves[part]);
      if (rule.parts[part].stacked) areas.push_back(&panel.curves[part]);
    }
    StackAreas(areas);
    plot.panels.push_back(std::move(panel));
  }
  DropUndefinedRuns(&plot);
  if (plot.panels.size() > kMostRunPanels) {
    plot.notes.push_back("The first " + std::to_string(kMostRunPanels) + " of " +
                         std::to_string(plot.panels.size()) + " runs.");
    plot.panels.resize(kMostRunPanels);
  }
  DropZeroParts(&plot);
  return plot;
}

Plot PanelPerPart(const PlotRule& rule, const std::vector<RunSeries>& runs,
                  const std::vector<LineStyle>& styles) {
  Plot plot = FromRule(rule);
  for (const PlotPart& part : rule.parts) {
    const std::string label = *rule.axis == '\0' ? part.label : rule.axis;
    Panel panel{"", {label, "1", rule.logarithmic}, {}};
    for (size_t i = 0; i < runs.size(); ++i) {
      const std::optional<size_t> column = IndexOf(runs[i], part.column);
      if (!column) continue;
      panel.y.unit = runs[i].columns[*column].unit;
      PlottedCurve curve = CurveOf(runs[i], *column, runs[i].label, styles[i]);
      const std::string& meaning = runs[i].columns[*column].meaning;
      if (rule.name_with_meaning && IsDefined(curve)) curve.name += ": " + meaning;
      panel.curves.push_back(std::move(curve));
    }
    if (!panel.curves.empty()) plot.panels.push_back(std::move(panel));
  }
  if (rule.common_y) DropNegligiblePanels(&plot);
  if (rule.logarithmic_if_apart && std::any_of(plot.panels.begin(), plot.panels.end(), AreApart)) {
    for (Panel& panel : plot.panels) {
      panel.y.logarithmic = true;
      panel.y.decades = kDecadesApart;
    }
  }
  return plot;
}

void AddYardstick(const PlotRule& rule, const YardstickSeries& yardstick, Plot* plot) {
  for (const PlotPart& part : rule.parts) {
    const std::string label = *rule.axis == '\0' ? part.label : rule.axis;
    const auto panel = std::find_if(plot->panels.begin(), plot->panels.end(),
                                    [&](const Panel& of) { return of.y.label == label; });
    if (panel != plot->panels.end()) pliant::AddYardstick(yardstick, part.column, &*panel);
  }
}

}  // namespace

std::optional<size_t> IndexOf(const RunSeries& run, const std::string& column) {
  for (size_t i = 0; i < run.columns.size(); ++i) {
    if (run.columns[i].name == column) return i;
  }
  return std::nullopt;
}

PlottedCurve CurveOf(const RunSeries& run, size_t column, const std::string& name,
                     const LineStyle& style) {
  PlottedCurve curve{name, run.label, style, {}, {}, run.diverged};
  for (const SeriesRow& row : run.rows) {
    curve.x.push_back(row[0].value_or(NAN));
    curve.y.push_back(row[column].value_or(NAN));
  }
  return curve;
}

std::string WordsOf(const SeriesColumn& column) {
  std::string name = column.name;
  const std::string suffix = UnitSuffix(column.unit);
  if (name.ends_with(suffix)) name.resize(name.size() - suffix.size());
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

void AddColumn(RunSeries* run, const SeriesColumn& column,
               const std::vector<std::optional<double>>& values) {
  const auto at = static_cast<std::ptrdiff_t>(run->columns.size() - run->extras);
  run->columns.insert(run->columns.begin() + at, column);
  for (size_t i = 0; i < run->rows.size(); ++i) {
    SeriesRow& row = run->rows[i];
    row.insert(row.begin() + at, i < values.size() ? values[i] : std::nullopt);
  }
}

std::array<SeriesColumn, 3> ReferenceDistanceColumns() {
  return {SeriesColumn{"reference_distance_m", "m",
                       "rms distance of the material points to the reference run"},
          SeriesColumn{"reference_shape_distance_m", "m",
                       "the same of the shape alone, without the best rigid motion of each body"},
          SeriesColumn{"reference_placement_distance_m", "m",
                       "the same of the place alone, by these rigid motions"}};
}

bool IsDefined(const PlottedCurve& curve) {
  return std::any_of(curve.y.begin(), curve.y.end(), [](double y) { return std::isfinite(y); });
}

bool HasValues(const Plot& plot) {
  return std::any_of(plot.panels.begin(), plot.panels.end(), [](const Panel& panel) {
    return std::any_of(panel.curves.begin(), panel.curves.end(), IsDefined);
  });
}

void AddYardstick(const YardstickSeries& yardstick, const std::string& name, Panel* panel) {
  const auto error = yardstick.errors.find(name);
  if (error == yardstick.errors.end()) return;
  const LineStyle thin{kYardstickColour, Dash::kSolid, Marker::kNone, 1.0};
  const std::optional<size_t> column = IndexOf(yardstick.run, name);
  const std::string words = "error of the " + yardstick.run.label;
  PlottedCurve band{words, words, thin, {}, {}};
  std::vector<PlottedCurve> below;
  for (size_t i = 0; i < error->second.size(); ++i) {
    const SeriesRow& row = yardstick.run.rows[i];
    band.x.push_back(row[0].value_or(NAN));
    if (panel->y.logarithmic) {
      band.y.push_back(error->second[i] > 0.0 ? error->second[i] : NAN);
      continue;
    }
    band.y.push_back(column ? 2.0 * error->second[i] : error->second[i]);
    band.base.push_back(column ? row[*column].value_or(NAN) - error->second[i] : 0.0);
  }
  if (!panel->y.logarithmic) band.style.colour = kBandColour;
  if (!panel->y.logarithmic || !column) below.push_back(std::move(band));
  if (column) below.push_back(CurveOf(yardstick.run, *column, yardstick.run.label, thin));
  panel->curves.insert(panel->curves.begin(), below.begin(), below.end());
}

std::vector<Plot> ComparisonPlots(const std::vector<RunSeries>& runs, PlotSet set,
                                  const YardstickSeries* yardstick) {
  std::vector<std::string> backends;
  for (const RunSeries& run : runs) backends.push_back(run.backend);
  const std::vector<LineStyle> styles = StylesOfRuns(backends);
  std::vector<RunSeries> ran;  // refused scenes have nothing to plot
  std::vector<LineStyle> ran_styles;
  for (size_t i = 0; i < runs.size(); ++i) {
    if (runs[i].rows.empty()) continue;
    ran.push_back(runs[i]);
    ran_styles.push_back(styles[i]);
  }
  std::vector<Plot> plots;
  for (const PlotRule& rule : PlotRules()) {
    if (rule.on_request && set == PlotSet::kReport) continue;
    Plot plot = rule.panel_per_run ? PanelPerRun(rule, ran) : PanelPerPart(rule, ran, ran_styles);
    if (yardstick != nullptr && !rule.panel_per_run) AddYardstick(rule, *yardstick, &plot);
    if (!plot.panels.empty()) plots.push_back(std::move(plot));
  }
  Plot forces = ContactForcePlot(ran, ran_styles);
  if (!forces.panels.empty()) plots.push_back(std::move(forces));
  Plot probes = ProbesPlot(ran, ran_styles);
  if (!probes.panels.empty()) plots.push_back(std::move(probes));
  Plot extras = ExtrasPlot(ran, ran_styles);
  if (!extras.panels.empty()) plots.push_back(std::move(extras));
  return plots;
}

}  // namespace pliant
