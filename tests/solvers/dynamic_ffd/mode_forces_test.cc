// Potentials with exponents, limits of amplitudes, and the barrier, in motion.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "models/scene/metrics.h"
#include "solvers/dynamic_ffd/backend.h"
#include "solvers/dynamic_ffd/mode_limits.h"
#include "solvers/dynamic_ffd/mode_powers.h"
#include "solvers/dynamic_ffd/stable_step.h"
#include "tests/models/dynamic_ffd/subjects.h"
#include "tests/observed.h"
#include "tests/reference/complaints.h"
#include "tests/solvers/dynamic_ffd/point_oracle.h"
#include "tests/solvers/dynamic_ffd/scenes.h"

namespace pliant::dynamic_ffd {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::uint64_t kSeed = 1995;

TEST(ModePowers, ForceAndCurvatureAreDerivativesOfTheEnergy) {
  const std::vector<ModePower> powers = {{0, 30.0, 2.0}, {2, 12.0, 2.5}, {3, 7.0, 6.0}};
  for (const VectorXd& gamma : {VectorXd(Eigen::Vector4d(0.4, 0.3, -0.7, 0.9)),
                                VectorXd(Eigen::Vector4d(-1.2, 0.1, 0.2, -0.5))}) {
    VectorXd force = VectorXd::Zero(4), curvature = PowerCurvature(powers, gamma);
    AddPowerForces(powers, gamma, force);
    const double h = 1e-5;
    for (int k = 0; k < 4; ++k) {
      const VectorXd step = h * VectorXd::Unit(4, k);
      const double up = PowerEnergy(powers, gamma + step), down = PowerEnergy(powers, gamma - step);
      EXPECT_NEAR(force[k], -(up - down) / (2.0 * h), 1e-7) << k;
      VectorXd above = VectorXd::Zero(4), below = VectorXd::Zero(4);
      AddPowerForces(powers, gamma + step, above);
      AddPowerForces(powers, gamma - step, below);
      EXPECT_NEAR(curvature[k], -(above[k] - below[k]) / (2.0 * h), 1e-6) << k;
    }
  }
  VectorXd force = VectorXd::Zero(4);
  AddPowerForces(powers, VectorXd::Zero(4), force);
  EXPECT_EQ(force, VectorXd::Zero(4));
}

MatrixTable Squash(double exponent, double stiffness, double initial) {
  MatrixTable modes = TableModes();
  modes.entries = {modes.entries[3]};  // horizontal squash
  modes.entries[0].scalars = {
      {"stiffness", stiffness}, {"exponent", exponent}, {"initial", initial}};
  return modes;
}

TEST(ModePowers, QuarterPeriodOfAQuarticModeIsThatOfTheClosedForm) {
  // ½ m γ̇² + K γ⁴ = K a⁴: a quarter period is √(m/2K)/a ∫₀¹ du/√(1 − u⁴), the lemniscate integral.
  const double a = 0.2, stiffness = 5e3;
  const Translation translation = Translated(TableScene(), With(Squash(4.0, stiffness, a), "rk4"));
  const auto& simulation = AsFfd(translation);
  const double mass = MassMatrixByPoints(simulation.system().parts()[0].body, simulation.q())(3, 3);
  const double quarter = std::sqrt(mass / (2.0 * stiffness)) / a * 1.31102877714606;
  EXPECT_NEAR(*Observed(simulation).elastic_energy, stiffness * std::pow(a, 4), 1e-12);
  RunFor(translation.simulation.get(), quarter / 1000.0, 1000);
  EXPECT_NEAR(simulation.q()[3], 0.0, 1e-8);
  EXPECT_LT(simulation.v()[3], 0.0);
}

TEST(ModePowers, AnExponentOfTwoIsTheQuadraticPotential) {
  // The same numbers, by both ways.
  MatrixTable without = Squash(2.0, 300.0, 0.2), with = without;
  without.entries[0].scalars.erase("exponent");
  const auto a = Translated(TableScene(), With(without, "rk4")).simulation;
  const auto b = Translated(TableScene(), With(with, "rk4")).simulation;
  EXPECT_EQ(RunFor(a.get(), 1e-3, 100).points, RunFor(b.get(), 1e-3, 100).points);
}

std::string Complaint(const Scene& scene, const MatrixTable& modes) {
  return reference::PlacedComplaintOf(
      [&] { TheBackend().Translate(std::make_shared<const Scene>(scene), With(modes, "rk4")); });
}

TEST(ModeLimits, ThatMakeNoSenseAreBadInput) {
  MatrixTable modes = Squash(2.0, 300.0, 0.5);
  modes.entries[0].scalars["upper"] = 0.4;
  EXPECT_THAT(
      Complaint(TableScene(), modes),
      AllOf(StartsWith("modes"), HasSubstr("mode 'horizontal squash' of body 'table' starts "
                                           "at 0.5, outside its limits -inf to 0.4")));
  // The start also by way of a stretch.
  modes.entries[0].scalars["initial"] = 0.0;
  EXPECT_EQ(Complaint(TableScene(), modes), "");
  Scene stretched = TableScene();
  stretched.bodies[0].stretch = Vector3d(0.5, 1.0, 1.0).asDiagonal();
  EXPECT_THAT(Complaint(stretched, modes),
              AllOf(StartsWith("modes"), HasSubstr("outside its limits")));
  modes.entries[0].scalars["lower"] = 0.4;
  EXPECT_THAT(Complaint(TableScene(), modes),
              AllOf(StartsWith("modes"), HasSubstr("lower is not below upper")));
  EXPECT_THAT(Complaint(TableScene(), Squash(1.5, 300.0, 0.0)),
              AllOf(StartsWith("modes"), HasSubstr("below 2")));
}

// The table spins and rings against limits of all of its modes.
Translation Limited(const std::string& scheme) {
  Scene scene = TableScene();
  scene.bodies[0].velocity = {1, 2, 0};
  scene.bodies[0].angular_velocity = {0, 0, 3};
  MatrixTable modes = TableModes();
  for (NamedMatrix& mode : modes.entries) {
    mode.scalars["initial"] = 0.1;
    mode.scalars["lower"] = -0.03;
    mode.scalars["upper"] = 0.1;
  }
  return Translated(scene, With(modes, scheme));
}

class ModeLimitsTest : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Schemes, ModeLimitsTest,
                         testing::Values("semi-implicit-euler", "rk4", "implicit-midpoint",
                                         "bogacki-shampine"));

TEST_P(ModeLimitsTest, HoldAndTakeEnergyButNoMomentum) {
  const Translation translation = Limited(GetParam());
  const auto& simulation = AsFfd(translation);
  const Scene& scene = simulation.scene();
  const VectorXd m = scene.Masses();
  const Observation start = Observed(simulation);
  const double h = 1e-4;
  double work = 0.0, met = 0.0;
  // The momenta that a step changes, next to those that the scheme itself does not keep.
  for (int i = 0; i < 5000; ++i) {
    ASSERT_EQ(translation.simulation->Advance(h).kind, StepOutcome::Kind::kAdvanced);
    const auto gamma = simulation.q().tail(4);
    ASSERT_GE(gamma.minCoeff(), -0.03);
    ASSERT_LE(gamma.maxCoeff(), 0.1);
    if (i % 50 != 49) continue;
    const Observation o = Observed(simulation);
    const double taken = (*o.work)[WorkClass::kDamping];
    // A stop takes energy; to press back a mode that a steady force holds on its limit gives O(h).
    EXPECT_LE(taken, work + 20.0 * h);
    met += taken < work - 1e-6;
    work = taken;
  }
  EXPECT_GT(met, 3);
  const Observation end = Observed(simulation);
  EXPECT_LT(work, -1.0);
  const double order_one = std::string(GetParam()) == "semi-implicit-euler" ? 1.0 : 0.0;
  EXPECT_NEAR(Balance(scene, end), Balance(scene, start), 1e-3 + order_one * 2.0);
  EXPECT_LT((LinearMomentum(m, *end.velocities) - LinearMomentum(m, *start.velocities)).norm(),
            1e-9);
  const Vector3d spin = SpinAboutCentre(scene, start);
  EXPECT_LT((SpinAboutCentre(scene, end) - spin).norm(), (1e-6 + order_one * 0.01) * spin.norm());
}

TEST(ModeLimits, OneStopIsTheInelasticImpulseOnTheAmplitudeAlone) {
  RandomNumbers random(kSeed);
  for (int dimension : {2, 3}) {
    FfdBody body = RandomFfdBody(dimension, 9, 3, FfdOrigin::kCentreOfMass, &random);
    auto inertia = MakeInertia(body);
    VectorXd q = RandomCoordinates(body, &random);
    const int twist = body.twist_size(), pose = body.pose_size();
    FfdPart part{
        std::move(body), VectorXd::Zero(3), VectorXd::Zero(3), std::move(inertia), {}, {}, {}};
    q.tail(3) << 0.7, 0.1, -0.2;
    VectorXd v = random.Vector(twist + 3);
    v.tail(3) << 1.0, 0.3, -0.4;
    part.lower = Vector3d(-1, -1, -1);
    part.upper = Vector3d(0.7, 1, 1);
    ASSERT_TRUE(MeetsLimit(part, q, v));
    const Eigen::MatrixXd mass = MassMatrixByPoints(part.body, q);
    const VectorXd q0 = q, momentum = mass * v;
    const double kinetic = 0.5 * v.dot(mass * v);
    ASSERT_TRUE(StopAtLimits(part, q, v));
    EXPECT_EQ(q, q0);
    EXPECT_EQ(v[twist], 0.0);
    const VectorXd change = mass * v - momentum;
    EXPECT_LT(change.head(twist).norm(), 1e-9);
    EXPECT_LT(change.tail(2).norm(), 1e-9);
    // The loss of a plastic stop, ½ γ̇²/(M⁻¹)_kk.
    const double effective = 1.0 / mass.inverse()(twist, twist);
    EXPECT_NEAR(kinetic - 0.5 * v.dot(mass * v), 0.5 * effective, 1e-9 * kinetic);
    EXPECT_FALSE(MeetsLimit(part, q, v));

    // On a lower limit: met when it moves outwards, not inwards.
    part.lower[2] = q[pose + 2];
    v[twist + 2] = -0.4;
    EXPECT_TRUE(MeetsLimit(part, q, v));
    v[twist + 2] = 0.4;
    EXPECT_FALSE(MeetsLimit(part, q, v));
    part.lower[2] = -1.0;

    // Beyond the limit: put back at constant momentum, but for that of the stopped mode.
    q = q0;
    q[pose] = 0.75;
    v = random.Vector(twist + 3);
    v[twist] = 1.0;
    const VectorXd before = MassMatrixByPoints(part.body, q) * v;
    ASSERT_TRUE(StopAtLimits(part, q, v));
    EXPECT_EQ(q, q0);
    const VectorXd lost = MassMatrixByPoints(part.body, q) * v - before;
    EXPECT_LT(lost.head(twist).norm() + lost.tail(2).norm(), 1e-9);
  }
}

// Two modes that are alike: to stop one at its upper limit pushes the other upwards. Where that is
// out, the other is stopped in turn and pushes back, again and again.
TEST(ModeLimits, StopsThatPushOneAnotherEndWithNoneThatMovesOut) {
  RandomNumbers random(kSeed);
  for (int dimension : {2, 3}) {
    Eigen::Matrix2d mix;
    mix << 1.0, 1.0, 0.0, 0.5;
    FfdBody body =
        RandomFfdBody(dimension, 9, 2, FfdOrigin::kCentreOfMass, &random).Recombined(mix);
    auto inertia = MakeInertia(body);
    VectorXd q = RandomCoordinates(body, &random);
    const int twist = body.twist_size();
    FfdPart part{
        std::move(body), VectorXd::Zero(2), VectorXd::Zero(2), std::move(inertia), {}, {}, {}};
    const double first = q.tail<2>()[0], second = q.tail<1>()[0];
    const Eigen::MatrixXd mass = MassMatrixByPoints(part.body, q);
    ASSERT_LT(mass.inverse()(twist, twist + 1), 0.0);
    for (const bool both_up : {true, false}) {
      part.lower = Eigen::Vector2d(-1.0, both_up ? -1.0 : second);
      part.upper = Eigen::Vector2d(first, both_up ? second : 1.0);
      VectorXd v = random.Vector(twist + 2);
      v.tail(2) << 1.0, both_up ? -0.05 : 0.0;
      const VectorXd before = v;
      ASSERT_TRUE(StopAtLimits(part, q, v));
      EXPECT_FALSE(MeetsLimit(part, q, v));
      const VectorXd change = mass * (v - before);
      EXPECT_LT(change.head(twist).norm(), 1e-11);
      EXPECT_LT(change[twist], -1e-3);
      if (both_up) {
        EXPECT_LT(change[twist + 1], -1e-3);
      } else {
        EXPECT_NEAR(change[twist + 1], 0.0, 1e-11);
      }
      EXPECT_LT(v.dot(mass * v), before.dot(mass * before));
    }
  }
}

// A table on a barrier: it falls, is thrown back, rings; nothing is lost but to the modes.
TEST(Barrier, ItsEnergyClosesTheLedger) {
  Scene scene = TableScene();
  scene.gravity = {0, -9.81, 0};
  scene.bodies[0].mass /= 10.0;
  scene.bodies[0].position = {0, 0.3, 0};
  scene.bodies[0].orientation = Eigen::AngleAxisd(0.1, Vector3d::UnitZ());
  scene.obstacles.push_back({"floor", Plane{}, Path::Still(Vector3d::Zero()), 0.3});
  auto off = [&scene](const char* scheme, double h) {
    ParameterValues parameters = With(TableModes(), scheme);
    parameters["contact"] = std::string("barrier");
    parameters["barrier_energy"] = 0.5;
    parameters["barrier_length"] = 0.02;
    const auto simulation = Translated(scene, parameters).simulation;
    const Observation start = Observed(*simulation);
    double stored = 0.0, worst = 0.0;
    for (int i = 0; i < std::lround(1.0 / h); ++i) {
      const Observation o = RunFor(simulation.get(), h, 1);
      stored = std::max(stored, *o.contact_energy);
      worst = std::max(worst, std::abs(Balance(scene, o) - Balance(scene, start)));
    }
    EXPECT_GT(stored, 5.0);  // J: the barrier took the fall up
    EXPECT_LT((*Observed(*simulation).work)[WorkClass::kContact], -0.05);  // friction
    return worst;
  };
  const double coarse = off("semi-implicit-euler", 1e-3), fine = off("semi-implicit-euler", 5e-4);
  EXPECT_NEAR(std::log2(coarse / fine), 1.0, 0.4);
  EXPECT_LT(off("rk4", 5e-4), 0.02);
  EXPECT_LT(off("bogacki-shampine", 5e-3), 0.02);
}

TEST(Barrier, CarriesTheWeightWhereItsForceIsTheWeight) {
  Scene scene = TableScene();
  scene.gravity = {0, -9.81, 0};
  scene.bodies[0].mass /= 10.0;
  scene.obstacles.push_back({"floor", Plane{}, Path::Still(Vector3d::Zero()), 0.3});
  const double c = 0.5, epsilon = 0.02, weight = 10.8 * 9.81;
  // Two feet: (c/ε) e^{−f/ε} = half the weight.
  const double gap = -epsilon * std::log(0.5 * weight * epsilon / c);
  MatrixTable modes = TableModes();
  for (NamedMatrix& mode : modes.entries) mode.scalars["damping"] = 20.0;
  scene.bodies[0].position = {0, gap, 0};
  ParameterValues parameters = With(modes, "semi-implicit-euler");
  parameters["contact"] = std::string("barrier");
  parameters["barrier_energy"] = c;
  parameters["barrier_length"] = epsilon;
  const Translation translation = Translated(scene, parameters);
  EXPECT_THAT(translation.record.Entries().front().element, testing::Not(testing::IsEmpty()));
  const Observation o = RunFor(translation.simulation.get(), 1e-3, 6000);
  EXPECT_NEAR(o.points(1, 5), gap, 0.1 * epsilon);
}

// The limit of semi-implicit Euler, without contact or constraints.
double Limit(const Scene& scene, const DynamicFfdSystem& system, const VectorXd& q) {
  return EstimateStableStep(scene, system, q, {}, {}).free;
}

TEST(StableStepOfModes, IsNamedBeforeTheRunAndWhereItDiverges) {
  for (double exponent : {2.0, 4.0}) {
    MatrixTable modes = Squash(exponent, 600.0, exponent == 2.0 ? 0.3 : 0.99);
    modes.entries[0].scalars["damping"] = 4.0;
    const Scene scene = TableScene();
    const Translation translation = Translated(scene, With(modes, "semi-implicit-euler"));
    const auto& simulation = AsFfd(translation);
    const double limit = Limit(scene, simulation.system(), simulation.q());
    const double mass =
        MassMatrixByPoints(simulation.system().parts()[0].body, simulation.q())(3, 3);
    const double k = exponent * (exponent - 1.0) * 600.0 / mass, c = 4.0 / mass;
    EXPECT_NEAR(limit, 4.0 / (c + std::sqrt(c * c + 4.0 * k)), 1e-9);
    ASSERT_EQ(simulation.StepLimits().size(), 1u);
    EXPECT_EQ(simulation.StepLimits()[0].step, limit);
    const Translation fourth = Translated(scene, With(modes, "rk4"));
    EXPECT_NEAR(AsFfd(fourth).StepLimits()[0].step,
                LargestStableStep({.scheme = Scheme::kRungeKutta4}, k, c), 1e-9);
    if (exponent != 2.0) continue;
    const ParameterValues euler = With(modes, "semi-implicit-euler");
    EXPECT_TRUE(StaysBounded(scene, euler, 0.95 * limit));
    EXPECT_FALSE(StaysBounded(scene, euler, 1.05 * limit));
  }
  // Nothing stiff, nothing said.
  const Translation free =
      Translated(TableScene(), With(Squash(2.0, 0.0, 0.0), "semi-implicit-euler"));
  EXPECT_TRUE(AsFfd(free).StepLimits().empty());
}

TEST(StableStepOfModes, CountsTheGainsOfServos) {
  auto scene = std::make_shared<Scene>(TableScene());
  std::vector<FfdPart> parts;
  const double c = 4e4, d = 300.0;
  FfdBody body = InLattice(2, scene->bodies[0], Lattice({3, 3, 0}, {0, 0, 0}, {2.0, 1.5, 1}),
                           {HorizontalSquash() / 200.0}, FfdOrigin::kCentreOfMass);
  auto inertia = MakeInertia(body);
  parts.push_back(
      {std::move(body), VectorXd::Zero(1), VectorXd::Zero(1), std::move(inertia), {}, {}, {}});
  DynamicFfdSystem system(scene, std::move(parts), {}, {});
  const VectorXd q = VectorXd::Zero(4);
  EXPECT_TRUE(std::isinf(Limit(*scene, system, q)));
  PoseGraph graph =
      PoseGraph::Cycle({{"squash", -1.0, 1.0}},
                       {{"one", VectorXd::Zero(1)}, {"two", VectorXd::Zero(1)}}, {1.0, 1.0});
  system.AddControl(
      ModeControl(0, std::move(graph), PdController({{0, c, d}}), Sensors(scene, 0, {})));
  const double mass = MassMatrixByPoints(system.parts()[0].body, q)(3, 3);
  const double rate = d / mass;
  EXPECT_NEAR(Limit(*scene, system, q), 4.0 / (rate + std::sqrt(rate * rate + 4.0 * c / mass)),
              1e-9);
}

}  // namespace
}  // namespace pliant::dynamic_ffd
