#include "solvers/contact/near_obstacles.h"

namespace pliant {

NearObstacles::NearObstacles(const std::vector<Obstacle>& obstacles) {
  std::vector<Bounds> bounds;
  for (int o = 0; o < static_cast<int>(obstacles.size()); ++o) {
    if (PlaneOf(obstacles[o].shape) != nullptr) continue;
    bounded_.push_back(o);
    boxes_.push_back(BoundsOf(obstacles[o].shape).box);
    const Eigen::Vector3d origin = obstacles[o].motion.At(0.0).position;
    bounds.push_back({boxes_.back().min() + origin, boxes_.back().max() + origin});
  }
  if (many()) tree_ = BoxTree(bounds);
}

}  // namespace pliant
