#include "solvers/control/behaviours.h"

#include <algorithm>

#include "models/scene/number_text.h"
#include "solvers/translation.h"

namespace pliant {
namespace {

using Eigen::Vector3d;
using Kind = Action::Kind;

// A chase of fewer steps is not resolved: its acceleration changes by as much as it has within each.
constexpr double kFewestSteps = 8.0;

// Is `time` nearer to `begin` than to the end of the step?
bool IsDue(double time, double begin, double end) { return time - begin < 0.5 * (end - begin); }

PointControl::State StateOf(const Goal& goal, const PointControl& control) {
  if (const auto* point = std::get_if<PointRef>(&goal)) return control.StateOf(*point);
  return {std::get<Vector3d>(goal), Vector3d::Zero()};
}

void Collect(const std::vector<Action>& actions, std::vector<const Action*>* all) {
  for (const Action& action : actions) {
    all->push_back(&action);
    Collect(action.actions, all);
  }
}

}  // namespace

std::string NameOf(const Scene& scene, const PointRef& point) {
  const Body& body = scene.bodies[point.body];
  for (const auto& [mark, index] : body.marks) {
    if (index == point.point) return body.name + "." + mark;
  }
  return body.name + "[" + std::to_string(point.point) + "]";
}

std::string NameOf(const Scene& scene, const Goal& goal) {
  if (const auto* point = std::get_if<PointRef>(&goal)) return NameOf(scene, *point);
  const auto& place = std::get<Vector3d>(goal);
  std::string name = "(";
  for (int i = 0; i < 3; ++i) name += (i > 0 ? ", " : "") + ThreeDigits(place[i]);
  return name + ")";
}

std::vector<const Action*> AllActions(const Scene& scene) {
  std::vector<const Action*> all;
  for (const Behaviour& behaviour : scene.behaviours) Collect(behaviour.actions, &all);
  return all;
}

Behaviours::Behaviours(const Scene& scene) {
  for (const Body& body : scene.bodies) {
    Body& named = names_.bodies.emplace_back();
    named.name = body.name;
    named.marks = body.marks;
  }
  for (const Behaviour& behaviour : scene.behaviours) {
    Action whole;
    whole.kind = Kind::kSequence;
    whole.actions = behaviour.actions;
    roots_.push_back(Add(whole, behaviour.name));
  }
  progress_.resize(nodes_.size());
}

int Behaviours::Add(const Action& action, const std::string& behaviour) {
  const int node = static_cast<int>(nodes_.size());
  nodes_.push_back({action, {}, behaviour});
  nodes_[node].action.actions.clear();
  for (const Action& inner : action.actions) {
    const int added = Add(inner, behaviour);
    nodes_[node].inner.push_back(added);
  }
  return node;
}

int Behaviours::done() const {
  return static_cast<int>(std::count_if(roots_.begin(), roots_.end(), [this](int root) {
    return progress_[root].phase == Phase::kDone;
  }));
}

void Behaviours::Decide(double begin, double end, PointControl* control) {
  for (int root : roots_) {
    if (progress_[root].phase == Phase::kDone) continue;
    if (Continue(root, begin, end, control)) {
      control->Tell("behaviour '" + nodes_[root].behaviour + "' is done");
    }
  }
}

bool Behaviours::Continue(int node, double begin, double end, PointControl* control) {
  const Action& action = nodes_[node].action;
  Progress& progress = progress_[node];
  if (progress.phase == Phase::kDone) return true;
  const bool starts = progress.phase == Phase::kIdle;
  progress.phase = Phase::kUnderWay;
  bool done = true;
  switch (action.kind) {
    case Kind::kChase:
      if (starts) {
        progress.until = begin + action.duration;
        progress.led = false;
        progress.overtaken = false;
        if (action.duration < kFewestSteps * (end - begin) * (1.0 - 1e-9)) {
          control->Tell("the chase of " + NameOf(names_, action.point) + " lasts " +
                        ThreeDigits(action.duration / (end - begin)) +
                        " steps, too few to be followed");
        }
        if (IsLedElsewhere(node)) {
          control->Tell(
              NameOf(names_, action.point) +
              " is moved by two chases at once; the one that is later in the scene file applies");
        }
      }
      done = IsDue(progress.until, begin, end);
      if (done) {
        if (!IsLedElsewhere(node)) control->Release(action.point);
        const double miss =
            (control->StateOf(action.point).position - StateOf(*action.goal, *control).position)
                .norm();
        control->Tell(
            progress.overtaken
                ? NameOf(names_, action.point) + " was moved by a later chase: that of " +
                      NameOf(names_, *action.goal) + " ends " + ThreeDigits(miss) + " m from it"
                : NameOf(names_, action.point) + " reached " + NameOf(names_, *action.goal) +
                      " within " + ThreeDigits(miss) + " m");
      }
      break;
    case Kind::kConnect:
      control->Connect(action.point, *action.goal);
      control->Tell(NameOf(names_, action.point) + " connected to " + NameOf(names_, *action.goal));
      break;
    case Kind::kDisconnect:
      control->Disconnect(action.point, action.goal ? &*action.goal : nullptr);
      control->Tell(NameOf(names_, action.point) + " disconnected" +
                    (action.goal ? " from " + NameOf(names_, *action.goal) : ""));
      break;
    case Kind::kWait:
      if (starts) progress.until = begin + action.duration;
      done = IsDue(progress.until, begin, end);
      break;
    case Kind::kWaitFor:
      done = Holds(action.condition, begin, end, *control);
      break;
    case Kind::kSequence:
      done = ContinueSequence(node, begin, end, control);
      break;
    case Kind::kParallel:
      done = ContinueAll(node, begin, end, control);
      break;
    case Kind::kRepeat:
      done = ContinueRepeat(node, begin, end, control);
      break;
  }
  if (done) progress.phase = Phase::kDone;
  return done;
}

bool Behaviours::IsLedElsewhere(int node) const {
  for (int n = 0; n < node; ++n) {
    if (LeadsThePointOf(n, node)) return true;
  }
  return IsLedLater(node);
}

bool Behaviours::IsLedLater(int node) const {
  for (int n = node + 1; n < static_cast<int>(nodes_.size()); ++n) {
    if (LeadsThePointOf(n, node)) return true;
  }
  return false;
}

bool Behaviours::LeadsThePointOf(int node, int other) const {
  return nodes_[node].action.kind == Kind::kChase && progress_[node].phase == Phase::kUnderWay &&
         nodes_[node].action.point == nodes_[other].action.point;
}

bool Behaviours::ContinueSequence(int node, double begin, double end, PointControl* control) {
  const std::vector<int>& inner = nodes_[node].inner;
  Progress& progress = progress_[node];
  while (progress.next < static_cast<int>(inner.size())) {
    if (!Continue(inner[progress.next], begin, end, control)) return false;
    ++progress.next;
  }
  return true;
}

bool Behaviours::ContinueAll(int node, double begin, double end, PointControl* control) {
  bool all = true;
  for (int inner : nodes_[node].inner) all = Continue(inner, begin, end, control) && all;
  return all;
}

bool Behaviours::ContinueRepeat(int node, double begin, double end, PointControl* control) {
  Progress& progress = progress_[node];
  if (!ContinueSequence(node, begin, end, control)) return false;
  ++progress.passes;
  if (nodes_[node].action.count > 0 && progress.passes >= nodes_[node].action.count) return true;
  progress.next = 0;
  for (int inner : nodes_[node].inner) Reset(inner);
  return false;
}

void Behaviours::Reset(int node) {
  progress_[node] = Progress();
  for (int inner : nodes_[node].inner) Reset(inner);
}

bool Behaviours::Holds(const Condition& condition, double begin, double end,
                       const PointControl& control) const {
  if (condition.kind == Condition::Kind::kTime) return IsDue(condition.value, begin, end);
  const Vector3d x = control.StateOf(condition.point).position;
  if (condition.kind == Condition::Kind::kInside) {
    return (x.array() >= condition.lower.array()).all() &&
           (x.array() <= condition.upper.array()).all();
  }
  const double distance = (x - StateOf(condition.goal, control).position).norm();
  return condition.kind == Condition::Kind::kNear ? distance < condition.value
                                                  : distance > condition.value;
}

void Behaviours::Lead(double begin, double end, PointControl* control) {
  for (size_t n = 0; n < nodes_.size(); ++n) {
    const Action& action = nodes_[n].action;
    Progress& progress = progress_[n];
    if (action.kind != Kind::kChase || progress.phase != Phase::kUnderWay) continue;
    if (IsLedLater(static_cast<int>(n))) {  // with a path of its own afterwards
      progress.overtaken = true;
      progress.led = false;
      continue;
    }
    const double tau = progress.until - begin;
    if (progress.led && tau < kLastRebuilds * (end - begin)) continue;
    const PointControl::State now = control->StateOf(action.point);
    const PointControl::State goal = StateOf(*action.goal, *control);
    const Vector3d there = goal.position + goal.velocity * tau;
    if (!progress.led) {
      progress.final_velocity =
          action.final_velocity.value_or(2.0 / tau * (there - now.position) - now.velocity);
    }
    progress.led = true;
    control->Lead(action.point, CubicSegment::Join(begin, now.position, now.velocity,
                                                   progress.until, there, progress.final_velocity));
  }
}

void Behaviours::Save(Eigen::Ref<Eigen::VectorXd> state) const {
  for (size_t n = 0; n < progress_.size(); ++n) {
    const Progress& p = progress_[n];
    state.segment<kNumbers>(static_cast<Eigen::Index>(n) * kNumbers)
        << static_cast<double>(p.phase),
        p.until, static_cast<double>(p.next), static_cast<double>(p.passes), p.led ? 1.0 : 0.0,
        p.overtaken ? 1.0 : 0.0, p.final_velocity;
  }
}

void Behaviours::Restore(const Eigen::Ref<const Eigen::VectorXd>& state) {
  for (size_t n = 0; n < progress_.size(); ++n) {
    const auto numbers = state.segment<kNumbers>(static_cast<Eigen::Index>(n) * kNumbers);
    progress_[n] = {static_cast<Phase>(static_cast<int>(numbers[0])),
                    numbers[1],
                    static_cast<int>(numbers[2]),
                    static_cast<int>(numbers[3]),
                    numbers[4] != 0.0,
                    numbers[5] != 0.0,
                    numbers.tail<3>()};
  }
}

}  // namespace pliant
