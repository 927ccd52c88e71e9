// The map of the frame of a surface to the world, near a point of the body that carries it.

#ifndef PLIANT_SOLVERS_KINEMATIC_RESPONSE_AFFINE_MAP_H_
#define PLIANT_SOLVERS_KINEMATIC_RESPONSE_AFFINE_MAP_H_

#include <Eigen/Core>

namespace pliant::kinematic_response {

// x = shift + linear y, y in the frame; or of ẋ, with the place y at rest in the frame.
struct AffineMap {
  Eigen::Vector3d shift;   // m or m/s
  Eigen::Matrix3d linear;  // 1 or 1/s

  Eigen::Vector3d operator()(const Eigen::Vector3d& y) const { return shift + linear * y; }
};

}  // namespace pliant::kinematic_response

#endif  // PLIANT_SOLVERS_KINEMATIC_RESPONSE_AFFINE_MAP_H_
