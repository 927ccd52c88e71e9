// Two deformable surfaces in one place [Harrison 1994, Sec. 5.6]: each takes a share of the
// penetration by relative stiffness, surface a the share k_b/(k_a + k_b). The finest level would
// absorb whatever is left compliantly, so the displacement vectors are weighted by a step size and
// the step is repeated, without relaxation in between, until nothing penetrates.
//
// A vertex is inside another surface when the ray against its own normal leaves that surface
// through its front: two surfaces face each other, and have passed through each other.

#ifndef PLIANT_SOLVERS_RESPONSE_SHARING_H_
#define PLIANT_SOLVERS_RESPONSE_SHARING_H_

#include <Eigen/Core>

#include "models/geometry/grid_hierarchy.h"

namespace pliant {

// How far [m] from `x` along the unit vector `direction` the ray first leaves `surface` through its
// front; infinite when it does not. O(cells).
double ExitThroughFront(const GridSize& grid, const GridVectors& surface, const Eigen::Vector3d& x,
                        const Eigen::Vector3d& direction);

// Displacement vectors that take the vertices of one surface out of another, times `share`; longer
// than `shortest` [m], others zero. Returns the longest without the share [m]. O(vertices · cells),
// only for vertices within the bounding box of the other.
double CastAgainstSurface(const GridSize& grid, const GridVectors& surface, const GridSize& other,
                          const GridVectors& other_surface, double share, double shortest,
                          GridVectors* displacements);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_RESPONSE_SHARING_H_
