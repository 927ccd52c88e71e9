#include "app/workbench/hand_gesture.h"

#include <array>
#include <cstdio>
#include <utility>

#include "app/workbench/experiment_edit.h"
#include "experiments/experiment/document.h"
#include "experiments/experiment/experiment_document.h"
#include "experiments/experiment/overrides.h"
#include "models/scene/point_ref.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

constexpr std::array<HandToolInfo, 4> kTools = {{
    {HandTool::kPull, "pull", "N/m", 50.0,
     "A force of this much for each metre of the drag, for 0.1 s: a [[force]]"},
    {HandTool::kBlow, "blow", "N s/m", 1.0,
     "An impulse of this much for each metre of the drag: an [[impulse]]"},
    {HandTool::kNail, "nail", "s", 0.3,
     "The point is led to where it is dragged within this time and held there: a [[nail]]"},
    {HandTool::kPoke, "poke", "m", 0.1,
     "A sphere of this radius comes against the point, goes as far as the drag and back within 0.4 "
     "s: an [[obstacle]]"},
}};

// As the files write it: two numbers in a planar scene.
FileValue ToFile(const Scene& scene, const FileValue& root, const Vector3d& v) {
  FileValue::Array components;
  for (int i = 0; i < scene.dimension; ++i) components.push_back({v[i], root.place});
  return {std::move(components), root.place};
}

FileValue PathValue(const Scene& scene, const FileValue& root,
                    const std::vector<std::pair<double, Vector3d>>& keys) {
  FileValue::Array times, places;
  for (const auto& [time, place] : keys) {
    times.push_back({time, root.place});
    places.push_back(ToFile(scene, root, place));
  }
  FileValue path{FileValue::Table(), root.place};
  path.Set("times", std::move(times));
  path.Set("keys", std::move(places));
  return path;
}

const char* KindOf(HandTool tool) {
  switch (tool) {
    case HandTool::kPull:
      return "force";
    case HandTool::kBlow:
      return "impulse";
    case HandTool::kNail:
      return "nail";
    case HandTool::kPoke:
      return "obstacle";
  }
  return "";
}

// The sphere waits as far off as it will go in, and its own width more.
FileValue PokePath(const Scene& scene, const FileValue& root, const HandGesture& g) {
  const Vector3d direction = g.by.normalized();
  const Vector3d deepest = g.at + g.by - g.strength * direction;
  const Vector3d outside = g.at - (3.0 * g.strength + g.by.norm()) * direction;
  return PathValue(
      scene, root,
      {{g.time, outside}, {g.time + 0.5 * kPokeTime, deepest}, {g.time + kPokeTime, outside}});
}

}  // namespace

std::span<const HandToolInfo> HandTools() { return kTools; }

const HandToolInfo& InfoOf(HandTool tool) { return kTools[static_cast<size_t>(tool)]; }

std::shared_ptr<const Experiment> WithGesture(const Experiment& experiment,
                                              const HandGesture& gesture) {
  const Scene& scene = *experiment.scene;
  const PointRef grabbed = RefOf(scene, gesture.point);
  FileValue root = experiment.document->root;
  FileValue* table = root.Find("scene");
  const std::string kind = KindOf(gesture.tool);
  if (table->Find(kind) == nullptr) table->Set(kind, FileValue::Array());
  FileValue* elements = table->Find(kind);
  int number = 1;
  while (FindElement(*elements, "hand-" + std::to_string(number)) != nullptr) ++number;
  FileValue element{FileValue::Table(), root.place};
  element.Set("name", "hand-" + std::to_string(number));
  if (gesture.tool != HandTool::kPoke) {
    element.Set("body", scene.bodies[static_cast<size_t>(grabbed.body)].name);
    element.Set("point", std::int64_t{grabbed.point});
  }
  switch (gesture.tool) {
    case HandTool::kPull:
      element.Set("force", ToFile(scene, root, gesture.strength * gesture.by).data);
      element.Set("from", gesture.time);
      element.Set("until", gesture.time + kPullTime);
      break;
    case HandTool::kBlow:
      element.Set("impulse", ToFile(scene, root, gesture.strength * gesture.by).data);
      element.Set("time", gesture.time);
      break;
    case HandTool::kNail: {
      const double from = gesture.time + gesture.strength;
      const Vector3d goal = gesture.at + gesture.by;
      element.Set("path", PathValue(scene, root, {{from, goal}, {from + 1.0, goal}}).data);
      element.Set("from", from);
      element.Set("preroll", gesture.strength);
      break;
    }
    case HandTool::kPoke:
      element.Set("shape", "sphere");
      element.Set("radius", gesture.strength);
      element.Set("path", PokePath(scene, root, gesture).data);
      break;
  }
  elements->array()->push_back(std::move(element));
  return Reread(experiment, std::move(root));
}

std::string Describe(const HandGesture& gesture) {
  const double size = gesture.strength * gesture.by.norm();
  char words[120];
  switch (gesture.tool) {
    case HandTool::kPull:
      std::snprintf(words, sizeof words, "a pull of %.3g N for %g s", size, kPullTime);
      break;
    case HandTool::kBlow:
      std::snprintf(words, sizeof words, "a blow of %.3g N s", size);
      break;
    case HandTool::kNail:
      std::snprintf(words, sizeof words, "a nail that leads its point by %.3g m within %g s",
                    gesture.by.norm(), gesture.strength);
      break;
    case HandTool::kPoke:
      std::snprintf(words, sizeof words, "a poke %.3g m deep with a sphere of radius %g m",
                    gesture.by.norm(), gesture.strength);
      break;
  }
  return words;
}

}  // namespace pliant
