// Sweeps over whole nets, and the mobility of their points: what nails and contacts divide by.

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>

#include "solvers/displacement/corrector.h"
#include "tests/solvers/displacement/scenes.h"

namespace pliant {
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
    Corrector corrector = With(sheet);
    for (int i = 0; i < 2000; ++i) corrector.SweepJoints();
    EXPECT_GT(before, 0.1);
    EXPECT_LT(sheet.LargestGap().size, 1e-9);
    EXPECT_LT((sheet.axes.colwise().norm().array() - 1.0).abs().maxCoeff(), 1e-12);
    EXPECT_LT((sheet.centres * sheet.net().masses() - centre).norm(), 1e-11);
    // Closed means every two neighbours are a length apart.
    const VectorXd lengths = EdgeLengths(sheet.net().edges(), PointsOf(sheet));
    EXPECT_LT((lengths - sheet.geometry().lengths).norm(), 1e-8);
    corrector.NormaliseAxes();
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
    Corrector corrector = With(triangle, correction);
    for (int i = 0; i < 1000; ++i) corrector.SweepJoints();
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
  With(swept).SweepJoints();
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
}  // namespace pliant
