#include "solvers/articulated_lamp/lamp_body.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/problem.h"
#include "models/scene/metrics.h"
#include "tests/models/articulated_lamp/random_state.h"
#include "tests/reference/complaints.h"
#include "tests/solvers/articulated_lamp/lamp_scene.h"

namespace pliant::articulated_lamp {
namespace {

using testing::HasSubstr;

LampVector Bent() {
  LampVector q;
  q << 0.3, 0.2, 0.1, -0.4, 0.9, 0.3;
  return q;
}

TEST(LampBody, ItsPointsAreTheLampTheyWereMadeFrom) {
  const LampBody body = ReadLampBody(LampBodyAt(Bent()));
  const LampParameters expected;
  for (int j = 0; j < kLampLinks; ++j) {
    EXPECT_NEAR(body.parameters.links[j].mass, expected.links[j].mass, 1e-14);
    EXPECT_NEAR(body.parameters.links[j].length, expected.links[j].length, 1e-14);
    EXPECT_NEAR(body.parameters.links[j].centre, expected.links[j].centre, 1e-14);
    EXPECT_NEAR(body.parameters.links[j].inertia, expected.links[j].inertia, 1e-14);
  }
  EXPECT_NEAR(body.parameters.half_width, expected.half_width, 1e-14);
  EXPECT_LT((body.q - Bent()).norm(), 1e-14);
  EXPECT_EQ(body.v.norm(), 0.0);
}

TEST(LampBody, StartsWhereItsSceneHasItTurnedAndMoving) {
  Scene scene = LampScene(RestPose());
  scene.bodies[0].position = {0.5, 0.2, 0.0};
  scene.bodies[0].orientation = Eigen::AngleAxisd(0.3, Eigen::Vector3d::UnitZ());
  scene.bodies[0].velocity = {1.0, -0.5, 0.0};
  scene.bodies[0].angular_velocity = {0.0, 0.0, 2.0};
  const LampBody body = ReadLampBody(scene.bodies[0]);
  EXPECT_NEAR(body.q[2], -0.3, 1e-14);
  Eigen::Matrix3Xd x(3, scene.PointCount()), x_dot(3, scene.PointCount());
  body.Place(Lamp(body.parameters), body.q, body.v, x, x_dot);
  EXPECT_LT((x - scene.InitialPoints()).norm(), 1e-13);
  EXPECT_LT((x_dot - scene.InitialVelocities()).norm(), 1e-13);
}

TEST(LampBody, EnergiesAndMomentaOfItsPointsAreThoseOfTheLamp) {
  const Scene scene = LampScene();
  const LampBody body = ReadLampBody(scene.bodies[0]);
  const Lamp lamp(body.parameters);
  const Eigen::VectorXd m = scene.Masses();
  std::mt19937 generator(kLampSeed);
  Eigen::Matrix3Xd x(3, scene.PointCount()), x_dot(3, scene.PointCount());
  for (int trial = 0; trial < 10; ++trial) {
    const LampVector q = RandomLampVector(generator, 1.0), v = RandomLampVector(generator, 3.0);
    body.Place(lamp, q, v, x, x_dot);
    EXPECT_NEAR(pliant::KineticEnergy(m, x_dot), (KineticEnergy<double>(lamp, q, v)), 1e-12);
    const LampMomentum momentum = Momentum(lamp, q, v);
    EXPECT_LT((LinearMomentum(m, x_dot).head<2>() - momentum.linear).norm(), 1e-12);
    EXPECT_NEAR(AngularMomentum(m, x, x_dot, pliant::CentreOfMass(m, x)).z(), -momentum.angular,
                1e-12);
    EXPECT_LT((pliant::CentreOfMass(m, x).head<2>() - CentreOfMass(lamp, q)).norm(), 1e-13);
  }
}

void ExpectNoLamp(const Body& body, const std::string& why) {
  EXPECT_THAT(reference::ComplaintOf([&] { ReadLampBody(body); }), HasSubstr(why));
}

TEST(LampBody, WhatIsNoLampIsToldInWhat) {
  Body body = LampBodyAt(RestPose());
  body.marks.erase(body.marks.begin() + 2);
  ExpectNoLamp(body, "no point is marked 'upper arm'");
  body = LampBodyAt(RestPose());
  std::swap(body.marks[1].second, body.marks[2].second);
  ExpectNoLamp(body, "must be listed link by link");
  body = LampBodyAt(RestPose());
  body.marks.back().second = 1;
  ExpectNoLamp(body, "tip");
  body = LampBodyAt(RestPose());
  body.rest(0, body.marks[2].second - 1) += 0.05;  // the far end of the lower arm
  ExpectNoLamp(body, "centre of mass of its lower arm");
  body = LampBodyAt(RestPose());
  body.rest.col(body.marks[2].second) = body.rest.col(body.marks[1].second);
  ExpectNoLamp(body, "lower arm has no length");
}

}  // namespace
}  // namespace pliant::articulated_lamp
