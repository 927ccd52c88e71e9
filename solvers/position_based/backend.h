// The backend `position-based`: points move freely and are then displaced until every edge has its
// length again [Müller 2007, Macklin 2016].

#ifndef PLIANT_SOLVERS_POSITION_BASED_BACKEND_H_
#define PLIANT_SOLVERS_POSITION_BASED_BACKEND_H_

#include "solvers/simulation.h"

namespace pliant::position_based {

const Backend& TheBackend();

}  // namespace pliant::position_based

#endif  // PLIANT_SOLVERS_POSITION_BASED_BACKEND_H_
