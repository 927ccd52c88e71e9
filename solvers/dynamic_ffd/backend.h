// The backend `dynamic-ffd` [Faloutsos 1995].

#ifndef PLIANT_SOLVERS_DYNAMIC_FFD_BACKEND_H_
#define PLIANT_SOLVERS_DYNAMIC_FFD_BACKEND_H_

#include "solvers/simulation.h"

namespace pliant::dynamic_ffd {

const Backend& TheBackend();

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_SOLVERS_DYNAMIC_FFD_BACKEND_H_
