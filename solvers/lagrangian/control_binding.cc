#include "solvers/lagrangian/control_binding.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solvers/translation.h"

namespace pliant {
namespace {

// Runs `bind`; what is wrong with a table is wrong with the parameter it belongs to.
template <typename Bind>
void Within(const std::string& parameter, Bind bind) {
  try {
    bind();
  } catch (const BadInput& bad) {
    Problem problem = bad.problem();
    problem.where = parameter + (problem.where.empty() ? "" : "." + problem.where);
    throw BadInput(std::move(problem));
  }
}

// One servo for each of the table, on the mode of its name.
PdController ServosOn(const std::vector<std::string>& modes, const std::string& body,
                      const ControlTable& table) {
  std::vector<PdServo> servos;
  for (size_t i = 0; i < table.servos.size(); ++i) {
    const ControlTable::Servo& servo = table.servos[i];
    const std::string where = "servo[" + std::to_string(i) + "].";
    const auto mode = std::find(modes.begin(), modes.end(), servo.name);
    if (mode == modes.end()) {
      throw BadInput({where + "mode", "body '" + body + "' has no mode '" + servo.name + "'",
                      modes.empty() ? "" : DidYouMean(servo.name, modes)});
    }
    for (const auto& [value, key] :
         {std::pair(servo.stiffness, "stiffness"), std::pair(servo.damping, "damping")}) {
      if (value >= 0.0 && std::isfinite(value)) continue;
      throw BadInput({where + key,
                      std::string(key) + " of the servo of '" + servo.name +
                          "' must be finite and not negative",
                      ""});
    }
    servos.push_back({static_cast<int>(mode - modes.begin()), servo.stiffness, servo.damping});
  }
  return PdController(std::move(servos));
}

// A pose beyond the limits of a mode would be cut off when the body is set free.
void RequireWithinLimits(const KeyFrameTable& table, const FfdPart& part) {
  if (part.lower.size() == 0) return;
  const std::vector<std::string>& modes = part.mode_names;
  for (size_t i = 0; i < table.keys.size(); ++i) {
    for (const auto& [name, value] : table.keys[i].pose) {
      const auto k = std::find(modes.begin(), modes.end(), name) - modes.begin();
      if (value >= part.lower[k] && value <= part.upper[k]) continue;
      throw BadInput({"key[" + std::to_string(i) + "].pose." + name,
                      "mode '" + name + "' is led to " + ThreeDigits(value) +
                          ", outside its limits " + ThreeDigits(part.lower[k]) + " to " +
                          ThreeDigits(part.upper[k]),
                      "lead it within them, or widen them"});
    }
  }
}

}  // namespace

int BodyOfTable(const Scene& scene, const std::string& name) {
  std::vector<std::string> names;
  for (const Body& body : scene.bodies) names.push_back(body.name);
  if (name.empty() && names.size() == 1) return 0;
  if (name.empty()) {
    throw BadInput({"body", "the scene has several bodies", "add body = one of them"});
  }
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    throw BadInput({"body", "the scene has no body '" + name + "'", DidYouMean(name, names)});
  }
  return static_cast<int>(found - names.begin());
}

std::optional<ModeControl> BindControl(const ControlTable& table, const FfdSystem& system) {
  std::optional<ModeControl> control;
  if (table.empty()) return control;
  Within("control", [&] {
    const std::shared_ptr<const Scene>& scene = system.scene();
    const int body = BodyOfTable(*scene, table.body);
    PdController servos =
        ServosOn(system.parts()[body].mode_names, scene->bodies[body].name, table);
    control.emplace(body, MakePoseGraph(table), std::move(servos),
                    Sensors(scene, body, table.sensors));
  });
  return control;
}

void AddKeyFrames(const Scene& scene, const KeyFrameTable& table, const Eigen::VectorXd& q,
                  FfdSystem* system) {
  if (table.empty()) return;
  Within("keyframes", [&] {
    const int body = BodyOfTable(scene, table.body);
    std::optional<Morph> morph;
    for (const Morph& of_scene : scene.morphs) {
      if (of_scene.body == body) morph = of_scene;
    }
    const FfdPart& part = system->parts()[body];
    system->AddKeyFrames(KeyFramedBody(body, part.body, part.mode_names,
                                       q.segment(part.first_q, part.body.coordinates()), table,
                                       std::move(morph)));
    RequireWithinLimits(table, part);
  });
}

}  // namespace pliant
