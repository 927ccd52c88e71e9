// A planned jump as poses, at which a search may start: knots of one spline through the hinges, at most kMostApart seconds apart in
// every phase.
//
// A servo of stiffness C asks for the planned torque τ where its target is away from the planned angle,
//
//   φ* = φ + (τ − τ_g)/C,
//
// by as much as the torque needs beyond the τ_g that balances gravity while the floor supports the lamp, which the servos add.

#ifndef PLIANT_EXPERIMENTS_BUNDLES_PLAN_POSES_H_
#define PLIANT_EXPERIMENTS_BUNDLES_PLAN_POSES_H_

#include "solvers/control/tables.h"
#include "solvers/spacetime/plan_record.h"

namespace pliant {

inline constexpr double kMostApart = 0.05;  // s

// For `timed = true` and `interpolation = "spline"` of articulated-lamp. Targets stay within the limits of the hinges.
ControlTable PosesOf(const PlanRecord& plan);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_BUNDLES_PLAN_POSES_H_
