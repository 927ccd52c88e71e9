#include "solvers/contact/obstacles_meet.h"

#include <algorithm>

#include "models/contact/surface_cells.h"

namespace pliant {

void BindObstacleContact(ObstaclesMeet* meet, ParameterBinder& binder) {
  // A plane meets the points of an edge before the edge.
  const auto bounded = [](const Scene& scene) {
    return std::any_of(scene.obstacles.begin(), scene.obstacles.end(),
                       [](const Obstacle& o) { return PlaneOf(o.shape) == nullptr; });
  };
  binder.OnlyWhen("the scene has an obstacle that is no plane", bounded, [&] {
    binder.Choice("obstacle_contact", meet,
                  {{"points", ObstaclesMeet::kPoints}, {"surface", ObstaclesMeet::kSurface}},
                  "what of a body meets obstacles: its points alone, between which smaller "
                  "obstacles pass, or its edges and faces too, where they are deepest");
  });
}

std::string WhatMeets(const Obstacle& obstacle, ObstaclesMeet meet) {
  if (PlaneOf(obstacle.shape) != nullptr) return "";
  return meet == ObstaclesMeet::kPoints ? "; points alone meet it"
                                        : "; edges and faces meet it too";
}

void WarnOfPassing(const Scene& scene, ObstaclesMeet meet, std::vector<std::string>* warnings) {
  if (meet == ObstaclesMeet::kSurface) return;
  const std::string what = WhatPassesBetweenPoints(scene);
  if (!what.empty()) {
    warnings->push_back(what +
                        ": write obstacle_contact = \"surface\" so that edges and faces meet it");
  }
}

void WarnOfPassingAnyPoints(const Scene& scene, std::vector<std::string>* warnings) {
  const std::string what = WhatPassesBetweenPoints(scene);
  if (what.empty()) return;
  warnings->push_back(what + ": here points alone meet obstacles; give the body more of them");
}

}  // namespace pliant
