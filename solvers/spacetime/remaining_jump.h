// What is left of a jump on the way: the same goal, at the same time, from where the lamp has come to. Planned again and again, it is a
// receding horizon whose end stays where it is.
//
// The remainder of an optimal motion is the optimal motion from there [Bellman 1957]: from a node of a plan, on its own mesh, the
// remaining plan is the plan.

#ifndef PLIANT_SOLVERS_SPACETIME_REMAINING_JUMP_H_
#define PLIANT_SOLVERS_SPACETIME_REMAINING_JUMP_H_

#include <optional>

#include "solvers/spacetime/jump_problem.h"
#include "solvers/spacetime/lamp_trajectory.h"

namespace pliant {

struct RemainingJump {
  LampJumpProblem problem;
  LampTrajectory guess;  // what is left of the plan, from 0 on
};

// `plan` has all phases; times are its own, and durations those that it has left. Its phase at `time` began at `began`, also where
// it is a plan made on the way. Absent once it has landed at its goal, on a slope, and where less than `shortest` seconds are left of the phase.
std::optional<RemainingJump> RemainingAt(const LampJumpProblem& problem, const LampTrajectory& plan,
                                         double began, double time, const LampNode& state,
                                         double shortest);

// `remaining`, from `time` on, in the times of `plan`: with all phases, of which those that are over are the plan's.
LampTrajectory Continue(const LampTrajectory& plan, double time, const LampTrajectory& remaining);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SPACETIME_REMAINING_JUMP_H_
