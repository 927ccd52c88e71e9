#include "experiments/files/sweep_plan.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "experiments/files/keys.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

constexpr size_t kMostSweepPoints = 100'000;  // a typing error in a file must not fill the disk

bool IsNumber(const FileValue& value) { return Codec<double>::Accepts(value); }

enum class AxisScale { kLinear, kLogarithmic };
EnumWords<AxisScale> WordsOf(AxisScale) {
  return {{"linear", AxisScale::kLinear}, {"logarithmic", AxisScale::kLogarithmic}};
}

void BindScale(KeyBinder& b, bool* logarithmic, const std::string& meaning) {
  AxisScale scale = AxisScale::kLinear;
  b.Default("scale", &scale, "1", meaning);
  *logarithmic = scale == AxisScale::kLogarithmic;
}

// The keys of a range.
struct SweepRange {
  std::optional<AnyValue> from, to;
  std::optional<int> count;
};

// A finite number; the value in the file shows whether it is whole.
double NumberOf(const std::optional<AnyValue>& end, const char* name) {
  FileValue value = end->is;
  return ReadValue<double>(&value, {std::string("'") + name + "'"});
}

double ToFifteenDigits(double value) {
  const std::string digits = Digits(value, 15);
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

// From `from` to `to` in equal steps (equal ratios on a logarithmic scale), both ends included
// exactly. Whole numbers when both ends and all steps are whole, so that a count can be varied.
std::vector<FileValue> RangeValues(const KeyBinder& b, const SweepRange& range, bool logarithmic) {
  const double from = NumberOf(range.from, "from"), to = NumberOf(range.to, "to");
  const int count = *range.count;
  if (count < 2) {
    b.Fail("count", "'count' is " + std::to_string(count),
           "a range has at least 2 values; for a single one write values = [" +
               WriteInline(range.from->is) + "]");
  }
  if (static_cast<size_t>(count) > kMostSweepPoints) {
    b.Fail("count", "'count' is more than " + std::to_string(kMostSweepPoints));
  }
  if (from == to) b.Fail("to", "'to' is the same as 'from'", "choose another end");
  const bool whole = std::holds_alternative<std::int64_t>(range.from->is.data) &&
                     std::holds_alternative<std::int64_t>(range.to->is.data) && !logarithmic &&
                     std::fmod(to - from, count - 1) == 0.0;
  std::vector<FileValue> values;
  for (int i = 0; i < count; ++i) {
    const double part = static_cast<double>(i) / (count - 1);
    double value = logarithmic ? from * std::pow(to / from, part) : from + part * (to - from);
    value = ToFifteenDigits(value);  // 0.075 and not 0.075000000000000011
    if (i == 0) value = from;
    if (i == count - 1) value = to;
    values.push_back({value, b.PlaceOf("from")});
    if (whole) values.back().data = static_cast<std::int64_t>(std::llround(value));
  }
  return values;
}

std::vector<FileValue> ValuesOf(const KeyBinder& b,
                                const std::optional<std::vector<AnyValue>>& given,
                                const SweepRange& range, const VariedKey& varied) {
  if (given && (range.from || range.to || range.count)) {
    const char* other = range.from ? "from" : range.to ? "to" : "count";
    FailAt(b.table()->FindEntry(other)->place,
           "both 'values' and a range are given for '" + varied.key + "'",
           "give either values or from, to and count");
  }
  if (!given) {
    if (range.from && range.to && range.count) return RangeValues(b, range, varied.logarithmic);
    b.Fail("", "'" + varied.key + "' has no values", "give values = […], or from, to and count");
  }
  std::vector<FileValue> values;
  for (const AnyValue& value : *given) values.push_back(value.is);
  if (values.empty()) {
    b.Fail("values", "the list of values of '" + varied.key + "' is empty", "give at least one");
  }
  return values;
}

void RequireOneKind(const VariedKey& varied) {
  const FileValue& first = varied.values.front();
  for (size_t i = 0; i < varied.values.size(); ++i) {
    const FileValue& value = varied.values[i];
    const bool alike =
        value.data.index() == first.data.index() || (IsNumber(value) && IsNumber(first));
    if (alike) continue;
    const FileValue& odd = IsNumber(value) ? first : value;  // a number is seldom the mistake
    FailAt(odd.place,
           "value " + std::to_string(i + 1) + " of '" + varied.key + "', " + WriteInline(value) +
               ", is " + KindInWords(value) + " where the first, " + WriteInline(first) + ", is " +
               KindInWords(first),
           IsNumber(value) || IsNumber(first)
               ? MendOfKind(odd, {"number", Codec<double>::Example()})
               : "write all values of a key as one kind");
  }
  for (FileValue value : varied.values) {
    if (!varied.logarithmic) return;
    if (IsNumber(value) && Codec<double>::Read(&value, {"a value of '" + varied.key + "'"}) > 0.0) {
      continue;
    }
    FailAt(value.place,
           "a value of '" + varied.key + "' is " +
               (IsNumber(value) ? WriteInline(value) : KindInWords(value)),
           "a logarithmic scale needs numbers above 0");
  }
}

void RequireDistinctKeys(const std::vector<VariedKey>& vary) {
  for (size_t i = 0; i < vary.size(); ++i) {
    for (size_t earlier = 0; earlier < i; ++earlier) {
      // "scene" and "scene.gravity" cannot both be varied either.
      const std::string &a = vary[earlier].key, &b = vary[i].key;
      const bool inside = a.starts_with(b + ".") || b.starts_with(a + ".");
      if (a != b && !inside) continue;
      FailAt(vary[i].place, "'" + b + "' is already varied" + (inside ? " by '" + a + "'" : ""),
             "name each key once");
    }
  }
}

// A text that is the same for equal values: 1 is 1.0.
std::string Canonical(const FileValue& value) {
  const auto* integer = std::get_if<std::int64_t>(&value.data);
  return WriteInline(integer != nullptr ? FileValue{static_cast<double>(*integer), {}} : value);
}

// A repeated point would run twice into one folder.
void RequireDistinctPoints(const SweepPlan& plan) {
  const bool zip = plan.combination == SweepCombination::kZip;
  auto require_distinct = [](const std::vector<std::string>& points, const VariedKey& varied) {
    std::set<std::string> seen;
    for (size_t i = 0; i < points.size(); ++i) {
      if (seen.insert(points[i]).second) continue;
      FailAt(varied.values[i].place,
             "'" + varied.key + "' has the value " + WriteInline(varied.values[i]) + " twice",
             "give each point once");
    }
  };
  std::vector<std::string> points(zip ? plan.PointCount() : 0);
  for (const VariedKey& varied : plan.vary) {
    std::vector<std::string> values;
    for (const FileValue& value : varied.values) values.push_back(Canonical(value));
    if (!zip) require_distinct(values, varied);
    for (size_t i = 0; i < points.size(); ++i) points[i] += values[i] + "\n";
  }
  require_distinct(points, plan.vary.front());
}

constexpr char kNoLogarithm[] = "a logarithmic axis needs ends above 0";

// The x axis of all curves is the first key that is a number.
void RequireRangesOfX(const SweepPlan& plan) {
  const auto axis = std::ranges::find_if(plan.vary, &VariedKey::IsNumeric);
  if (axis == plan.vary.end() || !axis->logarithmic) return;
  for (const SweepCurve& curve : plan.curves) {
    if (!curve.x_range || (*curve.x_range)[0] > 0.0) continue;
    FailAt(curve.x_range_place, "'x_range' begins at " + Digits((*curve.x_range)[0]), kNoLogarithm);
  }
}

void RequireEqualCounts(const std::vector<VariedKey>& vary) {
  for (const VariedKey& varied : vary) {
    const size_t count = varied.values.size(), first = vary.front().values.size();
    if (count == first) continue;
    FailAt(varied.place,
           "'" + varied.key + "' has " + std::to_string(count) + " values where '" +
               vary.front().key + "' has " + std::to_string(first),
           "combine = \"zip\" needs equally many values for each key; a grid does not");
  }
}

}  // namespace

EnumWords<SweepCombination> WordsOf(SweepCombination) {
  return {{"grid", SweepCombination::kGrid}, {"zip", SweepCombination::kZip}};
}

EnumWords<CurveDifference> WordsOf(CurveDifference) {
  return {{"none", CurveDifference::kNone},
          {"absolute", CurveDifference::kAbsolute},
          {"relative", CurveDifference::kRelative}};
}

void Bind(KeyBinder& b, VariedKey& varied) {
  b.Title("[[sweep.vary]]");
  std::optional<std::vector<AnyValue>> values;
  SweepRange range;
  b.Required("key", &varied.key, "1",
             "the key to vary: of [run], the scene or a backend, as for --set");
  b.Optional("values", &values, "", "its values");
  b.Optional("from", &range.from, "", "first value of a range, instead of values");
  b.Optional("to", &range.to, "", "last value of the range");
  b.Optional("count", &range.count, "1",
             "number of values of the range, including both ends; at least 2");
  BindScale(b, &varied.logarithmic, "spacing of the range, and the axis of the curves");
  varied.label = varied.key;
  b.Optional("label", &varied.label, "1", "label of the axis; default: the key");
  b.Default("unit", &varied.unit, "1", "unit on the axis; \"1\" for a pure number");
  if (!b.reads()) return;
  varied.place = b.PlaceOf("key");
  varied.values = ValuesOf(b, values, range, varied);
  RequireOneKind(varied);
}

void Bind(KeyBinder& b, SweepCurve& curve) {
  b.Title("[[sweep.curve]]");
  b.Required("figure", &curve.figure, "1",
             "name of the headline figure, see `pliant list metrics`");
  BindScale(b, &curve.logarithmic, "scale of its axis");
  b.Optional(
      "reference", &curve.reference, "",
      "a value of the figure that is known otherwise, in its unit: a line across the curves");
  std::string name;  // of the line; written only where it was given, as `reference` is
  if (curve.reference) name = curve.reference_name;
  b.Optional("reference_name", &name, "1",
             "what the line is called: \"Euler and Bernoulli\"; default: reference");
  b.Default("difference", &curve.difference, "1",
            "absolute: the figure less its reference, `reference` or else that of the experiment; "
            "relative: the same divided by it; a logarithmic axis shows the magnitude");
  b.Optional("x_range", &curve.x_range, "",
             "ends of the x axis, in its unit: [0.001, 0.1]; default: as the curves need");
  b.Optional("y_range", &curve.y_range, "",
             "ends of the axis of the figure, in its unit; default: as the curves need");
  if (!b.reads()) return;
  curve.place = b.PlaceOf("figure");
  curve.difference_place = b.PlaceOf("difference");
  curve.x_range_place = b.PlaceOf("x_range");
  b.Ascending("x_range", curve.x_range);
  b.Ascending("y_range", curve.y_range);
  if (curve.y_range && curve.logarithmic && !((*curve.y_range)[0] > 0.0)) {
    b.Fail("y_range", "'y_range' begins at " + Digits((*curve.y_range)[0]), kNoLogarithm);
  }
  const bool itself = curve.difference == CurveDifference::kNone;
  if (curve.reference && *curve.reference == 0.0 &&
      curve.difference == CurveDifference::kRelative) {
    b.Fail("reference", "'reference' is 0, and no difference is relative to that",
           "use difference = \"absolute\"");
  }
  if (itself && curve.reference && *curve.reference == 0.0 && curve.logarithmic) {
    b.Fail("reference", "'reference' is 0, which a logarithmic axis does not have",
           "leave it out, or use scale = \"linear\"");
  }
  if (!name.empty()) curve.reference_name = name;
  if (!curve.reference && !name.empty()) {
    b.Fail("reference_name", "'reference_name' names a value that is not given",
           "add reference = …, or leave the name out");
  }
}

void Bind(KeyBinder& b, SweepPlan& plan) {
  b.Title("[sweep]");
  b.Default("combine", &plan.combination, "1",
            "grid: all values with all others; zip: the first with the first, …");
  b.Required("vary", &plan.vary, "", "the keys that are varied: [[sweep.vary]], at least one");
  b.Optional("curve", &plan.curves, "",
             "headline figures drawn against the first varied key that is a number: "
             "[[sweep.curve]]");
  if (!b.reads()) return;
  if (plan.vary.empty()) b.Fail("vary", "nothing is varied", "add [[sweep.vary]]");
  RequireDistinctKeys(plan.vary);
  RequireRangesOfX(plan);
  if (plan.combination == SweepCombination::kZip) RequireEqualCounts(plan.vary);
  double points = 1.0;
  for (const VariedKey& varied : plan.vary) points *= static_cast<double>(varied.values.size());
  if (plan.combination == SweepCombination::kGrid && points > kMostSweepPoints) {
    b.Fail("", "the grid has more than " + std::to_string(kMostSweepPoints) + " points");
  }
  RequireDistinctPoints(plan);
}

bool VariedKey::IsNumeric() const { return IsNumber(values.front()); }

size_t SweepPlan::PointCount() const {
  size_t count = vary.front().values.size();
  if (combination == SweepCombination::kZip) return count;
  for (size_t i = 1; i < vary.size(); ++i) count *= vary[i].values.size();
  return count;
}

std::vector<size_t> SweepPlan::ValuesAt(size_t point) const {
  if (combination == SweepCombination::kZip) return std::vector<size_t>(vary.size(), point);
  std::vector<size_t> at(vary.size());
  for (size_t i = vary.size(); i-- > 0;) {
    at[i] = point % vary[i].values.size();
    point /= vary[i].values.size();
  }
  return at;
}

}  // namespace pliant
