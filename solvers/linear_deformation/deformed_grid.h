// The display of a linear deformation x = R p: deformed lines of the material, or the control
// points in the columns of R.

#ifndef PLIANT_SOLVERS_LINEAR_DEFORMATION_DEFORMED_GRID_H_
#define PLIANT_SOLVERS_LINEAR_DEFORMATION_DEFORMED_GRID_H_

#include <Eigen/Core>

#include "models/linear_deformation/linear_body.h"
#include "solvers/simulation.h"

namespace pliant::linear_deformation {

// Adds, of a body at R (flattened by rows) in the world [m]:
//   polynomial   the box of its points in material coordinates, with the lines through the middle
//                of each axis, as the deformation bends them
//   bernstein    the control points, joined along each axis
void AddDeformedGrid(const LinearBody& body, const Eigen::Ref<const Eigen::VectorXd>& R,
                     MethodPieces* pieces);

}  // namespace pliant::linear_deformation

#endif  // PLIANT_SOLVERS_LINEAR_DEFORMATION_DEFORMED_GRID_H_
