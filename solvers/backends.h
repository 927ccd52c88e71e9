// The table of interchangeable backends. To add one, add its line in backends.cc.

#ifndef PLIANT_SOLVERS_BACKENDS_H_
#define PLIANT_SOLVERS_BACKENDS_H_

#include <string_view>
#include <vector>

#include "solvers/simulation.h"

namespace pliant {

const std::vector<const Backend*>& Backends();

// Null when there is none of that name.
const Backend* FindBackend(std::string_view name);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_BACKENDS_H_
