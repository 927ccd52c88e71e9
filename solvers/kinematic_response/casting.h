// Displacement vectors: how the vertices of a surface must move to leave the obstacles [Harrison
// 1994, Secs. 4.2.1–4.2.2]. Casting is an input of the method and not part of it.
//
// A vertex inside an obstacle is cast along a ray to where the ray leaves it. Without friction the
// ray goes into the surface, against its normal n; with friction f it leans towards the relative
// motion m of the obstacle (unit vector), and with f = 1 the obstacle pushes the surface along:
//
//   g ∝ (1 − f)(−n) + f m
//
// Choices where the source is silent:
// * f is the scene's coefficient, at most 1. It is a direction weight, not Coulomb's μ.
// * Nothing carries the surface itself, so relative motion is the motion of the obstacle.
// * An obstacle that retreats (m·n > 0) does not pull: only the part of m along the surface counts.
// * An obstacle at rest pushes in the direction of its last push; before it ever moved, along −n.
// * Where the ray never leaves (a plane it runs into or along) or n is undefined, the nearest way
//   out is taken.
// * Of several obstacles the longest vector is kept, of equally long ones the first. A concave
//   object is a solid of convex pieces: the longest of the ways out of these is taken, across gaps
//   between them, and the surface passes below the whole object and not through it.
//
// The source asks for minimal displacement vectors and calls the ray one method to find them (Secs.
// 4.2.1–4.2.2). CastingRule::kNearest, the default, is another: the nearest way out, without a
// direction. It does not run through the object beside a fold, and goes back out of one that is
// half-way through.
//
// The ray goes along −n also when the obstacle came from the back of the surface: it is then drawn
// through the obstacle to its far side, and with the default restriction of the source it is thrown
// about. The response of CastingRule::kNearest to the mirror image is the mirror image.

#ifndef PLIANT_SOLVERS_KINEMATIC_RESPONSE_CASTING_H_
#define PLIANT_SOLVERS_KINEMATIC_RESPONSE_CASTING_H_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <span>
#include <vector>

#include "models/geometry/grid_hierarchy.h"
#include "models/scene/obstacle.h"
#include "solvers/kinematic_response/kinematic_response.h"

namespace pliant::kinematic_response {

// An obstacle at one time. The shape must outlive it.
struct CastObstacle {
  const ObstacleShape* shape = nullptr;
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();  // m
  Eigen::Vector3d motion = Eigen::Vector3d::Zero();  // unit vector, or zero if it never moved
  double friction = 0.0;                             // f in [0, 1]
  CastingRule rule = CastingRule::kRay;
};

// g above: a unit vector, or zero where neither `normal` nor `motion` gives a direction.
Eigen::Vector3d CastDirection(const Eigen::Vector3d& normal, const Eigen::Vector3d& motion,
                              double friction);

// The vector [m] that moves `x`, where the surface has this normal, out of the obstacle; zero if
// `x` is outside. O(1).
Eigen::Vector3d DisplacementVector(const CastObstacle& obstacle, const Eigen::Vector3d& x,
                                   const Eigen::Vector3d& normal);

// Displacement vectors of all vertices of `surface`; those not longer than `shortest` [m] are zero.
// O(vertices · obstacles), cheap for vertices outside the obstacles' bounding boxes.
void CastDisplacements(std::span<const CastObstacle> obstacles, const GridSize& grid,
                       const GridVectors& surface, double shortest, GridVectors* displacements);

// The same, from response->relaxed() to its displacement vectors; tests only strips whose box meets
// that of an obstacle. O(strips + vertices near obstacles).
void CastDisplacements(std::span<const CastObstacle> obstacles, KinematicResponse* response);

// Boxes outside of which no obstacle casts, one for each [m]; infinite for a plane.
void ReachesOf(std::span<const CastObstacle> obstacles, std::vector<Eigen::AlignedBox3d>* reaches);

// Number of pieces in which the path of a moving object is measured within a step.
inline constexpr int kWaySamples = 8;

// Length of the path of an obstacle in [begin, end] [m].
double WayOf(const Path& motion, double begin, double end);

}  // namespace pliant::kinematic_response

#endif  // PLIANT_SOLVERS_KINEMATIC_RESPONSE_CASTING_H_
