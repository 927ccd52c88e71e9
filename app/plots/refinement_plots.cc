#include "app/plots/refinement_plots.h"

#include <algorithm>
#include <cmath>

#include "app/plots/comparison_plots.h"
#include "experiments/comparison/chosen_figures.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

constexpr size_t kMostColumns = 4;

// What shows a motion best, in this order.
const std::vector<std::string>& ColumnsWorthShowing() {
  static const std::vector<std::string> names = {
      "centre_y_m",         "centre_x_m",        "kinetic_energy_J",
      "elastic_energy_J",   "penetration_m",     "edge_strain_max",
      "constraint_error_m", "residual_energy_J", "largest_displacement_m",
      "extent_ratio"};
  return names;
}

bool IsOfProbe(const Refinement& refinement, const std::string& name) {
  return std::ranges::find(refinement.probe_figures, name) != refinement.probe_figures.end();
}

// The columns of probes, which are what an author asks for, then those that show a motion best.
std::vector<std::string> ColumnsToShow(const Refinement& refinement, const RefinedRun& run) {
  std::vector<std::string> names;
  for (const SeriesColumn& column : run.columns) {
    if (IsOfProbe(refinement, column.name)) names.push_back(column.name);
  }
  names.insert(names.end(), ColumnsWorthShowing().begin(), ColumnsWorthShowing().end());
  return names;
}

Plot RungPlot(const Refinement& refinement, const RefinedRun& run) {
  Plot plot;
  plot.key = "rungs-" + refinement.axis + "-" + run.label;
  plot.title = run.label + " at each size of the ladder in " + refinement.axis;
  plot.reading = "A curve for each rung: where refinement converges they fall onto each other.";
  plot.x = {"time", "s"};
  for (const std::string& name : ColumnsToShow(refinement, run)) {
    if (plot.panels.size() == kMostColumns) break;
    const auto column = std::find_if(run.columns.begin(), run.columns.end(),
                                     [&](const SeriesColumn& c) { return c.name == name; });
    if (column == run.columns.end()) continue;
    const auto c = static_cast<size_t>(column - run.columns.begin());
    const std::vector<double> changes = ChangesOf(run, c);
    const bool changes_at_all = std::any_of(changes.begin(), changes.end(), [&](double change) {
      return change > RoundOffOf(run, column->unit);
    });
    if (!changes_at_all) continue;
    Panel panel{"", {WordsOf(*column), column->unit}, {}};
    for (size_t rung = 0; rung < run.rungs(); ++rung) {
      PlottedCurve curve{"size " + Digits(refinement.sizes[rung], 3),
                         run.label,
                         StyleOfPart(static_cast<int>(rung)),
                         {},
                         {},
                         run.outcomes[rung].kind == OutcomeKind::kDiverged};
      for (const SeriesRow& row : run.rows[rung]) {
        curve.x.push_back(row[0].value_or(NAN));
        curve.y.push_back(row[c].value_or(NAN));
      }
      if (!curve.x.empty()) panel.curves.push_back(std::move(curve));
    }
    plot.panels.push_back(std::move(panel));
  }
  if (!run.left_out.empty()) plot.notes.push_back("Left out of limits: " + run.left_out + ".");
  return plot;
}

// |f_k − limit| / max |f| of the rungs that count: limits may be zero.
PlottedCurve ErrorCurve(const std::string& name, const Refinement& refinement, size_t first,
                        const std::vector<std::optional<double>>& values, const Convergence& c,
                        int index) {
  PlottedCurve curve{name, name, StyleOfPart(index % kPartStyles), {}, {}, false};
  curve.style.marker = Marker::kCircle;
  double scale = 0.0;
  for (size_t rung = first; rung < values.size(); ++rung) {
    scale = std::max(scale, std::abs(values[rung].value_or(0.0)));
  }
  for (size_t rung = values.size(); rung-- > first;) {
    curve.x.push_back(refinement.sizes[rung]);
    curve.y.push_back(std::abs(values[rung].value_or(NAN) - c.value) / scale);
  }
  return curve;
}

Plot EmptyErrorPlot(const Refinement& refinement, const std::string& key, const std::string& of) {
  Plot plot;
  plot.key = key;
  plot.title = "Error of " + of + " against the size of the rung in " + refinement.axis;
  plot.reading =
      "Distance from the Richardson value divided by the largest value; the upper sides of the "
      "grey triangles have the slopes 1, 2 and 4.";
  plot.x = {"size of the rung, 1 as in the file", "1", true};
  plot.mark_values = true;
  return plot;
}

// Triangles of the slopes 1, 2 and 4 with a common corner, below the errors: from one rung to the next, an error of
// that order falls as their upper sides do.
void AddSlopes(Panel* panel) {
  double widest = 0.0, narrowest = INFINITY, least = INFINITY;
  for (const PlottedCurve& curve : panel->curves) {
    for (size_t i = 0; i < curve.x.size(); ++i) {
      widest = std::max(widest, curve.x[i]);
      narrowest = std::min(narrowest, curve.x[i]);
      if (curve.y[i] > 0.0) least = std::min(least, curve.y[i]);
    }
  }
  if (!std::isfinite(least)) return;
  constexpr double kBelow = 30.0;  // of the least error
  const double left = std::sqrt(narrowest * widest), bottom = least / kBelow;
  const std::vector<std::pair<int, Dash>> slopes = {
      {1, Dash::kDotted}, {2, Dash::kDashed}, {4, Dash::kDashDotted}};
  for (const auto& [order, dash] : slopes) {
    const LineStyle grey = {{0x99, 0x99, 0x99}, dash, Marker::kNone, 1.2};
    const double top = bottom * std::pow(widest / left, order);
    PlottedCurve triangle{"slope " + std::to_string(order), "", grey, {}, {}, false};
    triangle.x = {left, widest, widest, left};
    triangle.y = {bottom, bottom, top, bottom};
    triangle.t = {0.0, 1.0, 2.0, 3.0};  // a path, whose x need not ascend
    panel->curves.push_back(std::move(triangle));
  }
}

// Numbers of the chosen figures, those of probes first.
std::vector<size_t> FiguresToShow(const Refinement& refinement,
                                  const std::vector<std::string>& only) {
  std::vector<size_t> numbers;
  for (const bool of_probes : {true, false}) {
    for (size_t f = 0; f < refinement.figures.size(); ++f) {
      const std::string& name = refinement.figures[f].name;
      if (!IsCost(name) && IsChosen(name, only) && IsOfProbe(refinement, name) == of_probes)
        numbers.push_back(f);
    }
  }
  return numbers;
}

// Adds the errors of a figure, where it has a limit that it nears from one side.
void AddErrors(const Refinement& refinement, const RefinedRun& run, size_t f,
               const std::string& name, Panel* panel) {
  std::vector<std::optional<double>> values;
  for (const auto& of_rung : run.figures) values.push_back(of_rung[f]);
  const auto c = ConvergenceOf(refinement, run, values, refinement.figures[f].unit);
  if (!c || !c->monotone()) return;
  panel->curves.push_back(
      ErrorCurve(name, refinement, run.first, values, *c, static_cast<int>(panel->curves.size())));
}

// The figures of probes, or those that are chosen, of all backends in one plot.
Plot ErrorsOfAll(const Refinement& refinement, const std::vector<std::string>& only) {
  Plot plot = EmptyErrorPlot(refinement, "error-" + refinement.axis, "every backend");
  Panel panel{"", {"relative error", "1", true}, {}};
  for (const size_t f : FiguresToShow(refinement, only)) {
    const SeriesColumn& figure = refinement.figures[f];
    if (only.empty() && !IsOfProbe(refinement, figure.name)) continue;
    for (const RefinedRun& run : refinement.runs) {
      if (std::ssize(panel.curves) < kPartStyles)
        AddErrors(refinement, run, f, run.label + ", " + WordsOf(figure), &panel);
    }
  }
  if (panel.curves.empty() || refinement.runs.size() < 2) return plot;
  AddSlopes(&panel);
  plot.panels.push_back(std::move(panel));
  return plot;
}

Plot FigureErrors(const Refinement& refinement, const RefinedRun& run,
                  const std::vector<std::string>& only) {
  Plot plot = EmptyErrorPlot(refinement, "error-" + refinement.axis + "-" + run.label, run.label);
  Panel panel{"", {"relative error", "1", true}, {}};
  for (const size_t f : FiguresToShow(refinement, only)) {
    if (std::ssize(panel.curves) < kPartStyles)
      AddErrors(refinement, run, f, WordsOf(refinement.figures[f]), &panel);
  }
  if (panel.curves.empty()) return plot;
  AddSlopes(&panel);
  plot.panels.push_back(std::move(panel));
  return plot;
}

}  // namespace

std::vector<Plot> RefinementPlots(const Refinement& refinement,
                                  const std::vector<std::string>& only) {
  std::vector<Plot> plots;
  if (Plot all = ErrorsOfAll(refinement, only); !all.panels.empty())
    plots.push_back(std::move(all));
  for (const RefinedRun& run : refinement.runs) {
    for (Plot plot : {RungPlot(refinement, run), FigureErrors(refinement, run, only)}) {
      if (!plot.panels.empty()) plots.push_back(std::move(plot));
    }
  }
  return plots;
}

Plot ClaimPlot(const Refinement& refinement, const std::vector<VerifiedClaim>& claims) {
  Plot plot = EmptyErrorPlot(refinement, "claims-" + refinement.axis, "what is claimed");
  Panel panel{"", {"relative error", "1", true}, {}};
  int index = 0;
  for (const VerifiedClaim& claim : claims) {
    if (claim.axis != refinement.axis || !claim.convergence || !claim.convergence->monotone())
      continue;
    if (index == kPartStyles) break;
    // Rungs that were left out have no part in the limit; those of two backends are the later ones.
    const size_t counted = claim.convergence->pairwise_orders.size() + 2;
    panel.curves.push_back(ErrorCurve(claim.claim.of + ", " + claim.claim.figure, refinement,
                                      claim.values.size() - counted, claim.values,
                                      *claim.convergence, index++));
  }
  if (panel.curves.empty()) return plot;
  AddSlopes(&panel);
  plot.panels.push_back(std::move(panel));
  return plot;
}

}  // namespace pliant
