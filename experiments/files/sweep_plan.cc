#include "experiments/files/sweep_plan.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "experiments/files/sweep_keys.h"

namespace pliant {
namespace {

constexpr size_t kMostSweepPoints = 100'000;  // a slip in a file must not fill the disk

bool IsNumber(const FileValue& value) { return Codec<double>::Accepts(value); }

// A finite number of a range; whole or not is kept in the file's own value.
double NumberOf(const std::optional<AnyValue>& end, const char* name) {
  FileValue value = end->is;
  return ReadValue<double>(&value, {std::string("'") + name + "'"});
}

// From `from` to `to` in equal steps (equal ratios on a logarithmic scale), both ends included
// exactly. Whole numbers when both ends and all steps are whole, so that a count can be varied.
std::vector<FileValue> RangeValues(const SweepVaryKeys& keys, const FileValue& table) {
  const double from = NumberOf(keys.from, "from"), to = NumberOf(keys.to, "to");
  const int count = *keys.count;
  if (count < 2) {
    FailAt(PlaceOf(table, "count"), "'count' is " + std::to_string(count),
           "a range has at least 2 values; give one alone as values = [" +
               WriteInline(keys.from->is) + "]");
  }
  if (static_cast<size_t>(count) > kMostSweepPoints) {
    FailAt(PlaceOf(table, "count"), "'count' is more than " + std::to_string(kMostSweepPoints));
  }
  if (from == to) FailAt(PlaceOf(table, "to"), "'to' is the same as 'from'", "give another end");
  const bool logarithmic = keys.scale == AxisScale::kLogarithmic;
  const bool whole = std::holds_alternative<std::int64_t>(keys.from->is.data) &&
                     std::holds_alternative<std::int64_t>(keys.to->is.data) && !logarithmic &&
                     std::fmod(to - from, count - 1) == 0.0;
  const FilePlace place = PlaceOf(table, "from");
  std::vector<FileValue> values;
  for (int i = 0; i < count; ++i) {
    const double part = static_cast<double>(i) / (count - 1);
    double value = logarithmic ? from * std::pow(to / from, part) : from + part * (to - from);
    if (i == 0) value = from;
    if (i == count - 1) value = to;
    values.push_back({value, place});
    if (whole) values.back().data = static_cast<std::int64_t>(std::llround(value));
  }
  return values;
}

std::vector<FileValue> ValuesOf(const SweepVaryKeys& keys, const FileValue& table) {
  const bool has_range = keys.from || keys.to || keys.count;
  if (keys.values && has_range) {
    const char* other = keys.from ? "from" : keys.to ? "to" : "count";
    FailAt(table.FindEntry(other)->place, "both 'values' and a range for '" + keys.key + "'",
           "give either values or from, to and count");
  }
  if (!keys.values) {
    if (!keys.from || !keys.to || !keys.count) {
      FailAt(table.place, "'" + keys.key + "' has no values",
             "give values = […], or from, to and count");
    }
    return RangeValues(keys, table);
  }
  std::vector<FileValue> values;
  for (const AnyValue& value : *keys.values) values.push_back(value.is);
  if (values.empty()) {
    FailAt(PlaceOf(table, "values"), "the list of values of '" + keys.key + "' is empty",
           "give at least one");
  }
  return values;
}

VariedKey ReadVaried(FileValue* table) {
  const auto keys = ReadKeys<SweepVaryKeys>(table);
  VariedKey varied{keys.key,
                   keys.label.value_or(keys.key),
                   keys.unit,
                   keys.scale == AxisScale::kLogarithmic,
                   ValuesOf(keys, *table),
                   PlaceOf(*table, "key")};
  const FileValue& first = varied.values.front();
  for (size_t i = 0; i < varied.values.size(); ++i) {
    const FileValue& value = varied.values[i];
    const bool alike =
        value.data.index() == first.data.index() || (IsNumber(value) && IsNumber(first));
    if (!alike) {
      FailAt(value.place,
             "a value of '" + varied.key + "' is " + KindInWords(value) + " where the first is " +
                 KindInWords(first),
             "values of one key are of one kind");
    }
  }
  if (!varied.logarithmic) return varied;
  for (FileValue& value : varied.values) {
    if (IsNumber(value) && Codec<double>::Read(&value, {"a value of '" + varied.key + "'"}) > 0.0) {
      continue;
    }
    FailAt(value.place,
           "a value of '" + varied.key + "' is " +
               (IsNumber(value) ? WriteInline(value) : KindInWords(value)),
           "a logarithmic scale takes numbers above 0");
  }
  return varied;
}

void RequireDistinctKeys(const std::vector<VariedKey>& vary) {
  for (size_t i = 0; i < vary.size(); ++i) {
    for (size_t earlier = 0; earlier < i; ++earlier) {
      // "scene" and "scene.gravity" cannot both be had either.
      const std::string &a = vary[earlier].key, &b = vary[i].key;
      const bool inside = a.starts_with(b + ".") || b.starts_with(a + ".");
      if (a != b && !inside) continue;
      FailAt(vary[i].place, "'" + b + "' is varied already" + (inside ? " by '" + a + "'" : ""),
             "name each key once");
    }
  }
}

// What is the same for equal values, wherever they stand: 1 is 1.0.
std::string Canonical(const FileValue& value) {
  const auto* integer = std::get_if<std::int64_t>(&value.data);
  return WriteInline(integer != nullptr ? FileValue{static_cast<double>(*integer), {}} : value);
}

// A point that stands twice would be run twice into one folder.
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

void RequireEqualCounts(const std::vector<VariedKey>& vary) {
  for (const VariedKey& varied : vary) {
    const size_t count = varied.values.size(), first = vary.front().values.size();
    if (count == first) continue;
    FailAt(varied.place,
           "'" + varied.key + "' has " + std::to_string(count) + " values where '" +
               vary.front().key + "' has " + std::to_string(first),
           "combine = \"zip\" needs as many of each; a grid does not");
  }
}

}  // namespace

EnumWords<SweepCombination> WordsOf(SweepCombination) {
  return {{"grid", SweepCombination::kGrid}, {"zip", SweepCombination::kZip}};
}

EnumWords<AxisScale> WordsOf(AxisScale) {
  return {{"linear", AxisScale::kLinear}, {"logarithmic", AxisScale::kLogarithmic}};
}

void SweepVaryKeys::Bind(KeyBinder& b) {
  b.Required("key", &key, "1", "what is varied: a key of [run], the scene or a backend, as --set");
  b.Optional("values", &values, "", "its values");
  b.Optional("from", &from, "", "first value of a range, in place of values");
  b.Optional("to", &to, "", "last value of the range");
  b.Optional("count", &count, "1", "how many values the range has, both ends included; at least 2");
  b.Default("scale", &scale, "1", "spacing of the range, and the axis of the curves");
  b.Optional("label", &label, "1", "words on the axis; else the key");
  b.Default("unit", &unit, "1", "unit on the axis; \"1\" for a pure number");
}

void SweepCurveKeys::Bind(KeyBinder& b) {
  b.Required("figure", &figure, "1", "name of the headline figure, see `pliant list metrics`");
  b.Default("scale", &scale, "1", "of its axis");
}

void SweepKeys::Bind(KeyBinder& b) {
  b.Default("combine", &combine, "1", "all values with all others, or the first with the first, …");
  b.Required("vary", &vary, "", "the keys that are varied: [[sweep.vary]], at least one");
  b.Optional("curve", &curve, "",
             "headline figures drawn against the first varied key that is a number: "
             "[[sweep.curve]]");
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

SweepPlan ReadSweepTable(FileValue* table) {
  const auto keys = ReadKeys<SweepKeys>(table);
  SweepPlan plan;
  plan.combination = keys.combine;
  if (keys.vary.empty()) FailAt(PlaceOf(*table, "vary"), "nothing is varied", "add [[sweep.vary]]");
  for (FileValue* vary : keys.vary) plan.vary.push_back(ReadVaried(vary));
  RequireDistinctKeys(plan.vary);
  if (plan.combination == SweepCombination::kZip) RequireEqualCounts(plan.vary);
  double points = 1.0;
  for (const VariedKey& varied : plan.vary) points *= static_cast<double>(varied.values.size());
  if (plan.combination == SweepCombination::kGrid && points > kMostSweepPoints) {
    FailAt(table->place, "the grid has more than " + std::to_string(kMostSweepPoints) + " points");
  }
  RequireDistinctPoints(plan);
  if (keys.curve) {
    for (FileValue* curve : *keys.curve) {
      const auto curve_keys = ReadKeys<SweepCurveKeys>(curve);
      plan.curves.push_back({curve_keys.figure, curve_keys.scale == AxisScale::kLogarithmic,
                             PlaceOf(*curve, "figure")});
    }
  }
  return plan;
}

}  // namespace pliant
