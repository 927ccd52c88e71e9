// The cells of a body and their strain, for display and export.
//
// Of a cell with corners X_i in the rest shape and x_i in the world, N_i its shape functions (linear
// on edges, triangles and tetrahedra, trilinear on hexahedra) at the middle of the cell, ξ its d
// coordinates:
//
//   dX = Σ X_i ∂N_i/∂ξ,  dx = Σ x_i ∂N_i/∂ξ                      3×d
//   E  = ½ dX⁺ᵀ (dxᵀ dx − dXᵀ dX) dX⁺,  dX⁺ = (dXᵀ dX)⁻¹ dXᵀ      Green's strain, in the body frame
//
// For d = 3 that is ½ (Fᵀ F − 1). In a surface or a line E is the strain along it, without parts
// across: a motion x = A X has E = P ½ (Aᵀ A − 1) P, with P the projection onto the cell.

#ifndef PLIANT_MODELS_SCENE_BODY_STRAIN_H_
#define PLIANT_MODELS_SCENE_BODY_STRAIN_H_

#include <Eigen/Core>
#include <array>
#include <vector>

#include "models/scene/forces.h"
#include "models/scene/scene.h"

namespace pliant {

// 2, 3, 4 or 8 points of a body: an edge, a triangle, a tetrahedron or a hexahedron.
struct BodyCell {
  int size = 0;
  std::array<int, 8> corners = {};  // in the order of Body's lists
};

// The cells that the body consists of: tetrahedra and hexahedra where it has some, else faces,
// else edges; none for single points.
std::vector<BodyCell> CellsOf(const Body& body);

// F = dx dX⁻¹ of a tetrahedron or hexahedron at its middle, from the body frame to the world, with the points of the body at
// x (3×n [m]); NaN where its rest shape has no extent.
Eigen::Matrix3d DeformationOf(const Body& body, const BodyCell& cell, const PointsRef& x);

// xx, yy, zz, xy, yz and xz of E of each cell with the points of the body at x (3×n [m]): 6×cells.
// NaN for cells whose rest shape has no extent.
Eigen::MatrixXd CellStrains(const Body& body, const std::vector<BodyCell>& cells,
                            const PointsRef& x);

// At each point the mean of its cells, weighted by their size at rest: 6×n. NaN where there is no
// cell.
Eigen::MatrixXd PointStrains(const Body& body, const std::vector<BodyCell>& cells,
                             const Eigen::MatrixXd& strains);

}  // namespace pliant

#endif  // PLIANT_MODELS_SCENE_BODY_STRAIN_H_
