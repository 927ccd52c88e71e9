// The tangents of elements against plain sums over quadrature points, term by term of solid_part.h.

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "models/finite_elements/locking_free_part.h"
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

bool IsPlanar(const SolidMesh& mesh) {
  return mesh.shape == ElementShape::kTriangle6 || mesh.shape == ElementShape::kTriangle7;
}

// A quadrature point in the middle of a step: gradients 3×n, weight, F̄ and C̄; planar elements have F₃₃ = 1. Of the
// linear law F = 1 and C = 1 + 2 ε.
struct Mean {
  MatrixXd G;
  double w;
  Matrix3d F, C;
};

Mean MeanAt(const SolidMesh& mesh, const Law& law, double thickness, const Matrix3Xd& x0,
            const Matrix3Xd& x1, Eigen::Index g) {
  const Eigen::Index d = IsPlanar(mesh) ? 2 : 3;
  const ElementRule rule = EnergyRule(mesh.shape);
  const ShapeFunctions shape = ShapeFunctionsAt(mesh.shape, rule.points.col(g));
  const MatrixXd J = mesh.nodes.topRows(d) * shape.derivatives.transpose();
  Mean mean{MatrixXd::Zero(3, x0.cols()),
            rule.weights[g] * J.determinant() * (d == 2 ? thickness : 1.0),
            {},
            {}};
  mean.G.topRows(d) = J.inverse().transpose() * shape.derivatives;
  Matrix3d F0 = x0 * mean.G.transpose(), F1 = x1 * mean.G.transpose();
  if (d == 2) F0(2, 2) = F1(2, 2) = 1.0;
  mean.F = 0.5 * (F0 + F1);
  mean.C = 0.5 * (F0.transpose() * F0 + F1.transpose() * F1);
  if (law.linear()) {
    mean.C = mean.F + mean.F.transpose() - Matrix3d::Identity();
    mean.F.setIdentity();
  }
  return mean;
}

// ½ of the elastic tangent at C̄, F̄ and `viscosity` times that of the law at rest, at F̄.
MatrixXd PlainTangent(const SolidMesh& mesh, const Law& law, double thickness, const Matrix3Xd& x0,
                      const Matrix3Xd& x1, double viscosity) {
  const auto n = x0.cols();
  const Eigen::Index d = IsPlanar(mesh) ? 2 : 3;
  const ElementRule rule = EnergyRule(mesh.shape);
  MatrixXd k = MatrixXd::Zero(3 * n, 3 * n);
  for (Eigen::Index g = 0; g < rule.weights.size(); ++g) {
    const Mean mean = MeanAt(mesh, law, thickness, x0, x1, g);
    const MatrixXd& G = mean.G;  // clang 14 has no captures of structured bindings
    const Matrix3d& F = mean.F;
    Law::Response response;
    law.Respond(mean.C, 1.0, &response);
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
            k(3 * i + a, 3 * j + b) += mean.w * strain(i, a).dot(D * strain(j, b));
          }
          if (!law.linear()) k(3 * i + a, 3 * j + a) += 0.5 * mean.w * G.col(i).dot(S * G.col(j));
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

// What a locking-free element has at one quadrature point, for PlainLockingFreeTangent().
struct PlainPoint {
  MatrixXd G;  // 3×n
  double w, J, theta, ratio, tau;
  Matrix3d F, C, inverse, S;  // S̃, of C̃
  Matrix6d D;
};

// By Gram and Schmidt's way, unlike the element's.
MatrixXd ModesOf(const SolidMesh& mesh, Eigen::Index d, const std::vector<PlainPoint>& points) {
  const auto count = static_cast<Eigen::Index>(points.size());
  const Eigen::Index modes = mesh.shape == ElementShape::kTetrahedron10 ? 1 : d + 1;
  MatrixXd functions(count, modes);
  for (Eigen::Index g = 0; g < count; ++g) {
    functions(g, 0) = 1.0;
    const ShapeFunctions shape = ShapeFunctionsAt(mesh.shape, EnergyRule(mesh.shape).points.col(g));
    if (modes > 1) functions.row(g).tail(d) = (mesh.nodes.topRows(d) * shape.values).transpose();
  }
  for (Eigen::Index a = 0; a < modes; ++a) {
    for (int twice = 0; twice < 2; ++twice) {
      for (Eigen::Index b = 0; b < a; ++b) {
        double product = 0.0;
        for (Eigen::Index g = 0; g < count; ++g)
          product += points[g].w * functions(g, a) * functions(g, b);
        functions.col(a) -= product * functions.col(b);
      }
    }
    double square = 0.0;
    for (Eigen::Index g = 0; g < count; ++g)
      square += points[g].w * functions(g, a) * functions(g, a);
    functions.col(a) /= std::sqrt(square);
  }
  return functions;
}

// `elastic` times the second derivative in the comment of locking_free_part.cc at C̄, F̄, by strains of unit motions, and
// `viscosity` times Σ w ê D ê of the law at rest.
MatrixXd PlainLockingFreeTangent(const SolidMesh& mesh, const Law& law, double thickness,
                                 const Matrix3Xd& x0, const Matrix3Xd& x1, double elastic,
                                 double viscosity) {
  const auto n = x0.cols();
  const Eigen::Index d = IsPlanar(mesh) ? 2 : 3;
  const double dimension = static_cast<double>(d);
  Matrix3d one = Matrix3d::Zero();
  one.topLeftCorner(d, d).setIdentity();
  const ElementRule rule = EnergyRule(mesh.shape);
  std::vector<PlainPoint> points(static_cast<size_t>(rule.weights.size()));
  for (size_t g = 0; g < points.size(); ++g) {
    const auto [G, w, F, C] = MeanAt(mesh, law, thickness, x0, x1, static_cast<Eigen::Index>(g));
    points[g].G = G, points[g].w = w, points[g].F = F, points[g].C = C;
  }
  const MatrixXd modes = ModesOf(mesh, d, points);
  const auto project = [&](const MatrixXd& f) {  // of each column
    MatrixXd weighted = f;
    for (size_t g = 0; g < points.size(); ++g)
      weighted.row(static_cast<Eigen::Index>(g)) *= points[g].w;
    return MatrixXd(modes * (modes.transpose() * weighted));
  };
  const auto count = static_cast<Eigen::Index>(points.size());
  MatrixXd volumes(count, 1), pressures(count, 1);
  for (Eigen::Index g = 0; g < count; ++g) volumes(g) = std::sqrt(points[g].C.determinant());
  const MatrixXd theta = project(volumes);
  for (Eigen::Index g = 0; g < count; ++g) {
    PlainPoint& p = points[g];
    p.J = law.linear() ? 1.0 : volumes(g);
    p.theta = law.linear() ? 1.0 : theta(g);
    p.ratio = std::pow(p.theta / p.J, 2.0 / dimension);
    p.inverse = law.linear() ? Matrix3d::Identity() : Matrix3d(p.C.inverse());
    Matrix3d seen = p.C;
    seen.topLeftCorner(d, d) *= p.ratio;
    Law::Response response;
    law.Respond(seen, 1.0, &response);
    const Vector6d s = response.stress;
    p.S << s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2];
    p.D = response.tangent;
    p.tau = p.S.topLeftCorner(d, d).cwiseProduct(seen.topLeftCorner(d, d)).sum();
    pressures(g) = p.tau / (dimension * p.theta);
  }
  const MatrixXd pressure = project(pressures);
  MatrixXd k = MatrixXd::Zero(3 * n, 3 * n);
  // Strains, ℓ and tr of unit motions at all points; t and Π tr.
  MatrixXd l(count, 3 * n), trace(count, 3 * n);
  std::vector<MatrixXd> strains(points.size(), MatrixXd::Zero(9, 3 * n));
  for (Eigen::Index g = 0; g < count; ++g) {
    PlainPoint& p = points[g];
    for (Eigen::Index i = 0; i < n; ++i) {
      for (Eigen::Index a = 0; a < 3; ++a) {
        const Matrix3d H = (a < d ? 1.0 : 0.0) * Vector3d::Unit(a) * p.G.col(i).transpose();
        const Matrix3d e = 0.5 * (p.F.transpose() * H + H.transpose() * p.F);
        strains[g].col(3 * i + a) = e.reshaped();
        l(g, 3 * i + a) = p.inverse.cwiseProduct(e).sum();
        trace(g, 3 * i + a) = e.trace();
      }
    }
  }
  MatrixXd scaled = l;
  for (Eigen::Index g = 0; g < count; ++g) scaled.row(g) *= points[g].J;
  MatrixXd t = project(scaled);
  for (Eigen::Index g = 0; g < count; ++g) t.row(g) /= points[g].theta;
  const MatrixXd mean_trace = project(trace);
  for (Eigen::Index g = 0; g < count; ++g) {
    const PlainPoint& p = points[g];
    Matrix3d seen = Matrix3d::Zero();
    seen.topLeftCorner(d, d) = law.linear() ? MatrixXd(Matrix3d::Identity().topLeftCorner(d, d))
                                            : MatrixXd(p.ratio * p.C.topLeftCorner(d, d));
    const double p_J = law.linear() ? 0.0 : p.J * pressure(g);
    const Matrix3d stress = p.ratio * p.S + (p_J - p.tau / dimension) * p.inverse;
    for (Eigen::Index i = 0; i < 3 * n; ++i) {
      if (i % 3 >= d) continue;
      const Matrix3d e = strains[g].col(i).reshaped(3, 3);
      const double less = t(g, i) - l(g, i);
      for (Eigen::Index j = 0; j < 3 * n; ++j) {
        if (j % 3 >= d) continue;
        const Matrix3d f = strains[g].col(j).reshaped(3, 3);
        const double less_f = t(g, j) - l(g, j);
        const Vector6d a = Components(p.ratio * e + less / dimension * seen),
                       b = Components(p.ratio * f + less_f / dimension * seen);
        double sum = a.dot(p.D * b);
        if (!law.linear()) {
          const double S_e = p.S.cwiseProduct(e).sum(), S_f = p.S.cwiseProduct(f).sum();
          sum +=
              2.0 / dimension * p.ratio * (less * S_f + less_f * S_e) +
              2.0 / (dimension * dimension) * p.tau * less * less_f -
              p.tau / dimension * t(g, i) * t(g, j) + p_J * l(g, i) * l(g, j) -
              2.0 * (p_J - p.tau / dimension) * (p.inverse * e * p.inverse).cwiseProduct(f).sum();
          if (i % 3 == j % 3) sum += p.G.col(i / 3).dot(stress * p.G.col(j / 3));
        }
        k(i, j) += elastic * p.w * sum;
        const Vector6d c = Components(e + (mean_trace(g, i) - trace(g, i)) / dimension * one),
                       h = Components(f + (mean_trace(g, j) - trace(g, j)) / dimension * one);
        k(i, j) += viscosity * p.w * c.dot(law.tangent_at_rest() * h);
      }
    }
  }
  return k;
}

TEST(TangentSums, OfLockingFreeElementsAreThoseOfTheirQuadraturePoints) {
  for (const ElementShape shape :
       {ElementShape::kTriangle7, ElementShape::kTetrahedron10, ElementShape::kHexahedron27}) {
    const bool planar = shape == ElementShape::kTriangle7;
    for (const ElasticLaw of : {ElasticLaw::kNeoHookeanStable, ElasticLaw::kLinear}) {
      const Law law(of, 1e3, 0.45, planar ? Law::Kind::kPlaneStrain : Law::Kind::kSolid);
      const SolidMesh mesh = OneCell(shape);
      const auto part = MakeLockingFreePart(mesh, law, 700.0, 0.05);
      RandomNumbers random(7);
      const auto n = part->rest().cols();
      Matrix3Xd x0 = part->rest() + 0.004 * random.Vectors(static_cast<int>(n)),
                x1 = part->rest() + 0.004 * random.Vectors(static_cast<int>(n));
      if (planar) x0.row(2).setZero(), x1.row(2).setZero();
      const auto plain = [&](const Matrix3Xd& begin, double elastic, double viscosity) {
        return PlainLockingFreeTangent(mesh, law, 0.05, begin, x1, elastic, viscosity);
      };
      const auto expect = [&](const char* what, const MatrixXd& is, const MatrixXd& should_be) {
        EXPECT_LT((is - should_be).norm(), 1e-12 * should_be.norm())
            << what << " of " << n << (law.linear() ? " nodes, linear" : " nodes");
      };
      MatrixXd k = MatrixXd::Zero(3 * n, 3 * n);
      part->AddDiscreteTangent(0, x0, x1, k);
      expect("discrete", k, plain(x0, 0.5, 0.0));
      k.setZero();
      part->AddViscousTangent(0, x0, x1, 0.7, k);
      expect("viscous", k, plain(x0, 0.0, 0.7));
      k.setZero();
      part->AddStepTangent(0, x0, x1, 0.7, k);
      expect("both", k, plain(x0, 0.5, 0.7));
      k.setZero();
      part->AddTangent(0, x1, k);
      expect("elastic", k, plain(x1, 1.0, 0.0));
    }
  }
}

}  // namespace
}  // namespace pliant::finite_elements
