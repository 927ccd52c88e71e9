#include "solvers/control/tables.h"

#include <algorithm>

#include "models/problem.h"

namespace pliant {
namespace {

std::string Element(const char* list, size_t index, const std::string& key) {
  return std::string(list) + "[" + std::to_string(index) + "]." + key;
}

// Names of the elements of a list, each given once.
template <typename T>
std::vector<std::string> DistinctNames(const std::vector<T>& elements, const char* list) {
  std::vector<std::string> names;
  for (const T& element : elements) {
    if (std::find(names.begin(), names.end(), element.name) != names.end()) {
      throw BadInput(
          {Element(list, names.size(), "name"),
           std::string("two elements are named '") + element.name + "' among [[" + list + "]]",
           "rename one"});
    }
    names.push_back(element.name);
  }
  return names;
}

int Find(const std::vector<std::string>& names, const std::string& name, const std::string& where,
         const std::string& what) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    throw BadInput({where, "there is no " + what + " '" + name + "'",
                    names.empty() ? "" : DidYouMean(name, names)});
  }
  return static_cast<int>(found - names.begin());
}

// A transition by time alone is taken when it is due. A later one, or one with the same time after
// it in the list, is never taken.
void RequireOrder(const ControlTable::Entry& entry, size_t pose) {
  const auto after = [&](size_t i) { return entry.next[i].after.value_or(0.0); };
  for (size_t i = 0; i < entry.next.size(); ++i) {
    for (size_t j = 0; j < entry.next.size(); ++j) {
      if (i == j || entry.next[i].when) continue;
      if (j > i ? after(j) < after(i) : after(j) <= after(i)) continue;
      throw BadInput({Element("pose", pose, "next[" + std::to_string(j) + "].after"),
                      "pose '" + entry.name + "' can never lead to '" + entry.next[j].to +
                          "': it has already led to '" + entry.next[i].to + "'",
                      "give it an earlier time, or remove one of the two"});
    }
  }
}

}  // namespace

PoseGraph MakePoseGraph(const ControlTable& table, const std::string& unit) {
  const std::vector<std::string> servos = DistinctNames(table.servos, "servo");
  const std::vector<std::string> poses = DistinctNames(table.poses, "pose");
  const std::vector<std::string> sensors = DistinctNames(table.sensors, "sensor");
  std::vector<PoseChannel> channels;
  for (const ControlTable::Servo& servo : table.servos) {
    channels.push_back({servo.name, servo.lower, servo.upper, unit});
  }
  std::vector<bool> felt(sensors.size(), false);
  std::vector<PoseNode> nodes;
  for (size_t p = 0; p < table.poses.size(); ++p) {
    const ControlTable::Entry& entry = table.poses[p];
    PoseNode node{{entry.name, Eigen::VectorXd::Zero(static_cast<int>(servos.size()))}, {}, false};
    node.is_final = entry.is_final;
    for (const auto& [name, value] : entry.targets) {
      const std::string where = Element("pose", p, "targets." + name);
      node.pose.targets[Find(servos, name, where, "servo")] = value;
    }
    if (entry.duration && !entry.next.empty()) {
      throw BadInput({Element("pose", p, "duration"),
                      "pose '" + entry.name + "' has both a duration and transitions",
                      "give the duration as a transition with 'after'"});
    }
    if (entry.duration) {
      if (!(*entry.duration > 0.0)) {
        throw BadInput({Element("pose", p, "duration"),
                        "the duration of pose '" + entry.name + "' must be more than 0 s", ""});
      }
      node.next.push_back(
          {static_cast<int>((p + 1) % table.poses.size()), *entry.duration, std::nullopt});
    }
    for (size_t i = 0; i < entry.next.size(); ++i) {
      const ControlTable::Transition& next = entry.next[i];
      const std::string where = Element("pose", p, "next[" + std::to_string(i) + "]");
      if (!next.after && !next.when) {
        throw BadInput({where, "a transition of pose '" + entry.name + "' does not say when",
                        "add after = seconds, or when = a sensor"});
      }
      PoseTransition transition{Find(poses, next.to, where + ".to", "pose"),
                                next.after.value_or(0.0), std::nullopt};
      if (next.when) {
        transition.sensor = Find(sensors, *next.when, where + ".when", "sensor");
        felt[*transition.sensor] = true;
      }
      node.next.push_back(transition);
    }
    nodes.push_back(std::move(node));
  }
  const int start = table.start.empty() ? 0 : Find(poses, table.start, "start", "pose");
  for (size_t s = 0; s < felt.size(); ++s) {
    if (felt[s]) continue;
    throw BadInput({Element("sensor", s, "name"), "no transition uses sensor '" + sensors[s] + "'",
                    "remove it, or name it in a 'when'"});
  }
  PoseGraph graph(std::move(channels), std::move(nodes), static_cast<int>(sensors.size()), start,
                  table.times);
  // Invalid times have been refused before.
  for (size_t p = 0; p < table.poses.size(); ++p) RequireOrder(table.poses[p], p);
  return graph;
}

}  // namespace pliant
