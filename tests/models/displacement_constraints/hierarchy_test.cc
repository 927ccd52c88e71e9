#include "models/displacement_constraints/hierarchy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "models/geometry/rotation.h"

namespace pliant::displacement_constraints {
namespace {

using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr unsigned kSeed = 7;

class Levels : public testing::Test {
 protected:
  Matrix3Xd Random(int n) {
    Matrix3Xd m(3, n);
    for (Eigen::Index i = 0; i < m.size(); ++i) m.data()[i] = number_(generator_);
    return m;
  }
  // The unit square in the xy-plane.
  static Matrix3Xd Flat(const GridSize& grid) {
    Matrix3Xd x = Matrix3Xd::Zero(3, grid.size());
    for (int v = 0; v < grid.nv; ++v) {
      for (int u = 0; u < grid.nu; ++u) {
        x.col(grid.Index(u, v)) << u / (grid.nu - 1.0), v / std::max(grid.nv - 1.0, 1.0), 0.0;
      }
    }
    return x;
  }

  testing::ScopedTrace trace_{__FILE__, __LINE__, testing::Message() << "seed " << kSeed};
  std::mt19937 generator_{kSeed};
  std::uniform_real_distribution<double> number_{-1.0, 1.0};
  const GridSize nine_{9, 9};
  const GridLevels sheet_{{GridSize{9, 9}}, 4};
};

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

// A sheet cut in two between the columns 2 and 3, with a point and a pair of points cut out of the
// second part.
class TornLevels : public Levels {
 protected:
  TornLevels() { Cut(VectorXd::Ones(81)); }
  void Cut(const VectorXd& masses) {
    std::vector<char> broken(torn_.Edges(0).size(), 0);
    for (size_t e = 0; e < broken.size(); ++e) {
      broken[e] = PartOf(torn_.Edges(0)[e][0]) != PartOf(torn_.Edges(0)[e][1]);
    }
    torn_.Tear(broken, masses);
  }
  static int PartOf(int point) {
    const int u = point % 9, v = point / 9;
    if (u == 5 && v == 5) return 2;
    if (u == 7 && (v == 5 || v == 6)) return 3;
    return u < 3 ? 0 : 1;
  }

  GridLevels torn_{{GridSize{9, 9}}, 4};
};

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

// An even stress of a coarse level becomes one of the lines it stands for; R gives it back.
TEST_F(Levels, TensionsAreSharedByTheLinesOfALevel) {
  const int coarse_edges = sheet_.GridEdgeCount(1);
  VectorXd coarse = VectorXd::Zero(coarse_edges), fine = VectorXd::Zero(2 * 9 * 8);
  for (int e = 0; e < 20; ++e) coarse[e] = e / 4 == 0 || e / 4 == 4 ? 1.0 : 2.0;  // rows
  sheet_.AddTensions(0, coarse, &fine);
  for (int e = 0; e < 72; ++e) EXPECT_EQ(fine[e], e / 8 == 0 || e / 8 == 8 ? 0.5 : 1.0) << e;
  EXPECT_EQ(fine.tail(72).cwiseAbs().maxCoeff(), 0.0);
}

// --- Levels that keep momentum -------------------------------------------------------------------

// A sheet of uneven masses, whole or torn, whose levels pass points on as a simulation does.
class BalancedLevels : public TornLevels {
 protected:
  BalancedLevels() {
    for (double& mass : masses_) mass = 1.0 + 0.5 * number_(generator_);
    whole_.KeepMomentum(masses_);
    torn_ = sheet_;
    torn_.KeepMomentum(masses_);
    Cut(masses_);
  }
  static Matrix3Xd Balanced(const GridLevels& levels, int l, GridLevels::Shift shift,
                            const Matrix3Xd& points) {
    Matrix3Xd balanced = points, scratch(3, points.cols()), coarse(3, levels.PointCount(l + 1));
    levels.Balance(l, shift, balanced, scratch, coarse);
    return balanced;
  }
  static Matrix3Xd Coarse(const GridLevels& levels, int l, const Matrix3Xd& fine) {
    Matrix3Xd coarse(3, levels.PointCount(l + 1));
    levels.Subsample(l, Balanced(levels, l, GridLevels::Shift::kForward, fine), coarse);
    return coarse;
  }
  static Matrix3Xd Carried(const GridLevels& levels, int l, const Matrix3Xd& before,
                           const Matrix3Xd& coarse) {
    Matrix3Xd after(3, before.cols());
    levels.Prolongate(l, Balanced(levels, l, GridLevels::Shift::kForward, before), coarse, after);
    return Balanced(levels, l, GridLevels::Shift::kBack, after);
  }
  static Matrix3Xd Rates(const GridLevels& levels, int l, const Matrix3Xd& fine,
                         const Matrix3Xd& coarse_rates) {
    Matrix3Xd rates(3, fine.cols());
    levels.ProlongateRates(l, Balanced(levels, l, GridLevels::Shift::kForward, fine), coarse_rates,
                           rates);
    return Balanced(levels, l, GridLevels::Shift::kBack, rates);
  }
  // Of the points of each level that coarser ones carry.
  std::vector<VectorXd> MassesOf(const GridLevels& levels) const {
    std::vector<VectorXd> masses = {masses_};
    for (int l = 0; l + 1 < levels.levels(); ++l) {
      MatrixXd fine = masses[l].transpose(), coarse(1, levels.PointCount(l + 1));
      levels.Restrict(l, fine, coarse);
      masses.emplace_back(coarse.transpose());
    }
    return masses;
  }

  VectorXd masses_ = VectorXd::Ones(81);
  GridLevels whole_{{GridSize{9, 9}}, 4};
};

// However far the coarse points move and the offsets turn: what is left out stays.
TEST_F(BalancedLevels, MassGoesWhereTheLevelGoes) {
  for (const GridLevels* levels : {&whole_, &torn_}) {
    const std::vector<VectorXd> masses = MassesOf(*levels);
    for (int l = 0; l < 3; ++l) {
      const Matrix3Xd before = Random(levels->PointCount(l));
      const Matrix3Xd coarse = Coarse(*levels, l, before);
      VectorXd carried = masses[l];
      for (const int p : levels->LeftOut(l)) carried[p] = 0.0;
      EXPECT_LT((before * carried - coarse * masses[l + 1]).norm(), 1e-13) << l;
      const Matrix3Xd there = coarse + 0.5 * Random(static_cast<int>(coarse.cols()));
      const Matrix3Xd after = Carried(*levels, l, before, there);
      EXPECT_LT((after * carried - there * masses[l + 1]).norm(), 1e-13) << l;
      const Matrix3Xd rates = Random(static_cast<int>(coarse.cols()));
      const Matrix3Xd given = Rates(*levels, l, before, rates);
      EXPECT_LT((given * carried - rates * masses[l + 1]).norm(), 1e-12) << l;
    }
  }
  const Matrix3Xd before = Random(81);
  Matrix3Xd even(3, 25), after(3, 81);
  sheet_.Subsample(0, before, even);
  const Matrix3Xd there = even + 0.5 * Random(25);
  sheet_.Prolongate(0, before, there, after);
  const Vector3d went = (after - before) * masses_;
  EXPECT_GT((went - (there - even) * MassesOf(sheet_)[1]).norm(), 1.0) << "the source's do not";
}

TEST_F(BalancedLevels, ProlongationFollowsEveryRigidMotion) {
  for (const double roughness : {0.0, 0.05, 0.3}) {
    const Matrix3Xd numbers = Random(2);
    const auto moved = [&](const Matrix3Xd& points) {
      Matrix3Xd there = points;
      for (int p = 0; p < points.cols(); ++p) {
        there.col(p) = Rotated(Vector3d(points.col(p)), 3.0 * numbers.col(0)) + numbers.col(1);
      }
      return there;
    };
    std::vector<Matrix3Xd> before = {Flat(nine_) + roughness * Random(81)};
    for (int l = 0; l < 3; ++l) before.push_back(Coarse(whole_, l, before[l]));
    Matrix3Xd there = moved(before[3]);
    for (int l = 2; l >= 0; --l) there = Carried(whole_, l, before[l], there);
    EXPECT_LT((there - moved(before[0])).cwiseAbs().maxCoeff(), 1e-13);

    Matrix3Xd torn = moved(Coarse(torn_, 0, before[0]));
    torn = Carried(torn_, 0, before[0], torn);
    for (int p = 0; p < 81; ++p) {
      if (PartOf(p) > 1) continue;
      EXPECT_LT((torn - moved(before[0])).col(p).norm(), 1e-12) << "point " << p;
    }
  }
}

TEST_F(BalancedLevels, RestoreWhatDidNotMoveAndAreTheEvenPointsOfAFlatSheet) {
  for (const GridLevels* levels : {&whole_, &torn_}) {
    const Matrix3Xd fine = Random(81);
    EXPECT_LT((Carried(*levels, 0, fine, Coarse(*levels, 0, fine)) - fine).norm(), 1e-12);
  }
  Matrix3Xd even(3, 25);
  whole_.Subsample(0, Flat(nine_), even);
  EXPECT_LT((Coarse(whole_, 0, Flat(nine_)) - even).norm(), 1e-15);
}

TEST_F(BalancedLevels, RatesAreTheDerivative) {
  for (const GridLevels* levels : {&whole_, &torn_}) {
    const Matrix3Xd fine = Flat(nine_) + 0.05 * Random(81), rates = Random(25);
    const Matrix3Xd start = Coarse(*levels, 0, fine);
    const double small = 1e-6;
    const Matrix3Xd ahead = Carried(*levels, 0, fine, start + small * rates);
    const Matrix3Xd behind = Carried(*levels, 0, fine, start - small * rates);
    const Matrix3Xd exact = Rates(*levels, 0, fine, rates);
    EXPECT_LT(((ahead - behind) / (2.0 * small) - exact).cwiseAbs().maxCoeff(), 1e-7);
  }
}

}  // namespace
}  // namespace pliant::displacement_constraints
