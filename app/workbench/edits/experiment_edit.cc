#include "app/workbench/edits/experiment_edit.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "experiments/files/chosen_value.h"
#include "experiments/files/experiment_document.h"
#include "experiments/files/experiment_keys.h"
#include "experiments/files/overrides.h"
#include "experiments/files/parameter_values.h"
#include "experiments/files/scene_keys.h"
#include "experiments/files/writer.h"

namespace pliant {
namespace {

constexpr size_t kLongestList = 8;  // a longer list of a scene is no parameter

std::string UnitOf(const std::string& unit) { return unit == "1" ? "" : unit; }

EditableGroup PlanGroup(const FileValue& root) {
  EditableGroup group{"run", {}};
  const FileValue* run = root.Find("run");
  for (const KeyInfo& info : DescribeKeys<RunPlan>()) {
    const FileValue* value = run->Find(info.name);
    group.values.push_back({{"run", info.name},
                            info.name,
                            value == nullptr ? info.default_value : WriteInline(*value),
                            UnitOf(info.unit),
                            info.type,
                            info.default_value,
                            info.meaning,
                            {}});
  }
  return group;
}

EditableGroup BackendGroup(const Experiment& experiment, const BackendChoice& choice) {
  EditableGroup group{choice.label, {}};
  group.values.push_back({{"backends", choice.label, "step"},
                          "step",
                          WriteInline({choice.step, {}}),
                          "s",
                          "more than 0",
                          WriteInline({experiment.plan.step, {}}),
                          "time step of this backend",
                          {}});
  for (const ParameterInfo& info : choice.backend->Parameters()) {
    if (IsDataTable(info.default_value)) continue;
    const ParameterValue& value = ChosenValue(choice, info);
    const bool bounded = std::isfinite(info.range.lower) || std::isfinite(info.range.upper);
    group.values.push_back({{"backends", choice.label, info.name},
                            info.name,
                            WriteInline(ToFileValue(value)),
                            UnitOf(info.unit),
                            bounded ? RangeInWords(info.range) : "",
                            WriteInline(ToFileValue(info.default_value)),
                            MeaningAndCondition(info),
                            info.choices});
  }
  return group;
}

bool IsPlain(const FileValue& value) {
  if (value.table() != nullptr) return false;
  if (value.array() == nullptr) return true;
  return value.array()->size() <= kLongestList &&
         std::all_of(value.array()->begin(), value.array()->end(), [](const FileValue& entry) {
           return entry.table() == nullptr && entry.array() == nullptr;
         });
}

// The numbers, words and short lists of one table of the scene.
void AddPlainValues(const FileValue& table, const std::vector<std::string>& path,
                    const std::string& prefix, EditableGroup* group) {
  for (const FileValue::Entry& entry : *table.table()) {
    std::vector<std::string> inner = path;
    inner.push_back(entry.key);
    if (IsPlain(entry.value)) {
      if (entry.key == "name" || entry.key == "description") continue;
      group->values.push_back(
          {inner, prefix + entry.key, WriteInline(entry.value), "", "", "", "", {}});
    } else if (entry.value.table() != nullptr) {
      AddPlainValues(entry.value, inner, prefix + entry.key + ".", group);
    }
  }
}

// The keys that a table of the scene may have, whatever its shape.
std::vector<KeyInfo> DescribeSceneKeys(const std::string& name) {
  if (name == "scene") return DescribeKeys<SceneTables>();
  for (const ElementKind& kind : ElementKinds()) {
    if (kind.name == name) return kind.describe();
  }
  return {};
}

// What the reference of the file format says of the keys of the scene's tables.
void DescribeSceneValues(const std::string& kind, EditableGroup* group) {
  const std::vector<KeyInfo> known = DescribeSceneKeys(kind);
  for (EditableValue& value : group->values) {
    for (const KeyInfo& info : known) {
      if (info.name != value.name) continue;
      value.unit = UnitOf(info.unit);
      value.range = info.type;
      value.standard = info.default_value;
      value.meaning = info.meaning;
    }
  }
}

void AddSceneGroups(const FileValue& scene, std::vector<EditableGroup>* groups) {
  EditableGroup whole{"scene", {}};
  for (const FileValue::Entry& entry : *scene.table()) {
    const bool plain = IsPlain(entry.value) && entry.key != "name" && entry.key != "description";
    if (plain) {
      whole.values.push_back(
          {{"scene", entry.key}, entry.key, WriteInline(entry.value), "", "", "", "", {}});
    }
  }
  DescribeSceneValues("scene", &whole);
  groups->push_back(std::move(whole));
  for (const FileValue::Entry& entry : *scene.table()) {
    const FileValue::Array* elements = entry.value.array();
    if (elements == nullptr || elements->empty() || elements->front().table() == nullptr) continue;
    for (size_t i = 0; i < elements->size(); ++i) {
      EditableGroup group{entry.key + " " + ElementName((*elements)[i], i), {}};
      AddPlainValues((*elements)[i], {"scene", entry.key, std::to_string(i)}, "", &group);
      DescribeSceneValues(entry.key, &group);
      if (!group.values.empty()) groups->push_back(std::move(group));
    }
  }
}

}  // namespace

std::vector<EditableGroup> EditableGroups(const Experiment& experiment) {
  const FileValue& root = experiment.document->root;
  std::vector<EditableGroup> groups = {PlanGroup(root)};
  for (const BackendChoice& choice : experiment.backends) {
    groups.push_back(BackendGroup(experiment, choice));
  }
  AddSceneGroups(*root.Find("scene"), &groups);
  return groups;
}

void SetAt(FileValue* root, const std::vector<std::string>& path, FileValue value) {
  FileValue* at = root;
  for (size_t i = 0; i < path.size(); ++i) {
    const bool last = i + 1 == path.size();
    FileValue* next = at->array() != nullptr ? FindElement(at, path[i]) : at->Find(path[i]);
    if (next == nullptr && at->table() != nullptr) {
      at->Set(path[i], last ? value.data : FileValue::Table());
      next = at->Find(path[i]);
    }
    if (next == nullptr) throw BadInput({"", "there is no '" + path[i] + "' to change", ""});
    at = next;
  }
  at->data = std::move(value.data);
}

std::shared_ptr<const Experiment> Reread(const Experiment& before, FileValue root) {
  return std::make_shared<const Experiment>(
      ReadExperimentTree(std::move(root), before.name, {}, {}, Backends()));
}

std::shared_ptr<const Experiment> WithValue(const Experiment& experiment,
                                            const std::vector<std::string>& path,
                                            const std::string& toml) {
  FileValue root = experiment.document->root;
  std::string key;
  for (const std::string& part : path) key += (key.empty() ? "" : ".") + part;
  Merge(&root, ParseOverride(key + "=" + toml, ""));
  return Reread(experiment, std::move(root));
}

std::string ToToml(const Experiment& experiment) { return WriteToml(experiment.document->root); }

}  // namespace pliant
