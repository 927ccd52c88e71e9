// The interlevel transfer operators, against hand cases and against what they must reproduce.

#include "models/kinematic_response/transfer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <utility>
#include <vector>

namespace pliant::kinematic_response {
namespace {

using Eigen::RowVector3d;

const std::vector<Restriction> kRestrictions = {Restriction::kMaximum, Restriction::kAverage,
                                                Restriction::kFullWeighting,
                                                Restriction::kCombined};
const std::vector<Prolongation> kProlongations = {Prolongation::kLinear, Prolongation::kCubic,
                                                  Prolongation::kSubdivision};

GridSize Coarser(GridSize grid) {
  grid.nu = (grid.nu + 1) / 2;
  if (!grid.curve()) grid.nv = (grid.nv + 1) / 2;
  return grid;
}

GridSize Finer(GridSize grid) {
  if (!grid.curve()) grid.nv = grid.wraps_v ? 2 * grid.nv : 2 * grid.nv - 1;
  grid.nu = grid.wraps_u ? 2 * grid.nu : 2 * grid.nu - 1;
  return grid;
}

GridVectors Restricted(Restriction restriction, const GridSize& fine, const GridVectors& d) {
  const GridSize coarse = Coarser(fine);
  GridVectors result = GridVectors::Constant(coarse.size(), 3, 99.0);
  Restrict(restriction, fine, d, coarse, &result);
  return result;
}

GridVectors Prolongated(Prolongation prolongation, const GridSize& coarse, const GridVectors& s) {
  const GridSize fine = Finer(coarse);
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

constexpr GridSize kTube{6, 5, true, false};
constexpr GridSize kTorus{6, 12, true, true};

TEST(Restriction, ReproducesConstantsUpToTheBorder) {
  const RowVector3d c(0.3, -1.2, 2.5);
  for (Restriction restriction : kRestrictions) {
    for (const GridSize grid : {GridSize{3, 3}, GridSize{9, 9}, GridSize{17, 1}, kTube, kTorus}) {
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
  for (Prolongation prolongation : kProlongations) {
    for (const GridSize grid :
         {GridSize{2, 2}, GridSize{3, 3}, GridSize{9, 9}, GridSize{5, 1}, kTube, kTorus}) {
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

TEST(Restriction, CombinesTheLongestWithAWideMean) {
  const RowVector3d d(0, 0, 2);
  auto weight = [&](int u, int v, int parent) {
    return Restricted(Restriction::kCombined, {9, 9}, [&] {
      GridVectors field = GridVectors::Zero(81, 3);
      field.row(u + 9 * v) = d;
      return field;
    }())(parent, 2);
  };
  const int middle = 2 + 5 * 2;                              // (4, 4) of the finer grid
  EXPECT_DOUBLE_EQ(weight(4, 4, middle), 1.0 + 36.0 / 256);  // a child: half of 2, and the mean
  EXPECT_DOUBLE_EQ(weight(6, 6, middle), 1.0 / 256);         // no child, in the wide block only
  EXPECT_DOUBLE_EQ(weight(7, 4, middle), 0.0);
}

// The field moved by `du`, `dv` around a grid that wraps both ways.
GridVectors Moved(const GridSize& grid, const GridVectors& field, int du, int dv) {
  GridVectors moved(field.rows(), 3);
  for (int v = 0; v < grid.nv; ++v) {
    for (int u = 0; u < grid.nu; ++u) {
      moved.row(grid.Index((u + du) % grid.nu, (v + dv) % grid.nv)) = field.row(grid.Index(u, v));
    }
  }
  return moved;
}

TEST(Wrapping, HasNoPlaceWhereItBegins) {
  const GridSize fine = Finer(kTorus);
  const GridVectors d = GridVectors::Random(fine.size(), 3);
  const GridVectors s = GridVectors::Random(kTorus.size(), 3);
  for (int du : {0, 1, 5}) {
    for (int dv : {0, 3, 11}) {
      for (Restriction restriction : kRestrictions) {
        const GridVectors there = Restricted(restriction, fine, Moved(fine, d, 2 * du, 2 * dv));
        const GridVectors here = Restricted(restriction, fine, d);
        EXPECT_LT((there - Moved(kTorus, here, du, dv)).cwiseAbs().maxCoeff(), 1e-14);
      }
      for (Prolongation prolongation : kProlongations) {
        const GridVectors there = Prolongated(prolongation, kTorus, Moved(kTorus, s, du, dv));
        const GridVectors here = Prolongated(prolongation, kTorus, s);
        EXPECT_LT((there - Moved(fine, here, 2 * du, 2 * dv)).cwiseAbs().maxCoeff(), 1e-14);
      }
    }
  }
}

TEST(Wrapping, IsSmoothAroundTheCorner) {
  // A circle: the cubic is as near to it between the last point and the first as anywhere.
  const GridSize ring{24, 1, true, false};
  auto circle = [](int n) {
    GridVectors points(n, 3);
    for (int i = 0; i < n; ++i) {
      const double angle = 2.0 * M_PI * i / n;
      points.row(i) << std::cos(angle), std::sin(angle), 0.0;
    }
    return points;
  };
  const GridVectors fine = Prolongated(Prolongation::kCubic, ring, circle(24));
  const Eigen::VectorXd error = (fine - circle(48)).rowwise().norm();
  EXPECT_LT(error.maxCoeff(), 2e-4);
  EXPECT_NEAR(error[47], error[23], 1e-14);
  EXPECT_GT(error[47], 1e-6);
}

TEST(Prolongation, SubdivisionIsTheRefinementOfACubicBSpline) {
  GridVectors s = GridVectors::Zero(49, 3);
  s(3 + 7 * 3, 2) = 64.0;
  const GridVectors fine = Prolongated(Prolongation::kSubdivision, {7, 7}, s);
  const double weight[] = {1, 4, 6, 4, 1};
  for (int v = 0; v < 5; ++v) {
    for (int u = 0; u < 5; ++u) {
      EXPECT_DOUBLE_EQ(fine(4 + u + 13 * (4 + v), 2), weight[u] * weight[v]);
    }
  }
  EXPECT_LT(PolynomialError(Prolongation::kSubdivision, {9, 9}, 1), 1e-14);
}

TEST(Prolongation, PartOfARowIsThatPartOfTheRow) {
  const GridSize coarse{65, 65};
  const GridVectors s = GridVectors::Random(coarse.size(), 3);
  std::vector<double> scratch(65), whole(130), part(130);
  for (Prolongation prolongation : kProlongations) {
    for (int v : {0, 1, 2, 63, 127, 128}) {
      ProlongateRow(prolongation, coarse, s.data(), v, 0, 129, scratch.data(), whole.data());
      for (const auto& [begin, end] : {std::pair(0, 5), std::pair(2, 65), std::pair(62, 129)}) {
        std::fill(scratch.begin(), scratch.end(), 1e9);  // what it does not write it must not read
        ProlongateRow(prolongation, coarse, s.data(), v, begin, end, scratch.data(), part.data());
        for (int u = begin; u < end; ++u) EXPECT_EQ(part[u], whole[u]) << v << " " << u;
      }
    }
  }
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
}  // namespace pliant::kinematic_response
