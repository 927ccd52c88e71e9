// The backend `dynamic-ffd` [Faloutsos 1995].

#ifndef PLIANT_SOLVERS_DYNAMIC_FFD_BACKEND_H_
#define PLIANT_SOLVERS_DYNAMIC_FFD_BACKEND_H_

#include <memory>
#include <string>

#include "solvers/simulation.h"
#include "solvers/spacetime/plan_sight.h"

namespace pliant::dynamic_ffd {

const Backend& TheBackend();

// True if these parameters of dynamic-ffd ask for the plan of a jump.
bool AsksForPlan(const ParameterValues& parameters);

// Plans as the backend does, and reports every iteration with `poses` ≥ 2 poses of the body; `watch` returns false to stop. Returns how
// it ended, one line. Throws BadInput as the backend does.
std::string WatchPlan(const std::shared_ptr<const Scene>& scene, const ParameterValues& parameters,
                      int poses, const PlanWatch& watch);

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_SOLVERS_DYNAMIC_FFD_BACKEND_H_
