// The augmented Lagrangian on one mesh: what most tests of jumps solve with.

#ifndef PLIANT_TESTS_SOLVERS_SPACETIME_ON_MESH_H_
#define PLIANT_TESTS_SOLVERS_SPACETIME_ON_MESH_H_

#include "solvers/spacetime/lamp_jump.h"

namespace pliant {

// `step` [s].
inline LampJumpOptions OnMesh(double step) {
  LampJumpOptions options;
  options.step = step;
  options.strategy = SpacetimeStrategy::kAugmentedLagrangian;
  return options;
}

}  // namespace pliant

#endif  // PLIANT_TESTS_SOLVERS_SPACETIME_ON_MESH_H_
