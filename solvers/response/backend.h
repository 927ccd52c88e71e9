// The kinematic collision response of [Harrison 1994] behind the common interface: surfaces that
// answer to what presses them, without forces.

#ifndef PLIANT_SOLVERS_RESPONSE_BACKEND_H_
#define PLIANT_SOLVERS_RESPONSE_BACKEND_H_

#include "solvers/simulation.h"

namespace pliant {

const Backend& KinematicResponseBackend();

}  // namespace pliant

#endif  // PLIANT_SOLVERS_RESPONSE_BACKEND_H_
