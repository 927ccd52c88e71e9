// What of a scene decides its motion.

#ifndef PLIANT_EXPERIMENTS_BUNDLES_SCENE_THAT_MOVES_H_
#define PLIANT_EXPERIMENTS_BUNDLES_SCENE_THAT_MOVES_H_

#include "experiments/files/experiment.h"

namespace pliant {

// The table [scene] of the experiment without its name, title and description, and without the marks that no other value
// of it names; all marks stay where the scene has behaviours, whose scripts may name them.
FileValue SceneThatMoves(const Experiment& experiment);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_BUNDLES_SCENE_THAT_MOVES_H_
