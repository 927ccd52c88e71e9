#include "app/plots/plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

namespace pliant {
namespace {

constexpr double kRangeMargin = 0.05;  // of the range, above and below the values
constexpr double kLeastSpan = 0.02;    // of the magnitude: equal values stay a flat line
// A logarithmic axis does not stretch by so many decades for so small a share of its values, such
// as the rounding errors of a first instant.
constexpr double kDecadesForFew = 3.0, kFew = 0.05;
constexpr double kLeastDecades = 0.30103;  // a factor of two, of a logarithmic axis

// Axis coordinate: what is linear on paper.
double ToAxis(double value, bool logarithmic) { return logarithmic ? std::log10(value) : value; }

bool IsDrawable(double value, bool logarithmic) {
  return std::isfinite(value) && (!logarithmic || value > 0.0);
}

// Grows to hold values; empty at first.
struct Span {
  double lower = INFINITY, upper = -INFINITY;
  bool empty() const { return lower > upper; }
  double width() const { return upper - lower; }
  void Include(double value) {
    lower = std::min(lower, value);
    upper = std::max(upper, value);
  }
};

// The axis coordinate below which a logarithmic axis shows nothing.
double Floor(const std::vector<const Panel*>& panels) {
  std::vector<double> values;
  for (const Panel* panel : panels) {
    for (const PlottedCurve& curve : panel->curves) {
      for (const double y : curve.y) {
        if (IsDrawable(y, true)) values.push_back(ToAxis(y, true));
      }
    }
  }
  if (values.empty()) return -INFINITY;
  const auto few =
      values.begin() + static_cast<std::ptrdiff_t>(kFew * static_cast<double>(values.size()));
  std::nth_element(values.begin(), few, values.end());
  const double lowest = *std::min_element(values.begin(), few + 1);
  return lowest < *few - kDecadesForFew ? *few : lowest;
}

// Axis coordinates that the curves of `panels` need.
Span SpanOf(const std::vector<const Panel*>& panels, bool logarithmic, bool leave_few) {
  Span healthy, diverged;
  const double floor = logarithmic && leave_few ? Floor(panels) : -INFINITY;
  for (const Panel* panel : panels) {
    for (const PlottedCurve& curve : panel->curves) {
      for (size_t i = 0; i < curve.y.size(); ++i) {
        if (!IsDrawable(curve.y[i], logarithmic)) continue;
        const double top = TopOf(curve, i);
        if (ToAxis(top, logarithmic) < floor) continue;
        const bool late = curve.diverged && 2 * i >= curve.y.size();
        Span& span = late ? diverged : healthy;
        span.Include(ToAxis(top, logarithmic));
        const bool has_edge = !curve.base.empty() && !logarithmic;
        if (has_edge && IsDrawable(curve.base[i], false)) span.Include(curve.base[i]);
      }
    }
  }
  if (healthy.empty()) return diverged;
  if (diverged.empty()) return healthy;
  double room = healthy.width();
  if (room == 0.0) room = std::abs(healthy.upper);
  if (room == 0.0) room = diverged.width();  // nothing to go by: the others are all zero
  Span span = healthy;
  span.Include(std::clamp(diverged.lower, healthy.lower - room, healthy.upper + room));
  span.Include(std::clamp(diverged.upper, healthy.lower - room, healthy.upper + room));
  return span;
}

AxisRange LinearRange(Span span, bool include_zero) {
  if (include_zero) span.Include(0.0);
  if (span.empty()) return {0.0, 1.0};
  if (span.lower > 0.0 && span.lower < 0.5 * span.upper) span.lower = 0.0;
  const double magnitude = std::max(std::abs(span.lower), std::abs(span.upper));
  if (magnitude == 0.0) return {-1.0, 1.0};
  const double width = std::max(span.width(), kLeastSpan * magnitude);
  const double centre = span.lower + 0.5 * span.width();
  const double half = (0.5 + kRangeMargin) * width;
  // A quantity that cannot be negative stands on its zero.
  if (span.lower == 0.0 && !include_zero) return {0.0, centre + half};
  return {centre - half, centre + half};
}

AxisRange LogarithmicRange(const Span& span, double decades) {
  if (span.empty()) return {1.0, 10.0};
  double upper = std::ceil(span.upper);
  double lower = std::max(std::floor(span.lower), upper - decades);
  if (upper == lower) {
    if (span.upper == upper) lower -= 1.0;
    upper += 1.0;
  }
  const double margin = 0.5 * kRangeMargin * (upper - lower);
  return {std::pow(10.0, lower - margin), std::pow(10.0, upper + margin)};
}

// Of values that are measured one by one: as long as they need.
AxisRange TightLogarithmicRange(const Span& span, double decades) {
  if (span.empty()) return {1.0, 10.0};
  const double lower = std::max(span.lower, span.upper - decades);
  const double width = std::max(span.upper - lower, kLeastDecades);
  const double centre = 0.5 * (lower + span.upper), half = (0.5 + kRangeMargin) * width;
  return {std::pow(10.0, centre - half), std::pow(10.0, centre + half)};
}

bool AreWhole(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(),
                     [](double v) { return !std::isfinite(v) || v == std::round(v); });
}

std::string Superscript(int number) {
  static constexpr std::array<std::string_view, 10> kDigits = {"⁰", "¹", "²", "³", "⁴",
                                                               "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = number < 0 ? "⁻" : "";
  for (const char digit : std::to_string(std::abs(number))) text += kDigits[digit - '0'];
  return text;
}

// The prefix of 10^exponent, where `unit` is one that takes prefixes.
std::optional<std::string_view> PrefixFor(int exponent, std::string_view unit) {
  static constexpr std::array<std::string_view, 6> kUnits = {"J", "m", "s", "N", "m/s", "m/s²"};
  static constexpr std::array<std::pair<int, std::string_view>, 9> kPrefixes = {{{-15, "f"},
                                                                                 {-12, "p"},
                                                                                 {-9, "n"},
                                                                                 {-6, "µ"},
                                                                                 {-3, "m"},
                                                                                 {3, "k"},
                                                                                 {6, "M"},
                                                                                 {9, "G"},
                                                                                 {12, "T"}}};
  if (std::find(kUnits.begin(), kUnits.end(), unit) == kUnits.end()) return std::nullopt;
  if (unit == "s" && exponent > 0) return std::nullopt;  // nobody reads kiloseconds
  for (const auto& [power, prefix] : kPrefixes) {
    if (power == exponent) return prefix;
  }
  return std::nullopt;
}

}  // namespace

void StackAreas(const std::vector<PlottedCurve*>& areas) {
  std::vector<double> above, below;
  for (PlottedCurve* area : areas) {
    const size_t count = area->y.size();
    above.resize(std::max(above.size(), count), 0.0);
    below.resize(above.size(), 0.0);
    area->base.resize(count);
    for (size_t i = 0; i < count; ++i) {
      double& edge = area->y[i] < 0.0 ? below[i] : above[i];
      area->base[i] = edge;
      if (std::isfinite(area->y[i])) edge += area->y[i];
    }
  }
}

AxisRange RangeOfX(const Plot& plot) {
  if (plot.x.range) return *plot.x.range;
  Span span;
  for (const Panel& panel : plot.panels) {
    for (const PlottedCurve& curve : panel.curves) {
      for (const double x : curve.x) {
        if (IsDrawable(x, plot.x.logarithmic)) span.Include(ToAxis(x, plot.x.logarithmic));
      }
    }
  }
  if (plot.x.logarithmic) {
    if (plot.mark_values) return TightLogarithmicRange(span, plot.x.decades);
    if (!(span.width() >= 1.0)) return LogarithmicRange(span, plot.x.decades);
    // Up to the next power of ten where that is near.
    const double next_lower = std::floor(span.lower), next_upper = std::ceil(span.upper);
    const double lower = span.lower - next_lower < 0.5 ? next_lower : span.lower;
    const double upper = next_upper - span.upper < 0.5 ? next_upper : span.upper;
    const double margin = 0.5 * kRangeMargin * (upper - lower);
    return {std::pow(10.0, lower - margin), std::pow(10.0, upper + margin)};
  }
  if (span.empty()) return {0.0, plot.least_x > 0.0 ? plot.least_x : 1.0};
  if (span.width() < plot.least_x) return {span.lower, span.lower + plot.least_x};
  if (span.width() == 0.0) return {span.lower - 0.5, span.upper + 0.5};
  return {span.lower, span.upper};
}

std::vector<AxisRange> RangesOfY(const Plot& plot) {
  auto range_of = [&](const std::vector<const Panel*>& panels) {
    const Axis& y = panels.front()->y;
    if (y.range) return *y.range;
    const Span span = SpanOf(panels, y.logarithmic, !plot.mark_values);
    if (!y.logarithmic) return LinearRange(span, plot.zero_line);
    return plot.mark_values ? TightLogarithmicRange(span, y.decades)
                            : LogarithmicRange(span, y.decades);
  };
  std::vector<const Panel*> all;
  for (const Panel& panel : plot.panels) all.push_back(&panel);
  if (plot.common_y && !all.empty()) {
    return std::vector<AxisRange>(plot.panels.size(), range_of(all));
  }
  std::vector<AxisRange> ranges;
  for (const Panel* panel : all) ranges.push_back(range_of({panel}));
  return ranges;
}

bool CountsInX(const Plot& plot) {
  return std::all_of(plot.panels.begin(), plot.panels.end(), [](const Panel& panel) {
    return std::all_of(panel.curves.begin(), panel.curves.end(),
                       [](const PlottedCurve& curve) { return AreWhole(curve.x); });
  });
}

bool CountsInY(const Panel& panel) {
  return std::all_of(panel.curves.begin(), panel.curves.end(),
                     [](const PlottedCurve& curve) { return AreWhole(curve.y); });
}

UnitScale ScaleFor(const AxisRange& range, const std::string& unit) {
  const std::string plain = unit == "1" ? "" : unit;
  const double magnitude = std::max(std::abs(range.lower), std::abs(range.upper));
  const double least = plain.empty() ? 1e-3 : 0.1;
  if (magnitude == 0.0 || (magnitude >= least && magnitude < 1e4)) return {1.0, plain};
  const int exponent = 3 * static_cast<int>(std::floor(std::log10(magnitude) / 3.0));
  if (exponent == 0) return {1.0, plain};
  const double factor = std::pow(10.0, -exponent);
  if (const auto prefix = PrefixFor(exponent, unit)) return {factor, std::string(*prefix) + unit};
  return {factor, "10" + Superscript(exponent) + (plain.empty() ? "" : " " + plain)};
}

std::vector<Polyline> VisibleStretches(const PlottedCurve& curve, const AxisRange& range,
                                       bool logarithmic) {
  const double lower = ToAxis(range.lower, logarithmic), upper = ToAxis(range.upper, logarithmic);
  const size_t n = std::min(curve.x.size(), curve.y.size());
  auto defined = [&](size_t i) {
    return i < n && std::isfinite(curve.x[i]) && IsDrawable(curve.y[i], logarithmic);
  };

  std::vector<Polyline> stretches;
  bool open = false;  // does the last stretch end at point i?
  auto add = [&](double x, double y) {
    stretches.back().x.push_back(x);
    stretches.back().y.push_back(y);
  };
  for (size_t i = 0; i < n; ++i) {
    if (!defined(i)) {
      open = false;
      continue;
    }
    const double from = ToAxis(curve.y[i], logarithmic);
    if (!defined(i + 1)) {  // the end of a stretch, or a point on its own
      if (!open && !(i > 0 && defined(i - 1)) && from >= lower && from <= upper) {
        stretches.emplace_back();
        add(curve.x[i], curve.y[i]);
      }
      open = false;
      continue;
    }
    // The part of the segment i → i+1 with axis coordinate inside: fractions [begin, end].
    const double to = ToAxis(curve.y[i + 1], logarithmic);
    double begin = 0.0, end = 1.0, begin_y = curve.y[i], end_y = curve.y[i + 1];
    auto cut = [&](double border, double border_y, bool leaving) {
      const double at = (border - from) / (to - from);
      if (leaving && at < end) {
        end = at;
        end_y = border_y;
      } else if (!leaving && at > begin) {
        begin = at;
        begin_y = border_y;
      }
    };
    if (std::max(from, to) < lower || std::min(from, to) > upper) {
      open = false;
      continue;
    }
    if (from < lower) cut(lower, range.lower, false);
    if (from > upper) cut(upper, range.upper, false);
    if (to < lower) cut(lower, range.lower, true);
    if (to > upper) cut(upper, range.upper, true);
    const double width = curve.x[i + 1] - curve.x[i];
    if (!open) {
      stretches.emplace_back();
      add(begin == 0.0 ? curve.x[i] : curve.x[i] + begin * width, begin_y);
    }
    add(end == 1.0 ? curve.x[i + 1] : curve.x[i] + end * width, end_y);
    open = end == 1.0;
  }
  return stretches;
}

Polyline Decimate(const Polyline& line, const AxisRange& x_range, int columns) {
  const size_t n = line.x.size();
  const double scale = columns / (x_range.upper - x_range.lower);
  auto column_of = [&](size_t i) { return std::floor((line.x[i] - x_range.lower) * scale); };
  Polyline kept;
  for (size_t first = 0; first < n;) {
    size_t last = first, lowest = first, highest = first;
    const double column = column_of(first);
    while (last + 1 < n && column_of(last + 1) == column) {
      ++last;
      if (line.y[last] < line.y[lowest]) lowest = last;
      if (line.y[last] > line.y[highest]) highest = last;
    }
    std::array<size_t, 4> keep = {first, lowest, highest, last};
    std::sort(keep.begin(), keep.end());
    const auto unique_end = std::unique(keep.begin(), keep.end());
    for (auto i = keep.begin(); i != unique_end; ++i) {
      kept.x.push_back(line.x[*i]);
      kept.y.push_back(line.y[*i]);
    }
    first = last + 1;
  }
  return kept;
}

PlottedCurve Thin(const PlottedCurve& path, const AxisRange& x_range, const AxisRange& y_range,
                  double distance) {
  const double width = x_range.upper - x_range.lower, height = y_range.upper - y_range.lower;
  auto defined = [&](size_t i) {
    return i < path.x.size() && std::isfinite(path.x[i]) && std::isfinite(path.y[i]);
  };
  PlottedCurve thin = path;
  thin.x.clear(), thin.y.clear(), thin.t.clear();
  size_t last = 0;  // that stays
  for (size_t i = 0; i < path.x.size(); ++i) {
    const bool inside = i > 0 && defined(i - 1) && defined(i) && defined(i + 1);
    if (inside && std::hypot((path.x[i] - path.x[last]) / width,
                             (path.y[i] - path.y[last]) / height) < distance) {
      continue;
    }
    last = i;
    thin.x.push_back(path.x[i]);
    thin.y.push_back(path.y[i]);
    thin.t.push_back(path.t[i]);
  }
  return thin;
}

std::vector<ColumnBar> BarsOf(const Polyline& line, const std::vector<double>& dashes) {
  std::vector<ColumnBar> bars;
  auto cover = [&](int column, double y) {
    if (bars.empty() || bars.back().column != column) bars.push_back({column, y, y, false});
    bars.back().low = std::min(bars.back().low, y);
    bars.back().high = std::max(bars.back().high, y);
  };
  auto column_of = [](double x) { return static_cast<int>(std::floor(x)); };
  for (size_t i = 0; i < line.x.size(); ++i) {
    cover(column_of(line.x[i]), line.y[i]);
    if (i + 1 == line.x.size()) break;
    const double slope = (line.y[i + 1] - line.y[i]) / (line.x[i + 1] - line.x[i]);
    const int last = column_of(line.x[i + 1]);
    for (int border = column_of(line.x[i]) + 1; border <= last; ++border) {
      const double y = line.y[i] + slope * (border - line.x[i]);
      cover(border - 1, y);
      cover(border, y);
    }
  }
  if (dashes.empty()) return bars;
  double left = dashes.front(), before = 0.0;  // of the present dash or gap; the middle before
  size_t piece = 0;
  for (size_t i = 0; i < bars.size(); ++i) {
    const double middle = 0.5 * (bars[i].low + bars[i].high);
    if (i > 0) left -= std::hypot(1.0, middle - before);
    before = middle;
    while (left <= 0.0) {
      piece = (piece + 1) % dashes.size();
      left += dashes[piece];
    }
    bars[i].gap = piece % 2 == 1;
  }
  return bars;
}

}  // namespace pliant
