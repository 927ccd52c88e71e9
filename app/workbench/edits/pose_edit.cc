#include "app/workbench/edits/pose_edit.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <variant>

#include "app/workbench/edits/experiment_edit.h"
#include "experiments/files/experiment_document.h"
#include "experiments/files/parameter_values.h"
#include "solvers/articulated_lamp/plan_of_scene.h"

namespace pliant {
namespace {

using Entry = ControlTable::Entry;

// A sensor that reads true from the start never turns true.
constexpr double kJustAfterStart = 1e-6;  // s
constexpr double kSameTime = 1e-9;        // s
constexpr char kByHand[] = "hand-";

bool StartsWithHand(const std::string& name) { return name.rfind(kByHand, 0) == 0; }

const Sensor* SensorCalled(const ControlTable& controller, const std::string& name) {
  for (const Sensor& sensor : controller.sensors) {
    if (sensor.name == name) return &sensor;
  }
  return nullptr;
}

bool IsByHand(const ControlTable& controller, const Entry& pose) {
  return StartsWithHand(pose.name) && SensorCalled(controller, pose.name) != nullptr;
}

void DropTransitionsByHand(Entry* pose) {
  std::erase_if(pose->next, [](const ControlTable::Transition& next) {
    return StartsWithHand(next.to) && next.when == next.to;
  });
}

// Writes each duration as a transition, because poses are about to be appended to the list.
void SpellOutDurations(ControlTable* controller) {
  const size_t count = controller->poses.size();
  for (size_t i = 0; i < count; ++i) {
    Entry& pose = controller->poses[i];
    if (!pose.duration) continue;
    pose.next = {{controller->poses[(i + 1) % count].name, pose.duration, std::nullopt}};
    pose.duration.reset();
  }
}

}  // namespace

ControlTable& ControllerOf(ControlTable* table, int controller) {
  return controller < 0 ? *table : table->several[static_cast<size_t>(controller)];
}

std::vector<size_t> PosesOnKeys(const ControlTable& controller) {
  std::vector<size_t> poses;
  for (size_t i = 0; i < controller.poses.size(); ++i) {
    if (!IsByHand(controller, controller.poses[i])) poses.push_back(i);
  }
  return poses;
}

bool TakePose(ControlTable* controller, size_t key, double time) {
  const std::vector<size_t> on_keys = PosesOnKeys(*controller);
  if (key < 1 || key > on_keys.size()) return false;
  const Entry asked = controller->poses[on_keys[key - 1]];
  time = std::max(time, kJustAfterStart);

  std::map<double, Entry> taken;  // by time
  for (const Entry& pose : controller->poses) {
    if (!IsByHand(*controller, pose)) continue;
    const double when = SensorCalled(*controller, pose.name)->threshold;
    if (std::abs(when - time) > kSameTime) taken[when] = pose;
  }
  taken[time] = asked;
  ForgetTakenPoses(controller);
  SpellOutDurations(controller);

  const std::string first = std::string(kByHand) + "1";
  for (Entry& pose : controller->poses) {
    pose.next.insert(pose.next.begin(), {first, std::nullopt, first});
    pose.is_final = false;
  }
  size_t number = 0;
  for (auto& [when, pose] : taken) {
    ++number;
    const std::string name = kByHand + std::to_string(number);
    const std::string next = kByHand + std::to_string(number + 1);
    Entry entry{name, pose.targets, std::nullopt, {}, number == taken.size()};
    if (!entry.is_final) entry.next = {{next, std::nullopt, next}};
    controller->poses.push_back(std::move(entry));
    controller->sensors.push_back({name, Sensor::Kind::kTime, {}, when});
  }
  return true;
}

void ForgetTakenPoses(ControlTable* controller) {
  std::vector<std::string> names;
  for (const Entry& pose : controller->poses) {
    if (IsByHand(*controller, pose)) names.push_back(pose.name);
  }
  const auto is_taken = [&names](const auto& thing) {
    return std::find(names.begin(), names.end(), thing.name) != names.end();
  };
  std::erase_if(controller->poses, is_taken);
  std::erase_if(controller->sensors, is_taken);
  if (names.empty()) return;
  for (Entry& pose : controller->poses) {
    DropTransitionsByHand(&pose);
    if (pose.next.empty() && !pose.duration) pose.is_final = true;
  }
}

std::shared_ptr<const Experiment> WithPose(const Experiment& experiment, size_t key, double time) {
  FileValue root = experiment.document->root;
  bool taken = false;
  for (const BackendChoice& choice : experiment.backends) {
    const auto given = choice.parameters.find("control");
    if (given == choice.parameters.end()) continue;
    const auto* control = ValueAs<ControlTable>(given->second);
    if (control == nullptr || control->empty()) continue;
    if (articulated_lamp::AsksForPlan(choice.parameters))
      continue;  // its poses are where a plan starts from
    ControlTable changed = *control;
    if (changed.several.empty()) {
      if (!TakePose(&changed, key, time)) continue;
    } else {
      bool any = false;
      for (ControlTable& one : changed.several) any = TakePose(&one, key, time) || any;
      if (!any) continue;
    }
    taken = true;
    SetAt(&root, {"backends", choice.label, "control"}, ToFileValue(ParameterValue(changed)));
  }
  if (!taken) {
    throw BadInput({"", "no controller has a pose " + std::to_string(key),
                    "poses are numbered as in the control table of the backend"});
  }
  return Reread(experiment, std::move(root));
}

size_t CopyPose(ControlTable* controller, size_t pose) {
  Entry copy = controller->poses[pose];
  const std::string stem = copy.name;
  const auto is_taken = [&](const std::string& name) {
    return std::any_of(controller->poses.begin(), controller->poses.end(),
                       [&](const Entry& other) { return other.name == name; });
  };
  for (int number = 2; is_taken(copy.name); ++number) {
    copy.name = stem + " " + std::to_string(number);
  }
  Entry& original = controller->poses[pose];
  if (!original.duration) {  // in a graph: the copy stands between the pose and where it led
    original.next = {{copy.name, controller->times.shortest, std::nullopt}};
    original.is_final = false;
  }
  controller->poses.insert(controller->poses.begin() + static_cast<std::ptrdiff_t>(pose) + 1, copy);
  return pose + 1;
}

bool RemovePose(ControlTable* controller, size_t pose) {
  std::vector<Entry>& poses = controller->poses;
  if (poses.size() < 2) return false;
  const Entry gone = poses[pose];
  const std::string heir =
      gone.next.empty() ? poses[(pose + 1) % poses.size()].name : gone.next.front().to;
  if (heir == gone.name) return false;
  poses.erase(poses.begin() + static_cast<std::ptrdiff_t>(pose));
  for (Entry& other : poses) {
    for (ControlTable::Transition& next : other.next) {
      if (next.to == gone.name) next.to = heir;
    }
  }
  if (controller->start == gone.name) controller->start = heir;
  return true;
}

bool MovePose(ControlTable* controller, size_t pose, int by) {
  const auto to = static_cast<std::ptrdiff_t>(pose) + by;
  if (to < 0 || to >= static_cast<std::ptrdiff_t>(controller->poses.size())) return false;
  std::swap(controller->poses[pose], controller->poses[static_cast<size_t>(to)]);
  return true;
}

void RenamePose(ControlTable* controller, size_t pose, const std::string& name) {
  const std::string before = controller->poses[pose].name;
  controller->poses[pose].name = name;
  for (Entry& other : controller->poses) {
    for (ControlTable::Transition& next : other.next) {
      if (next.to == before) next.to = name;
    }
  }
  if (controller->start == before) controller->start = name;
}

}  // namespace pliant
