#include "models/linear_deformation/basis.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cstdlib>
#include <utility>
#include <vector>

#include "models/scene/shapes.h"
#include "tests/models/linear_deformation/bodies.h"

namespace pliant::linear_deformation {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

TEST(MaterialFrame, DimensionIsTheAffineRankOfTheMasses) {
  EXPECT_EQ(FindMaterialFrame(MakeChain("c", {0, 0, 0}, {1, 2, 3}, 7, 1.0), 3).dimension(), 1);
  EXPECT_EQ(FindMaterialFrame(MakeSheet("s", {2, 1}, {3, 3}, 1.0), 2).dimension(), 2);
  EXPECT_EQ(FindMaterialFrame(MakeSheet("s", {2, 1}, {3, 3}, 1.0), 3).dimension(), 2);
  EXPECT_EQ(FindMaterialFrame(MakeBlock("b", {1, 2, 3}, {2, 2, 2}, 1.0), 3).dimension(), 3);
  Body point = MakeChain("p", {1, 1, 1}, {2, 1, 1}, 2, 1.0);
  point.rest.col(1) = point.rest.col(0);
  EXPECT_EQ(FindMaterialFrame(point, 3).dimension(), 0);
}

TEST(MaterialFrame, CoordinatesHaveNoMeanAndUnitMoments) {
  for (const BodyCase& c : AllBodyCases()) {
    SCOPED_TRACE(c.name);
    const MaterialFrame frame = FindMaterialFrame(c.body, c.world_dimension);
    const int mu = frame.dimension();
    VectorXd mean = VectorXd::Zero(mu);
    MatrixXd moments = MatrixXd::Zero(mu, mu);
    for (int i = 0; i < c.body.size(); ++i) {
      const VectorXd u = frame.Coordinates(c.body.rest.col(i));
      mean += c.body.mass[i] * u;
      moments += c.body.mass[i] * u * u.transpose();
    }
    const double mass = c.body.mass.sum();
    EXPECT_LT(mean.norm(), 1e-13 * mass);
    EXPECT_LT((moments - mass * MatrixXd::Identity(mu, mu)).norm(), 1e-12 * mass);
    EXPECT_LT((frame.axes.transpose() * frame.axes - MatrixXd::Identity(mu, mu)).norm(), 1e-14);
  }
}

TEST(MaterialFrame, IsRightHandedWhereTheBodyFillsTheWorld) {
  for (const BodyCase& c : AllBodyCases()) {
    const MaterialFrame frame = FindMaterialFrame(c.body, c.world_dimension);
    if (frame.dimension() != c.world_dimension) continue;
    EXPECT_NEAR(frame.axes.topRows(c.world_dimension).determinant(), 1.0, 1e-14) << c.name;
  }
}

// All axes of a cube and two of a square are principal ones: without a rule rounding chooses, and columns of a tensor product
// are others on another processor.
TEST(MaterialFrame, AxesOfEqualMomentsAreThoseOfTheBodyWhateverRoundingSays) {
  const std::vector<std::pair<Body, int>> bodies = {
      {MakeBlock("cube", {1, 1, 1}, {4, 4, 4}, 8.0), 3},
      {MakeBlock("column", {1, 1, 3}, {3, 3, 5}, 8.0), 3},
      {MakeBlock("slab", {2, 1, 2}, {4, 3, 4}, 8.0), 3},
      {MakeSheet("square", {1, 1}, {5, 5}, 1.0), 2}};
  for (const auto& [body, world] : bodies) {
    const MaterialFrame frame = FindMaterialFrame(body, world);
    // Along coordinate axes, each once.
    const Eigen::MatrixXd size = frame.axes.cwiseAbs();
    EXPECT_LT((size - size.array().round().matrix()).norm(), 1e-14) << body.name;
    for (int seed = 0; seed < 20; ++seed) {
      Body shaken = body;
      std::srand(static_cast<unsigned>(seed));
      shaken.rest += 1e-15 * Eigen::Matrix3Xd::Random(3, body.size());
      if (world == 2) shaken.rest.row(2).setZero();
      EXPECT_LT((FindMaterialFrame(shaken, world).axes - frame.axes).norm(), 1e-13)
          << body.name << ", " << seed;
    }
  }
  // A cube on its corner, as a mesh file may have it: the axes have no symmetry to find.
  Body turned = MakeBlock("cube", {1, 1, 1}, {4, 4, 4}, 8.0);
  const Eigen::Matrix3d turn(Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized()));
  turned.rest = (turn * turned.rest).eval();
  EXPECT_LT((FindMaterialFrame(turned, 3).axes - Eigen::Matrix3d::Identity()).norm(), 1e-14);
}

TEST(Terms, AreThoseOfTheSource) {
  const Vector3d u(2.0, 3.0, 5.0);
  VectorXd expected(10);
  expected << 1, 2, 3, 5, 6, 10, 15, 4, 9, 25;
  EXPECT_EQ(Terms(u, 2), expected);
  EXPECT_EQ(Terms(u, 1), expected.head(4));
  expected.resize(6);
  expected << 1, 2, 3, 6, 4, 9;
  EXPECT_EQ(Terms(u.head<2>(), 2), expected);
  EXPECT_EQ(TermNames(2, 2), (std::vector<std::string>{"1", "x", "y", "xy", "x²", "y²"}));
  for (int mu = 0; mu <= 3; ++mu) {
    for (int order : {1, 2, 3, 6}) {
      EXPECT_EQ(TermCount(mu, order), static_cast<int>(TermNames(mu, order).size()));
    }
  }
}

TEST(Terms, OfHigherDegreeAreAllMonomials) {
  EXPECT_EQ(TermNames(2, 3),
            (std::vector<std::string>{"1", "x", "y", "xy", "x²", "y²", "x³", "x²y", "xy²", "y³"}));
  EXPECT_EQ(TermCount(3, 4), 35);
  const VectorXd p = Terms(Eigen::Vector2d(2.0, 3.0), 3);
  EXPECT_EQ(p.tail(4), Eigen::Vector4d(8.0, 12.0, 18.0, 27.0));
  EXPECT_EQ(Terms(Eigen::VectorXd::Constant(1, 2.0), 12)[12], 4096.0);
  EXPECT_EQ(TermNames(1, 12)[12], "x¹²");
}

std::vector<DeformationBasis> Bases(int mu) {
  const VectorXd lower = Vector3d(-1.2, -0.4, -2.0).head(mu);
  const VectorXd upper = Vector3d(1.0, 1.5, 0.3).head(mu);
  std::vector<DeformationBasis> bases;
  for (int order : {1, 2, 3, 5}) {
    bases.emplace_back(BasisFamily::kPolynomial, order, lower, upper);
    bases.emplace_back(BasisFamily::kBernstein, order, lower, upper);
  }
  return bases;
}

TEST(DeformationBasis, GradientsAreTheDerivatives) {
  const Vector3d at(0.4, -0.3, 0.2);
  constexpr double kStep = 1e-2;
  for (int mu = 1; mu <= 3; ++mu) {
    for (const DeformationBasis& basis : Bases(mu)) {
      const VectorXd u = at.head(mu);
      const MatrixXd gradients = basis.GradientAt(u);
      ASSERT_EQ(gradients.rows(), basis.size());
      EXPECT_EQ(basis.Names().size(), static_cast<size_t>(basis.size()));
      for (int a = 0; a < mu; ++a) {
        // Exact up to degree six but for rounding.
        auto moved = [&](double steps) {
          return basis.At(u + steps * kStep * VectorXd::Unit(mu, a));
        };
        const VectorXd slope = (45.0 * (moved(1) - moved(-1)) - 9.0 * (moved(2) - moved(-2)) +
                                (moved(3) - moved(-3))) /
                               (60.0 * kStep);
        EXPECT_LT((slope - gradients.col(a)).norm(), 1e-11);
      }
    }
  }
}

// One and the coordinates are among the functions, so that rigid motion is.
TEST(DeformationBasis, ReproducesOneAndTheCoordinates) {
  const Vector3d at(0.4, -0.3, 0.2);
  for (int mu = 1; mu <= 3; ++mu) {
    for (const DeformationBasis& basis : Bases(mu)) {
      const VectorXd u = at.head(mu), p = basis.At(u);
      EXPECT_NEAR(p.dot(basis.Constant()), 1.0, 1e-14);
      EXPECT_LT((basis.Linear().transpose() * p - u).norm(), 1e-14);
      EXPECT_LT(basis.GradientAt(u).topRows(basis.constant_terms()).norm(), 1e-300);
    }
  }
}

TEST(DeformationBasis, BernsteinColumnsAreControlPointsOfTheBox) {
  const DeformationBasis basis(BasisFamily::kBernstein, 2, Eigen::Vector2d(-1.0, 0.0),
                               Eigen::Vector2d(1.0, 4.0));
  EXPECT_EQ(basis.At(Eigen::Vector2d(-1.0, 0.0)), VectorXd(VectorXd::Unit(9, 0)));
  EXPECT_EQ(basis.At(Eigen::Vector2d(1.0, 4.0)), VectorXd(VectorXd::Unit(9, 8)));
  EXPECT_EQ(basis.Linear().row(5), Eigen::RowVector2d(1.0, 2.0));
  EXPECT_EQ(basis.Names()[5], "B(2,1)");
  // Everywhere ≥ 0 within the box, and one at its middle is ½·½.
  EXPECT_EQ(basis.At(Eigen::Vector2d(0.0, 2.0))[4], 0.25);
}

}  // namespace
}  // namespace pliant::linear_deformation
