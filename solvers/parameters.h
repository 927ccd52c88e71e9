// Parameters of a backend: fields of its options struct, bound once to a name, a unit, a range and
// a meaning. The default is stated in the struct, and nowhere else.
//
//   struct Options {
//     double damping = 0.1;
//     void Bind(ParameterBinder& b) { b.Real("damping", &damping, "1/s", AtLeast(0), "…"); }
//   };
//
// A parameter that has an effect only under a condition says so where it is bound, in words and by
// what decides it:
//
//   b.OnlyWhen("law = barrier", [this](const Scene&) { return law == Law::kBarrier; },
//              [&] { b.Real("barrier_energy", &energy, "J", MoreThan(0), "…"); });
//
// One that is set to another value than its default and has no effect is a warning, of every
// backend alike (backend_with.h); but a 0 that is the least value asks for nothing, and has it.

#ifndef PLIANT_SOLVERS_PARAMETERS_H_
#define PLIANT_SOLVERS_PARAMETERS_H_

#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "models/problem.h"
#include "models/scene/scene.h"
#include "solvers/data_table.h"

namespace pliant {

using ParameterValue = std::variant<bool, std::int64_t, double, std::string, std::vector<double>,
                                    std::vector<std::string>, TableValue>;
// The values by parameter name. Integers are accepted where a real number is expected, and a number
// where a list of numbers is expected (as a list of one).
using ParameterValues = std::map<std::string, ParameterValue>;

// The value as a T, which may be a kind of table; null when it is not a T.
template <typename T>
const T* ValueAs(const ParameterValue& value) {
  if constexpr (std::derived_from<T, DataTable>) {
    const auto* table = std::get_if<TableValue>(&value);
    return table == nullptr ? nullptr : table->As<T>();
  } else {
    return std::get_if<T>(&value);
  }
}

// Is the value read from its own data file?
inline bool IsDataTable(const ParameterValue& value) {
  return std::holds_alternative<TableValue>(value);
}

struct Range {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  bool open_lower = false;  // lower itself is not allowed
  bool infinite = false;    // +∞ is allowed: "never", "without limit"
};
inline Range AtLeast(double lower) { return {lower}; }
inline Range MoreThan(double lower) {
  return {lower, std::numeric_limits<double>::infinity(), true};
}
inline Range Between(double lower, double upper) { return {lower, upper}; }

// "at least 0", "between 0 and 1"; "finite" for a range without bounds.
std::string RangeInWords(const Range& range);

struct ParameterInfo {
  std::string name;
  std::string unit;     // "1" when it has none
  std::string meaning;  // one line
  ParameterValue default_value;
  Range range;
  std::vector<std::string> choices;  // for a parameter that is one of a few words
  std::string counts_when = {};      // the condition under which it has an effect; empty: always
};

// The meaning, and the condition where there is one.
std::string MeaningAndCondition(const ParameterInfo& info);

// Visits the fields of an options struct: records their descriptions and assigns the given values.
class ParameterBinder {
 public:
  // A binder that only lists the parameters.
  ParameterBinder() = default;
  // Describes and assigns. Throws BadInput (where = the parameter's name) for a wrong type or a
  // value outside its range, and in Finish() for names that no field has.
  explicit ParameterBinder(const ParameterValues* values) : values_(values) {}

  void Real(const std::string& name, double* field, const std::string& unit, Range range,
            const std::string& meaning);
  void Integer(const std::string& name, int* field, const std::string& unit, Range range,
               const std::string& meaning);
  void Boolean(const std::string& name, bool* field, const std::string& meaning);
  void Text(const std::string& name, std::string* field, const std::string& meaning);
  void Reals(const std::string& name, std::vector<double>* field, const std::string& unit,
             Range range, const std::string& meaning);
  void Texts(const std::string& name, std::vector<std::string>* field, const std::string& meaning);
  template <std::derived_from<DataTable> Kind>
  void Table(const std::string& name, Kind* field, const std::string& meaning) {
    const ParameterValue* value = Record({name, "1", meaning, *field, {}, {}});
    if (value == nullptr) return;
    const Kind* table = ValueAs<Kind>(*value);
    if (table == nullptr) WrongType(name, "the name of a data file or a table");
    *field = *table;
  }

  // The parameters that `bind` binds have an effect only where `holds`, which may refer to fields
  // of the options. `when` says so in words that go on "it counts only when". Conditions within
  // conditions must all hold.
  void OnlyWhen(const std::string& when, std::function<bool(const Scene&)> holds,
                const std::function<void()>& bind);

  // An enumeration by its words.
  template <typename Enum>
  void Choice(const std::string& name, Enum* field,
              const std::vector<std::pair<std::string, Enum>>& words, const std::string& meaning) {
    ParameterInfo info{name, "1", meaning, std::string(), {}, {}};
    for (const auto& [word, value] : words) {
      info.choices.push_back(word);
      if (value == *field) info.default_value = word;
    }
    const std::string* chosen = ChosenWord(info);
    Describe(std::move(info));
    if (chosen == nullptr) return;
    for (const auto& [word, value] : words) {
      if (word == *chosen) *field = value;
    }
  }

  void Finish() const;
  const std::vector<ParameterInfo>& infos() const { return infos_; }

  // Of options that were bound only to describe them, whose values are thus the defaults here: one
  // line for each that differs from `standard`, the same parameters at their defaults, and has no
  // effect on `scene`. The options must still be there.
  std::vector<std::string> WithoutEffect(const std::vector<ParameterInfo>& standard,
                                         const Scene& scene) const;

 private:
  struct Condition {
    std::string when;
    std::function<bool(const Scene&)> holds;
  };

  void Describe(ParameterInfo info);
  const ParameterValue* Record(ParameterInfo info);
  const std::string* ChosenWord(const ParameterInfo& info) const;
  [[noreturn]] static void WrongType(const std::string& name, const std::string& expected);

  const ParameterValues* values_ = nullptr;
  std::vector<ParameterInfo> infos_;
  std::vector<Condition> conditions_;                  // of what is bound now
  std::vector<std::vector<Condition>> conditions_of_;  // each parameter
};

// Options filled with the values given, everything checked.
template <typename Options>
Options BindParameters(const ParameterValues& values) {
  Options options;
  ParameterBinder binder(&values);
  options.Bind(binder);
  binder.Finish();
  return options;
}

// The parameters of an options struct with their defaults.
template <typename Options>
std::vector<ParameterInfo> DescribeParameters() {
  Options options;
  ParameterBinder binder;
  options.Bind(binder);
  return binder.infos();
}

// One line for each parameter that is not at its default and has no effect on `scene`.
template <typename Options>
std::vector<std::string> ParametersWithoutEffect(Options options, const Scene& scene) {
  ParameterBinder binder;
  options.Bind(binder);
  return binder.WithoutEffect(DescribeParameters<Options>(), scene);
}

}  // namespace pliant

#endif  // PLIANT_SOLVERS_PARAMETERS_H_
