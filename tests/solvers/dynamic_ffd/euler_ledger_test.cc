// What semi-implicit Euler books: the forces of the begin of a step at the mean velocity of the
// step. Where M is constant and all forces are booked as work, that is the change of the kinetic
// energy to rounding, however coarse the step.

#include "solvers/dynamic_ffd/ffd_simulation.h"
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

MatrixTable NoModes() {
  MatrixTable table;
  table.scalars = {{"degree_x", 1}, {"degree_y", 1}};
  return table;
}

Observation RunAndBalance(const Scene& scene, const ParameterValues& parameters, double* residual) {
  const auto simulation = Translated(scene, parameters).simulation;
  const double before = Balance(scene, Observed(*simulation));
  const Observation o = RunFor(simulation.get(), kCoarseStep, 100);
  *residual = Balance(scene, o) - before;
  return o;
}

TEST(EulerLedger, OfTheDampersOfContactIsExact) {
  Scene scene = Rigid();
  scene.obstacles.push_back({"floor", Plane{}, Path::Still({0, -0.01, 0}), 0.4});
  ParameterValues parameters = With(NoModes(), "semi-implicit-euler");
  // Springs are potentials, whose ledger is of the order of the scheme.
  parameters["contact_stiffness"] = 1e-9;
  parameters["contact_tangential_stiffness"] = 1e-9;
  parameters["contact_damping"] = 4000.0;
  parameters["contact_tangential_damping"] = 4000.0;
  double residual;
  const Observation o = RunAndBalance(scene, parameters, &residual);
  EXPECT_LT((*o.work)[WorkClass::kContact], -10.0);
  EXPECT_NEAR(residual, 0.0, 1e-10);
}

TEST(EulerLedger, OfABarrierCountsWhatHasNoPotential) {
  Scene scene = Rigid();
  scene.obstacles.push_back({"floor", Plane{}, Path::Still({0, -0.05, 0}), 0.0});
  ParameterValues parameters = With(NoModes(), "semi-implicit-euler");
  parameters["contact"] = std::string("barrier");
  double residual;
  const Observation o = RunAndBalance(scene, parameters, &residual);
  EXPECT_GT(o.velocities->row(1).mean(), 0.0);  // it was thrown back
  EXPECT_NEAR((*o.work)[WorkClass::kContact], 0.0, 1e-12);
}

TEST(EulerLedger, OfTimedForcesAndDampersIsExact) {
  Scene scene = Rigid();
  TimedForce push;
  push.name = "push";
  push.point = {0, 2};
  push.force = {300, -2000, 0};
  push.from = 0.1;
  push.until = 0.2;
  scene.forces.push_back(push);
  Spring dashpot;
  dashpot.name = "dashpot";
  dashpot.a = {0, 4};
  dashpot.anchor = {3, 2, 0};
  dashpot.damping = 4000.0;
  scene.springs.push_back(dashpot);
  double residual;
  const Observation o = RunAndBalance(scene, With(NoModes(), "semi-implicit-euler"), &residual);
  EXPECT_GT(std::abs((*o.work)[WorkClass::kForce]), 10.0);
  EXPECT_LT((*o.work)[WorkClass::kDamping], -10.0);
  EXPECT_NEAR(residual, 0.0, 1e-9);
}

TEST(EulerLedger, OfTheDampersOfNailsAndAttachmentsIsExact) {
  Scene scene = Rigid();
  scene.bodies.push_back(scene.bodies[0]);
  scene.bodies[1].name = "other";
  scene.bodies[1].velocity = {-1.0, 0.2, 0.0};
  Eigen::Matrix3Xd keys(3, 2);
  keys.col(0) = scene.InitialPoints().col(0);
  keys.col(1) = keys.col(0) + Vector3d(2, 0, 0);
  scene.nails.push_back({"nail", {0, 0}, Path({0.0, 1.0}, keys, Path::Interpolation::kLinear)});
  scene.attachments.push_back({"joint", {0, 7}, {1, 7}});
  ParameterValues parameters = With(NoModes(), "semi-implicit-euler");
  parameters["constraint_stiffness"] = 1e-9;
  parameters["constraint_damping"] = 3000.0;
  double residual;
  const Observation o = RunAndBalance(scene, parameters, &residual);
  EXPECT_GT((*o.work)[WorkClass::kMovedNail], 10.0);
  EXPECT_LT((*o.work)[WorkClass::kDamping], -10.0);
  EXPECT_NEAR(residual, 0.0, 1e-8);
}

TEST(EulerLedger, OfDampedModesIsExact) {
  for (const bool coupled : {false, true}) {
    Scene scene = TableScene();
    MatrixTable modes = TableModes();
    modes.entries.erase(modes.entries.begin(), modes.entries.begin() + 2);
    for (NamedMatrix& mode : modes.entries) {
      mode.scalars["stiffness"] = 1e-9;
      mode.scalars["damping"] = 4000.0;
    }
    modes.entries[0].scalars["initial_rate"] = 2.0;
    modes.entries[1].scalars["damping"] = 300.0;
    modes.entries[1].scalars["initial_rate"] = -1.0;
    ParameterValues parameters = With(modes, "semi-implicit-euler");
    parameters["orthogonal_modes"] = coupled;  // the dampers then act on mixtures
    double residual;
    const Observation o = RunAndBalance(scene, parameters, &residual);
    EXPECT_LT((*o.work)[WorkClass::kDamping], -1.0);
    EXPECT_NEAR(residual, 0.0, 1e-9);
  }
}

// Weight is an energy: what falls by h v⁺ takes ½ h m g·Δv more than its mean velocity says. So
// does what holds a body up that has not noticed.
TEST(EulerLedger, OfWhatHoldsABodyUpIsThatOfItsWeight) {
  Scene scene = Rigid();
  scene.gravity = {0, -9.81, 0};
  scene.notices.push_back({"cliff", 0, 10.0, std::nullopt, Vector3d::UnitX()});
  TimedForce lift;
  lift.name = "lift";
  lift.point = {0, 2};
  lift.force = {0, 50, 0};
  scene.forces.push_back(lift);
  double residual;
  RunAndBalance(scene, With(NoModes(), "semi-implicit-euler"), &residual);
  EXPECT_NEAR(residual, 0.5 * kCoarseStep * 9.81 * 50.0 * 100 * kCoarseStep, 1e-9);
}

}  // namespace
}  // namespace pliant::dynamic_ffd
