// Shells against automatic differentiation, the laws of parts, patch tests and published statics.

#include "models/finite_elements/shell.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>
#include <vector>

#include "tests/models/finite_elements/nested_jets.h"
#include "tests/models/finite_elements/part_laws.h"

namespace pliant::finite_elements {
namespace {

using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;

constexpr ShellSection kSection = {800.0, 2.0, 0.3, 0.3};

// The energy at a point in orthonormal axes of the surface at rest: strains and changes of curvature
// are pulled there with ∂(u, v)/∂(X, Y), where the law is Hooke's in plane stress.
template <typename T>
T PointEnergy(const SurfaceDerivatives& rest, double weight, const std::array<T, 15>& z) {
  const auto number = [](double x) { return Constant<T>(x); };
  const auto dot = [](const std::array<T, 3>& a, const std::array<T, 3>& b) -> T {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  };
  const auto column = [&z](int c) {
    return std::array<T, 3>{z[3 * c], z[3 * c + 1], z[3 * c + 2]};
  };
  const std::array<T, 3> a = column(0), b = column(1);
  const std::array<T, 3> cross{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                               a[0] * b[1] - a[1] * b[0]};
  const T area = sqrt(dot(cross, cross));
  const std::array<T, 3> normal{cross[0] / area, cross[1] / area, cross[2] / area};

  const Vector3d A = rest.col(0), B = rest.col(1), across = A.cross(B);
  const Vector3d N = across.normalized(), X = A.normalized(), Y = N.cross(X);
  Eigen::Matrix2d to_parameters;
  to_parameters << A.dot(X), B.dot(X), A.dot(Y), B.dot(Y);
  to_parameters = to_parameters.inverse().eval();

  const T e[2][2] = {
      {number(0.5) * (dot(a, a) - number(A.dot(A))), number(0.5) * (dot(a, b) - number(A.dot(B)))},
      {number(0.5) * (dot(a, b) - number(A.dot(B))), number(0.5) * (dot(b, b) - number(B.dot(B)))}};
  const auto bend = [&](int c) { return number(N.dot(rest.col(c))) - dot(column(c), normal); };
  const T k[2][2] = {{bend(2), bend(4)}, {bend(4), bend(3)}};
  T energy = number(0.0);
  const double E = kSection.youngs_modulus, nu = kSection.poisson_ratio, t = kSection.thickness;
  for (int part = 0; part < 2; ++part) {
    T s[2][2];
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 2; ++j) {
        s[i][j] = number(0.0);
        for (int p = 0; p < 2; ++p) {
          for (int q = 0; q < 2; ++q) {
            s[i][j] +=
                number(to_parameters(p, i) * to_parameters(q, j)) * (part == 0 ? e[p][q] : k[p][q]);
          }
        }
      }
    }
    const T hooke = s[0][0] * s[0][0] + s[1][1] * s[1][1] + number(2.0 * nu) * s[0][0] * s[1][1] +
                    number(2.0 * (1.0 - nu)) * s[0][1] * s[0][1];
    const double height = part == 0 ? t : t * t * t / 12.0;
    energy += number(0.5 * E / (1.0 - nu * nu) * height * weight * across.norm()) * hooke;
  }
  return energy;
}

TEST(ShellPoint, GradientAndTangentAreThoseOfAutomaticDifferentiation) {
  RandomNumbers random(5);
  for (int trial = 0; trial < 4; ++trial) {
    SurfaceDerivatives rest = 0.3 * random.Matrix(3, 5);
    rest.col(0) += Vector3d::UnitX();
    rest.col(1) += Vector3d(0.3, 1.2, 0.0);
    const Eigen::Matrix3d turn =
        Eigen::AngleAxisd(1.0 + trial, random.Vector().normalized()).toRotationMatrix();
    const SurfaceDerivatives z = turn * (rest + 0.2 * random.Matrix(3, 5));
    std::array<NestedJet<15>, 15> variables;
    for (int i = 0; i < 15; ++i) variables[i] = Variable<15>(z(i % 3, i / 3), i);
    const NestedJet<15> oracle = PointEnergy(rest, 0.7, variables);

    const ShellPoint point(rest, 0.7, kSection.youngs_modulus, kSection.poisson_ratio,
                           kSection.thickness);
    const ShellStress stress = StressOf(point, z);
    const SurfaceDerivatives g = ShellGradient(z, stress);
    const SurfaceTangent h = ShellTangent(point, z, stress);
    EXPECT_NEAR(ShellEnergy(point, z), oracle.a.a, 1e-13 * oracle.a.a);
    for (int i = 0; i < 15; ++i) {
      EXPECT_NEAR(g(i % 3, i / 3), oracle.v[i].a, 1e-12 * g.norm());
      for (int j = 0; j < 15; ++j) EXPECT_NEAR(h(i, j), oracle.v[i].v[j], 1e-12 * h.norm());
    }
  }
}

Shell SkewedSheet() {
  return Shell(FlatSurface(Vector3d(-0.5, 0.2, 0.0), Vector3d(2.0, 0.3, 0.0),
                           Vector3d(-0.2, 1.5, 0.4), {3, 2}),
               kSection);
}
Shell SmallTube() { return Shell(TubeSurface(0.6, 1.4, {6, 2}), kSection); }
Shell SmallTorus() { return Shell(TorusSurface(1.2, 0.5, {7, 5}), kSection); }

// Elements against differences of energies along random directions: the chain from nodes to points.
TEST(Shell, GradientAndTangentAreDerivatives) {
  for (const Shell& shell : {SkewedSheet(), SmallTube(), SmallTorus()}) {
    const Matrix3Xd q = Disturbed(shell, 0.05, 2);
    const Matrix3Xd direction = RandomNumbers(9).Vectors(shell.node_count());
    const double h = 1e-3;
    const auto energy = [&](double step) { return Energy(shell, q + step * direction); };
    const auto gradient = [&](double step) { return GradientOf(shell, q + step * direction); };
    // Sixth order differences.
    const double slope = (45.0 * (energy(h) - energy(-h)) - 9.0 * (energy(2 * h) - energy(-2 * h)) +
                          (energy(3 * h) - energy(-3 * h))) /
                         (60.0 * h);
    const Matrix3Xd rate =
        (45.0 * (gradient(h) - gradient(-h)) - 9.0 * (gradient(2 * h) - gradient(-2 * h)) +
         (gradient(3 * h) - gradient(-3 * h))) /
        (60.0 * h);
    EXPECT_NEAR(GradientOf(shell, q).cwiseProduct(direction).sum(), slope, 1e-8 * std::abs(slope));
    Eigen::SparseMatrix<double> k(3 * shell.node_count(), 3 * shell.node_count());
    const Triplets entries = TangentEntries(shell, q);
    k.setFromTriplets(entries.begin(), entries.end());
    const Eigen::VectorXd product = k * direction.reshaped();
    EXPECT_LT((product - rate.reshaped()).norm(), 1e-8 * product.norm());
  }
}

TEST(Shell, RigidMotionsMakeNoStrainAndTurnForces) {
  for (const Shell& shell : {SkewedSheet(), SmallTube(), SmallTorus()}) {
    ExpectRigidMotionsWithoutStrain(shell, 10.0);
    ExpectRotationTurnsForces(shell, Disturbed(shell, 0.05, 3));
  }
}

TEST(Shell, DiscreteGradientKeepsEnergyAndMomenta) {
  for (const Shell& shell : {SkewedSheet(), SmallTube(), SmallTorus()}) {
    ExpectDiscreteGradient(shell, Disturbed(shell, 0.03, 3), Disturbed(shell, 0.03, 4));
  }
}

TEST(Shell, ViscosityTakesEnergyAndDampsNoRotation) {
  for (const Shell& shell : {SkewedSheet(), SmallTube(), SmallTorus()}) {
    ExpectViscosity(shell, Disturbed(shell, 0.03, 3), Disturbed(shell, 0.03, 4));
  }
}

// A turned flat sheet: the discrete gradient is smooth where no strain and no curvature changes.
TEST(Shell, DiscreteGradientOfARotationVanishes) {
  const Shell sheet = SkewedSheet();
  const Matrix3Xd turned =
      Eigen::AngleAxisd(0.7, Vector3d(0.2, 0.5, -0.4).normalized()).toRotationMatrix() *
      sheet.rest();
  Matrix3Xd g = Matrix3Xd::Zero(3, sheet.node_count());
  AddDiscreteGradient(sheet, sheet.rest(), turned, g);
  EXPECT_LT(g.norm(), 1e-13);
}

TEST(Shell, ParametersOfPointsAndMassAreThoseOfTheBody) {
  MiddleSurface surface = TubeSurface(0.6, 1.4, {12, 3});
  surface.points.resize(2, 24);  // 6 around, at knots, × 4 along
  for (int i = 0; i < 24; ++i) surface.points.col(i) << (i % 6) / 6.0, (i / 6) / 3.0;
  const Shell tube(surface, kSection);
  const Matrix3Xd points = tube.rest() * tube.embedding().transpose();
  for (int i = 0; i < 24; ++i) {
    EXPECT_LT((points.col(i) - surface.at(surface.points(0, i), surface.points(1, i))).norm(),
              1e-14);
  }
  // Area and mass converge with order 4.
  const double unit = kSection.density * kSection.thickness;
  std::vector<double> tubes, tori;
  for (const int n : {8, 16, 32}) {
    const Shell torus(TorusSurface(1.2, 0.5, {n, n}), kSection);
    tubes.push_back(std::abs(Shell(TubeSurface(0.6, 1.4, {n, 2}), kSection).mass().sum() / unit -
                             2.0 * M_PI * 0.6 * 1.4));
    tori.push_back(std::abs(torus.mass().sum() / unit - 4.0 * M_PI * M_PI * 1.2 * 0.5));
  }
  for (const std::vector<double>& errors : {tubes, tori}) {
    EXPECT_NEAR(std::log2(errors[0] / errors[1]), 4.0, 0.4);
    EXPECT_NEAR(std::log2(errors[1] / errors[2]), 4.0, 0.2);
  }
}

TEST(Shell, RowsAlongEdgesAreThoseOfTheEdge) {
  const Shell tube = SmallTube();
  EXPECT_TRUE(tube.EdgeRow(Shell::Edge::kUBegin, 0).empty());
  EXPECT_EQ(tube.EdgeRow(Shell::Edge::kVEnd, 0).size(), 6u);
  for (int i : tube.EdgeRow(Shell::Edge::kVEnd, 0)) EXPECT_NEAR(tube.rest()(2, i), 0.7, 1e-14);
  const Shell sheet(FlatSurface(Vector3d::Zero(), Vector3d::UnitX(), Vector3d::UnitY(), {3, 3}),
                    kSection);
  for (int i : sheet.EdgeRow(Shell::Edge::kUBegin, 0)) EXPECT_NEAR(sheet.rest()(0, i), 0.0, 1e-14);
  for (int i : sheet.EdgeRow(Shell::Edge::kUEnd, 1)) {
    EXPECT_NEAR(sheet.rest()(0, i), 1.0 - 1.0 / 9.0, 1e-14);
  }
}

// A uniform stretch, and a small bend w = ½ (κ₁ x² + κ₂ y²) + κ₁₂ x y, on a skewed parameter grid.
TEST(Shell, PassesThePatchTests) {
  const double E = kSection.youngs_modulus, nu = kSection.poisson_ratio, t = kSection.thickness;
  const Shell sheet(FlatSurface(Vector3d(0.1, 0.2, 0.0), Vector3d(2.0, 0.3, 0.0),
                                Vector3d(0.4, 1.5, 0.0), {3, 4}),
                    kSection);
  const double area = 2.0 * 1.5 - 0.3 * 0.4;
  const auto inner = [&sheet](const Matrix3Xd& forces, int rows) {
    double largest = 0.0;
    for (int j = rows; j < sheet.v().size() - rows; ++j) {
      for (int i = rows; i < sheet.u().size() - rows; ++i) {
        largest = std::max(largest, forces.col(sheet.ControlPoint(i, j)).norm());
      }
    }
    return largest;
  };

  Eigen::Matrix3d f;
  f << 1.1, 0.05, 0.0, -0.02, 0.93, 0.0, 0.04, 0.01, 1.0;
  const Eigen::Matrix3d green = 0.5 * (f.transpose() * f - Eigen::Matrix3d::Identity());
  const Eigen::Matrix2d e = green.topLeftCorner<2, 2>();
  const auto hooke = [&](const Eigen::Matrix2d& s) {
    return E / (1.0 - nu * nu) * (nu * s.trace() * s.trace() + (1.0 - nu) * s.squaredNorm());
  };
  EXPECT_NEAR(Energy(sheet, f * sheet.rest()), 0.5 * t * hooke(e) * area, 1e-13);
  EXPECT_LT(inner(GradientOf(sheet, f * sheet.rest()), 1), 1e-13);

  Eigen::Matrix2d k;
  k << 0.7, -0.4, -0.4, 0.2;
  MatrixXd values(sheet.u().size(), sheet.v().size());
  for (int j = 0; j < values.cols(); ++j) {
    for (int i = 0; i < values.rows(); ++i) {
      const double u = sheet.u().Greville(i), v = sheet.v().Greville(j);
      const Eigen::Vector2d x(0.1 + 2.0 * u + 0.4 * v, 0.2 + 0.3 * u + 1.5 * v);
      values(i, j) = 0.5 * x.dot(k * x);
    }
  }
  const MatrixXd bend = sheet.u().Interpolation() * values * sheet.v().Interpolation().transpose();
  Matrix3Xd w = Matrix3Xd::Zero(3, sheet.node_count());
  w.row(2) = bend.reshaped().transpose();
  Eigen::SparseMatrix<double> tangent(3 * sheet.node_count(), 3 * sheet.node_count());
  const Triplets entries = TangentEntries(sheet, sheet.rest());
  tangent.setFromTriplets(entries.begin(), entries.end());
  const Matrix3Xd forces = (tangent * w.reshaped()).reshaped(3, sheet.node_count());
  EXPECT_NEAR(0.5 * forces.cwiseProduct(w).sum(), 0.5 * t * t * t / 12.0 * hooke(k) * area, 1e-13);
  EXPECT_LT(inner(forces, 2), 1e-13);
}

// Clamped at u = 0: the edge, and the height of the next row, which holds its slope.
std::set<int> ClampedAtTheBegin(const Shell& shell) {
  std::set<int> fixed;
  for (int i : shell.EdgeRow(Shell::Edge::kUBegin, 0)) fixed.insert({3 * i, 3 * i + 1, 3 * i + 2});
  for (int i : shell.EdgeRow(Shell::Edge::kUBegin, 1)) fixed.insert(3 * i + 2);
  return fixed;
}

// ∫ M_j dv for the control points across an edge u = 1 of a strip of width 1.
Eigen::VectorXd EdgeWeights(const Shell& shell) {
  Eigen::VectorXd weights = Eigen::VectorXd::Zero(shell.v().size());
  const BSplineTable table(shell.v(), 4);
  for (size_t g = 0; g < table.s.size(); ++g) {
    const std::array<int, 4> functions = shell.v().Functions(static_cast<int>(g) / 4);
    for (int a = 0; a < 4; ++a) {
      weights(functions[a]) += table.weights[g] * table.values[g].value(a);
    }
  }
  return weights;
}

Vector3d EdgeMiddle(const Shell& shell, const Matrix3Xd& q) {
  return q * shell.Functions(Eigen::Vector2d(1.0, 0.5)).transpose();
}

// [Sze, Liu & Lo 2004, Sec. 3.2]: a moment at the end rolls the strip up to a full circle.
TEST(Shell, RollsUpUnderAnEndMoment) {
  const double length = 12.0;
  const Shell strip(
      FlatSurface(Vector3d::Zero(), Vector3d(length, 0.0, 0.0), Vector3d::UnitY(), {20, 1}),
      {1.0, 1.2e6, 0.0, 0.1});
  const FreeUnknowns unknowns(strip, ClampedAtTheBegin(strip));
  const Eigen::VectorXd weights = EdgeWeights(strip);
  const std::vector<int> edge = strip.EdgeRow(Shell::Edge::kUEnd, 0);
  const std::vector<int> next = strip.EdgeRow(Shell::Edge::kUEnd, 1);
  // The work of a moment is M times the angle atan2(d_z, d_x) of the tangent along d.
  const Load moment = [&](const Matrix3Xd& q, double factor, Matrix3Xd* forces, Triplets* k) {
    for (size_t j = 0; j < edge.size(); ++j) {
      const double m = factor * 50.0 * M_PI / 3.0 * weights(j);
      const Vector3d d = q.col(edge[j]) - q.col(next[j]);
      const double square = d.x() * d.x() + d.z() * d.z();
      const Eigen::Vector2d slope(-d.z() / square, d.x() / square);
      Eigen::Matrix2d second;
      second << 2.0 * d.x() * d.z(), d.z() * d.z() - d.x() * d.x(), d.z() * d.z() - d.x() * d.x(),
          -2.0 * d.x() * d.z();
      second /= square * square;
      for (int a = 0; a < 2; ++a) {
        (*forces)(2 * a, edge[j]) += m * slope(a);
        (*forces)(2 * a, next[j]) -= m * slope(a);
        for (int b = 0; b < 2; ++b) {
          const double entry = m * second(a, b);
          k->emplace_back(3 * edge[j] + 2 * a, 3 * edge[j] + 2 * b, -entry);
          k->emplace_back(3 * next[j] + 2 * a, 3 * next[j] + 2 * b, -entry);
          k->emplace_back(3 * edge[j] + 2 * a, 3 * next[j] + 2 * b, entry);
          k->emplace_back(3 * next[j] + 2 * a, 3 * edge[j] + 2 * b, entry);
        }
      }
    }
  };
  Matrix3Xd q = strip.rest();
  constexpr int kSteps = 20;
  for (int step = 1; step <= kSteps; ++step) {
    const double factor = static_cast<double>(step) / kSteps;
    Follow(strip, unknowns, moment, factor - 1.0 / kSteps, factor, &q);
    const Vector3d tip = EdgeMiddle(strip, q);
    const double theta = 2.0 * M_PI * factor;
    const double u = length * (1.0 - std::sin(theta) / theta);
    const double w = length * (1.0 - std::cos(theta)) / theta;
    EXPECT_NEAR(length - tip.x(), u, 0.002 * length) << factor;
    EXPECT_NEAR(tip.z(), w, 0.002 * length) << factor;
  }
}

// Scordelis–Lo roof: under its weight of 90 per area, on diaphragms at both ends; the middle of the
// free edges sinks by 0.3006 in the theory without shear [Kiendl 2009, Sec. 5.1.1; Belytschko 1985
// gives 0.3024 with shallow shells].
TEST(Shell, ScordelisLoRoof) {
  const double radius = 25.0, length = 50.0, half = 40.0 * M_PI / 180.0;
  std::vector<double> sags;
  for (const int n : {6, 12, 18}) {
    MiddleSurface surface =
        FlatSurface(Vector3d::Zero(), Vector3d::Zero(), Vector3d::Zero(), {n, n});
    surface.at = [=](double u, double v) {
      const double angle = half * (2.0 * u - 1.0);
      return Vector3d(radius * std::sin(angle), length * v, radius * std::cos(angle));
    };
    const Shell roof(surface, {360.0, 4.32e8, 0.0, 0.25});  // 360 · 0.25 = 90 per area
    std::set<int> fixed;
    for (const Shell::Edge edge : {Shell::Edge::kVBegin, Shell::Edge::kVEnd}) {
      for (int i : roof.EdgeRow(edge, 0)) fixed.insert({3 * i, 3 * i + 2});
    }
    fixed.insert(1);  // against sliding along y
    const FreeUnknowns unknowns(roof, fixed);
    Matrix3Xd weight = Matrix3Xd::Zero(3, roof.node_count());
    weight.row(2) = -(roof.mass() * Eigen::VectorXd::Ones(roof.node_count())).transpose();
    const Eigen::SparseMatrix<double> k = unknowns.Take(TangentEntries(roof, roof.rest()));
    Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factors(k);
    Matrix3Xd moved = Matrix3Xd::Zero(3, roof.node_count());
    unknowns.Add(factors.solve(unknowns.Take(weight)), &moved);
    const Vector3d edge = moved * roof.Functions(Eigen::Vector2d(1.0, 0.5)).transpose();
    sags.push_back(-edge.z());
  }
  EXPECT_GT((sags[2] - sags[0]) / (sags[2] - sags[1]), 16.0);  // it converges
  EXPECT_NEAR(sags[2], 0.3006, 0.003 * 0.3006);
}

}  // namespace
}  // namespace pliant::finite_elements
