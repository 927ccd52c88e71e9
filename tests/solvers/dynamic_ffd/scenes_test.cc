// The standard scenes, in small, with the mode tables that Pliant brings along: each claims what it
// is there to show.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "tests/models/dynamic_ffd/subjects.h"
#include "tests/observed.h"
#include "tests/scenes.h"
#include "tests/solvers/dynamic_ffd/mode_files.h"
#include "tests/solvers/dynamic_ffd/scenes.h"

namespace pliant::dynamic_ffd {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Eigen::VectorXd;

const char* const kEuler = "semi-implicit-euler";

void AddFloor(Scene* scene, const Vector3d& normal, double friction) {
  scene->obstacles.push_back({"floor", Plane{normal}, Path::Still(Vector3d::Zero()), friction});
}
TEST(Drop, TheTableFallsBouncesAndComesToRestOnItsLegs) {
  Scene scene = TableScene();
  scene.gravity = {0, -9.81, 0};
  scene.bodies[0].mass /= 10.0;  // 10.8 kg, what the stiffnesses are for
  scene.bodies[0].position = {0, 1.0, 0};
  AddFloor(&scene, Vector3d::UnitY(), 0.5);
  ParameterValues parameters = With(ModesFrom("table.toml"), kEuler);
  parameters["contact_stiffness"] = 5e3;
  parameters["contact_damping"] = 100.0;
  const auto simulation = Translated(scene, parameters).simulation;
  const VectorXd m = scene.Masses();
  const Observation start = Observed(*simulation);
  double rebound = 0.0, deepest = 0.0, largest_strain = 0.0;
  Observation o;
  for (int i = 0; i < 80; ++i) {
    o = RunFor(simulation.get(), 1e-3, 100);
    rebound = std::max(rebound, LinearMomentum(m, *o.velocities).y() / m.sum());
    deepest = std::max(deepest, MeasurePenetration(scene, o.time, o.points)->max);
    largest_strain = std::max(largest_strain, *o.elastic_energy);
  }
  EXPECT_GT(rebound, 0.2);                          // m/s: it bounces
  EXPECT_GT(largest_strain, 1.0);                   // J: its modes take part
  EXPECT_LT(deepest, 0.1);                          // m
  EXPECT_LT(KineticEnergy(m, *o.velocities), 0.1);  // J: nearly at rest after 8 s
  // Two legs carry the weight.
  EXPECT_NEAR(MeasurePenetration(scene, o.time, o.points)->max, 10.8 * 9.81 / (2 * 5e3), 1e-3);
  EXPECT_LT(std::abs(Balance(scene, o) - Balance(scene, start)), 3.0);  // of 106 J that fell
}

// The scene data/scenes/press.toml.
Scene PressScene() {
  Scene scene = Weightless({MakeSheet("slab", {2, 2}, {17, 17}, 8.0)});
  scene.bodies[0].orientation = Eigen::AngleAxisd(-0.5 * std::numbers::pi, Vector3d::UnitX());
  const Matrix3Xd start = scene.InitialPoints();
  for (int i = 0; i < scene.PointCount(); ++i) {
    scene.springs.push_back({.name = "foundation",
                             .a = {0, i},
                             .anchor = start.col(i),
                             .stiffness = 40.0,
                             .damping = 2.0});
  }
  const Vector3d above(-0.3, 0.42, 0), pressed(-0.3, 0.15, 0), slid(0.3, 0.15, 0),
      away(0.3, 0.9, 0);
  scene.obstacles.push_back(
      {"ball", Sphere{0.4},
       PathThrough({0.0, 0.2, 0.8, 1.4, 2.2, 2.8, 4.0},
                   {above, above, pressed, pressed, slid, away, away}, Path::Interpolation::kCubic),
       0.2});
  return scene;
}

TEST(Press, TheSheetYieldsToTheBallAndReturns) {
  const Scene scene = PressScene();
  const auto simulation = Translated(scene, With(ModesFrom("sheet.toml"), kEuler)).simulation;
  const Observation start = Observed(*simulation);
  const Observation held = RunFor(simulation.get(), 2e-3, 600);  // 1.2 s
  EXPECT_LT(held.points.row(1).minCoeff(), -0.1);
  EXPECT_GT((*held.work)[WorkClass::kMovedObstacle], 1.0);
  // The ball must not sink in: less than a third of the depth it is pressed to.
  EXPECT_LT(MeasurePenetration(scene, held.time, held.points)->max, 0.25 / 3.0);
  const Observation end = RunFor(simulation.get(), 2e-3, 1400);  // 4 s
  EXPECT_LT(DistanceBetween(end.points, start.points).max, 0.02);
}

// Springs, of contact too, are potentials: semi-implicit Euler accounts for them to first order.
TEST(Press, TheLedgerClosesAtFirstOrder) {
  const Scene scene = PressScene();
  double before = 0.0;
  for (const double h : {1e-3, 5e-4, 2.5e-4}) {
    const auto simulation = Translated(scene, With(ModesFrom("sheet.toml"), kEuler)).simulation;
    const double start = Balance(scene, Observed(*simulation));
    const Observation end = RunFor(simulation.get(), h, static_cast<int>(std::lround(4.0 / h)));
    const double residual = std::abs(Balance(scene, end) - start);
    if (before > 0.0) {
      EXPECT_GT(std::log2(before / residual), 0.75) << h;
    }
    before = residual;
  }
  EXPECT_LT(before, 5.0);  // of 180 J at stake
}

TEST(CornerPull, AnImpulseGivesItsMomentumItsSpinAndItsWork) {
  Scene scene = Weightless({MakeSheet("sheet", {2, 2}, {5, 5}, 8.0)});
  Impulse impulse = {.name = "pull", .point = {0, 24}, .impulse = {0.5, 1.0, 3.0}, .time = 0.05};
  scene.impulses.push_back(impulse);
  const auto simulation = Translated(scene, With(ModesFrom("sheet.toml"), "rk4")).simulation;
  const Observation before = RunFor(simulation.get(), 0.01, 5);
  EXPECT_TRUE(before.velocities->isZero(0.0));
  const Observation after = RunFor(simulation.get(), 1e-5, 1);
  const VectorXd m = scene.Masses();
  EXPECT_LT((LinearMomentum(m, *after.velocities) - impulse.impulse).norm(), 1e-12);
  const Vector3d spin = Vector3d(1, 1, 0).cross(impulse.impulse);
  EXPECT_LT((SpinAboutCentre(scene, after) - spin).norm(), 1e-6);
  EXPECT_NEAR(Balance(scene, after), 0.0, 1e-9);  // the impulse has done what energy there is
  const Observation end = RunFor(simulation.get(), 1e-3, 1000);
  EXPECT_GT(MeasureEdgeStrain(scene, end.points)->max,
            0.01);  // the corner leads, the sheet follows
  EXPECT_LT((SpinAboutCentre(scene, end) - spin).norm(), 1e-6);
}

// Three links end to end, hanging out to the side, nailed at the first end.
Scene Pendulum(int dimension) {
  Scene scene;
  scene.dimension = dimension;
  for (int b = 0; b < 3; ++b) {
    scene.bodies.push_back(MakeChain("link " + std::to_string(b), {0, 0, 0}, {1, 0, 0}, 2, 1.0));
    scene.bodies[b].position = {static_cast<double>(b), 0, 0};
    if (b > 0) scene.attachments.push_back({"joint", {b - 1, 1}, {b, 0}});
  }
  scene.nails = {NailWhereItStarts(scene, "nail", {0, 0})};
  return scene;
}

TEST(PendulumOfLinks, SwingsWithSmallGapsAndAClosedLedger) {
  const Scene scene = Pendulum(2);
  const auto simulation = Translated(scene, With(ModesFrom("link.toml"), kEuler)).simulation;
  const Observation start = Observed(*simulation);
  double widest = 0.0, lowest = 0.0;
  Observation o;
  for (int i = 0; i < 40; ++i) {
    o = RunFor(simulation.get(), 1e-3, 50);
    widest = std::max(widest, *o.constraint_error);
    lowest = std::min(lowest, o.points.row(1).minCoeff());
  }
  EXPECT_LT(lowest, -2.5);            // it swings through below
  EXPECT_LT(widest, 0.02);            // m; the nail carries several weights of 29 N with 20 kN/m
  EXPECT_GT(widest, 3 * 9.81 / 2e4);  // and so it cannot be less than this
  EXPECT_LT(std::abs(Balance(scene, o) - Balance(scene, start)), 1.0);  // J of 88 that can fall
}

TEST(PendulumOfLinks, IsTheSameInPlaneAndSpace) {
  const ParameterValues parameters = With(ModesFrom("link.toml"), "rk4");
  const auto plane = Translated(Pendulum(2), parameters).simulation;
  const auto space = Translated(Pendulum(3), parameters).simulation;
  const Observation a = RunFor(plane.get(), 1e-3, 500), b = RunFor(space.get(), 1e-3, 500);
  EXPECT_LT(DistanceBetween(a.points, b.points).max, 1e-8);
  // In space a link has no inertia about itself and is given some.
  EXPECT_EQ(*a.regularisation, 0.0);
  EXPECT_NEAR(*b.regularisation, 1e-3 * 2 * 0.5 * 0.25, 1e-12);
}

TEST(Hang, TheNailsCarryTheWeight) {
  Scene scene = SceneOf({MakeSheet("sheet", {2, 2}, {9, 9}, 8.0)});
  for (int corner : {72, 80}) scene.nails.push_back(NailWhereItStarts(scene, "nail", {0, corner}));
  MatrixTable modes = ModesFrom("sheet.toml");
  for (NamedMatrix& mode : modes.entries) mode.scalars["damping"] *= 10.0;  // come to rest sooner
  const auto simulation = Translated(scene, With(modes, kEuler)).simulation;
  const Observation start = Observed(*simulation);
  const Observation o = RunFor(simulation.get(), 1e-3, 20000);
  EXPECT_LT(KineticEnergy(scene.Masses(), *o.velocities), 1e-6);
  Vector3d carried = Vector3d::Zero();
  for (int corner : {72, 80}) carried -= 2e4 * (o.points.col(corner) - start.points.col(corner));
  EXPECT_LT((carried - Vector3d(0, 8.0 * 9.81, 0)).norm(), 1e-2);
  EXPECT_NEAR(*o.constraint_error, (o.points.col(72) - start.points.col(72)).norm(), 1e-12);
  // It sags: its lower edge is below where it was.
  EXPECT_LT(o.points(1, 4), start.points(1, 4) - 0.01);
}

TEST(Puppet, TheHandDoesTheWorkAndTheNailFollowsIt) {
  Scene scene = Weightless({MakeSheet("sheet", {2, 2}, {5, 5}, 8.0)});
  const Vector3d start_of_hand = scene.InitialPoints().col(24);
  scene.nails = {{"hand",
                  {0, 24},
                  PathThrough({0.0, 0.7, 1.4, 2.0},
                              {start_of_hand, start_of_hand + Vector3d(0.5, 0.2, 0.5),
                               start_of_hand + Vector3d(1.0, -0.2, 0.2),
                               start_of_hand + Vector3d(0.8, 0.4, -0.3)},
                              Path::Interpolation::kCubic)}};
  const auto simulation = Translated(scene, With(ModesFrom("sheet.toml"), "rk4")).simulation;
  const Observation start = Observed(*simulation);
  double widest = 0.0;
  Observation o;
  for (int i = 0; i < 20; ++i) {
    o = RunFor(simulation.get(), 1e-3, 100);
    widest = std::max(widest, *o.constraint_error);
  }
  EXPECT_LT(widest, 0.01);
  EXPECT_GT((*o.work)[WorkClass::kMovedNail], 1.0);
  EXPECT_LT((*o.work)[WorkClass::kDamping], 0.0);
  EXPECT_NEAR(Balance(scene, o), Balance(scene, start), 1e-5);
}

TEST(Spin, AStretchedBlockKeepsItsSpinAndPulsates) {
  Scene scene = Weightless({MakeBlock("block", {1, 0.6, 0.4}, {5, 4, 3}, 10.0)});
  scene.bodies[0].angular_velocity = {0.3, 0.2, 6.0};
  scene.bodies[0].stretch = Vector3d(1.1, 1.0, 1.0).asDiagonal();
  const Translation translation = Translated(scene, With(ModesFrom("block.toml"), "rk4"));
  Simulation* simulation = translation.simulation.get();
  const Observation start = Observed(*simulation);
  EXPECT_LT(DistanceBetween(start.points, scene.InitialPoints()).max, 1e-12);
  const Observation end = RunFor(simulation, 1e-3, 1500);
  const Vector3d spin = SpinAboutCentre(scene, start);
  EXPECT_LT((SpinAboutCentre(scene, end) - spin).norm(), 1e-8 * spin.norm());
  EXPECT_NEAR(Balance(scene, end), Balance(scene, start), 1e-6 * MechanicalEnergy(scene, start));
  EXPECT_GT(std::abs(*end.elastic_energy - *start.elastic_energy), 0.01);
}

class SlopeTest : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Friction, SlopeTest, testing::Values(0.0, 0.2, 1.0));

TEST_P(SlopeTest, ThePotSlidesAsCoulombSays) {
  // On a slope of 20°: g (sin α − μ cos α) while sliding, nothing above μ = tan α = 0.364.
  const double angle = 20.0 * std::numbers::pi / 180.0, friction = GetParam();
  const Vector3d down(-std::cos(angle), -std::sin(angle), 0),
      normal(-std::sin(angle), std::cos(angle), 0);
  Scene scene = SceneOf({MakeSheet("pot", {0.6, 0.5}, {4, 4}, 6.0)}, 2);
  scene.bodies[0].orientation = Eigen::AngleAxisd(angle, Vector3d::UnitZ());
  scene.bodies[0].position = 0.25 * normal;
  AddFloor(&scene, normal, friction);
  const auto simulation = Translated(scene, With(ModesFrom("pot.toml"), kEuler)).simulation;
  const VectorXd m = scene.Masses();
  const Vector3d start = CentreOfMass(m, Observed(*simulation).points);
  const Observation o = RunFor(simulation.get(), 1e-3, 1000);
  const double slid = (CentreOfMass(m, o.points) - start).dot(down);
  const double a = 9.81 * std::max(0.0, std::sin(angle) - friction * std::cos(angle));
  EXPECT_NEAR(slid, 0.5 * a, 0.02 + 0.02 * a);
}

}  // namespace
}  // namespace pliant::dynamic_ffd
