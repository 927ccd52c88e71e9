// Which bodies of a scene ride on proxies, and which are held where they start.

#ifndef PLIANT_SOLVERS_KINEMATIC_RESPONSE_RIDERS_H_
#define PLIANT_SOLVERS_KINEMATIC_RESPONSE_RIDERS_H_

#include <vector>

#include "models/scene/scene.h"

namespace pliant::kinematic_response {

// Whether a body rides on a proxy or is held in place.
enum class Rides { kWhenMoved, kAlways, kNever };

// The springs that hold a point at its initial position.
class FoundationSprings {
 public:
  explicit FoundationSprings(const Scene& scene);  // keeps a reference; O(points)
  bool Has(const Spring& spring) const;

 private:
  const Scene& scene_;
  Eigen::Matrix3Xd start_;  // 3×n, world [m]
  double extent_;           // of all points [m]
};

// By body. When moved: those that something in the scene would move and that no springs
// hold at their initial positions. Rigid bodies always ride.
std::vector<bool> WhoRides(const Scene& scene, Rides rides);

}  // namespace pliant::kinematic_response

#endif  // PLIANT_SOLVERS_KINEMATIC_RESPONSE_RIDERS_H_
