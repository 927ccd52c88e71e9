// Two deformable surfaces that penetrate each other [Harrison 1994, Sec. 5.6]: each takes a share
// of the penetration by relative stiffness, surface a the share k_b/(k_a + k_b). The finest level
// would absorb the whole rest compliantly, so the displacement vectors are weighted by a step
// size and the step is repeated, without relaxation in between, until nothing penetrates.
// Stiffness may vary over a surface: that of the other is the mean of the element where the ray
// leaves it.
//
// A vertex is inside another surface when the ray against its own normal leaves that surface
// through its front before it enters there: two surfaces face each other, and have passed through
// each other.

#ifndef PLIANT_SOLVERS_KINEMATIC_RESPONSE_SHARING_H_
#define PLIANT_SOLVERS_KINEMATIC_RESPONSE_SHARING_H_

#include <Eigen/Core>

#include "solvers/kinematic_response/kinematic_response.h"
#include "solvers/kinematic_response/surface_rays.h"

namespace pliant::kinematic_response {

// How far [m] from `x` along the unit vector `direction` the ray first leaves the surface through
// its front; infinite when it enters there before, or never meets it. `crossings` is room to work
// in.
double ExitThroughFront(const SurfaceRays& surface, const Eigen::Vector3d& x,
                        const Eigen::Vector3d& direction,
                        std::vector<SurfaceRays::Crossing>* crossings);

// Displacement vectors that move the vertices of `response`->surface() out of another, times its
// share and `step_size`, where they are longer than those already there. `own` and `others` are the
// relative stiffnesses of the vertices of the two. Returns the longest whole displacement [m].
// O(vertices · log elements), only for vertices near the bounding box of the other.
double CastAgainstSurface(const SurfaceRays& other, double step_size, const Eigen::VectorXd& own,
                          const Eigen::VectorXd& others, KinematicResponse* response,
                          std::vector<SurfaceRays::Crossing>* crossings);

}  // namespace pliant::kinematic_response

#endif  // PLIANT_SOLVERS_KINEMATIC_RESPONSE_SHARING_H_
