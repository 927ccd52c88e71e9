#include "models/linear_deformation/basis.h"

#include <gtest/gtest.h>

#include "models/scene/shapes.h"
#include "tests/models/linear_deformation/bodies.h"

namespace pliant {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector2d;
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
    for (int order : {1, 2}) {
      EXPECT_EQ(TermCount(mu, order), static_cast<int>(TermNames(mu, order).size()));
    }
  }
}

// Central differences of quadratic polynomials are exact but for rounding.
TEST(Terms, GradientsAreTheirDerivatives) {
  const Vector3d at(0.4, -1.3, 0.9);
  for (int mu = 1; mu <= 3; ++mu) {
    for (int order : {1, 2}) {
      const VectorXd u = at.head(mu);
      const MatrixXd gradients = TermGradients(u, order);
      for (int a = 0; a < mu; ++a) {
        const VectorXd step = 0.5 * VectorXd::Unit(mu, a);
        EXPECT_LT((Terms(u + step, order) - Terms(u - step, order) - gradients.col(a)).norm(),
                  1e-14);
      }
    }
  }
}

}  // namespace
}  // namespace pliant
