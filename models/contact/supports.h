// Where is a part deepest in a convex shape? Shared by the measures of depth (clearance.h) and by the
// contact of edges and faces (surface_cells.h, excess.h).
//
// A tilt adds a number to each corner: the place is then where
//   min over weights w of  distance(Σ w_j x_j) + Σ w_j tilt_j
// is met. All of it in closed form, or for polyhedra by a linear program that ends.

#ifndef PLIANT_MODELS_CONTACT_SUPPORTS_H_
#define PLIANT_MODELS_CONTACT_SUPPORTS_H_

#include <Eigen/Core>

#include "models/contact/clearance.h"
#include "models/scene/obstacle.h"

namespace pliant {

// The clearance of a part, and a plane that supports it: wherever its corners are, the distance is
// at least min_j normal·x_j − offset, and here it is equal to that. Of polyhedra the normal is the
// mean of those of the planes that meet at the place, by their shares; shorter than 1 at their edges.
struct Supported {
  Clearance clearance;  // with the tilt, if any
  Eigen::Vector3d normal = Eigen::Vector3d::UnitY();
  double offset = 0.0;  // m
};

// Of corners relative to the origin of the shape.
Supported InPlane(const Plane& plane, const PartCorners& x);
Supported InSphere(const Sphere& sphere, const PartCorners& x);
Supported InCapsule(const Capsule& capsule, const PartCorners& x);
Supported InBox(const Box& box, const PartCorners& x,
                const Eigen::Vector3d& tilt = Eigen::Vector3d::Zero());
Supported InPiece(const ConvexPiece& piece, const PartCorners& x,
                  const Eigen::Vector3d& tilt = Eigen::Vector3d::Zero());

// The same of round shapes with a tilt: the place minimises √(ρ² + t²) + m t along a line at the
// distance ρ from the centre (or, in its projection, from the axis), at t = −m ρ/√(1 − m²); in a
// plane likewise along the gradient of the tilt. What is least of these, their ends and the ends of
// the axis is the minimum, since the sum is convex.
Supported InTilted(const Sphere& sphere, const PartCorners& x, const Eigen::Vector3d& tilt);
Supported InTilted(const Capsule& capsule, const PartCorners& x, const Eigen::Vector3d& tilt);

// Of any shape whose origin is at `origin`: in the piece of a solid where the part is deepest. The
// offset counts from the origin.
Supported SupportIn(const ObstacleShape& shape, const Eigen::Vector3d& origin,
                    const PartCorners& corners);

}  // namespace pliant

#endif  // PLIANT_MODELS_CONTACT_SUPPORTS_H_
