#include "app/python/held_simulation.h"

#include <pthread.h>

#include <chrono>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "app/python/values.h"
#include "app/workbench/edits/experiment_edit.h"
#include "app/workbench/session/dragged_simulation.h"
#include "experiments/files/point_names.h"
#include "models/problem.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace py = pybind11;
namespace {

constexpr int kClockSize = 3;                           // numbers of the clock in a state
constexpr size_t kMostSteps = 100000;                   // of different sizes that are remembered
constexpr std::int64_t kStepsBetweenLooks = 64;         // at the clock …
constexpr std::chrono::milliseconds kSignalsEvery{50};  // … and at signals

std::atomic<int> forks;

void RequireTarget(const Eigen::Vector3d& target) {
  if (target.allFinite()) return;
  throw BadInput({"target", "the target of the hand is not finite", "give three numbers"});
}

}  // namespace

int ForksSoFar() {
  static const int registered = pthread_atfork(nullptr, nullptr, [] { ++forks; });
  (void)registered;
  return forks;
}

void RequireNoForkSince(int made_at, const char* what) {
  if (made_at == forks) return;
  throw std::runtime_error(std::string(what) +
                           " was made before a fork(), and its threads are not in this process; "
                           "translate the experiment here, or start processes by 'spawn'");
}

void RequireStep(double step) {
  if (std::isfinite(step) && step > 0.0) return;
  throw BadInput({"step", "the step is " + RoundTrip(step) + " s", "a step is finite and above 0"});
}

Use::Use(std::atomic_flag* busy) : busy_(busy) {
  if (!busy->test_and_set(std::memory_order_acquire)) return;
  throw std::runtime_error(
      "another thread is using this simulation; give each thread its own, by copy() or "
      "translate()");
}

Eigen::VectorXd StateFrom(const py::object& state, Eigen::Index size) {
  if (!py::isinstance<py::array>(state)) {
    throw py::type_error("a state is a NumPy vector of float64 that save() gave, not a " +
                         py::type::of(state).attr("__name__").cast<std::string>());
  }
  const auto array = py::reinterpret_borrow<py::array>(state);
  if (!py::isinstance<py::array_t<double>>(array)) {
    throw py::type_error("a state is a NumPy vector of float64, not of " +
                         py::str(array.dtype()).cast<std::string>());
  }
  if (array.ndim() != 1 || array.size() != size) {
    throw BadInput({"state",
                    "the state has shape " + py::str(array.attr("shape")).cast<std::string>(),
                    "this simulation has states of shape (" + std::to_string(size) + ",)"});
  }
  const auto numbers = py::reinterpret_borrow<py::array_t<double>>(array).unchecked<1>();
  Eigen::VectorXd copy(size);
  for (Eigen::Index i = 0; i < size; ++i) {
    copy[i] = numbers(i);
    if (!std::isnan(copy[i])) continue;
    throw BadInput({"state", "number " + std::to_string(i) + " of the state is NaN",
                    "restore a state that save() gave"});
  }
  if (!copy.head<kClockSize>().allFinite() || copy[1] < 0.0 || copy[1] != std::floor(copy[1]) ||
      copy[2] < 0.0) {
    throw BadInput({"state", "the first three numbers are no clock",
                    "they are a time, a number of steps and a step, as save() gave them"});
  }
  return copy;
}

PointArray::PointArray(Eigen::Index points)
    : points_(points), owner_({py::ssize_t{3}, static_cast<py::ssize_t>(points)}) {
  data_ = owner_.mutable_data();
  read_only_ = owner_.attr("view")();
  read_only_.attr("flags").attr("writeable") = false;
}

HeldObservation::HeldObservation(Eigen::Index size, const Backend& backend, const Scene& scene)
    : points(size), velocities(size), extras(ExtrasOf(backend.info(), scene)) {}

HeldSimulation::HeldSimulation(std::shared_ptr<const Experiment> experiment, size_t index,
                               bool keep_constraint_forces)
    : experiment_(std::move(experiment)),
      index_(index),
      keeps_constraint_forces_(keep_constraint_forces),
      translation_(TranslateFor(*experiment_, index)),
      simulation_(std::move(translation_.simulation)),
      made_at_fork_(ForksSoFar()) {
  if (simulation_ != nullptr && keep_constraint_forces) simulation_->KeepConstraintForces();
}

HeldSimulation::~HeldSimulation() {
  // On the other side of a fork() its threads do not exist: there is nobody to wait for.
  if (made_at_fork_ != ForksSoFar()) (void)simulation_.release();
}

void HeldSimulation::RequireUsable() const {
  RequireNoForkSince(made_at_fork_, "this simulation");
  if (refused()) throw std::runtime_error("the formulation refuses this scene; see why_refused");
}

void HeldSimulation::Remember(double step) {
  if (!knows_steps_) return;
  if (made_.empty() || made_.back().size != step) made_.push_back({step, 0});
  ++made_.back().count;
  if (made_.size() > kMostSteps) ForgetSteps();
}

void HeldSimulation::ForgetSteps() {
  knows_steps_ = false;
  std::vector<Steps>().swap(made_);
}

StepOutcome HeldSimulation::AdvanceOnce(double step) {
  if (hand_) LeadHand(step);
  Remember(step);
  return simulation_->Advance(step);
}

StepOutcome::Kind HeldSimulation::Advance(double step, std::int64_t steps) {
  using Clock = std::chrono::steady_clock;
  RequireUsable();
  RequireStep(step);
  if (steps < 1) throw BadInput({"steps", std::to_string(steps) + " steps", "make 1 or more"});
  if (diverged_) {
    throw std::runtime_error("this simulation diverged (" + quantity_ +
                             "): its state has no meaning until restore()");
  }
  const Use use(&busy_);
  StepOutcome::Kind worst = StepOutcome::Kind::kAdvanced;
  advancing_.Run(steps, [&] {
    Clock::time_point looked = steps > kStepsBetweenLooks ? Clock::now() : Clock::time_point();
    for (std::int64_t i = 0; i < steps; ++i) {
      StepOutcome outcome = AdvanceOnce(step);
      if (outcome.kind != StepOutcome::Kind::kAdvanced) {
        worst = outcome.kind;
        quantity_ = std::move(outcome.quantity);
        diverged_ = worst == StepOutcome::Kind::kDiverged;
        if (diverged_) return;
      }
      if (i % kStepsBetweenLooks != kStepsBetweenLooks - 1) continue;
      if (const auto now = Clock::now(); now - looked > kSignalsEvery) {
        looked = now;
        const py::gil_scoped_acquire acquire;
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      }
    }
  });
  return worst;
}

std::shared_ptr<HeldObservation> HeldSimulation::Observe() {
  RequireUsable();
  const Use use(&busy_);
  const Scene& scene = *experiment_->scene;
  if (observation_ == nullptr) {
    observation_ = std::make_shared<HeldObservation>(scene.PointCount(), *choice().backend, scene);
  }
  observing_.Run(1, [&] {
    simulation_->Observe(&observation_->values);
    observation_->points.values() = observation_->values.points;
    if (observation_->values.velocities)
      observation_->velocities.values() = *observation_->values.velocities;
  });
  return observation_;
}

py::array HeldSimulation::Save() {
  RequireUsable();
  const Use use(&busy_);
  const Eigen::VectorXd state = simulation_->Save();
  return py::array_t<double>(state.size(), state.data());
}

void HeldSimulation::Restore(const py::object& state) {
  RequireUsable();
  if (hand_) throw std::runtime_error("a hand holds a point; release() it before restore()");
  const Use use(&busy_);
  simulation_->Restore(StateFrom(state, simulation_->Save().size()));
  diverged_ = false;
  ForgetSteps();
  recorder_.reset();
}

py::dict HeldSimulation::Measure() {
  const std::shared_ptr<HeldObservation> seen = Observe();
  if (recorder_ == nullptr) {
    recorder_ = std::make_unique<SeriesRecorder>(experiment_->scene, choice().backend->info(),
                                                 experiment_->probes);
  }
  const SeriesRow row = recorder_->Row(seen->values, std::nullopt);
  py::dict dict;
  for (size_t i = 0; i < row.size(); ++i)
    dict[py::str(recorder_->columns()[i].name)] = ToPython(row[i]);
  return dict;
}

std::optional<Eigen::Matrix3Xd> HeldSimulation::ConstraintForces() {
  RequireUsable();
  if (!keeps_constraint_forces_) {
    throw std::runtime_error(
        "forces of constraints are not kept; translate(…, constraint_forces=True)");
  }
  const Use use(&busy_);
  return simulation_->ConstraintForces();
}

std::vector<NamedArray> HeldSimulation::Arrays(const std::string& group) {
  RequireUsable();
  const Use use(&busy_);
  std::vector<std::string> names;
  bool known = group.empty();
  for (const ArrayGroup& one : choice().backend->info().arrays) {
    names.push_back(one.name);
    known = known || one.name == group;
  }
  if (!known) {
    throw BadInput({"group", choice().backend->info().name + " has no arrays '" + group + "'",
                    DidYouMean(group, names)});
  }
  return simulation_->Arrays(group);
}

std::vector<SimulationEvent> HeldSimulation::Events() {
  const Use use(&busy_);
  return simulation_->events();
}

std::vector<StateBlock> HeldSimulation::StateLayout() {
  const Use use(&busy_);
  return simulation_->StateLayout();
}

std::vector<UnmetConstraint> HeldSimulation::Unmet() {
  const Use use(&busy_);
  return simulation_->UnmetConstraints();
}

void HeldSimulation::Hold(const std::string& body, const py::object& point, HandTool tool,
                          double strength, const Eigen::Vector3d& target) {
  RequireUsable();
  if (hand_) throw std::runtime_error("a hand holds a point already; release() it first");
  if (!(std::isfinite(strength) && strength > 0.0)) {
    throw BadInput({"strength", "the strength of the hand is " + RoundTrip(strength),
                    "it is finite and above 0"});
  }
  RequireTarget(target);
  const Use use(&busy_);
  const FilePlace place{std::make_shared<FileSource>(FileSource{"hand", "", true})};
  const Scene& scene = *experiment_->scene;
  const int b = BodyNamed(scene, body, place);
  FileValue name = ToFileValue(point, place, "point");
  const int p = OnePointNamed(scene.bodies[static_cast<size_t>(b)],
                              ReadValue<PointName>(&name, {"'point'"}), place);
  hand_ = Hand{{tool, strength, scene.Index({b, p}), nullptr}, experiment_, target};
}

void HeldSimulation::MoveHand(const Eigen::Vector3d& target) {
  RequireTarget(target);
  if (!hand_) throw std::runtime_error("no hand holds a point");
  const Use use(&busy_);
  hand_->target = target;
}

// A position, or the force of the spring at the predicted position of the point at the end of the step: a force that
// is constant over a step excites oscillations unless it looks ahead.
Eigen::Vector3d HeldSimulation::HandValue(double step) {
  if (hand_->drag.tool == HandTool::kNail) return hand_->target;
  simulation_->Observe(&hand_seen_);
  const Eigen::Vector3d at = hand_seen_.points.col(hand_->drag.point);
  Eigen::Vector3d way = Eigen::Vector3d::Zero();  // of the next step
  if (hand_seen_.velocities) {
    way = step * hand_seen_.velocities->col(hand_->drag.point);
  } else if (hand_->at) {
    way = at - *hand_->at;
  }
  hand_->at = at;
  return hand_->drag.strength * (hand_->target - at - way);
}

void HeldSimulation::LeadHand(double step) {
  Hand& hand = *hand_;
  const Eigen::Vector3d value = HandValue(step);
  // A nail grips after its preroll and follows that much later.
  const double now =
      simulation_->time() + (hand.drag.tool == HandTool::kNail ? hand.drag.strength : 0.0);
  if (hand.drag.trail == nullptr) hand.drag.trail = std::make_shared<Trail>(now);
  hand.drag.trail->Append(now + step, value);
  if (hand.in_scene) return;
  try {
    PutHandIntoScene();
  } catch (...) {
    hand_.reset();
    throw;
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

void HeldSimulation::PutHandIntoScene() {
  auto with_hand = WithDrag(*experiment_, hand_->drag);
  Translation translation = TranslateFor(*with_hand, index_);
  if (translation.simulation == nullptr) {
    throw BadInput({"hand",
                    choice().backend->info().name +
                        " refuses the scene with the hand: " + translation.record.WhyUnsupported(),
                    "use another point, or the other kind of hand"});
  }
  BringToPresent(translation.simulation.get());
  const Eigen::VectorXd state = translation.simulation->Save();
  simulation_ = std::make_unique<DraggedSimulation>(with_hand, index_, hand_->drag,
                                                    std::move(translation.simulation));
  simulation_->Restore(state);  // its own clock
  if (keeps_constraint_forces_) simulation_->KeepConstraintForces();
  experiment_ = std::move(with_hand);
  hand_->in_scene = true;
  recorder_.reset();
}

void HeldSimulation::Release() {
  if (!hand_) throw std::runtime_error("no hand holds a point");
  const Use use(&busy_);
  if (hand_->in_scene) experiment_ = WithDrag(*hand_->before, hand_->drag);
  hand_.reset();
}

std::string HeldSimulation::Toml() const {
  const bool grows = hand_ && hand_->in_scene;
  return ToToml(grows ? *WithDrag(*hand_->before, hand_->drag) : *experiment_);
}

}  // namespace pliant
