#include "solvers/control/pose_graph.h"

#include <cmath>

#include "models/problem.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

// A transition is due up to this fraction of a step early: sums of times have rounding errors.
constexpr double kDueRounding = 1e-6;

std::string PosePath(size_t pose) { return "pose[" + std::to_string(pose) + "]"; }

void RequireBetween(double value, double lower, double upper, const std::string& where,
                    const std::string& what, const std::string& unit) {
  if (value >= lower && value <= upper) return;
  const std::string in_unit = unit.empty() ? "" : " " + unit;
  throw BadInput({where, what + " is " + Digits(value) + in_unit + ", outside its limits",
                  "it must be between " + Digits(lower) + " and " + Digits(upper) + in_unit});
}

}  // namespace

PoseGraph::PoseGraph(std::vector<PoseChannel> channels, std::vector<PoseNode> nodes, int sensors,
                     int start, PoseTimes times)
    : channels_(std::move(channels)),
      nodes_(std::move(nodes)),
      sensors_(sensors),
      start_(start),
      times_(times) {
  RequireValid(start);
  RequireReachable(start);
}

PoseGraph PoseGraph::Cycle(std::vector<PoseChannel> channels, const std::vector<Pose>& poses,
                           const std::vector<double>& durations, PoseTimes times) {
  if (durations.size() != poses.size()) {
    throw BadInput({"pose", "a cycle needs one duration for each pose", ""});
  }
  std::vector<PoseNode> nodes;
  for (size_t p = 0; p < poses.size(); ++p) {
    const int next = static_cast<int>((p + 1) % poses.size());
    nodes.push_back({poses[p], {{next, durations[p], std::nullopt}}, false});
  }
  return PoseGraph(std::move(channels), std::move(nodes), 0, 0, times);
}

void PoseGraph::RequireValid(int start) const {
  const auto poses = static_cast<int>(nodes_.size());
  if (poses == 0) throw BadInput({"pose", "the pose graph has no pose", "add a [[pose]]"});
  if (start < 0 || start >= poses) {
    throw BadInput({"start", "the start of the pose graph is not one of its poses", ""});
  }
  if (!(times_.shortest > 0.0) || !(times_.longest >= times_.shortest) ||
      !std::isfinite(times_.longest)) {
    throw BadInput({"shortest", "the limits of transition times must be positive and in order",
                    "give 0 < shortest ≤ longest"});
  }
  for (size_t c = 0; c < channels_.size(); ++c) {
    const PoseChannel& channel = channels_[c];
    if (channel.lower <= channel.upper) continue;
    throw BadInput({"channel[" + std::to_string(c) + "].lower",
                    "the limits of channel '" + channel.name + "' are not in order", ""});
  }
  for (size_t p = 0; p < nodes_.size(); ++p) RequireValidPose(p);
}

void PoseGraph::RequireValidPose(size_t p) const {
  const auto& [pose, next, is_final] = nodes_[p];
  if (pose.targets.size() != channels()) {
    throw BadInput({PosePath(p) + ".targets",
                    "pose '" + pose.name + "' has " + std::to_string(pose.targets.size()) +
                        " targets for " + std::to_string(channels()) + " channels",
                    ""});
  }
  for (int c = 0; c < channels(); ++c) {
    RequireBetween(pose.targets[c], channels_[c].lower, channels_[c].upper,
                   PosePath(p) + ".targets." + channels_[c].name,
                   "target '" + channels_[c].name + "' of pose '" + pose.name + "'",
                   channels_[c].unit);
  }
  bool leaves = false;
  for (size_t i = 0; i < next.size(); ++i) {
    RequireValidTransition(p, i);
    leaves = leaves || next[i].to != static_cast<int>(p);
  }
  if (leaves == is_final) {
    throw BadInput({PosePath(p),
                    "pose '" + pose.name +
                        (is_final ? "' is final but has transitions" : "' can never be left"),
                    is_final ? "remove one" : "give it a transition, or make it final"});
  }
}

void PoseGraph::RequireValidTransition(size_t p, size_t i) const {
  const PoseTransition& next = nodes_[p].next[i];
  const std::string where = PosePath(p) + ".next[" + std::to_string(i) + "]";
  const std::string what = "the time of a transition of pose '" + nodes_[p].pose.name + "'";
  if (next.to < 0 || next.to >= static_cast<int>(nodes_.size())) {
    throw BadInput({where + ".to", "this transition does not lead to a pose", ""});
  }
  if (!next.sensor) {
    if (!(next.after > 0.0)) {
      throw BadInput({where + ".after", what + " is " + Digits(next.after) + " s",
                      "without a sensor it must be more than 0"});
    }
    RequireBetween(next.after, times_.shortest, times_.longest, where + ".after", what, "s");
    return;
  }
  if (!(next.after >= 0.0) || !std::isfinite(next.after)) {
    throw BadInput({where + ".after", what + " is " + Digits(next.after) + " s",
                    "with a sensor it must be at least 0"});
  }
  if (*next.sensor < 0 || *next.sensor >= sensors_) {
    throw BadInput({where + ".when", "there is no sensor " + std::to_string(*next.sensor), ""});
  }
}

void PoseGraph::RequireReachable(int start) const {
  std::vector<bool> reached(nodes_.size(), false);
  std::vector<int> open = {start};
  while (!open.empty()) {
    const int pose = open.back();
    open.pop_back();
    if (reached[pose]) continue;
    reached[pose] = true;
    for (const PoseTransition& next : nodes_[pose].next) open.push_back(next.to);
  }
  for (size_t p = 0; p < nodes_.size(); ++p) {
    if (reached[p]) continue;
    throw BadInput({PosePath(p),
                    "no transition leads from the start to pose '" + nodes_[p].pose.name + "'",
                    "remove it, or add a transition to it"});
  }
}

PoseGraph::State PoseGraph::Start(double time, const std::vector<bool>& readings) const {
  State state{start_, time, std::vector<bool>(sensors_)};
  for (int s = 0; s < sensors_; ++s) state.armed[s] = !readings[s];
  return state;
}

bool PoseGraph::Advance(double time, double step, const std::vector<bool>& readings,
                        State* state) const {
  for (const PoseTransition& next : nodes_[state->pose].next) {
    const double due = state->since + next.after;
    if (time < due - kDueRounding * step) continue;
    if (next.sensor && !(readings[*next.sensor] && state->armed[*next.sensor])) continue;
    state->pose = next.to;
    state->since = next.sensor ? time : due;
    for (int s = 0; s < sensors_; ++s) state->armed[s] = !readings[s];
    return true;
  }
  for (int s = 0; s < sensors_; ++s) {
    if (!readings[s]) state->armed[s] = true;
  }
  return false;
}

void PoseGraph::Save(const State& state, Eigen::Ref<Eigen::VectorXd> numbers) const {
  numbers[0] = state.pose;
  numbers[1] = state.since;
  for (int s = 0; s < sensors_; ++s) numbers[2 + s] = state.armed[s] ? 1.0 : 0.0;
}

PoseGraph::State PoseGraph::Restored(const Eigen::Ref<const Eigen::VectorXd>& numbers) const {
  State state{static_cast<int>(numbers[0]), numbers[1], std::vector<bool>(sensors_)};
  for (int s = 0; s < sensors_; ++s) state.armed[s] = numbers[2 + s] != 0.0;
  return state;
}

std::vector<PoseGraph::Number> PoseGraph::DescribeNumbers() const {
  std::vector<Number> numbers;
  for (const PoseNode& node : nodes_) {
    for (const PoseTransition& next : node.next) {
      if (next.sensor) continue;
      numbers.push_back({node.pose.name + " → " + nodes_[next.to].pose.name + " [s]",
                         times_.shortest, times_.longest, true});
    }
  }
  for (const PoseNode& node : nodes_) {
    for (const PoseChannel& channel : channels_) {
      numbers.push_back(
          {node.pose.name + ": " + channel.name, channel.lower, channel.upper, false});
    }
  }
  return numbers;
}

Eigen::VectorXd PoseGraph::Numbers() const {
  Eigen::VectorXd numbers(static_cast<Eigen::Index>(DescribeNumbers().size()));
  Eigen::Index at = 0;
  for (const PoseNode& node : nodes_) {
    for (const PoseTransition& next : node.next) {
      if (!next.sensor) numbers[at++] = next.after;
    }
  }
  for (const PoseNode& node : nodes_) {
    numbers.segment(at, channels()) = node.pose.targets;
    at += channels();
  }
  return numbers;
}

void PoseGraph::SetNumbers(const Eigen::VectorXd& numbers) {
  const std::vector<Number> described = DescribeNumbers();
  if (numbers.size() != static_cast<Eigen::Index>(described.size())) {
    throw BadInput({"numbers",
                    "the pose graph has " + std::to_string(described.size()) + " numbers, not " +
                        std::to_string(numbers.size()),
                    ""});
  }
  for (size_t i = 0; i < described.size(); ++i) {
    RequireBetween(numbers[static_cast<Eigen::Index>(i)], described[i].lower, described[i].upper,
                   "numbers", "'" + described[i].name + "'", "");
  }
  Eigen::Index at = 0;
  for (PoseNode& node : nodes_) {
    for (PoseTransition& next : node.next) {
      if (!next.sensor) next.after = numbers[at++];
    }
  }
  for (PoseNode& node : nodes_) {
    node.pose.targets = numbers.segment(at, channels());
    at += channels();
  }
}

}  // namespace pliant
