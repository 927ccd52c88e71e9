// Many states of one translation, advanced by one call over the processors.
//
// The states are the columns of one matrix that Python may read and write. Each worker has a simulation of its own and
// makes with it the steps of one state after the other: Restore, Advance, Save. What a simulation does after Restore()
// depends on the state alone, so that the result does not depend on who makes which, nor on the number of workers.

#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <thread>

#include "app/python/held_simulation.h"
#include "app/python/loaded_experiment.h"
#include "app/python/state_clock.h"
#include "models/problem.h"
#include "solvers/parallel/thread_team.h"

namespace pliant {
namespace py = pybind11;
namespace {

constexpr std::int64_t kStepsAtOnce = 1000;  // between looks at signals

class HeldBatch {
 public:
  HeldBatch(std::shared_ptr<const Experiment> experiment, size_t index, int states, int threads)
      : experiment_(std::make_shared<const Experiment>(WithSceneOf(*experiment, index))),
        team_(std::min(states, threads)),
        outcomes_(static_cast<size_t>(states), 0),
        made_at_fork_(ForksSoFar()) {
    for (int worker = 0; worker < team_.threads(); ++worker) {
      Translation translation = TranslateFor(*experiment_, index);
      if (translation.simulation == nullptr) {
        why_refused_ = translation.record.WhyUnsupported();
        return;
      }
      workers_.push_back({std::move(translation.simulation), {}, {}});
    }
    start_ = workers_.front().simulation->Save();
  }
  ~HeldBatch() {
    if (made_at_fork_ == ForksSoFar()) return;  // else its threads are not in this process
    for (Worker& worker : workers_) (void)worker.simulation.release();
    (void)std::make_unique<ThreadTeam>(std::move(team_)).release();
  }
  HeldBatch(const HeldBatch&) = delete;
  HeldBatch& operator=(const HeldBatch&) = delete;

  const std::string& why_refused() const { return why_refused_; }
  int size() const { return static_cast<int>(outcomes_.size()); }
  int threads() const { return team_.threads(); }

  // The matrix of the states, dof×n in Fortran order.
  py::array States() {
    if (!states_) {
      states_.emplace(std::vector<py::ssize_t>{start_.size(), size()});
      data_ = states_->mutable_data();
      for (int i = 0; i < size(); ++i) Column(i) = start_;
    }
    return *states_;
  }

  // Codes 0 advanced, 1 not converged, 2 diverged, one for each state. A state that diverges becomes NaN, and stays so
  // until it is written again.
  py::array Advance(double step, std::int64_t steps) {
    RequireUsable();
    RequireStep(step);
    if (steps < 1) throw BadInput({"steps", std::to_string(steps) + " steps", "make 1 or more"});
    States();
    const Use use(&busy_);
    std::fill(outcomes_.begin(), outcomes_.end(), 0);
    for (std::int64_t left = steps; left > 0; left -= kStepsAtOnce) {
      {
        const py::gil_scoped_release release;
        ForEach([&](int i, Worker& worker) {
          AdvanceOne(i, worker, step, std::min(left, kStepsAtOnce));
        });
      }
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    }
    return py::array_t<std::int8_t>(size(), outcomes_.data());
  }

  py::dict Observe() {
    RequireUsable();
    States();
    const Use use(&busy_);
    const py::ssize_t points = experiment_->scene->PointCount(), n = size();
    using Array = py::array_t<double, py::array::f_style>;
    Array times(n), elastic(n), xs(std::vector<py::ssize_t>{3, points, n}),
        vs(std::vector<py::ssize_t>{3, points, n});
    double *t = times.mutable_data(), *e = elastic.mutable_data(), *x = xs.mutable_data(),
           *v = vs.mutable_data();
    std::atomic<bool> has_velocities = true, has_elastic = true;
    {
      const py::gil_scoped_release release;
      constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
      ForEach([&](int i, Worker& worker) {
        Eigen::Map<Eigen::Matrix3Xd> xi(x + 3 * points * i, 3, points),
            vi(v + 3 * points * i, 3, points);
        if (!HasClock(Column(i))) {
          t[i] = e[i] = kNan;
          xi.setConstant(kNan);
          vi.setConstant(kNan);
          return;
        }
        worker.state = Column(i);
        worker.simulation->Restore(worker.state);
        worker.simulation->Observe(&worker.seen);
        t[i] = worker.seen.time;
        xi = worker.seen.points;
        if (worker.seen.velocities)
          vi = *worker.seen.velocities;
        else
          has_velocities = false;
        if (worker.seen.elastic_energy)
          e[i] = *worker.seen.elastic_energy;
        else
          has_elastic = false;
      });
    }
    py::dict seen;
    seen["time"] = times;
    seen["points"] = xs;
    seen["velocities"] = has_velocities ? py::object(vs) : py::none();
    seen["elastic_energy"] = has_elastic ? py::object(elastic) : py::none();
    return seen;
  }

 private:
  struct Worker {
    std::unique_ptr<Simulation> simulation;
    Eigen::VectorXd state;
    Observation seen;
  };

  void RequireUsable() const { RequireNoForkSince(made_at_fork_, "this batch"); }
  Eigen::Map<Eigen::VectorXd> Column(int i) { return {data_ + start_.size() * i, start_.size()}; }

  void AdvanceOne(int i, Worker& worker, double step, std::int64_t steps) {
    std::int8_t& outcome = outcomes_[static_cast<size_t>(i)];
    if (!HasClock(Column(i))) {
      outcome = 2;
      Column(i).setConstant(std::numeric_limits<double>::quiet_NaN());
      return;
    }
    worker.state = Column(i);
    worker.simulation->Restore(worker.state);
    for (std::int64_t s = 0; s < steps; ++s) {
      const StepOutcome::Kind kind = worker.simulation->Advance(step).kind;
      if (kind == StepOutcome::Kind::kNotConverged) outcome = std::max<std::int8_t>(outcome, 1);
      if (kind != StepOutcome::Kind::kDiverged) continue;
      outcome = 2;
      Column(i).setConstant(std::numeric_limits<double>::quiet_NaN());
      return;
    }
    worker.simulation->Save(&worker.state);
    Column(i) = worker.state;
  }

  // Calls work(i, worker) for each state; rethrows the error of the first state in order that has one.
  template <typename Work>
  void ForEach(const Work& work) {
    std::mutex mutex;
    int failed_at = size();
    std::exception_ptr failed;
    team_.Run(size(), [&](int i, int worker) {
      try {
        work(i, workers_[static_cast<size_t>(worker)]);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (i < failed_at) failed = std::current_exception();
        failed_at = std::min(failed_at, i);
      }
    });
    if (failed) std::rethrow_exception(failed);
  }

  std::shared_ptr<const Experiment> experiment_;
  ThreadTeam team_;
  std::vector<Worker> workers_;
  std::string why_refused_;
  Eigen::VectorXd start_;
  std::optional<py::array_t<double, py::array::f_style>> states_;
  double* data_ = nullptr;
  std::vector<std::int8_t> outcomes_;
  const int made_at_fork_;
  std::atomic_flag busy_ = ATOMIC_FLAG_INIT;
};

}  // namespace

void BindBatch(py::module_& m) {
  py::class_<HeldBatch>(m, "Batch", "Many states of one translation; see pliant.Batch.")
      .def(py::init([](const LoadedExperiment& loaded, const std::string& label, int states,
                       std::optional<int> threads) {
             const size_t index = loaded.IndexOf(label);
             if (states < 1) {
               throw BadInput(
                   {"n", "a batch of " + std::to_string(states) + " states", "it has 1 or more"});
             }
             if (threads && *threads < 1) {
               throw BadInput({"threads", std::to_string(*threads) + " threads", "use 1 or more"});
             }
             const int workers = threads.value_or(
                 std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
             const py::gil_scoped_release release;
             return std::make_unique<HeldBatch>(loaded.experiment, index, states, workers);
           }),
           py::arg("experiment"), py::arg("label"), py::arg("states"), py::arg("threads"))
      .def_property_readonly("why_refused", &HeldBatch::why_refused,
                             "Empty where the formulation takes the scene.")
      .def_property_readonly("states", &HeldBatch::States,
                             "dof×n, float64, Fortran order: a column is what Simulation.save() "
                             "gives; may be written between calls.")
      .def_property_readonly("threads", &HeldBatch::threads, "How many advance it.")
      .def("__len__", &HeldBatch::size)
      .def(
          "advance", &HeldBatch::Advance, py::arg("step"), py::arg("steps") = 1,
          R"(Makes `steps` steps of `step` seconds of every state, with the interpreter lock released.

Returns n codes (int8): 0 advanced, 1 not converged, 2 diverged (its column of `states` is NaN then, and stays so until it
is written).

Raises:
    BadInput: the step is not finite and above 0, or steps is below 1.
    RuntimeError: another thread is using this batch; it was made before a fork().
    KeyboardInterrupt: Ctrl-C; every state has made the same number of steps.)")
      .def(
          "observe", &HeldBatch::Observe,
          R"({"time": n [s], "points": 3×N×n [m], "velocities": 3×N×n [m/s], "elastic_energy": n [J]}, new arrays.

The last two are None where the formulation has none; NaN for a state that diverged.)");
}

}  // namespace pliant
