// A load on the head that comes and goes: against a head that is as heavy from the start, the floor, the ledger and the momenta.

#include "solvers/articulated_lamp/head_load.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "solvers/articulated_lamp/backend.h"
#include "tests/observed.h"
#include "tests/reference/complaints.h"
#include "tests/solvers/articulated_lamp/lamp_scene.h"

namespace pliant::articulated_lamp {
namespace {

using Numbers = std::vector<double>;

// Crouches slowly and stays.
ControlTable Crouch() {
  ControlTable table = Hop();
  table.servos[0].stiffness = table.servos[1].stiffness = 40.0;
  table.poses = {table.poses[0]};
  table.poses[0].duration.reset();
  table.poses[0].is_final = true;
  return table;
}

// Through a leap and a landing, by both integrators, by torques and by the correction that knows masses.
TEST(HeadLoad, ThatStaysIsAHeavierHead) {
  for (const std::string integrator : {"semi-implicit-euler", "midpoint"}) {
    for (const std::string controller : {"consistent", "sign-corrected"}) {
      const ParameterValues parameters = {
          {"control", Hop()}, {"controller", controller}, {"integrator", integrator}};
      ParameterValues with_load = parameters;
      with_load.insert({{"head_load_times", Numbers{0.0}}, {"head_load", Numbers{0.3}}});
      const auto loaded = Translated(LampScene(), with_load);
      const auto heavy =
          Translated(LampScene(RestPose(), LampParameters{}.WithHeadMass(0.7)), parameters);
      double highest = 0.0;
      for (int i = 0; i < 900; ++i) {
        loaded->Advance(1e-3);
        heavy->Advance(1e-3);
        const Observation o = Observed(*loaded);
        highest = std::max(highest, o.points(1, 0));
        ASSERT_LT((o.points - Observed(*heavy).points).norm(), 1e-7) << integrator << " " << i;
      }
      if (controller == "consistent") {
        EXPECT_GT(highest, 0.01);
      }
    }
  }
}

TEST(HeadLoad, StandsOnTheFloorWithTheLamp) {
  const auto simulation = Translated(LampScene(), {{"control", Crouch()},
                                                   {"head_load_times", Numbers{0.5, 1.0}},
                                                   {"head_load", Numbers{0.0, 0.6}}});
  const auto force_at = [&](double time) {
    while (simulation->time() < time) simulation->Advance(1e-3);
    return Observed(*simulation);
  };
  EXPECT_NEAR(Extra(force_at(0.499), "head_load_kg"), 0.0, 1e-12);
  EXPECT_NEAR(Extra(force_at(0.75), "head_load_kg"), 0.3, 1e-3);
  const Observation rest = force_at(6.0);
  EXPECT_NEAR(Extra(rest, "floor_normal_force_N"), (1.8 + 0.6) * 9.81, 1e-6);
  EXPECT_EQ(Extra(rest, "head_load_kg"), 0.6);
}

struct Account {
  double energy, linear, angular;  // what nothing explains at the end [J, kg·m/s, kg·m²/s]
};
Account RampFor(const std::string& integrator, double h,
                const std::string& controller = "consistent") {
  const Scene scene = LampScene();
  const auto simulation = Translated(scene, {{"control", Crouch()},
                                             {"controller", controller},
                                             {"integrator", integrator},
                                             {"head_load_times", Numbers{0.02, 0.1, 0.15}},
                                             {"head_load", Numbers{0.0, 0.6, 0.2}}});
  const Eigen::VectorXd m = scene.Masses();
  const auto sums = [&](const Observation& o) {
    Eigen::Vector3d linear = Eigen::Vector3d::Zero(), angular = linear;
    for (Eigen::Index i = 0; i < m.size(); ++i) {
      linear += m[i] * o.velocities->col(i);
      angular += m[i] * o.points.col(i).cross(o.velocities->col(i));
    }
    const double energy = pliant::KineticEnergy(m, *o.velocities) +
                          SceneForces(scene).GravitationalEnergy(o.points) + *o.constraint_energy;
    return Eigen::Vector4d(energy - o.work->TotalWork(), linear.x() - o.work->impulse.x(),
                           linear.y() - o.work->impulse.y(),
                           angular.z() - o.work->angular_impulse.z());
  };
  const Eigen::Vector4d before = sums(Observed(*simulation));
  while (simulation->time() < 0.25 - 0.5 * h) simulation->Advance(h);
  const Eigen::Vector4d lack = sums(Observed(*simulation)) - before;
  return {lack[0], lack.segment<2>(1).norm(), std::abs(lack[3])};
}

// The work and the momentum that the load takes are booked: what is left goes with the step, at the order of the integrator.
TEST(HeadLoad, LeavesTheLedgerClosed) {
  for (const bool midpoint : {false, true}) {
    const double order = midpoint ? 2.0 : 1.0;
    std::vector<Account> runs;
    for (const double h : {1e-3, 5e-4, 2.5e-4}) {
      runs.push_back(RampFor(midpoint ? "midpoint" : "semi-implicit-euler", h));
    }
    for (int i = 0; i < 2; ++i) {
      EXPECT_NEAR(std::log2(runs[i].energy / runs[i + 1].energy), order, 0.4) << midpoint;
      EXPECT_GT(std::log2(runs[i].linear / runs[i + 1].linear), order - 0.4) << midpoint;
      EXPECT_GT(std::log2(runs[i].angular / runs[i + 1].angular), order - 0.4) << midpoint;
    }
    EXPECT_LT(std::abs(runs[2].energy), 0.01);
  }
}

// A law that sets velocities moves the load, too.
TEST(HeadLoad, LeavesTheLedgerClosedWhereVelocitiesAreSet) {
  std::vector<double> lacks;
  for (const double h : {1e-3, 5e-4, 2.5e-4}) {
    lacks.push_back(std::abs(RampFor("semi-implicit-euler", h, "sign-corrected").energy));
  }
  EXPECT_LT(lacks[2], 0.6 * lacks[1]) << lacks[0] << " " << lacks[1] << " " << lacks[2];
  EXPECT_LT(lacks[1], 0.6 * lacks[0]);
}

TEST(HeadLoad, IsThatOfTheTimeToWhichAStateIsRestored) {
  const ParameterValues parameters = {{"control", Crouch()},
                                      {"head_load_times", Numbers{0.0, 0.4}},
                                      {"head_load", Numbers{0.0, 0.6}}};
  const auto first = Translated(LampScene(), parameters),
             second = Translated(LampScene(), parameters);
  for (int i = 0; i < 200; ++i) first->Advance(1e-3);
  second->Restore(first->Save());
  for (int i = 0; i < 200; ++i) {
    first->Advance(1e-3);
    second->Advance(1e-3);
  }
  EXPECT_EQ(Observed(*first).points, Observed(*second).points);
  EXPECT_EQ(Extra(Observed(*second), "head_load_kg"), 0.6);
}

TEST(HeadLoad, MistakesInItsListsAreNamed) {
  const auto refused = [](const char* parameter, const std::string& why, Numbers times,
                          Numbers masses) {
    reference::ExpectBadInput(parameter, {why}, [&] {
      TheBackend().Translate(std::make_shared<const Scene>(LampScene()),
                             {{"head_load_times", times}, {"head_load", masses}});
    });
  };
  refused("head_load_times", "the same number of entries", {0.0, 1.0}, {0.5});
  refused("head_load_times", "the same number of entries", {0.0}, {});
  refused("head_load_times", "must grow", {1.0, 1.0}, {0.5, 0.6});
  refused("head_load", "at least 0", {1.0}, {-0.1});
}

}  // namespace
}  // namespace pliant::articulated_lamp
