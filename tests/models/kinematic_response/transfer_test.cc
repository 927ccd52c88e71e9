// The interlevel transfer operators, against hand cases and against what they must reproduce.

#include "models/kinematic_response/transfer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace pliant {
namespace {

using Eigen::RowVector3d;

const std::vector<Restriction> kRestrictions = {Restriction::kMaximum, Restriction::kAverage,
                                                Restriction::kFullWeighting};

GridVectors Restricted(Restriction restriction, const GridSize& fine, const GridVectors& d) {
  const GridSize coarse{(fine.nu + 1) / 2, fine.curve() ? 1 : (fine.nv + 1) / 2};
  GridVectors result = GridVectors::Constant(coarse.size(), 3, 99.0);
  Restrict(restriction, fine, d, coarse, &result);
  return result;
}

GridVectors Prolongated(Prolongation prolongation, const GridSize& coarse, const GridVectors& s) {
  const GridSize fine{2 * coarse.nu - 1, coarse.curve() ? 1 : 2 * coarse.nv - 1};
  GridVectors result = GridVectors::Constant(fine.size(), 3, 99.0);
  Prolongate(prolongation, coarse, s, fine, &result);
  return result;
}

// Samples of a function of (x, y) ∈ [0, 1]².
template <typename Function>
GridVectors Sampled(const GridSize& grid, Function function) {
  GridVectors values(grid.size(), 3);
  for (int v = 0; v < grid.nv; ++v) {
    for (int u = 0; u < grid.nu; ++u) {
      const double x = static_cast<double>(u) / (grid.nu - 1);
      const double y = grid.curve() ? 0.0 : static_cast<double>(v) / (grid.nv - 1);
      values.row(grid.Index(u, v)) = function(x, y);
    }
  }
  return values;
}

TEST(Restriction, ReproducesConstantsUpToTheBorder) {
  const RowVector3d c(0.3, -1.2, 2.5);
  for (Restriction restriction : kRestrictions) {
    for (const GridSize grid : {GridSize{3, 3}, GridSize{9, 9}, GridSize{17, 1}}) {
      const GridVectors d = c.replicate(grid.size(), 1);
      const GridVectors result = Restricted(restriction, grid, d);
      EXPECT_LT((result.rowwise() - c).cwiseAbs().maxCoeff(), 1e-15);
    }
  }
}

// One vector on a 5×5 grid, restricted to 3×3: the parents that see it and what they make of it.
GridVectors OneVector(int u, int v, const RowVector3d& d) {
  GridVectors field = GridVectors::Zero(25, 3);
  field.row(u + 5 * v) = d;
  return field;
}

TEST(Restriction, MaximumGivesEveryParentInReachTheWholeVector) {
  const RowVector3d d(0, 0, -2);
  // (1, 1) is a child of the four parents around it.
  const GridVectors result = Restricted(Restriction::kMaximum, {5, 5}, OneVector(1, 1, d));
  for (int v = 0; v < 3; ++v) {
    for (int u = 0; u < 3; ++u) {
      EXPECT_EQ(result.row(u + 3 * v), (u < 2 && v < 2) ? d : RowVector3d(0, 0, 0));
    }
  }
}

TEST(Restriction, MaximumTakesTheFirstOfEquallyLongVectors) {
  GridVectors d = GridVectors::Zero(9, 3);
  d.row(1) << 0, 1, 0;            // (1, 0)
  d.row(3) << 1, 0, 0;            // (0, 1), later and equally long
  d.row(5) << 0, 0, 1.0 + 1e-12;  // (2, 1), longer by rounding only
  const GridVectors tied = Restricted(Restriction::kMaximum, {3, 3}, d);
  EXPECT_EQ(tied.row(0), RowVector3d(0, 1, 0));
  EXPECT_EQ(tied.row(1), RowVector3d(0, 1, 0));
  d.row(5) << 0, 0, 1.0 + 1e-6;
  EXPECT_EQ(Restricted(Restriction::kMaximum, {3, 3}, d).row(1), RowVector3d(0, 0, 1.0 + 1e-6));
}

TEST(Restriction, AverageOfAPressedCentreIsTheLongerOfItAndTheMeanOfTheOthers) {
  GridVectors d = GridVectors::Zero(25, 3);
  const int centre = 2 + 5 * 2;
  d.row(centre) << 0, 0, -1;
  d.row(centre + 1) << 0, 0, -3;
  d.row(centre - 1) << 0, 0, -2;
  // Zero children do not count: the mean is 2.5, not 5/8.
  EXPECT_EQ(Restricted(Restriction::kAverage, {5, 5}, d).row(4), RowVector3d(0, 0, -2.5));
  d.row(centre) << 0, 0, -2.75;
  EXPECT_EQ(Restricted(Restriction::kAverage, {5, 5}, d).row(4), RowVector3d(0, 0, -2.75));
  // Opposite neighbours cancel; the centre stays.
  d.row(centre - 1) << 0, 0, 3;
  d.row(centre) << 0, 0, -0.5;
  EXPECT_EQ(Restricted(Restriction::kAverage, {5, 5}, d).row(4), RowVector3d(0, 0, -0.5));
}

TEST(Restriction, AverageOfAFreeCentreIsTheLongestChild) {
  GridVectors d = GridVectors::Zero(25, 3);
  d.row(1 + 5 * 1) << 0, 0, -1;
  d.row(3 + 5 * 3) << 0, 0, -4;
  EXPECT_EQ(Restricted(Restriction::kAverage, {5, 5}, d).row(4), RowVector3d(0, 0, -4));
}

TEST(Restriction, AverageOfALonelyCentreIsTheCentre) {
  const RowVector3d d(0.1, 0, -1);
  EXPECT_EQ(Restricted(Restriction::kAverage, {5, 5}, OneVector(2, 2, d)).row(4), d);
}

TEST(Restriction, FullWeightingWeighsFourTwoOneAndRenormalisesAtBorders) {
  const RowVector3d d(0, 0, 1);
  auto weight = [&](int u, int v, int parent) {
    return Restricted(Restriction::kFullWeighting, {5, 5}, OneVector(u, v, d))(parent, 2);
  };
  EXPECT_DOUBLE_EQ(weight(2, 2, 4), 4.0 / 16);  // centre of an inner parent
  EXPECT_DOUBLE_EQ(weight(3, 2, 4), 2.0 / 16);  // edge
  EXPECT_DOUBLE_EQ(weight(3, 3, 4), 1.0 / 16);  // corner
  EXPECT_DOUBLE_EQ(weight(0, 0, 0), 4.0 / 9);   // parent in a corner: 4 + 2 + 2 + 1 in the grid
  EXPECT_DOUBLE_EQ(weight(1, 1, 0), 1.0 / 9);
  EXPECT_DOUBLE_EQ(weight(2, 0, 1), 4.0 / 12);  // parent on an edge: 4 + 3·2 + 2·1
  EXPECT_DOUBLE_EQ(weight(2, 1, 1), 2.0 / 12);
  EXPECT_DOUBLE_EQ(weight(3, 1, 1), 1.0 / 12);
}

TEST(Restriction, WorksOnCurves) {
  GridVectors d = GridVectors::Zero(9, 3);
  d.row(4) << 0, -1, 0;
  d.row(5) << 0, -2, 0;
  const GridVectors longest = Restricted(Restriction::kMaximum, {9, 1}, d);
  const GridVectors weighted = Restricted(Restriction::kFullWeighting, {9, 1}, d);
  EXPECT_EQ(longest.col(1), (Eigen::VectorXd(5) << 0, 0, -2, -2, 0).finished());
  EXPECT_EQ(weighted.col(1), (Eigen::VectorXd(5) << 0, 0, -1, -0.5, 0).finished());
}

TEST(Prolongation, ReproducesConstants) {
  const RowVector3d c(0.3, -1.2, 2.5);
  for (Prolongation prolongation : {Prolongation::kLinear, Prolongation::kCubic}) {
    for (const GridSize grid : {GridSize{2, 2}, GridSize{3, 3}, GridSize{9, 9}, GridSize{5, 1}}) {
      const GridVectors s = c.replicate(grid.size(), 1);
      const GridVectors result = Prolongated(prolongation, grid, s);
      EXPECT_LT((result.rowwise() - c).cwiseAbs().maxCoeff(), 1e-15);
    }
  }
}

// Largest error in prolongating samples of a polynomial of degree `degree` along each axis.
double PolynomialError(Prolongation prolongation, const GridSize& coarse, int degree) {
  std::mt19937 generator(20240611);
  std::uniform_real_distribution<double> coefficient(-1.0, 1.0);
  std::vector<double> a;
  for (int i = 0; i < (degree + 1) * (degree + 1); ++i) a.push_back(coefficient(generator));
  auto polynomial = [&](double x, double y) {
    double sum = 0.0;
    for (int i = 0; i <= degree; ++i) {
      for (int j = 0; j <= degree; ++j) {
        sum += a[i + (degree + 1) * j] * std::pow(x, i) * std::pow(y, j);
      }
    }
    return RowVector3d(sum, 2.0 * sum, x + sum);
  };
  const GridSize fine{2 * coarse.nu - 1, coarse.curve() ? 1 : 2 * coarse.nv - 1};
  return (Prolongated(prolongation, coarse, Sampled(coarse, polynomial)) -
          Sampled(fine, polynomial))
      .cwiseAbs()
      .maxCoeff();
}

TEST(Prolongation, LinearReproducesBilinearSurfaces) {
  for (const GridSize grid : {GridSize{2, 2}, GridSize{5, 5}, GridSize{9, 1}}) {
    EXPECT_LT(PolynomialError(Prolongation::kLinear, grid, 1), 1e-14);
    EXPECT_GT(PolynomialError(Prolongation::kLinear, grid, 2), 1e-4);
  }
}

TEST(Prolongation, CubicReproducesAllTheDegreesItsSamplesAllowUpToTheBorder) {
  EXPECT_LT(PolynomialError(Prolongation::kCubic, {2, 2}, 1), 1e-14);
  EXPECT_LT(PolynomialError(Prolongation::kCubic, {3, 3}, 2), 1e-14);
  for (const GridSize grid : {GridSize{5, 5}, GridSize{9, 9}, GridSize{17, 1}}) {
    EXPECT_LT(PolynomialError(Prolongation::kCubic, grid, 3), 1e-14);
    EXPECT_GT(PolynomialError(Prolongation::kCubic, grid, 4), 1e-6);
  }
}

TEST(Prolongation, KeepsTheVerticesThatCoincide) {
  const GridSize coarse{5, 5};
  const GridVectors s = GridVectors::Random(25, 3);
  for (Prolongation prolongation : {Prolongation::kLinear, Prolongation::kCubic}) {
    EXPECT_EQ(Subsample({9, 9}, Prolongated(prolongation, coarse, s), coarse), s);
  }
}

TEST(Prolongation, LinearMidpointsAreMeansOfEdgesAndCells) {
  const GridVectors s = GridVectors::Random(9, 3);
  const GridVectors fine = Prolongated(Prolongation::kLinear, {3, 3}, s);
  EXPECT_LT((fine.row(1) - 0.5 * (s.row(0) + s.row(1))).norm(), 1e-15);
  EXPECT_LT((fine.row(5) - 0.5 * (s.row(0) + s.row(3))).norm(), 1e-15);
  const RowVector3d cell = 0.25 * (s.row(0) + s.row(1) + s.row(3) + s.row(4));
  EXPECT_LT((fine.row(1 + 5) - cell).norm(), 1e-15);
}

}  // namespace
}  // namespace pliant
