// The kinematic collision response of [Harrison 1994] behind the common interface: surfaces that
// respond to obstacles without forces.

#ifndef PLIANT_SOLVERS_KINEMATIC_RESPONSE_BACKEND_H_
#define PLIANT_SOLVERS_KINEMATIC_RESPONSE_BACKEND_H_

#include "solvers/simulation.h"

namespace pliant::kinematic_response {

const Backend& TheBackend();

}  // namespace pliant::kinematic_response

#endif  // PLIANT_SOLVERS_KINEMATIC_RESPONSE_BACKEND_H_
