// The lamp jump as a spacetime program: the unknowns are (q, q̇) at mesh nodes, the motion between
// them is cubic, and physics is asked at the two Gauss points of every interval by inverse dynamics
// (fourth order). There are no torque unknowns: torques are what inverse dynamics says.
//
// Unknowns per node: φ, φ̇ in stance; q, q̇ in flight; at touchdown φ, v⁻ and φ̇⁺ for a plastic
// landing, φ, φ̇ for a soft one. Takeoff is a stance node: the base leaves with zero velocity.

#ifndef PLIANT_SOLVERS_SPACETIME_LAMP_JUMP_H_
#define PLIANT_SOLVERS_SPACETIME_LAMP_JUMP_H_

#include <optional>

#include "solvers/spacetime/lamp_terms.h"
#include "solvers/spacetime/lamp_trajectory.h"
#include "solvers/spacetime/solve.h"

namespace pliant {

// Immutable once made. Terms point into it, so it does not move.
class LampJumpProgram {
 public:
  // Intervals as near to `step` seconds as the durations allow, all durations > 0.
  LampJumpProgram(const LampJumpProblem& problem, double step);
  LampJumpProgram(const LampJumpProgram&) = delete;
  LampJumpProgram& operator=(const LampJumpProgram&) = delete;

  const Lamp& lamp() const { return lamp_; }
  const SpacetimeProgram& program() const { return program_; }

  // The unknowns of `trajectory`, sampled at the nodes; it has the phases of the problem.
  Eigen::VectorXd Pack(const LampTrajectory& trajectory) const;
  LampTrajectory Unpack(const Eigen::VectorXd& x) const;

 private:
  struct Phase {
    LampContact contact;
    double start, duration;
    std::vector<LampNodeMap> nodes;
  };
  void AddTerms(const LampJumpProblem& problem);

  Lamp lamp_;
  SpacetimeProgram program_;
  std::vector<Phase> phases_;
};

// How far a straight line is moved, uniformly up to ± each value, at every node on its own.
struct Perturbation {
  double angle = 0.1;      // rad
  double distance = 0.05;  // m
  double rate = 0.5;       // rad/s and m/s
};

// A perturbed straight line on a mesh of about `step` seconds, to try how robust a method is. The
// same seed gives the same line everywhere.
LampTrajectory PerturbedLine(const LampJumpProblem& problem, double step, unsigned seed,
                             const Perturbation& perturbation);

struct LampJumpOptions {
  double step = 0.02;   // s, of the coarsest mesh, > 0
  int refinements = 0;  // times the step is halved, each starting from the coarser solution, ≥ 0
  SpacetimeOptions solver;
  MinimizerFactory minimizer = MakeCeresMinimizer;

  void Validate() const;
};

struct LampJumpMotion {
  struct Level {
    double step;  // s
    SpacetimeSummary summary;
  };
  LampTrajectory trajectory;  // of the finest level solved
  std::vector<Level> levels;  // coarse to fine; ends with the first that did not converge
  // log₂ of the ratio of the last two changes of cost; needs three converged levels.
  std::optional<double> observed_order;
  // Cost at h → 0 by Richardson's extrapolation at the observed order.
  std::optional<double> extrapolated_cost;

  const SpacetimeSummary& summary() const { return levels.back().summary; }
};

// `guess` has the phases of the problem; StraightLine(problem) when absent. Throws BadInput for
// input that is wrong in itself; an infeasible goal is a result.
LampJumpMotion SolveLampJump(const LampJumpProblem& problem, const LampJumpOptions& options,
                             const LampTrajectory* guess = nullptr);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SPACETIME_LAMP_JUMP_H_
