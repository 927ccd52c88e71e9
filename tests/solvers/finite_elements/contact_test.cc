// Contact: closed forms of Coulomb, what it keeps, and what it does not depend on.

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "models/contact/barrier.h"
#include "models/scene/shapes.h"
#include "models/scene/validate.h"
#include "solvers/finite_elements/backend.h"
#include "tests/solvers/finite_elements/started.h"

namespace pliant::finite_elements {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double kGravity = 9.81;

Material SoftMaterial(double E, double nu) {
  Material material;
  material.density = 1000.0;
  material.youngs_modulus = E;
  material.poisson_ratio = nu;
  material.law = ElasticLaw::kNeoHookeanLog;
  return material;
}

Body Block(const std::string& name, const Vector3d& size, const std::array<int, 3>& grid,
           double E = 1e5, double nu = 0.3) {
  Body block = MakeBlock(name, size, grid, 1.0);
  block.material = SoftMaterial(E, nu);
  block.mass = block.material->density * VolumeShares(block, 0.0);
  return block;
}

Vector3d VelocityOf(const Observation& o) { return o.sums->momentum / o.sums->mass; }

void Advance(Simulation* simulation, double h, double duration) {
  for (int step = 0; step < static_cast<int>(std::lround(duration / h)); ++step) {
    ASSERT_EQ(simulation->Advance(h).kind, StepOutcome::Kind::kAdvanced) << step;
  }
}

// A cube on a plane that rises by `angle` along x; gravity down the slope is along −x.
Scene OnASlope(double angle, double friction) {
  Scene scene;
  scene.name = "slope";
  scene.gravity = kGravity * Vector3d(-std::sin(angle), -std::cos(angle), 0.0);
  scene.bodies = {Block("cube", {0.2, 0.2, 0.2}, {2, 2, 2})};
  scene.bodies[0].material->stiffness_damping = 0.01;
  const Matrix3Xd rest = scene.bodies[0].rest;
  scene.bodies[0].position = {0.0, -rest.row(1).minCoeff(), 0.0};
  scene.obstacles.push_back(
      {"slope", Plane{Vector3d::UnitY()}, Path::Still(Vector3d::Zero()), friction});
  return scene;
}

// [case 16] a = g (sin α − μ cos α), whatever the step: neither barrier nor friction contains it.
TEST(FiniteElementFriction, ABlockSlidesDownAsCoulombSays) {
  for (const auto& [degrees, friction, expected] :
       {std::tuple{30.0, 0.3, 2.3562872}, {20.0, 0.3, 0.5897022}, {30.0, 0.5, 0.6571454}}) {
    const Scene scene = OnASlope(degrees * std::numbers::pi / 180.0, friction);
    for (const double h : {0.01, 0.005, 0.0025}) {
      if (h != 0.01 && friction != 0.5) continue;
      const auto simulation = Start(scene);
      Advance(simulation.get(), h, 0.5);
      const double before = VelocityOf(Observe(*simulation)).x();
      Advance(simulation.get(), h, 0.4);
      const double after = VelocityOf(Observe(*simulation)).x();
      EXPECT_NEAR((before - after) / 0.4, expected, 3e-3 * expected) << degrees << ' ' << h;
    }
  }
}

// tan 20° < 0.5: it creeps at the speed at which the smooth rise of friction holds it.
TEST(FiniteElementFriction, ABlockThatSticksCreepsByLessThanTheFrictionSpeed) {
  const double angle = 20.0 * std::numbers::pi / 180.0, friction = 0.5;
  for (const double speed : {4e-3, 2e-3, 1e-3}) {
    const auto simulation = Start(OnASlope(angle, friction), {{"friction_speed", speed}});
    Advance(simulation.get(), 0.005, 1.0);
    const double part = 1.0 - std::sqrt(1.0 - std::tan(angle) / friction);  // 2 y − y² = tan α/μ
    const double creep = -VelocityOf(Observe(*simulation)).x();
    EXPECT_LT(creep, speed);
    EXPECT_NEAR(creep, part * speed, 0.06 * speed);
  }
}

// Level, v₀ = 2 m/s, μ = 0.3: stops after 0.6795787 s and 0.6795787 m.
TEST(FiniteElementFriction, ASlidingBlockStopsWhereCoulombSays) {
  Scene scene = OnASlope(0.0, 0.3);
  const double way = 4.0 / (2.0 * 0.3 * kGravity);
  scene.bodies[0].velocity = {-2.0, 0.0, 0.0};
  const auto simulation = Start(scene, {{"friction_speed", 1e-4}});
  const double start = Observe(*simulation).sums->centre.x();
  Advance(simulation.get(), 0.005, 1.0);
  const Observation o = Observe(*simulation);
  EXPECT_NEAR(start - o.sums->centre.x(), way, 0.01 * way);
  EXPECT_LT(VelocityOf(o).norm(), 2e-2);
  EXPECT_LT((*o.work)[WorkClass::kContact], -0.9 * 0.5 * 8.0 * 4.0);  // friction took the energy
}

// A belt at 1 m/s takes a block along: a = μ g until it moves as the belt does, and the belt's work
// is what friction gives the block and turns into heat.
TEST(FiniteElementFriction, ABeltTakesABlockAlong) {
  Scene scene = OnASlope(0.0, 0.4);
  Matrix3Xd keys(3, 2);
  keys << Vector3d::Zero(), Vector3d(2.0, 0.0, 0.0);
  scene.obstacles[0].motion = Path({0.0, 2.0}, keys, Path::Interpolation::kLinear);
  const auto simulation = Start(scene);
  const Observation start = Observe(*simulation);
  Advance(simulation.get(), 0.005, 0.2);
  Observation o = Observe(*simulation);
  EXPECT_NEAR(VelocityOf(o).x(), 0.4 * kGravity * 0.2, 0.02);
  EXPECT_GT((*o.work)[WorkClass::kMovedObstacle], 0.0);
  Advance(simulation.get(), 0.005, 0.4);
  o = Observe(*simulation);
  EXPECT_NEAR(VelocityOf(o).x(), 1.0, 0.02);
  EXPECT_NEAR(TotalEnergy(o) - TotalEnergy(start), o.work->TotalWork(), 1e-7);
}

// What pushes is what changes the momentum; energy is stored, given back, and only friction takes it.
TEST(FiniteElementContact, ABounceKeepsEnergyAndExportsItsImpulse) {
  for (const double h : {0.004, 0.002, 0.001}) {
    Scene scene = OnASlope(0.0, 0.0);
    scene.bodies[0].material->stiffness_damping = 0.0;
    scene.bodies[0].position.y() += 0.05;
    const auto simulation = Start(scene, {{"newton_tolerance", 1e-11}});
    const Observation start = Observe(*simulation);
    double contact = 0.0, fastest = 0.0;
    for (double t = 0.0; t < 0.3; t += h) {
      ASSERT_EQ(simulation->Advance(h).kind, StepOutcome::Kind::kAdvanced);
      const Observation o = Observe(*simulation);
      contact = std::max(contact, *o.contact_energy);
      fastest = std::max(fastest, VelocityOf(o).y());
      EXPECT_NEAR(TotalEnergy(o), TotalEnergy(start), 1e-7) << t;
      EXPECT_LT((o.sums->momentum - o.work->impulse).norm(), 1e-8);
    }
    EXPECT_GT(contact, 1e-4);
    EXPECT_GT(fastest, 0.5);  // it came back up
  }
}

// At rest the lowest points are as deep as the barrier says: p/E = −b′(d − depth).
TEST(FiniteElementContact, DepthIsThatOfThePressureAndVanishesWithTheThickness) {
  Scene scene = OnASlope(0.0, 0.0);
  scene.bodies[0].material->poisson_ratio = 0.0;
  double before = 0.0;
  for (const double d : {4e-3, 2e-3, 1e-3}) {
    const auto simulation = Start(scene, {{"contact_thickness", d}});
    Advance(simulation.get(), 0.01, 2.0);
    const double depth = -Observe(*simulation).points.row(1).minCoeff();
    EXPECT_NEAR(-Barrier(d).Slope(d - depth), 1000.0 * kGravity * 0.2 / 1e5, 4e-4);
    if (before > 0.0) {
      EXPECT_NEAR(before / depth, 2.0, 0.02);
    }
    before = depth;
  }
}

Scene TwoBlocks() {
  Scene scene;
  scene.name = "two";
  scene.gravity.setZero();
  scene.bodies = {Block("left", {0.2, 0.2, 0.2}, {2, 2, 2}, 1e5),
                  Block("right", {0.2, 0.2, 0.2}, {2, 2, 2}, 5e4)};
  scene.bodies[0].velocity = {1.0, 0.0, 0.0};
  scene.bodies[1].position = {0.25, 0.07, 0.05};
  scene.bodies[1].angular_velocity = {0.5, 1.0, 2.0};
  return scene;
}

// Oblique, spinning, faces against edges and corners.
TEST(FiniteElementBodyContact, KeepsEnergyMomentumAndAngularMomentum) {
  const auto simulation =
      Start(TwoBlocks(), {{"newton_tolerance", 1e-11}, {"contact_thickness", 2e-3}});
  const Observation start = Observe(*simulation);
  double contact = 0.0;
  for (int step = 0; step < 100; ++step) {
    ASSERT_EQ(simulation->Advance(0.002).kind, StepOutcome::Kind::kAdvanced) << step;
    const Observation o = Observe(*simulation);
    contact = std::max(contact, *o.contact_energy);
    EXPECT_NEAR(TotalEnergy(o), TotalEnergy(start), 1e-7);
    EXPECT_LT((o.sums->momentum - start.sums->momentum).norm(), 1e-8);
    EXPECT_LT((o.sums->angular_momentum - start.sums->angular_momentum).norm(), 1e-8);
  }
  EXPECT_GT(contact, 1e-3);
}

// A stiff plate of 4 mm that goes 10 and 40 mm in a step: the first iteration of the step that meets leaves it behind the other one.
TEST(FiniteElementBodyContact, AFastPlateDoesNotPassThroughAnother) {
  for (const double speed : {2.0, 8.0}) {
    Scene scene;
    scene.name = "plates";
    scene.gravity.setZero();
    scene.bodies = {Block("below", {0.1, 0.004, 0.1}, {2, 2, 2}),
                    Block("above", {0.1, 0.004, 0.1}, {2, 2, 2})};
    for (Body& body : scene.bodies) body.rigid = true;
    scene.bodies[1].position = {0.01, 0.007, 0.005};
    scene.bodies[1].velocity = {0.0, -speed, 0.0};
    const auto simulation = Start(scene, {{"contact_thickness", 1e-3}});
    const int each = scene.bodies[0].size();
    for (int step = 0; step < 4; ++step) {
      ASSERT_NE(simulation->Advance(5e-3).kind, StepOutcome::Kind::kDiverged);
      const Matrix3Xd x = Observe(*simulation).points;
      EXPECT_GT(x.rightCols(each).row(1).mean(), x.leftCols(each).row(1).mean())
          << speed << " m/s, step " << step;
    }
  }
}

TEST(FiniteElementBodyContact, SurfacesThatTouchAtTheStartAreRefused) {
  Scene scene = TwoBlocks();
  scene.bodies[1].position = {0.2, 0.0, 0.0};
  scene.bodies[1].angular_velocity.setZero();
  const Translation translation = TheBackend().Translate(std::make_shared<const Scene>(scene), {});
  EXPECT_EQ(translation.simulation, nullptr);
  EXPECT_NE(translation.record.WhyUnsupported().find("touch at the start"), std::string::npos);
}

TEST(FiniteElementBodyContact, StateContinuesBitForBit) {
  const ParameterValues parameters = {{"contact_thickness", 2e-3}};
  const auto one = Start(TwoBlocks(), parameters), other = Start(TwoBlocks(), parameters);
  Advance(one.get(), 0.002, 0.06);
  other->Restore(one->Save());
  Advance(one.get(), 0.002, 0.02);
  Advance(other.get(), 0.002, 0.02);
  EXPECT_EQ(one->Save(), other->Save());
}

}  // namespace
}  // namespace pliant::finite_elements
