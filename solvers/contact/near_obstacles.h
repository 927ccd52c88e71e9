// Which points are near which obstacles, where there are many: pairs of overlapping boxes, found in
// a tree of the obstacles (models/collision/box_tree.h), in the order in which ForEachTouch() tries all.

#ifndef PLIANT_SOLVERS_CONTACT_NEAR_OBSTACLES_H_
#define PLIANT_SOLVERS_CONTACT_NEAR_OBSTACLES_H_

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <vector>

#include "models/collision/box_tree.h"
#include "models/scene/touch.h"

namespace pliant {

class NearObstacles {
 public:
  explicit NearObstacles(const std::vector<Obstacle>& obstacles);

  // Is it worth while? With fewer obstacles all are tried.
  bool many() const { return static_cast<int>(bounded_.size()) >= kMany; }

  // {obstacle, point} ascending, of the bounded obstacles: every pair that ForEachTouch() would call
  // near by its box, and none else. The origins are those of all obstacles, points position(0), …,
  // position(count − 1). O(obstacles + count log obstacles + pairs log pairs).
  template <typename Position>
  const std::vector<std::array<int, 2>>& Find(const std::vector<PathPoint>& origins, int count,
                                              double reach, const Position& position);

  // As ForEachTouch() of models/scene/touch.h for all obstacles at `time`.
  template <typename Visit>
  void ForEachTouch(const std::vector<Obstacle>& obstacles, double time, const PointsRef& x,
                    double reach, const Visit& visit);

 private:
  static constexpr int kMany = 16;
  std::vector<int> bounded_;  // numbers of the obstacles of the tree's parts
  std::vector<Eigen::AlignedBox3d> boxes_;
  BoxTree tree_;
  std::vector<PathPoint> origins_;  // scratch of ForEachTouch()
  std::vector<std::array<int, 2>> pairs_;
};

template <typename Position>
const std::vector<std::array<int, 2>>& NearObstacles::Find(const std::vector<PathPoint>& origins,
                                                           int count, double reach,
                                                           const Position& position) {
  tree_.Refit([&](int part) -> Bounds {
    const Eigen::Vector3d& origin = origins[bounded_[part]].position;
    // As in ForEachTouch().
    Eigen::AlignedBox3d box = boxes_[part];
    const double room = 1e-9 * (1.0 + box.diagonal().norm() + origin.norm());
    box.translate(origin);
    box.min().array() -= std::max(0.0, reach) + room;
    box.max().array() += std::max(0.0, reach) + room;
    return {box.min(), box.max()};
  });
  pairs_.clear();
  for (int i = 0; i < count; ++i) {
    const Eigen::Vector3d x = position(i);
    tree_.ForEachOverlap({x, x}, [&](int part) { pairs_.push_back({bounded_[part], i}); });
  }
  std::sort(pairs_.begin(), pairs_.end());
  return pairs_;
}

template <typename Visit>
void NearObstacles::ForEachTouch(const std::vector<Obstacle>& obstacles, double time,
                                 const PointsRef& x, double reach, const Visit& visit) {
  const auto position = [&x](int i) -> Eigen::Vector3d { return x.col(i); };
  const auto count = static_cast<int>(x.cols());
  origins_.clear();
  for (const Obstacle& obstacle : obstacles) origins_.push_back(obstacle.motion.At(time));
  Find(origins_, count, reach, position);
  auto pair = pairs_.begin();
  for (int o = 0; o < static_cast<int>(obstacles.size()); ++o) {
    if (PlaneOf(obstacles[o].shape) != nullptr) {
      pliant::ForEachTouch(obstacles[o], o, origins_[o], count, reach, position, visit);
      continue;
    }
    for (; pair != pairs_.end() && (*pair)[0] == o; ++pair) {
      const int i = (*pair)[1];
      const Eigen::Vector3d at = x.col(i);
      const Proximity near = SignedDistance(obstacles[o].shape, origins_[o].position, at);
      if (near.distance >= reach) continue;
      visit(Touch{o, i, near, at - origins_[o].position, origins_[o].velocity});
    }
  }
}

}  // namespace pliant

#endif  // PLIANT_SOLVERS_CONTACT_NEAR_OBSTACLES_H_
