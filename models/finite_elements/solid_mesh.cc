#include "models/finite_elements/solid_mesh.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <utility>

#include "models/geometry/quadrature.h"

namespace pliant::finite_elements {
namespace {

// A node as integer weights of the points it lies between, zeros left out, ascending: equal for
// equal places, whichever cell names it.
using Mixture = std::vector<std::pair<int, long>>;

// Collects the nodes of all cells.
class NodeTable {
 public:
  explicit NodeTable(const Eigen::Matrix3Xd& points) : points_(points) {}

  // The node at Σ weights · points / Σ weights.
  int At(Mixture mixture) {
    std::erase_if(mixture, [](const auto& part) { return part.second == 0; });
    std::sort(mixture.begin(), mixture.end());
    const auto [found, is_new] = numbers_.emplace(mixture, static_cast<int>(nodes_.size()));
    if (is_new) {
      Eigen::Vector3d x = Eigen::Vector3d::Zero();
      double sum = 0.0;
      for (const auto& [point, weight] : mixture) {
        x += static_cast<double>(weight) * points_.col(point);
        sum += static_cast<double>(weight);
      }
      nodes_.push_back(mixture.size() == 1 ? Eigen::Vector3d(points_.col(mixture[0].first))
                                           : Eigen::Vector3d(x / sum));
      if (mixture.size() == 1) {
        corners_.emplace_back(mixture[0].first, found->second, 1.0);
      }
      for (const auto& [point, weight] : mixture) {
        between_.emplace_back(found->second, point, static_cast<double>(weight) / sum);
      }
    }
    return found->second;
  }

  SolidMesh Finish(ElementShape shape, const std::vector<std::vector<int>>& elements) const {
    SolidMesh mesh;
    mesh.shape = shape;
    mesh.nodes.resize(3, static_cast<Eigen::Index>(nodes_.size()));
    for (size_t i = 0; i < nodes_.size(); ++i) {
      mesh.nodes.col(static_cast<Eigen::Index>(i)) = nodes_[i];
    }
    mesh.elements.resize(NodesOf(shape), static_cast<Eigen::Index>(elements.size()));
    for (size_t e = 0; e < elements.size(); ++e) {
      for (size_t i = 0; i < elements[e].size(); ++i) {
        mesh.elements(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(e)) = elements[e][i];
      }
    }
    mesh.embedding.resize(points_.cols(), mesh.nodes.cols());
    mesh.embedding.setFromTriplets(corners_.begin(), corners_.end());
    mesh.between.resize(mesh.nodes.cols(), points_.cols());
    mesh.between.setFromTriplets(between_.begin(), between_.end());
    return mesh;
  }

 private:
  const Eigen::Matrix3Xd& points_;
  std::map<Mixture, int> numbers_;
  std::vector<Eigen::Vector3d> nodes_;
  std::vector<Eigen::Triplet<double>> corners_;  // point, node
  std::vector<Eigen::Triplet<double>> between_;  // node, point
};

// Divides a simplex of d + 1 corners into Kuhn's simplices: those of the cubes of a grid of
// `refinement` steps that lie in r ≥ x_0 ≥ x_1 … ≥ x_{d−1} ≥ 0. In units of half a step, so that
// middles of edges have whole coordinates.
template <size_t kCorners>
void DivideSimplex(std::array<int, kCorners> corners, int refinement, NodeTable* nodes,
                   std::vector<std::vector<int>>* elements) {
  constexpr int kDimension = static_cast<int>(kCorners) - 1;
  using Place = std::array<int, kDimension>;
  // The order of numbers decides how it is divided; an odd one mirrors the elements.
  std::array<int, kCorners> order;
  for (size_t i = 0; i < kCorners; ++i) order[i] = static_cast<int>(i);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return corners[a] < corners[b]; });
  bool cell_mirrored = false;
  for (size_t i = 0; i < kCorners; ++i) {
    for (size_t j = i + 1; j < kCorners; ++j) cell_mirrored ^= order[i] > order[j];
  }
  std::sort(corners.begin(), corners.end());
  const auto node_at = [&](const Place& place) {
    Mixture mixture;
    int before = 2 * refinement;
    for (size_t i = 0; i < kCorners; ++i) {
      const int next = i < kDimension ? place[i] : 0;
      mixture.emplace_back(corners[i], before - next);
      before = next;
    }
    return nodes->At(mixture);
  };
  Place cube{};
  std::array<int, kDimension> axes;
  const auto divide_cube = [&] {
    for (int a = 0; a < kDimension; ++a) axes[a] = a;
    bool mirrored = cell_mirrored;
    do {
      std::array<Place, kCorners> places;
      for (int a = 0; a < kDimension; ++a) places[0][a] = 2 * cube[a];
      for (int i = 0; i < kDimension; ++i) {
        places[i + 1] = places[i];
        places[i + 1][axes[i]] += 2;
      }
      bool inside = true;
      for (const Place& place : places) {
        int before = 2 * refinement;
        for (const int x : place) {
          inside &= x <= before;
          before = x;
        }
      }
      mirrored = cell_mirrored;
      for (int a = 0; a < kDimension; ++a) {
        for (int b = a + 1; b < kDimension; ++b) mirrored ^= axes[a] > axes[b];
      }
      if (!inside) continue;
      if (mirrored) std::swap(places[0], places[1]);
      const auto middle = [&](int a, int b) {
        Place place;
        for (int i = 0; i < kDimension; ++i) place[i] = (places[a][i] + places[b][i]) / 2;
        return node_at(place);
      };
      std::vector<int> element;
      for (const Place& place : places) element.push_back(node_at(place));
      element.push_back(middle(0, 1));
      element.push_back(middle(1, 2));
      element.push_back(middle(2, 0));
      for (int corner = 0; corner < 3 && kDimension == 3; ++corner) {
        element.push_back(middle(corner, 3));
      }
      elements->push_back(std::move(element));
    } while (std::next_permutation(axes.begin(), axes.end()));
  };
  const auto for_cubes = [&](const auto& self, int axis) -> void {
    if (axis == kDimension) {
      divide_cube();
      return;
    }
    for (cube[axis] = 0; cube[axis] < refinement; ++cube[axis]) self(self, axis + 1);
  };
  for_cubes(for_cubes, 0);
}

template <size_t kCorners>
SolidMesh MeshOfSimplices(const Eigen::Matrix3Xd& points,
                          const std::vector<std::array<int, kCorners>>& cells, int refinement,
                          ElementShape shape) {
  NodeTable nodes(points);
  std::vector<std::vector<int>> elements;
  for (const auto& cell : cells) DivideSimplex<kCorners>(cell, refinement, &nodes, &elements);
  return nodes.Finish(shape, elements);
}

// Quadratic Lagrange polynomials at 0, ½, 1, and their derivatives.
std::array<double, 3> Quadratic(double s) {
  return {(1.0 - s) * (1.0 - 2.0 * s), 4.0 * s * (1.0 - s), s * (2.0 * s - 1.0)};
}
std::array<double, 3> QuadraticDerivative(double s) {
  return {4.0 * s - 3.0, 4.0 - 8.0 * s, 4.0 * s - 1.0};
}

// The pairs of corners between which the other nodes of a simplex lie.
constexpr std::array<std::array<int, 2>, 6> kMiddles = {
    {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}}};

// ∫ over the unit simplex from the cube, (s, t, …) → s, (1 − s) t, …; n points along each axis are
// exact up to degree 2 n − 1 − (d − 1).
ElementRule CollapsedRule(int dimension, int n) {
  const QuadratureRule line = GaussLegendre(n);
  ElementRule rule;
  const int count = dimension == 2 ? n * n : n * n * n;
  rule.points.resize(dimension, count);
  rule.weights.resize(count);
  for (int g = 0; g < count; ++g) {
    const double s = line.nodes[g % n], t = line.nodes[g / n % n];
    rule.weights[g] = line.weights[g % n] * line.weights[g / n % n] * (1.0 - s);
    rule.points(0, g) = s;
    rule.points(1, g) = (1.0 - s) * t;
    if (dimension == 3) {
      rule.points(2, g) = (1.0 - s) * (1.0 - t) * line.nodes[g / n / n];
      rule.weights[g] *= (1.0 - s) * (1.0 - t) * line.weights[g / n / n];
    }
  }
  return rule;
}

ElementRule CubeRule(int n) {
  const QuadratureRule line = GaussLegendre(n);
  ElementRule rule;
  rule.points.resize(3, n * n * n);
  rule.weights.resize(n * n * n);
  for (int g = 0; g < n * n * n; ++g) {
    const int i = g % n, j = g / n % n, k = g / n / n;
    rule.points.col(g) << line.nodes[i], line.nodes[j], line.nodes[k];
    rule.weights[g] = line.weights[i] * line.weights[j] * line.weights[k];
  }
  return rule;
}

}  // namespace

int NodesOf(ElementShape shape) {
  switch (shape) {
    case ElementShape::kTriangle6:
      return 6;
    case ElementShape::kTriangle7:
      return 7;
    case ElementShape::kTetrahedron10:
      return 10;
    case ElementShape::kHexahedron27:
      return 27;
  }
  return 0;
}

int DimensionOf(ElementShape shape) {
  return shape == ElementShape::kTriangle6 || shape == ElementShape::kTriangle7 ? 2 : 3;
}

SolidMesh MeshOfCells(const Eigen::Matrix3Xd& points, const std::vector<std::array<int, 3>>& cells,
                      int refinement) {
  return MeshOfSimplices(points, cells, refinement, ElementShape::kTriangle6);
}

SolidMesh MeshOfCells(const Eigen::Matrix3Xd& points, const std::vector<std::array<int, 4>>& cells,
                      int refinement) {
  return MeshOfSimplices(points, cells, refinement, ElementShape::kTetrahedron10);
}

SolidMesh MeshOfCells(const Eigen::Matrix3Xd& points, const std::vector<std::array<int, 8>>& cells,
                      int refinement) {
  NodeTable nodes(points);
  std::vector<std::vector<int>> elements;
  const int n = 2 * refinement;
  for (const auto& cell : cells) {
    // Node (a, b, c)/n of the cell.
    const auto node_at = [&](int a, int b, int c) {
      Mixture mixture;
      for (size_t i = 0; i < 8; ++i) {
        mixture.emplace_back(cell[i],
                             long{i & 1 ? a : n - a} * (i & 2 ? b : n - b) * (i & 4 ? c : n - c));
      }
      return nodes.At(mixture);
    };
    for (int part = 0; part < refinement * refinement * refinement; ++part) {
      const int i = part % refinement, j = part / refinement % refinement,
                k = part / refinement / refinement;
      std::vector<int> element;
      for (int node = 0; node < 27; ++node) {
        element.push_back(node_at(2 * i + node % 3, 2 * j + node / 3 % 3, 2 * k + node / 9));
      }
      elements.push_back(std::move(element));
    }
  }
  return nodes.Finish(ElementShape::kHexahedron27, elements);
}

SolidMesh WithMiddles(const SolidMesh& mesh) {
  assert(mesh.shape == ElementShape::kTriangle6);
  SolidMesh more = mesh;
  more.shape = ElementShape::kTriangle7;
  const Eigen::Index count = mesh.elements.cols(), first = mesh.nodes.cols();
  more.nodes.conservativeResize(3, first + count);
  more.elements.conservativeResize(7, count);
  more.embedding.conservativeResize(mesh.embedding.rows(), first + count);
  std::vector<Eigen::Triplet<double>> between;
  for (int row = 0; row < mesh.between.outerSize(); ++row) {
    for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator it(mesh.between, row); it;
         ++it) {
      between.emplace_back(row, static_cast<int>(it.col()), it.value());
    }
  }
  const Eigen::VectorXd at_middle =
      ShapeFunctionsAt(mesh.shape, Eigen::Vector2d::Constant(1.0 / 3.0)).values;
  for (Eigen::Index e = 0; e < count; ++e) {
    const int node = static_cast<int>(first + e);
    more.elements(6, e) = node;
    more.nodes.col(node) = mesh.nodes(Eigen::all, mesh.elements.col(e)) * at_middle;
    for (int corner = 0; corner < 3; ++corner) {
      for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator it(mesh.between,
                                                                          mesh.elements(corner, e));
           it; ++it) {
        between.emplace_back(node, static_cast<int>(it.col()), it.value() / 3.0);
      }
    }
  }
  more.between.resize(first + count, mesh.between.cols());
  more.between.setFromTriplets(between.begin(), between.end());
  return more;
}

ShapeFunctions ShapeFunctionsAt(ElementShape shape, const Eigen::VectorXd& xi) {
  const int d = DimensionOf(shape);
  ShapeFunctions at;
  at.values.resize(NodesOf(shape));
  at.derivatives.resize(d, NodesOf(shape));
  if (shape == ElementShape::kHexahedron27) {
    std::array<std::array<double, 3>, 3> value, slope;  // of each axis
    for (int axis = 0; axis < 3; ++axis) {
      value[axis] = Quadratic(xi[axis]);
      slope[axis] = QuadraticDerivative(xi[axis]);
    }
    for (int node = 0; node < 27; ++node) {
      const int i = node % 3, j = node / 3 % 3, k = node / 9;
      at.values[node] = value[0][i] * value[1][j] * value[2][k];
      at.derivatives.col(node) << slope[0][i] * value[1][j] * value[2][k],
          value[0][i] * slope[1][j] * value[2][k], value[0][i] * value[1][j] * slope[2][k];
    }
    return at;
  }
  Eigen::VectorXd b(d + 1);  // barycentric
  b << 1.0 - xi.sum(), xi;
  Eigen::MatrixXd slope(d, d + 1);
  slope << Eigen::VectorXd::Constant(d, -1.0), Eigen::MatrixXd::Identity(d, d);
  for (int i = 0; i <= d; ++i) {
    at.values[i] = b[i] * (2.0 * b[i] - 1.0);
    at.derivatives.col(i) = (4.0 * b[i] - 1.0) * slope.col(i);
  }
  for (int m = 0; m < d * (d + 1) / 2; ++m) {
    const auto [i, j] = kMiddles[m];
    at.values[d + 1 + m] = 4.0 * b[i] * b[j];
    at.derivatives.col(d + 1 + m) = 4.0 * (b[i] * slope.col(j) + b[j] * slope.col(i));
  }
  if (shape == ElementShape::kTriangle7) {
    // The others less what the bubble 27 b₀ b₁ b₂ has of them in the middle: −1/9 and 4/9.
    const double bubble = 27.0 * b.prod();
    const Eigen::Vector2d rise = 27.0 * (b[1] * b[2] * slope.col(0) + b[2] * b[0] * slope.col(1) +
                                         b[0] * b[1] * slope.col(2));
    for (int n = 0; n < 6; ++n) {
      const double there = n < 3 ? -1.0 / 9.0 : 4.0 / 9.0;
      at.values[n] -= there * bubble;
      at.derivatives.col(n) -= there * rise;
    }
    at.values[6] = bubble;
    at.derivatives.col(6) = rise;
  }
  return at;
}

ElementRule EnergyRule(ElementShape shape) {
  ElementRule rule;
  switch (shape) {
    case ElementShape::kTriangle6:
      rule.points.resize(2, 3);
      rule.points << 1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0, 1.0 / 6.0, 1.0 / 6.0, 2.0 / 3.0;
      rule.weights = Eigen::Vector3d::Constant(1.0 / 6.0);
      return rule;
    case ElementShape::kTriangle7: {
      // [Dunavant 1985], degree 4.
      const double a = 0.445948490915965, b = 0.091576213509771;
      const double u = 0.5 * 0.223381589678011, v = 0.5 * 0.109951743655322;
      rule.points.resize(2, 6);
      rule.points << a, 1.0 - 2.0 * a, a, b, 1.0 - 2.0 * b, b,  //
          a, a, 1.0 - 2.0 * a, b, b, 1.0 - 2.0 * b;
      rule.weights.resize(6);
      rule.weights << u, u, u, v, v, v;
      return rule;
    }
    case ElementShape::kTetrahedron10: {
      const double a = 0.58541019662496852, b = 0.13819660112501048;  // (5 ± …√5)/20
      rule.points.resize(3, 4);
      rule.points << b, a, b, b, b, b, a, b, b, b, b, a;
      rule.weights = Eigen::Vector4d::Constant(1.0 / 24.0);
      return rule;
    }
    case ElementShape::kHexahedron27:
      return CubeRule(3);
  }
  return rule;
}

ElementRule MassRule(ElementShape shape) {
  if (shape == ElementShape::kHexahedron27) return CubeRule(3);
  return CollapsedRule(DimensionOf(shape), shape == ElementShape::kTriangle6 ? 3 : 4);
}

}  // namespace pliant::finite_elements
