// Obstacles: planes, spheres, boxes, capsules and solids of convex pieces. They do not respond to
// contact; they are at rest or move along a path without turning.

#ifndef PLIANT_MODELS_SCENE_OBSTACLE_H_
#define PLIANT_MODELS_SCENE_OBSTACLE_H_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <string>
#include <variant>
#include <vector>

#include "models/geometry/convex.h"
#include "models/geometry/path.h"

namespace pliant {

// The solid half space {x : normal·(x − origin) ≤ 0}; `normal` is a unit vector.
struct Plane {
  Eigen::Vector3d normal = Eigen::Vector3d::UnitY();
};
struct Sphere {
  double radius = 0.5;  // m
};
// Axes of the box are the columns of `axes` (a rotation).
struct Box {
  Eigen::Vector3d half_size = Eigen::Vector3d::Constant(0.5);  // m
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();
};
// All points within `radius` of the segment origin ± half_axis.
struct Capsule {
  Eigen::Vector3d half_axis = 0.5 * Eigen::Vector3d::UnitY();  // m
  double radius = 0.25;                                        // m
};

// The union of convex polyhedra; vertices are relative to the origin.
struct Solid {
  std::vector<ConvexPiece> pieces;  // at least one
};

using ObstacleShape = std::variant<Plane, Sphere, Box, Capsule, Solid>;

// One function for each alternative of a variant, for std::visit. Code that depends on the shape
// visits it with one case per shape, so that it does not compile when a new shape is added.
template <typename... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <typename... Cases>
Overloaded(Cases...)
    -> Overloaded<Cases...>;  // what C++20 deduces by itself, but not every compiler

struct Obstacle {
  std::string name;
  ObstacleShape shape;
  Path motion = Path::Still(Eigen::Vector3d::Zero());  // origin of the shape [m, s]
  double friction = 0.0;                               // Coulomb coefficient μ ≥ 0
  double restitution = 0.0;  // speed after over speed before a bounce, in [0, 1]
};

// Position of a point relative to an obstacle: `distance` [m] < 0 inside; `normal` points outwards,
// is unit and is the gradient of the distance.
struct Proximity {
  double distance;
  Eigen::Vector3d normal;
};

// Signed distance of world point `x` to `shape` whose origin is at `origin`. O(1); O(triangles) for
// a solid, inside of which it is the depth in the piece where `x` is deepest.
Proximity SignedDistance(const ObstacleShape& shape, const Eigen::Vector3d& origin,
                         const Eigen::Vector3d& x);

// How far [m] `x` must move along the unit vector `direction` to leave the shape; 0 when outside.
// Infinite for a plane whose normal does not point along `direction`. A ray from inside a solid is
// followed to where it leaves the last of the pieces it meets, across gaps between them.
double ExitDistance(const ObstacleShape& shape, const Eigen::Vector3d& origin,
                    const Eigen::Vector3d& x, const Eigen::Vector3d& direction);

// The plane, or null: all other shapes are bounded.
const Plane* PlaneOf(const ObstacleShape& shape);

// A box and a ball that contain a shape, relative to its origin; all of space for a plane.
struct ShapeBounds {
  Eigen::AlignedBox3d box;  // along the world axes [m]
  double radius;            // of a ball around the middle of the box [m]
};
ShapeBounds BoundsOf(const ObstacleShape& shape);

// Half the smallest extent of a shape [m]; infinite for a plane. Of a solid, that of its thinnest
// piece: half the distance between the closest pair of parallel planes that touch it, one of them
// along a face.
double HalfThickness(const ObstacleShape& shape);

// Balls of which a shape is the convex hull (of a solid, the convex hull of all pieces), relative to
// its origin; none for a plane.
struct Ball {
  Eigen::Vector3d centre;
  double radius = 0.0;  // m
};
std::vector<Ball> HullOf(const ObstacleShape& shape);

}  // namespace pliant

#endif  // PLIANT_MODELS_SCENE_OBSTACLE_H_
