// Whether a run follows a plan of spacetime optimisation, which begins at 0 s and jumps along x.

#ifndef PLIANT_EXPERIMENTS_CLAIMS_PLANNED_H_
#define PLIANT_EXPERIMENTS_CLAIMS_PLANNED_H_

#include <variant>

#include "experiments/files/experiment.h"
#include "solvers/articulated_lamp/plan_of_scene.h"

namespace pliant {

inline bool FollowsPlan(const BackendChoice& choice) {
  const auto found = choice.parameters.find("planned_jump");
  const bool* of_modes =
      found == choice.parameters.end() ? nullptr : std::get_if<bool>(&found->second);
  return (of_modes != nullptr && *of_modes) || articulated_lamp::AsksForPlan(choice.parameters);
}

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_CLAIMS_PLANNED_H_
