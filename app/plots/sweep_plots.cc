#include "app/plots/sweep_plots.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "app/plots/comparison_plots.h"
#include "experiments/sweeps/sweep_lines.h"
#include "models/scene/number_text.h"

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

constexpr LineStyle kThinGrey{kYardstickColour, Dash::kSolid, Marker::kNone, 1.0};

// The value that the file gives, over the range of all lines.
PlottedCurve KnownValue(const SweepCurve& wanted, const std::vector<SweepLine>& lines) {
  double least = INFINITY, most = -INFINITY;
  for (const SweepLine& line : lines) {
    for (const auto& [x, row] : line.rows) {
      least = std::min(least, x);
      most = std::max(most, x);
    }
  }
  LineStyle style = kThinGrey;
  style.dash = Dash::kLongDashed;
  return {wanted.reference_name + ": " + Digits(*wanted.reference),
          wanted.reference_name,
          style,
          {least, most},
          {*wanted.reference, *wanted.reference},
          false};
}

// The figure of the reference at the points of a line.
struct ReferenceLine {
  std::string name;
  std::vector<double> x, y, band;  // NaN where the reference has none
  bool operator==(const ReferenceLine& other) const {
    const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
    return std::ranges::equal(x, other.x) && std::ranges::equal(y, other.y, same);
  }
  bool IsDefined() const {
    return std::ranges::any_of(y, [](double value) { return std::isfinite(value); });
  }
};

// One, or in a grid one for each combination of the other keys that changes it.
std::vector<ReferenceLine> ReferenceLinesOf(const std::string& figure, const SweepTable& table,
                                            const std::vector<SweepLine>& lines) {
  const auto label_of = [&](const SweepLine& line) {
    return table.table.rows[line.rows.front().second].label;
  };
  std::vector<ReferenceLine> found;
  for (const SweepLine& line : lines) {
    if (label_of(line) != label_of(lines.front())) break;  // the others have the same points
    ReferenceLine reference;
    for (const auto& [x, row] : line.rows) {
      const auto of_point = table.references.find(table.points[row]);
      if (of_point == table.references.end()) continue;
      const auto value = of_point->second.values.find(figure);
      const bool defined = value != of_point->second.values.end();
      reference.name = of_point->second.name + line.name.substr(label_of(line).size());
      reference.x.push_back(x);
      reference.y.push_back(defined ? value->second.value : NAN);
      reference.band.push_back(defined ? value->second.band : NAN);
    }
    if (reference.IsDefined()) found.push_back(std::move(reference));
  }
  if (found.size() > 1 &&
      std::ranges::all_of(found, [&](const ReferenceLine& one) { return one == found.front(); })) {
    found.resize(1);
    found.front().name = table.references.begin()->second.name;
  }
  return found;
}

// Below the runs: the reference as a thin grey line, in the band of its error.
void DrawReference(const SweepCurve& wanted, const SweepTable& table,
                   const std::vector<SweepLine>& lines, Plot* plot, Panel* panel) {
  std::vector<PlottedCurve> below;
  for (const ReferenceLine& line : ReferenceLinesOf(wanted.figure, table, lines)) {
    double band = 0.0;
    for (const double one : line.band) band = std::fmax(band, one);  // passes over NaN
    if (band > 0.0 && wanted.logarithmic) {
      plot->notes.push_back("A logarithmic axis does not show the band of the " + line.name +
                            ": ± " + ThreeDigits(band) + " at most.");
    } else if (band > 0.0) {
      PlottedCurve area{"error of the " + line.name, line.name, kThinGrey, line.x, {}, false};
      area.style.colour = kBandColour;
      for (size_t i = 0; i < line.x.size(); ++i) {
        area.base.push_back(line.y[i] - line.band[i]);
        area.y.push_back(2.0 * line.band[i]);
      }
      below.push_back(std::move(area));
    }
    below.push_back({line.name, line.name, kThinGrey, line.x, line.y, false});
    const LineValues values{line.x, line.y};
    if (wanted.logarithmic && IsNegative(values)) DrawMagnitude(&below.back(), plot, panel);
  }
  panel->curves.insert(panel->curves.begin(), below.begin(), below.end());
  std::set<std::string> reasons;  // of all points, each once
  for (const auto& [point, reference] : table.references) {
    if (!reference.why_none.empty())
      reasons.insert("No line of " + reference.name + ": " + reference.why_none + ".");
  }
  plot->notes.insert(plot->notes.end(), reasons.begin(), reasons.end());
}

Plot MakePlot(const SweepCurve& wanted, const Sweep& sweep, size_t key_of_x,
              const SweepTable& sweep_table, const std::vector<SweepLine>& lines) {
  const ComparisonTable& table = sweep_table.table;
  const VariedKey& varied = sweep.plan().vary[key_of_x];
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
  std::vector<LineStyle> styles = StylesOfRuns(backends);
  const auto is_reference = [&](const SweepLine& line) {
    return table.rows[line.rows.front().second].label == sweep.base.reference;
  };
  for (size_t i = 0; i < lines.size(); ++i) {  // of the run that is the reference
    if (is_reference(lines[i]))
      styles[i] = {kYardstickColour, styles[i].dash, styles[i].marker, 1.0};
  }
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
  if (std::ranges::any_of(lines, is_reference)) {
    plot.notes.push_back("The reference, thin and grey: " + sweep.base.reference + ".");
  } else {
    DrawReference(wanted, sweep_table, lines, &plot, &panel);
  }
  if (wanted.reference) {
    PlottedCurve known = KnownValue(wanted, lines);
    if (wanted.logarithmic && *wanted.reference < 0.0) DrawMagnitude(&known, &plot, &panel);
    panel.curves.push_back(std::move(known));
  }
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
    plots.push_back(MakePlot(curve, sweep, *key_of_x, table, lines));
  }
  return plots;
}

}  // namespace pliant
