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
// backend alike (backend_with.h).

#ifndef PLIANT_SOLVERS_PARAMETERS_H_
#define PLIANT_SOLVERS_PARAMETERS_H_

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "models/scene/problem.h"
#include "models/scene/scene.h"
#include "solvers/control/tables.h"

namespace pliant {

// A table of named matrices read from a data file: deformation modes, for one.
struct NamedMatrix {
  std::string name;
  Eigen::MatrixXd values;                         // 0×0 when words define it instead
  std::map<std::string, double> scalars;          // numbers that go with it, such as a stiffness
  std::map<std::string, std::string> texts = {};  // words that go with it, such as a shape
  // Numbers by name, such as the weights of a blend.
  std::map<std::string, std::map<std::string, double>> weights = {};
};
struct MatrixTable {
  std::string file;                               // where it was read; empty when written in place
  std::map<std::string, double> scalars;          // numbers that hold for the whole table
  std::map<std::string, std::string> texts = {};  // words that do
  std::vector<NamedMatrix> entries;
  std::map<std::string, std::vector<NamedMatrix>> groups;  // entries of other kinds, by kind

  bool empty() const {
    return scalars.empty() && texts.empty() && entries.empty() && groups.empty();
  }
};

using ParameterValue =
    std::variant<bool, std::int64_t, double, std::string, std::vector<double>,
                 std::vector<std::string>, MatrixTable, ControlTable, KeyFrameTable>;
// By parameter name. Integers are accepted where a real number is expected, and a number where a
// list of numbers is expected (as a list of one).
using ParameterValues = std::map<std::string, ParameterValue>;

// Is it read from a data file of its own?
inline bool IsDataTable(const ParameterValue& value) {
  return std::holds_alternative<MatrixTable>(value) ||
         std::holds_alternative<ControlTable>(value) ||
         std::holds_alternative<KeyFrameTable>(value);
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
  // Only describes.
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
  void Table(const std::string& name, MatrixTable* field, const std::string& meaning);
  void Table(const std::string& name, ControlTable* field, const std::string& meaning);
  void Table(const std::string& name, KeyFrameTable* field, const std::string& meaning);

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
  template <typename DataTable>
  void RecordTable(const std::string& name, DataTable* field, const std::string& meaning);
  const std::string* ChosenWord(const ParameterInfo& info) const;

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
