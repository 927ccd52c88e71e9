// Segments as rigid bodies of their own: stages 1, 2 and 4 of a step [Palazzi 1993, App. A].

#include "solvers/displacement_constraints/segment_system.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "models/scene/metrics.h"
#include "tests/solvers/displacement_constraints/scenes.h"

namespace pliant::displacement_constraints {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr unsigned kSystemSeed = 13;
const SegmentInertia kEveryInertia[] = {SegmentInertia::kLumped, SegmentInertia::kRod,
                                        SegmentInertia::kIdentity};

class Segments : public testing::Test {
 protected:
  // A square with a tail and a diagonal, all masses and lengths different, moving.
  SegmentSystem Kite(SegmentInertia inertia, VelocityUpdate update = VelocityUpdate::kCorrected) {
    SegmentSystem kite(
        SegmentNet({{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 2}, {2, 4}}, kMasses, inertia), update);
    points_ = random_.Vectors(5);
    kite.PlaceAndMeasure(points_);
    return kite;
  }
  void Move(SegmentSystem& segments) {
    const int n = segments.net().segments();
    segments.velocities = random_.Vectors(n);
    segments.spins = random_.Vectors(n);
    for (int s = 0; s < n; ++s) {
      segments.spins.col(s) -=
          segments.spins.col(s).dot(segments.axes.col(s)) * segments.axes.col(s);
    }
  }

  const VectorXd kMasses = (VectorXd(5) << 0.3, 1.1, 0.7, 0.2, 2.0).finished();
  testing::ScopedTrace trace_{__FILE__, __LINE__, testing::Message() << "seed " << kSystemSeed};
  RandomNumbers random_{kSystemSeed};
  Matrix3Xd points_;
};

// One rod of 2 kg along x, of length 0.5 m, centred at the origin.
SegmentSystem Rod(VelocityUpdate update, SegmentInertia inertia = SegmentInertia::kRod) {
  SegmentSystem rod(SegmentNet({{0, 1}}, VectorXd::Ones(2), inertia), update);
  Matrix3Xd ends = Matrix3Xd::Zero(3, 2);
  ends(0, 0) = -0.25;
  ends(0, 1) = 0.25;
  rod.PlaceAndMeasure(ends);
  return rod;
}

TEST_F(Segments, LieBetweenTheirPoints) {
  for (const SegmentInertia inertia : kEveryInertia) {
    const SegmentSystem kite = Kite(inertia);
    Matrix3Xd seen(3, 5);
    kite.Points(seen);
    EXPECT_LT((seen - points_).norm(), 1e-14);
    EXPECT_LT(kite.LargestGap().size, 1e-14);
  }
}

// A segment that is too short divides the two misfits as it divides its mass.
TEST_F(Segments, PlacedBetweenPointsTooFarApartKeepTheCentreOfMass) {
  SegmentSystem kite = Kite(SegmentInertia::kLumped);
  const Matrix3Xd wide = 1.3 * points_;
  kite.Place(wide);
  const SegmentNet& net = kite.net();
  for (int s = 0; s < net.segments(); ++s) {
    const auto [a, b] = net.edges()[s];
    EXPECT_NEAR((kite.Endpoint(2 * s + 1) - kite.Endpoint(2 * s)).norm(),
                (points_.col(b) - points_.col(a)).norm(), 1e-14);
    const Vector3d of_points =
        net.EndpointMass(2 * s) * wide.col(a) + net.EndpointMass(2 * s + 1) * wide.col(b);
    EXPECT_LT((net.masses()[s] * kite.centres.col(s) - of_points).norm(), 1e-14);
  }
}

TEST_F(Segments, LargestGapIsOverAllPairsAtAPoint) {
  SegmentSystem kite = Kite(SegmentInertia::kRod);
  kite.centres += 0.1 * random_.Vectors(6);
  Move(kite);
  double gap = 0.0, rate = 0.0;
  int where = 0;
  for (int e = 0; e < 12; ++e) {
    for (int f = 0; f < e; ++f) {
      if (kite.net().PointOf(e) != kite.net().PointOf(f)) continue;
      const double size = (kite.Endpoint(e) - kite.Endpoint(f)).norm();
      if (size > gap) where = kite.net().PointOf(e);
      gap = std::max(gap, size);
      rate = std::max(rate, (kite.EndpointVelocity(e) - kite.EndpointVelocity(f)).norm());
    }
  }
  EXPECT_NEAR(kite.LargestGap().size, gap, 1e-15);
  EXPECT_EQ(kite.LargestGap().point, where);
  EXPECT_NEAR(kite.LargestGapRate().size, rate, 1e-15);
}

// With lumped inertia the segments are the material points joined by massless edges.
TEST_F(Segments, LumpedSegmentsHaveTheMomentumAndEnergyOfTheirPoints) {
  SegmentSystem kite = Kite(SegmentInertia::kLumped);
  // Points that turn as one body, so that all endpoints of a point agree.
  const Vector3d velocity(0.3, -0.2, 0.5), spin(1.0, 2.0, -0.7);
  Matrix3Xd rates(3, 5);
  for (int p = 0; p < 5; ++p) rates.col(p) = velocity + spin.cross(Vector3d(points_.col(p)));
  for (int s = 0; s < 6; ++s) {
    const Vector3d u = kite.axes.col(s), centre = kite.centres.col(s);
    kite.velocities.col(s) = velocity + spin.cross(centre);
    kite.spins.col(s) = spin - spin.dot(u) * u;
  }
  Matrix3Xd seen(3, 5);
  kite.PointVelocities(seen);
  EXPECT_LT((seen - rates).norm(), 1e-14);
  EXPECT_LT((Momentum(kite) - LinearMomentum(kMasses, rates)).norm(), 1e-14);
  double energy = 0.0;
  for (int s = 0; s < 6; ++s) {
    energy += 0.5 * kite.net().masses()[s] * kite.velocities.col(s).squaredNorm() +
              0.5 * kite.spins.col(s).squaredNorm() / kite.geometry().inverse_inertias[s];
  }
  EXPECT_NEAR(energy, KineticEnergy(kMasses, rates), 1e-14);
}

// Stage 1: the shares of a point's force add up to it, and so do their torques.
TEST_F(Segments, ForcesOfPointsReachTheSegmentsWhole) {
  const double h = 0.01;
  for (const SegmentInertia inertia : kEveryInertia) {
    SegmentSystem kite = Kite(inertia);
    const Matrix3Xd forces = random_.Vectors(5);
    kite.ClearForces();
    EXPECT_FALSE(kite.HasForces());
    kite.AddPointForces(0.4, forces);
    kite.AddGravity({0.0, -2.0, 0.0});
    EXPECT_TRUE(kite.HasForces());
    Vector3d torque = Vector3d::Zero(), turned = Vector3d::Zero();
    for (int p = 0; p < 5; ++p) torque += points_.col(p).cross(Vector3d(0.4 * forces.col(p)));
    for (int s = 0; s < 6; ++s) {
      torque += kite.net().masses()[s] * kite.centres.col(s).cross(Vector3d(0.0, -2.0, 0.0));
    }
    const Matrix3Xd centres = kite.centres;
    kite.Dynamics(h);
    const Vector3d total = 0.4 * forces.rowwise().sum() + kMasses.sum() * Vector3d(0.0, -2.0, 0.0);
    EXPECT_LT((Momentum(kite) - h * total).norm(), 1e-14);
    for (int s = 0; s < 6; ++s) {
      turned += kite.net().masses()[s] * centres.col(s).cross(Vector3d(kite.velocities.col(s))) +
                kite.spins.col(s) / kite.geometry().inverse_inertias[s];
    }
    // Spins lose what lies along their turned axes, of third order in h.
    EXPECT_LT((turned / h - torque).norm(), 1e-3) << "angular momentum about the origin";
  }
}

TEST_F(Segments, PointAccelerationsAreWhatForcesDoToPoints) {
  for (const SegmentInertia inertia : kEveryInertia) {
    SegmentSystem kite = Kite(inertia);
    kite.ClearForces();
    kite.AddPointForces(1.0, random_.Vectors(5));
    kite.AddGravity({0.0, 0.0, -3.0});
    Matrix3Xd accelerations(3, 5), rates(3, 5);
    kite.PointAccelerations(accelerations);
    const double h = 1e-7;
    kite.Dynamics(h);
    kite.PointVelocities(rates);
    EXPECT_LT((rates / h - accelerations).norm(), 1e-5);
  }
}

// Stages 2 and 4 of a body that only falls: which velocity carries it, and which it keeps.
TEST_F(Segments, FallAsTheVelocityUpdateSays) {
  const Vector3d g(0.0, -9.81, 0.0), v(1.0, 2.0, 3.0);
  const double h = 0.1;
  for (const VelocityUpdate update :
       {VelocityUpdate::kCorrected, VelocityUpdate::kEulerCromer, VelocityUpdate::kPrinted}) {
    SegmentSystem rod = Rod(update);
    rod.velocities.col(0) = v;
    rod.ClearForces();
    rod.AddGravity(g);
    rod.Dynamics(h);
    const double lag = update == VelocityUpdate::kEulerCromer ? 0.0 : 0.5;
    EXPECT_LT((rod.centres.col(0) - h * (v + (1.0 - lag) * h * g)).norm(), 1e-15);
    rod.UpdateVelocities(h);
    EXPECT_LT((rod.velocities.col(0) - (v + h * g)).norm(), 1e-15);
    if (update != VelocityUpdate::kPrinted) continue;
    rod.HalveAccelerations(h);  // (x_new − x_old)/h with x_new = x_old + h (v + v')/2
    EXPECT_LT((rod.velocities.col(0) - (v + 0.5 * h * g)).norm(), 1e-15);
    EXPECT_LT((rod.velocities.col(0) - rod.centres.col(0) / h).norm(), 1e-14);
  }
}

// A force at the end of a rod: J = m ℓ²/12.
TEST_F(Segments, RodTurnsByItsMomentOfInertia) {
  const double h = 0.01;
  SegmentSystem rod = Rod(VelocityUpdate::kCorrected);
  Matrix3Xd forces = Matrix3Xd::Zero(3, 2);
  forces(1, 1) = 0.6;
  rod.ClearForces();
  rod.AddPointForces(1.0, forces);
  rod.Dynamics(h);
  const double inertia = 2.0 * 0.5 * 0.5 / 12.0;
  const double spin = h * 0.25 * 0.6 / inertia;
  EXPECT_LT((rod.spins.col(0) - spin * Vector3d::UnitZ()).norm(), 1e-15);
  EXPECT_LT((rod.velocities.col(0) - h * 0.3 * Vector3d::UnitY()).norm(), 1e-15);
  const double angle = 0.5 * h * spin;  // with the mean of the old and the new spin
  EXPECT_LT((rod.axes.col(0) - Vector3d(std::cos(angle), std::sin(angle), 0.0)).norm(), 1e-15);
  rod.HalveAccelerations(h);
  EXPECT_LT((rod.spins.col(0) - 0.5 * spin * Vector3d::UnitZ()).norm(), 1e-15);
}

// World rotation vectors act from the left, q_r q, in the order of the source's App. B; its (A.8)
// prints q q_r.
TEST_F(Segments, TurnAboutWorldAxes) {
  SegmentSystem rod = Rod(VelocityUpdate::kCorrected);
  const Vector3d first(0.0, 0.0, 0.8), second(0.0, 1.1, 0.0);
  rod.spins.col(0) = first;
  rod.Dynamics(1.0);
  const Vector3d across = second - second.dot(rod.axes.col(0)) * rod.axes.col(0);
  rod.spins.col(0) = across;
  rod.Dynamics(1.0);
  const auto quaternion = [](const Vector3d& turn) {
    return Eigen::Quaterniond(Eigen::AngleAxisd(turn.norm(), turn.normalized()));
  };
  const Vector3d expected = quaternion(across) * quaternion(first) * Vector3d::UnitX();
  const Vector3d printed = quaternion(first) * quaternion(across) * Vector3d::UnitX();
  EXPECT_LT((rod.axes.col(0) - expected).norm(), 1e-15);
  EXPECT_GT((printed - expected).norm(), 0.1);
}

TEST_F(Segments, RodHasNoSpinAboutItself) {
  SegmentSystem rod = Rod(VelocityUpdate::kCorrected);
  rod.spins.col(0) << 5.0, 0.0, 1.0;
  rod.Dynamics(0.1);
  EXPECT_NEAR(rod.spins.col(0).dot(rod.axes.col(0)), 0.0, 1e-15);
  rod.UpdateVelocities(0.1);
  EXPECT_NEAR(rod.spins.col(0).dot(rod.axes.col(0)), 0.0, 1e-15);
  SegmentSystem ball = Rod(VelocityUpdate::kCorrected, SegmentInertia::kIdentity);
  ball.spins.col(0) << 5.0, 0.0, 1.0;
  ball.Dynamics(0.1);
  ball.UpdateVelocities(0.1);
  EXPECT_EQ(ball.spins.col(0), Vector3d(5.0, 0.0, 1.0)) << "a unit inertia keeps it";
}

// Stage 4: v ← v' + (x_new − x')/h, and the same for ω with the relative rotation vector.
TEST_F(Segments, VelocitiesTakeUpTheCorrections) {
  const double h = 0.05;
  SegmentSystem kite = Kite(SegmentInertia::kRod);
  Move(kite);
  kite.Dynamics(h);
  const Matrix3Xd velocities = kite.velocities, spins = kite.spins, axes = kite.axes;
  const Matrix3Xd shift = 0.1 * random_.Vectors(6);
  kite.centres += shift;
  Matrix3Xd turns = 0.2 * random_.Vectors(6);
  for (int s = 0; s < 6; ++s) {
    const Vector3d u = axes.col(s);
    turns.col(s) -= turns.col(s).dot(u) * u;
    kite.axes.col(s) =
        Eigen::AngleAxisd(turns.col(s).norm(), turns.col(s).normalized()).toRotationMatrix() * u;
  }
  kite.UpdateVelocities(h);
  EXPECT_LT((kite.velocities - velocities - shift / h).norm(), 1e-13);
  for (int s = 0; s < 6; ++s) {
    const Vector3d u = kite.axes.col(s);
    const Vector3d spin = spins.col(s) + turns.col(s) / h;
    EXPECT_LT((kite.spins.col(s) - (spin - spin.dot(u) * u)).norm(), 1e-12);
  }
}

}  // namespace
}  // namespace pliant::displacement_constraints
