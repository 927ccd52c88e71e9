#include "models/finite_elements/boundary.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "models/geometry/quadrature.h"

namespace pliant::finite_elements {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

// The middle of two corners of a simplex, as in solid_mesh.h.
int MiddleOf(int i, int j) {
  constexpr std::array<std::array<int, 4>, 4> kNumber = {
      {{-1, 0, 2, 3}, {0, -1, 1, 4}, {2, 1, -1, 5}, {3, 4, 5, -1}}};
  return kNumber[i][j];
}

// ξ of a corner of the unit simplex.
VectorXd CornerOfSimplex(int dimension, int corner) {
  VectorXd at = VectorXd::Zero(dimension);
  if (corner > 0) at[corner - 1] = 1.0;
  return at;
}

SideShape OutlineSide(int corner) {
  const int next = (corner + 1) % 3;
  SideShape side;
  side.nodes = {corner, 3 + MiddleOf(corner, next), next};
  side.origin = CornerOfSimplex(2, corner);
  side.directions = CornerOfSimplex(2, next) - side.origin;
  return side;
}

SideShape TetrahedronSide(int a, int b, int c) {
  SideShape side;
  side.nodes = {a, b, c, 4 + MiddleOf(a, b), 4 + MiddleOf(b, c), 4 + MiddleOf(c, a)};
  side.origin = CornerOfSimplex(3, a);
  side.directions.resize(3, 2);
  side.directions << CornerOfSimplex(3, b) - side.origin, CornerOfSimplex(3, c) - side.origin;
  return side;
}

SideShape HexahedronSide(int axis, int end) {
  constexpr std::array<int, 3> kStride = {1, 3, 9};
  const int along_u = (axis + 1) % 3, along_v = (axis + 2) % 3;
  SideShape side;
  for (int n = 0; n < 9; ++n) {
    side.nodes.push_back(2 * end * kStride[axis] + n % 3 * kStride[along_u] +
                         n / 3 * kStride[along_v]);
  }
  side.inwards = end == 0;
  side.origin = end * Vector3d::Unit(axis);
  side.directions.resize(3, 2);
  side.directions << Vector3d::Unit(along_u), Vector3d::Unit(along_v);
  return side;
}

// Over the sides of an element. Of degree 5 along a side of a hexahedron and an outline, 4 on a triangle.
ElementRule RuleOfSides(ElementShape shape) {
  if (shape == ElementShape::kTetrahedron10) return MassRule(ElementShape::kTriangle6);
  const QuadratureRule line = GaussLegendre(3);
  ElementRule rule;
  if (DimensionOf(shape) == 2) {
    rule.points.resize(1, 3);
    rule.weights.resize(3);
    for (int g = 0; g < 3; ++g) {
      rule.points(0, g) = line.nodes[g];
      rule.weights[g] = line.weights[g];
    }
    return rule;
  }
  rule.points.resize(2, 9);
  rule.weights.resize(9);
  for (int g = 0; g < 9; ++g) {
    rule.points.col(g) << line.nodes[g % 3], line.nodes[g / 3];
    rule.weights[g] = line.weights[g % 3] * line.weights[g / 3];
  }
  return rule;
}

// Of a side of an element, ascending.
std::vector<int> NodesOf(const SolidMesh& mesh, const SideShape& side, int element) {
  std::vector<int> nodes;
  for (const int n : side.nodes) nodes.push_back(mesh.elements(n, element));
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

// Of a side of a cell.
size_t MostCorners(ElementShape shape) {
  if (shape == ElementShape::kHexahedron27) return 4;
  return shape == ElementShape::kTetrahedron10 ? 3 : 2;
}

}  // namespace

std::vector<SideShape> SidesOf(ElementShape shape) {
  if (DimensionOf(shape) == 2) return {OutlineSide(0), OutlineSide(1), OutlineSide(2)};
  if (shape == ElementShape::kTetrahedron10) {
    return {TetrahedronSide(0, 2, 1), TetrahedronSide(0, 1, 3), TetrahedronSide(1, 2, 3),
            TetrahedronSide(2, 0, 3)};
  }
  std::vector<SideShape> sides;
  for (int axis = 0; axis < 3; ++axis) {
    sides.push_back(HexahedronSide(axis, 0));
    sides.push_back(HexahedronSide(axis, 1));
  }
  return sides;
}

BoundaryPlaces BoundaryOf(const SolidMesh& mesh) {
  const std::vector<SideShape> shapes = SidesOf(mesh.shape);
  const int elements = static_cast<int>(mesh.elements.cols()),
            sides = static_cast<int>(shapes.size());
  std::map<std::vector<int>, int> count;
  for (int e = 0; e < elements; ++e) {
    for (int s = 0; s < sides; ++s) ++count[NodesOf(mesh, shapes[s], e)];
  }
  BoundaryPlaces boundary;
  for (int e = 0; e < elements; ++e) {
    for (int s = 0; s < sides; ++s) {
      if (count[NodesOf(mesh, shapes[s], e)] == 1) boundary.push_back({e, s});
    }
  }
  return boundary;
}

std::set<int> CornersOf(const Eigen::SparseMatrix<double, Eigen::RowMajor>& between,
                        const std::vector<int>& nodes) {
  using Rows = Eigen::SparseMatrix<double, Eigen::RowMajor>;
  std::set<int> corners;
  for (const int node : nodes) {
    for (Rows::InnerIterator it(between, node); it; ++it)
      corners.insert(static_cast<int>(it.col()));
  }
  return corners;
}

BoundaryPlaces SidesBetweenCells(const SolidMesh& mesh) {
  const std::vector<SideShape> shapes = SidesOf(mesh.shape);
  const size_t most = MostCorners(mesh.shape);
  std::set<std::vector<int>> seen;
  BoundaryPlaces between;
  for (int e = 0; e < mesh.elements.cols(); ++e) {
    for (int s = 0; s < static_cast<int>(shapes.size()); ++s) {
      const std::vector<int> nodes = NodesOf(mesh, shapes[s], e);
      if (CornersOf(mesh.between, nodes).size() > most) continue;
      if (!seen.insert(nodes).second) between.push_back({e, s});
    }
  }
  return between;
}

std::vector<BoundarySide> BoundarySidesOf(const SolidMesh& mesh, const BoundaryPlaces& boundary) {
  const std::vector<SideShape> shapes = SidesOf(mesh.shape);
  const ElementRule rule = RuleOfSides(mesh.shape);
  std::vector<std::vector<ShapeFunctions>> functions;  // of each side, at each point of the rule
  for (const SideShape& shape : shapes) {
    std::vector<ShapeFunctions>& of_side = functions.emplace_back();
    for (Eigen::Index g = 0; g < rule.weights.size(); ++g) {
      of_side.push_back(
          ShapeFunctionsAt(mesh.shape, shape.origin + shape.directions * rule.points.col(g)));
    }
  }
  std::vector<BoundarySide> sides;
  for (const auto& [element, number] : boundary) {
    const SideShape& shape = shapes[number];
    const auto count = static_cast<Eigen::Index>(shape.nodes.size());
    const Eigen::Matrix3Xd x = mesh.nodes(Eigen::all, mesh.elements.col(element));
    BoundarySide side;
    for (const int n : shape.nodes) side.nodes.push_back(mesh.elements(n, element));
    side.products = MatrixXd::Zero(count, count);
    for (Eigen::Index g = 0; g < rule.weights.size(); ++g) {
      const ShapeFunctions& at = functions[number][g];
      const MatrixXd tangents = x * at.derivatives.transpose() * shape.directions;
      const double size = tangents.cols() == 1
                              ? tangents.col(0).norm()
                              : Vector3d(tangents.col(0)).cross(Vector3d(tangents.col(1))).norm();
      const VectorXd values = at.values(shape.nodes);
      side.products += rule.weights[g] * size * values * values.transpose();
    }
    sides.push_back(std::move(side));
  }
  return sides;
}

}  // namespace pliant::finite_elements
