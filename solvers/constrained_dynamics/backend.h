// The backend linear-deformation [Witkin & Welch 1990].

#ifndef PLIANT_SOLVERS_CONSTRAINED_DYNAMICS_BACKEND_H_
#define PLIANT_SOLVERS_CONSTRAINED_DYNAMICS_BACKEND_H_

#include "solvers/simulation.h"

namespace pliant {

const Backend& LinearDeformationBackend();

}  // namespace pliant

#endif  // PLIANT_SOLVERS_CONSTRAINED_DYNAMICS_BACKEND_H_
