// The lamp jump as a spacetime program: the unknowns are (q, q̇) at mesh nodes and the durations of
// phases that are free; physics is imposed by inverse dynamics at the samples of the transcription
// (lamp_samples.h). There are no torque unknowns: torques follow from inverse dynamics.
//
// Unknowns per node: φ, φ̇ in stance; s, φ, ṡ, φ̇ in an in-run, s along the slope; q, q̇ in flight; at
// touchdown φ, v⁻ and φ̇⁺ for a plastic landing, φ, φ̇ for a soft one. By finite differences the
// nodes within a phase have no rates. Takeoff is a node of the phase before: the base leaves with
// zero velocity, or with that of the slide.

#ifndef PLIANT_SOLVERS_SPACETIME_LAMP_JUMP_H_
#define PLIANT_SOLVERS_SPACETIME_LAMP_JUMP_H_

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "solvers/spacetime/lamp_terms.h"
#include "solvers/spacetime/lamp_trajectory.h"
#include "solvers/spacetime/lamp_units.h"
#include "solvers/spacetime/methods.h"
#include "solvers/spacetime/solve.h"

namespace pliant {

// Durations [s], all > 0, and intervals of stance or in-run, flight, and landing. A free duration
// is the one for which the mesh is made.
struct LampMesh {
  std::array<double, 3> durations;
  std::array<int, 3> intervals;
  LampTranscription transcription = LampTranscription::kHermite;
};
// Intervals as near to `step` seconds as the durations allow.
LampMesh MeshOf(const LampJumpProblem& problem, double step,
                LampTranscription transcription = LampTranscription::kHermite);

// Immutable once made. Terms point into it, so it does not move.
class LampJumpProgram {
 public:
  LampJumpProgram(const LampJumpProblem& problem, const LampMesh& mesh);
  LampJumpProgram(const LampJumpProgram&) = delete;
  LampJumpProgram& operator=(const LampJumpProgram&) = delete;

  const articulated_lamp::Lamp& lamp() const { return lamp_; }
  const SpacetimeProgram& program() const { return program_; }

  // The unknowns of `trajectory`, sampled at the nodes; it has the phases of the problem, of any
  // duration: a phase that is given another is stretched in time.
  Eigen::VectorXd Pack(const LampTrajectory& trajectory) const;
  LampTrajectory Unpack(const Eigen::VectorXd& x) const;

  // Where the program imposes physics, in the order of time.
  struct Sample {
    int phase;
    double time;  // s
    double span;  // s, the time for which it stands in the cost
    LampSample motion;
  };
  std::vector<Sample> Samples(const Eigen::VectorXd& x) const;
  // When a row holds [s]: its time on the mesh, stretched as the phases are at x.
  double RowTime(const Eigen::VectorXd& x, int row) const;

 private:
  struct Phase {
    LampContact contact;
    double start, duration;  // s, of the mesh
    LampRules rules;
    std::vector<LampNodeMap> nodes;
    std::optional<int> clock = {};  // block of the duration where it is free

    int intervals() const { return static_cast<int>(nodes.size()) - 1; }
  };
  struct Physics {
    int phase, term;   // of the program
    double at, share;  // in intervals, from the start of the phase
  };
  double DurationAt(const Eigen::VectorXd& x, const Phase& phase) const;
  void AddNodes(const LampMesh& mesh);
  void AddClocks();
  void AddTerms(LampTranscription transcription);

  LampJumpProblem problem_;
  articulated_lamp::Lamp lamp_;
  bool rates_;  // are those of the nodes within a phase unknowns?
  SpacetimeProgram program_;
  std::vector<Phase> phases_;
  std::vector<Physics> physics_;
};

// Random displacement of a straight line, uniform up to ± each value, independent at every node.
struct Perturbation {
  double angle = 0.1;      // rad
  double distance = 0.05;  // m
  double rate = 0.5;       // rad/s and m/s
};

// A perturbed straight line on a mesh of about `step` seconds, to try how robust a method is. The
// same seed gives the same line everywhere.
LampTrajectory PerturbedLine(const LampJumpProblem& problem, double step, unsigned seed,
                             const Perturbation& perturbation);

using LampJumpWatch = std::function<bool(double step, const SpacetimeIteration& iteration,
                                         const LampTrajectory& motion)>;

struct LampJumpOptions {
  // Accelerations are second differences, so their rounding error grows as n² with the number of intervals. On meshes
  // of more than kReferenceIntervals (a jump of 0.7 s in steps of 0.02 s) a violation of up to
  // violation_tolerance · (n/kReferenceIntervals)² is therefore accepted at the end of the search.
  static constexpr double kReferenceIntervals = 34.0;
  double step = 0.02;   // s, of the coarsest mesh, > 0
  int refinements = 0;  // times the step is halved, each starting from the coarser solution, ≥ 0
  LampTranscription transcription = LampTranscription::kHermite;
  SpacetimeStrategy strategy = SpacetimeStrategy::kEither;
  SpacetimeOptions solver;
  MinimizerFactory minimizer = MakeCeresMinimizer;
  // As SpacetimeOptions::watch, with the motion and the mesh [s] it is on.
  LampJumpWatch watch = {};

  void Validate() const;
};

struct LampJumpMotion {
  struct Level {
    double step;  // s
    SpacetimeSummary summary;
  };
  // Of the finest level that converged; where none did, of the finest whose motion violates nothing;
  // where there is none either, of the first.
  LampTrajectory trajectory;
  size_t level = 0;  // of the trajectory
  // The program of which it is a solution, its unknowns, and the multipliers y and z of its rows
  // (optimality.h), in `units`; all else is in SI. Null and empty where there is no time for a motion.
  LampUnits units = {};
  std::shared_ptr<const LampJumpProgram> program;
  Eigen::VectorXd unknowns, row_multipliers;
  std::vector<Level> levels;  // coarse to fine; ends with the first that found nothing better
  // log₂ of the ratio of the last two changes of cost; needs three converged levels.
  std::optional<double> observed_order;
  // Cost at h → 0 by Richardson's extrapolation at the observed order.
  std::optional<double> extrapolated_cost;

  const SpacetimeSummary& summary() const { return levels[level].summary; }
};

// `guess` has the phases of the problem, of any duration; StraightLine(problem) when absent. Throws
// BadInput for invalid input and Cancelled in a CancelScope; an infeasible goal is a result.
LampJumpMotion SolveLampJump(const LampJumpProblem& problem, const LampJumpOptions& options,
                             const LampTrajectory* guess = nullptr);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SPACETIME_LAMP_JUMP_H_
