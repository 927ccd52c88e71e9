// Sweeps over whole nets, and the mobility of their points: what nails and contacts divide by.

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <span>
#include <thread>

#include "solvers/displacement_constraints/corrector.h"
#include "solvers/displacement_constraints/ordering.h"
#include "solvers/projection/scene_edges.h"
#include "tests/solvers/displacement_constraints/scenes.h"

namespace pliant::displacement_constraints {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr unsigned kSweepSeed = 12;

// A net with its segments laid between the given points.
SegmentSystem Laid(const std::vector<SegmentNet::Edge>& edges, const VectorXd& masses,
                   SegmentInertia inertia, const Matrix3Xd& points) {
  SegmentSystem segments(SegmentNet(edges, masses, inertia), VelocityUpdate::kCorrected);
  segments.PlaceAndMeasure(points);
  return segments;
}

Corrector With(SegmentSystem& segments, const Correction& correction = {}) {
  return {segments.net(), segments.geometry(), correction, &segments.centres, &segments.axes};
}

void Sweep(SegmentSystem& segments, int sweeps, const Correction& correction = {},
           SweepOrder order = SweepOrder::kSequential) {
  Corrector corrector = With(segments, correction);
  const std::vector<int> points = PointsInOrder(segments.net(), order);
  for (int i = 0; i < sweeps; ++i) {
    corrector.SweepJoints(points, order == SweepOrder::kSymmetric && i % 2 == 1);
  }
}

Matrix3Xd PointsOf(const SegmentSystem& segments) {
  Matrix3Xd points(3, segments.net().points());
  segments.Points(points);
  return points;
}

SegmentSystem SheetOfSegments(int side, SegmentInertia inertia, RandomNumbers& random) {
  const GridSize grid{side, side};
  Matrix3Xd points(3, grid.size());
  VectorXd masses(grid.size());
  for (int v = 0; v < side; ++v) {
    for (int u = 0; u < side; ++u) {
      points.col(grid.Index(u, v)) << u, v, 0.0;
      masses[grid.Index(u, v)] = 1.5 + random.Number();
    }
  }
  return Laid(GridLevels({grid}, 1).Edges(0), masses, inertia, points);
}

class Sweeps : public testing::Test {
 protected:
  testing::ScopedTrace trace_{__FILE__, __LINE__, testing::Message() << "seed " << kSweepSeed};
  RandomNumbers random_{kSweepSeed};
};

TEST_F(Sweeps, CloseANetThatCanCloseAndKeepItsAxesUnit) {
  for (const SegmentInertia inertia :
       {SegmentInertia::kLumped, SegmentInertia::kRod, SegmentInertia::kIdentity}) {
    SegmentSystem sheet = SheetOfSegments(5, inertia, random_);
    sheet.centres += 0.1 * random_.Vectors(sheet.net().segments());
    const double before = sheet.LargestGap().size;
    const Vector3d centre = sheet.centres * sheet.net().masses();
    Sweep(sheet, 2000);
    EXPECT_GT(before, 0.1);
    EXPECT_LT(sheet.LargestGap().size, 1e-9);
    EXPECT_LT((sheet.axes.colwise().norm().array() - 1.0).abs().maxCoeff(), 1e-12);
    EXPECT_LT((sheet.centres * sheet.net().masses() - centre).norm(), 1e-11);
    // Closed means every two neighbours are a length apart.
    const VectorXd lengths = EdgeLengths(sheet.net().edges(), PointsOf(sheet));
    EXPECT_LT((lengths - sheet.geometry().lengths).norm(), 1e-8);
    With(sheet).NormaliseAxes();
    EXPECT_LT((sheet.axes.colwise().norm().array() - 1.0).abs().maxCoeff(), 3e-16);
  }
}

// Three equal segments dropped at random form an equilateral triangle; by translation alone they
// keep their directions and cannot [Palazzi 1993, Fig. 3.4].
TEST_F(Sweeps, CloseTheEquilateralTriangle) {
  for (const Correction& correction : {Correction{CorrectionRule::kCorrected, 1.0, 1.0},
                                       Correction{CorrectionRule::kSource, 1.0, 1.0},
                                       Correction{CorrectionRule::kSource, 1.0, 0.0}}) {
    SegmentSystem triangle(
        SegmentNet({{0, 1}, {1, 2}, {2, 0}}, VectorXd::Ones(3), SegmentInertia::kIdentity),
        VelocityUpdate::kCorrected);
    triangle.SetLengths(VectorXd::Ones(3));
    triangle.centres << 0, 1, 0.3, 0, 0.1, 0.5, 0, 0, 0.2;
    triangle.axes.setZero();
    triangle.axes.row(0).setOnes();
    triangle.axes.col(2) << 0.6, 0.0, 0.8;
    Sweep(triangle, 1000, correction);
    if (correction.rotation_factor == 0.0) {
      EXPECT_GT(triangle.LargestGap().size, 0.1);
      continue;
    }
    EXPECT_LT(triangle.LargestGap().size, 1e-12);
    for (int s = 0; s < 3; ++s) {
      EXPECT_NEAR(triangle.axes.col(s).dot(triangle.axes.col((s + 1) % 3)), -0.5, 1e-12);
    }
  }
}

// Segments along x that meet three points: a sweep takes the pairs of a point in the order left,
// right, upper, lower, and the points in theirs.
TEST_F(Sweeps, TakeThePairsOfEachPointInTheirOrder) {
  const GridLevels grids({GridSize{3, 3}}, 1);
  SegmentSystem swept = SheetOfSegments(3, SegmentInertia::kRod, random_);
  swept.centres += 0.1 * random_.Vectors(swept.net().segments());
  SegmentSystem by_hand = swept;
  Sweep(swept, 1);
  Corrector corrector = With(by_hand);
  for (int p = 0; p < 9; ++p) {
    const auto incident = by_hand.net().Incident(p);
    for (size_t i = 0; i + 1 < incident.size(); ++i) {
      corrector.ClosePair(incident[i], incident[i + 1]);
    }
  }
  EXPECT_EQ(swept.centres, by_hand.centres);
  EXPECT_EQ(swept.axes, by_hand.axes);
}

TEST_F(Sweeps, GoBackThroughAllPairsWhenTheyAreSymmetric) {
  SegmentSystem swept = SheetOfSegments(3, SegmentInertia::kRod, random_);
  swept.centres += 0.1 * random_.Vectors(swept.net().segments());
  SegmentSystem by_hand = swept;
  Sweep(swept, 2, {}, SweepOrder::kSymmetric);
  Sweep(by_hand, 1);
  Corrector corrector = With(by_hand);
  for (int p = 8; p >= 0; --p) {
    const auto incident = by_hand.net().Incident(p);
    for (size_t i = incident.size() - 1; i > 0; --i) {
      corrector.ClosePair(incident[i - 1], incident[i]);
    }
  }
  EXPECT_EQ(swept.centres, by_hand.centres);
  EXPECT_EQ(swept.axes, by_hand.axes);
}

// Two colours for a grid and for any other net without odd rings, three for a triangle; what has
// one colour may be swept in any order.
TEST_F(Sweeps, OfOneColourMayBeMadeInAnyOrder) {
  SegmentSystem sheet = SheetOfSegments(6, SegmentInertia::kLumped, random_);
  const std::vector<int> colours = ColoursOf(sheet.net());
  for (int p = 0; p < 36; ++p) EXPECT_EQ(colours[p], (p % 6 + p / 6) % 2);
  const SegmentNet triangle({{0, 1}, {1, 2}, {2, 0}}, VectorXd::Ones(3), SegmentInertia::kRod);
  EXPECT_EQ(ColoursOf(triangle), (std::vector{0, 1, 2}));
  const SegmentNet star({{1, 0}, {2, 0}, {3, 0}}, VectorXd::Ones(4), SegmentInertia::kRod);
  EXPECT_EQ(ColoursOf(star), (std::vector{0, 1, 1, 1}));

  sheet.centres += 0.1 * random_.Vectors(sheet.net().segments());
  SegmentSystem shuffled = sheet;
  Sweep(sheet, 1, {}, SweepOrder::kColoured);
  std::vector<int> order = PointsInOrder(shuffled.net(), SweepOrder::kColoured);
  ASSERT_EQ(order[17], 35);
  std::reverse(order.begin(), order.begin() + 18);
  std::rotate(order.begin() + 18, order.begin() + 23, order.end());
  With(shuffled).SweepJoints(order);
  EXPECT_EQ(sheet.centres, shuffled.centres);
  EXPECT_EQ(sheet.axes, shuffled.axes);
}

// The same bytes on any number of threads.
TEST_F(Sweeps, OfOneColourMayBeMadeByAnyNumberOfThreads) {
  SegmentSystem start = SheetOfSegments(13, SegmentInertia::kLumped, random_);
  start.centres += 0.1 * random_.Vectors(start.net().segments());
  SegmentSystem alone = start;
  Sweep(alone, 3, {}, SweepOrder::kColoured);
  const std::vector<int> order = PointsInOrder(start.net(), SweepOrder::kColoured);
  const std::vector<int> colours = ColoursOf(start.net());
  const auto of_colour = [&colours](int c) {
    return static_cast<size_t>(std::count(colours.begin(), colours.end(), c));
  };
  ASSERT_EQ(of_colour(0) + of_colour(1), order.size());
  for (const size_t count : {1, 2, 3, 5}) {
    SegmentSystem shared = start;
    const auto sweep_colour = [&](size_t first, size_t size) {
      std::vector<std::thread> threads;
      for (size_t t = 0; t < count; ++t) {
        const size_t from = first + size * t / count, until = first + size * (t + 1) / count;
        threads.emplace_back([&shared, &order, from, until] {
          With(shared).SweepJoints(std::span(order).subspan(from, until - from));
        });
      }
      for (std::thread& thread : threads) thread.join();
    };
    for (int i = 0; i < 3; ++i) {
      sweep_colour(0, of_colour(0));
      sweep_colour(of_colour(0), of_colour(1));
    }
    EXPECT_EQ(shared.centres, alone.centres) << count << " threads";
    EXPECT_EQ(shared.axes, alone.axes) << count << " threads";
  }
}

// A gap along a row of segments that has to travel from one end to the other: half as many sweeps
// when they are over-relaxed, and each order leads to the same closed row.
TEST_F(Sweeps, OverRelaxationHalvesTheSweepsOfALongRow) {
  const int n = 33;
  std::vector<SegmentNet::Edge> edges;
  Matrix3Xd points = Matrix3Xd::Zero(3, n);
  for (int i = 0; i < n; ++i) points(0, i) = i;
  for (int i = 1; i < n; ++i) edges.push_back({i - 1, i});
  SegmentSystem row = Laid(edges, VectorXd::Ones(n), SegmentInertia::kLumped, points);
  row.centres.col(0).x() -= 1.0;
  const Vector3d centre = row.centres * row.net().masses();
  const auto sweeps = [&](double relaxation, SweepOrder order) {
    SegmentSystem swept = row;
    Corrector corrector = With(swept, {.relaxation = relaxation});
    const std::vector<int> in_order = PointsInOrder(swept.net(), order);
    int count = 0;
    while (swept.LargestGap().size > 1e-3 && count < 100000) {
      corrector.SweepJoints(in_order, order == SweepOrder::kSymmetric && count % 2 == 1);
      ++count;
    }
    EXPECT_LT((swept.centres * swept.net().masses() - centre).norm(), 1e-11);
    return count;
  };
  for (const SweepOrder order :
       {SweepOrder::kSequential, SweepOrder::kSymmetric, SweepOrder::kColoured}) {
    EXPECT_LT(sweeps(1.8, order), sweeps(1.0, order) / 2) << static_cast<int>(order);
    EXPECT_LT(sweeps(1.0, order), 10000);
  }
}

// What sweeps remember of a joint is what they pulled it by in all.
TEST_F(Sweeps, RememberedImpulsesLeadToTheSameState) {
  for (const CorrectionRule rule : {CorrectionRule::kCorrected, CorrectionRule::kSource}) {
    SegmentSystem sheet = SheetOfSegments(4, SegmentInertia::kRod, random_);
    sheet.centres += 1e-7 * random_.Vectors(sheet.net().segments());
    SegmentSystem at_once = sheet;
    Matrix3Xd impulses = Matrix3Xd::Zero(3, sheet.net().pairs());
    Sweep(sheet, 20, {rule, 0.5, 0.1, 1.3, &impulses}, SweepOrder::kSymmetric);
    With(at_once, {rule, 0.5, 0.1}).PullJoints(impulses);
    EXPECT_LT((sheet.centres - at_once.centres).norm(), 1e-12);
    EXPECT_LT((sheet.axes - at_once.axes).norm(), 1e-12);
    EXPECT_GT(impulses.norm(), 1e-7);
  }
}

TEST_F(Sweeps, MobilityIsWhatAnImpulseDisplacesAPointBy) {
  for (const SegmentInertia inertia : {SegmentInertia::kLumped, SegmentInertia::kRod}) {
    const SegmentSystem sheet = SheetOfSegments(4, inertia, random_);
    for (int p = 0; p < sheet.net().points(); ++p) {
      SegmentSystem pushed = sheet;
      Corrector corrector = With(pushed);
      const Matrix3d mobility = corrector.Mobility(p);
      const double largest = corrector.LargestMobility(p);
      const Vector3d before = corrector.Point(p), impulse = 1e-6 * random_.Vector();
      corrector.Push(p, impulse);
      EXPECT_LT((corrector.Point(p) - before - mobility * impulse).norm(), 1e-5 * impulse.norm());
      EXPECT_LE(Eigen::SelfAdjointEigenSolver<Matrix3d>(mobility).eigenvalues().maxCoeff(),
                largest * (1 + 1e-12));
    }
  }
}

// For points between grid points the mobility is a bound: a push goes no further than it says.
TEST_F(Sweeps, MobilityOfAWeightedPointIsNeverExceeded) {
  const SegmentSystem sheet = SheetOfSegments(4, SegmentInertia::kLumped, random_);
  for (int i = 0; i < 100; ++i) {
    const double s = 0.5 + 0.5 * random_.Number(), t = 0.5 + 0.5 * random_.Number();
    const WeightedPoint point{
        4, {5, 6, 9, 10}, {(1 - s) * (1 - t), s * (1 - t), (1 - s) * t, s * t}};
    SegmentSystem pushed = sheet;
    Corrector corrector = With(pushed);
    const Vector3d impulse = 1e-6 * random_.Vector(), before = corrector.Point(point);
    const double bound = impulse.dot(corrector.Mobility(point) * impulse);
    EXPECT_NEAR(bound, corrector.LargestMobility(point) * impulse.squaredNorm(), 1e-12 * bound);
    corrector.Push(point, impulse);
    const double along = impulse.dot(corrector.Point(point) - before);
    EXPECT_GT(along, 0.1 * bound);
    EXPECT_LE(along, bound * (1 + 1e-5));
  }
}

TEST_F(Sweeps, PushDisplacesTheCentreOfMassByItsImpulse) {
  SegmentSystem sheet = SheetOfSegments(4, SegmentInertia::kRod, random_);
  const Vector3d before = sheet.centres * sheet.net().masses();
  const Vector3d impulse = 0.01 * random_.Vector();
  const WeightedPoint point{3, {5, 6, 9}, {0.5, 0.2, 0.3}};
  With(sheet).Push(point, impulse);
  EXPECT_LT((sheet.centres * sheet.net().masses() - before - impulse).norm(), 1e-14);
}

// The source's rule moves with its factors, whatever pushes.
TEST_F(Sweeps, PushHasTheFactorsOfTheSourceRule) {
  const SegmentSystem start = SheetOfSegments(3, SegmentInertia::kRod, random_);
  SegmentSystem whole = start, scaled = start;
  const Vector3d impulse(1e-7, 2e-7, -1e-7);
  With(whole, {CorrectionRule::kSource, 1.0, 1.0}).Push(4, impulse);
  With(scaled, {CorrectionRule::kSource, 0.5, 0.25}).Push(4, impulse);
  EXPECT_LT((scaled.centres - start.centres - 0.5 * (whole.centres - start.centres)).norm(), 1e-15);
  EXPECT_LT((scaled.axes - start.axes - 0.25 * (whole.axes - start.axes)).norm(), 1e-13);
  EXPECT_GT((whole.axes - start.axes).norm(), 1e-8);
}

}  // namespace
}  // namespace pliant::displacement_constraints
