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

bool IsDifference(const SweepCurve& wanted) { return wanted.difference != CurveDifference::kNone; }

constexpr int kMarkers = static_cast<int>(Marker::kFallingTriangle);  // besides none
constexpr LineStyle kFitStyle{{0x88, 0x88, 0x88}, Dash::kSolid, Marker::kNone, 0.8};

// The fitted power law over the range of a line, thin and grey, to lie behind it; the slope is in the name of the line.
PlottedCurve FitOf(const PowerLaw& law, const PlottedCurve& line) {
  PlottedCurve fit{"", line.run, kFitStyle, {}, {}, false};
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

// On a logarithmic axis what is negative is drawn by its magnitude; of a difference the label says so from the start.
void DrawMagnitude(const SweepCurve& wanted, PlottedCurve* curve, Plot* plot, Panel* panel) {
  for (double& y : curve->y) y = std::abs(y);
  if (IsDifference(wanted)) return;
  if (!panel->y.label.starts_with('|')) panel->y.label = "|" + panel->y.label + "|";
  plot->notes.push_back("Drawn by its magnitude, because it is below 0: " + curve->name + ".");
}

// The part of a line that the x axis shows; a note says what is beyond it.
SweepLine ShownPart(const SweepCurve& wanted, const SweepLine& line,
                    std::vector<std::string>* notes) {
  SweepLine shown = line;
  std::string beyond;
  std::erase_if(shown.rows, [&](const auto& place) {
    const double x = place.first;
    if (!wanted.x_range || (x >= (*wanted.x_range)[0] && x <= (*wanted.x_range)[1])) return false;
    beyond += (beyond.empty() ? "" : ", ") + ValueText({x, {}});
    return true;
  });
  if (!beyond.empty()) notes->push_back("Beyond the x axis: " + line.name + " at " + beyond + ".");
  return shown;
}

// Where a difference is within the error of the reference, which a slope does not count.
void NoteWhatIsWithin(const LineValues& values, const std::string& name,
                      std::vector<std::string>* notes) {
  std::string within;
  for (size_t i = 0; i < values.x.size(); ++i) {
    if (!(std::abs(values.y[i]) <= values.band[i]) || values.band[i] == 0.0) continue;
    within += (within.empty() ? "" : ", ") + ValueText({values.x[i], {}});
  }
  if (within.empty()) return;
  notes->push_back("Within the error of the reference, so that no slope counts it: " + name +
                   " at " + within + ".");
}

constexpr LineStyle kThinGrey{kYardstickColour, Dash::kSolid, Marker::kNone, 1.0};

std::string WithUnit(const std::string& number, const SeriesColumn& figure) {
  return figure.unit == "1" ? number : number + " " + figure.unit;
}

// The value that the file gives, over the range of all lines.
PlottedCurve KnownValue(const SweepCurve& wanted, const SeriesColumn& figure,
                        const std::vector<SweepLine>& lines) {
  double least = INFINITY, most = -INFINITY;
  for (const SweepLine& line : lines) {
    for (const auto& [x, row] : line.rows) {
      least = std::min(least, x);
      most = std::max(most, x);
    }
  }
  LineStyle style = kThinGrey;
  style.dash = Dash::kLongDashed;
  return {wanted.reference_name + ": " + WithUnit(Digits(*wanted.reference), figure),
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

// The error of a reference as an area, around `centre` at each x.
PlottedCurve AreaOf(const ReferenceLine& line, const std::vector<double>& centre) {
  PlottedCurve area{"error of the " + line.name, line.name, kThinGrey, line.x, {}, false};
  area.style.colour = kBandColour;
  for (size_t i = 0; i < line.x.size(); ++i) {
    area.base.push_back(centre[i] - line.band[i]);
    area.y.push_back(2.0 * line.band[i]);
  }
  return area;
}

// Each reason once, that the reference of a point has no figures.
void NoteWhyNone(const SweepTable& table, const std::string& what,
                 std::vector<std::string>* notes) {
  std::set<std::string> reasons;
  for (const auto& [point, reference] : table.references) {
    if (!reference.why_none.empty())
      reasons.insert(what + reference.name + ": " + reference.why_none + ".");
  }
  notes->insert(notes->end(), reasons.begin(), reasons.end());
}

// Of a difference the reference is 0: below the runs its error, within which nothing can be told; a note has its name.
void DrawErrorOfReference(const SweepCurve& wanted, const SeriesColumn& figure,
                          const SweepTable& table, const std::vector<SweepLine>& lines, Plot* plot,
                          Panel* panel) {
  if (wanted.reference) {
    const bool named = wanted.reference_name != SweepCurve().reference_name;
    plot->notes.push_back("The reference: " + (named ? wanted.reference_name + ", " : "") +
                          WithUnit(RoundTrip(*wanted.reference), figure) + ".");
    return;
  }
  std::vector<PlottedCurve> below;
  const std::vector<ReferenceLine> references = ReferenceLinesOf(wanted.figure, table, lines);
  for (ReferenceLine line : references) {
    plot->notes.push_back("The reference: " + line.name + ".");
    if (wanted.difference == CurveDifference::kRelative) {
      for (size_t i = 0; i < line.x.size(); ++i) line.band[i] /= std::abs(line.y[i]);
    }
    if (std::ranges::none_of(line.band, [](double band) { return band > 0.0; })) continue;
    PlottedCurve area = AreaOf(line, std::vector<double>(line.x.size(), 0.0));
    if (wanted.logarithmic) {
      area.base.assign(line.x.size(), 0.0);
      area.y = line.band;
    }
    below.push_back(std::move(area));
  }
  if (references.empty())
    plot->notes.push_back("The reference does not define " + wanted.figure + ".");
  panel->curves.insert(panel->curves.begin(), below.begin(), below.end());
  NoteWhyNone(table, "No difference from ", &plot->notes);
}

// Below the runs: the reference as a thin grey line, in the band of its error.
void DrawReference(const SweepCurve& wanted, const SweepTable& table,
                   const std::vector<SweepLine>& lines, Plot* plot, Panel* panel) {
  // Lines of a grid, which are all grey.
  constexpr Dash kDashes[] = {Dash::kSolid, Dash::kDashed, Dash::kDotted, Dash::kDashDotted};
  size_t drawn = 0;
  std::vector<PlottedCurve> below;
  for (const ReferenceLine& line : ReferenceLinesOf(wanted.figure, table, lines)) {
    double band = 0.0;
    for (const double one : line.band) band = std::fmax(band, one);  // passes over NaN
    if (band > 0.0 && wanted.logarithmic) {
      plot->notes.push_back("A logarithmic axis does not show the band of the " + line.name +
                            ": ± " + ThreeDigits(band) + " at most.");
    } else if (band > 0.0) {
      below.push_back(AreaOf(line, line.y));
    }
    LineStyle style = kThinGrey;
    style.dash = kDashes[drawn++ % std::size(kDashes)];
    below.push_back({line.name, line.name, style, line.x, line.y, false});
    const LineValues values{line.x, line.y};
    if (wanted.logarithmic && IsNegative(values)) DrawMagnitude(wanted, &below.back(), plot, panel);
  }
  panel->curves.insert(panel->curves.begin(), below.begin(), below.end());
  NoteWhyNone(table, "No line of ", &plot->notes);
}

std::optional<AxisRange> RangeOf(const std::optional<std::array<double, 2>>& asked) {
  if (!asked) return std::nullopt;
  return AxisRange{(*asked)[0], (*asked)[1]};
}

// Axes and words of a curve, still without lines.
Plot EmptyPlot(const SweepCurve& wanted, const VariedKey& varied, const SeriesColumn& figure) {
  const bool difference = IsDifference(wanted);
  const bool relative = wanted.difference == CurveDifference::kRelative;
  const std::string words = WordsOf(figure);
  Plot plot;
  plot.key = "sweep-" + wanted.figure +
             (relative     ? "-relative-difference"
              : difference ? "-difference"
                           : "");
  plot.title = (difference ? "Difference of " + words + " from the reference" : words) +
               " against " + varied.label;
  plot.reading = figure.meaning + (difference ? "; its difference from the reference" : "") +
                 "; each mark is a run.";
  plot.x = {varied.label, varied.unit, varied.logarithmic};
  plot.x.range = RangeOf(wanted.x_range);
  plot.mark_values = true;
  plot.zero_line = difference;
  std::string label = CurveName(wanted, words);
  if (difference && wanted.logarithmic) label = "|" + label + "|";
  plot.panels.push_back({"", {label, relative ? "1" : figure.unit, wanted.logarithmic}, {}});
  plot.panels[0].y.range = RangeOf(wanted.y_range);
  return plot;
}

// Each value has its mark, so every line has one; no two have the same mark and dash.
std::vector<LineStyle> MarkedStyles(const std::vector<std::string>& backends) {
  std::vector<LineStyle> styles = StylesOfRuns(backends);
  for (size_t i = 0; i < styles.size(); ++i) {
    if (styles[i].marker == Marker::kNone) styles[i].marker = Marker::kDiamond;
    const auto taken = [&] {
      return std::any_of(styles.begin(), styles.begin() + static_cast<std::ptrdiff_t>(i),
                         [&](const LineStyle& other) {
                           return other.dash == styles[i].dash && other.marker == styles[i].marker;
                         });
    };
    for (int tried = 0; tried < kMarkers && taken(); ++tried) {
      const int next = static_cast<int>(styles[i].marker) % kMarkers + 1;
      styles[i].marker = static_cast<Marker>(next);
    }
  }
  return styles;
}

Plot MakePlot(const SweepCurve& wanted, const Sweep& sweep, size_t key_of_x,
              const SweepTable& sweep_table, const std::vector<SweepLine>& lines) {
  const ComparisonTable& table = sweep_table.table;
  const VariedKey& varied = sweep.plan().vary[key_of_x];
  const bool difference = IsDifference(wanted);
  const SeriesColumn& figure =
      *std::ranges::find(table.columns, wanted.figure, &SeriesColumn::name);
  Plot plot = EmptyPlot(wanted, varied, figure);
  Panel& panel = plot.panels[0];
  std::vector<std::string> backends;
  for (const SweepLine& line : lines) backends.push_back(line.backend);
  std::vector<LineStyle> styles = MarkedStyles(backends);
  std::vector<PlottedCurve> fits;
  std::vector<SweepLine> drawn;
  bool has_reference = false;  // among the lines
  bool any_crossed = false;    // of the lines with a slope
  for (size_t i = 0; i < lines.size(); ++i) {
    if (IsReference(lines[i], sweep, sweep_table)) {
      if (difference && !wanted.reference) continue;  // it is 0
      has_reference = true;
      if (!difference) styles[i] = {kYardstickColour, styles[i].dash, styles[i].marker, 1.0};
    }
    SweepLine shown = ShownPart(wanted, lines[i], &plot.notes);
    if (shown.rows.empty()) continue;
    const LineValues values = ValuesOf(lines[i], sweep_table, wanted);
    PlottedCurve curve =
        CurveOf(shown, ValuesOf(shown, sweep_table, wanted), table, styles[i], &plot.notes);
    if (wanted.logarithmic && (difference || IsNegative(values)))
      DrawMagnitude(wanted, &curve, &plot, &panel);
    if (varied.logarithmic && wanted.logarithmic) {
      if (const auto law = FitPowerLaw(values)) {
        fits.push_back(FitOf(*law, curve));
        curve.name += ": slope " + ExponentText(*law);
        any_crossed = any_crossed || !curve.crossed.empty();
      } else {
        plot.notes.push_back("No slope of " + curve.name + ": " + WhyNoPowerLaw(values) + ".");
      }
    }
    if (difference) NoteWhatIsWithin(values, curve.run, &plot.notes);
    panel.curves.push_back(std::move(curve));
    drawn.push_back(std::move(shown));
  }
  if (any_crossed) plot.notes.emplace_back("No slope counts what is crossed.");
  panel.curves.insert(panel.curves.begin(), fits.begin(), fits.end());
  if (difference) {
    DrawErrorOfReference(wanted, figure, sweep_table, drawn, &plot, &panel);
  } else if (has_reference) {
    plot.notes.push_back("The reference, thin and grey: " + sweep.base.reference + ".");
  } else {
    DrawReference(wanted, sweep_table, drawn, &plot, &panel);
  }
  if (wanted.reference && !difference && !drawn.empty()) {
    PlottedCurve known = KnownValue(wanted, figure, drawn);
    if (wanted.logarithmic && *wanted.reference < 0.0) DrawMagnitude(wanted, &known, &plot, &panel);
    panel.curves.push_back(std::move(known));
  }
  return plot;
}

}  // namespace

std::vector<Plot> SweepPlots(const Sweep& sweep, const SweepTable& table) {
  const std::optional<size_t> key_of_x = KeyOfX(sweep.plan());
  if (!key_of_x) return {};
  const std::vector<SweepLine> lines = LinesOf(sweep, table, *key_of_x);
  std::vector<Plot> plots;
  std::map<std::string, int> drawn;  // by key, which is the name of a file
  for (const SweepCurve& curve : sweep.plan().curves) {
    plots.push_back(MakePlot(curve, sweep, *key_of_x, table, lines));
    const int count = ++drawn[plots.back().key];
    if (count > 1) plots.back().key += "-" + std::to_string(count);
  }
  return plots;
}

}  // namespace pliant
