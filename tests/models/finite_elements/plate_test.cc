// Frequencies of thin plates and tubes.
//
// The tables of square plates that verification manuals print (NAFEMS FV16; Barton's values in
// code_aster's SDLS01) are those of short Ritz series, upper bounds: 0.2 % to 1.2 % above the
// converged solution of the equation of plates, as are those that converged programs report against
// them. So the reference here is a Ritz series of 14 × 14 Legendre polynomials, which has converged
// to six digits; the tables bound it from above.

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <array>
#include <cmath>
#include <set>
#include <vector>

#include "models/finite_elements/shell.h"
#include "models/geometry/quadrature.h"
#include "tests/models/finite_elements/part_laws.h"

namespace pliant::finite_elements {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

// λ² of a square plate of side 1, ω = λ² √(D/(ρ t)) : w = Σ c_ij f_i(x) f_j(y), with Legendre
// polynomials, times x² along x where the edge x = 0 is clamped.
VectorXd RitzSquares(int terms, bool clamped, double nu) {
  const QuadratureRule rule = GaussLegendre(terms + 6);
  // moments[a][b](i, j) = ∫ f_i^(a) f_j^(b).
  const auto moments = [&](bool times_square) {
    std::array<std::array<MatrixXd, 3>, 3> sums;
    for (auto& row : sums) {
      for (MatrixXd& sum : row) sum = MatrixXd::Zero(terms, terms);
    }
    for (int g = 0; g < rule.nodes.size(); ++g) {
      const double s = rule.nodes(g), x = 2.0 * s - 1.0;
      std::array<VectorXd, 3> p;  // Legendre polynomials and their derivatives in x
      for (VectorXd& of : p) of = VectorXd::Zero(terms);
      p[0](0) = 1.0;
      p[0](1) = x;
      p[1](1) = 1.0;
      for (int n = 1; n + 1 < terms; ++n) {
        p[0](n + 1) = ((2 * n + 1) * x * p[0](n) - n * p[0](n - 1)) / (n + 1);
        p[1](n + 1) = p[1](n - 1) + (2 * n + 1) * p[0](n);
        p[2](n + 1) = p[2](n - 1) + (2 * n + 1) * p[1](n);
      }
      std::array<VectorXd, 3> f = {p[0], 2.0 * p[1], 4.0 * p[2]};
      if (times_square) {
        f = {s * s * p[0], 2.0 * s * p[0] + s * s * f[1],
             2.0 * p[0] + 4.0 * s * f[1] + s * s * f[2]};
      }
      for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) sums[a][b] += rule.weights(g) * f[a] * f[b].transpose();
      }
    }
    return sums;
  };
  const auto x = moments(clamped), y = moments(false);
  const int n = terms * terms;
  MatrixXd k(n, n), m(n, n);
  for (int p = 0; p < n; ++p) {
    for (int q = 0; q < n; ++q) {
      const int i = p % terms, j = p / terms, r = q % terms, s = q / terms;
      const auto product = [&](int a, int b, int c, int d) {
        return x[a][b](i, r) * y[c][d](j, s);
      };
      // w_xx² + w_yy² + 2 ν w_xx w_yy + 2 (1 − ν) w_xy².
      k(p, q) = product(2, 2, 0, 0) + product(0, 0, 2, 2) +
                nu * (product(2, 0, 0, 2) + product(0, 2, 2, 0)) +
                2.0 * (1.0 - nu) * product(1, 1, 1, 1);
      m(p, q) = product(0, 0, 0, 0);
    }
  }
  return Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd>(k, m, Eigen::EigenvaluesOnly)
      .eigenvalues()
      .cwiseMax(0.0)
      .cwiseSqrt();
}

// Frequencies [Hz] across a flat square plate; motion in its plane is held.
VectorXd PlateFrequencies(const Shell& plate, bool clamped) {
  std::set<int> fixed;
  for (int i = 0; i < plate.node_count(); ++i) fixed.insert({3 * i, 3 * i + 1});
  if (clamped) {
    for (int row : {0, 1}) {
      for (int i : plate.EdgeRow(Shell::Edge::kUBegin, row)) fixed.insert(3 * i + 2);
    }
  }
  return Frequencies(plate, fixed);
}

Shell SquarePlate(double side, int spans, const ShellSection& section) {
  return Shell(FlatSurface(Vector3d::Zero(), side * Vector3d::UnitX(), side * Vector3d::UnitY(),
                           {spans, spans}),
               section);
}

// √(D/(ρ t))/(2 π a²).
double PlateUnit(double side, const ShellSection& section) {
  return std::sqrt(
             section.youngs_modulus * section.thickness * section.thickness /
             (12.0 * section.density * (1.0 - section.poisson_ratio * section.poisson_ratio))) /
         (2.0 * M_PI * side * side);
}

constexpr ShellSection kSteel = {8000.0, 200e9, 0.3, 0.05};  // NAFEMS FV16, side 10

TEST(Plate, TheRitzSeriesHasConverged) {
  for (const bool clamped : {true, false}) {
    const VectorXd coarse = RitzSquares(11, clamped, 0.3), fine = RitzSquares(14, clamped, 0.3);
    const int first = clamped ? 0 : 3;
    for (int n = first; n < first + 6; ++n) {
      EXPECT_NEAR(coarse(n), fine(n), 1e-4 * fine(n)) << n;
      EXPECT_GE(coarse(n), fine(n) * (1.0 - 1e-9));  // from above
    }
  }
}

TEST(Plate, CantileverHasTheFrequenciesOfThePlateEquation) {
  const VectorXd exact = PlateUnit(10.0, kSteel) * RitzSquares(14, true, 0.3);
  const VectorXd f = PlateFrequencies(SquarePlate(10.0, 12, kSteel), true);
  const std::array<double, 6> nafems = {0.421, 1.029, 2.582, 3.306, 3.753, 6.555};
  const std::array<double, 6> barton = {3.492, 8.525, 21.43, 27.33, 31.11, 54.44};
  for (int n = 0; n < 6; ++n) {
    EXPECT_NEAR(f(n), exact(n), 0.0005 * exact(n)) << n;
    // The published upper bounds.
    EXPECT_LT(f(n), nafems[n]);
    EXPECT_NEAR(f(n), nafems[n], 0.012 * nafems[n]);
    EXPECT_LT(f(n), barton[n] * PlateUnit(10.0, kSteel));
    EXPECT_NEAR(f(n), barton[n] * PlateUnit(10.0, kSteel), 0.008 * f(n));
  }
}

TEST(Plate, FreeSquareHasTheFrequenciesOfThePlateEquation) {
  const VectorXd exact = PlateUnit(10.0, kSteel) * RitzSquares(14, false, 0.3);
  const VectorXd f = PlateFrequencies(SquarePlate(10.0, 12, kSteel), false);
  const std::array<double, 5> barton = {13.49, 19.79, 24.43, 35.02, 35.02};
  for (int n = 0; n < 3; ++n) EXPECT_LT(f(n), 1e-4 * f(3));  // rigid motions
  for (int n = 0; n < 5; ++n) {
    EXPECT_NEAR(f(3 + n), exact(3 + n), 0.0005 * exact(3 + n)) << n;
    EXPECT_LT(f(3 + n), barton[n] * PlateUnit(10.0, kSteel));
    EXPECT_NEAR(f(3 + n), barton[n] * PlateUnit(10.0, kSteel), 0.011 * f(3 + n));
  }
}

// Simply supported: f = π² (m² + n²) unit, exact; errors of cubic splines fall with order 4.
TEST(Plate, SimplySupportedSquareConvergesWithOrderFour) {
  std::vector<double> errors;
  for (const int spans : {4, 8, 16}) {
    const Shell plate = SquarePlate(10.0, spans, kSteel);
    std::set<int> fixed;
    for (int i = 0; i < plate.node_count(); ++i) fixed.insert({3 * i, 3 * i + 1});
    for (const Shell::Edge edge :
         {Shell::Edge::kUBegin, Shell::Edge::kUEnd, Shell::Edge::kVBegin, Shell::Edge::kVEnd}) {
      for (int i : plate.EdgeRow(edge, 0)) fixed.insert(3 * i + 2);
    }
    const VectorXd f = Frequencies(plate, fixed);
    const double unit = M_PI * M_PI * PlateUnit(10.0, kSteel);
    errors.push_back(f(3) / (8.0 * unit) - 1.0);  // m = n = 2
    if (spans < 16) continue;
    for (const auto& [n, sum] :
         std::array<std::pair<int, double>, 4>{{{0, 2.0}, {1, 5.0}, {2, 5.0}, {3, 8.0}}}) {
      EXPECT_NEAR(f(n), sum * unit, 1e-4 * f(n));
    }
  }
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 4.0, 0.5);
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 4.0, 0.3);
}

// A free tube with ν = 0 bends without stretching like a ring [Love 1927, §293; Rayleigh]:
// ω_n² = n² (n² − 1)²/(n² + 1) E t²/(12 ρ R⁴), twice, uniform along it.
TEST(Tube, HasTheFrequenciesOfARing) {
  const double radius = 0.5, t = 0.01;
  const Shell tube(TubeSurface(radius, 0.4, {40, 1}), {1000.0, 1e6, 0.0, t});
  const VectorXd f = Frequencies(tube, {});
  for (int n = 0; n < 6; ++n) EXPECT_LT(f(n), 1e-3 * f(6));  // rigid motions
  const double exact = std::sqrt(1e6 * t * t / (12.0 * 1000.0)) / (2.0 * M_PI * radius * radius) *
                       2.0 * 3.0 / std::sqrt(5.0);
  EXPECT_NEAR(f(6), exact, 0.001 * exact);
  EXPECT_NEAR(f(7), exact, 0.001 * exact);
}

// A torus moves rigidly in six ways, and in no seventh.
TEST(Torus, HasSixRigidMotions) {
  const Shell torus(TorusSurface(1.0, 0.4, {8, 6}), {1000.0, 1e6, 0.3, 0.02});
  const VectorXd f = Frequencies(torus, {});
  EXPECT_LT(f(5), 1e-4 * f(6));
}

}  // namespace
}  // namespace pliant::finite_elements
