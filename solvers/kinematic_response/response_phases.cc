// The phases of a step of the response, for display [Harrison 1994, Fig. 4.1].

#include "solvers/kinematic_response/kinematic_response_simulation.h"

namespace pliant::kinematic_response {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::Vector3d;

// Vectors go down from the finest level, the surface is built from the coarsest.
void KinematicResponseSimulation::Show(Phase phase, const Surface& surface) const {
  const int finest = surface.response.model().levels() - 1;
  if (phase == Phase::kRelaxed || phase == Phase::kCast) {
    ShowLevel(phase, surface, finest);
  } else if (phase == Phase::kRestricted) {
    for (int level = finest - 1; level >= 0; --level) ShowLevel(phase, surface, level);
  } else {
    for (int level = 0; level <= finest; ++level) ShowLevel(phase, surface, level);
  }
}

void KinematicResponseSimulation::ShowLevel(Phase phase, const Surface& surface, int level) const {
  const KinematicResponse& response = surface.response;
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
  if (level + 1 < response.model().levels()) {
    MethodPieces edges;
    edges.Add(at.transpose(), response.model().Edges(level));
    picture.pieces = std::move(edges.ends);
  }
  viewer_(picture);
}

// The finest level is the surface itself, which is displayed anyway.
std::vector<MethodPieces> KinematicResponseSimulation::Pieces() const {
  std::vector<MethodPieces> pieces;
  auto add = [&](const KinematicResponse& response, const AffineMap& map) {
    for (int level = 0; level + 1 < response.model().levels(); ++level) {
      const auto place = static_cast<size_t>(level);
      if (place == pieces.size()) pieces.push_back({"level " + std::to_string(level), {}});
      const Matrix3Xd at = map.linear * response.levels()[place].transpose();
      pieces[place].Add(at.colwise() + map.shift, response.model().Edges(level));
    }
  };
  const AffineMap here{Vector3d::Zero(), Matrix3d::Identity()};
  for (const Surface& surface : surfaces_) add(surface.response, here);
  for (const RidingBody& rider : riders_) {
    // A carrier that bends has maps for material points alone.
    if (!rider.carrier().bends()) add(rider.response(), rider.carrier().MapAt(0));
  }
  return pieces;
}

}  // namespace pliant::kinematic_response
