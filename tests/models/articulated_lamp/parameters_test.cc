#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "models/articulated_lamp/kinematics.h"
#include "models/problem.h"
#include "tests/reference/complaints.h"

namespace pliant::articulated_lamp {
namespace {

TEST(LampParameters, DefaultsAreAValidLamp) {
  const Lamp lamp{LampParameters{}};
  EXPECT_DOUBLE_EQ(lamp.mass(), 1.8);
}

TEST(LampParameters, UprightLampReachesUpAndItsHeadForward) {
  const Lamp lamp{LampParameters{}};
  const auto links = LinkStates<double>(lamp, LampVector::Zero(), LampVector::Zero());
  EXPECT_NEAR((links[3].origin - Eigen::Vector2d(0.0, 0.64)).norm(), 0.0, 1e-15);
  EXPECT_NEAR((links[3].centre - Eigen::Vector2d(0.075, 0.64)).norm(), 0.0, 1e-15);
  // (1.0·0.02 + 0.2·0.19 + 0.2·0.49 + 0.4·0.64) / 1.8 up, 0.4·0.075 / 1.8 forward.
  EXPECT_NEAR((CentreOfMass(lamp, LampVector::Zero()) - Eigen::Vector2d(0.03, 0.412) / 1.8).norm(),
              0.0, 1e-15);
}

TEST(LampParameters, CentreOfMassIsTheWeightedMeanOfTheLinks) {
  const Lamp lamp{LampParameters{}};
  LampVector q;
  q << 0.3, 0.2, 0.1, -0.4, 0.9, 0.3;
  const auto links = LinkStates<double>(lamp, q, LampVector::Zero());
  Eigen::Vector2d moment = Eigen::Vector2d::Zero();
  for (int j = 0; j < kLampLinks; ++j) moment += lamp.link(j).mass * links[j].centre;
  EXPECT_NEAR((CentreOfMass(lamp, q) - moment / lamp.mass()).norm(), 0.0, 1e-15);
}

TEST(LampParameters, ContactPointsTiltClockwise) {
  const Lamp lamp{LampParameters{}};
  LampVector q = LampVector::Zero();
  q[2] = 0.1;
  const auto points = ContactPoints(lamp, q);
  EXPECT_NEAR(points[0].y(), 0.1 * std::sin(0.1), 1e-15);
  EXPECT_NEAR(points[1].y(), -0.1 * std::sin(0.1), 1e-15);
  EXPECT_NEAR(points[1].x() - points[0].x(), 0.2 * std::cos(0.1), 1e-15);
}

TEST(LampParameters, HeavierHeadKeepsItsRadiusOfGyration) {
  const LampParameters heavy = LampParameters{}.WithHeadMass(1.0);
  EXPECT_DOUBLE_EQ(heavy.links[3].mass, 1.0);
  EXPECT_DOUBLE_EQ(heavy.links[3].inertia, 2.5 * LampParameters{}.links[3].inertia);
}

// Every rule names the value that broke it.
void ExpectRefused(const LampParameters& parameters, const std::string& where) {
  reference::ExpectBadInput(where, [&] { parameters.Validate(); });
}

TEST(LampParameters, WrongValuesAreNamed) {
  LampParameters p;
  p.links[2].mass = -0.2;
  ExpectRefused(p, "links[2].mass");
  p = {};
  p.links[1].length = 0.0;
  ExpectRefused(p, "links[1].length");
  p = {};
  p.links[0].inertia = std::numeric_limits<double>::quiet_NaN();
  ExpectRefused(p, "links[0].inertia");
  p = {};
  p.links[0].centre = std::numeric_limits<double>::infinity();
  ExpectRefused(p, "links[0].centre");
  p = {};
  p.links[3].inertia = p.links[3].centre = 0.0;
  ExpectRefused(p, "links[3].inertia");
  p = {};
  p.half_width = 0.0;
  ExpectRefused(p, "half_width");
  p = {};
  p.hinge_limits[1] = {1.0, -1.0};
  ExpectRefused(p, "hinge_limits[1]");
  p = {};
  p.tilt_limits.upper = std::numeric_limits<double>::infinity();
  ExpectRefused(p, "tilt_limits");
  EXPECT_THROW(Lamp(LampParameters{}, -9.81), BadInput);
}

}  // namespace
}  // namespace pliant::articulated_lamp
