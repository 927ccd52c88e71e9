// A simulation as Python holds it. It refuses what would not be noticed otherwise: two threads at once, a step that is
// no positive number, a state of another size, the other side of a fork(), a state that diverged.

#ifndef PLIANT_APP_PYTHON_HELD_SIMULATION_H_
#define PLIANT_APP_PYTHON_HELD_SIMULATION_H_

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <Eigen/Core>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/python/lock_choice.h"
#include "app/workbench/edits/hand_gesture.h"
#include "experiments/files/experiment.h"
#include "experiments/runs/series.h"
#include "solvers/simulation.h"

namespace pliant {

// Counts forks of this process: what was made before one belongs to the parent.
int ForksSoFar();
// Throws when `made_at` is another count than the present one.
void RequireNoForkSince(int made_at, const char* what);

// Throws BadInput unless `step` is finite and positive.
void RequireStep(double step);

// The exclusive use of an object by one thread; throws, where another thread is using it.
class Use {
 public:
  explicit Use(std::atomic_flag* busy);
  ~Use() { busy_->clear(std::memory_order_release); }
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;

 private:
  std::atomic_flag* busy_;
};

// A 3×n array in Fortran order, Eigen's own layout, that NumPy owns: valid as long as Python refers to it.
class PointArray {
 public:
  explicit PointArray(Eigen::Index points);
  Eigen::Map<Eigen::Matrix3Xd> values() { return {data_, 3, points_}; }
  const pybind11::object& read_only() const { return read_only_; }

 private:
  Eigen::Index points_;
  pybind11::array_t<double, pybind11::array::f_style> owner_;
  double* data_;
  pybind11::object read_only_;
};

// What observe() gives: the same object each time, whose arrays hold the last observation.
struct HeldObservation {
  HeldObservation(Eigen::Index points, const Backend& backend, const Scene& scene);

  Observation values;
  PointArray points, velocities;
  std::vector<SeriesColumn> extras;
};

class HeldSimulation {
 public:
  // Throws FileError; a refused scene is a translation without simulation.
  HeldSimulation(std::shared_ptr<const Experiment> experiment, size_t index,
                 bool keep_constraint_forces);
  ~HeldSimulation();
  HeldSimulation(const HeldSimulation&) = delete;
  HeldSimulation& operator=(const HeldSimulation&) = delete;

  bool refused() const { return simulation_ == nullptr; }
  const Translation& translation() const { return translation_; }
  const std::shared_ptr<const Experiment>& experiment() const { return experiment_; }
  const BackendChoice& choice() const { return experiment_->backends[index_]; }
  size_t index() const { return index_; }
  bool keeps_constraint_forces() const { return keeps_constraint_forces_; }

  // Makes `steps` steps; ends at the first that diverges. With the interpreter lock held.
  StepOutcome::Kind Advance(double step, std::int64_t steps);
  const std::string& quantity() const { return quantity_; }
  std::int64_t lock_releases() const { return advancing_.releases() + observing_.releases(); }
  double time() const { return refused() ? 0.0 : simulation_->time(); }

  std::shared_ptr<HeldObservation> Observe();
  pybind11::array Save();
  void Restore(const pybind11::object& state);
  pybind11::dict Measure();

  std::optional<Eigen::Matrix3Xd> ConstraintForces();
  std::vector<NamedArray> Arrays(const std::string& group);
  std::vector<SimulationEvent> Events();
  std::vector<StateBlock> StateLayout();
  std::vector<UnmetConstraint> Unmet();

  // Takes hold of a point; it follows `target` until Release(). The drag becomes an element of the scene. A nail may
  // change the size of states: then the steps since the start are made again with it in the scene. Returns the number
  // of the hand.
  int Hold(const std::string& body, const pybind11::object& point, HandTool tool, double strength,
           const Eigen::Vector3d& target);
  void MoveHand(int hand, const Eigen::Vector3d& target);
  void Release(int hand);
  bool Holds(int hand) const;
  bool holding() const { return !hands_.empty(); }
  // The experiment with everything that hands did so far, as one TOML text.
  std::string Toml() const;

 private:
  struct Hand {
    int number;
    LiveDrag drag;
    Eigen::Vector3d target;
    bool holds = true;
    bool in_scene = false;
    std::optional<Eigen::Vector3d> at = {};  // where its point was a step ago [m]
  };

  // Steps of one size, one after the other.
  struct Steps {
    double size;
    std::int64_t count;
  };

  void RequireUsable() const;
  void Remember(double step);
  void ForgetSteps();
  StepOutcome AdvanceOnce(double step);
  void LeadHands(double step);
  void LeadHand(double step, Hand* hand) const;
  Eigen::Vector3d HandValue(double step, Hand* hand) const;
  void PutIntoScene(Hand* hand);
  // Where backends have scenes of their own, a hand has this backend alone: the experiment becomes that of its bundle.
  void LeaveOthersOut();
  // The experiment with the hands that are in its scene, as far as they led.
  std::shared_ptr<const Experiment> WithHands() const;
  Hand* HandOf(int number);
  void LetGo(size_t i);
  // The state of this simulation in one of the scene with the hand. Throws BadInput where there is none.
  void BringToPresent(Simulation* with_hand) const;

  std::shared_ptr<const Experiment> experiment_;
  size_t index_;
  bool keeps_constraint_forces_;
  Translation translation_;
  std::unique_ptr<Simulation> simulation_;
  std::shared_ptr<HeldObservation> observation_;
  std::unique_ptr<SeriesRecorder> recorder_;
  std::vector<Hand> hands_;  // as they took hold; all of them stay until none holds
  std::shared_ptr<const Experiment> without_hands_;
  int last_hand_ = 0;        // its number
  Observation hand_seen_;    // before a step
  std::vector<Steps> made_;  // since the start
  bool knows_steps_ = true;  // not after restore(), nor after too many of different sizes
  LockChoice advancing_, observing_;
  std::string quantity_;
  bool diverged_ = false;
  const int made_at_fork_;
  std::atomic_flag busy_ = ATOMIC_FLAG_INIT;
};

// The state that Python gives: a vector of float64 of this size without NaN in its clock. Throws BadInput.
Eigen::VectorXd StateFrom(const pybind11::object& state, Eigen::Index size);

void BindSimulation(pybind11::module_& m);
void BindBatch(pybind11::module_& m);
void BindPlots(pybind11::module_& m);

}  // namespace pliant

#endif  // PLIANT_APP_PYTHON_HELD_SIMULATION_H_
