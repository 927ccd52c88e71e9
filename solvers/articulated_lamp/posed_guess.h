// A motion by poses as the initial guess of a plan: a warm start.

#ifndef PLIANT_SOLVERS_ARTICULATED_LAMP_POSED_GUESS_H_
#define PLIANT_SOLVERS_ARTICULATED_LAMP_POSED_GUESS_H_

#include "solvers/articulated_lamp/lamp_simulation.h"
#include "solvers/spacetime/lamp_trajectory.h"

namespace pliant::articulated_lamp {

// Runs `simulation`, which has a control, for `duration` seconds and cuts its motion where the base
// leaves the ground for its longest flight, and where it comes back. Positions are relative to the
// initial position of the base, as in a plan. Throws BadInput for a motion that never leaves the
// ground, or does not come back.
LampTrajectory PosedGuess(ArticulatedLampSimulation* simulation, double duration);

}  // namespace pliant::articulated_lamp

#endif  // PLIANT_SOLVERS_ARTICULATED_LAMP_POSED_GUESS_H_
