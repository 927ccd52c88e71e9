// The one interface of all formulations: a backend translates a scene into a simulation; a
// simulation advances, is observed, saved and restored.
//
// Everything that influences the next step is state: after Restore(Save()) a run continues bit for
// bit. A simulation never resets itself; divergence is an outcome of the step.

#ifndef PLIANT_SOLVERS_SIMULATION_H_
#define PLIANT_SOLVERS_SIMULATION_H_

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/scene/scene.h"
#include "solvers/arrays.h"
#include "solvers/exchange.h"
#include "solvers/parameters.h"
#include "solvers/series_column.h"
#include "solvers/translation.h"

namespace pliant {

class HasPhases;
class KnowsContactForces;
class PlanFollower;
class Retunable;
class StepLimited;

// Sums over all material at one time, for formulations with mass between the points.
struct MaterialSums {
  double kinetic_energy = 0.0;                                 // J
  double gravitational_energy = 0.0;                           // J, with the zero of −Σ m g·x
  Eigen::Vector3d momentum = Eigen::Vector3d::Zero();          // kg m/s
  Eigen::Vector3d angular_momentum = Eigen::Vector3d::Zero();  // kg m²/s, about the origin
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();            // m, of mass
  double mass = 0.0;                                           // kg
};

// What a simulation reports at one time. Absent means "not defined for this formulation", never 0.
// Reused from call to call: Observe() allocates only when sizes change.
struct Observation {
  double time = 0.0;                           // s
  Eigen::Matrix3Xd points;                     // 3×n, world [m]
  std::optional<Eigen::Matrix3Xd> velocities;  // 3×n, world [m/s]
  std::optional<MaterialSums> sums;            // absent: those of the points
  std::optional<double> elastic_energy;        // J, of the formulation's own deformation energy
  std::optional<double> spring_energy;         // J, springs of the scene
  std::optional<double> contact_energy;        // J, stored in contacts: penalty springs, barriers
  std::optional<double> constraint_energy;     // J, of springs that stand in for constraints
  bool gravity_acts = true;                    // else the formulation ignores it
  std::optional<Exchange> work;                // since the start; momentum is undefined in it
                                               // unless explains_momentum
  bool explains_momentum = false;
  std::optional<double> constraint_error;     // ‖C‖, largest gap [m]
  std::optional<double> constraint_rate;      // ‖Ċ‖, largest rate of a gap [m/s]
  std::optional<double> condition_number;     // of Backend::info().condition_of
  std::optional<double> regularisation;       // what was added to make a matrix regular
  std::optional<std::int64_t> iterations;     // sweeps or evaluations since the start
  std::vector<std::optional<double>> extras;  // as listed by Backend::info().extras
};

// Sum of the stored energies that are defined: elastic, springs, contacts, constraints [J].
double StoredEnergy(const Observation& observation);

// Work since the start of all forces of one deformation mode (potential, damping and servo), summed
// over the bodies that have a mode of this name.
struct ModeEnergy {
  std::string mode;
  double spent = 0.0;  // ∫ |Q γ̇| dt [J]
  double work = 0.0;   // ∫ Q γ̇ dt [J]
};

// Something that happened at one time: a body collapsed, a goal was reached.
struct SimulationEvent {
  double time;  // s
  std::string what;
};

// A constraint that is not met at one time: by how much it misses.
struct UnmetConstraint {
  std::string name;  // "attachment 'knee'", "joint at point 3 of rope"
  double size = 0.0;
  std::string unit;  // "m" or "rad"
  bool operator==(const UnmetConstraint&) const = default;
};

// The worst of them as a table; `count` says how many there are in all.
FindingTable TableOfUnmet(const std::string& title, const std::vector<UnmetConstraint>& unmet,
                          std::int64_t count);

// The elements that a formulation computes with besides the material points, as straight lines for
// display: a lattice, the segments or the surface of a coarser level.
struct MethodPieces {
  std::string name;       // in words: "lattice", "segments of level 2"
  Eigen::Matrix3Xd ends;  // 3×2m, the two ends of each line, world [m]

  void Add(const Eigen::Matrix3Xd& more_ends);
  // Adds lines between pairs of points, 3×n.
  void Add(const Eigen::Matrix3Xd& points, const std::vector<std::array<int, 2>>& lines);
};

struct StepOutcome {
  enum class Kind { kAdvanced, kNotConverged, kDiverged };
  Kind kind = Kind::kAdvanced;
  std::string quantity;  // names what did not converge or diverged; empty when advanced
};

class Simulation {
 public:
  virtual ~Simulation() = default;
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  // Advances the state by `step` seconds, step > 0. Not converging is reported and the state is the
  // best one found; after kDiverged the state is meaningless until Restore().
  //
  // A step that contains switch times (models/scene/switch_times.h) is made in pieces that begin and
  // end there, so that within a piece nothing begins or ends: timed forces give exactly their impulse,
  // and every scheme keeps its order.
  StepOutcome Advance(double step);

  void Observe(Observation* observation) const;

  // The whole state, always of the same size for one simulation: time first.
  Eigen::VectorXd Save() const;
  void Save(Eigen::VectorXd* state) const;     // allocates only when the size changes
  void Restore(const Eigen::VectorXd& state);  // events after the time restored are forgotten

  // The energy of each mode, for formulations that deform in modes; valid until the next step.
  virtual std::span<const ModeEnergy> mode_energies() const { return {}; }

  // Constraints violated by the present state beyond the method's tolerance, the worst first.
  virtual std::vector<UnmetConstraint> UnmetConstraints() const { return {}; }

  // Elements of the present state, coarsest first; none if there are only the points.
  virtual std::vector<MethodPieces> Pieces() const { return {}; }

  // Forces of holds on each point of the scene, 3×n, world [N], zero where there are none: of
  // nails, attachments, combinations and sliders, including those that behaviours hold now, or of
  // the springs that replace them. Excludes contact, stops, limits, and forces that keep a body in
  // its shape or pose. Absent where it is not defined. Refers to the present state; if a
  // formulation knows these forces only per step, it is the mean over the last step, and absent
  // before the first step after the start or Restore(). Changes nothing.
  virtual std::optional<Eigen::Matrix3Xd> ConstraintForces() const { return std::nullopt; }
  // The arrays of this group in the present state, of all groups when it is empty
  // (BackendInfo::arrays lists them). Computed on request; changes nothing.
  virtual std::vector<NamedArray> Arrays(std::string_view group) const {
    (void)group;
    return {};
  }
  // What the numbers of Save() are, block by block.
  std::vector<StateBlock> StateLayout() const;

  // To be called before the steps after which ConstraintForces() will be called: from now on steps
  // keep the data that it needs. Changes no result.
  virtual void KeepConstraintForces() {}

  // Optional abilities; null where the formulation does not have them.
  virtual HasPhases* AsPhased() { return nullptr; }                     // solvers/step_pictures.h
  virtual Retunable* AsRetunable() { return nullptr; }                  // solvers/retunable.h
  virtual const StepLimited* AsStepLimited() const { return nullptr; }  // solvers/step_limit.h
  virtual const KnowsContactForces* AsKnowsContactForces() const {      // solvers/contact_forces.h
    return nullptr;
  }
  virtual const PlanFollower* AsPlanFollower() const {  // solvers/spacetime/plan_record.h
    return nullptr;
  }

  // Events so far, in order. They are not state: no result depends on them.
  const std::vector<SimulationEvent>& events() const { return events_; }

  double time() const {
    return piece_ ? piece_->begin : anchor_ + static_cast<double>(count_) * step_;
  }
  const Scene& scene() const { return *scene_; }

 protected:
  // Divides steps at the switch times of the scene.
  explicit Simulation(std::shared_ptr<const Scene> scene);
  // Divides steps at these times [s], ascending.
  Simulation(std::shared_ptr<const Scene> scene, std::vector<double> switch_times);

  // One step, or a piece of one. `time()` is the time at its beginning, StepEnd() that at its end.
  virtual StepOutcome DoAdvance(double step) = 0;
  // Exactly the time() of the next step, from which time() + step may differ by rounding. An event
  // at begin ≤ t < end therefore happens in exactly one step.
  double StepEnd() const {
    return piece_ ? piece_->end : anchor_ + static_cast<double>(count_ + 1) * step_;
  }
  // Fills everything but the time; `extras` is empty before.
  virtual void DoObserve(Observation* observation) const = 0;
  virtual int DoStateSize() const = 0;
  // The layout of the numbers of DoSave(); the default is one block.
  virtual std::vector<StateBlock> DoStateLayout() const {
    return {{"state of the formulation", DoStateSize(), "its own"}};
  }
  virtual void DoSave(Eigen::Ref<Eigen::VectorXd> state) const = 0;
  virtual void DoRestore(const Eigen::Ref<const Eigen::VectorXd>& state) = 0;
  void Happened(double time, const std::string& what) { events_.push_back({time, what}); }

 private:
  std::shared_ptr<const Scene> scene_;
  // time = anchor + count·step, so that n equal steps end exactly where one multiplication does.
  double anchor_ = 0.0;
  std::int64_t count_ = 0;
  double step_ = 0.0;
  std::vector<double> switch_times_;  // ascending
  struct Piece {
    double begin, end;  // s
  };
  std::optional<Piece> piece_;  // while Advance() makes a step that touches switch times
  std::vector<double> bounds_;  // of its pieces; scratch
  std::vector<SimulationEvent> events_;
};

// The outcome of a step of a simulation whose state may blow up: diverged, with the name
// `quantity`, unless all of `values` are finite and below `bound` in magnitude.
StepOutcome CheckBounded(const Eigen::Ref<const Eigen::VectorXd>& values, double bound,
                         const std::string& quantity);

struct BackendInfo {
  std::string name;                  // dynamic-ffd, linear-deformation, …
  std::string title;                 // in words
  std::string source;                // key of the bibliography
  std::string summary;               // one line: how it deforms
  std::string losses;                // one line: what it approximates, hides or loses
  std::string condition_of;          // which matrix the condition number is of; empty: not defined
  std::vector<SeriesColumn> extras;  // what only this formulation has: gain, contraction, …
  std::vector<ArrayGroup> arrays = {};  // what Simulation::Arrays() knows
};

// The result of a translation: the record, and the simulation unless some element is unsupported.
struct Translation {
  TranslationRecord record;
  std::unique_ptr<Simulation> simulation;  // null when the scene is refused
  std::vector<std::string> warnings;       // one line each: stability limits, redundant constraints
  std::vector<FindingTable> findings = {};       // further findings for the reader
  double cpu_seconds = 0.0, wall_seconds = 0.0;  // that the translation took
};

class Backend {
 public:
  virtual ~Backend() = default;
  virtual const BackendInfo& info() const = 0;
  virtual std::vector<ParameterInfo> Parameters() const = 0;

  // Refusing a scene is a valid result, which the record reports. Throws BadInput for parameters
  // that are invalid or do not fit the scene (where = the parameter's name). `scene` has passed
  // Validate().
  virtual Translation Translate(std::shared_ptr<const Scene> scene,
                                const ParameterValues& parameters) const = 0;
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SIMULATION_H_
