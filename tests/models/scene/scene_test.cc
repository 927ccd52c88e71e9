#include "models/scene/scene.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "models/problem.h"
#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "models/scene/validate.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

Scene TwoChains() {
  Scene scene;
  scene.bodies.push_back(MakeChain("a", {0, 0, 0}, {1, 0, 0}, 3, 1.0));
  scene.bodies.push_back(MakeChain("b", {0, 0, 0}, {0, 1, 0}, 2, 4.0));
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
  EXPECT_THAT(Elements(scene),
              testing::ElementsAre("gravity", "body.a", "body.a.velocity", "body.b",
                                   "obstacle.floor", "obstacle.floor.friction", "nail.pin"));
  scene.gravity.setZero();
  EXPECT_EQ(Elements(scene).front(), "body.a");
}

// Each way of spoiling a good scene, and the place that must be named.
struct Spoiled {
  const char* where;
  std::function<void(Scene*)> spoil;
};

TEST(Validate, NamesThePlaceOfEveryMistake) {
  const double nan = std::nan("");
  const std::vector<Spoiled> cases = {
      {"dimension", [](Scene* s) { s->dimension = 4; }},
      {"body", [](Scene* s) { s->bodies.clear(); }},
      {"gravity", [nan](Scene* s) { s->gravity[1] = nan; }},
      {"body[0].mass", [](Scene* s) { s->bodies[0].mass[1] = -1.0; }},
      {"body[0].mass", [](Scene* s) { s->bodies[0].mass[1] = 0.0; }},
      {"body[1].name", [](Scene* s) { s->bodies[1].name = "a"; }},
      {"body[0]", [](Scene* s) { s->bodies[0].rest.resize(3, 0); }},
      {"body[0].edges",
       [](Scene* s) {
         s->bodies[0].edges.push_back({0, 9});
       }},
      {"body[0].stretch", [](Scene* s) { s->bodies[0].stretch(0, 0) = 0.0; }},
      {"body[0].velocity", [nan](Scene* s) { s->bodies[0].velocity[0] = nan; }},
      {"obstacle[0].normal",
       [](Scene* s) {
         s->obstacles.push_back(
             {"p", Plane{Vector3d(0, 2, 0)}, Path::Still(Vector3d::Zero()), 0.0});
       }},
      {"obstacle[0].radius",
       [](Scene* s) {
         s->obstacles.push_back({"p", Sphere{0.0}, Path::Still(Vector3d::Zero()), 0.0});
       }},
      {"obstacle[0].friction",
       [](Scene* s) {
         s->obstacles.push_back({"p", Sphere{1.0}, Path::Still(Vector3d::Zero()), -0.1});
       }},
      {"nail[0].point",
       [](Scene* s) {
         s->nails.push_back({"n", {0, 3}, Path::Still(Vector3d::Zero())});
       }},
      {"nail[1].point",
       [](Scene* s) {
         for (int i = 0; i < 2; ++i) s->nails.push_back({"n", {0, 1}, Path::Still({1, 0, 0})});
       }},
      {"attachment[0].b",
       [](Scene* s) {
         s->attachments.push_back({"k", {0, 0}, {0, 1}});
       }},
      {"spring[0].stiffness",
       [](Scene* s) {
         Spring spring;
         spring.stiffness = -1.0;
         s->springs.push_back(spring);
       }},
      {"force[0].until",
       [](Scene* s) {
         TimedForce force;
         force.from = 1.0;
         force.until = 1.0;
         s->forces.push_back(force);
       }},
      {"impulse[0].impulse",
       [nan](Scene* s) {
         Impulse impulse;
         impulse.impulse[2] = nan;
         s->impulses.push_back(impulse);
       }},
      {"impulse[0].impulse",
       [](Scene* s) {
         s->dimension = 2;
         Impulse impulse;
         impulse.impulse[2] = 1.0;
         s->impulses.push_back(impulse);
       }},
  };
  EXPECT_NO_THROW(Validate(TwoChains()));
  for (const Spoiled& spoiled : cases) {
    Scene scene = TwoChains();
    spoiled.spoil(&scene);
    try {
      Validate(scene);
      ADD_FAILURE() << "nothing found wrong at " << spoiled.where;
    } catch (const BadInput& bad) {
      EXPECT_EQ(bad.problem().where, spoiled.where) << bad.what();
      EXPECT_FALSE(bad.problem().what.empty());
    }
  }
}

}  // namespace
}  // namespace pliant
