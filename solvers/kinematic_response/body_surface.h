// Bodies as multiresolution surfaces: sheets, tubes and tori, planar chains and rings,
// meshes.

#ifndef PLIANT_SOLVERS_KINEMATIC_RESPONSE_BODY_SURFACE_H_
#define PLIANT_SOLVERS_KINEMATIC_RESPONSE_BODY_SURFACE_H_

#include <string>

#include "models/kinematic_response/surface.h"
#include "models/scene/scene.h"

namespace pliant::kinematic_response {

// Why a body cannot be such a surface, whatever its size; empty when it can.
std::string WhyNoSurface(const Body& body, int dimension);
// Throws BadInput (where = "scene.body.NAME.points") when its grid cannot be halved.
void RequireHalves(const Body& body);

// Initial positions of the points of a body, 3×n, world [m].
Eigen::Matrix3Xd StartOf(const Body& body);

// Is it a sheet or a chain, which have borders? Measures of area and volume, layers and sharing are
// for these only.
bool HasBorders(const Body& body);

// The following functions require such a surface.
int LevelsOf(const Body& body);  // k + 1

// `points` (3×n) are the positions of the body at rest.
MultiresolutionSurface SurfaceOf(const Body& body, const Eigen::Matrix3Xd& points,
                                 Prolongation prolongation);

}  // namespace pliant::kinematic_response

#endif  // PLIANT_SOLVERS_KINEMATIC_RESPONSE_BODY_SURFACE_H_
