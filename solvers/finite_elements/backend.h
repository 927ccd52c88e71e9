// Finite elements: quadratic elements of solids and planar profiles, an energy–momentum conserving
// step, constraints by elimination: the yardstick of the other formulations. docs/finite-elements.md
// has the equations.

#ifndef PLIANT_SOLVERS_FINITE_ELEMENTS_BACKEND_H_
#define PLIANT_SOLVERS_FINITE_ELEMENTS_BACKEND_H_

#include "solvers/simulation.h"

namespace pliant::finite_elements {

const Backend& TheBackend();

}  // namespace pliant::finite_elements

#endif  // PLIANT_SOLVERS_FINITE_ELEMENTS_BACKEND_H_
