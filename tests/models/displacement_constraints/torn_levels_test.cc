// Levels of a net that has been torn.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "models/geometry/rotation.h"
#include "tests/models/displacement_constraints/levels_of_a_sheet.h"

namespace pliant::displacement_constraints {
namespace {

using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

TEST_F(TornLevels, KeepWhatHoldsAndBecomeWholeAgain) {
  const auto count = [this](int l) {
    return std::count(torn_.Broken(l).begin(), torn_.Broken(l).end(), 1);
  };
  EXPECT_EQ(count(0), 9 + 4 + 6);
  EXPECT_EQ(count(1), 5 + 1) << "the cut, and the coarse row through the pair";
  EXPECT_EQ(count(2), 3);
  EXPECT_EQ(count(3), 2 + 2) << "upper and lower side, and the diagonals";
  EXPECT_EQ(torn_.LeftOut(0), (std::vector<int>{9 * 5 + 5, 9 * 5 + 7, 9 * 6 + 7}));
  EXPECT_TRUE(torn_.LeftOut(1).empty());
  EXPECT_EQ(torn_.SeenFrom(2, 9 * 5 + 5).count, 0);

  torn_.Tear(std::vector<char>(torn_.Edges(0).size(), 0), VectorXd::Ones(81));
  for (int l = 0; l < 4; ++l) EXPECT_EQ(count(l), 0);
  MatrixXd fine = Random(81), coarse(3, 25), expected(3, 25);
  MatrixXd again = fine;
  torn_.Restrict(0, fine, coarse);
  sheet_.Restrict(0, again, expected);
  EXPECT_EQ(coarse, expected);
}

// A slit from the border leaves the frame its diagonals: the sheet is still one.
TEST_F(Levels, SlitsLeaveADiagonalWhole) {
  GridLevels slit({nine_}, 4);
  std::vector<char> broken(slit.Edges(0).size(), 0);
  for (size_t e = 0; e < broken.size(); ++e) {
    const auto [a, b] = slit.Edges(0)[e];
    broken[e] = a % 9 == 2 && b % 9 == 3 && a / 9 < 5;
  }
  slit.Tear(broken, VectorXd::Ones(81));
  EXPECT_EQ(slit.Broken(3), (std::vector<char>{1, 0, 0, 0, 0, 0}));
}

// What is restricted to a level stays with its part, whole, or is left out.
TEST_F(TornLevels, RestrictionKeepsTheTotalOfEveryPart) {
  const MatrixXd values = Random(81);
  MatrixXd fine = values;
  for (int l = 0; l < 3; ++l) {
    MatrixXd coarse(3, torn_.PointCount(l + 1));
    torn_.Restrict(l, fine, coarse);
    Vector3d part[4];
    for (Vector3d& sum : part) sum.setZero();
    for (int p = 0; p < 81; ++p) part[PartOf(p)] += values.col(p);
    for (int p = 0; p < coarse.cols(); ++p) {
      part[PartOf(torn_.FinestPoint(l + 1, p))] -= coarse.col(p);
    }
    EXPECT_LT(part[0].norm(), 1e-14) << "level " << l + 1;
    EXPECT_LT(part[1].norm(), 1e-14) << "level " << l + 1;
    EXPECT_GT(part[2].norm(), 0.1);
    EXPECT_GT(part[3].norm(), 0.1);
    fine = coarse;
  }
}

TEST_F(TornLevels, ProlongationFollowsEveryPartByItself) {
  for (const double roughness : {0.0, 0.3}) {
    const Matrix3Xd before = Flat(nine_) + roughness * Random(81), numbers = Random(4);
    const auto moved = [&](int p) -> Vector3d {
      if (PartOf(p) > 1) return before.col(p);  // nothing carries it
      const Vector3d rotation = 3.0 * numbers.col(PartOf(p)), shift = numbers.col(2 + PartOf(p));
      return Rotated(Vector3d(before.col(p)), rotation) + shift;
    };
    Matrix3Xd coarse(3, 25), after(3, 81);
    for (int p = 0; p < 25; ++p) coarse.col(p) = moved(torn_.FinestPoint(1, p));
    torn_.Prolongate(0, before, coarse, after);
    for (int p = 0; p < 81; ++p) {
      EXPECT_LT((after.col(p) - moved(p)).norm(), 1e-13) << "point " << p;
    }
  }
}

TEST_F(TornLevels, InterpolationIsTheTransposeAndRatesAreTheDerivative) {
  const Matrix3Xd coarse = Random(25), fine = Random(81);
  Matrix3Xd interpolated(3, 81);
  torn_.Interpolate(0, coarse, interpolated);
  MatrixXd spread = fine, restricted(3, 25);
  torn_.Restrict(0, spread, restricted);
  EXPECT_NEAR(interpolated.cwiseProduct(fine).sum(), coarse.cwiseProduct(restricted).sum(), 1e-13);

  const Matrix3Xd points = Flat(nine_) + 0.05 * Random(81);
  Matrix3Xd start(3, 25), rates(3, 81);
  torn_.Subsample(0, points, start);
  torn_.ProlongateRates(0, points, coarse, rates);
  const double small = 1e-6;
  Matrix3Xd ahead(3, 81), behind(3, 81);
  torn_.Prolongate(0, points, start + small * coarse, ahead);
  torn_.Prolongate(0, points, start - small * coarse, behind);
  EXPECT_LT(((ahead - behind) / (2.0 * small) - rates).cwiseAbs().maxCoeff(), 1e-8);
}

// At a tear a line is continued: what grows evenly along a part does so up to its border.
TEST_F(TornLevels, InterpolationContinuesEvenSlopes) {
  Matrix3Xd coarse(3, 25), fine(3, 81);
  const auto value = [](int p) { return Vector3d(p % 9, p / 9, p % 9 - 2.0 * (p / 9)); };
  for (int p = 0; p < 25; ++p) coarse.col(p) = value(torn_.FinestPoint(1, p));
  torn_.Interpolate(0, coarse, fine);
  for (int p = 0; p < 81; ++p) {
    if (p % 9 != 3 || p / 9 == 5) continue;  // no line goes on from (4, 5)
    EXPECT_LT((fine.col(p) - value(p)).norm(), 1e-13) << "point " << p;
  }
}

// A point torn off continues its line but where it is so heavy that a coarse point would be left
// with a negative mass: there it goes with the end alone.
TEST_F(Levels, HeavyPointsDoNotContinueALine) {
  for (const double heavy : {1.0, 5.0}) {
    GridLevels chain({GridSize{5, 1}}, 2);
    VectorXd masses = VectorXd::Ones(5);
    masses[3] = heavy;
    chain.Tear({0, 0, 0, 1}, masses);
    MatrixXd fine = masses.transpose(), coarse(1, 3);
    chain.Restrict(0, fine, coarse);
    EXPECT_GT(coarse.minCoeff(), 0.0);
    EXPECT_NEAR(coarse(0, 0) + coarse(0, 1), 3.0 + heavy, 1e-15);
    EXPECT_NEAR(coarse(0, 2), 1.0, 1e-15);
    Matrix3Xd ends = Matrix3Xd::Zero(3, 3), points(3, 5);
    ends.col(1) << 2.0, 0.0, 0.0;
    chain.Interpolate(0, ends, points);
    EXPECT_EQ(points(0, 3), heavy > 1.0 ? 2.0 : 3.0);
  }
}

// A coarse edge has two parts, and any of them breaks it.
TEST_F(Levels, EveryPartOfALineBreaksIt) {
  for (size_t e = 0; e < sheet_.Edges(0).size(); ++e) {
    const auto [a, b] = sheet_.Edges(0)[e];
    const bool on_line = b == a + 1 ? a / 9 % 2 == 0 : a % 9 % 2 == 0;
    GridLevels torn({nine_}, 2);
    std::vector<char> broken(torn.Edges(0).size(), 0);
    broken[e] = 1;
    torn.Tear(broken, VectorXd::Ones(81));
    EXPECT_EQ(std::count(torn.Broken(1).begin(), torn.Broken(1).end(), 1), on_line ? 1 : 0) << e;
  }
}

// The weights with which a point is seen are those of the prolongation, tears and all.
TEST_F(TornLevels, PointsAreSeenByWhatCarriesThem) {
  for (int level = 1; level < 2; ++level) {
    const Matrix3Xd coarse = Random(torn_.PointCount(level));
    Matrix3Xd values = coarse;
    for (int l = level - 1; l >= 0; --l) {
      Matrix3Xd finer(3, torn_.PointCount(l));
      torn_.Interpolate(l, values, finer);
      values = finer;
    }
    for (int p = 0; p < 81; ++p) {
      const WeightedPoint seen = torn_.SeenFrom(level, p);
      Vector3d sum = Vector3d::Zero();
      for (int i = 0; i < seen.count; ++i) sum += seen.weight[i] * coarse.col(seen.point[i]);
      EXPECT_LT((sum - values.col(p)).norm(), 1e-14) << "point " << p;
    }
  }
}

}  // namespace
}  // namespace pliant::displacement_constraints
