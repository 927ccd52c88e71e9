// A chain on a nail against the equations of a rigid pendulum.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "tests/solvers/displacement_constraints/rod_pendulum.h"
#include "tests/solvers/displacement_constraints/scenes.h"

namespace pliant::displacement_constraints {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double kGravity = 9.81;
constexpr double kLength = 0.5;  // of a link

// A straight chain from the origin, where it is nailed, at an angle from the vertical.
Scene Pendulum(int links, double angle) {
  Body chain = MakeChain("chain", {0, 0, 0}, {0, -links * kLength, 0}, links + 1, links + 1.0);
  for (int i = 0; i <= links; ++i) chain.mass[i] = 1.0 + 0.3 * i;
  chain.orientation = Eigen::AngleAxisd(angle, Vector3d::UnitZ());
  Scene scene = SceneOf({chain});
  scene.nails = {{"pivot", {0, 0}, Path::Still(Vector3d::Zero())}};
  return scene;
}

// The links that segments of this inertia are.
std::vector<Link> LinksOf(const DisplacementConstraintsSimulation& simulation) {
  const SegmentSystem& segments = simulation.levels()[0].segments;
  std::vector<Link> links;
  for (int s = 0; s < segments.net().segments(); ++s) {
    const double length = segments.geometry().lengths[s];
    links.push_back({length, segments.net().masses()[s], -segments.geometry().arms[2 * s] / length,
                     1.0 / segments.geometry().inverse_inertias[s]});
  }
  return links;
}

DisplacementConstraintsOptions Exact() { return SweptTo(1e-11, 100000); }

// Largest distance of a point from the reference at the end.
double ErrorOf(const Scene& scene, const DisplacementConstraintsOptions& options, double angle,
               double duration, double h) {
  const auto simulation = Start(scene, options);
  const std::vector<Link> links = LinksOf(*simulation);
  RodPendulum reference(links, VectorXd::Constant(static_cast<Eigen::Index>(links.size()), angle),
                        kGravity);
  const double before = reference.Energy();
  reference.Advance(duration, 4000);
  EXPECT_NEAR(reference.Energy(), before, 1e-8) << "the reference keeps its energy";
  const Observation end = RunFor(simulation.get(), static_cast<int>(std::lround(duration / h)), h);
  return DistanceBetween(end.points, reference.Points()).max;
}

// A small swing is back after one period 2π √(I/(M g r)).
TEST(Pendulum, SmallSwingHasThePeriodOfARigidBody) {
  const double angle = 1e-3;
  const Scene scene = Pendulum(1, angle);
  const auto simulation = Start(scene, Exact());
  const double mass = scene.bodies[0].mass[1];  // the nailed end has no part in it
  const double period = 2.0 * std::numbers::pi * std::sqrt(mass * kLength / (mass * kGravity));
  const int steps = 4000;
  const Observation end = RunFor(simulation.get(), steps, period / steps);
  EXPECT_NEAR(end.points(0, 1), kLength * std::sin(angle), 5e-3 * kLength * angle);
}

TEST(Pendulum, ConvergesToTheRigidReferenceWithTheStep) {
  for (const SegmentInertia inertia : {SegmentInertia::kLumped, SegmentInertia::kRod}) {
    for (const int links : {1, 2, 3}) {
      const double angle = 1.2, duration = 0.6;
      const Scene scene = Pendulum(links, angle);
      DisplacementConstraintsOptions options = Exact();
      options.inertia = inertia;
      const double coarse = ErrorOf(scene, options, angle, duration, 4e-3);
      const double fine = ErrorOf(scene, options, angle, duration, 2e-3);
      const double finest = ErrorOf(scene, options, angle, duration, 1e-3);
      EXPECT_LT(finest, 0.02 * kLength);
      EXPECT_NEAR(std::log2(fine / finest), 1.0, 0.15) << "of first order";
      EXPECT_NEAR(std::log2(coarse / fine), 1.0, 0.25);
    }
  }
}

TEST(Pendulum, EulerCromerConvergesToo) {
  const double angle = 1.2, duration = 0.6;
  const Scene scene = Pendulum(2, angle);
  DisplacementConstraintsOptions options = Exact();
  options.velocity_update = VelocityUpdate::kEulerCromer;
  const double fine = ErrorOf(scene, options, angle, duration, 2e-3);
  const double finest = ErrorOf(scene, options, angle, duration, 1e-3);
  EXPECT_LT(finest, 0.02 * 2 * kLength);
  EXPECT_NEAR(std::log2(fine / finest), 1.0, 0.15);
}

// With the printed update it swings as if gravity were halved, and no step is small enough.
TEST(Pendulum, PrintedUpdateSwingsAsWithHalfOfGravity) {
  const double angle = 1.2, duration = 0.6;
  const Scene scene = Pendulum(2, angle);
  DisplacementConstraintsOptions options = Exact();
  options.velocity_update = VelocityUpdate::kPrinted;
  const double fine = ErrorOf(scene, options, angle, duration, 2e-3);
  const double finest = ErrorOf(scene, options, angle, duration, 1e-3);
  EXPECT_GT(finest, 0.2);
  EXPECT_NEAR(finest, fine, 0.1 * fine);

  const auto simulation = Start(scene, options);
  RodPendulum half(LinksOf(*simulation), VectorXd::Constant(2, angle), 0.5 * kGravity);
  half.Advance(duration, 4000);
  const Observation end = RunFor(simulation.get(), 600, 1e-3);
  EXPECT_LT(DistanceBetween(end.points, half.Points()).max, 0.02);
}

// Out of the plane the same chain is a spherical pendulum: energy and the vertical part of angular
// momentum about the nail are kept as the step shrinks.
TEST(Pendulum, SphericalSwingKeepsEnergyAndVerticalSpinAsTheStepShrinks) {
  const auto change = [](double h) {
    Scene scene = Pendulum(2, 1.0);
    scene.bodies[0].mass[0] = 1e-9;
    const VectorXd m = scene.Masses();
    // About the vertical through the nail, at which the body's own velocities are those of a turn.
    const Vector3d spin(0.0, 3.0, 0.0);
    const Vector3d centre = CentreOfMass(m, scene.InitialPoints());
    scene.bodies[0].angular_velocity = spin;
    scene.bodies[0].velocity = spin.cross(centre);
    const auto simulation = Start(scene, Exact());
    const SceneForces forces(scene);
    Observation o = Observed(*simulation);
    const auto energy = [&] {
      return KineticEnergy(m, *o.velocities) + forces.GravitationalEnergy(o.points);
    };
    const auto vertical = [&] {
      return AngularMomentum(m, o.points, *o.velocities, Vector3d::Zero()).y();
    };
    const double energy_before = energy(), spin_before = vertical();
    o = RunFor(simulation.get(), static_cast<int>(std::lround(0.5 / h)), h);
    return Eigen::Vector2d(std::abs(energy() / energy_before - 1.0),
                           std::abs(vertical() / spin_before - 1.0));
  };
  const Eigen::Vector2d coarse = change(2e-3), fine = change(1e-3);
  EXPECT_LT(fine.maxCoeff(), 0.03);
  for (const int i : {0, 1}) EXPECT_NEAR(std::log2(coarse[i] / fine[i]), 1.0, 0.2);
}

}  // namespace
}  // namespace pliant::displacement_constraints
