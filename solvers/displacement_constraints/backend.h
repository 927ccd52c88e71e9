// The backend `displacement-constraints`: rigid segments held together by displacements
// [Palazzi 1993, after Gascuel & Gascuel 1992].

#ifndef PLIANT_SOLVERS_DISPLACEMENT_CONSTRAINTS_BACKEND_H_
#define PLIANT_SOLVERS_DISPLACEMENT_CONSTRAINTS_BACKEND_H_

#include "solvers/simulation.h"

namespace pliant::displacement_constraints {

const Backend& TheBackend();

}  // namespace pliant::displacement_constraints

#endif  // PLIANT_SOLVERS_DISPLACEMENT_CONSTRAINTS_BACKEND_H_
