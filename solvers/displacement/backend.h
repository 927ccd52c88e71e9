// The backend `displacement-constraints`: rigid segments held together by displacements
// [Palazzi 1993, after Gascuel & Gascuel 1992].

#ifndef PLIANT_SOLVERS_DISPLACEMENT_BACKEND_H_
#define PLIANT_SOLVERS_DISPLACEMENT_BACKEND_H_

#include "solvers/simulation.h"

namespace pliant {

const Backend& DisplacementConstraintsBackend();

}  // namespace pliant

#endif  // PLIANT_SOLVERS_DISPLACEMENT_BACKEND_H_
