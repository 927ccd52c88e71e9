#include "solvers/kinematic_response/behaviour_maps.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace pliant::kinematic_response {
namespace {

const std::vector<std::pair<std::string, MappedControl>>& ControlWords() {
  static const std::vector<std::pair<std::string, MappedControl>> words = {
      {"absorption", MappedControl::kAbsorption},
      {"damping_time", MappedControl::kDampingTime},
      {"relaxation_time", MappedControl::kRelaxationTime},
      {"yield", MappedControl::kYield},
      {"acceleration_limit", MappedControl::kAccelerationLimit},
      {"feature_stiffness", MappedControl::kFeatureStiffness},
      {"layer_thickness", MappedControl::kLayerThickness},
      {"offset", MappedControl::kOffset},
      {"relative_stiffness", MappedControl::kRelativeStiffness},
      {"contact_stiffness", MappedControl::kContactStiffness}};
  return words;
}

template <typename Value>
void RequireKnown(const std::map<std::string, Value>& given, const std::vector<std::string>& known,
                  const std::string& of, const std::string& where) {
  for (const auto& [key, value] : given) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    throw BadInput({where, "unknown key '" + key + "' of " + of, DidYouMean(key, known)});
  }
}

template <typename Value>
std::optional<Value> Find(const std::map<std::string, Value>& given, const std::string& key) {
  const auto found = given.find(key);
  return found == given.end() ? std::nullopt : std::optional(found->second);
}

MappedControl ReadControl(const NamedMatrix& entry, const std::string& of,
                          const std::string& where) {
  std::vector<std::string> names;
  for (const auto& [word, control] : ControlWords()) names.push_back(word);
  const std::optional<std::string> wanted = Find(entry.texts, "control");
  if (!wanted) {
    throw BadInput({where, of + " lacks the key 'control'", DidYouMean("", names)});
  }
  for (const auto& [word, control] : ControlWords()) {
    if (word == *wanted) return control;
  }
  throw BadInput({where + ".control", "unknown control '" + *wanted + "' of " + of,
                  DidYouMean(*wanted, names)});
}

BehaviourMap ReadEntry(const NamedMatrix& entry, const std::string& where) {
  const std::string of = "map '" + entry.name + "'";
  RequireKnown(entry.texts, {"control", "formula", "body", "direction"}, of, where);
  RequireKnown(entry.scalars, {"level"}, of, where);
  RequireKnown(entry.weights, {}, of, where);

  BehaviourMap map;
  map.name = entry.name;
  map.where = where;
  map.control = ReadControl(entry, of, where);
  map.values = entry.values;
  map.body = Find(entry.texts, "body");
  map.formula = Find(entry.texts, "formula").value_or(map.values.size() > 0 ? "map" : "");
  if (map.formula.find_first_not_of(" \t\n") == std::string::npos) {
    throw BadInput({where, of + " says nothing", "give it a formula, an image or values"});
  }
  if (const std::optional<double> level = Find(entry.scalars, "level")) {
    if (!(*level >= 0.0) || *level != std::floor(*level) || *level > 100.0) {
      throw BadInput({where + ".level", "the level of " + of + " is not a whole number from 0",
                      "level 0 is the coarsest"});
    }
    map.level = static_cast<int>(*level);
  }
  if (const std::optional<std::string> direction = Find(entry.texts, "direction")) {
    const std::string axes = "uvn";
    if (direction->size() != 1 || axes.find(*direction) == std::string::npos) {
      throw BadInput({where + ".direction", "unknown direction '" + *direction + "' of " + of,
                      "give \"u\", \"v\" or \"n\""});
    }
    map.direction = static_cast<int>(axes.find(*direction));
    if (OfFinestOnly(map.control) || map.control == MappedControl::kOffset ||
        map.control == MappedControl::kFeatureStiffness) {
      throw BadInput({where + ".direction",
                      map.ControlName() + " of " + of + " cannot depend on the direction",
                      "remove the direction"});
    }
  }
  return map;
}

}  // namespace

std::string BehaviourMap::ControlName() const {
  for (const auto& [word, known] : ControlWords()) {
    if (known == control) return word;
  }
  return "";
}

std::vector<BehaviourMap> ReadBehaviourMaps(const MatrixTable& table) {
  for (const auto& [kind, entries] : table.groups) {
    throw BadInput({"maps", "unknown key '" + kind + "' of maps", DidYouMean(kind, {"entry"})});
  }
  RequireKnown(table.scalars, {}, "maps", "maps");
  RequireKnown(table.texts, {}, "maps", "maps");
  std::vector<BehaviourMap> maps;
  for (const NamedMatrix& entry : table.entries) {
    maps.push_back(ReadEntry(entry, "maps.entry[" + std::to_string(maps.size()) + "]"));
  }
  return maps;
}

void RequireKnownBodies(const std::vector<BehaviourMap>& maps,
                        const std::vector<std::string>& bodies) {
  for (const BehaviourMap& map : maps) {
    if (!map.body || std::find(bodies.begin(), bodies.end(), *map.body) != bodies.end()) continue;
    throw BadInput(
        {map.where + ".body",
         "map '" + map.name + "' is for body '" + *map.body + "', which is not in the scene",
         DidYouMean(*map.body, bodies)});
  }
}

}  // namespace pliant::kinematic_response
