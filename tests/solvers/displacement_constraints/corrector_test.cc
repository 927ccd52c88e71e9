// The displacements that close one gap, against their closed forms [Palazzi 1993, Sec. 3.2].

#include "solvers/displacement_constraints/corrector.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <Eigen/LU>

#include "tests/solvers/displacement_constraints/scenes.h"

namespace pliant::displacement_constraints {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::Vector3d;

constexpr unsigned kCorrectorSeed = 11;
const SegmentInertia kInertias[] = {SegmentInertia::kLumped, SegmentInertia::kRod,
                                    SegmentInertia::kIdentity};

Matrix3d Cross(const Vector3d& r) {
  Matrix3d m;
  m << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
  return m;
}

// Two segments that share the middle point of three: endpoint 1 (of the first) and endpoint 2 (of
// the second) shall meet there.
struct Joint {
  Joint(SegmentInertia inertia, const Vector3d& point_masses, double first_length,
        double second_length)
      : net({{0, 1}, {1, 2}}, point_masses, inertia), centres(3, 2), axes(3, 2) {
    net.SetLengths(Eigen::Vector2d(first_length, second_length), &geometry);
  }
  // Endpoint 1 at the origin, endpoint 2 at `gap`.
  void Place(const Vector3d& first_axis, const Vector3d& second_axis, const Vector3d& gap) {
    axes.col(0) = first_axis.normalized();
    axes.col(1) = second_axis.normalized();
    centres.col(0) = -geometry.arms[1] * axes.col(0);
    centres.col(1) = gap - geometry.arms[2] * axes.col(1);
  }
  Corrector With(const Correction& correction) {
    return {net, geometry, correction, &centres, &axes};
  }
  Vector3d Gap() const {
    return centres.col(1) + geometry.arms[2] * axes.col(1) - centres.col(0) -
           geometry.arms[1] * axes.col(0);
  }
  Vector3d Arm(int s) const { return geometry.arms[1 + s] * axes.col(s); }
  // Of a rod: 1/J across the axis, nothing about it.
  Matrix3d InverseInertia(int s) const {
    const Vector3d u = axes.col(s);
    return geometry.inverse_inertias[s] * (Matrix3d::Identity() - u * u.transpose());
  }

  SegmentNet net;
  SegmentGeometry geometry;
  Matrix3Xd centres, axes;
};

// Where the joint should be after displacement impulses ±p_t, ±p_r [kg m].
struct Expected {
  Matrix3Xd centres, axes;
};
Expected After(const Joint& joint, const Vector3d& translation, const Vector3d& rotation) {
  Expected expected{joint.centres, joint.axes};
  for (const int s : {0, 1}) {
    const double sign = s == 0 ? 1.0 : -1.0;
    expected.centres.col(s) += sign * translation / joint.net.masses()[s];
    const Vector3d turn = joint.InverseInertia(s) * joint.Arm(s).cross(sign * rotation);
    if (turn.norm() == 0.0) continue;
    expected.axes.col(s) =
        Eigen::Quaterniond(Eigen::AngleAxisd(turn.norm(), turn.normalized())) * joint.axes.col(s);
  }
  return expected;
}

class CorrectorTest : public testing::Test {
 protected:
  Joint RandomJoint(SegmentInertia inertia, double gap) {
    const auto positive = [this] { return 1.5 + random_.Number(); };
    const double m0 = positive(), m1 = positive(), m2 = positive();
    const double first = positive(), second = positive();
    Joint joint(inertia, {m0, m1, m2}, first, second);
    const Vector3d u1 = random_.Vector(), u2 = random_.Vector();
    joint.Place(u1, u2, gap * random_.Vector().normalized());
    return joint;
  }

  testing::ScopedTrace trace_{__FILE__, __LINE__, testing::Message() << "seed " << kCorrectorSeed};
  RandomNumbers random_{kCorrectorSeed};
};

TEST_F(CorrectorTest, SourceRuleIsThePrintedOne) {
  for (const SegmentInertia inertia : kInertias) {
    for (int i = 0; i < 20; ++i) {
      Joint joint = RandomJoint(inertia, 0.1);
      const double t = 0.7, r = 0.4;
      const double m1 = joint.net.masses()[0], m2 = joint.net.masses()[1];
      const double reduced = m1 * m2 / (m1 + m2);  // (3.3), (3.4), (3.8), (3.9)
      const Vector3d d = joint.Gap();
      const Expected expected = After(joint, t * reduced * d, r * reduced * d);
      joint.With({CorrectionRule::kSource, t, r}).ClosePair(1, 2);
      EXPECT_LT((joint.centres - expected.centres).norm(), 1e-14);
      EXPECT_LT((joint.axes - expected.axes).norm(), 1e-14);
    }
  }
}

TEST_F(CorrectorTest, CorrectedRuleDividesByTheMobilityOfBothEndpoints) {
  for (const SegmentInertia inertia : kInertias) {
    for (int i = 0; i < 20; ++i) {
      Joint joint = RandomJoint(inertia, 0.1);
      Matrix3d mobility = Matrix3d::Zero();
      for (const int s : {0, 1}) {
        const Matrix3d r = Cross(joint.Arm(s));
        mobility += Matrix3d::Identity() / joint.net.masses()[s] - r * joint.InverseInertia(s) * r;
      }
      const Vector3d p = mobility.inverse() * joint.Gap();
      const Expected expected = After(joint, p, p);
      joint.With({}).ClosePair(1, 2);
      EXPECT_LT((joint.centres - expected.centres).norm(), 1e-14);
      EXPECT_LT((joint.axes - expected.axes).norm(), 1e-14);
    }
  }
}

// Where the gap is an axis of the mobility, its reciprocal is the stiffness
// κ = 1/m₁ + 1/m₂ + Σ (r_i × n)ᵀ J_i⁻¹ (r_i × n) that (3.7) should have been.
TEST_F(CorrectorTest, CorrectedRuleHasTheStiffnessAcrossBothSegments) {
  Joint joint(SegmentInertia::kRod, {1.0, 2.0, 3.0}, 0.8, 1.3);
  const Vector3d n = Vector3d::UnitZ();
  joint.Place({1, 0.2, 0}, {0.3, 1, 0}, 1e-3 * n);
  double kappa = 0.0;
  for (const int s : {0, 1}) {
    const Vector3d turn = joint.Arm(s).cross(n);
    kappa += 1.0 / joint.net.masses()[s] + turn.dot(joint.InverseInertia(s) * turn);
  }
  const Matrix3Xd before = joint.centres;
  joint.With({}).ClosePair(1, 2);
  for (const int s : {0, 1}) {
    const Vector3d moved = (s == 0 ? 1.0 : -1.0) * 1e-3 / kappa / joint.net.masses()[s] * n;
    EXPECT_LT((joint.centres.col(s) - before.col(s) - moved).norm(), 1e-15);
  }
}

TEST_F(CorrectorTest, CorrectedRuleClosesTheLinearisedGapInOneStep) {
  for (const SegmentInertia inertia : kInertias) {
    for (int i = 0; i < 20; ++i) {
      Joint joint = RandomJoint(inertia, 1e-2);
      const Vector3d gap = joint.Gap();
      const Matrix3Xd axes = joint.axes;
      joint.With({}).ClosePair(1, 2);
      const double left = joint.Gap().norm();
      double chords = 0.0;  // Σ |r| (1 − cos θ), by which a turned arm misses its tangent
      for (const int s : {0, 1}) {
        chords += joint.Arm(s).norm() * (1.0 - axes.col(s).dot(joint.axes.col(s)));
      }
      EXPECT_LT(left, 1.1 * chords);
      joint.Place(axes.col(0), axes.col(1), 0.5 * gap);
      joint.With({}).ClosePair(1, 2);
      EXPECT_NEAR(joint.Gap().norm() / left, 0.25, 0.02) << "what is left is of second order";
    }
  }
}

// The gap left over the gap before, both along n at right angles to the segments.
double GapFactor(Joint& joint, const Correction& correction) {
  const double gap = 1e-5;
  joint.Place(Vector3d::UnitX(), Vector3d::UnitX(), gap * Vector3d::UnitY());
  joint.With(correction).ClosePair(1, 2);
  return joint.Gap().y() / gap;
}

TEST_F(CorrectorTest, SourceRuleMultipliesAnAcrossGapByItsFactor) {
  const Correction source{CorrectionRule::kSource, 1.0, 1.0};
  // Two segments of 1 kg and 1 m each.
  Joint unit(SegmentInertia::kIdentity, {0.5, 1.0, 0.5}, 1.0, 1.0);
  EXPECT_NEAR(GapFactor(unit, source), -0.25, 1e-9);
  Joint rods(SegmentInertia::kRod, {0.5, 1.0, 0.5}, 1.0, 1.0);
  EXPECT_NEAR(GapFactor(rods, source), -3.0, 1e-8);
  EXPECT_NEAR(GapFactor(rods, {}), 0.0, 1e-8);

  for (int i = 0; i < 10; ++i) {
    Joint joint = RandomJoint(SegmentInertia::kRod, 0.0);
    const double t = 1.0 + 0.5 * random_.Number(), r = 1.0 + 0.5 * random_.Number();
    const double m1 = joint.net.masses()[0], m2 = joint.net.masses()[1];
    const double l1 = joint.geometry.lengths[0], l2 = joint.geometry.lengths[1];
    const double j1 = m1 * l1 * l1 / 12, j2 = m2 * l2 * l2 / 12;
    const double factor =
        1 - t - r * m1 * m2 / (m1 + m2) * (l1 * l1 / (4 * j1) + l2 * l2 / (4 * j2));
    EXPECT_NEAR(GapFactor(joint, {CorrectionRule::kSource, t, r}), factor, 1e-7);
  }
}

// With factors instead of masses each end goes half of t_f d, and r_f d/2 by turning.
TEST_F(CorrectorTest, UnweightedRuleKnowsNoMasses) {
  for (const SegmentInertia inertia : kInertias) {
    for (int i = 0; i < 20; ++i) {
      Joint joint = RandomJoint(inertia, 0.1);
      const double t = 0.7, r = 0.4;
      const Vector3d d = joint.Gap();
      Matrix3Xd centres = joint.centres, axes = joint.axes;
      for (const int s : {0, 1}) {
        const Vector3d arm = joint.Arm(s), half = (s == 0 ? 0.5 : -0.5) * d;
        centres.col(s) += t * half;
        const Vector3d turn = r * arm.cross(half) / arm.squaredNorm();
        axes.col(s) = Eigen::AngleAxisd(turn.norm(), turn.normalized()) * Vector3d(axes.col(s));
      }
      joint.With({CorrectionRule::kUnweighted, t, r}).ClosePair(1, 2);
      EXPECT_LT((joint.centres - centres).norm(), 1e-14);
      EXPECT_LT((joint.axes - axes).norm(), 1e-14);
    }
  }
}

// The source's γ: t_f = γ, r_f = 1 − γ closes what is across whatever γ, and with γ = 0, where
// nothing is translated, never what is along.
TEST_F(CorrectorTest, GammaDividesAGapBetweenTranslationAndRotation) {
  Joint joint(SegmentInertia::kRod, {1.0, 2.0, 3.0}, 0.8, 1.3);
  for (const double gamma : {0.0, 0.3, 1.0}) {
    const Correction rule{CorrectionRule::kUnweighted, gamma, 1.0 - gamma};
    EXPECT_NEAR(GapFactor(joint, rule), 0.0, 1e-8);
    joint.Place(Vector3d::UnitX(), Vector3d::UnitX(), 0.1 * Vector3d::UnitX());
    joint.With(rule).ClosePair(1, 2);
    EXPECT_NEAR(joint.Gap().x(), 0.1 * (1.0 - gamma), 1e-15);
  }
  EXPECT_NEAR(GapFactor(joint, {CorrectionRule::kUnweighted, 1.0, 1.0}), -1.0, 1e-8);
}

TEST_F(CorrectorTest, RelaxationMultipliesEveryCorrection) {
  for (const CorrectionRule rule :
       {CorrectionRule::kCorrected, CorrectionRule::kSource, CorrectionRule::kUnweighted}) {
    Joint once = RandomJoint(SegmentInertia::kRod, 1e-6);
    Joint more = once;
    const Matrix3Xd start = once.centres;
    once.With({rule, 0.5, 0.2}).ClosePair(1, 2);
    more.With({rule, 0.5, 0.2, 1.7}).ClosePair(1, 2);
    EXPECT_LT((more.centres - start - 1.7 * (once.centres - start)).norm(), 1e-15);
    EXPECT_GT((once.centres - start).norm(), 1e-8);
  }
}

TEST_F(CorrectorTest, SourceRuleConvergesWithUnitInertiaAndDivergesWithRods) {
  const Correction source{CorrectionRule::kSource, 1.0, 1.0};
  for (const SegmentInertia inertia : {SegmentInertia::kIdentity, SegmentInertia::kRod}) {
    Joint joint(inertia, {0.5, 1.0, 0.5}, 1.0, 1.0);
    joint.Place({1, 0, 0}, {1, 0.1, 0}, {0, 1e-3, 0});
    Corrector corrector = joint.With(source);
    for (int i = 0; i < 1000; ++i) corrector.ClosePair(1, 2);
    if (inertia == SegmentInertia::kIdentity) {
      EXPECT_LT(joint.Gap().norm(), 1e-12);
    } else {
      EXPECT_GT(joint.Gap().norm(), 0.1);
    }
  }
}

TEST_F(CorrectorTest, CorrectionsKeepTheCentreOfMass) {
  for (const CorrectionRule rule : {CorrectionRule::kSource, CorrectionRule::kCorrected}) {
    for (const SegmentInertia inertia : kInertias) {
      Joint joint = RandomJoint(inertia, 0.3);
      const Vector3d before = joint.centres * joint.net.masses();
      Corrector corrector = joint.With({rule, 0.8, 0.1});
      const Matrix3Xd start = joint.centres;
      for (int i = 0; i < 10; ++i) corrector.ClosePair(1, 2);
      EXPECT_GT((joint.centres - start).norm(), 1e-2);
      EXPECT_LT((joint.centres * joint.net.masses() - before).norm(), 1e-14);
    }
  }
}

TEST_F(CorrectorTest, RodDoesNotTurnForAPullAlongItsAxis) {
  const Vector3d u(2.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0);
  for (const CorrectionRule rule : {CorrectionRule::kSource, CorrectionRule::kCorrected}) {
    Joint joint(SegmentInertia::kRod, {1.0, 1.0, 3.0}, 1.0, 0.7);
    joint.Place(u, u, 0.2 * u);
    joint.With({rule, 1.0, 1.0}).ClosePair(1, 2);
    EXPECT_LT((joint.axes.colwise() - u).norm(), 1e-15);
    EXPECT_LT(joint.Gap().norm(), 1e-15) << "translation alone closes it, exactly";
  }
}

TEST_F(CorrectorTest, NothingMovesWhereThereIsNoGap) {
  for (const CorrectionRule rule : {CorrectionRule::kSource, CorrectionRule::kCorrected}) {
    Joint joint(SegmentInertia::kRod, {1.0, 1.0, 1.0}, 1.0, 1.0);
    joint.Place(Vector3d::UnitX(), Vector3d::UnitY(), Vector3d::Zero());
    const Matrix3Xd centres = joint.centres, axes = joint.axes;
    joint.With({rule, 1.0, 1.0}).ClosePair(1, 2);
    EXPECT_EQ(joint.centres, centres);
    EXPECT_EQ(joint.axes, axes);
  }
}

}  // namespace
}  // namespace pliant::displacement_constraints
