// Hands that hold points of a simulation while Python says where they go.

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

#include "app/python/held_simulation.h"
#include "app/python/values.h"
#include "app/workbench/edits/experiment_edit.h"
#include "app/workbench/session/dragged_simulation.h"
#include "experiments/files/experiment_document.h"
#include "experiments/files/mistakes.h"
#include "experiments/files/point_names.h"
#include "models/problem.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace py = pybind11;
namespace {

constexpr double kRounding = 1e-6;  // of a step
constexpr const char* kOtherHand = "use another point, or the other kind of hand";

void RequireTarget(const Eigen::Vector3d& target) {
  if (target.allFinite()) return;
  throw BadInput({"target", "the target of the hand is not finite", "give three numbers"});
}

}  // namespace

int HeldSimulation::Hold(const std::string& body, const py::object& point, HandTool tool,
                         double strength, const Eigen::Vector3d& target) {
  RequireUsable();
  if (!(std::isfinite(strength) && strength > 0.0)) {
    throw BadInput({"strength", "the strength of the hand is " + RoundTrip(strength),
                    "it is finite and above 0"});
  }
  RequireTarget(target);
  const Use use(&busy_);
  LeaveOthersOut();
  const FilePlace place{std::make_shared<FileSource>(FileSource{"hand", "", true})};
  const Scene& scene = *experiment_->scene;
  const int b = BodyNamed(scene, body, place);
  FileValue name = ToFileValue(point, place, "point");
  const int p = OnePointNamed(scene.bodies[static_cast<size_t>(b)],
                              ReadValue<PointName>(&name, {"'point'"}), place);
  if (hands_.empty()) without_hands_ = experiment_;
  hands_.push_back({++last_hand_, {tool, strength, scene.Index({b, p}), nullptr}, target});
  return last_hand_;
}

void HeldSimulation::LeaveOthersOut() {
  const std::vector<BackendChoice>& all = experiment_->backends;
  if (std::ranges::all_of(all, [](const BackendChoice& one) { return one.scene == nullptr; }))
    return;
  const auto source = std::make_shared<FileSource>(FileSource{"experiment.toml", "", false});
  experiment_ = std::make_shared<const Experiment>(ReadExperimentTree(
      ParseToml(experiment_->Resolved(index_), source), experiment_->name, {}, {}, Backends()));
  index_ = 0;
}

bool HeldSimulation::Holds(int number) const {
  return std::any_of(hands_.begin(), hands_.end(),
                     [number](const Hand& hand) { return hand.number == number && hand.holds; });
}

HeldSimulation::Hand* HeldSimulation::HandOf(int number) {
  if (!Holds(number)) throw std::runtime_error("this hand holds no point any more");
  return &*std::find_if(hands_.begin(), hands_.end(),
                        [number](const Hand& hand) { return hand.number == number; });
}

void HeldSimulation::MoveHand(int number, const Eigen::Vector3d& target) {
  RequireTarget(target);
  const Use use(&busy_);
  HandOf(number)->target = target;
}

// A position, or the force of the spring at the predicted position of the point at the end of the step: a force that
// is constant over a step excites oscillations unless it looks ahead.
Eigen::Vector3d HeldSimulation::HandValue(double step, Hand* hand) const {
  if (hand->drag.tool == HandTool::kNail) return hand->target;
  const Eigen::Vector3d at = hand_seen_.points.col(hand->drag.point);
  Eigen::Vector3d way = Eigen::Vector3d::Zero();  // of the next step
  if (hand_seen_.velocities) {
    way = step * hand_seen_.velocities->col(hand->drag.point);
  } else if (hand->at) {
    way = at - *hand->at;
  }
  hand->at = at;
  return hand->drag.strength * (hand->target - at - way);
}

// Its force or place until the end of the step. A nail grips after its preroll and follows that much later.
void HeldSimulation::LeadHand(double step, Hand* hand) const {
  const double lead = hand->drag.tool == HandTool::kNail ? hand->drag.strength : 0.0;
  const double now = simulation_->time() + lead, end = now + step;
  std::shared_ptr<Trail>& trail = hand->drag.trail;
  if (trail == nullptr) trail = std::make_shared<Trail>(now);
  // After a step that another hand prevented it may have led as far already.
  if (trail->End() < end - kRounding * step) trail->Append(end, HandValue(step, hand));
}

void HeldSimulation::LeadHands(double step) {
  simulation_->Observe(&hand_seen_);
  // Those that the scene has are not led before every new one is in it: a new one may be refused.
  for (size_t i = 0; i < hands_.size(); ++i) {
    if (hands_[i].in_scene) continue;
    try {
      LeadHand(step, &hands_[i]);
      PutIntoScene(&hands_[i]);
    } catch (...) {
      LetGo(i);
      throw;
    }
  }
  for (Hand& hand : hands_) {
    if (hand.holds) LeadHand(step, &hand);
  }
}

void HeldSimulation::BringToPresent(Simulation* with_hand) const {
  const Eigen::VectorXd state = simulation_->Save();
  if (with_hand->Save().size() == state.size()) {
    with_hand->Restore(state);
    return;
  }
  if (!knows_steps_) {
    throw BadInput(
        {"hand",
         choice().backend->info().name +
             " cannot go on with a new nail from a restored state, or after very many steps of "
             "different sizes: its states have another size with it",
         "use a spring, or put the nail into the scene"});
  }
  for (const Steps& steps : made_) {
    for (std::int64_t i = 0; i < steps.count; ++i) with_hand->Advance(steps.size);
  }
}

std::shared_ptr<const Experiment> HeldSimulation::WithHands() const {
  std::shared_ptr<const Experiment> with = without_hands_;
  for (const Hand& hand : hands_) {
    if (hand.in_scene) with = WithDrag(*with, hand.drag);
  }
  return with;
}

void HeldSimulation::PutIntoScene(Hand* hand) {
  std::shared_ptr<const Experiment> with_hand;
  std::optional<Translation> translated;
  try {
    with_hand = WithDrag(*WithHands(), hand->drag);
    translated.emplace(TranslateFor(*with_hand, index_));
  } catch (const FileError& error) {  // not at the place of the file, which has no hand
    if (error.mistakes().empty()) throw;
    throw BadInput({"hand", "the hand cannot be: " + error.mistakes().front().what, kOtherHand});
  }
  Translation& translation = *translated;
  if (translation.simulation == nullptr) {
    throw BadInput({"hand",
                    choice().backend->info().name +
                        " refuses the scene with the hand: " + translation.record.WhyUnsupported(),
                    kOtherHand});
  }
  BringToPresent(translation.simulation.get());
  const Eigen::VectorXd state = translation.simulation->Save();
  hand->in_scene = true;
  std::vector<LiveDrag> drags;
  for (const Hand& one : hands_) {
    if (one.in_scene) drags.push_back(one.drag);
  }
  simulation_ = std::make_unique<DraggedSimulation>(with_hand, index_, std::move(drags),
                                                    std::move(translation.simulation));
  simulation_->Restore(state);  // its own clock
  if (keeps_constraint_forces_) simulation_->KeepConstraintForces();
  experiment_ = with_hand;
  recorder_.reset();
}

void HeldSimulation::Release(int number) {
  Hand* hand = HandOf(number);
  const Use use(&busy_);
  LetGo(static_cast<size_t>(hand - hands_.data()));
}

void HeldSimulation::LetGo(size_t i) {
  hands_[i].holds = false;
  if (!hands_[i].in_scene) hands_.erase(hands_.begin() + static_cast<std::ptrdiff_t>(i));
  if (std::any_of(hands_.begin(), hands_.end(), [](const Hand& one) { return one.holds; })) return;
  experiment_ = WithHands();
  hands_.clear();
}

std::string HeldSimulation::Toml() const {
  return ToToml(hands_.empty() ? *experiment_ : *WithHands());
}

}  // namespace pliant
