// Servos and pose graphs on bodies in their lattices.

#include "solvers/dynamic_ffd/mode_control.h"

#include <gtest/gtest.h>

#include <cmath>

#include "solvers/dynamic_ffd/ffd_simulation.h"
#include "solvers/dynamic_ffd/mode_selection.h"
#include "solvers/dynamic_ffd/mode_table.h"
#include "tests/observed.h"
#include "tests/solvers/dynamic_ffd/scenes.h"

namespace pliant::dynamic_ffd {
namespace {

using Eigen::VectorXd;

constexpr double kStiffness = 5000.0, kDamping = 60.0;

// The table with its vertical squash only, no potential, servoed by `graph` (one channel).
std::unique_ptr<DynamicFfdSimulation> Squashed(const Scene& scene, PoseGraph graph,
                                               std::vector<Sensor> sensors, Scheme scheme) {
  const auto shared = std::make_shared<const Scene>(scene);
  const ModeTable table = ReadModeTable(TableModes());
  FfdPart part{Embed(scene, 0, table, {2}, FfdOrigin::kCentreOfMass), VectorXd::Zero(1),
               VectorXd::Zero(1), nullptr};
  part.inertia = MakeInertia(part.body);
  const VectorXd m = scene.Masses();
  const Eigen::Vector3d centre = scene.InitialPoints() * m / m.sum();
  VectorXd q = part.body.Coordinates(centre, scene.bodies[0].orientation, VectorXd::Zero(1));
  VectorXd v = VectorXd::Zero(4);
  std::vector<FfdPart> parts;
  parts.push_back(std::move(part));
  auto system = std::make_unique<DynamicFfdSystem>(shared, std::move(parts), PenaltyOptions(),
                                                   ConstraintSpringOptions());
  system->AddControl(ModeControl(0, std::move(graph), PdController({{0, kStiffness, kDamping}}),
                                 Sensors(shared, 0, std::move(sensors))));
  const IntegratorOptions options = {.scheme = scheme};
  return std::make_unique<DynamicFfdSimulation>(shared, std::move(system), options, std::move(q),
                                                std::move(v));
}

VectorXd Target(double gamma) { return VectorXd::Constant(1, gamma); }

PoseGraph Final(double target) {
  return PoseGraph({{"vertical squash"}}, {{{"pose", Target(target)}, {}, true}});
}

TEST(ModeControl, AServoedModeIsADampedOscillatorAboutItsTarget) {
  const auto simulation = Squashed(TableScene(), Final(0.4), {}, Scheme::kRungeKutta4);
  const FfdPart& part = simulation->system().parts()[0];
  // In free flight without turning the squash of the symmetric table meets no other coordinate.
  const double mass = part.inertia->MassMatrix(simulation->q())(3, 3);
  const double decay = kDamping / (2.0 * mass);
  const double omega = std::sqrt(kStiffness / mass - decay * decay);
  for (int i = 1; i <= 5; ++i) {
    RunFor(simulation.get(), 5e-4, 200);
    const double t = simulation->time();
    const double expected =
        0.4 *
        (1.0 - std::exp(-decay * t) * (std::cos(omega * t) + decay / omega * std::sin(omega * t)));
    EXPECT_NEAR(simulation->q()[3], expected, 1e-9) << "at " << t << " s";
  }
  // What the servo has done is the kinetic energy there is, and less than it moved.
  const Observation o = Observed(*simulation);
  EXPECT_NEAR(Balance(TableScene(), o), 0.0, 1e-7);
  EXPECT_GT((*o.work)[WorkClass::kControl], 0.0);
  EXPECT_GT(*o.extras[3], (*o.work)[WorkClass::kControl]);
}

TEST(ModeControl, EffortCountsGivingAndTaking) {
  // Undamped servos swing for ever: over a whole period they do no work, and |Q γ̇| integrates to
  // four times the largest energy C γ⁰²/2.
  const auto simulation = Squashed(TableScene(), Final(0.4), {}, Scheme::kRungeKutta4);
  const double mass = simulation->system().parts()[0].inertia->MassMatrix(simulation->q())(3, 3);
  auto& control = simulation->controls()[0];
  control = ModeControl(0, control.graph(), PdController({{0, kStiffness, 0.0}}),
                        Sensors(std::make_shared<const Scene>(TableScene()), 0, {}));
  control.Start(0.0, TableScene().InitialPoints());
  const double period = 2.0 * M_PI / std::sqrt(kStiffness / mass);
  // After an eighth of it half the energy has been given, C γ⁰²/4; there the power is largest.
  EXPECT_NEAR(*RunFor(simulation.get(), period / 8000, 1000).extras[3],
              0.25 * kStiffness * 0.4 * 0.4, 1e-3);
  const Observation o = RunFor(simulation.get(), period / 8000, 7000);
  EXPECT_NEAR((*o.work)[WorkClass::kControl], 0.0, 1e-8);
  EXPECT_NEAR(*o.extras[3], 4.0 * 0.5 * kStiffness * 0.4 * 0.4, 1e-3);
}

TEST(ModeControl, TheLedgerClosesAtTheOrderOfTheSchemeWithPosesThatChange) {
  const auto residual = [](Scheme scheme, double h) {
    const PoseGraph graph = PoseGraph::Cycle(
        {{"vertical squash"}}, {{"low", Target(0.5)}, {"high", Target(-0.3)}}, {0.2, 0.3});
    Scene scene = TableScene();
    scene.gravity = {0, -9.81, 0};
    scene.bodies[0].angular_velocity = {0, 0, 1.5};
    const auto simulation = Squashed(scene, graph, {}, scheme);
    const double before = Balance(scene, Observed(*simulation));
    return std::abs(Balance(scene, RunFor(simulation.get(), h, std::lround(1.2 / h))) - before);
  };
  EXPECT_LT(residual(Scheme::kRungeKutta4, 0.0025), 1e-3);
  EXPECT_GT(residual(Scheme::kRungeKutta4, 0.01) / residual(Scheme::kRungeKutta4, 0.005), 11.0);
  EXPECT_NEAR(
      residual(Scheme::kSemiImplicitEuler, 0.0005) / residual(Scheme::kSemiImplicitEuler, 0.00025),
      2.0, 0.2);
}

TEST(ModeControl, SemiImplicitEulerBooksAServoExactlyHoweverItDamps) {
  // M of a squash that meets no other coordinate is constant, and a servo has no potential.
  const auto simulation = Squashed(TableScene(), Final(0.4), {}, Scheme::kSemiImplicitEuler);
  const double h = 0.9 *
                   simulation->system().parts()[0].inertia->MassMatrix(simulation->q())(3, 3) /
                   kDamping;  // the damping of one step
  auto& control = simulation->controls()[0];
  control = ModeControl(0, control.graph(), PdController({{0, 50.0, kDamping}}),
                        Sensors(std::make_shared<const Scene>(TableScene()), 0, {}));
  control.Start(0.0, TableScene().InitialPoints());
  const Observation o = RunFor(simulation.get(), h, 3);
  EXPECT_GT((*o.work)[WorkClass::kControl], 0.01);
  EXPECT_NEAR(Balance(TableScene(), o), 0.0, 1e-10);
}

TEST(ModeControl, ContactSwitchesThePoseOnceOnLanding) {
  Scene scene = TableScene();
  scene.gravity = {0, -9.81, 0};
  scene.bodies[0].position = {0, 0.2, 0};
  scene.obstacles.push_back({"floor", Plane{}, Path::Still(Eigen::Vector3d::Zero()), 0.5});
  const VectorXd zero = Target(0.0);
  const PoseGraph graph({{"vertical squash"}},
                        {{{"fall", zero}, {{1, 0.0, 0}}}, {{"land", Target(0.3)}, {}, true}}, 1);
  const auto simulation = Squashed(scene, graph, {{"feet", Sensor::Kind::kContact, {5, 8}, 0.0}},
                                   Scheme::kSemiImplicitEuler);
  const double h = 1e-3;
  double landed = -1.0;
  for (int i = 0; i < 400; ++i) {
    ASSERT_EQ(simulation->Advance(h).kind, StepOutcome::Kind::kAdvanced);
    const Observation o = Observed(*simulation);
    if (landed < 0.0 && o.points(1, 5) <= 0.0) landed = simulation->time();
    EXPECT_EQ(*o.extras[4], landed < 0.0 ? 0.0 : 1.0);
  }
  EXPECT_NEAR(landed, std::sqrt(2.0 * 0.2 / 9.81), 2 * h);
}

TEST(ModeControl, RestoredToTheStartWithOtherNumbersItIsANewRun) {
  const auto graph = [](double time, double target) {
    return PoseGraph::Cycle({{"vertical squash"}},
                            {{"low", Target(target)}, {"high", Target(-0.3)}}, {time, 0.3});
  };
  const auto searched = Squashed(TableScene(), graph(0.2, 0.5), {}, Scheme::kSemiImplicitEuler);
  const VectorXd start = searched->Save();
  RunFor(searched.get(), 0.01, 50);
  searched->controls()[0].graph().SetNumbers((VectorXd(4) << 0.15, 0.3, 0.7, -0.3).finished());
  searched->Restore(start);
  RunFor(searched.get(), 0.01, 90);
  const auto fresh = Squashed(TableScene(), graph(0.15, 0.7), {}, Scheme::kSemiImplicitEuler);
  RunFor(fresh.get(), 0.01, 90);
  EXPECT_EQ(searched->Save(), fresh->Save());
}

}  // namespace
}  // namespace pliant::dynamic_ffd
