#include "experiments/sweeps/sweep_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>

namespace pliant {
namespace {

double NumberOf(const FileValue& value) {
  const auto* integer = std::get_if<std::int64_t>(&value.data);
  return integer != nullptr ? static_cast<double>(*integer) : std::get<double>(value.data);
}

std::string NameOf(const SweepPlan& plan, const SweepPoint& point, const std::string& label,
                   size_t key_of_x) {
  std::string name = label;
  for (size_t k = 0; k < plan.vary.size(); ++k) {
    if (k == key_of_x || plan.combination == SweepCombination::kZip) continue;
    const VariedKey& varied = plan.vary[k];
    name += ", " + (varied.label == varied.key ? SplitPath(varied.label).back() : varied.label) +
            " = " + ValueText(point.values[k]);
  }
  return name;
}

// Has the point a logarithm of both, and tells it anything?
bool CanBeFitted(const LineValues& values, size_t i) {
  const double x = values.x[i], y = values.y[i];
  const double band = values.band.empty() ? 0.0 : values.band[i];
  const bool crossed = !values.crossed.empty() && values.crossed[i];
  return x > 0.0 && y != 0.0 && std::isfinite(y) && !(std::abs(y) <= band) && !crossed;
}

using Points = std::vector<std::pair<double, double>>;  // ln x, ln |y|; x ascends

Points PointsToFit(const LineValues& values) {
  Points points;
  for (size_t i = 0; i < values.x.size(); ++i) {
    if (CanBeFitted(values, i))
      points.emplace_back(std::log(values.x[i]), std::log(std::abs(values.y[i])));
  }
  std::ranges::sort(points);
  return points;
}

struct Line {
  double slope = 0.0, height = 0.0;  // at 0
  double error = 0.0;                // of the slope, standard
};

// By least squares; needs two different x, and three points for the error.
Line LineThrough(std::span<const std::pair<double, double>> points) {
  const auto n = static_cast<double>(points.size());
  double mean_x = 0.0, mean_y = 0.0;
  for (const auto& [x, y] : points) {
    mean_x += x / n;
    mean_y += y / n;
  }
  double xx = 0.0, xy = 0.0;
  for (const auto& [x, y] : points) {
    xx += (x - mean_x) * (x - mean_x);
    xy += (x - mean_x) * (y - mean_y);
  }
  Line line;
  line.slope = xy / xx;
  line.height = mean_y - line.slope * mean_x;
  double left = 0.0;
  for (const auto& [x, y] : points) {
    const double off = y - mean_y - line.slope * (x - mean_x);
    left += off * off;
  }
  line.error = std::sqrt(left / (n - 2.0) / xx);
  return line;
}

// The slopes of both halves of the points, which share the middle; absent where one of them has a single x.
std::optional<std::pair<double, double>> SlopesOfHalves(const Points& points) {
  const size_t half = points.size() / 2 + 1;
  const std::span all(points);
  const auto lower = all.first(half), upper = all.last(half);
  if (lower.front().first == lower.back().first || upper.front().first == upper.back().first)
    return std::nullopt;
  return std::pair(LineThrough(lower).slope, LineThrough(upper).slope);
}

struct Fit {
  std::optional<PowerLaw> law = {};
  std::string why_none = {};
};

Fit FitOrReason(const LineValues& values) {
  const Points points = PointsToFit(values);
  bool above = false, below = false;
  for (size_t i = 0; i < values.x.size(); ++i) {
    if (CanBeFitted(values, i)) (values.y[i] > 0.0 ? above : below) = true;
  }
  if (above && below) return {.why_none = "its values change sign"};
  std::set<double> places;
  for (const auto& [x, y] : points) places.insert(x);
  if (places.size() < 3) {
    const bool crossed = std::ranges::find(values.crossed, true) != values.crossed.end();
    return {.why_none = std::string("it has fewer than three different places") +
                        (crossed ? " that are not crossed" : "")};
  }
  const Line line = LineThrough(points);
  const auto halves = SlopesOfHalves(points);
  const double most = std::clamp(kMostBend * std::abs(line.slope), kLeastBend, kMostBend);
  if (halves && std::abs(halves->second - halves->first) > most) {
    return {.why_none =
                fmt::format("its points do not lie on a line: the slope goes from {:.2f} to {:.2f}",
                            halves->first, halves->second)};
  }
  return {.law = PowerLaw{line.slope, line.error, (below ? -1.0 : 1.0) * std::exp(line.height),
                          static_cast<int>(points.size())}};
}

}  // namespace

std::optional<size_t> KeyOfX(const SweepPlan& plan) {
  for (size_t i = 0; i < plan.vary.size(); ++i) {
    if (plan.vary[i].IsNumeric()) return i;
  }
  return std::nullopt;
}

std::vector<SweepLine> LinesOf(const Sweep& sweep, const SweepTable& table, size_t key_of_x) {
  std::vector<SweepLine> lines;
  std::map<std::string, size_t> numbers;
  for (size_t row = 0; row < table.points.size(); ++row) {
    const SweepPoint& point = sweep.points[table.points[row]];
    const ComparisonRow& run = table.table.rows[row];
    const std::string name = NameOf(sweep.plan(), point, run.label, key_of_x);
    const auto [at, is_new] = numbers.emplace(name, lines.size());
    if (is_new) lines.push_back({name, run.backend, {}});
    lines[at->second].rows.emplace_back(NumberOf(point.values[key_of_x]), row);
  }
  for (SweepLine& line : lines) std::sort(line.rows.begin(), line.rows.end());
  std::stable_sort(lines.begin(), lines.end(), [&](const SweepLine& a, const SweepLine& b) {
    const auto place = [&](const SweepLine& line) {
      const std::string& label = table.table.rows[line.rows.front().second].label;
      return std::find_if(sweep.base.backends.begin(), sweep.base.backends.end(),
                          [&](const BackendChoice& choice) { return choice.label == label; });
    };
    return place(a) < place(b);
  });
  return lines;
}

std::optional<FigureLimit> ReferenceAt(const SweepCurve& curve, const SweepTable& table,
                                       size_t point) {
  if (curve.reference) return FigureLimit{*curve.reference, 0.0};
  const auto reference = table.references.find(point);
  if (reference == table.references.end()) return std::nullopt;
  const auto value = reference->second.values.find(curve.figure);
  if (value == reference->second.values.end()) return std::nullopt;
  return value->second;
}

std::optional<double> CurveValue(const SweepCurve& curve, const SweepTable& table, size_t row) {
  const auto found = std::ranges::find(table.table.columns, curve.figure, &SeriesColumn::name);
  const auto column = static_cast<size_t>(found - table.table.columns.begin());
  const std::optional<double> value = table.table.rows[row].values[column];
  if (!value || curve.difference == CurveDifference::kNone) return value;
  const auto reference = ReferenceAt(curve, table, table.points[row]);
  if (!reference) return std::nullopt;
  const double difference = *value - reference->value;
  if (curve.difference == CurveDifference::kAbsolute) return difference;
  if (reference->value == 0.0) return std::nullopt;
  return difference / reference->value;
}

std::string CurveName(const SweepCurve& curve, const std::string& figure) {
  if (curve.difference == CurveDifference::kNone) return figure;
  const std::string difference = figure + " − reference";
  return curve.difference == CurveDifference::kAbsolute ? difference
                                                        : "(" + difference + ")/reference";
}

LineValues ValuesOf(const SweepLine& line, const SweepTable& table, const SweepCurve& curve) {
  LineValues values;
  for (const auto& [x, row] : line.rows) {
    const bool whole = RanToItsEnd(table.table.rows[row].outcome.kind);
    values.x.push_back(x);
    values.y.push_back(whole ? CurveValue(curve, table, row).value_or(NAN) : NAN);
    values.crossed.push_back(table.table.rows[row].outcome.kind != OutcomeKind::kCompleted);
    if (curve.difference == CurveDifference::kNone) continue;
    const auto reference = ReferenceAt(curve, table, table.points[row]);
    const bool relative = curve.difference == CurveDifference::kRelative;
    values.band.push_back(
        reference ? reference->band / (relative ? std::abs(reference->value) : 1.0) : 0.0);
  }
  return values;
}

bool IsNegative(const LineValues& values) {
  return std::ranges::any_of(values.y, [](double y) { return y < 0.0; }) &&
         std::ranges::none_of(values.y, [](double y) { return y > 0.0; });
}

std::string WhyNoPowerLaw(const LineValues& values) { return FitOrReason(values).why_none; }

std::optional<PowerLaw> FitPowerLaw(const LineValues& values) { return FitOrReason(values).law; }

std::string ExponentText(const PowerLaw& law) {
  return fmt::format("{:.2f} ± {:.2f}", law.exponent, law.error);
}

FindingTable TableOfSlopes(const Sweep& sweep, const SweepTable& table) {
  FindingTable slopes{"Slopes", {"figure", "against", "run", "slope", "points"}, {}, ""};
  slopes.remark =
      "figure ~ (varied key)^slope by least squares of logarithms, with its standard error; "
      "crossed "
      "runs have no part in it, and points that do not lie on a line have none";
  const std::optional<size_t> key = KeyOfX(sweep.plan());
  if (!key || !sweep.plan().vary[*key].logarithmic) return slopes;
  const std::vector<SweepLine> lines = LinesOf(sweep, table, *key);
  for (const SweepCurve& curve : sweep.plan().curves) {
    if (!curve.logarithmic) continue;
    const bool itself = curve.difference == CurveDifference::kNone;
    const std::string name = CurveName(curve, curve.figure);
    for (const SweepLine& line : lines) {
      if (!itself && !curve.reference && IsReference(line, sweep, table)) continue;
      const LineValues values = ValuesOf(line, table, curve);
      const auto law = FitPowerLaw(values);
      const std::string figure = IsNegative(values) || !itself ? "|" + name + "|" : name;
      slopes.rows.push_back({figure, sweep.plan().vary[*key].label, line.name,
                             law ? ExponentText(*law) : "none: " + WhyNoPowerLaw(values),
                             law ? std::to_string(law->points) : ""});
    }
  }
  return slopes;
}

std::vector<std::string> MendsOfNoSlopes(const SweepPlan& plan) {
  std::vector<std::string> mends;
  const std::optional<size_t> key = KeyOfX(plan);
  if (!key || !plan.vary[*key].logarithmic) return mends;
  for (const SweepCurve& curve : plan.curves) {
    if (curve.logarithmic) continue;
    std::string mend = "no slopes of " + curve.figure +
                       ", because its axis is linear: scale = \"logarithmic\" in its "
                       "[[sweep.curve]] fits them";
    if (std::ranges::find(mends, mend) == mends.end()) mends.push_back(std::move(mend));
  }
  return mends;
}

bool IsReference(const SweepLine& line, const Sweep& sweep, const SweepTable& table) {
  return table.table.rows[line.rows.front().second].label == sweep.base.reference;
}

}  // namespace pliant
