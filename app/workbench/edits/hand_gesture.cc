#include "app/workbench/edits/hand_gesture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "app/workbench/edits/experiment_edit.h"
#include "experiments/files/document.h"
#include "experiments/files/experiment_document.h"
#include "experiments/files/overrides.h"
#include "models/scene/number_text.h"
#include "models/scene/point_ref.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

constexpr std::array<HandToolInfo, 5> kTools = {{
    {HandTool::kDrag, "drag", "N/m", 20.0,
     "While the clock runs, a spring of this stiffness pulls the point to the "
     "mouse. The same force acts in every backend; the file records it as a [[force]] with a "
     "history."},
    {HandTool::kPull, "pull", "N/m", 50.0,
     "A force of this size per metre of the drag, for 0.1 s. The file records it as a [[force]]."},
    {HandTool::kBlow, "blow", "N s/m", 1.0,
     "An impulse of this size per metre of the drag. The file records it as an [[impulse]]."},
    {HandTool::kNail, "nail", "s", 0.3,
     "Moves the point to the mouse within this time and holds it there; while the clock runs, it "
     "then follows the mouse. The file records it as a [[nail]]."},
    {HandTool::kPoke, "poke", "m", 0.1,
     "A sphere of this radius hits the point, moves along the drag and returns within 0.4 s. The "
     "file records it as an [[obstacle]]."},
}};

// As files write it: two numbers in a planar scene.
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

// A hand holds a point of every pane: there must be one scene that has it.
void RequireOneScene(const Experiment& experiment) {
  for (const BackendChoice& choice : experiment.backends) {
    if (choice.scene == nullptr) continue;
    throw BadInput({"backends." + choice.label + ".scene",
                    "the backend '" + choice.label +
                        "' has a scene of its own, and a hand holds a point of all",
                    "put the force or the nail into the file, or leave this backend out"});
  }
}

const char* KindOf(HandTool tool) {
  switch (tool) {
    case HandTool::kPull:
    case HandTool::kDrag:
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

// Adds an element named "hand-1", "hand-2", … to the scene in `root`, on `point` if there is one.
FileValue& AddElement(const Scene& scene, HandTool tool, std::optional<int> point,
                      FileValue* root) {
  FileValue* table = root->Find("scene");
  const std::string kind = KindOf(tool);
  if (table->Find(kind) == nullptr) table->Set(kind, FileValue::Array());
  FileValue* elements = table->Find(kind);
  int number = 1;
  while (FindElement(*elements, "hand-" + std::to_string(number)) != nullptr) ++number;
  FileValue element{FileValue::Table(), root->place};
  element.Set("name", "hand-" + std::to_string(number));
  if (point) {
    const PointRef ref = RefOf(scene, *point);
    element.Set("body", scene.bodies[static_cast<size_t>(ref.body)].name);
    element.Set("point", std::int64_t{ref.point});
  }
  return elements->array()->emplace_back(std::move(element));
}

// The nail starts at rest, so that its first position is known before it moves.
std::vector<Vector3d> NailPlaces(const Trail::Samples& samples) {
  std::vector<Vector3d> places = {samples.values.front()};
  places.insert(places.end(), samples.values.begin(), samples.values.end());
  return places;
}

size_t CountOf(std::span<const LiveDrag> drags, HandTool tool) {
  return static_cast<size_t>(std::count_if(
      drags.begin(), drags.end(), [tool](const LiveDrag& drag) { return drag.tool == tool; }));
}

// The nails of these drags are the last of a scene that has them.
size_t FirstNailOf(const Scene& scene, std::span<const LiveDrag> drags) {
  return scene.nails.size() - CountOf(drags, HandTool::kNail);
}

// The last piece of the force of each drag that is a spring. They are the last forces of a scene that has them; the
// pieces of one have one name and stand one after the other.
std::vector<TimedForce> SpringsOf(const Scene& scene, std::span<const LiveDrag> drags) {
  std::vector<TimedForce> springs;
  const size_t count = CountOf(drags, HandTool::kDrag);
  for (auto force = scene.forces.rbegin(); force != scene.forces.rend() && springs.size() < count;
       ++force) {
    if (springs.empty() || springs.back().name != force->name) springs.push_back(*force);
  }
  std::reverse(springs.begin(), springs.end());
  return springs;
}

// The sphere starts outside, at the depth of the poke plus its own width from the point.
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
  RequireOneScene(experiment);
  const Scene& scene = *experiment.scene;
  FileValue root = experiment.document->root;
  FileValue& element = AddElement(
      scene, gesture.tool,
      gesture.tool == HandTool::kPoke ? std::nullopt : std::optional(gesture.point), &root);
  switch (gesture.tool) {
    case HandTool::kPull:
      element.Set("force", ToFile(scene, root, gesture.strength * gesture.by).data);
      element.Set("from", gesture.time);
      element.Set("until", gesture.time + kPullTime);
      break;
    case HandTool::kDrag:
      throw std::logic_error("a drag needs a trail");
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
  return Reread(experiment, std::move(root));
}

std::shared_ptr<const Experiment> WithDrag(const Experiment& experiment, const LiveDrag& drag) {
  RequireOneScene(experiment);
  const Scene& scene = *experiment.scene;
  const Trail::Samples samples = drag.trail->samples();
  FileValue root = experiment.document->root;
  FileValue& element = AddElement(scene, drag.tool, drag.point, &root);
  if (drag.tool == HandTool::kNail) {
    std::vector<std::pair<double, Vector3d>> keys;
    const std::vector<Vector3d> places = NailPlaces(samples);
    for (size_t i = 0; i < places.size(); ++i) keys.emplace_back(samples.times[i], places[i]);
    FileValue path = PathValue(scene, root, keys);
    path.Set("interpolation", "linear");
    element.Set("path", std::move(path.data));
    element.Set("from", samples.times.front());
    element.Set("preroll", drag.strength);
  } else {
    FileValue::Array times, forces;
    for (const double time : samples.times) times.push_back({time, root.place});
    for (const Vector3d& force : samples.values) forces.push_back(ToFile(scene, root, force));
    FileValue history{FileValue::Table(), root.place};
    history.Set("times", std::move(times));
    history.Set("forces", std::move(forces));
    element.Set("history", std::move(history.data));
  }
  return Reread(experiment, std::move(root));
}

std::shared_ptr<const Experiment> WithLongerDrags(const Experiment& experiment,
                                                  std::span<const LiveDrag> drags) {
  auto following = std::make_shared<Experiment>(experiment);
  auto scene = std::make_shared<Scene>(*experiment.scene);
  const std::vector<TimedForce> springs = SpringsOf(*scene, drags);
  std::erase_if(scene->forces, [&springs](const TimedForce& force) {
    return std::any_of(springs.begin(), springs.end(),
                       [&force](const TimedForce& one) { return one.name == force.name; });
  });
  auto nail = FirstNailOf(*scene, drags);
  auto spring = springs.begin();
  for (const LiveDrag& drag : drags) {
    const Trail::Samples samples = drag.trail->samples();
    if (drag.tool == HandTool::kNail) {
      const std::vector<Vector3d> places = NailPlaces(samples);
      Eigen::Matrix3Xd keys(3, static_cast<Eigen::Index>(places.size()));
      for (size_t i = 0; i < places.size(); ++i) keys.col(static_cast<Eigen::Index>(i)) = places[i];
      scene->nails[nail++].path = Path(samples.times, keys, Path::Interpolation::kLinear);
      continue;
    }
    for (size_t i = 0; i < samples.values.size(); ++i) {
      scene->forces.push_back(
          {spring->name, spring->point, samples.values[i], samples.times[i], samples.times[i + 1]});
    }
    ++spring;
  }
  following->scene = std::move(scene);
  return following;
}

std::vector<double> EndsOf(const Experiment& experiment, std::span<const LiveDrag> drags) {
  const Scene& scene = *experiment.scene;
  const std::vector<TimedForce> springs = SpringsOf(scene, drags);
  auto nail = FirstNailOf(scene, drags);
  auto spring = springs.begin();
  std::vector<double> ends;
  for (const LiveDrag& drag : drags) {
    ends.push_back(drag.tool == HandTool::kNail ? scene.nails[nail++].path.times().back()
                                                : (spring++)->until);
  }
  return ends;
}

std::string Describe(const HandGesture& gesture) {
  const double way = gesture.by.norm(), size = gesture.strength * way;
  switch (gesture.tool) {
    case HandTool::kPull:
      return "a pull of " + Digits(size, 3) + " N for " + Digits(kPullTime) + " s";
    case HandTool::kDrag:
      break;
    case HandTool::kBlow:
      return "a blow of " + Digits(size, 3) + " N s";
    case HandTool::kNail:
      return "a nail that moves its point by " + Digits(way, 3) + " m within " +
             Digits(gesture.strength) + " s";
    case HandTool::kPoke:
      return "a poke " + Digits(way, 3) + " m deep with a sphere of radius " +
             Digits(gesture.strength) + " m";
  }
  return "";
}

std::string Describe(const LiveDrag& drag) {
  const std::vector<double> times = drag.trail->samples().times;
  const double begin = times.front(), end = times.back();
  const std::string when = " from " + Digits(begin, 4) + " s to " + Digits(end, 4) + " s";
  if (drag.tool == HandTool::kNail) return "a nail that follows the mouse" + when;
  return "a drag by a spring of " + Digits(drag.strength, 3) + " N/m" + when;
}

}  // namespace pliant
