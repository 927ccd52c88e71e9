// The part of a motion that is rigid.

#ifndef PLIANT_MODELS_SCENE_RIGID_MOTION_H_
#define PLIANT_MODELS_SCENE_RIGID_MOTION_H_

#include <Eigen/Core>
#include <optional>

#include "models/scene/forces.h"
#include "models/scene/scene.h"

namespace pliant {

// Inertia [kg m²] of masses [kg] at 3×n `arms` [m] from the point it is about: Σ m (r·r − r rᵀ).
Eigen::Matrix3d InertiaOf(const Eigen::Ref<const Eigen::VectorXd>& masses, const PointsRef& arms);

// The rotation R that makes Σ m |x − R p|² least, for 3×n `rest` and `now` about their centres of
// mass: the eigenvector of Davenport's matrix with the largest eigenvalue, as a unit quaternion. Where
// several are as good, as of points on a line, the one with the smallest angle.
Eigen::Matrix3d BestRotation(const Eigen::VectorXd& masses, const PointsRef& rest,
                             const PointsRef& now);

// The distance of points x from points y, 3×n over all bodies of the scene, root mean square over the
// mass [m]: of all points; of the bodies' shapes alone, after the rigid motion of each body that brings
// its y nearest to its x; and of the places alone, the distance by which these motions move y. Small
// rotations apart, points² = shape² + placement². O(n).
struct DistanceParts {
  double points = 0.0, shape = 0.0, placement = 0.0;
};
DistanceParts PartsOfDistance(const Scene& scene, const PointsRef& x, const PointsRef& y);

// Kinetic energy [J] of the rigid motion with the linear and angular momentum that the points have:
// of all rigid motions the one nearest to theirs in the metric of the masses. Masses [kg] and 3×n
// positions [m] and velocities [m/s] of one body.
double RigidKineticEnergy(const Eigen::Ref<const Eigen::VectorXd>& masses, const PointsRef& x,
                          const PointsRef& v);

// Share of the kinetic energy that the best rigid motion of each body has: 1 for bodies that move
// rigidly, near 0 where a part of a body moves and the rest does not. Not defined at rest.
std::optional<double> RigidShare(const Scene& scene, const PointsRef& x, const PointsRef& v);

}  // namespace pliant

#endif  // PLIANT_MODELS_SCENE_RIGID_MOTION_H_
