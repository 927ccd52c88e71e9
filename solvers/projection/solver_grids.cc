#include "solvers/projection/solver_grids.h"

#include <string>

#include "models/problem.h"

namespace pliant {
namespace {

void RequireLevels(const Body& body, int points, const LevelRequest& request) {
  const DyadicNeighbours nearest = NearestDyadic(points);
  if (nearest.below != points) {
    throw BadInput({request.parameter,
                    "body '" + body.name + "' has " + std::to_string(points) +
                        " points along a side, but several levels need 2^n + 1",
                    "give it " + std::to_string(nearest.below) + " or " +
                        std::to_string(nearest.above) + " points, or " + request.one});
  }
  const int most = *DyadicLevel(points) + 1;
  if (request.levels > most) {
    throw BadInput({request.parameter,
                    std::string(request.names) + " " + std::to_string(request.levels) +
                        " levels, but body '" + body.name + "' with " + std::to_string(points) +
                        " points along a side has " + std::to_string(most),
                    "give at most " + std::to_string(most) + " " + request.most});
  }
}

GridSize GridOf(const Body& body, const LevelRequest& request) {
  if (body.shape != ShapeKind::kChain && body.shape != ShapeKind::kSheet) {
    throw BadInput(
        {request.parameter,
         "body '" + body.name + "' is neither a chain nor a sheet and has one level only",
         std::string("give ") + request.one});
  }
  const GridSize grid{body.grid[0], body.grid[1]};
  RequireLevels(body, grid.nu, request);
  if (!grid.curve()) RequireLevels(body, grid.nv, request);
  return grid;
}

}  // namespace

std::vector<GridSize> GridsOf(const Scene& scene, const LevelRequest& request) {
  std::vector<GridSize> grids;
  for (const Body& body : scene.bodies) grids.push_back(GridOf(body, request));
  return grids;
}

std::vector<GridSize> SolverGrids(const Scene& scene, int levels) {
  if (levels == 1) return {};
  return GridsOf(
      scene, {"solver_levels", levels, "solver_levels asks for", "solver_levels = 1", "levels"});
}

}  // namespace pliant
