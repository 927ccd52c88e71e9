// Keys of a planned jump that are the same for every character.

#ifndef PLIANT_SOLVERS_SPACETIME_PLAN_KEYS_H_
#define PLIANT_SOLVERS_SPACETIME_PLAN_KEYS_H_

#include <string>

#include "solvers/parameters.h"
#include "solvers/spacetime/methods.h"

namespace pliant {

// The longest time of a phase whose shortest one is `name`.
void BindLongest(const std::string& name, double* field, ParameterBinder* binder);

// plan_method, plan_step [s], plan_refinements.
void BindPlanSearch(SpacetimeStrategy* method, double* step, int* refinements,
                    ParameterBinder* binder);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SPACETIME_PLAN_KEYS_H_
