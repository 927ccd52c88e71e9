// An articulated skeleton inside a surface [Harrison 1994, Sec. 5.6, Ch. 6]: bones, each a capsule
// about the segment from its start to its end, turn about their starts and carry their child
// bones.
//
//   x = T_b X,   T_b = T_parent(b) · (turn by θ_b(t) about the axis through the start of b)
//
// X is the position of a point at rest, θ = 0. A point of the surface is bound rigidly to the bone
// that is nearest at rest.

#ifndef PLIANT_MODELS_KINEMATIC_RESPONSE_SKELETON_H_
#define PLIANT_MODELS_KINEMATIC_RESPONSE_SKELETON_H_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <string>
#include <vector>

#include "models/geometry/path.h"

namespace pliant::kinematic_response {

struct Bone {
  std::string name;
  int parent = -1;  // comes before it; −1: none
  Eigen::Vector3d start = Eigen::Vector3d::Zero();
  Eigen::Vector3d end = Eigen::Vector3d::Zero();      // world, at rest [m]
  double radius = 0.0;                                // m
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();    // unit, at rest
  Path angle = Path::Still(Eigen::Vector3d::Zero());  // θ [rad] in its first coordinate
};

class Skeleton {
 public:
  explicit Skeleton(std::vector<Bone> bones);

  const std::vector<Bone>& bones() const { return bones_; }
  int size() const { return static_cast<int>(bones_.size()); }

  // Distance of `x` from a bone, both at rest [m]; < 0 inside.
  double Distance(int bone, const Eigen::Vector3d& x) const;
  // The nearest bone to `x`, both at rest; the first of several.
  int Nearest(const Eigen::Vector3d& x) const;

  // T of each bone at `time`. O(bones).
  void Place(double time, std::vector<Eigen::Isometry3d>* pose) const;

 private:
  std::vector<Bone> bones_;
};

}  // namespace pliant::kinematic_response

#endif  // PLIANT_MODELS_KINEMATIC_RESPONSE_SKELETON_H_
