// The backend articulated-lamp [Chitimalli 2008].

#ifndef PLIANT_SOLVERS_LAMP_BACKEND_H_
#define PLIANT_SOLVERS_LAMP_BACKEND_H_

#include "solvers/simulation.h"

namespace pliant {

const Backend& ArticulatedLampBackend();

}  // namespace pliant

#endif  // PLIANT_SOLVERS_LAMP_BACKEND_H_
