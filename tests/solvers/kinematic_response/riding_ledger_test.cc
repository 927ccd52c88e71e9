// The ledger of bodies that ride: what contact stores, what it takes, and who does the work.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "models/scene/forces.h"
#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "solvers/step_limit.h"
#include "tests/solvers/kinematic_response/crate.h"
#include "tests/solvers/kinematic_response/runs.h"

namespace pliant::kinematic_response {
namespace {

using Eigen::Vector3d;

double EnergyOf(const Scene& scene, const Observation& o) {
  const SceneForces forces(scene);
  return KineticEnergy(forces.masses(), *o.velocities) + forces.GravitationalEnergy(o.points) +
         o.elastic_energy.value_or(0.0) + *o.contact_energy;
}

// Over a run of `duration` at steps of h.
struct Balance {
  double residual = 0.0;  // largest |ΔE − W| [J]
  double made = 0.0;      // largest rise of E less active work above its lowest value [J]
  double passive = 0.0;   // largest rise of the work of contact [J]
  double stored = 0.0;    // largest contact energy [J]
  double momentum = 0.0;  // largest |ΔP − J| [kg m/s]
  Observation end;
};

Balance BalanceOf(const Scene& scene, const ParameterValues& parameters, double h,
                  double duration) {
  const auto simulation = Started(scene, parameters);
  Balance balance;
  Observation& o = balance.end;
  simulation->Observe(&o);
  const Eigen::VectorXd m = scene.Masses();
  const double energy = EnergyOf(scene, o);
  const Vector3d momentum = LinearMomentum(m, *o.velocities);
  double lowest = INFINITY, least = INFINITY;
  for (int i = 0; i < static_cast<int>(std::lround(duration / h)); ++i) {
    o = After(simulation.get(), h, 1);
    const Exchange& work = *o.work;
    const double now = EnergyOf(scene, o), passive = work[WorkClass::kContact];
    const double inactive = now - work[WorkClass::kMovedObstacle];
    lowest = std::min(lowest, inactive);
    least = std::min(least, passive);
    balance.residual = std::max(balance.residual, std::abs(now - energy - work.TotalWork()));
    balance.made = std::max(balance.made, inactive - lowest);
    balance.passive = std::max(balance.passive, passive - least);
    balance.stored = std::max(balance.stored, *o.contact_energy);
    balance.momentum = std::max(
        balance.momentum, (LinearMomentum(m, *o.velocities) - momentum - o.work->impulse).norm());
  }
  return balance;
}

constexpr double kDrop = 3.0 * kGravity * 0.05;  // J, of the crate below

// Neither a knee nor a corner that lands first changes that: contact is a store.
TEST(RidingLedger, ContactStoresWhatItGivesBack) {
  std::vector<Scene> scenes = {Crate(0.05), Crate(0.05)};
  for (Scene& scene : scenes) {  // thrown down; without weight nothing is lifted
    scene.gravity.setZero();
    scene.bodies[0].velocity = {0.0, -1.0, 0.0};
  }
  scenes[1].bodies[0].orientation = Eigen::AngleAxisd(0.1, Vector3d::UnitZ());
  const ParameterValues pad =
      With(With(OnSprings({}), "reaction_knee", 0.005), "reaction_stiffness_beyond", 30000.0);
  for (const Scene& scene : scenes) {
    for (const ParameterValues& parameters : {OnSprings({}), pad}) {
      std::vector<Balance> balances;
      for (const double h : {4e-4, 2e-4, 1e-4}) {
        balances.push_back(BalanceOf(scene, parameters, h, 0.3));
        EXPECT_GT(balances.back().stored, 0.5 * kDrop);
        EXPECT_LT(balances.back().momentum, 1e-12);
      }
      EXPECT_LT(balances[0].made, 0.01 * kDrop);
      EXPECT_LT(balances[0].passive, 0.01 * kDrop);
      EXPECT_LT(balances[2].passive, balances[0].passive / 8.0)  // order 1.5 at least
          << balances[0].passive << " " << balances[1].passive;
      EXPECT_LT(balances[0].residual, 1e-10);
    }
  }
}

// Dampers and Coulomb's limit take, a material that yields too.
TEST(RidingLedger, FrictionDampingAndYieldOnlyTake) {
  Scene scene = Crate(0.05);
  scene.bodies[0].orientation = Eigen::AngleAxisd(0.1, Vector3d::UnitZ());
  scene.bodies[0].velocity = {1.0, 0.0, 0.0};
  scene.obstacles[0].friction = 0.4;
  ParameterValues parameters = OnSprings({});
  parameters["contact_damping"] = 20.0;
  for (const double yield : {static_cast<double>(INFINITY), 0.002}) {
    parameters["yield"] = Numbers{yield};
    for (const double relaxation : {0.0, 0.05}) {
      parameters["relaxation_time"] = Numbers{relaxation};
      const Balance balance = BalanceOf(scene, parameters, 2e-4, 0.5);
      EXPECT_LT((*balance.end.work)[WorkClass::kContact], -0.5 * kDrop);
      EXPECT_LT(balance.passive, 2e-3 * kDrop) << yield << " " << relaxation;
      EXPECT_LT(balance.made, 0.01 * kDrop) << yield << " " << relaxation;
      EXPECT_LT(balance.residual, 1e-4 * kDrop) << yield << " " << relaxation;
      EXPECT_LT(balance.momentum, 1e-12);
    }
  }
}

TEST(RidingLedger, AFloorThatRisesDoesTheWorkThatLifts) {
  constexpr double kLift = 0.3;
  Scene scene = Crate(0.0);
  Eigen::Matrix3Xd keys = Eigen::Matrix3Xd::Zero(3, 2);
  keys(1, 1) = kLift;
  scene.obstacles[0].motion = Path({0.5, 1.0}, keys, Path::Interpolation::kLinear);
  ParameterValues parameters = OnSprings({});
  parameters["contact_damping"] = 60.0;
  const Balance balance = BalanceOf(scene, parameters, 2e-4, 2.0);
  const double lifted = 3.0 * kGravity * kLift;
  // It starts and ends at rest, thrown off and caught: what it takes beyond the lift, dampers take.
  const Exchange& work = *balance.end.work;
  EXPECT_GT(work[WorkClass::kMovedObstacle], lifted);
  EXPECT_LT(work[WorkClass::kMovedObstacle], 1.2 * lifted);
  EXPECT_NEAR(work[WorkClass::kMovedObstacle] + work[WorkClass::kContact], lifted, 0.02 * lifted);
  EXPECT_LT(balance.passive, 1e-3 * lifted);
  EXPECT_LT(balance.residual, 1e-3 * lifted);
}

// Nothing falls that is held: gravity plays no part, and has no energy.
TEST(RidingLedger, GravityActsOnlyWhereABodyRides) {
  Scene scene = Crate(0.05);
  scene.bodies[0] = MakeChain("chain", {-0.5, 0.2, 0}, {0.5, 0.2, 0}, 9, 3.0);
  scene.obstacles[0].shape = Sphere{0.1};
  Eigen::Matrix3Xd keys = Eigen::Matrix3Xd::Zero(3, 2);
  keys.row(1) << 0.5, 0.25;
  scene.obstacles[0].motion = Path({0.0, 0.1}, keys, Path::Interpolation::kLinear);
  for (const bool held : {true, false}) {
    const auto simulation = Started(scene, {{"rides", std::string(held ? "never" : "always")}});
    EXPECT_EQ(After(simulation.get(), 1e-3, 10).gravity_acts, !held);
  }
}

// What lies on all of its points is a mass on springs and dampers, which longer steps throw off.
TEST(RidingLedger, ContactIsStableBelowTheLimitOfTheStep) {
  Scene scene = Crate(0.0);
  scene.bodies[0] = MakeChain("plank", {-0.5, 0, 0}, {0.5, 0, 0}, 9, 3.0);
  scene.bodies[0].position = {0, -0.0012, 0};  // it rests at 1.09 mm
  for (const double damping : {0.0, 20.0}) {
    ParameterValues parameters = OnSprings({});
    parameters["contact_damping"] = damping;
    const auto limit = [&] {
      const auto simulation = Started(scene, parameters);
      return simulation->AsStepLimited()->StepLimits().at(0).step;
    }();
    const auto largest = [&](double h) {
      const auto simulation = Started(scene, parameters);
      double fastest = 0.0;
      for (int i = 0; i < 200; ++i) {
        const Observation o = After(simulation.get(), h, 1);
        fastest = std::max(fastest, o.velocities->cwiseAbs().maxCoeff());
      }
      return fastest;
    };
    EXPECT_LT(largest(0.5 * limit), 0.15) << damping;
    EXPECT_GT(largest(1.5 * limit), 1.0) << damping;
  }
}

// A state in mid contact goes on as it would have, with its ledger.
TEST(RidingLedger, IsPartOfTheState) {
  Scene scene = Crate(0.01);
  scene.obstacles[0].friction = 0.4;
  scene.bodies[0].velocity = {1.0, 0.0, 0.0};
  const ParameterValues parameters = {{"yield", Numbers{0.002}}};
  const auto first = Started(scene, parameters), second = Started(scene, parameters);
  After(first.get(), 1e-3, 60);
  second->Restore(first->Save());
  const Observation a = After(first.get(), 1e-3, 100), b = After(second.get(), 1e-3, 100);
  EXPECT_EQ(first->Save(), second->Save());
  EXPECT_EQ(*a.contact_energy, *b.contact_energy);
  EXPECT_EQ(a.work->work, b.work->work);
}

}  // namespace
}  // namespace pliant::kinematic_response
