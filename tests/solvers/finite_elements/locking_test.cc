// What elements make of bodies that keep their volume (ν near ½), and of thin ones: against manufactured
// solutions, Cook's membrane and the beams of MacNeal & Harder.

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "models/finite_elements/locking_free_part.h"
#include "solvers/finite_elements/statics.h"
#include "tests/solvers/finite_elements/meshes.h"

namespace pliant::finite_elements {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::Vector3d;

enum class Kind { kPointwise, kLockingFree };

Discretisation BodyOf(const SolidMesh& mesh, double E, double nu, Kind kind,
                      ElasticLaw name = ElasticLaw::kLinear) {
  const Law law(name, E, nu,
                DimensionOf(mesh.shape) == 2 ? Law::Kind::kPlaneStrain : Law::Kind::kSolid);
  std::vector<std::unique_ptr<const ElasticPart>> parts;
  parts.push_back(kind == Kind::kPointwise ? MakeSolidPart(mesh, law, 1.0, 1.0)
                                           : MakeLockingFreePart(mesh, law, 1.0, 1.0));
  return Discretisation(std::move(parts));
}

// The same places in tetrahedra: each hexahedron of BoxMesh in Kuhn's six.
SolidMesh TetrahedraOfBox(const Vector3d& size, int n) {
  Matrix3Xd points(3, (n + 1) * (n + 1) * (n + 1));
  std::vector<std::array<int, 4>> cells;
  const auto number = [n](int i, int j, int k) { return i + (n + 1) * (j + (n + 1) * k); };
  for (int k = 0; k <= n; ++k) {
    for (int j = 0; j <= n; ++j) {
      for (int i = 0; i <= n; ++i) {
        points.col(number(i, j, k)) = size.cwiseProduct(Vector3d(i, j, k)) / n;
        if (i == n || j == n || k == n) continue;
        std::array<int, 3> axes = {0, 1, 2};
        bool mirrored = false;
        do {
          std::array<int, 3> at = {i, j, k};
          std::array<int, 4> cell = {number(i, j, k), 0, 0, 0};
          for (int corner = 0; corner < 3; ++corner) {
            ++at[axes[corner]];
            cell[corner + 1] = number(at[0], at[1], at[2]);
          }
          mirrored = (axes[0] > axes[1]) ^ (axes[0] > axes[2]) ^ (axes[1] > axes[2]);
          if (mirrored) std::swap(cell[2], cell[3]);
          cells.push_back(cell);
        } while (std::next_permutation(axes.begin(), axes.end()));
      }
    }
  }
  return MeshOfCells(points, cells, 1);
}

// A displacement u = ∇ × ψ: it keeps the volume, so that its stress 2 μ ε is free of λ.
Vector3d Isochoric(const Vector3d& X, int dimension) {
  const double x = X.x(), y = X.y(), z = X.z();
  Vector3d u(-2.0 * std::sin(1.5 * x + 0.3) * std::sin(2.0 * y),
             -1.5 * std::cos(1.5 * x + 0.3) * std::cos(2.0 * y), 0.0);
  if (dimension == 3) {
    u += Vector3d(-std::cos(x + 0.2) * std::sin(1.5 * z) * 1.5, 0.0,
                  std::sin(x + 0.2) * std::cos(1.5 * z));
  }
  return 1e-3 * u;
}

Matrix3d GradientOf(const Vector3d& X, int dimension) {
  Matrix3d gradient = Matrix3d::Zero();
  for (int axis = 0; axis < dimension; ++axis) {
    const Vector3d d = 1e-3 * Vector3d::Unit(axis);
    const auto difference = [&](double m) {
      return Vector3d(Isochoric(X + m * d, dimension) - Isochoric(X - m * d, dimension));
    };
    gradient.col(axis) = (45.0 * difference(1) - 9.0 * difference(2) + difference(3)) / 0.06;
  }
  return gradient;
}

struct Errors {
  double displacement = 0.0, gradient = 0.0;  // in L², relative
};

Errors ErrorsOf(SolidMesh mesh, double nu, Kind kind) {
  if (kind == Kind::kLockingFree && mesh.shape == ElementShape::kTriangle6) mesh = WithMiddles(mesh);
  const int dimension = DimensionOf(mesh.shape);
  const double E = 1e3, mu = 0.5 * E / (1.0 + nu);
  const Discretisation bodies = BodyOf(mesh, E, nu, kind);
  StaticLoad load;
  Matrix3Xd q = bodies.part(0).rest(), exact = q;
  for (int i = 0; i < q.cols(); ++i) exact.col(i) += Isochoric(q.col(i), dimension);
  load.rows = Clamp(bodies, NodesWhere(bodies, [](const Vector3d& x) { return x.x() < 1e-12; }));
  load.begin = RowsAt(load.rows, q);
  load.end = RowsAt(load.rows, exact);
  load.force = Matrix3Xd::Zero(3, q.cols());
  const ElementRule rule = MassRule(mesh.shape);
  const auto for_points = [&](const auto& visit) {
    for (int e = 0; e < mesh.elements.cols(); ++e) {
      const Matrix3Xd X = mesh.nodes(Eigen::all, mesh.elements.col(e));
      for (int g = 0; g < rule.weights.size(); ++g) {
        const ShapeFunctions shape = ShapeFunctionsAt(mesh.shape, rule.points.col(g));
        const Eigen::MatrixXd J = X.topRows(dimension) * shape.derivatives.transpose();
        Matrix3Xd G = Matrix3Xd::Zero(3, X.cols());
        G.topRows(dimension) = J.inverse().transpose() * shape.derivatives;
        visit(e, Vector3d(X * shape.values), shape, G, rule.weights[g] * J.determinant());
      }
    }
  };
  for_points([&](int e, const Vector3d& X, const ShapeFunctions&, const Matrix3Xd& G, double w) {
    const Matrix3d gradient = GradientOf(X, dimension);
    load.force(Eigen::all, mesh.elements.col(e)) +=
        w * mu * (gradient + gradient.transpose()) * G;
  });
  EXPECT_TRUE(SolveStatics(bodies, load, {.tolerance = 1e-9}, &q).converged);
  Errors error, size;
  for_points(
      [&](int e, const Vector3d& X, const ShapeFunctions& shape, const Matrix3Xd& G, double w) {
        const Matrix3Xd u = (q - mesh.nodes)(Eigen::all, mesh.elements.col(e));
        error.displacement += w * (u * shape.values - Isochoric(X, dimension)).squaredNorm();
        error.gradient += w * (u * G.transpose() - GradientOf(X, dimension)).squaredNorm();
        size.displacement += w * Isochoric(X, dimension).squaredNorm();
        size.gradient += w * GradientOf(X, dimension).squaredNorm();
      });
  return {std::sqrt(error.displacement / size.displacement),
          std::sqrt(error.gradient / size.gradient)};
}

TEST(FiniteElementLocking, Measure) {
  for (const int shape : {0, 1, 2}) {
    for (const Kind kind : {Kind::kPointwise, Kind::kLockingFree}) {
      for (const double nu : {0.3, 0.49, 0.4999, 0.4999999}) {
        printf("shape %d %s nu %g:", shape, kind == Kind::kPointwise ? "pointwise" : "free", nu);
        Errors before;
        for (int level = 0; level < 3; ++level) {
          const int n = shape == 0 ? 4 << level : 1 << level;
          const SolidMesh mesh =
              shape == 0   ? MappedRectangle(n, n, [](double s, double t) { return Vector3d(s, t, 0); })
              : shape == 1 ? TetrahedraOfBox({1, 1, 1}, n)
                           : BoxMesh({1, 1, 1}, n, n, n);
          const Errors e = ErrorsOf(mesh, nu, kind);
          printf("  %.2e (%.2f) %.2e (%.2f)", e.displacement,
                 std::log2(before.displacement / e.displacement), e.gradient,
                 std::log2(before.gradient / e.gradient));
          before = e;
        }
        printf("\n");
      }
    }
  }
}

// [Cook 1974]: a tapered panel, clamped on the left, pulled up by an even shear on the right.
std::array<double, 2> CooksMembrane(int n, double E, double nu, double force, Kind kind) {
  const SolidMesh mesh = MappedRectangle(n, n, [](double s, double t) {
    return Vector3d(48.0 * s, 44.0 * s * (1.0 - t) + (44.0 + 16.0 * s) * t, 0.0);
  });
  const Discretisation bodies = BodyOf(mesh, E, nu, kind);
  StaticLoad load;
  Matrix3Xd q = bodies.part(0).rest();
  load.rows = Clamp(bodies, NodesWhere(bodies, [](const Vector3d& x) { return x.x() < 1e-9; }));
  load.begin = load.end = RowsAt(load.rows, q);
  load.force = Matrix3Xd::Zero(3, q.cols());
  for (const int node : NodesWhere(bodies, [](const Vector3d& x) { return x.x() > 48.0 - 1e-9; })) {
    const int place = static_cast<int>(std::lround((q(1, node) - 44.0) / 16.0 * 2 * n));
    const double weight = place % 2 == 1 ? 4.0 : place == 0 || place == 2 * n ? 1.0 : 2.0;
    load.force(1, node) = force * weight / (6.0 * n);
  }
  EXPECT_TRUE(SolveStatics(bodies, load, {.tolerance = 1e-9}, &q).converged);
  const auto rise = [&](double y) {
    const int node = NodeAt(bodies, {48.0, y, 0.0});
    return q(1, node) - bodies.part(0).rest()(1, node);
  };
  return {rise(52.0), rise(60.0)};
}

TEST(FiniteElementLocking, MeasureCook) {
  for (const Kind kind : {Kind::kPointwise, Kind::kLockingFree}) {
    for (int n = 2; n <= 32; n *= 2) {
      const auto [a, b] = CooksMembrane(n, 1.12499998125, 0.499999975, 1.0, kind);
      const auto [c, d] = CooksMembrane(n, 250, 0.4999, 100, kind);
      printf("%d n %d: %.5f %.5f   %.5f %.5f\n", static_cast<int>(kind), n, a, b, c, d);
    }
  }
}

}  // namespace
}  // namespace pliant::finite_elements
