// Equilibria against published values and closed forms.

#include "solvers/finite_elements/statics.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <array>
#include <cmath>
#include <numbers>

#include "tests/solvers/finite_elements/meshes.h"

namespace pliant::finite_elements {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

// The bar of Turek & Hron's benchmark, clamped along the arc of the cylinder.
Discretisation TurekHronBar(int nx, int ny) {
  const SolidMesh mesh = MappedRectangle(nx, ny, [](double s, double t) {
    const double y = 0.19 + 0.02 * t;
    const double left = 0.2 + std::sqrt(0.05 * 0.05 - (y - 0.2) * (y - 0.2));
    return Vector3d(left + s * (0.6 - left), y, 0.0);
  });
  const double mu = 0.5e6, nu = 0.4;
  return Single(
      mesh, Law(ElasticLaw::kStVenantKirchhoff, 2.0 * mu * (1.0 + nu), nu, Law::Kind::kPlaneStrain),
      1000.0);
}

StaticSolution Hang(const Discretisation& bodies, const std::vector<int>& held,
                    const Vector3d& gravity, Matrix3Xd* q) {
  StaticLoad load;
  load.rows = Clamp(bodies, held);
  load.begin = load.end = RowsAt(load.rows, *q);
  load.force = gravity * (bodies.mass() * Eigen::VectorXd::Ones(bodies.node_count())).transpose();
  return SolveStatics(bodies, load, {}, q);
}

// [Turek & Hron 2006] CSM1: u_x = −7.187e-3, u_y = −66.10e-3 (finest −7.18767e-3, −66.1023e-3).
TEST(FiniteElementStatics, TurekHronBarUnderItsWeight) {
  Vector3d coarsest, coarser;
  for (const int ny : {2, 4, 8}) {
    const Discretisation bodies = TurekHronBar(17 * ny, ny);
    Matrix3Xd q = bodies.part(0).rest();
    const auto held = NodesWhere(bodies, [](const Vector3d& x) {
      return std::abs((x - Vector3d(0.2, 0.2, 0.0)).norm() - 0.05) < 1e-9;
    });
    ASSERT_EQ(static_cast<int>(held.size()), 2 * ny + 1);
    const StaticSolution solution = Hang(bodies, held, {0.0, -2.0, 0.0}, &q);
    ASSERT_TRUE(solution.converged);
    EXPECT_LE(solution.iterations, 16);
    const int tip = NodeAt(bodies, {0.6, 0.2, 0.0});
    const Vector3d u = q.col(tip) - bodies.part(0).rest().col(tip);
    RecordProperty("ux_" + std::to_string(ny), std::to_string(u.x()));
    RecordProperty("uy_" + std::to_string(ny), std::to_string(u.y()));
    if (ny == 8) {
      EXPECT_NEAR(u.x(), -7.18767e-3, 1e-3 * 7.18767e-3);
      EXPECT_NEAR(u.y(), -66.1023e-3, 1e-3 * 66.1023e-3);
      // The corners of the clamp are singular, so that the order is below 4, that of smooth solutions.
      EXPECT_GT(std::log2((coarser.y() - coarsest.y()) / (u.y() - coarser.y())), 1.5);
    }
    coarsest = coarser;
    coarser = u;
  }
}

// A strip of plane stress, ν = 0, tends to the inextensible elastica as (thickness/length)²; table
// of the exact elastica [Bisshopp & Drucker 1945].
TEST(FiniteElementStatics, ThinStripsTendToTheElastica) {
  constexpr std::array<std::array<double, 3>, 4> kTable = {{{1.0, 0.301721, 0.943567},
                                                            {3.0, 0.603253, 0.745580},
                                                            {6.0, 0.744571, 0.565411},
                                                            {10.0, 0.810609, 0.445004}}};
  std::array<std::array<Vector3d, 4>, 3> error;
  for (int thinner = 0; thinner < 3; ++thinner) {
    const double h = 0.04 * std::pow(0.5, thinner), E = 1e6;
    const Discretisation bodies =
        Single(MappedRectangle(40 << thinner, 1,
                               [h](double s, double t) { return Vector3d(s, h * (t - 0.5), 0); }),
               Law(ElasticLaw::kStVenantKirchhoff, E, 0.0, Law::Kind::kPlaneStress), 1.0, 1.0);
    StaticLoad load;
    Matrix3Xd q = bodies.part(0).rest();
    load.rows = Clamp(bodies, NodesWhere(bodies, [](const Vector3d& x) { return x.x() < 1e-12; }));
    load.begin = load.end = RowsAt(load.rows, q);
    const int tip = NodeAt(bodies, {1.0, 0.0, 0.0});
    for (size_t row = 0; row < kTable.size(); ++row) {
      const auto [alpha, delta, x_tip] = kTable[row];
      const double P = alpha * E * h * h * h / 12.0;
      load.force = Matrix3Xd::Zero(3, q.cols());
      // Uniform over the end: Simpson's weights of its three nodes.
      for (const int node :
           NodesWhere(bodies, [](const Vector3d& x) { return x.x() > 1.0 - 1e-12; })) {
        load.force(1, node) = node == tip ? 2.0 / 3.0 * P : P / 6.0;
      }
      q = bodies.part(0).rest();
      ASSERT_TRUE(SolveStatics(bodies, load, {.load_steps = 4}, &q).converged) << alpha;
      error[thinner][row] = Vector3d(q(0, tip) - x_tip, q(1, tip) - delta, 0.0);
    }
  }
  for (size_t row = 0; row < kTable.size(); ++row) {
    const double first = error[0][row].norm(), second = error[1][row].norm(),
                 third = error[2][row].norm();
    EXPECT_LT(third, 6e-4) << kTable[row][0];
    EXPECT_NEAR(std::log2(first / second), 2.0, 0.35) << kTable[row][0];
    EXPECT_NEAR(std::log2(second / third), 2.0, 0.35) << kTable[row][0];
    // The limit.
    const Vector3d limit = (4.0 * error[2][row] - error[1][row]) / 3.0;
    EXPECT_LT(limit.norm(), 1e-4) << kTable[row][0];
  }
}

// [Timoshenko] The displacement is quadratic, so that one element has it exactly.
TEST(FiniteElementStatics, BarHangsUnderItsWeight) {
  const double L = 0.4, a = 0.1, E = 2e5, nu = 0.3, rho = 1000.0, g = 9.81;
  const Discretisation bodies =
      Single(BoxMesh({a, a, L}, 2, 2, 3), Law(ElasticLaw::kLinear, E, nu, Law::Kind::kSolid), rho);
  // z from the free end, downwards; x and y from the axis.
  const auto exact = [&](const Vector3d& X) {
    const double x = X.x() - 0.5 * a, y = X.y() - 0.5 * a, z = X.z();
    return Vector3d(
        -nu * rho * g * x * z / E, -nu * rho * g * y * z / E,
        rho * g * (z * z - L * L) / (2.0 * E) + nu * rho * g * (x * x + y * y) / (2.0 * E));
  };
  const auto top = NodesWhere(bodies, [&](const Vector3d& x) { return x.z() > L - 1e-9; });
  StaticLoad load;
  Matrix3Xd q = bodies.part(0).rest();
  load.rows = Clamp(bodies, top);
  load.begin = RowsAt(load.rows, q);
  Matrix3Xd solution = q;
  for (int n = 0; n < q.cols(); ++n) solution.col(n) += exact(q.col(n));
  load.end = RowsAt(load.rows, solution);
  load.force =
      Vector3d(0, 0, -g) * (bodies.mass() * Eigen::VectorXd::Ones(bodies.node_count())).transpose();
  ASSERT_TRUE(SolveStatics(bodies, load, {}, &q).converged);
  EXPECT_LT((q - solution).cwiseAbs().maxCoeff(), 1e-12);
  const int tip = NodeAt(bodies, {0.5 * a, 0.5 * a, 0.0});
  EXPECT_NEAR(q(2, tip), -3.92400e-3, 1e-10);
}

// u(r) = ρ ω²/(2 E) (a² r − r³/3): one dimension, so ν = 0.
TEST(FiniteElementStatics, BarRotatesAboutItsCentre) {
  const double a = 0.2, E = 2e5, rho = 1000.0, omega = 3.0;
  const Discretisation bodies = Single(BoxMesh({a, 0.02, 0.02}, 6, 1, 1),
                                       Law(ElasticLaw::kLinear, E, 0.0, Law::Kind::kSolid), rho);
  StaticLoad load;
  Matrix3Xd q = bodies.part(0).rest();
  load.rows = Clamp(bodies, NodesWhere(bodies, [](const Vector3d& x) { return x.x() < 1e-12; }));
  load.begin = load.end = RowsAt(load.rows, q);
  load.force = Matrix3Xd::Zero(3, q.cols());
  load.force.row(0) = omega * omega * (bodies.mass() * q.row(0).transpose()).transpose();
  ASSERT_TRUE(SolveStatics(bodies, load, {}, &q).converged);
  const int tip = NodeAt(bodies, {a, 0.0, 0.0});
  EXPECT_NEAR(q(0, tip) - a, 1.2e-4, 1e-12);
}

// A smooth motion φ, whose stress loads the body: f_i = ∫ P(∇φ) ∇N_i dV. The discrete solution is then
// the best one can do, of order 3 in displacements and 2 in their gradients.
TEST(FiniteElementStatics, ManufacturedSolutionsConvergeAtTheirOrders) {
  const auto phi = [](const Vector3d& X) {
    return Vector3d(X.x() + 0.06 * std::sin(1.5 * X.x() + X.y()) * X.x(),
                    X.y() + 0.06 * X.x() * std::cos(2.0 * X.y() - X.x()),
                    X.z() * (1.0 + 0.05 * X.x()));
  };
  const auto gradient = [&](const Vector3d& X) {
    Eigen::Matrix3d F;
    for (int axis = 0; axis < 3; ++axis) {
      const double h = 1e-5;
      const Vector3d d = h * Vector3d::Unit(axis);
      F.col(axis) =
          (8.0 * (phi(X + d) - phi(X - d)) - (phi(X + 2 * d) - phi(X - 2 * d))) / (12 * h);
    }
    return F;
  };
  const Law law(ElasticLaw::kNeoHookeanStable, 1e3, 0.35, Law::Kind::kSolid);
  std::array<double, 3> displacement_error{}, gradient_error{};
  for (int level = 0; level < 3; ++level) {
    const int n = 1 << level;
    const SolidMesh mesh = BoxMesh({1.0, 0.5, 0.5}, 2 * n, n, n);
    const Discretisation bodies = Single(mesh, law, 1.0);
    StaticLoad load;
    Matrix3Xd q = bodies.part(0).rest();
    load.rows = Clamp(bodies, NodesWhere(bodies, [](const Vector3d& x) { return x.x() < 1e-12; }));
    load.begin = RowsAt(load.rows, q);
    Matrix3Xd exact = q;
    for (int i = 0; i < q.cols(); ++i) exact.col(i) = phi(q.col(i));
    load.end = RowsAt(load.rows, exact);
    load.force = Matrix3Xd::Zero(3, q.cols());
    const ElementRule rule = EnergyRule(mesh.shape);
    const auto for_points = [&](const auto& visit) {
      for (int e = 0; e < mesh.elements.cols(); ++e) {
        const Matrix3Xd X = mesh.nodes(Eigen::all, mesh.elements.col(e));
        for (int g = 0; g < rule.weights.size(); ++g) {
          const ShapeFunctions shape = ShapeFunctionsAt(mesh.shape, rule.points.col(g));
          const Eigen::Matrix3d J = X * shape.derivatives.transpose();
          visit(e, Vector3d(X * shape.values), shape,
                Matrix3Xd(J.inverse().transpose() * shape.derivatives),
                rule.weights[g] * J.determinant());
        }
      }
    };
    for_points([&](int e, const Vector3d& X, const ShapeFunctions&, const Matrix3Xd& G, double w) {
      const Eigen::Matrix3d F = gradient(X);
      Law::Response response;
      law.Respond(F.transpose() * F, 1.0, &response);
      const Vector6d& s = response.stress;
      Eigen::Matrix3d S;
      S << s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2];
      load.force(Eigen::all, mesh.elements.col(e)) += w * F * S * G;
    });
    ASSERT_TRUE(SolveStatics(bodies, load, {.load_steps = 2}, &q).converged);
    for_points(
        [&](int e, const Vector3d& X, const ShapeFunctions& shape, const Matrix3Xd& G, double w) {
          const Matrix3Xd x = q(Eigen::all, mesh.elements.col(e));
          displacement_error[level] += w * (x * shape.values - phi(X)).squaredNorm();
          gradient_error[level] += w * (x * G.transpose() - gradient(X)).squaredNorm();
        });
    displacement_error[level] = std::sqrt(displacement_error[level]);
    gradient_error[level] = std::sqrt(gradient_error[level]);
  }
  const auto order = [](double coarse, double fine) { return std::log2(coarse / fine); };
  EXPECT_NEAR(order(displacement_error[1], displacement_error[2]), 3.0, 0.25);
  EXPECT_NEAR(order(gradient_error[1], gradient_error[2]), 2.0, 0.25);
  EXPECT_LT(displacement_error[2], 1e-4);
}

}  // namespace
}  // namespace pliant::finite_elements
