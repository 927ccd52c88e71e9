#include "experiments/files/key_catalogue.h"

#include <algorithm>
#include <cmath>

#include "experiments/files/claim.h"
#include "experiments/files/experiment_keys.h"
#include "experiments/files/parameter_values.h"
#include "experiments/files/probe_keys.h"
#include "experiments/files/scene_keys.h"
#include "experiments/files/sweep_plan.h"
#include "solvers/backends.h"

namespace pliant {
namespace {

std::string TypeOf(const ParameterInfo& info) {
  if (!info.choices.empty()) {
    std::string words;
    for (const std::string& choice : info.choices) {
      words += (words.empty() ? "\"" : " or \"") + choice + '"';
    }
    return words;
  }
  return std::visit(
      [](const auto& value) -> std::string {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, TableValue>) {
          return std::string("data file or ") + KindOf(value);
        } else if constexpr (std::is_same_v<T, std::vector<double>>) {
          return "number or " + Codec<T>::Words();
        } else {
          return Codec<T>::Words();
        }
      },
      info.default_value);
}

// The type, and the range where there is one.
std::string ValueOf(const ParameterInfo& info) {
  const bool bounded = std::isfinite(info.range.lower) || std::isfinite(info.range.upper);
  return bounded ? TypeOf(info) + " " + RangeInWords(info.range) : TypeOf(info);
}

std::string NumberSchema(const std::string& type, const Range& range) {
  std::string schema = R"({"type":")" + type + '"';
  const auto bound = [&](double value, bool open, const char* side) {
    if (!std::isfinite(value)) return;
    schema += std::string(",\"") + (open ? "exclusiveM" : "m") + side +
              "imum\":" + WriteInline({value, {}});
  };
  bound(range.lower, range.open_lower, "in");
  bound(range.upper, false, "ax");
  return schema + "}";
}

std::string SchemaOf(const ParameterInfo& info) {
  if (!info.choices.empty()) {
    std::string words;
    for (const std::string& choice : info.choices)
      words += (words.empty() ? "" : ",") + JsonQuoted(choice);
    return R"({"enum":[)" + words + "]}";
  }
  return std::visit(
      [&](const auto& value) -> std::string {
        using T = std::decay_t<decltype(value)>;
        const std::string number = NumberSchema("number", info.range);
        if constexpr (std::is_same_v<T, TableValue>) {
          return R"({"type":["string","object"]})";
        } else if constexpr (std::is_same_v<T, std::vector<double>>) {
          return R"({"anyOf":[)" + number + "," + ArraySchema(number) + "]}";
        } else if constexpr (std::is_same_v<T, double>) {
          return number;
        } else if constexpr (std::is_same_v<T, std::int64_t>) {
          return NumberSchema("integer", info.range);
        } else {
          return Codec<T>::Schema();
        }
      },
      info.default_value);
}

template <typename T>
void Add(const char* title, std::vector<KeyTable>* tables) {
  tables->push_back({title, DescribeKeys<T>()});
}

std::vector<KeyTable> MakeTables() {
  std::vector<KeyTable> tables;
  Add<ExperimentKeys>("the experiment", &tables);
  Add<RunPlan>("[run]", &tables);
  Add<BackendKeys>("[backends.LABEL]", &tables);
  Add<Probe>("[[probe]]", &tables);
  Add<SweepPlan>("[sweep]", &tables);
  Add<VariedKey>("[[sweep.vary]]", &tables);
  Add<SweepCurve>("[[sweep.curve]]", &tables);
  Add<RefinePlan>("[refine]", &tables);
  Add<TiedKey>("[[refine.tied]]", &tables);
  Add<YardstickPlan>("[yardstick]", &tables);
  Add<Claim>("[[claim]]", &tables);
  Add<SceneTables>("the scene", &tables);
  tables.push_back({"[[body]]", DescribeBody()});
  for (const BodyShape& shape : BodyShapes()) {
    tables.push_back({std::string("[[body]] with shape = \"") + shape.word + '"',
                      DescribeTable([&](KeyBinder& b) { shape.bind(b, ""); })});
  }
  Add<MaterialTable>("[body.material]", &tables);
  tables.push_back({"[[obstacle]]", DescribeObstacle()});
  for (const ObstacleWord& shape : ObstacleWords()) {
    tables.push_back({std::string("[[obstacle]] with shape = \"") + shape.word + '"',
                      DescribeTable([&](KeyBinder& b) { shape.bind(b); })});
  }
  for (const ElementKind& kind : ElementKinds()) {
    const std::string name = kind.name;
    if (name == "body" || name == "obstacle") continue;
    tables.push_back({"[[" + name + "]]", kind.describe()});
  }
  Add<BodyContact>("[contact.A.B]", &tables);
  for (const Backend* backend : Backends()) {
    tables.push_back(
        {"[backends." + backend->info().name + "]", DescribeParameters(backend->Parameters())});
  }
  return tables;
}

}  // namespace

const std::vector<KeyTable>& KeyTables() {
  static const std::vector<KeyTable> tables = MakeTables();
  return tables;
}

std::vector<KeyInfo> DescribeParameters(const std::vector<ParameterInfo>& parameters) {
  std::vector<KeyInfo> keys;
  for (const ParameterInfo& info : parameters) {
    const bool is_table = IsDataTable(info.default_value);
    keys.push_back({info.name, ValueOf(info), info.unit, MeaningAndCondition(info),
                    is_table ? "" : WriteInline(ToFileValue(info.default_value)), false,
                    [info] { return SchemaOf(info); }});
  }
  return keys;
}

std::string TablesWithKey(const std::string& key) {
  constexpr size_t kMostTables = 4;
  std::vector<std::string> titles;
  for (const Backend* backend : Backends()) {
    if (backend->info().name == key) titles.push_back("[backends]");
  }
  for (const KeyTable& table : KeyTables()) {
    const bool has = std::any_of(table.keys.begin(), table.keys.end(),
                                 [&](const KeyInfo& info) { return info.name == key; });
    if (has) titles.push_back(table.title);
  }
  std::string text;
  for (size_t i = 0; i < std::min(titles.size(), kMostTables); ++i) {
    const bool last = i + 1 == titles.size();
    text += (i == 0 ? "" : last ? " and " : ", ") + titles[i];
  }
  if (titles.size() > kMostTables) text += " and others";
  return text;
}

}  // namespace pliant
