// The phases of a step of the response, for whoever wants to see each [Harrison 1994, Fig. 4.1].

#include "solvers/response/response_simulation.h"

namespace pliant {
namespace {

using Eigen::Matrix3Xd;

// The edges of a grid, ends in twos.
Matrix3Xd EdgesOf(const GridSize& grid, const GridVectors& points) {
  std::vector<int> ends;
  for (int v = 0; v < grid.nv; ++v) {
    for (int u = 0; u < grid.nu; ++u) {
      if (u + 1 < grid.nu || grid.wraps_u) {
        ends.insert(ends.end(), {grid.Index(u, v), grid.Index((u + 1) % grid.nu, v)});
      }
      if (v + 1 < grid.nv || grid.wraps_v) {
        ends.insert(ends.end(), {grid.Index(u, v), grid.Index(u, (v + 1) % grid.nv)});
      }
    }
  }
  return points(ends, Eigen::all).transpose();
}

}  // namespace

// Vectors go down from the finest level, the surface is built from the coarsest.
void ResponseSimulation::Show(Phase phase, const Surface& surface) const {
  const int finest = surface.response.model().levels() - 1;
  if (phase == Phase::kRelaxed || phase == Phase::kCast) {
    ShowLevel(phase, surface, finest);
  } else if (phase == Phase::kRestricted) {
    for (int level = finest - 1; level >= 0; --level) ShowLevel(phase, surface, level);
  } else {
    for (int level = 0; level <= finest; ++level) ShowLevel(phase, surface, level);
  }
}

void ResponseSimulation::ShowLevel(Phase phase, const Surface& surface, int level) const {
  const CollisionResponse& response = surface.response;
  const auto place = static_cast<size_t>(level);
  StepPicture picture;
  if (scene().bodies.size() > 1) {
    picture.phase = "'" + scene().bodies[static_cast<size_t>(surface.body)].name + "': ";
  }
  static constexpr const char* kWords[] = {"relaxed", "displacements cast on level ",
                                           "displacements restricted to level ",
                                           "deformed, level "};
  picture.phase += kWords[static_cast<size_t>(phase)];
  if (phase != Phase::kRelaxed) picture.phase += std::to_string(level);

  picture.points.resize(3, scene().PointCount());
  for (const Surface& each : surfaces_) PlacePoints(each, &picture.points);
  for (const RidingBody& rider : riders_) {
    rider.PlacePoints(picture.points.middleCols(rider.first_point(), rider.size()));
  }
  const GridVectors& at = response.levels()[place];
  if (phase == Phase::kCast || phase == Phase::kRestricted) {
    const GridVectors& d = response.level_displacements()[place];
    std::vector<int> pressed;
    for (int i = 0; i < d.rows(); ++i) {
      if (d.row(i).norm() > response.shortest_displacement()) pressed.push_back(i);
    }
    picture.origins = at(pressed, Eigen::all).transpose();
    picture.vectors = d(pressed, Eigen::all).transpose();
    picture.unit = "m";
  }
  const GridSize& grid = response.model().grid(level);
  const bool coarse = level + 1 < response.model().levels();
  if (coarse && grid.size() == at.rows() && !response.model().is_mesh()) {
    picture.pieces = EdgesOf(grid, at);
  }
  viewer_(picture);
}

}  // namespace pliant
