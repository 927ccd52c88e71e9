// The backend articulated-lamp [Chitimalli 2008].

#ifndef PLIANT_SOLVERS_ARTICULATED_LAMP_BACKEND_H_
#define PLIANT_SOLVERS_ARTICULATED_LAMP_BACKEND_H_

#include "solvers/simulation.h"

namespace pliant::articulated_lamp {

const Backend& TheBackend();

}  // namespace pliant::articulated_lamp

#endif  // PLIANT_SOLVERS_ARTICULATED_LAMP_BACKEND_H_
