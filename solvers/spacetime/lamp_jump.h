// Finds the motion of a lamp jump: its spacetime program (lamp_jump_program.h) on a mesh, then on finer ones.

#ifndef PLIANT_SOLVERS_SPACETIME_LAMP_JUMP_H_
#define PLIANT_SOLVERS_SPACETIME_LAMP_JUMP_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "solvers/spacetime/lamp_jump_program.h"
#include "solvers/spacetime/lamp_trajectory.h"
#include "solvers/spacetime/lamp_units.h"
#include "solvers/spacetime/methods.h"
#include "solvers/spacetime/plan_levels.h"
#include "solvers/spacetime/solve.h"

namespace pliant {

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

// The largest of the flights of a motion.
double MomentumDefect(const articulated_lamp::Lamp& lamp, const LampTrajectory& motion);

using LampJumpWatch = std::function<bool(double step, const SpacetimeIteration& iteration,
                                         const LampTrajectory& motion)>;

struct LampJumpOptions {
  double step = 0.02;  // s, of the coarsest mesh, > 0
  PlanMeshes meshes;
  LampTranscription transcription = LampTranscription::kHermite;
  SpacetimeStrategy strategy = SpacetimeStrategy::kEither;
  SpacetimeOptions solver;
  MinimizerFactory minimizer = MakeCeresMinimizer;
  // As SpacetimeOptions::watch, with the motion and the mesh [s] it is on.
  LampJumpWatch watch = {};

  void Validate() const;
};

struct LampJumpMotion : PlanLevels {
  LampTrajectory trajectory;  // the plan; where there is none, that of the first level
  // The program of which it is a solution, its unknowns, and the multipliers y and z of its rows
  // (optimality.h), in `units`; all else is in SI. Null and empty where there is no time for a motion.
  PlanUnits units = {};
  std::shared_ptr<const LampJumpProgram> program;
  Eigen::VectorXd unknowns, row_multipliers;
  // log₂ of the ratio of the last two changes of cost; needs three converged levels.
  std::optional<double> observed_order;
  // Cost at h → 0 by Richardson's extrapolation at the observed order.
  std::optional<double> extrapolated_cost;
};

// A motion with the multipliers that a search may begin with, where its problem is what is left of the motion from `time` [s] on.
struct LampJumpOnTheWay {
  const LampJumpMotion& motion;
  double time;
};

// `guess` has the phases of the problem, of any duration; StraightLine(problem) when absent. `on_the_way` belongs to a guess that is
// the rest of a motion: the multipliers of that are those of an optimal rest, too. Throws
// BadInput for invalid input and Cancelled in a CancelScope; an infeasible goal is a result.
LampJumpMotion SolveLampJump(const LampJumpProblem& problem, const LampJumpOptions& options,
                             const LampTrajectory* guess = nullptr,
                             const LampJumpOnTheWay* on_the_way = nullptr);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SPACETIME_LAMP_JUMP_H_
