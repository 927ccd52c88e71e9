// What the source's own words lead to, and what they should have led to: the checked statements
// about [Palazzi 1993] that concern whole runs.

#include <gtest/gtest.h>

#include <cmath>

#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "tests/solvers/displacement_constraints/scenes.h"

namespace pliant::displacement_constraints {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

const VelocityUpdate kUpdates[] = {VelocityUpdate::kCorrected, VelocityUpdate::kEulerCromer,
                                   VelocityUpdate::kPrinted};

DisplacementConstraintsOptions With(VelocityUpdate update) {
  DisplacementConstraintsOptions options;
  options.velocity_update = update;
  return options;
}

// (A.3) with the velocity taken from the positions halves every acceleration.
TEST(Errata, PrintedUpdateFallsHalfAsFast) {
  Scene scene = SceneOf({Sheet(3)});
  const VectorXd m = scene.Masses();
  for (const VelocityUpdate update : kUpdates) {
    for (const std::vector<double>& fractions : {std::vector{1.0}, std::vector{0.3, 0.7}}) {
      DisplacementConstraintsOptions options = With(update);
      options.force_fractions = fractions;
      const auto simulation = Start(scene, options);
      const Observation end = RunFor(simulation.get(), 100, 0.01);
      const double expected = update == VelocityUpdate::kPrinted ? -4.905 : -9.81;
      EXPECT_NEAR((*end.velocities * m / m.sum()).y(), expected, 1e-12);
      // Half the acceleration also halves the fall, to the order of the step.
      const double fall = CentreOfMass(m, end.points).y();
      EXPECT_NEAR(fall, 0.5 * expected, 0.051);
    }
  }
}

TEST(Errata, PrintedUpdateHalvesAnImpulse) {
  Scene scene = Weightless({Sheet(3)});
  const Vector3d impulse(0.6, 0.0, 0.8);  // of size 1
  scene.impulses = {{"blow", {0, 8}, impulse, 0.0}};
  const VectorXd m = scene.Masses();
  for (const VelocityUpdate update : kUpdates) {
    const auto simulation = Start(scene, With(update));
    const Observation end = RunFor(simulation.get(), 20, 0.01);
    const double part = update == VelocityUpdate::kPrinted ? 0.5 : 1.0;
    EXPECT_LT((LinearMomentum(m, *end.velocities) - part * impulse).norm(), 1e-13);
  }
}

// Three separate segments in a line, attached end to end, close the triangle of [Palazzi 1993,
// Fig. 3.4] by the initial assembly [Palazzi 1993, Sec. 3.4].
TEST(Errata, AssemblyClosesTheEquilateralTriangle) {
  Scene scene;
  scene.gravity.setZero();
  for (const int i : {0, 1, 2}) {
    Body side = MakeChain("side" + std::to_string(i), {0, 0, 0}, {1, 0, 0}, 2, 1.0);
    side.position = Vector3d(i, 0.05 * i * i, 0.0);
    scene.bodies.push_back(side);
  }
  scene.attachments = {{"a", {0, 1}, {1, 0}}, {"b", {1, 1}, {2, 0}}, {"c", {2, 1}, {0, 0}}};
  for (const CorrectionRule rule : {CorrectionRule::kCorrected, CorrectionRule::kSource}) {
    DisplacementConstraintsOptions options;
    options.correction = rule;
    options.inertia = SegmentInertia::kIdentity;
    options.tolerance = 1e-9;
    const auto simulation = Start(scene, options);
    EXPECT_LT(simulation->assembly_gap(), 1e-9);
    const Observation start = Observed(*simulation);
    for (const int i : {0, 1, 2}) {
      const Vector3d u = start.points.col(2 * i + 1) - start.points.col(2 * i);
      const int j = (i + 1) % 3;
      const Vector3d w = start.points.col(2 * j + 1) - start.points.col(2 * j);
      EXPECT_NEAR(u.dot(w), -0.5, 1e-7);
    }
    EXPECT_EQ(start.velocities->norm(), 0.0) << "assembly moves nothing in time";
  }
}

// Whatever a scene holds, and however far apart it starts, the assembled state meets it [Palazzi
// 1993, Sec. 3.4]: told here from the points alone.
TEST(Assembly, MeetsEveryConstraint) {
  Scene scene = SceneOf({MakeChain("rope", {0, 0, 0}, {1, 0, 0}, 9, 1.0),
                         MakeChain("tail", {0, 0, 0}, {0.5, 0, 0}, 5, 2.0),
                         MakeBlock("weight", {0.2, 0.2, 0.2}, {2, 2, 2}, 1.0)});
  scene.bodies[1].position = {1.3, 0.4, 0.2};
  scene.bodies[2].position = {1.0, -0.7, 0.5};
  scene.attachments = {{"knot", {0, 8}, {1, 0}}, {"hook", {1, 4}, {2, 3}}};
  scene.nails = {{"nail", {0, 0}, Path::Still({-0.1, 0.2, 0.1})}};
  Slider plane{.name = "plane", .point = {0, 4}, .kind = Slider::Kind::kPlane};
  plane.direction = Vector3d::UnitZ();
  plane.through = {0, 0, 0.15};
  Slider ball{.name = "ball", .point = {2, 0}, .kind = Slider::Kind::kBall};
  ball.through = {0.5, 0.2, 0.1};
  ball.radius = 0.3;
  scene.sliders = {plane, ball};
  Limit span{.name = "span", .kind = Limit::Kind::kLength, .points = {{{0, 0}, {0, 8}}}};
  span.most = 0.7;
  Limit bend{.name = "bend", .kind = Limit::Kind::kAngle, .points = {{{0, 1}, {0, 2}, {0, 3}}}};
  bend.most = 2.5;
  scene.limits = {span, bend};

  for (const char* formulation : kSweepingFormulations) {
    const auto simulation =
        TranslateBy(formulation, scene,
                    {{"tolerance", 1e-6}, {"rigid_bodies", std::vector<std::string>{"weight"}}})
            .simulation;
    const Observation o = Observed(*simulation);
    const auto at = [&](int body, int point) -> Vector3d {
      return o.points.col(scene.Offset(body) + point);
    };
    constexpr double kMet = 1e-6;
    EXPECT_LT((at(0, 8) - at(1, 0)).norm(), kMet);
    EXPECT_LT((at(1, 4) - at(2, 3)).norm(), kMet);
    EXPECT_LT((at(0, 0) - Vector3d(-0.1, 0.2, 0.1)).norm(), kMet);
    EXPECT_LT(std::abs(at(0, 4).z() - 0.15), kMet);
    EXPECT_LT((at(2, 0) - ball.through).norm(), ball.radius + kMet);
    EXPECT_LT((at(0, 0) - at(0, 8)).norm(), span.most + kMet);
    const Vector3d a = at(0, 1) - at(0, 2), b = at(0, 3) - at(0, 2);
    EXPECT_LT(std::atan2(a.cross(b).norm(), a.dot(b)), bend.most + 1e-4);
    EXPECT_LT(MeasureEdgeStrain(scene, o.points)->max, 1e-4);
    EXPECT_EQ(o.velocities->norm(), 0.0);
  }
}

// Sec. 3.5 denies that momentum is conserved; mass-weighted translations do conserve it.
TEST(Errata, LinearMomentumIsConservedToRoundingAngularMomentumIsNot) {
  Scene scene = Weightless({Sheet(5)});
  scene.bodies[0].velocity = {0.3, -0.2, 0.1};
  scene.bodies[0].angular_velocity = {0.5, 1.0, 2.0};
  scene.impulses = {{"blow", {0, 24}, {0.1, 0.0, 0.2}, 0.0}};
  const VectorXd m = scene.Masses();
  const Vector3d expected = m.sum() * scene.bodies[0].velocity + scene.impulses[0].impulse;
  for (const SegmentInertia inertia : {SegmentInertia::kLumped, SegmentInertia::kRod}) {
    for (const std::vector<double>& fractions : {std::vector{1.0}, std::vector{0.5, 0.3, 0.2}}) {
      DisplacementConstraintsOptions options;
      options.inertia = inertia;
      options.force_fractions = fractions;
      const auto simulation = Start(scene, options);
      Observation o = RunFor(simulation.get(), 1, 0.01);
      const auto segments_momentum = [&] {
        Vector3d sum = Vector3d::Zero();
        for (const Level& level : simulation->levels()) sum += Momentum(level.segments);
        return sum;
      };
      EXPECT_LT((segments_momentum() - expected).norm(), 1e-13);
      const auto spin = [&m](const Observation& o) {
        return AngularMomentum(m, o.points, *o.velocities, CentreOfMass(m, o.points));
      };
      const Vector3d before = spin(o);
      o = RunFor(simulation.get(), 100, 0.01);
      EXPECT_LT((segments_momentum() - expected).norm(), 1e-12);
      if (fractions.size() == 1 && inertia == SegmentInertia::kLumped) {
        EXPECT_LT((LinearMomentum(m, *o.velocities) - expected).norm(), 1e-12);
      }
      EXPECT_GT((spin(o) - before).norm(), 1e-4 * before.norm());
    }
  }
}

// Gravity and springs, timed forces and impulses do the work the ledger says, and what the velocity
// update loses is not hidden in it: the residual of a free fall is ½ F·a h² a step with
// euler-cromer, what the halves take with the printed update, and nothing otherwise.
TEST(Errata, LedgerShowsWhatTheVelocityUpdateLoses) {
  Scene scene = Weightless({Sheet(3)});
  scene.gravity = {0.0, -10.0, 0.0};
  const VectorXd m = scene.Masses();
  const SceneForces forces(scene);
  const double h = 0.01;
  for (const VelocityUpdate update : kUpdates) {
    const auto simulation = Start(scene, With(update));
    const Observation end = RunFor(simulation.get(), 100, h);
    const double energy =
        KineticEnergy(m, *end.velocities) + forces.GravitationalEnergy(end.points);
    const double residual = energy - end.work->TotalWork();
    switch (update) {
      case VelocityUpdate::kCorrected:
        EXPECT_NEAR(residual, 0.0, 1e-11);
        break;
      case VelocityUpdate::kEulerCromer:
        EXPECT_NEAR(residual, -100 * 0.5 * 10.0 * 10.0 * h * h, 1e-11);
        break;
      case VelocityUpdate::kPrinted:
        EXPECT_LT(residual, -10.0) << "of the 25 J of the fall";
        break;
      default:
        FAIL() << "not one of kUpdates";
    }
  }
}

}  // namespace
}  // namespace pliant::displacement_constraints
