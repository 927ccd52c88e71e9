#include "app/workbench/editors/editor_lists.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <variant>

#include "experiments/files/chosen_value.h"
#include "experiments/files/experiment_document.h"
#include "experiments/files/parameter_values.h"
#include "models/geometry/grid_hierarchy.h"
#include "solvers/articulated_lamp/lamp_body.h"
#include "solvers/control/tables.h"
#include "solvers/kinematic_response/controls.h"
#include "solvers/kinematic_response/riding_body.h"

namespace pliant {
namespace {

using Look = NumberList::Look;
using TreePath = std::vector<std::string>;

constexpr Range kFree;

// A backend with its parameters, which are described once.
struct DescribedChoice {
  explicit DescribedChoice(const BackendChoice& choice)
      : backend(choice), parameters(choice.backend->Parameters()) {}
  const BackendChoice& backend;
  std::vector<ParameterInfo> parameters;

  const std::string& label() const { return backend.label; }
};

// A parameter with its value, or its default.
struct Parameter {
  const ParameterInfo& info;
  ParameterValue value;
};
std::optional<Parameter> Find(const DescribedChoice& choice, const std::string& name) {
  for (const ParameterInfo& info : choice.parameters) {
    if (info.name == name) return Parameter{info, ChosenValue(choice.backend, info)};
  }
  return std::nullopt;
}

template <typename T>
std::optional<T> ValueOf(const DescribedChoice& choice, const std::string& name) {
  const auto found = Find(choice, name);
  const T* value = found ? ValueAs<T>(found->value) : nullptr;
  return value == nullptr ? std::nullopt : std::optional<T>(*value);
}

TreePath At(const DescribedChoice& choice, const std::string& name) {
  return {"backends", choice.label(), name};
}

FileValue WriteNumbers(const std::vector<double>& values) {
  return ToFileValue(ParameterValue(values));
}

// The value at a path of the tree of the experiment.
const FileValue* FindAt(const Experiment& experiment, const TreePath& path) {
  const FileValue* at = &experiment.document->root;
  for (const std::string& part : path) {
    if (at == nullptr) return nullptr;
    at = at->array() != nullptr ? FindElement(*at, part) : at->Find(part);
  }
  return at;
}

// A parameter that is a list of numbers. A bare number in the file is a list of one.
std::optional<NumberList> ListOf(const DescribedChoice& choice, const std::string& name) {
  std::optional<Parameter> found = Find(choice, name);
  if (!found) return std::nullopt;
  NumberList list;
  if (const auto* numbers = std::get_if<std::vector<double>>(&found->value)) list.values = *numbers;
  if (const auto* number = std::get_if<double>(&found->value)) list.values = {*number};
  if (const auto* whole = std::get_if<std::int64_t>(&found->value)) {
    list.values = {static_cast<double>(*whole)};
  }
  if (list.values.empty()) return std::nullopt;
  list.title = name;
  list.unit = found->info.unit == "1" ? "" : found->info.unit;
  list.meaning = MeaningAndCondition(found->info);
  list.ranges = {found->info.range};
  list.path = At(choice, name);
  list.write = WriteNumbers;
  return list;
}

void SetPlaces(std::vector<std::string> labels, NumberList* list) {
  list->ranges.assign(labels.size(), list->ranges.front());
  list->labels = std::move(labels);
}

// "coarsest", "2", …, "finest", or the other way round.
std::vector<std::string> LevelLabels(size_t levels, bool finest_first) {
  if (levels == 1) return {"all levels"};
  std::vector<std::string> labels;
  for (size_t i = 1; i <= levels; ++i) labels.push_back(std::to_string(i));
  labels.front() = "coarsest";
  labels.back() = "finest";
  if (finest_first) std::reverse(labels.begin(), labels.end());
  return labels;
}

// The number of levels of the surfaces of a scene when all have the same; else absent.
std::optional<size_t> LevelsOfSurfaces(const Scene& scene, const DescribedChoice& choice) {
  std::optional<size_t> levels;
  try {
    const auto options =
        BindParameters<kinematic_response::KinematicResponseOptions>(choice.backend.parameters);
    for (const Body& body : scene.bodies) {
      const auto own = static_cast<size_t>(kinematic_response::RidingBody::Levels(body, options));
      if (levels && *levels != own) return std::nullopt;
      levels = own;
    }
  } catch (const std::exception&) {  // the pane reports what is wrong with the body
    return std::nullopt;
  }
  return levels;
}

EditorGroup LevelsGroup(const Scene& scene, const DescribedChoice& choice) {
  EditorGroup group{
      EditorGroup::Kind::kLevels, choice.label() + ": levels", choice.label(), -1, {}};
  std::vector<NumberList> lists;
  for (const char* name : {"absorption", "damping_time", "relaxation_time", "yield",
                           "acceleration_limit", "feature_stiffness"}) {
    if (std::optional<NumberList> list = ListOf(choice, name)) lists.push_back(std::move(*list));
  }
  if (lists.empty()) return group;
  const std::optional<size_t> levels = LevelsOfSurfaces(scene, choice);
  const size_t stages =
      1 +
      ValueOf<std::vector<double>>(choice, "stage_times").value_or(std::vector<double>()).size();
  for (NumberList& list : lists) {
    const size_t count = list.values.size();
    const size_t places = count == 1 ? 1 : levels.value_or(count);
    if (count % places != 0) continue;
    SetPlaces(LevelLabels(places, /*finest_first=*/false), &list);
    if (count == 1) list.labels = {levels == size_t{1} ? "the level" : "all levels"};
    for (const size_t size : {size_t{1}, levels.value_or(count), stages * levels.value_or(count)}) {
      if (std::find(list.sizes.begin(), list.sizes.end(), size) == list.sizes.end()) {
        list.sizes.push_back(size);
      }
    }
    group.lists.push_back(std::move(list));
  }
  return group;
}

// The largest number of levels that all bodies have: sheets and chains with 2^k + 1 points per
// side.
size_t MostLevels(const Scene& scene) {
  size_t most = 32;
  for (const Body& body : scene.bodies) {
    if (body.shape != ShapeKind::kChain && body.shape != ShapeKind::kSheet) return 1;
    for (const int side : body.grid) {
      if (side <= 1) continue;
      const std::optional<int> level = DyadicLevel(side);
      most = std::min(most, level ? static_cast<size_t>(*level) + 1 : 1);
    }
  }
  return most;
}

EditorGroup SharesGroup(const Scene& scene, const DescribedChoice& choice) {
  EditorGroup group{
      EditorGroup::Kind::kShares, choice.label() + ": shares of forces", choice.label(), -1, {}};
  std::optional<NumberList> list = ListOf(choice, "force_fractions");
  if (!list) return group;
  list->look = Look::kBars;
  list->is_whole = true;
  const size_t count = list->values.size();
  SetPlaces(LevelLabels(count, /*finest_first=*/true), &*list);
  for (size_t size = 1; size <= std::max(count, MostLevels(scene)); ++size) {
    list->sizes.push_back(size);
  }
  group.lists.push_back(std::move(*list));
  return group;
}

EditorGroup ModesGroup(const Experiment& experiment, const DescribedChoice& choice,
                       const MatrixTable& modes) {
  EditorGroup group{EditorGroup::Kind::kModes, choice.label() + ": modes", choice.label(), -1, {}};
  NumberList list;
  list.title = "amplitude at the start";
  list.meaning = "γ of each mode at time 0; 1 is the displacement as drawn";
  list.look = Look::kBars;
  const auto number = [](const NamedMatrix& entry, const char* name, double otherwise) {
    const auto found = entry.scalars.find(name);
    return found == entry.scalars.end() ? otherwise : found->second;
  };
  for (const NamedMatrix& entry : modes.entries) {
    list.labels.push_back(entry.name);
    list.values.push_back(number(entry, "initial", 0.0));
    list.ranges.push_back(
        {number(entry, "lower", kFree.lower), number(entry, "upper", kFree.upper)});
  }
  list.path = At(choice, "modes");
  list.path.emplace_back("entry");
  const FileValue* entries = FindAt(experiment, list.path);
  if (entries == nullptr) return group;
  list.write = [entries = *entries](const std::vector<double>& values) {
    FileValue changed = entries;
    for (size_t i = 0; i < values.size(); ++i) {
      FileValue& entry = (*changed.array())[i];
      if (values[i] != 0.0 || entry.Find("initial") != nullptr) entry.Set("initial", values[i]);
    }
    return changed;
  };
  group.lists.push_back(std::move(list));
  return group;
}

EditorGroup PosesGroup(const Experiment& experiment, const DescribedChoice& choice,
                       const ControlTable& control, int controller) {
  EditorGroup group{
      EditorGroup::Kind::kPoses,
      choice.label() + ": poses" + (control.body.empty() ? "" : " of " + control.body),
      choice.label(),
      controller,
      {}};
  for (const ControlTable::Entry& pose : control.poses) {
    NumberList list;
    list.title = pose.name;
    list.meaning = "targets of the servos in the pose '" + pose.name + "'";
    list.look = Look::kBars;
    for (const ControlTable::Servo& servo : control.servos) {
      list.labels.push_back(servo.name);
      list.ranges.push_back({servo.lower, servo.upper});
      const auto found = pose.targets.find(servo.name);
      list.values.push_back(found == pose.targets.end() ? 0.0 : found->second);
    }
    list.path = At(choice, "control");
    if (controller >= 0) {
      list.path.insert(list.path.end(), {"controller", std::to_string(controller)});
    }
    list.path.insert(list.path.end(), {"pose", pose.name, "targets"});
    const FileValue* targets = FindAt(experiment, list.path);
    if (targets == nullptr || list.labels.empty()) continue;
    list.write = [targets = *targets, names = list.labels](const std::vector<double>& values) {
      FileValue changed = targets;
      for (size_t i = 0; i < values.size(); ++i) {
        if (values[i] != 0.0 || changed.Find(names[i]) != nullptr) {
          changed.Set(names[i], values[i]);
        }
      }
      return changed;
    };
    group.lists.push_back(std::move(list));
  }
  return group;
}

// Masses of the links of the lamp; a change scales the masses of the points of the link.
NumberList LinkMasses(const Experiment& experiment, const articulated_lamp::LampBody& lamp) {
  NumberList list;
  list.title = "masses of the links";
  list.unit = "kg";
  list.meaning = "mass of each link; its points keep their proportions";
  list.look = Look::kBars;
  list.ranges = {MoreThan(0.0)};
  SetPlaces({"base", "lower arm", "upper arm", "head"}, &list);
  const Eigen::VectorXd mass = experiment.scene->bodies[0].mass;
  for (int j = 0; j < articulated_lamp::kLampLinks; ++j) {
    list.values.push_back(mass.segment(lamp.first[j], lamp.first[j + 1] - lamp.first[j]).sum());
  }
  list.path = {"scene", "body", "0"};
  FileValue body = experiment.document->root.Find("scene")->Find("body")->array()->front();
  list.write = [body, mass, first = lamp.first,
                before = list.values](const std::vector<double>& values) {
    std::vector<double> masses;
    for (int j = 0; j < articulated_lamp::kLampLinks; ++j) {
      const double factor = values[j] / before[j];
      for (int i = first[j]; i < first[j + 1]; ++i) {
        masses.push_back(factor == 1.0 ? mass[i] : factor * mass[i]);
      }
    }
    FileValue changed = body;
    changed.Set("masses", WriteNumbers(masses).data);
    changed.Erase("mass");  // the masses replace it
    return changed;
  };
  return list;
}

EditorGroup LampGroup(const Experiment& experiment, const DescribedChoice& choice) {
  EditorGroup group{EditorGroup::Kind::kLamp, choice.label() + ": lamp", choice.label(), -1, {}};
  try {
    if (experiment.scene->bodies.size() == 1) {
      group.lists.push_back(
          LinkMasses(experiment, articulated_lamp::ReadLampBody(experiment.scene->bodies[0])));
    }
  } catch (const std::exception&) {  // not a lamp: the pane reports why
    return group;
  }
  for (const char* name : {"hinge_lower", "hinge_upper"}) {
    std::optional<NumberList> list = ListOf(choice, name);
    if (!list || list->values.size() != articulated_lamp::kLampHinges) continue;
    list->look = Look::kBars;
    SetPlaces({"base hinge", "mid hinge", "head hinge"}, &*list);
    group.lists.push_back(std::move(*list));
  }
  return group;
}

}  // namespace

std::vector<EditorGroup> EditorGroups(const Experiment& experiment) {
  std::vector<EditorGroup> groups;
  const auto add = [&groups](EditorGroup group) {
    if (!group.lists.empty()) groups.push_back(std::move(group));
  };
  for (const BackendChoice& backend : experiment.backends) {
    const DescribedChoice choice(backend);
    add(LevelsGroup(*experiment.scene, choice));
    add(SharesGroup(*experiment.scene, choice));
    const auto modes = ValueOf<MatrixTable>(choice, "modes");
    if (modes && !modes->entries.empty()) add(ModesGroup(experiment, choice, *modes));
    if (const auto control = ValueOf<ControlTable>(choice, "control")) {
      if (control->several.empty()) add(PosesGroup(experiment, choice, *control, -1));
      for (size_t c = 0; c < control->several.size(); ++c) {
        add(PosesGroup(experiment, choice, control->several[c], static_cast<int>(c)));
      }
    }
    if (Find(choice, "hinge_lower")) add(LampGroup(experiment, choice));
  }
  return groups;
}

}  // namespace pliant
