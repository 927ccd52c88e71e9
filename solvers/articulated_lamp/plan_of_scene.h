// The lamp of a scene and the plan of its jump, also while the search for the plan is
// running.

#ifndef PLIANT_SOLVERS_ARTICULATED_LAMP_PLAN_OF_SCENE_H_
#define PLIANT_SOLVERS_ARTICULATED_LAMP_PLAN_OF_SCENE_H_

#include <memory>
#include <string>

#include "solvers/articulated_lamp/lamp_body.h"
#include "solvers/articulated_lamp/lamp_options.h"
#include "solvers/articulated_lamp/planned_jump.h"
#include "solvers/spacetime/plan_sight.h"

namespace pliant::articulated_lamp {

// The first body, with the limits that the options give its hinges. Throws BadInput.
LampBody LampOf(const Scene& scene, const ArticulatedLampOptions& options);

// Poses, if there are any, are the initial guess. `watch` may be empty.
PlannedJump PlanOf(const std::shared_ptr<const Scene>& scene, const ArticulatedLampOptions& options,
                   const LampBody& body, const Lamp& lamp, const JumpStartsWatch& watch = {});

// True if these parameters of articulated-lamp ask for a plan.
bool AsksForPlan(const ParameterValues& parameters);

// Plans as the backend does, and reports every iteration with `poses` ≥ 2 poses of the body, one at a time, from
// any thread; `watch` returns false to stop. Returns how it ended, one line. Throws BadInput as the backend does.
std::string WatchPlan(const std::shared_ptr<const Scene>& scene, const ParameterValues& parameters,
                      int poses, const PlanWatch& watch);

}  // namespace pliant::articulated_lamp

#endif  // PLIANT_SOLVERS_ARTICULATED_LAMP_PLAN_OF_SCENE_H_
