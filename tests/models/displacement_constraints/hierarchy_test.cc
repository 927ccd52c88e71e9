#include "models/displacement_constraints/hierarchy.h"

#include <gtest/gtest.h>

#include <cmath>

#include "models/geometry/rotation.h"
#include "tests/models/displacement_constraints/levels_of_a_sheet.h"

namespace pliant::displacement_constraints {
namespace {

using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

TEST_F(Levels, HaveEveryOtherPointAndRigidDiagonalsOnTheCoarsest) {
  EXPECT_EQ(sheet_.PointCount(0), 81);
  EXPECT_EQ(sheet_.PointCount(1), 25);
  EXPECT_EQ(sheet_.PointCount(3), 4);
  EXPECT_EQ(sheet_.Edges(0).size(), 2u * 9 * 8);
  EXPECT_EQ(sheet_.Edges(2).size(), 2u * 3 * 2);
  EXPECT_EQ(sheet_.GridEdgeCount(3), 4);
  ASSERT_EQ(sheet_.Edges(3).size(), 6u);
  EXPECT_EQ(sheet_.Edges(3)[4], (SegmentNet::Edge{0, 3}));
  EXPECT_EQ(sheet_.Edges(3)[5], (SegmentNet::Edge{1, 2}));
  const GridLevels shallow({nine_}, 2);
  EXPECT_EQ(shallow.Edges(1).size(), 2u * 5 * 4) << "no frame of 2×2 points, no diagonals";
  const GridLevels chain({GridSize{5, 1}}, 3);
  EXPECT_EQ(chain.Edges(2).size(), 1u);
}

TEST_F(Levels, PutSeveralBodiesBehindOneAnother) {
  const GridLevels two({GridSize{3, 3}, GridSize{5, 1}}, 2);
  EXPECT_EQ(two.PointCount(0), 14);
  EXPECT_EQ(two.PointCount(1), 7);
  EXPECT_EQ(two.FinestPoint(1, 3), 8);
  EXPECT_EQ(two.FinestPoint(1, 5), 9 + 2);
  EXPECT_EQ(two.SeenFrom(1, 9 + 3).point[1], 4 + 2);
}

TEST_F(Levels, RestrictionGivesOneHalfAndQuarters) {
  const auto restricted = [&](int u, int v) {
    MatrixXd fine = MatrixXd::Zero(1, 81), coarse = MatrixXd::Zero(1, 25);
    fine(0, nine_.Index(u, v)) = 1.0;
    sheet_.Restrict(0, fine, coarse);
    return coarse;
  };
  const GridSize five{5, 5};
  EXPECT_EQ(restricted(4, 2)(0, five.Index(2, 1)), 1.0);
  EXPECT_EQ(restricted(3, 2)(0, five.Index(1, 1)), 0.5);
  EXPECT_EQ(restricted(3, 2)(0, five.Index(2, 1)), 0.5);
  EXPECT_EQ(restricted(4, 3)(0, five.Index(2, 1)), 0.5);
  EXPECT_EQ(restricted(4, 3)(0, five.Index(2, 2)), 0.5);
  const MatrixXd inside = restricted(3, 5);
  for (const auto& [u, v] : {std::pair{1, 2}, {2, 2}, {1, 3}, {2, 3}}) {
    EXPECT_EQ(inside(0, five.Index(u, v)), 0.25);
  }
  EXPECT_EQ(inside.sum(), 1.0);
}

TEST_F(Levels, RestrictionKeepsTheTotal) {
  const Matrix3Xd forces = Random(81);
  MatrixXd fine = forces, coarse = MatrixXd::Zero(3, 25);
  sheet_.Restrict(0, fine, coarse);
  EXPECT_LT((coarse.rowwise().sum() - forces.rowwise().sum()).norm(), 1e-14);
}

// The momentum that a coarse level's motion gives the material is the momentum of the level: that
// is what makes R the right restriction of masses.
TEST_F(Levels, MomentumOfALevelIsThatOfTheMaterialItMoves) {
  const VectorXd masses = VectorXd::Constant(81, 1.0 / 81);
  const Matrix3Xd rates = Random(25);
  Matrix3Xd moved(3, 81);
  sheet_.ProlongateRates(0, Flat(nine_), rates, moved);
  const Vector3d of_material = moved * masses;

  MatrixXd fine = masses.transpose(), coarse(1, 25);
  sheet_.Restrict(0, fine, coarse);
  EXPECT_NEAR(coarse.sum(), 1.0, 1e-15);
  EXPECT_LT((rates * coarse.transpose() - of_material).norm(), 1e-15);

  // The source's weighted mean of parallel segments leaves even segments even. Each point of the
  // coarse level then weighs as its number of segments, and the two momenta differ.
  VectorXd even(25);
  for (int p = 0; p < 25; ++p) {
    const int u = p % 5, v = p / 5;
    even[p] = 4.0 - (u % 4 == 0) - (v % 4 == 0);
  }
  even /= even.sum();
  EXPECT_GT((rates * even - of_material).norm(), 1e-3);
}

TEST_F(Levels, InterpolationIsTheTransposeOfTheRestriction) {
  const Matrix3Xd forces = Random(81), moves = Random(25);
  Matrix3Xd moved(3, 81);
  sheet_.Interpolate(0, moves, moved);
  MatrixXd fine = forces, coarse(3, 25);
  sheet_.Restrict(0, fine, coarse);
  EXPECT_NEAR(forces.cwiseProduct(moved).sum(), coarse.cwiseProduct(moves).sum(), 1e-13);
}

TEST_F(Levels, ProlongationRestoresWhatDidNotMove) {
  const Matrix3Xd fine = Flat(nine_) + 0.1 * Random(81);
  Matrix3Xd coarse(3, 25), again(3, 81);
  sheet_.Subsample(0, fine, coarse);
  sheet_.Prolongate(0, fine, coarse, again);
  EXPECT_LT((again - fine).cwiseAbs().maxCoeff(), 1e-15);
}

TEST_F(Levels, ProlongationFollowsEveryTranslation) {
  const Matrix3Xd fine = Flat(nine_) + 0.1 * Random(81);
  const Vector3d shift(0.4, -0.7, 0.2);
  Matrix3Xd coarse(3, 25), moved(3, 81);
  sheet_.Subsample(0, fine, coarse);
  coarse.colwise() += shift;
  sheet_.Prolongate(0, fine, coarse, moved);
  EXPECT_LT((moved - (fine.colwise() + shift)).cwiseAbs().maxCoeff(), 1e-15);
}

TEST_F(Levels, ProlongationFollowsRotationsAcrossTheLines) {
  // A wavy chain in the plane, turned about the normal of the plane: no chord is twisted.
  const GridLevels chain({GridSize{9, 1}}, 2);
  Matrix3Xd fine = Flat(GridSize{9, 1});
  for (int i = 0; i < 9; ++i) fine(1, i) = 0.3 * number_(generator_);
  const Vector3d rotation(0.0, 0.0, 1.3);
  Matrix3Xd coarse(3, 5), moved(3, 9), expected(3, 9);
  chain.Subsample(0, fine, coarse);
  for (int i = 0; i < 5; ++i) coarse.col(i) = Rotated(coarse.col(i), rotation);
  for (int i = 0; i < 9; ++i) expected.col(i) = Rotated(fine.col(i), rotation);
  chain.Prolongate(0, fine, coarse, moved);
  EXPECT_LT((moved - expected).cwiseAbs().maxCoeff(), 1e-15);
}

// Down to the frame of 2×2 points, whatever the shape of the sheet.
TEST_F(Levels, ProlongationFollowsEveryRigidMotionOfASheet) {
  for (const double roughness : {0.0, 0.05, 0.3}) {
    for (int i = 0; i < 10; ++i) {
      const Matrix3Xd numbers = Random(2);
      const Vector3d rotation = 3.0 * numbers.col(0), shift = numbers.col(1);
      std::vector<Matrix3Xd> before = {Flat(nine_) + roughness * Random(81)}, after(4);
      for (int l = 0; l < 3; ++l) {
        before.emplace_back(3, sheet_.PointCount(l + 1));
        sheet_.Subsample(l, before[l], before[l + 1]);
      }
      after[3] = before[3];
      for (int p = 0; p < 4; ++p) {
        after[3].col(p) = Rotated(Vector3d(before[3].col(p)), rotation) + shift;
      }
      for (int l = 2; l >= 0; --l) {
        after[l].resize(3, sheet_.PointCount(l));
        sheet_.Prolongate(l, before[l], after[l + 1], after[l]);
      }
      for (int p = 0; p < 81; ++p) {
        const Vector3d expected = Rotated(Vector3d(before[0].col(p)), rotation) + shift;
        EXPECT_LT((after[0].col(p) - expected).norm(), 1e-13);
      }
    }
  }
}

// Where the lines across turn by different angles, an offset turns by one between them; where they
// are stretched, it is not.
TEST_F(Levels, ProlongationTwistsAnOffsetWithTheLinesAcross) {
  const GridLevels strip({GridSize{3, 3}}, 2);
  Matrix3Xd fine = Flat(GridSize{3, 3});
  const Vector3d hump(0, 0, 0.1);
  fine.col(1) += hump;  // between the points 0 and 2 of the row y = 0
  Matrix3Xd coarse(3, 4), moved(3, 9);
  strip.Subsample(0, fine, coarse);
  const double left = 0.2, right = 0.5;  // rad, about the row
  coarse.col(2) = 1.5 * Rotated(Vector3d::UnitY(), left * Vector3d::UnitX());
  coarse.col(3) = Vector3d::UnitX() + 1.5 * Rotated(Vector3d::UnitY(), right * Vector3d::UnitX());
  strip.Prolongate(0, fine, coarse, moved);
  const Vector3d expected = Rotated(hump, 0.5 * (left + right) * Vector3d::UnitX());
  EXPECT_LT((moved.col(1) - Vector3d(0.5, 0, 0) - expected).norm(), 1e-15);
}

// The points of a straight chain do not show a twist: one beside its line stays behind a rotation
// about the line by the chord 2 h sin(θ/2).
TEST_F(Levels, ProlongationCannotFollowATwistOfAChain) {
  const GridLevels chain({GridSize{3, 1}}, 2);
  Matrix3Xd fine(3, 3);
  fine.col(0) << 0, 0, 0;
  fine.col(1) << 0.5, 0.1, 0;
  fine.col(2) << 1, 0, 0;
  const double angle = 0.34;
  Matrix3Xd coarse(3, 2), moved(3, 3);
  chain.Subsample(0, fine, coarse);  // on the axis of the twist: it does not move
  chain.Prolongate(0, fine, coarse, moved);
  const Vector3d twisted = Rotated(fine.col(1), Vector3d(angle, 0, 0));
  EXPECT_NEAR((moved.col(1) - twisted).norm(), 2.0 * 0.1 * std::sin(0.5 * angle), 1e-15);
  EXPECT_NEAR((moved.col(1) - twisted).norm(), 0.034, 1e-3);
}

// What is not defined leaves an offset as it is: neighbours that have come together, or were.
TEST_F(Levels, ProlongationKeepsAnOffsetWhereTheLineHasNoDirection) {
  const GridLevels chain({GridSize{3, 1}}, 2);
  Matrix3Xd fine = Flat(GridSize{3, 1});
  fine(1, 1) = 0.1;
  Matrix3Xd coarse = Matrix3Xd::Zero(3, 2), moved(3, 3);
  chain.Prolongate(0, fine, coarse, moved);
  EXPECT_EQ(moved.col(1), Vector3d(0, 0.1, 0));
  fine.setZero();
  coarse.col(1) << 0, 2, 0;
  chain.Prolongate(0, fine, coarse, moved);
  EXPECT_EQ(moved.col(1), Vector3d(0, 1, 0));
}

TEST_F(Levels, ProlongatedRatesAreTheDerivativeOfTheProlongation) {
  const Matrix3Xd fine = Flat(nine_) + 0.05 * Random(81);
  const Matrix3Xd rates = Random(25);
  Matrix3Xd coarse(3, 25), exact(3, 81);
  sheet_.Subsample(0, fine, coarse);
  sheet_.ProlongateRates(0, fine, rates, exact);
  const auto at = [&](double t) {
    Matrix3Xd moved(3, 81);
    sheet_.Prolongate(0, fine, coarse + t * rates, moved);
    return moved;
  };
  const double t = 1e-5;
  const Matrix3Xd numeric = (at(t) - at(-t)) / (2.0 * t);
  EXPECT_LT((numeric - exact).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_GT(exact.cwiseAbs().maxCoeff(), 0.5);
}

TEST_F(Levels, PointsAreSeenFromCoarserLevelsWithBilinearWeights) {
  const Matrix3Xd fine = Flat(nine_);
  Matrix3Xd one(3, 25), two(3, 9);
  sheet_.Subsample(0, fine, one);
  sheet_.Subsample(1, one, two);
  for (int p = 0; p < 81; ++p) {
    const WeightedPoint corners = sheet_.SeenFrom(2, p);
    Vector3d x = Vector3d::Zero();
    double sum = 0.0;
    for (int i = 0; i < corners.count; ++i) {
      x += corners.weight[i] * two.col(corners.point[i]);
      sum += corners.weight[i];
    }
    EXPECT_NEAR(sum, 1.0, 1e-15);
    EXPECT_LT((x - fine.col(p)).norm(), 1e-15) << "point " << p;
  }
  EXPECT_EQ(sheet_.SeenFrom(2, nine_.Index(4, 8)).count, 1);
  for (int p = 0; p < 9; ++p) {
    EXPECT_EQ(sheet_.SeenFrom(2, sheet_.FinestPoint(2, p)).point[0], p);
  }
}

// An even stress of a coarse level becomes one of the lines it stands for; R gives it back.
TEST_F(Levels, TensionsAreSharedByTheLinesOfALevel) {
  const int coarse_edges = sheet_.GridEdgeCount(1);
  VectorXd coarse = VectorXd::Zero(coarse_edges), fine = VectorXd::Zero(2 * 9 * 8);
  for (int e = 0; e < 20; ++e) coarse[e] = e / 4 == 0 || e / 4 == 4 ? 1.0 : 2.0;  // rows
  sheet_.AddTensions(0, coarse, &fine);
  for (int e = 0; e < 72; ++e) EXPECT_EQ(fine[e], e / 8 == 0 || e / 8 == 8 ? 0.5 : 1.0) << e;
  EXPECT_EQ(fine.tail(72).cwiseAbs().maxCoeff(), 0.0);
}

}  // namespace
}  // namespace pliant::displacement_constraints
