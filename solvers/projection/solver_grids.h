// The grids formed by the points of a scene, for methods with several levels.

#ifndef PLIANT_SOLVERS_PROJECTION_SOLVER_GRIDS_H_
#define PLIANT_SOLVERS_PROJECTION_SOLVER_GRIDS_H_

#include <vector>

#include "models/geometry/grid_hierarchy.h"
#include "models/scene/scene.h"

namespace pliant {

// The parameter that requests levels, and the wording of its messages.
struct LevelRequest {
  const char* parameter;
  int levels;
  const char* names;  // "force_fractions names"
  const char* one;    // how to ask for a single level
  const char* most;   // "fractions"
};

// The finest grid of each body. Throws BadInput (where = the parameter) for a body that does not
// have that many levels, and names the sizes that would do. A side of 2^k + 1 points has k + 1
// levels, down to 2 points.
std::vector<GridSize> GridsOf(const Scene& scene, const LevelRequest& request);

// The same for sweeps through `levels` levels (`solver_levels`); empty for one.
std::vector<GridSize> SolverGrids(const Scene& scene, int levels);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_PROJECTION_SOLVER_GRIDS_H_
