#include "models/geometry/lattice_basis.h"

#include <gtest/gtest.h>

#include <vector>

#include "models/geometry/bernstein.h"

namespace pliant {
namespace {

using Eigen::VectorXd;

const std::vector<LatticeBasis>& AllBases() {
  static const std::vector<LatticeBasis> bases = {
      LatticeBasis::Bernstein(1),    LatticeBasis::Bernstein(2),    LatticeBasis::Bernstein(3),
      LatticeBasis::Bernstein(7),    LatticeBasis::CubicBSpline(4), LatticeBasis::CubicBSpline(5),
      LatticeBasis::CubicBSpline(9), LatticeBasis::CubicBSpline(40)};
  return bases;
}

const std::vector<double> kPlaces = {-0.2, 0.0, 0.13, 0.25, 0.5, 0.77, 1.0, 1.1};

TEST(LatticeBasis, SumsToOneAndReproducesPlacesAndTheirSquares) {
  for (const LatticeBasis& basis : AllBases()) {
    VectorXd nodes(basis.size());
    for (int i = 0; i < basis.size(); ++i) nodes[i] = basis.Node(i);
    for (double s : kPlaces) {
      const VectorXd values = basis.Values(s);
      ASSERT_EQ(values.size(), basis.size());
      EXPECT_NEAR(values.sum(), 1.0, 1e-12);
      EXPECT_NEAR(values.dot(nodes), s, 1e-12) << basis.size() << " at " << s;
      if (basis.degree() < 2) continue;
      double square = 0.0;
      for (int i = 0; i < basis.size(); ++i) square += basis.Square(i) * values[i];
      EXPECT_NEAR(square, s * s, 1e-12) << basis.size() << " at " << s;
    }
  }
}

TEST(LatticeBasis, IsNotNegativeInTheBoxSoThatPointsStayInTheHullOfTheirControlPoints) {
  for (const LatticeBasis& basis : AllBases()) {
    for (int i = 0; i <= 100; ++i) EXPECT_GE(basis.Values(i / 100.0).minCoeff(), 0.0);
  }
}

TEST(LatticeBasis, DerivativesAreThoseOfTheValues) {
  constexpr double kStep = 1e-6;
  for (const LatticeBasis& basis : AllBases()) {
    for (double s : {-0.2, 0.13, 0.26, 0.52, 0.77, 1.1}) {
      const VectorXd central = (basis.Values(s + kStep) - basis.Values(s - kStep)) / (2.0 * kStep);
      EXPECT_LT((basis.Derivatives(s) - central).cwiseAbs().maxCoeff(), 2e-7) << basis.size();
    }
  }
}

TEST(LatticeBasis, BSplineHasTwoContinuousDerivativesAtItsKnots) {
  const LatticeBasis basis = LatticeBasis::CubicBSpline(8);  // knots at multiples of 1/5
  constexpr double kStep = 1e-5;
  for (int knot = 1; knot < 5; ++knot) {
    const double s = knot / 5.0;
    const VectorXd before = (basis.Derivatives(s) - basis.Derivatives(s - kStep)) / kStep;
    const VectorXd after = (basis.Derivatives(s + kStep) - basis.Derivatives(s)) / kStep;
    // The third derivative, 125 at most 3, jumps there; over a step it makes a few 10⁻³.
    EXPECT_LT((before - after).cwiseAbs().maxCoeff(), 1e-2) << knot;
    EXPECT_GT(before.cwiseAbs().maxCoeff(), 10.0);
    EXPECT_LT((basis.Values(s + 1e-12) - basis.Values(s - 1e-12)).norm(), 1e-10);
  }
}

TEST(LatticeBasis, BSplineIsLocal) {
  const LatticeBasis basis = LatticeBasis::CubicBSpline(12);
  for (double s : {0.0, 0.31, 0.99}) {
    EXPECT_LE((basis.Values(s).array() > 0.0).count(), 4) << s;
  }
  EXPECT_EQ(basis.Values(0.5)[0], 0.0);
}

TEST(LatticeBasis, BernsteinIsThatOfTheSource) {
  for (double s : kPlaces) {
    EXPECT_EQ(LatticeBasis::Bernstein(5).Values(s), Bernstein(5, s));
  }
  EXPECT_EQ(LatticeBasis::Bernstein(0).Node(0), 0.5);
  EXPECT_EQ(LatticeBasis::Bernstein(0).Derivatives(0.3), VectorXd::Zero(1));
}

TEST(LatticeBasis, FourBSplinesAreTheCubicsOfOneSpan) {
  // The middle of a single span, by hand: 1/48, 23/48, 23/48, 1/48.
  EXPECT_TRUE(LatticeBasis::CubicBSpline(4).Values(0.5).isApprox(
      Eigen::Vector4d(1, 23, 23, 1) / 48.0, 1e-15));
}

}  // namespace
}  // namespace pliant
