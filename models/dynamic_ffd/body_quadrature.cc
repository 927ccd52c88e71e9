#include "models/dynamic_ffd/body_quadrature.h"

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "models/finite_elements/solid_mesh.h"
#include "models/geometry/quadrature.h"
#include "models/scene/material.h"

namespace pliant::dynamic_ffd {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using finite_elements::ElementRule;
using finite_elements::SolidMesh;

// Places of the box closer than this are one.
constexpr double kSamePlace = 1e-9;
// Volumes that differ by less than this part are one.
constexpr double kSameContent = 1e-9;
// Cells are divided into at most this many parts along each edge.
constexpr int kMostParts = 16;
// Strains sampled for each mode, at least.
constexpr int kStrainsPerMode = 2;

// Do the cells of the body fill its box, of this thickness where it is planar? They do not overlap.
bool FillsItsBox(const Body& body, double thickness) {
  if (body.shape == ShapeKind::kBlock) return true;
  Vector3d extent = body.rest.rowwise().maxCoeff() - body.rest.rowwise().minCoeff();
  if (thickness > 0.0) extent.z() = thickness;
  const double content = VolumeShares(body, thickness).sum();
  return std::abs(content - extent.prod()) <= kSameContent * extent.prod();
}

// Of a planar body with its thickness; of one that is not the thickness is 0.
BodyQuadrature OfBox(const Body& body, double thickness, const ModeTable& table) {
  const Vector3d corner = body.rest.rowwise().minCoeff();
  const Vector3d extent = body.rest.rowwise().maxCoeff() - corner;
  const double volume = thickness > 0.0 ? extent.x() * extent.y() * thickness : extent.prod();
  const std::array<QuadratureRule, 3> along = {RuleAlong(0, table), RuleAlong(1, table),
                                               RuleAlong(2, table)};
  const auto count = along[0].nodes.size() * along[1].nodes.size() * along[2].nodes.size();
  BodyQuadrature all{Matrix3Xd(3, count), VectorXd(count)};
  Eigen::Index g = 0;
  for (Eigen::Index c = 0; c < along[2].nodes.size(); ++c) {
    for (Eigen::Index b = 0; b < along[1].nodes.size(); ++b) {
      for (Eigen::Index a = 0; a < along[0].nodes.size(); ++a, ++g) {
        const Vector3d at(along[0].nodes[a], along[1].nodes[b], along[2].nodes[c]);
        all.places.col(g) = corner + at.cwiseProduct(extent);
        all.volumes[g] = volume * along[0].weights[a] * along[1].weights[b] * along[2].weights[c];
      }
    }
  }
  return all;
}

// At the quadrature points of all elements of the mesh, times `depth` where they are triangles.
BodyQuadrature OfElements(const SolidMesh& mesh, double depth) {
  const ElementRule rule = finite_elements::EnergyRule(mesh.shape);
  const int dimension = finite_elements::DimensionOf(mesh.shape);
  const auto per_element = rule.weights.size();
  BodyQuadrature all{Matrix3Xd(3, per_element * mesh.elements.cols()),
                     VectorXd(per_element * mesh.elements.cols())};
  std::vector<finite_elements::ShapeFunctions> at;
  for (Eigen::Index g = 0; g < per_element; ++g) {
    at.push_back(finite_elements::ShapeFunctionsAt(mesh.shape, rule.points.col(g)));
  }
  for (Eigen::Index e = 0; e < mesh.elements.cols(); ++e) {
    Matrix3Xd x(3, mesh.elements.rows());
    for (Eigen::Index i = 0; i < x.cols(); ++i) x.col(i) = mesh.nodes.col(mesh.elements(i, e));
    for (Eigen::Index g = 0; g < per_element; ++g) {
      const Eigen::MatrixXd jacobian = (x * at[g].derivatives.transpose()).topRows(dimension);
      all.places.col(e * per_element + g) = x * at[g].values;
      all.volumes[e * per_element + g] = depth * rule.weights[g] * std::abs(jacobian.determinant());
    }
  }
  return all;
}

template <typename Cells>
BodyQuadrature OfCells(const Body& body, const Cells& cells, double depth, int modes) {
  const int strains = depth > 0.0 ? 3 : 6;
  for (int parts = 1;; parts *= 2) {
    BodyQuadrature all = OfElements(finite_elements::MeshOfCells(body.rest, cells, parts),
                                    depth > 0.0 ? depth : 1.0);
    if (strains * all.volumes.size() >= kStrainsPerMode * modes || parts == kMostParts) return all;
  }
}

}  // namespace

QuadratureRule RuleAlong(int axis, const ModeTable& table) {
  std::vector<double> borders = {0.0, 1.0};
  int degree = 0;
  for (const LatticePlan& plan : table.lattices) {
    const LatticeBasis& basis = plan.bases[axis];
    degree = std::max(degree, basis.degree());
    const int spans = basis.kind() == BasisKind::kBSpline ? basis.size() - basis.degree() : 1;
    for (int i = 0; i <= spans; ++i) {
      borders.push_back(plan.lower[axis] + (plan.upper[axis] - plan.lower[axis]) * i / spans);
    }
  }
  std::sort(borders.begin(), borders.end());
  const QuadratureRule one = GaussLegendre(degree + 1);
  std::vector<double> nodes, weights;
  for (size_t i = 1; i < borders.size(); ++i) {
    const double width = borders[i] - borders[i - 1];
    if (width < kSamePlace) continue;
    for (Eigen::Index g = 0; g < one.nodes.size(); ++g) {
      nodes.push_back(borders[i - 1] + width * one.nodes[g]);
      weights.push_back(width * one.weights[g]);
    }
  }
  const auto count = static_cast<Eigen::Index>(nodes.size());
  return {VectorXd::Map(nodes.data(), count), VectorXd::Map(weights.data(), count)};
}

std::string WhyNoContinuum(const Body& body, int dimension) {
  if (dimension == 2) {
    return body.faces.empty() ? "the body has no faces that enclose an area" : "";
  }
  if (!NeedsThickness(body)) {
    return body.tetrahedra.empty() || body.hexahedra.empty()
               ? ""
               : "the body has tetrahedra and hexahedra";
  }
  return "the body has no cells: modes deform the space around a surface or line, whose bending "
         "would need the second derivatives of a shell or rod";
}

BodyQuadrature QuadratureOf(const Body& body, int dimension, const ModeTable& table, int modes) {
  const double thickness = dimension == 2 ? body.material->thickness : 0.0;
  if (FillsItsBox(body, thickness)) return OfBox(body, thickness, table);
  if (dimension == 2) return OfCells(body, body.faces, thickness, modes);
  if (!body.tetrahedra.empty()) return OfCells(body, body.tetrahedra, 0.0, modes);
  return OfCells(body, body.hexahedra, 0.0, modes);
}

}  // namespace pliant::dynamic_ffd
