#include "experiments/searches/varied_numbers.h"

#include <algorithm>

#include "experiments/files/keys.h"
#include "experiments/files/parameter_values.h"
#include "models/problem.h"

namespace pliant {
namespace {

constexpr char kEvery[] = "*";

// The table of a backend also has keys of the run and of its variant of the scene.
void RequireParameter(const Backend& backend, const std::string& name, const FilePlace& place) {
  const std::vector<ParameterInfo> infos = backend.Parameters();
  if (std::ranges::find(infos, name, &ParameterInfo::name) != infos.end()) return;
  FailAt(place, "'" + name + "' is not a parameter of the formulation",
         "vary parameters of the formulation, not of the run or the scene");
}

// A number starts at its value in the file.
[[noreturn]] void RefuseAbsent(const Varied& varied, const FileValue& table,
                               const BackendChoice& choice) {
  const std::string name = SplitPath(varied.numbers).front();
  std::vector<std::string> given;
  bool is_parameter = false;
  for (const ParameterInfo& info : choice.backend->Parameters()) {
    is_parameter = is_parameter || info.name == name;
    if (table.Find(info.name) != nullptr) given.push_back(info.name);
  }
  if (name == "scene" || name == "run") {
    FailAt(varied.place, "a search varies numbers of the backend, not of the " + name,
           "name one below [backends." + choice.label + "], or use `pliant sweep`");
  }
  FailAt(varied.place, "[backends." + choice.label + "] has no key '" + name + "'",
         is_parameter || given.empty() ? "write it there with the value at which searches start"
                                       : DidYouMean(name, given));
}

}  // namespace

VariedNumbers::VariedNumbers(const FileValue& table, const BackendChoice& choice,
                             const std::vector<Varied>& varied)
    : title_("[backends." + choice.label + "]"),
      fixed_(choice.parameters),
      table_{FileValue::Table(), table.place} {
  for (const Varied& v : varied) {
    const std::string parameter = SplitPath(v.numbers).front();
    const FileValue* value = table.Find(parameter);
    if (value == nullptr) {
      RefuseAbsent(v, table, choice);
    }
    RequireParameter(*choice.backend, parameter, v.place);
    if (table_.Find(parameter) == nullptr) {
      table_.table()->push_back({parameter, value->place, *value});
    }
  }
  // Once read, the table is complete: its values do not move in memory.
  ReadParameters(&table_, *choice.backend, title_);
  for (ParameterInfo& info : choice.backend->Parameters()) {
    if (table_.Find(info.name) != nullptr) infos_.push_back(std::move(info));
  }
  for (const Varied& v : varied) {
    const size_t before = values_.size();
    std::optional<Mistake> missing;
    if (!Add(&table_, SplitPath(v.numbers), 0, "", v, &missing)) {
      FailAt(missing->place, missing->what, missing->mend);
    }
    if (values_.size() == before) {
      FailAt(v.place, "'" + v.numbers + "' matches no number in " + title_);
    }
  }
}

// Follows the key from `value` on. Of what `*` stands for, those count that have the rest of the key, as poses have a
// duration and a final pose has none.
bool VariedNumbers::Add(FileValue* value, const std::vector<std::string>& parts, size_t depth,
                        const std::string& name, const Varied& varied,
                        std::optional<Mistake>* missing) {
  if (depth == parts.size()) {
    AddNumbers(value, name, varied);
    return true;
  }
  const std::string& part = parts[depth];
  const std::string stem = name.empty() ? "" : name + ".";
  bool found = false, there = false;
  if (value->table() != nullptr) {
    for (FileValue::Entry& entry : *value->table()) {
      if (part != kEvery && part != entry.key) continue;
      there = true;
      found |= Add(&entry.value, parts, depth + 1, stem + entry.key, varied, missing);
    }
  } else if (value->array() != nullptr) {
    FileValue* one = part == kEvery ? nullptr : FindElement(value, part);
    for (size_t i = 0; i < value->array()->size(); ++i) {
      FileValue* element = &(*value->array())[i];
      if (part != kEvery && element != one) continue;
      there = true;
      found |= Add(element, parts, depth + 1, stem + ElementName(*element, i), varied, missing);
    }
  }
  if (!there && !*missing) {
    *missing = {varied.place,
                "'" + varied.numbers + "': there is no '" + part + "' in " +
                    (name.empty() ? title_ : "'" + name + "' of " + title_),
                PartsOf(*value).empty() ? "" : DidYouMean(part, PartsOf(*value))};
  }
  return found;
}

void VariedNumbers::AddNumbers(FileValue* value, const std::string& name, const Varied& varied) {
  if (value->table() != nullptr) {
    for (FileValue::Entry& entry : *value->table()) {
      AddNumbers(&entry.value, name + "." + entry.key, varied);
    }
  } else if (value->array() != nullptr) {
    for (size_t i = 0; i < value->array()->size(); ++i) {
      FileValue* element = &(*value->array())[i];
      AddNumbers(element, name + "." + ElementName(*element, i), varied);
    }
  }
  if (!Codec<double>::Accepts(*value)) return;
  if (std::find(values_.begin(), values_.end(), value) != values_.end()) {
    FailAt(varied.place, "'" + name + "' is varied twice", "name each number once");
  }
  const double start = Codec<double>::Read(value, {"'" + name + "'"});
  if (!(start >= varied.lower && start <= varied.upper)) {
    FailAt(varied.place,
           "'" + name + "' starts at " + WriteInline({start, {}}) + ", outside its bounds " +
               WriteInline({varied.lower, {}}) + " and " + WriteInline({varied.upper, {}}),
           "widen the bounds, or start within them");
  }
  values_.push_back(value);
  numbers_.names.push_back(name);
  const auto count = static_cast<Eigen::Index>(values_.size());
  numbers_.start.conservativeResize(count);
  numbers_.lower.conservativeResize(count);
  numbers_.upper.conservativeResize(count);
  numbers_.start[count - 1] = start;
  numbers_.lower[count - 1] = varied.lower;
  numbers_.upper[count - 1] = varied.upper;
}

ParameterValues VariedNumbers::Apply(const Eigen::VectorXd& numbers) {
  ParameterValues parameters = fixed_;
  for (auto& [name, value] : Changed(numbers)) parameters[name] = std::move(value);
  return parameters;
}

ParameterValues VariedNumbers::Changed(const Eigen::VectorXd& numbers) {
  for (size_t i = 0; i < values_.size(); ++i) {
    values_[i]->data = numbers[static_cast<Eigen::Index>(i)];
  }
  return ReadParameters(&table_, infos_, {}, title_);
}

}  // namespace pliant
