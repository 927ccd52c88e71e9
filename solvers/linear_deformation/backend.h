// The backend linear-deformation [Witkin & Welch 1990].

#ifndef PLIANT_SOLVERS_LINEAR_DEFORMATION_BACKEND_H_
#define PLIANT_SOLVERS_LINEAR_DEFORMATION_BACKEND_H_

#include "solvers/simulation.h"

namespace pliant::linear_deformation {

const Backend& TheBackend();

}  // namespace pliant::linear_deformation

#endif  // PLIANT_SOLVERS_LINEAR_DEFORMATION_BACKEND_H_
