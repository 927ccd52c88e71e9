// Sides of the elements of a solid or a profile: those on its boundary, and those between its cells.

#ifndef PLIANT_MODELS_FINITE_ELEMENTS_BOUNDARY_H_
#define PLIANT_MODELS_FINITE_ELEMENTS_BOUNDARY_H_

#include <Eigen/Core>
#include <array>
#include <set>
#include <vector>

#include "models/finite_elements/solid_mesh.h"

namespace pliant::finite_elements {

// A side of an element: 9 nodes of a hexahedron (i + 3 j at σ = (i, j)/2), 6 of a tetrahedron (corners
// and middles as of a triangle), 3 of a triangle in their order along it.
struct SideShape {
  std::vector<int> nodes;      // numbers within the element
  bool inwards = false;        // does the first direction × the second point into the element?
  Eigen::VectorXd origin;      // ξ = origin + directions · σ, σ in the unit square or triangle,
  Eigen::MatrixXd directions;  // d×(d−1), or in 0 … 1
};
std::vector<SideShape> SidesOf(ElementShape shape);

// The sides that belong to one element only, in the order of the elements: {element, side}.
// O(elements log elements).
using BoundaryPlaces = std::vector<std::array<int, 2>>;
BoundaryPlaces BoundaryOf(const SolidMesh& mesh);

// The points that these nodes lie between.
std::set<int> CornersOf(const Eigen::SparseMatrix<double, Eigen::RowMajor>& between,
                        const std::vector<int>& nodes);

// The sides that lie on a side of a cell between two cells, once each: no node of theirs is inside a cell.
// O(elements log elements).
BoundaryPlaces SidesBetweenCells(const SolidMesh& mesh);

// One of them, with ∫ N_i N_j over it: dA [m²], of profiles dL [m]; exact where it is flat and its nodes are
// even.
struct BoundarySide {
  std::vector<int> nodes;  // of the mesh
  Eigen::MatrixXd products;
};
std::vector<BoundarySide> BoundarySidesOf(const SolidMesh& mesh, const BoundaryPlaces& boundary);

}  // namespace pliant::finite_elements

#endif  // PLIANT_MODELS_FINITE_ELEMENTS_BOUNDARY_H_
