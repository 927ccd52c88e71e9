// The links of a lamp on the ground: against equations of motion integrated here, momentum and energy, and what comes to rest.

#include "solvers/articulated_lamp/link_contact.h"

#include <gtest/gtest.h>

#include <cmath>

#include "models/articulated_lamp/dynamics.h"
#include "models/scene/metrics.h"
#include "solvers/articulated_lamp/backend.h"
#include "solvers/articulated_lamp/lamp_ground.h"
#include "tests/observed.h"
#include "tests/random_numbers.h"
#include "tests/solvers/articulated_lamp/lamp_scene.h"

namespace pliant::articulated_lamp {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector2d;

constexpr double kEarth = 9.81, kSpring = 2e4;  // m/s², N/m

// Upside down, its base in the air, with its lowest point `gap` above the ground.
Scene Lying(double gap, double friction) {
  LampVector q = RestPose();
  q[2] = Radians(160);
  Scene scene = LampScene(q);
  Body& lamp = scene.bodies[0];
  lamp.rest.row(1).array() += gap - lamp.rest.row(1).minCoeff();
  scene.obstacles[0].friction = friction;
  return scene;
}

std::unique_ptr<Simulation> LampIn(const Scene& scene, ParameterValues parameters) {
  Translation translation =
      TheBackend().Translate(std::make_shared<const Scene>(scene), std::move(parameters));
  EXPECT_NE(translation.simulation, nullptr) << translation.record.WhyUnsupported();
  return std::move(translation.simulation);
}

ParameterValues Springs(const std::string& integrator, double damping) {
  return {{"integrator", integrator},
          {"link_contact", true},
          {"hinge_lower", std::vector<double>(3, -9.0)},  // no stops
          {"hinge_upper", std::vector<double>(3, 9.0)},
          {"contact_stiffness", kSpring},
          {"contact_damping", damping},
          {"contact_tangential_damping", damping}};
}

// q̈ of a lamp whose points below the ground have springs: their Jacobian by central differences.
LampVector AccelerationOnSprings(const Lamp& lamp, const LampBody& body, const LampVector& q,
                                 const LampVector& v) {
  Matrix3Xd x(3, body.local.cols()), ahead = x, behind = x;
  body.Place(lamp, q, x);
  LampVector force = LampVector::Zero();
  constexpr double kStep = 1e-6;
  for (int k = 0; k < kLampDof; ++k) {
    LampVector shifted = q;
    shifted[k] += kStep;
    body.Place(lamp, shifted, ahead);
    shifted[k] -= 2.0 * kStep;
    body.Place(lamp, shifted, behind);
    for (Eigen::Index i = 0; i < x.cols(); ++i) {
      const bool underside = i < body.first[1] && std::abs(body.local(0, i)) < 1e-9;
      if (underside || x(1, i) >= 0.0) continue;
      force[k] -= kSpring * x(1, i) * (ahead(1, i) - behind(1, i)) / (2.0 * kStep);
    }
  }
  return ForwardDynamics(lamp, q, v, force);
}

// Classical Runge–Kutta, from rest.
LampVector OnSprings(const Scene& scene, double time, int steps) {
  const LampBody body = ReadLampBody(scene.bodies[0]);
  const Lamp lamp(body.parameters, kEarth);
  const double h = time / steps;
  LampVector q = body.q, v = LampVector::Zero();
  const auto rate = [&](const LampVector& of_q, const LampVector& of_v) {
    return AccelerationOnSprings(lamp, body, of_q, of_v);
  };
  for (int i = 0; i < steps; ++i) {
    const LampVector v1 = v, a1 = rate(q, v1);
    const LampVector v2 = v + 0.5 * h * a1, a2 = rate(q + 0.5 * h * v1, v2);
    const LampVector v3 = v + 0.5 * h * a2, a3 = rate(q + 0.5 * h * v2, v3);
    const LampVector v4 = v + h * a3, a4 = rate(q + h * v3, v4);
    q += h / 6.0 * (v1 + 2.0 * v2 + 2.0 * v3 + v4);
    v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
  }
  return q;
}

// It begins a millimetre deep, without friction and damping; the ends of the base stay in the air.
TEST(LinkContact, MovesALampAsSpringsAtItsPointsDo) {
  const Scene scene = Lying(-1e-3, 0.0);
  constexpr double kTime = 0.004;
  const LampVector truth = OnSprings(scene, kTime, 4000);
  EXPECT_LT((truth - OnSprings(scene, kTime, 2000)).norm(), 1e-9);
  for (const auto& [integrator, order] :
       {std::pair("semi-implicit-euler", 1.0), std::pair("midpoint", 2.0)}) {
    std::vector<double> errors;
    for (const double h : {4e-4, 2e-4, 1e-4}) {
      const auto simulation = LampIn(scene, Springs(integrator, 0.0));
      for (int i = 0; i < std::lround(kTime / h); ++i) simulation->Advance(h);
      const auto& lamp = dynamic_cast<const ArticulatedLampSimulation&>(*simulation);
      errors.push_back((lamp.q() - truth).norm());
    }
    EXPECT_NEAR(std::log2(errors[0] / errors[1]), order, 0.25) << integrator << ' ' << errors[0];
    EXPECT_NEAR(std::log2(errors[1] / errors[2]), order, 0.15) << integrator << ' ' << errors[2];
    EXPECT_LT(errors[2], 1e-3) << integrator;
  }
}

struct Fallen {
  double residual = 0.0, momentum = 0.0, deepest = 0.0;  // largest on the way
  Observation end;
};
Fallen FallFor(double h, const std::string& integrator, double time) {
  const Scene scene = Lying(0.05, 0.5);
  const auto simulation = LampIn(scene, Springs(integrator, 20.0));
  Fallen fallen;
  Observation o = Observed(*simulation);
  const Eigen::VectorXd m = scene.Masses();
  const SceneForces weights(scene);
  const auto balance = [&] {
    return pliant::KineticEnergy(m, *o.velocities) + weights.GravitationalEnergy(o.points) +
           *o.constraint_energy + o.contact_energy.value() - o.work->TotalWork();
  };
  const double start = balance();
  for (int i = 0; i < std::lround(time / h); ++i) {
    EXPECT_EQ(simulation->Advance(h).kind, StepOutcome::Kind::kAdvanced);
    simulation->Observe(&o);
    fallen.residual = std::max(fallen.residual, std::abs(balance() - start));
    const Eigen::Vector3d momentum = LinearMomentum(m, *o.velocities);
    fallen.momentum = std::max(fallen.momentum, (momentum - o.work->impulse).norm());
  }
  fallen.deepest = -o.points.row(1).minCoeff();
  fallen.end = o;
  return fallen;
}

// The fall, blows of several points, and again in the air.
TEST(LinkContact, ItsLedgersCloseAtTheOrderOfTheStep) {
  for (const auto& [integrator, order] :
       {std::pair("semi-implicit-euler", 1.0), std::pair("midpoint", 2.0)}) {
    std::vector<Fallen> fallen;
    for (const double h : {4e-4, 2e-4, 1e-4}) fallen.push_back(FallFor(h, integrator, 0.2));
    EXPECT_LT((*fallen[2].end.work)[WorkClass::kContact], -0.1) << "the ground takes energy";
    for (int i = 0; i < 2; ++i) {
      // Dampers set in at once where a point touches, within a step.
      EXPECT_LT(fallen[i + 1].residual, 0.7 * fallen[i].residual) << integrator;
      EXPECT_GT(std::log2(fallen[i].momentum / fallen[i + 1].momentum), order - 0.3) << integrator;
    }
    EXPECT_LT(fallen[2].residual, order == 1.0 ? 0.01 : 5e-4) << integrator;
  }
}

TEST(LinkContact, ALampOnItsSideComesToRestOnTheGround) {
  for (const double h : {1e-3, 5e-4}) {
    const Fallen fallen = FallFor(h, "midpoint", 4.0);
    EXPECT_LT(fallen.end.velocities->colwise().norm().maxCoeff(), 1e-3);
    // Of a weight of 2 kg on three points or more.
    EXPECT_LT(fallen.deepest, 2.0 * kEarth / kSpring);
    EXPECT_GT(fallen.deepest, 0.0);
  }
}

TEST(LinkContact, StateWithEntryPointsComesBack) {
  const Scene scene = Lying(0.01, 0.5);
  const auto one = LampIn(scene, Springs("midpoint", 20.0)),
             two = LampIn(scene, Springs("midpoint", 20.0));
  for (int i = 0; i < 200; ++i) one->Advance(1e-3);
  two->Restore(one->Save());
  for (int i = 0; i < 100; ++i) {
    one->Advance(1e-3);
    two->Advance(1e-3);
  }
  EXPECT_EQ(one->Save(), two->Save());
}

// Where it says that no link touches, none does; it says so of most poses in the air.
TEST(LinkContact, WhatIsClearDoesNotTouch) {
  Scene scene = LampScene();
  scene.obstacles.push_back(
      {"table", Box{.half_size = {0.2, 0.1, 0.5}}, Path::Still({0.5, 0.1, 0.0}), 0.5, 0.0});
  const LampBody body = ReadLampBody(scene.bodies[0]);
  const Lamp lamp(body.parameters, kEarth);
  const LampStepper stepper(lamp, GroundOf(scene));
  const LinkContact links(scene, body, {});
  RandomNumbers random(7);
  int clear = 0, missed = 0;
  Matrix3Xd x(3, body.local.cols());
  for (int i = 0; i < 20000; ++i) {
    LampVector q;
    for (int k = 0; k < kLampDof; ++k) q[k] = random.Number();
    q[1] = 0.6 * (1.0 + random.Number());
    q[2] *= 3.0;
    body.Place(lamp, q, x);
    double least = INFINITY;
    for (Eigen::Index p = 0; p < x.cols(); ++p) {
      const bool underside = p < body.first[1] && std::abs(body.local(0, p)) < 1e-9;
      if (underside) continue;
      for (const Obstacle& obstacle : scene.obstacles) {
        least = std::min(
            least,
            SignedDistance(obstacle.shape, obstacle.motion.At(0.0).position, x.col(p)).distance);
      }
    }
    if (!links.IsClear(stepper, LampPlacement(q), q)) {
      missed += least > 0.0 ? 1 : 0;
      continue;
    }
    ++clear;
    ASSERT_GT(least, 0.0) << q.transpose();
  }
  EXPECT_GT(clear, 4000);
  EXPECT_LT(missed, 500);  // above the table beside which they stand, below its top
}

}  // namespace
}  // namespace pliant::articulated_lamp
