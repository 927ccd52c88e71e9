// Meshes of quadratic Lagrange elements for solids and planar profiles.
//
// A body is given as cells whose corners are its points: triangles, tetrahedra or hexahedra. Each
// cell is divided into `refinement` parts along each edge, and every part becomes one element:
//
//   triangle 6      corners 0 1 2, middles of 01 12 20; counter-clockwise
//   triangle 7      the same and its middle: with the cubic bubble, where the volume hardly changes
//   tetrahedron 10  corners 0 1 2 3, middles of 01 12 20 03 13 23; positive volume
//   hexahedron 27   node i + 3 (j + 3 k) at (i, j, k)/2 of the unit cube, trilinear in the cell
//
// Simplices are divided as Kuhn's simplices of unit cubes are, with corners in the order of their
// numbers, so that neighbouring cells meet [Bey 2000].

#ifndef PLIANT_MODELS_FINITE_ELEMENTS_SOLID_MESH_H_
#define PLIANT_MODELS_FINITE_ELEMENTS_SOLID_MESH_H_

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <array>
#include <vector>

namespace pliant::finite_elements {

enum class ElementShape { kTriangle6, kTriangle7, kTetrahedron10, kHexahedron27 };
int NodesOf(ElementShape shape);
int DimensionOf(ElementShape shape);

struct SolidMesh {
  ElementShape shape = ElementShape::kHexahedron27;
  Eigen::Matrix3Xd nodes;                 // 3×m, body frame [m]
  Eigen::MatrixXi elements;               // a × count, nodes of each element
  Eigen::SparseMatrix<double> embedding;  // n×m: the n points that the cells were made of
  Eigen::SparseMatrix<double, Eigen::RowMajor> between;  // m×n: nodes = weights of points at rest
};

// Cells with 3, 4 or 8 corners each, numbers of points, in the order of Body::faces, tetrahedra and
// hexahedra. refinement ≥ 1. Every point must be a corner. O(elements log elements).
SolidMesh MeshOfCells(const Eigen::Matrix3Xd& points, const std::vector<std::array<int, 3>>& cells,
                      int refinement);
SolidMesh MeshOfCells(const Eigen::Matrix3Xd& points, const std::vector<std::array<int, 4>>& cells,
                      int refinement);
SolidMesh MeshOfCells(const Eigen::Matrix3Xd& points, const std::vector<std::array<int, 8>>& cells,
                      int refinement);

// Triangles of 6 nodes with a seventh in the middle of each.
SolidMesh WithMiddles(const SolidMesh& mesh);

// Shape functions N_i(ξ) and ∂N_i/∂ξ of an element; ξ in the unit cube or simplex.
struct ShapeFunctions {
  Eigen::VectorXd values;       // a
  Eigen::MatrixXd derivatives;  // d×a
};
ShapeFunctions ShapeFunctionsAt(ElementShape shape, const Eigen::VectorXd& xi);

// Σ weights f(points) ≈ ∫ f dξ over the unit cube or simplex.
struct ElementRule {
  Eigen::MatrixXd points;   // d × count
  Eigen::VectorXd weights;  // > 0
};
// For energies: full integration of linear elasticity where the element is affine (degree 2 for
// simplices, 4 for triangles with a bubble, 3 points along each axis of a cube).
ElementRule EnergyRule(ElementShape shape);
// For masses: exact where the element is affine (degree 4, with a bubble 6).
ElementRule MassRule(ElementShape shape);

}  // namespace pliant::finite_elements

#endif  // PLIANT_MODELS_FINITE_ELEMENTS_SOLID_MESH_H_
