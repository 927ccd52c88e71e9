#include "solvers/parameters.h"

#include <cmath>

#include "models/scene/number_text.h"

namespace pliant {
namespace {

void RequireInRange(const std::string& name, double value, const Range& range) {
  const bool above = range.open_lower ? value > range.lower : value >= range.lower;
  const bool finite = std::isfinite(value) || (range.infinite && value > 0.0);
  if (finite && above && value <= range.upper) return;
  throw BadInput({name, name + " = " + Digits(value) + " is out of range",
                  "it must be " + RangeInWords(range)});
}

// A data file is at its default when there is none.
bool IsSame(const ParameterValue& a, const ParameterValue& b) {
  if (a.index() != b.index()) return false;
  return std::visit(
      [&b](const auto& value) {
        using T = std::decay_t<decltype(value)>;
        if constexpr (requires { value == value; }) {
          return value == std::get<T>(b);
        } else {
          return value.empty() == std::get<T>(b).empty();
        }
      },
      a);
}

}  // namespace

void ParameterBinder::WrongType(const std::string& name, const std::string& expected) {
  throw BadInput({name, name + " has the wrong type", "give " + expected});
}

std::string RangeInWords(const Range& range) {
  const bool below = std::isfinite(range.lower), above = std::isfinite(range.upper);
  if (below && above && !range.open_lower) {
    return "between " + Digits(range.lower) + " and " + Digits(range.upper);
  }
  if (below && above) {
    return "more than " + Digits(range.lower) + " and at most " + Digits(range.upper);
  }
  if (below) {
    return (range.open_lower ? "more than " : "at least ") + Digits(range.lower) +
           (range.infinite ? ", inf allowed" : "");
  }
  if (above) return "at most " + Digits(range.upper);
  return "finite";
}

std::string MeaningAndCondition(const ParameterInfo& info) {
  if (info.counts_when.empty()) return info.meaning;
  return info.meaning + "; counts only when " + info.counts_when;
}

void ParameterBinder::OnlyWhen(const std::string& when, std::function<bool(const Scene&)> holds,
                               const std::function<void()>& bind) {
  conditions_.push_back({when, std::move(holds)});
  bind();
  conditions_.pop_back();
}

void ParameterBinder::Describe(ParameterInfo info) {
  for (const Condition& condition : conditions_) {
    info.counts_when += (info.counts_when.empty() ? "" : "; and ") + condition.when;
  }
  infos_.push_back(std::move(info));
  conditions_of_.push_back(conditions_);
}

namespace {

// Nothing of it is asked for, and there is nothing of it: damping = 0 where another law damps.
bool IsNothing(const ParameterInfo& info) {
  const auto* real = std::get_if<double>(&info.default_value);  // the value, of what is bound
  return real != nullptr && *real == 0.0 && info.range.lower == 0.0;
}

}  // namespace

std::vector<std::string> ParameterBinder::WithoutEffect(const std::vector<ParameterInfo>& standard,
                                                        const Scene& scene) const {
  std::vector<std::string> lines;
  for (size_t i = 0; i < infos_.size(); ++i) {
    if (IsSame(infos_[i].default_value, standard[i].default_value)) continue;
    if (IsNothing(infos_[i])) continue;
    for (const Condition& condition : conditions_of_[i]) {
      if (condition.holds(scene)) continue;
      lines.push_back(infos_[i].name + " has no effect: it counts only when " + condition.when);
      break;
    }
  }
  return lines;
}

const ParameterValue* ParameterBinder::Record(ParameterInfo info) {
  const ParameterValue* value = nullptr;
  if (values_ != nullptr) {
    const auto found = values_->find(info.name);
    if (found != values_->end()) value = &found->second;
  }
  Describe(std::move(info));
  return value;
}

void ParameterBinder::Real(const std::string& name, double* field, const std::string& unit,
                           Range range, const std::string& meaning) {
  const ParameterValue* value = Record({name, unit, meaning, *field, range, {}});
  if (value == nullptr) return;
  if (const auto* real = std::get_if<double>(value)) {
    *field = *real;
  } else if (const auto* integer = std::get_if<std::int64_t>(value)) {
    *field = static_cast<double>(*integer);
  } else {
    WrongType(name, "a number");
  }
  RequireInRange(name, *field, range);
}

void ParameterBinder::Integer(const std::string& name, int* field, const std::string& unit,
                              Range range, const std::string& meaning) {
  const ParameterValue* value =
      Record({name, unit, meaning, static_cast<std::int64_t>(*field), range, {}});
  if (value == nullptr) return;
  const auto* integer = std::get_if<std::int64_t>(value);
  if (integer == nullptr) WrongType(name, "a whole number");
  RequireInRange(name, static_cast<double>(*integer), range);
  RequireInRange(name, static_cast<double>(*integer),
                 Between(std::numeric_limits<int>::min(), std::numeric_limits<int>::max()));
  *field = static_cast<int>(*integer);
}

void ParameterBinder::Boolean(const std::string& name, bool* field, const std::string& meaning) {
  const ParameterValue* value = Record({name, "1", meaning, *field, {}, {}});
  if (value == nullptr) return;
  const auto* boolean = std::get_if<bool>(value);
  if (boolean == nullptr) WrongType(name, "true or false");
  *field = *boolean;
}

void ParameterBinder::Text(const std::string& name, std::string* field,
                           const std::string& meaning) {
  const ParameterValue* value = Record({name, "1", meaning, *field, {}, {}});
  if (value == nullptr) return;
  const auto* text = std::get_if<std::string>(value);
  if (text == nullptr) WrongType(name, "a text");
  *field = *text;
}

void ParameterBinder::Reals(const std::string& name, std::vector<double>* field,
                            const std::string& unit, Range range, const std::string& meaning) {
  const ParameterValue* value = Record({name, unit, meaning, *field, range, {}});
  if (value == nullptr) return;
  if (const auto* reals = std::get_if<std::vector<double>>(value)) {
    *field = *reals;
  } else if (const auto* real = std::get_if<double>(value)) {
    *field = {*real};
  } else if (const auto* integer = std::get_if<std::int64_t>(value)) {
    *field = {static_cast<double>(*integer)};
  } else {
    WrongType(name, "a number or an array of numbers");
  }
  for (double real : *field) RequireInRange(name, real, range);
}

void ParameterBinder::Texts(const std::string& name, std::vector<std::string>* field,
                            const std::string& meaning) {
  const ParameterValue* value = Record({name, "1", meaning, *field, {}, {}});
  if (value == nullptr) return;
  const auto* texts = std::get_if<std::vector<std::string>>(value);
  if (texts == nullptr) WrongType(name, "an array of texts");
  *field = *texts;
}

const std::string* ParameterBinder::ChosenWord(const ParameterInfo& info) const {
  if (values_ == nullptr) return nullptr;
  const auto found = values_->find(info.name);
  if (found == values_->end()) return nullptr;
  const auto* word = std::get_if<std::string>(&found->second);
  if (word == nullptr) WrongType(info.name, "a text");
  for (const std::string& choice : info.choices) {
    if (choice == *word) return word;
  }
  throw BadInput(
      {info.name, "unknown " + info.name + " '" + *word + "'", DidYouMean(*word, info.choices)});
}

void ParameterBinder::Finish() const {
  if (values_ == nullptr) return;
  for (const auto& [name, value] : *values_) {
    bool known = false;
    std::vector<std::string> names;
    for (const ParameterInfo& info : infos_) {
      known = known || info.name == name;
      names.push_back(info.name);
    }
    if (!known) throw BadInput({name, "unknown parameter '" + name + "'", DidYouMean(name, names)});
  }
}

}  // namespace pliant
