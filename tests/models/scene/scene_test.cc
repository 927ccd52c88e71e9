#include "models/scene/scene.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "models/problem.h"
#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "models/scene/validate.h"
#include "tests/reference/complaints.h"
#include "tests/scenes.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

Scene TwoChains() {
  Scene scene = SceneOf(
      {MakeChain("a", {0, 0, 0}, {1, 0, 0}, 3, 1.0), MakeChain("b", {0, 0, 0}, {0, 1, 0}, 2, 4.0)});
  scene.bodies[1].position = {1, 0, 0};
  return scene;
}

TEST(Scene, PointsOfAllBodiesAreConcatenated) {
  const Scene scene = TwoChains();
  EXPECT_EQ(scene.PointCount(), 5);
  EXPECT_EQ(scene.Index({1, 1}), 4);
  EXPECT_EQ(scene.InitialPoints().col(4), Vector3d(1, 1, 0));
  EXPECT_EQ(scene.Masses().sum(), 5.0);
}

TEST(Scene, NumberedPointsAreTheSame) {
  Scene numbered = TwoChains();
  numbered.NumberPoints();
  for (int bodies = 2; bodies < 4; ++bodies) {  // the third comes after they were numbered
    for (int b = 0, first = 0; b < bodies; first += numbered.bodies[b++].size()) {
      EXPECT_EQ(numbered.Offset(b), first);
      EXPECT_EQ(numbered.Index({b, 1}), first + 1);
    }
    EXPECT_EQ(numbered.PointCount(), numbered.Masses().size());
    numbered.bodies.insert(numbered.bodies.begin(), MakeChain("c", {0, 0, 0}, {1, 0, 0}, 4, 1.0));
  }
  numbered.NumberPoints();
  EXPECT_EQ(numbered.PointCount(), 13);
  EXPECT_EQ(numbered.Offset(2), 8);
}

TEST(Scene, InitialVelocityIsRigidAboutTheCentreOfMass) {
  Scene scene = TwoChains();
  scene.bodies[1].velocity = {1, 2, 3};
  scene.bodies[1].angular_velocity = {0, 0, 2};
  const Eigen::Matrix3Xd v = scene.InitialVelocities();
  const Eigen::VectorXd m = scene.bodies[1].mass;
  EXPECT_LT((LinearMomentum(m, v.rightCols(2)) - 4.0 * Vector3d(1, 2, 3)).norm(), 1e-14);
  EXPECT_LT((v.col(4) - v.col(3) - Vector3d(-2, 0, 0)).norm(), 1e-14);
}

TEST(Scene, ElementsListWhatIsThereAndOnlyThat) {
  Scene scene = TwoChains();
  scene.bodies[0].velocity = {1, 0, 0};
  scene.obstacles.push_back({"floor", Plane{}, Path::Still(Vector3d::Zero()), 0.3});
  scene.nails.push_back({"pin", {0, 0}, Path::Still(Vector3d::Zero())});
  scene.nails.push_back({"pin", {0, 2}, Path::Still(Vector3d::UnitX())});
  EXPECT_THAT(
      Elements(scene),
      testing::ElementsAre("gravity", "body.a", "body.a.velocity", "body.b", "obstacle.floor",
                           "obstacle.floor.friction", "nail.pin", "contact"));
  scene.gravity.setZero();
  EXPECT_EQ(Elements(scene).front(), "body.a");
}

TEST(Scene, BodiesMeetUnlessTheyAreAttachedOrTheSceneSaysOtherwise) {
  Scene scene = TwoChains();
  EXPECT_FALSE(ContactOf(scene, 0, 1).ignored);
  EXPECT_TRUE(ContactOf(scene, 1, 1).ignored);
  EXPECT_EQ(Elements(scene).back(), "contact");
  scene.attachments.push_back({"hinge", {0, 2}, {1, 0}});
  EXPECT_TRUE(ContactOf(scene, 1, 0).ignored);
  EXPECT_EQ(Elements(scene).back(), "attachment.hinge");
  scene.contacts = {{1, 0, false, 0.25, 0.5}, {1, 1}};
  EXPECT_FALSE(ContactOf(scene, 0, 1).ignored);
  EXPECT_EQ(ContactOf(scene, 0, 1).friction, 0.25);
  EXPECT_FALSE(ContactOf(scene, 1, 1).ignored);
  EXPECT_TRUE(ContactOf(scene, 0, 0).ignored);
  const std::vector<std::string> names = Elements(scene);
  EXPECT_THAT(std::vector<std::string>(names.end() - 4, names.end()),
              testing::ElementsAre("contact.b.a", "contact.b.a.friction", "contact.b.a.restitution",
                                   "contact.b.b"));
}

// Each way of spoiling a good scene, and the place that must be named.
TEST(Validate, NamesThePlaceOfEveryMistake) {
  EXPECT_NO_THROW(Validate(TwoChains()));
  const auto named = [](const char* where, const auto& spoil) {
    Scene scene = TwoChains();
    spoil(scene);
    reference::ExpectBadInput(where, {}, [&] { Validate(scene); });
  };
  const double nan = std::nan("");
  const Path still = Path::Still(Vector3d::Zero());
  named("dimension", [](Scene& s) { s.dimension = 4; });
  named("body", [](Scene& s) { s.bodies.clear(); });
  named("contact[0]", [](Scene& s) { s.contacts = {{0, 2}}; });
  named("contact[1]", [](Scene& s) { s.contacts = {{0, 1}, {1, 0}}; });
  named("contact[0].friction", [](Scene& s) { s.contacts = {{0, 1, false, -0.1}}; });
  named("contact[0].restitution", [](Scene& s) { s.contacts = {{0, 1, false, 0.0, 1.1}}; });
  named("contact[0].ignore", [](Scene& s) { s.contacts = {{0, 1, true, 0.1}}; });
  named("gravity", [&](Scene& s) { s.gravity[1] = nan; });
  named("body[0].mass", [](Scene& s) { s.bodies[0].mass[1] = -1.0; });
  named("body[0].mass", [](Scene& s) { s.bodies[0].mass[1] = 0.0; });
  named("body[0].mass", [](Scene& s) { s.bodies[0].mass[1] = 1e-320; });
  named("body[0].mass", [](Scene& s) { s.bodies[0].mass[1] = 1e200; });
  named("body[0]", [](Scene& s) { s.bodies[0].rest *= 1e-170; });
  named("body[0]", [](Scene& s) { s.bodies[0].rest *= 1e170; });
  named("body[1].name", [](Scene& s) { s.bodies[1].name = "a"; });
  named("body[0]", [](Scene& s) { s.bodies[0].rest.resize(3, 0); });
  named("body[0].edges", [](Scene& s) { s.bodies[0].edges = {{0, 9}}; });
  named("body[0].stretch", [](Scene& s) { s.bodies[0].stretch(0, 0) = 0.0; });
  named("body[0].velocity", [&](Scene& s) { s.bodies[0].velocity[0] = nan; });
  named("obstacle[0].normal", [&](Scene& s) { s.obstacles = {{"p", Plane{{0, 2, 0}}, still}}; });
  named("obstacle[0].radius", [&](Scene& s) { s.obstacles = {{"p", Sphere{0.0}, still}}; });
  named("obstacle[0].friction", [&](Scene& s) { s.obstacles = {{"p", Sphere{1.0}, still, -0.1}}; });
  named("nail[0].point", [&](Scene& s) { s.nails = {{"n", {0, 3}, still}}; });
  named("nail[1].point", [](Scene& s) { s.nails = {2, {"n", {0, 1}, Path::Still({1, 0, 0})}}; });
  named("attachment[0].b", [](Scene& s) { s.attachments = {{"k", {0, 0}, {0, 1}}}; });
  named("spring[0].stiffness", [](Scene& s) { s.springs = {{.stiffness = -1.0}}; });
  named("force[0].until", [](Scene& s) { s.forces = {{.from = 1.0, .until = 1.0}}; });
  named("impulse[0].impulse", [&](Scene& s) { s.impulses = {{.impulse = {0, 0, nan}}}; });
  named("impulse[0].impulse", [](Scene& s) {
    s.dimension = 2;
    s.impulses = {{.impulse = {0, 0, 1}}};
  });
}

}  // namespace
}  // namespace pliant
