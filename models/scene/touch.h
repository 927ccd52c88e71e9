// Which points are within reach of which obstacles at one time: for all methods that treat contact
// point by point.

#ifndef PLIANT_MODELS_SCENE_TOUCH_H_
#define PLIANT_MODELS_SCENE_TOUCH_H_

#include <Eigen/Core>
#include <cmath>
#include <vector>

#include "models/scene/forces.h"
#include "models/scene/obstacle.h"

namespace pliant {

// A point within reach of an obstacle, at one time.
struct Touch {
  int obstacle, point;
  Proximity at;
  Eigen::Vector3d offset;    // from the origin of the obstacle [m]
  Eigen::Vector3d velocity;  // of the obstacle [m/s]
};

// Calls `visit` with the touch of each point nearer than `reach` [m] to the obstacle of this number,
// whose origin is at `origin`; below 0, deeper inside than −reach. The points are
// position(0), …, position(count − 1), in this order. O(count); what is outside the obstacle's box
// costs six comparisons.
template <typename Position, typename Visit>
void ForEachTouch(const Obstacle& obstacle, int number, const PathPoint& origin, int count,
                  double reach, const Position& position, const Visit& visit) {
  const bool bounded = PlaneOf(obstacle.shape) == nullptr;
  Eigen::AlignedBox3d box;
  if (bounded) {
    // The box is enlarged by rounding, so that a distance that is less than `reach` only by
    // rounding counts.
    box = BoundsOf(obstacle.shape).box;
    const double room = 1e-9 * (1.0 + box.diagonal().norm() + origin.position.norm());
    box.translate(origin.position);
    box.min().array() -= std::max(0.0, reach) + room;
    box.max().array() += std::max(0.0, reach) + room;
  }
  for (int i = 0; i < count; ++i) {
    const Eigen::Vector3d x = position(i);
    if (bounded && ((x.array() < box.min().array()) || (x.array() > box.max().array())).any()) {
      continue;
    }
    const Proximity at = SignedDistance(obstacle.shape, origin.position, x);
    if (at.distance >= reach) continue;
    visit(Touch{number, i, at, x - origin.position, origin.velocity});
  }
}

// The same for each obstacle in turn, where it is at `time`, and the columns of x (3×n).
template <typename Visit>
void ForEachTouch(const std::vector<Obstacle>& obstacles, double time, const PointsRef& x,
                  double reach, const Visit& visit) {
  for (int o = 0; o < static_cast<int>(obstacles.size()); ++o) {
    ForEachTouch(
        obstacles[o], o, obstacles[o].motion.At(time), static_cast<int>(x.cols()), reach,
        [&x](int i) -> Eigen::Vector3d { return x.col(i); }, visit);
  }
}

}  // namespace pliant

#endif  // PLIANT_MODELS_SCENE_TOUCH_H_
