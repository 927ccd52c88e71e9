#include "models/displacement_constraints/segment_net.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <random>

#include "models/displacement_constraints/hierarchy.h"

namespace pliant::displacement_constraints {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

const SegmentInertia kInertias[] = {SegmentInertia::kLumped, SegmentInertia::kRod,
                                    SegmentInertia::kIdentity};

// Five points: a square with a tail and one diagonal, all masses different.
SegmentNet Kite(SegmentInertia inertia) {
  const VectorXd masses = (VectorXd(5) << 0.3, 1.1, 0.7, 0.2, 2.0).finished();
  return SegmentNet({{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 2}, {2, 4}}, masses, inertia);
}

TEST(SegmentNet, SplitsTheWholeMassOfEveryPoint) {
  const SegmentNet net = Kite(SegmentInertia::kRod);
  EXPECT_NEAR(net.masses().sum(), 4.3, 1e-15);
  const double expected[] = {0.3, 1.1, 0.7, 0.2, 2.0};
  for (int p = 0; p < net.points(); ++p) {
    double sum = 0.0;
    for (const int e : net.Incident(p)) {
      EXPECT_EQ(net.PointOf(e), p);
      sum += net.EndpointMass(e);
    }
    EXPECT_NEAR(sum, expected[p], 1e-15);
  }
  EXPECT_NEAR(net.masses()[5], 0.7 / 4 + 2.0, 1e-15);  // from a point of degree 4 to an end
}

TEST(SegmentNet, EndsAreALengthApart) {
  for (const SegmentInertia inertia : kInertias) {
    const SegmentNet net = Kite(inertia);
    SegmentGeometry geometry;
    const VectorXd lengths = VectorXd::LinSpaced(6, 0.5, 1.5);
    net.SetLengths(lengths, &geometry);
    for (int s = 0; s < net.segments(); ++s) {
      EXPECT_NEAR(geometry.arms[2 * s + 1] - geometry.arms[2 * s], lengths[s], 1e-15);
      if (inertia != SegmentInertia::kLumped) {
        EXPECT_NEAR(geometry.arms[2 * s + 1], 0.5 * lengths[s], 1e-15);
      }
    }
  }
}

// A lumped segment is two masses on a massless rod: same centre of mass, same kinetic energy in
// every rigid motion.
TEST(SegmentNet, LumpedSegmentIsItsTwoEndMasses) {
  constexpr unsigned kSeed = 5;
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  std::mt19937 generator(kSeed);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  const auto random = [&] {
    return Vector3d(number(generator), number(generator), number(generator));
  };
  const SegmentNet net = Kite(SegmentInertia::kLumped);
  SegmentGeometry geometry;
  net.SetLengths(VectorXd::LinSpaced(6, 0.5, 1.5), &geometry);
  for (int s = 0; s < net.segments(); ++s) {
    const double ma = net.EndpointMass(2 * s), mb = net.EndpointMass(2 * s + 1);
    const double a = geometry.arms[2 * s], b = geometry.arms[2 * s + 1];
    EXPECT_NEAR(ma * a + mb * b, 0.0, 1e-15);
    const Vector3d u = random().normalized(), v = random(), spin = random();
    const double of_ends = 0.5 * ma * (v + a * spin.cross(u)).squaredNorm() +
                           0.5 * mb * (v + b * spin.cross(u)).squaredNorm();
    const Vector3d across = spin - spin.dot(u) * u;
    const double of_segment = 0.5 * net.masses()[s] * v.squaredNorm() +
                              0.5 * across.squaredNorm() / geometry.inverse_inertias[s];
    EXPECT_NEAR(of_segment, of_ends, 1e-15);
  }
}

TEST(SegmentNet, RodHasTheInertiaOfAnEvenLine) {
  const SegmentNet net({{0, 1}}, VectorXd::Constant(2, 1.5), SegmentInertia::kRod);
  SegmentGeometry geometry;
  net.SetLengths(VectorXd::Constant(1, 0.8), &geometry);
  double inertia = 0.0;  // ∫ x² dm, by the midpoint rule
  constexpr int kPieces = 10000;
  for (int i = 0; i < kPieces; ++i) {
    const double x = 0.8 * ((i + 0.5) / kPieces - 0.5);
    inertia += x * x * 3.0 / kPieces;
  }
  EXPECT_NEAR(1.0 / geometry.inverse_inertias[0], inertia, 1e-8);
}

TEST(SegmentNet, SegmentWithoutLengthDoesNotTurn) {
  for (const SegmentInertia inertia : kInertias) {
    const SegmentNet net({{0, 1}}, VectorXd::Ones(2), inertia);
    SegmentGeometry geometry;
    net.SetLengths(VectorXd::Zero(1), &geometry);
    EXPECT_EQ(geometry.inverse_inertias[0], 0.0);
  }
}

TEST(SegmentNet, ListsLeftRightUpperLowerAtAPointOfASheet) {
  const GridLevels grids({GridSize{3, 3}}, 1);
  const SegmentNet net(grids.Edges(0), VectorXd::Ones(9), SegmentInertia::kLumped);
  std::vector<int> others;
  for (const int e : net.Incident(4)) others.push_back(net.PointOf(e ^ 1));
  EXPECT_EQ(others, (std::vector<int>{3, 5, 1, 7}));
}

}  // namespace
}  // namespace pliant::displacement_constraints
