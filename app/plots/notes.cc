// NotesOf: what a drawing cannot show, in words.

#include <algorithm>
#include <cmath>
#include <map>

#include "app/plots/plot.h"

#include "models/scene/number_text.h"

namespace pliant {
namespace {

using Names = std::vector<std::string>;

// Of 16 digits, what a difference of sums leaves.
constexpr double kRounding = 1e-12;

void AddOnce(Names* names, const std::string& name) {
  if (std::find(names->begin(), names->end(), name) == names->end()) names->push_back(name);
}

std::string Number(double value, const std::string& unit) {
  const std::string text = Digits(value, 3);
  return unit == "1" || unit.empty() ? text : text + " " + unit;
}

// How a line about one panel calls a curve.
const std::string& NameIn(const Panel& panel, const PlottedCurve& curve) {
  return panel.title.empty() ? curve.run : curve.name;
}

bool IsUndefined(const PlottedCurve& curve) {
  return std::none_of(curve.y.begin(), curve.y.end(), [](double y) { return std::isfinite(y); });
}

// "Not defined for a, b" when all panels agree, otherwise a line for each panel.
void NoteUndefined(const Plot& plot, Names* notes) {
  std::vector<Names> undefined;
  for (const Panel& panel : plot.panels) {
    Names names;
    for (const PlottedCurve& curve : panel.curves) {
      if (IsUndefined(curve)) AddOnce(&names, NameIn(panel, curve));
    }
    undefined.push_back(names);
  }
  if (undefined.empty()) return;
  const bool agree = std::all_of(undefined.begin(), undefined.end(),
                                 [&](const Names& names) { return names == undefined.front(); });
  if (agree && (plot.panels.size() == 1 || !undefined.front().empty())) {
    if (!undefined.front().empty()) {
      notes->push_back("Not defined for " + Join(undefined.front()) + ".");
    }
    return;
  }
  for (size_t i = 0; i < plot.panels.size(); ++i) {
    if (undefined[i].empty()) continue;
    const Panel& panel = plot.panels[i];
    const bool whole = undefined[i].size() == panel.curves.size();
    notes->push_back((panel.title.empty() ? panel.y.label : panel.title) + ": " +
                     (whole ? "nothing is" : Join(undefined[i]) + " not") + " defined.");
  }
}

void NoteNotPositive(const Plot& plot, Names* notes) {
  Names zero, partly;
  for (const Panel& panel : plot.panels) {
    if (!panel.y.logarithmic) continue;
    for (const PlottedCurve& curve : panel.curves) {
      if (IsUndefined(curve)) continue;
      const auto count = [&](auto&& test) {
        return std::count_if(curve.y.begin(), curve.y.end(),
                             [&](double y) { return std::isfinite(y) && test(y); });
      };
      if (count([](double y) { return y != 0.0; }) == 0) {
        AddOnce(&zero, NameIn(panel, curve));
      } else if (count([](double y) { return y <= 0.0; }) > 0) {
        AddOnce(&partly, NameIn(panel, curve));
      }
    }
  }
  if (!zero.empty()) {
    notes->push_back("Exactly 0 throughout, which a logarithmic axis cannot show: " + Join(zero) +
                     ".");
  }
  if (!partly.empty()) {
    notes->push_back("Gaps where the value is 0 or less (logarithmic axis): " + Join(partly) + ".");
  }
}

// How far a value is outside a range, on paper; below 0 inside.
double Beyond(double value, const AxisRange& range, bool logarithmic) {
  if (logarithmic) {
    return std::max(std::log10(value / range.upper), std::log10(range.lower / value));
  }
  return std::max(value - range.upper, range.lower - value);
}

// Values of a panel up to this are rounding: kRounding of the largest that the plot shows in the
// same unit, and of 1 for a pure number, which is one quantity over another of its kind.
double RoundingIn(const Plot& plot, const std::vector<AxisRange>& ranges, const Panel& panel) {
  double largest = panel.y.unit == "1" ? 1.0 : 0.0;
  for (size_t i = 0; i < ranges.size(); ++i) {
    if (plot.panels[i].y.unit != panel.y.unit) continue;
    largest = std::max({largest, std::abs(ranges[i].lower), std::abs(ranges[i].upper)});
  }
  return kRounding * largest;
}

void NoteDiverged(const Plot& plot, Names* notes) {
  const std::vector<AxisRange> ranges = RangesOfY(plot);
  Names ends, leaves;
  for (size_t i = 0; i < plot.panels.size(); ++i) {
    const Panel& panel = plot.panels[i];
    const double rounding = RoundingIn(plot, ranges, panel);
    for (const PlottedCurve& curve : panel.curves) {
      double farthest = 0.0, beyond = 0.0, end = 0.0;
      const bool logarithmic = panel.y.logarithmic;
      for (size_t k = 0; k < curve.y.size(); ++k) {
        end = curve.x[k];  // of the run, even where the curve is not defined to its end
        const double top = TopOf(curve, k);
        if (!std::isfinite(top)) continue;
        if ((logarithmic && top <= 0.0) || std::abs(top) <= rounding) continue;
        const double out = Beyond(top, ranges[i], logarithmic);
        if (out > beyond) {
          beyond = out;
          farthest = top;
        }
      }
      if (curve.diverged && !IsUndefined(curve)) {
        AddOnce(&ends, curve.run + " at " + Number(end, plot.x.unit));
      }
      if (beyond > 0.0) {
        const std::string what = panel.title.empty() ? curve.run : curve.name + " of " + curve.run;
        AddOnce(&leaves, what + " reaches " + Number(farthest, panel.y.unit));
      }
    }
  }
  if (!ends.empty()) notes->push_back("× diverged: " + Join(ends) + ".");
  if (!leaves.empty()) notes->push_back("Outside the plotted range: " + Join(leaves) + ".");
}

// Of the height of a panel: lines nearer than this cover each other.
constexpr double kOneLine = 0.003;

// Does one of the curves hide the other? Undefined values are at the same places then.
bool Coincide(const PlottedCurve& a, const PlottedCurve& b, const AxisRange& range,
              bool logarithmic) {
  if (a.x != b.x || !a.t.empty() || !b.t.empty() || !a.base.empty() || !b.base.empty()) {
    return false;
  }
  const double height =
      logarithmic ? std::log10(range.upper / range.lower) : range.upper - range.lower;
  for (size_t i = 0; i < a.y.size(); ++i) {
    if (a.y[i] == b.y[i]) continue;
    if (std::isfinite(a.y[i]) != std::isfinite(b.y[i])) return false;
    if (!std::isfinite(a.y[i])) continue;
    if (logarithmic && (a.y[i] <= 0.0 || b.y[i] <= 0.0)) return false;
    const double off = logarithmic ? std::log10(a.y[i] / b.y[i]) : a.y[i] - b.y[i];
    if (!(std::abs(off) < kOneLine * height)) return false;
  }
  return true;
}

bool IsConstant(const PlottedCurve& curve) {
  return std::all_of(curve.y.begin(), curve.y.end(),
                     [&](double y) { return y == curve.y.front(); });
}

// "a, b; c, d": runs whose curves lie on each other in a panel where others do not, or which move.
std::string CoincidingIn(const Panel& panel, const AxisRange& range) {
  std::vector<Names> groups;
  std::vector<bool> told(panel.curves.size());
  for (size_t i = 0; i < panel.curves.size(); ++i) {
    const PlottedCurve& first = panel.curves[i];
    if (told[i] || first.y.size() < 2 || IsUndefined(first) || IsConstant(first)) continue;
    Names names = {NameIn(panel, first)};
    for (size_t k = i + 1; k < panel.curves.size(); ++k) {
      if (told[k] || panel.curves[k].run == first.run) continue;
      if (!Coincide(first, panel.curves[k], range, panel.y.logarithmic)) continue;
      told[k] = true;
      AddOnce(&names, NameIn(panel, panel.curves[k]));
    }
    // Their fits may coincide as they do.
    if (names.size() > 1 && std::ranges::find(groups, names) == groups.end()) {
      groups.push_back(names);
    }
  }
  std::string text;
  for (const Names& group : groups) text += (text.empty() ? "" : "; ") + Join(group);
  return text;
}

// One line for panels of the same groups.
void NoteCoinciding(const Plot& plot, Names* notes) {
  const std::vector<AxisRange> ranges = RangesOfY(plot);
  std::vector<std::pair<std::string, Names>> found;  // groups, the panels
  for (size_t i = 0; i < plot.panels.size(); ++i) {
    const Panel& panel = plot.panels[i];
    const std::string groups = CoincidingIn(panel, ranges[i]);
    if (groups.empty()) continue;
    auto known = std::find_if(found.begin(), found.end(),
                              [&](const auto& one) { return one.first == groups; });
    if (known == found.end()) known = found.insert(found.end(), {groups, {}});
    known->second.push_back(panel.title.empty() ? panel.y.label : panel.title);
  }
  for (const auto& [groups, panels] : found) {
    const std::string where = plot.panels.size() > 1 ? " (" + Join(panels) + ")" : "";
    notes->push_back("Curves that coincide: " + groups + where + ".");
  }
}

}  // namespace

std::string Join(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::vector<std::string> NotesOf(const Plot& plot) {
  Names notes;
  NoteUndefined(plot, &notes);
  NoteNotPositive(plot, &notes);
  NoteDiverged(plot, &notes);
  NoteCoinciding(plot, &notes);
  notes.insert(notes.end(), plot.notes.begin(), plot.notes.end());
  return notes;
}

}  // namespace pliant
