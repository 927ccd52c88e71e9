// What semi-implicit Euler books: the forces of the begin of a step at the mean velocity of the
// step. Where M is constant and all forces are booked as work, that is the change of the kinetic
// energy to rounding, however coarse the step.

#include "solvers/dynamic_ffd/ffd_simulation.h"
#include "tests/observed.h"
#include "tests/scenes.h"
#include "tests/solvers/dynamic_ffd/scenes.h"

namespace pliant::dynamic_ffd {
namespace {

using Eigen::Vector3d;

constexpr double kCoarseStep = 0.004;  // s, coarse against every damper below

// The table without modes and weight: in the plane its M is constant.
Scene Rigid() {
  Scene scene = TableScene();
  scene.bodies[0].velocity = {1.0, -0.5, 0.0};
  scene.bodies[0].angular_velocity = {0.0, 0.0, 0.7};
  return scene;
}

// The end of a run, and what its ledger does not account for [J].
struct Booked {
  Observation end;
  double residual;
};
// Without modes, with these parameters besides.
Booked RunRigid(const Scene& scene, ParameterValues parameters = {}) {
  parameters["integrator"] = std::string("semi-implicit-euler");
  MatrixTable none;
  none.scalars = {{"degree_x", 1}, {"degree_y", 1}};
  parameters.emplace("modes", none);
  const auto simulation = Translated(scene, parameters).simulation;
  const double before = Balance(scene, Observed(*simulation));
  const Observation end = RunFor(simulation.get(), kCoarseStep, 100);
  return {end, Balance(scene, end) - before};
}

TEST(EulerLedger, OfTheDampersOfContactIsExact) {
  Scene scene = Rigid();
  scene.obstacles.push_back({"floor", Plane{}, Path::Still({0, -0.01, 0}), 0.4});
  // Springs are potentials, whose ledger is of the order of the scheme.
  const auto [end, residual] = RunRigid(scene, {{"contact_stiffness", 1e-9},
                                                {"contact_tangential_stiffness", 1e-9},
                                                {"contact_damping", 4000.0},
                                                {"contact_tangential_damping", 4000.0}});
  EXPECT_LT((*end.work)[WorkClass::kContact], -10.0);
  EXPECT_NEAR(residual, 0.0, 1e-10);
}

TEST(EulerLedger, OfABarrierCountsWhatHasNoPotential) {
  Scene scene = Rigid();
  scene.obstacles.push_back({"floor", Plane{}, Path::Still({0, -0.05, 0}), 0.0});
  const Observation end = RunRigid(scene, {{"contact", std::string("barrier")}}).end;
  EXPECT_GT(end.velocities->row(1).mean(), 0.0);  // it was thrown back
  EXPECT_NEAR((*end.work)[WorkClass::kContact], 0.0, 1e-12);
}

TEST(EulerLedger, OfTimedForcesAndDampersIsExact) {
  Scene scene = Rigid();
  scene.forces.push_back(
      {.name = "push", .point = {0, 2}, .force = {300, -2000, 0}, .from = 0.1, .until = 0.2});
  scene.springs.push_back({.name = "dashpot", .a = {0, 4}, .anchor = {3, 2, 0}, .damping = 4000.0});
  const auto [end, residual] = RunRigid(scene);
  EXPECT_GT(std::abs((*end.work)[WorkClass::kForce]), 10.0);
  EXPECT_LT((*end.work)[WorkClass::kDamping], -10.0);
  EXPECT_NEAR(residual, 0.0, 1e-9);
}

TEST(EulerLedger, OfTheDampersOfNailsAndAttachmentsIsExact) {
  Scene scene = Rigid();
  scene.bodies.push_back(scene.bodies[0]);
  scene.bodies[1].name = "other";
  scene.bodies[1].velocity = {-1.0, 0.2, 0.0};
  const Vector3d corner = scene.InitialPoints().col(0);
  scene.nails = {{"nail", {0, 0}, PathThrough({0.0, 1.0}, {corner, corner + Vector3d(2, 0, 0)})}};
  scene.attachments.push_back({"joint", {0, 7}, {1, 7}});
  const auto [end, residual] =
      RunRigid(scene, {{"constraint_stiffness", 1e-9}, {"constraint_damping", 3000.0}});
  EXPECT_GT((*end.work)[WorkClass::kMovedNail], 10.0);
  EXPECT_LT((*end.work)[WorkClass::kDamping], -10.0);
  EXPECT_NEAR(residual, 0.0, 1e-8);
}

TEST(EulerLedger, OfDampedModesIsExact) {
  for (const bool coupled : {false, true}) {
    MatrixTable modes = TableModes();
    modes.entries.erase(modes.entries.begin(), modes.entries.begin() + 2);
    for (NamedMatrix& mode : modes.entries) {
      mode.scalars["stiffness"] = 1e-9;
      mode.scalars["damping"] = 4000.0;
    }
    modes.entries[0].scalars["initial_rate"] = 2.0;
    modes.entries[1].scalars["damping"] = 300.0;
    modes.entries[1].scalars["initial_rate"] = -1.0;
    // Orthogonal modes: the dampers then act on mixtures.
    const auto [end, residual] =
        RunRigid(TableScene(), {{"modes", modes}, {"orthogonal_modes", coupled}});
    EXPECT_LT((*end.work)[WorkClass::kDamping], -1.0);
    EXPECT_NEAR(residual, 0.0, 1e-9);
  }
}

// Weight is an energy: what falls by h v⁺ takes ½ h m g·Δv more than its mean velocity says. So
// does what holds a body up that has not noticed.
TEST(EulerLedger, OfWhatHoldsABodyUpIsThatOfItsWeight) {
  Scene scene = Rigid();
  scene.gravity = {0, -9.81, 0};
  scene.notices.push_back({"cliff", 0, 10.0, std::nullopt, Vector3d::UnitX()});
  scene.forces.push_back({.name = "lift", .point = {0, 2}, .force = {0, 50, 0}});
  EXPECT_NEAR(RunRigid(scene).residual, 0.5 * kCoarseStep * 9.81 * 50.0 * 100 * kCoarseStep, 1e-9);
}

}  // namespace
}  // namespace pliant::dynamic_ffd
