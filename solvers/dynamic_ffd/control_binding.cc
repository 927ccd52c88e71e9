#include "solvers/dynamic_ffd/control_binding.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "models/scene/number_text.h"
#include "solvers/control/binding.h"
#include "solvers/translation.h"

namespace pliant::dynamic_ffd {
namespace {

// Binds the table of a parameter to its body, or each of its several tables, called `element`, to
// its own body.
template <typename Table, typename Bind>
void BindEach(const Scene& scene, const std::string& parameter, const char* element,
              const Table& table, Bind bind) {
  if (table.empty()) return;
  std::vector<bool> taken(scene.bodies.size(), false);
  auto bind_one = [&](const std::string& where, const Table& one) {
    WithinParameter(where, [&] {
      const int body = BodyOfTable(scene, one.body);
      if (taken[body]) {
        throw BadInput(
            {"body",
             "body '" + scene.bodies[body].name + "' already has a [[" + element + "]] of its own",
             "give each body exactly one"});
      }
      taken[body] = true;
      bind(body, one);
    });
  };
  if (table.several.empty()) return bind_one(parameter, table);
  for (size_t i = 0; i < table.several.size(); ++i) {
    bind_one(parameter + "." + element + "[" + std::to_string(i) + "]", table.several[i]);
  }
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
                      "mode '" + name + "' is moved to " + ThreeDigits(value) +
                          ", outside its limits " + ThreeDigits(part.lower[k]) + " to " +
                          ThreeDigits(part.upper[k]),
                      "keep the keys or targets within the limits, or widen the limits"});
    }
  }
}

}  // namespace

std::vector<ModeControl> BindControl(const ControlTable& table, const DynamicFfdSystem& system) {
  std::vector<ModeControl> controls;
  const std::shared_ptr<const Scene>& scene = system.scene();
  BindEach(*scene, "control", "controller", table, [&](int body, const ControlTable& one) {
    PdController servos(
        ServosOn(system.parts()[body].mode_names, "mode", scene->bodies[body].name, one));
    controls.emplace_back(body, MakePoseGraph(one), std::move(servos),
                          Sensors(scene, body, one.sensors));
  });
  return controls;
}

void AddKeyFrames(const Scene& scene, const KeyFrameTable& table, const Eigen::VectorXd& q,
                  DynamicFfdSystem* system) {
  BindEach(scene, "keyframes", "motion", table, [&](int body, const KeyFrameTable& one) {
    std::optional<Morph> morph;
    for (const Morph& of_scene : scene.morphs) {
      if (of_scene.body == body) morph = of_scene;
    }
    const FfdPart& part = system->parts()[body];
    system->AddKeyFrames(KeyFramedBody(body, part.body, part.mode_names,
                                       q.segment(part.first_q, part.body.coordinates()), one,
                                       std::move(morph)));
    RequireWithinLimits(one, part);
  });
}

}  // namespace pliant::dynamic_ffd
