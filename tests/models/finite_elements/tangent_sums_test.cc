// The tangents of elements against plain sums over quadrature points, term by term of solid_part.h.

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "models/finite_elements/solid_part.h"
#include "models/scene/shapes.h"
#include "tests/random_numbers.h"

namespace pliant::finite_elements {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;

SolidMesh OneCell(ElementShape shape) {
  Matrix3Xd corners = MakeBlock("block", {0.3, 0.2, 0.1}, {2, 2, 2}, 1.0).rest;
  switch (shape) {
    case ElementShape::kTriangle6:
    case ElementShape::kTriangle7: {
      corners.row(2).setZero();
      const SolidMesh mesh = MeshOfCells(Matrix3Xd(corners.leftCols(3)),
                                         std::vector<std::array<int, 3>>{{0, 1, 2}}, 1);
      return shape == ElementShape::kTriangle6 ? mesh : WithMiddles(mesh);
    }
    case ElementShape::kTetrahedron10:
      return MeshOfCells(corners, std::vector<std::array<int, 4>>{{0, 1, 3, 5}}, 1);
    case ElementShape::kHexahedron27:
      break;
  }
  const Body block = MakeBlock("block", {0.3, 0.2, 0.1}, {2, 2, 2}, 1.0);
  return MeshOfCells(block.rest, Hexahedra(block), 1);
}

// Components of a strain as in law.h, shear doubled.
Vector6d Components(const Matrix3d& E) {
  Vector6d e;
  e << E(0, 0), E(1, 1), E(2, 2), 2.0 * E(0, 1), 2.0 * E(1, 2), 2.0 * E(2, 0);
  return e;
}

// ½ of the elastic tangent at C̄, F̄ and `viscosity` times that of the law at rest, at F̄; planar elements have F₃₃ = 1.
MatrixXd PlainTangent(const SolidMesh& mesh, const Law& law, double thickness, const Matrix3Xd& x0,
                      const Matrix3Xd& x1, double viscosity) {
  const auto n = x0.cols();
  const Eigen::Index d =
      mesh.shape == ElementShape::kTriangle6 || mesh.shape == ElementShape::kTriangle7 ? 2 : 3;
  const ElementRule rule = EnergyRule(mesh.shape);
  MatrixXd k = MatrixXd::Zero(3 * n, 3 * n);
  for (Eigen::Index g = 0; g < rule.weights.size(); ++g) {
    const ShapeFunctions shape = ShapeFunctionsAt(mesh.shape, rule.points.col(g));
    const MatrixXd J = mesh.nodes.topRows(d) * shape.derivatives.transpose();
    MatrixXd G = MatrixXd::Zero(3, n);
    G.topRows(d) = J.inverse().transpose() * shape.derivatives;
    const double w = rule.weights[g] * J.determinant() * (d == 2 ? thickness : 1.0);
    Matrix3d F0 = x0 * G.transpose(), F1 = x1 * G.transpose();
    if (d == 2) F0(2, 2) = F1(2, 2) = 1.0;
    Matrix3d F = 0.5 * (F0 + F1);
    Matrix3d C = 0.5 * (F0.transpose() * F0 + F1.transpose() * F1);
    if (law.linear()) {
      C = F + F.transpose() - Matrix3d::Identity();
      F.setIdentity();
    }
    Law::Response response;
    law.Respond(C, 1.0, &response);
    const Vector6d s = response.stress;
    Matrix3d S;
    S << s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2];
    const Matrix6d D = 0.5 * response.tangent + viscosity * law.tangent_at_rest();
    const auto strain = [&](Eigen::Index i, Eigen::Index a) {  // of a unit motion of node i along a
      const Matrix3d H = Vector3d::Unit(a) * G.col(i).transpose();
      return Components(0.5 * (F.transpose() * H + H.transpose() * F));
    };
    for (Eigen::Index i = 0; i < n; ++i) {
      for (Eigen::Index j = 0; j < n; ++j) {
        for (Eigen::Index a = 0; a < d; ++a) {
          for (Eigen::Index b = 0; b < d; ++b) {
            k(3 * i + a, 3 * j + b) += w * strain(i, a).dot(D * strain(j, b));
          }
          if (!law.linear()) k(3 * i + a, 3 * j + a) += 0.5 * w * G.col(i).dot(S * G.col(j));
        }
      }
    }
  }
  return k;
}

TEST(TangentSums, AreThoseOfTheirQuadraturePoints) {
  for (const ElementShape shape : {ElementShape::kTriangle6, ElementShape::kTriangle7,
                                   ElementShape::kTetrahedron10, ElementShape::kHexahedron27}) {
    const bool planar = shape == ElementShape::kTriangle6 || shape == ElementShape::kTriangle7;
    for (const ElasticLaw of : {ElasticLaw::kNeoHookeanStable, ElasticLaw::kLinear}) {
      const Law law(of, 1e3, 0.3, planar ? Law::Kind::kPlaneStress : Law::Kind::kSolid);
      const SolidMesh mesh = OneCell(shape);
      const auto part = MakeSolidPart(mesh, law, 700.0, 0.05);
      RandomNumbers random(7);
      const auto n = part->rest().cols();
      Matrix3Xd x0 = part->rest() + 0.004 * random.Vectors(static_cast<int>(n)),
                x1 = part->rest() + 0.004 * random.Vectors(static_cast<int>(n));
      if (planar) x0.row(2).setZero(), x1.row(2).setZero();
      const auto tangent = [&](double elastic, double viscosity) {
        MatrixXd k = MatrixXd::Zero(3 * n, 3 * n);
        if (elastic > 0.0) part->AddDiscreteTangent(0, x0, x1, k);
        if (viscosity > 0.0) part->AddViscousTangent(0, x0, x1, viscosity, k);
        return k;
      };
      const std::string which = std::to_string(n) + (law.linear() ? " linear" : "");
      const MatrixXd elastic = PlainTangent(mesh, law, 0.05, x0, x1, 0.0),
                     both = PlainTangent(mesh, law, 0.05, x0, x1, 0.7);
      EXPECT_LT((tangent(1.0, 0.0) - elastic).norm(), 1e-13 * elastic.norm()) << which;
      EXPECT_LT((tangent(0.0, 0.7) - (both - elastic)).norm(), 1e-13 * both.norm()) << which;
      MatrixXd k = MatrixXd::Zero(3 * n, 3 * n);
      part->AddStepTangent(0, x0, x1, 0.7, k);
      EXPECT_LT((k - both).norm(), 1e-13 * both.norm()) << which;
      k.setZero();
      part->AddTangent(0, x1, k);
      const MatrixXd at_once = 2.0 * PlainTangent(mesh, law, 0.05, x1, x1, 0.0);
      EXPECT_LT((k - at_once).norm(), 1e-13 * at_once.norm()) << which;
    }
  }
}

}  // namespace
}  // namespace pliant::finite_elements
