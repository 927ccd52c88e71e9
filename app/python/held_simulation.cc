#include "app/python/held_simulation.h"

#include <pthread.h>

#include <chrono>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "app/python/state_clock.h"
#include "app/python/values.h"
#include "models/problem.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace py = pybind11;
namespace {

constexpr size_t kMostSteps = 100000;                   // of different sizes that are remembered
constexpr std::int64_t kStepsBetweenLooks = 64;         // at the clock …
constexpr std::chrono::milliseconds kSignalsEvery{50};  // … and at signals

std::atomic<int> forks;

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
  if (!HasClock(copy)) {
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
  if (!hands_.empty()) LeadHands(step);
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
  const Scene& scene = *SceneOf(*experiment_, index_);
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
  if (holding()) throw std::runtime_error("a hand holds a point; release() it before restore()");
  const Use use(&busy_);
  simulation_->Restore(StateFrom(state, simulation_->Save().size()));
  diverged_ = false;
  ForgetSteps();
  recorder_.reset();
}

py::dict HeldSimulation::Measure() {
  const std::shared_ptr<HeldObservation> seen = Observe();
  if (recorder_ == nullptr) {
    recorder_ = std::make_unique<SeriesRecorder>(
        SceneOf(*experiment_, index_), choice().backend->info(), ProbesOf(*experiment_, index_));
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

}  // namespace pliant
