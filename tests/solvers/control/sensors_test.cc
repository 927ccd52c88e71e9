// What sensors read.

#include "solvers/control/sensors.h"

#include <gtest/gtest.h>

#include "models/problem.h"
#include "models/scene/shapes.h"
#include "tests/reference/complaints.h"
#include "tests/scenes.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

// Two chains of three points on the x axis, the second 1 m higher; a floor at y = 0 and a ball that
// moves along x.
std::shared_ptr<Scene> TwoChains() {
  auto scene = std::make_shared<Scene>();
  scene->bodies.push_back(MakeChain("low", {0, 0, 0}, {2, 0, 0}, 3, 3.0));
  scene->bodies.push_back(MakeChain("high", {0, 0, 0}, {2, 0, 0}, 3, 3.0));
  scene->bodies[1].position = {0, 1, 0};
  scene->bodies[1].mass = Vector3d(1, 1, 2);
  scene->obstacles.push_back({"floor", Plane{}, Path::Still(Vector3d::Zero()), 0.0});
  return scene;
}

std::vector<bool> Readings(const std::shared_ptr<Scene>& scene, int body, const Sensor& sensor,
                           double time, const Eigen::Matrix3Xd& x) {
  std::vector<bool> readings;
  Sensors(scene, body, {sensor}).Read(time, x, &readings);
  return readings;
}

TEST(Sensors, FeelContactOfTheNamedPointsOfTheirBodyOnly) {
  const auto scene = TwoChains();
  Eigen::Matrix3Xd x = scene->InitialPoints();
  x.row(1).array() += 0.5;
  const Sensor any{"any", Sensor::Kind::kContact, {}, 0.0};
  const Sensor first{"first", Sensor::Kind::kContact, {0}, 0.0};
  const Sensor none{"none", Sensor::Kind::kNoContact, {}, 0.0};
  EXPECT_FALSE(Readings(scene, 1, any, 0.0, x)[0]);
  EXPECT_TRUE(Readings(scene, 1, none, 0.0, x)[0]);
  x(1, 5) = -0.01;  // the last point of the upper chain
  EXPECT_TRUE(Readings(scene, 1, any, 0.0, x)[0]);
  EXPECT_FALSE(Readings(scene, 1, first, 0.0, x)[0]);
  EXPECT_FALSE(Readings(scene, 1, none, 0.0, x)[0]);
  EXPECT_FALSE(Readings(scene, 0, any, 0.0, x)[0]);
  x(1, 5) = 1e-16;  // lies on the floor
  EXPECT_TRUE(Readings(scene, 1, any, 0.0, x)[0]);
}

TEST(Sensors, FeelObstaclesWhereTheyAreAtTheTime) {
  auto scene = TwoChains();
  scene->obstacles = {{"ball", Sphere{0.3}, PathThrough({0, 1}, {{10, 1, 0}, {0, 1, 0}}), 0.0}};
  const Sensor any{"any", Sensor::Kind::kContact, {}, 0.0};
  EXPECT_FALSE(Readings(scene, 1, any, 0.0, scene->InitialPoints())[0]);
  EXPECT_TRUE(Readings(scene, 1, any, 1.0, scene->InitialPoints())[0]);
}

TEST(Sensors, FeelTheHeightOfTheCentreOfMass) {
  const auto scene = TwoChains();
  Eigen::Matrix3Xd x = scene->InitialPoints();
  x.row(1).tail(3) << 1, 2, 5;  // masses 1, 1, 2: centre at 3.25
  for (const auto& [threshold, above] : {std::pair(3.24, true), std::pair(3.26, false)}) {
    EXPECT_EQ(Readings(scene, 1, {"s", Sensor::Kind::kAbove, {}, threshold}, 0, x)[0], above);
    EXPECT_EQ(Readings(scene, 1, {"s", Sensor::Kind::kBelow, {}, threshold}, 0, x)[0], !above);
  }
}

TEST(Sensors, FeelTheTimeUpToRounding) {
  const auto scene = TwoChains();
  const Sensor late{"late", Sensor::Kind::kTime, {}, 0.3};
  EXPECT_FALSE(Readings(scene, 0, late, 0.299, scene->InitialPoints())[0]);
  EXPECT_TRUE(Readings(scene, 0, late, 0.3 - 1e-16, scene->InitialPoints())[0]);
}

TEST(Sensors, RefusePointsTheBodyDoesNotHave) {
  reference::ExpectBadInput("sensor[1].points", [&] {
    Sensors(TwoChains(), 0, {{"ok", Sensor::Kind::kTime, {}, 1}, {"bad", {}, {3}, 0}});
  });
}

}  // namespace
}  // namespace pliant
