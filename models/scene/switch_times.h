// The times at which something in a scene begins, ends, or changes its law: there the right-hand side of the
// equations of motion, or one of its derivatives, jumps. A step across such a time would lose the order of its
// scheme, so that simulations divide their steps there (solvers/simulation.h).

#ifndef PLIANT_MODELS_SCENE_SWITCH_TIMES_H_
#define PLIANT_MODELS_SCENE_SWITCH_TIMES_H_

#include <vector>

#include "models/scene/scene.h"

namespace pliant {

// Ascending, each once, all > 0 and finite [s]: begins and ends of timed forces, holds, prerolls and morphs, keys of
// the paths of nails, combinations and obstacles, and the times of impulses.
std::vector<double> SwitchTimes(const Scene& scene);

// A switch time this close to the begin or end of a step, as a part of the step, is there: both are
// sums of rounded numbers.
inline constexpr double kSameSwitchTime = 1e-9;

}  // namespace pliant

#endif  // PLIANT_MODELS_SCENE_SWITCH_TIMES_H_
