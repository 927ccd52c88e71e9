#include "solvers/linear_deformation/backend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "solvers/backends.h"
#include "solvers/step_limit.h"
#include "tests/solvers/linear_deformation/scenes.h"

namespace pliant::linear_deformation {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int kSmallestDeterminant = 0, kLargestForce = 1, kRedundant = 2;

TranslatedElement Entry(const Translation& translation, const std::string& element) {
  for (const TranslatedElement& entry : translation.record.Entries()) {
    if (entry.element == element) return entry;
  }
  ADD_FAILURE() << "no entry for " << element;
  return {};
}

void AddFloor(Scene* scene, double friction) {
  scene->obstacles.push_back(
      {"floor", Plane{Vector3d::UnitY()}, Path::Still(Vector3d::Zero()), friction});
}

TEST(Backend, IsInTheTable) { EXPECT_EQ(FindBackend("linear-deformation"), &TheBackend()); }

TEST(Record, SaysWhatABodyLoses) {
  Scene scene = Pendulum(1);
  scene.dimension = 3;
  scene.bodies.push_back(Sheet());
  const Translation translation = Translate(scene);
  EXPECT_EQ(Entry(translation, "body.link0").fidelity, Fidelity::kExact);
  const TranslatedElement sheet = Entry(translation, "body.sheet");
  EXPECT_EQ(sheet.fidelity, Fidelity::kApproximated);
  EXPECT_THAT(sheet.reason,
              HasSubstr("its 81 points move together, in affine motion only (9 coordinates)"));
  EXPECT_THAT(sheet.reason, HasSubstr("a plane in 3-D has no volume"));
  EXPECT_EQ(Entry(translation, "nail.pivot").fidelity, Fidelity::kExact);
  EXPECT_THAT(translation.warnings, IsEmpty());
}

// The step in the record parts runs that stay from runs that explode.
TEST(Record, StableStepIsWhereEulerExplodes) {
  Scene scene = Pendulum(1);
  scene.nails.clear();
  scene.bodies[0].stretch(0, 0) = 1.0 + 1e-6;
  const double omega = std::sqrt(8.0 * 1000.0 / 0.0625);
  char limit[32];
  std::snprintf(limit, sizeof limit, "steps below about %.3g s", 2.0 / omega);
  const ParameterValues undamped = {{"damping", 0.0}};
  EXPECT_THAT(Entry(Translate(scene, undamped), "body.link0").reason, HasSubstr(limit));
  auto strain_after = [&](double h) {
    const auto simulation = Translate(scene, undamped).simulation;
    Observation o;
    for (int i = 0; i < 2000; ++i) simulation->Advance(h);
    simulation->Observe(&o);
    return std::abs((o.points.col(1) - o.points.col(0)).norm() / 0.5 - 1.0);
  };
  EXPECT_LT(strain_after(0.98 * 2.0 / omega), 1e-4);
  EXPECT_FALSE(strain_after(1.02 * 2.0 / omega) < 1e-2);  // or not a number
}

TEST(BadInput, EightCornersCannotBeSecondOrder) {
  Scene scene;
  scene.bodies = {MakeBlock("cube", {1, 1, 1}, {2, 2, 2}, 1.0)};
  try {
    Translate(scene, {{"order", std::int64_t{2}}});
    FAIL() << "accepted";
  } catch (const BadInput& bad) {
    EXPECT_EQ(bad.problem().where, "order");
    EXPECT_THAT(bad.what(), HasSubstr("give 7"));
  }
}

TEST(Observation, WhatIsNotDefinedIsAbsent) {
  Scene scene;
  scene.bodies = {Sheet()};
  Observation o;
  Translate(scene).simulation->Observe(&o);
  EXPECT_FALSE(o.constraint_error || o.constraint_rate || o.condition_number || o.regularisation);
  EXPECT_FALSE(o.extras[kSmallestDeterminant] || o.extras[kLargestForce] || o.extras[kRedundant]);
  scene.bodies = {MakeBlock("block", {1, 1, 1}, {2, 2, 2}, 1.0)};
  scene.bodies[0].stretch = Vector3d(1.5, 1.0, 0.5).asDiagonal();
  scene.nails = {NailWhereItStarts(scene, "n", {0, 0})};
  Translate(scene).simulation->Observe(&o);
  EXPECT_NEAR(o.extras[kSmallestDeterminant].value(), 0.75, 1e-12);
  EXPECT_EQ(o.condition_number, 1.0);
  EXPECT_EQ(o.extras[kRedundant], 0.0);
}

TEST(Observation, SmallestDeterminantIsThatOfTheWorstBody) {
  Scene scene;
  scene.bodies = {MakeBlock("flat", {1, 1, 1}, {2, 2, 2}, 1.0),
                  MakeBlock("whole", {1, 1, 1}, {2, 2, 2}, 1.0)};
  scene.bodies[0].stretch = Vector3d(1.0, 1.0, 0.5).asDiagonal();
  Observation o;
  Translate(scene).simulation->Observe(&o);
  EXPECT_NEAR(o.extras[kSmallestDeterminant].value(), 0.5, 1e-12);
}

// Two attachments of the same points: found, named, and without effect on the motion.
TEST(RedundantConstraints, AreNamedAndDoNotChangeTheMotion) {
  Scene scene = Pendulum(3);
  const Observation single = RunFor(Translate(scene).simulation.get(), 1.0, 1e-3);
  scene.attachments.push_back({"again", scene.attachments[0].a, scene.attachments[0].b});
  const Translation translation = Translate(scene);
  EXPECT_THAT(translation.warnings, testing::IsEmpty());
  for (const char* name : {"attachment.joint1", "attachment.again"}) {
    EXPECT_EQ(Entry(translation, name).fidelity, Fidelity::kApproximated);
    EXPECT_THAT(Entry(translation, name).reason,
                HasSubstr("redundant: these holds have one more equation"));
  }
  EXPECT_EQ(Entry(translation, "attachment.joint2").fidelity, Fidelity::kExact);
  const Observation doubled = RunFor(translation.simulation.get(), 1.0, 1e-3);
  EXPECT_LT((doubled.points - single.points).norm(), 1e-9);
  EXPECT_EQ(doubled.extras[kRedundant], 1.0);
}

// An affine sheet has three independent points. Four nails that agree hold it still; each carries
// a quarter of the weight.
TEST(RedundantConstraints, FourCornersOfAnAffineSheetShareTheWeight) {
  Scene scene;
  scene.bodies = {Sheet()};
  for (int corner : PointGroup(scene.bodies[0], "corners")) {
    scene.nails.push_back(NailWhereItStarts(scene, "corners", {0, corner}));
  }
  const Translation translation = Translate(scene);
  EXPECT_THAT(Entry(translation, "nail.corners").reason, HasSubstr("redundant: "));
  EXPECT_THAT(translation.warnings, testing::IsEmpty());
  const Observation o = RunFor(translation.simulation.get(), 0.5, 1e-3);
  EXPECT_LT((o.points - scene.InitialPoints()).norm(), 1e-9);
  EXPECT_NEAR(o.extras[kLargestForce].value(), 2.0 * 9.81 / 4.0, 1e-9);
  // Second order has room for four.
  EXPECT_THAT(Translate(scene, {{"order", std::int64_t{2}}}).warnings, IsEmpty());
}

// Velocities that nails forbid are taken away at the start; the ledger says what that cost.
TEST(InitialVelocities, AreMatchedToTheConstraintsByAnImpulse) {
  Scene scene = Pendulum(1);
  scene.bodies[0].velocity = Vector3d(0.0, 2.0, 0.0);
  const Translation translation = Translate(scene);
  EXPECT_THAT(translation.warnings,
              Contains(HasSubstr("initial velocities would open nail.pivot")));
  EXPECT_THAT(Entry(translation, "nail.pivot").reason, HasSubstr("an impulse at the start"));
  // Two point masses of ½ kg; the nailed one stops, the other is not touched.
  const Observation o = RunFor(translation.simulation.get(), 1e-6, 1e-6);
  EXPECT_NEAR((*o.work)[WorkClass::kDamping], -0.5 * 0.5 * 4.0, 1e-4);
  EXPECT_NEAR((*o.work)[WorkClass::kConstraint], 0.0, 1e-12);
  EXPECT_NEAR((*o.velocities)(1, 0), 0.0, 1e-12);
  EXPECT_NEAR((*o.velocities)(1, 1), 2.0, 1e-4);
}

TEST(Impulse, LeavesNailedPointsNailedAndIsInTheLedger) {
  Scene scene = Pendulum(3);
  scene.impulses = {{"kick", {2, 1}, Vector3d(0.3, 0.8, 0.0), 0.25},
                    {"kick", {1, 0}, Vector3d(0.1, -0.4, 0.0), 0.25}};
  const auto simulation = Translate(scene).simulation;
  RunFor(simulation.get(), 0.25, 1e-3);
  Observation before, after;
  simulation->Observe(&before);
  ASSERT_EQ((*before.work)[WorkClass::kImpulse], 0.0);
  const double h = 1e-9;  // only the impulses count
  after = RunFor(simulation.get(), h, h);
  EXPECT_LT(after.constraint_rate.value(), 1e-9);
  const double change = TotalEnergy(scene, after) - TotalEnergy(scene, before);
  EXPECT_GT(std::abs((*after.work)[WorkClass::kImpulse]), 0.1);
  EXPECT_NEAR(change, after.work->TotalWork() - before.work->TotalWork(), 1e-7);
}

// 0.15 and 0.325 are written as ends of steps of 0.025 and rounded before and after them.
TEST(Impulse, ActsExactlyOnce) {
  for (double time : {0.15, 0.325}) {
    Scene scene = Pendulum(1);
    scene.nails.clear();
    scene.gravity.setZero();
    scene.impulses = {{"kick", {0, 1}, Vector3d(0.0, 1.0, 0.0), time}};
    const Observation o = RunFor(Translate(scene).simulation.get(), time + 0.05, 0.025);
    EXPECT_NEAR(LinearMomentum(scene.Masses(), *o.velocities).y(), 1.0, 1e-12) << time;
  }
}

// What lies still on a floor that carries it along feels no friction, from the first step on.
TEST(Contact, AFloorCarriesWhatMovesWithItWithoutAForce) {
  Scene scene;
  scene.bodies = {MakeBlock("block", {1.0, 0.5, 0.7}, {3, 3, 3}, 27.0)};
  scene.bodies[0].position = Vector3d(0.0, 0.25, 0.0);
  scene.bodies[0].velocity = Vector3d(2.0, 0.0, 0.0);
  Eigen::Matrix3Xd keys = Eigen::Matrix3Xd::Zero(3, 2);
  keys(0, 1) = 20.0;
  scene.obstacles = {{"belt", Plane{Vector3d::UnitY()},
                      Path({0.0, 10.0}, keys, Path::Interpolation::kLinear), 5.0}};
  const Observation o = RunFor(Translate(scene).simulation.get(), 0.1, 1e-3);
  EXPECT_GT(-o.points.row(1).minCoeff(), 1e-3);  // it is in contact
  EXPECT_NEAR(LinearMomentum(scene.Masses(), *o.velocities).x(), 2.0 * 27.0, 1e-9);
}

// At rest on the floor the penalty springs carry the weight: depth = m g / (K n).
TEST(Contact, BlockRestsAtTheDepthOfItsWeight) {
  Scene scene;
  scene.bodies = {MakeBlock("block", {1.0, 0.5, 0.7}, {3, 3, 3}, 27.0)};
  scene.bodies[0].position = Vector3d(0.0, 0.25, 0.0);
  AddFloor(&scene, 0.5);
  const Translation translation = Translate(scene, {{"damping", 20.0}});
  const std::vector<StepLimit> limits = translation.simulation->AsStepLimited()->StepLimits();
  ASSERT_EQ(limits.size(), 2u);
  EXPECT_EQ(limits[0].of, "semi-implicit Euler");
  EXPECT_EQ(limits[1].of, "semi-implicit Euler with every point in contact");
  EXPECT_LT(limits[1].step, limits[0].step);
  EXPECT_FALSE(limits[0].worst);
  EXPECT_TRUE(limits[1].worst);
  const Observation o = RunFor(translation.simulation.get(), 6.0, 1e-3);
  double carried = 0.0;
  for (int i = 0; i < o.points.cols(); ++i) {
    carried += 4500.0 * std::max(0.0, -o.points(1, i));
  }
  EXPECT_NEAR(carried, 27.0 * 9.81, 0.5);
  EXPECT_LT(o.velocities->norm(), 1e-2);
}

// Coulomb on a slope of 20°: held by μ = 0.5, sliding without friction at g sin 20°.
TEST(Contact, FrictionHoldsOnASlope) {
  const double angle = 20.0 * std::acos(-1.0) / 180.0;
  Scene scene;
  scene.dimension = 2;
  scene.bodies = {MakeSheet("pot", {0.4, 0.3}, {3, 3}, 9.0)};
  const Eigen::AngleAxisd tilt(-angle, Vector3d::UnitZ());
  scene.bodies[0].orientation = tilt;
  scene.bodies[0].position = tilt * Vector3d(0.0, 0.15, 0.0);
  const Vector3d normal = tilt * Vector3d::UnitY(), down = tilt * Vector3d::UnitX();
  auto slid = [&](double friction) {
    scene.obstacles = {{"slope", Plane{normal}, Path::Still(Vector3d::Zero()), friction}};
    const Observation o = RunFor(Translate(scene).simulation.get(), 1.0, 1e-3);
    const SceneForces forces(scene);
    return down.dot(CentreOfMass(forces.masses(), o.points) -
                    CentreOfMass(forces.masses(), scene.InitialPoints()));
  };
  EXPECT_LT(std::abs(slid(0.6)), 0.02);
  EXPECT_NEAR(slid(0.0), 0.5 * 9.81 * std::sin(angle), 0.01);
}

TEST(Divergence, IsToldAndNamesTheBody) {
  Scene scene = Pendulum(1);
  scene.bodies[0].stretch(0, 0) = 1.5;
  const auto simulation = Translate(scene, {{"stretch_stiffness", 1e6}}).simulation;
  StepOutcome outcome;
  for (int i = 0; i < 1000 && outcome.kind == StepOutcome::Kind::kAdvanced; ++i) {
    outcome = simulation->Advance(2e-3);
  }
  EXPECT_EQ(outcome.kind, StepOutcome::Kind::kDiverged);
  EXPECT_THAT(outcome.quantity, HasSubstr("of body 'link0'"));
}

// A body may be too fast while it is still near.
TEST(Divergence, IsAlsoThatOfVelocities) {
  for (const char* treatment : {"explicit", "implicit"}) {
    Scene scene = Pendulum(1);
    scene.nails.clear();
    scene.bodies[0].velocity.x() = 2e9;
    const auto simulation =
        Translate(scene, {{"internal_energy", std::string(treatment)}}).simulation;
    const StepOutcome outcome = simulation->Advance(1e-3);
    EXPECT_EQ(outcome.kind, StepOutcome::Kind::kDiverged) << treatment;
    EXPECT_EQ(outcome.quantity, "velocity of body 'link0'");
  }
}

}  // namespace
}  // namespace pliant::linear_deformation
