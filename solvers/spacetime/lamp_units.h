// A jump of a lamp and its motion in the units of its plan (plan_units.h).

#ifndef PLIANT_SOLVERS_SPACETIME_LAMP_UNITS_H_
#define PLIANT_SOLVERS_SPACETIME_LAMP_UNITS_H_

#include "solvers/spacetime/jump_problem.h"
#include "solvers/spacetime/lamp_trajectory.h"
#include "solvers/spacetime/plan_units.h"

namespace pliant {

// Those of a lamp of which the lower arm is 0.3 m long and the base has 1 kg, under 9.81 m/s²; where there is no gravity, with
// 0.6 s in the stance. `problem` is valid.
PlanUnits UnitsOf(const LampJumpProblem& problem);

LampJumpProblem InUnits(const LampJumpProblem& problem, const PlanUnits& units);
LampTrajectory InUnits(const LampTrajectory& motion, const PlanUnits& units);

// Back to SI.
LampTrajectory FromUnits(const LampTrajectory& motion, const PlanUnits& units);
LampSample FromUnits(const LampSample& sample, const PlanUnits& units);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SPACETIME_LAMP_UNITS_H_
