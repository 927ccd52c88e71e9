// The backend `dynamic-ffd` [Faloutsos 1995].

#ifndef PLIANT_SOLVERS_LAGRANGIAN_BACKEND_H_
#define PLIANT_SOLVERS_LAGRANGIAN_BACKEND_H_

#include "solvers/simulation.h"

namespace pliant {

const Backend& DynamicFfdBackend();

}  // namespace pliant

#endif  // PLIANT_SOLVERS_LAGRANGIAN_BACKEND_H_
