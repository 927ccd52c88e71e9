#include "solvers/control/binding.h"

#include <algorithm>
#include <cmath>

namespace pliant {

std::vector<PdServo> ServosOn(const std::vector<std::string>& names, const std::string& kind,
                              const std::string& body, const ControlTable& table) {
  std::vector<PdServo> servos;
  for (size_t i = 0; i < table.servos.size(); ++i) {
    const ControlTable::Servo& servo = table.servos[i];
    const std::string where = "servo[" + std::to_string(i) + "].";
    const auto name = std::find(names.begin(), names.end(), servo.name);
    if (name == names.end()) {
      throw BadInput({where + "mode",
                      "body '" + body + "' has no " + kind + " '" + servo.name + "'",
                      names.empty() ? "" : DidYouMean(servo.name, names)});
    }
    for (const auto& [value, key] :
         {std::pair(servo.stiffness, "stiffness"), std::pair(servo.damping, "damping")}) {
      if (value >= 0.0 && std::isfinite(value)) continue;
      throw BadInput({where + key,
                      std::string(key) + " of the servo of '" + servo.name +
                          "' must be finite and not negative",
                      ""});
    }
    servos.push_back({static_cast<int>(name - names.begin()), servo.stiffness, servo.damping});
  }
  return servos;
}

int BodyOfTable(const Scene& scene, const std::string& name) {
  std::vector<std::string> names;
  for (const Body& body : scene.bodies) names.push_back(body.name);
  if (name.empty() && names.size() == 1) return 0;
  if (name.empty()) {
    throw BadInput({"body", "the scene has several bodies", "add body = the name of one of them"});
  }
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    throw BadInput({"body", "the scene has no body '" + name + "'", DidYouMean(name, names)});
  }
  return static_cast<int>(found - names.begin());
}

}  // namespace pliant
