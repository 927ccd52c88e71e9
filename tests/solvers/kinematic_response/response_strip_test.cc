// The strip of a whole press: in time, from step to step, and where it fails.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "tests/says.h"
#include "tests/scenes.h"
#include "tests/solvers/kinematic_response/press.h"
#include "tests/solvers/kinematic_response/runs.h"

namespace pliant::kinematic_response {
namespace {

using Eigen::Vector3d;
using testing::HasSubstr;

TEST(ResponseStrip, PressesHoldsAndRecovers) {
  const Scene scene = PressScene();
  const auto simulation = Started(scene, AsInTheSource());
  const Eigen::Matrix3Xd start = scene.InitialPoints();
  Observation o = After(simulation.get(), 0.002, 200);  // at the deepest
  EXPECT_LT(o.points.row(1).minCoeff(), -0.23);
  EXPECT_LT(MeasurePenetration(scene, o.time, o.points)->max, 2e-3);
  EXPECT_GT(*o.extras[1], 0.0);
  EXPECT_GE(*o.extras[0], 0.9);
  EXPECT_FALSE(o.velocities.has_value());
  EXPECT_FALSE(o.elastic_energy.has_value());
  EXPECT_FALSE(o.work.has_value());
  EXPECT_FALSE(o.constraint_error.has_value());
  EXPECT_FALSE(o.condition_number.has_value());
  o = After(simulation.get(), 0.002, 300);  // away again
  EXPECT_EQ(*o.extras[1], 0.0);
  EXPECT_EQ(o.extras[0], std::nullopt);
  const double left = DistanceBetween(o.points, start).max;
  o = After(simulation.get(), 0.002, 150);  // one relaxation time later
  EXPECT_NEAR(DistanceBetween(o.points, start).max, left * std::exp(-1.0), 0.03 * left);
  o = After(simulation.get(), 0.5, 20);
  EXPECT_LT(DistanceBetween(o.points, start).max, 1e-12);
}

TEST(ResponseStrip, RelaxesAndDampsInTimeAndNotInSteps) {
  // All on the finest level, and nothing slides: the same in steps of any length.
  Scene scene = PressScene();
  scene.obstacles[0].motion = Path::Still({0, 0.2, 0});
  scene.obstacles[0].friction = 0.0;
  const ParameterValues controls = {{"absorption", Numbers{0.0}},
                                    {"damping_time", Numbers{0.2}},
                                    {"relaxation_time", Numbers{INFINITY}}};
  const int middle = 8 + 17 * 8;
  for (const int steps : {1, 10, 160}) {
    const auto simulation = Started(scene, controls);
    const Observation o = After(simulation.get(), 0.4 / steps, steps);
    EXPECT_NEAR(o.points(1, middle), -0.2 * (1.0 - std::exp(-2.0)), 1e-13) << steps;
  }
}

TEST(ResponseStrip, ConvergesAsTheStepShrinks) {
  const Scene scene = PressScene();
  auto at = [&](int steps) {
    const auto simulation = Started(scene);
    return After(simulation.get(), 0.7 / steps, steps).points;
  };
  const Eigen::Matrix3Xd reference = at(1600);
  const double coarse = DistanceBetween(at(50), reference).rms;
  const double fine = DistanceBetween(at(400), reference).rms;
  EXPECT_LT(fine, 0.5 * coarse);
  EXPECT_LT(fine, 5e-3);
}

TEST(ResponseStrip, RemembersAfterRestoreWhichWayAStoppedObstaclePushed) {
  Scene scene = PressScene();
  scene.obstacles[0].motion = PathThrough({0.0, 0.2}, {{-0.3, 0.2, 0}, {0.1, 0.2, 0}});
  scene.obstacles[0].friction = 0.9;
  const auto first = Started(scene, AsInTheSource());
  After(first.get(), 0.01, 30);  // it stopped at 0.2 s
  const auto second = Started(scene, AsInTheSource());
  second->Restore(first->Save());
  EXPECT_EQ(After(second.get(), 0.01, 5).points, After(first.get(), 0.01, 5).points);
}

TEST(ResponseStrip, ControlsGoOverToTheirNextStageInTime) {
  // All on the coarsest level: it takes half in the first stage, nothing later.
  Scene scene = PressScene(2);
  scene.obstacles[0].shape = Plane{-Vector3d::UnitY()};
  scene.obstacles[0].motion = PathThrough({0.0, 1.0}, {{0, 0, 0}, {0, -1, 0}});
  const ParameterValues staged = {{"relaxation_time", Numbers{INFINITY}},
                                  {"damping_time", Numbers{0.0, 1e15, 0.0}},
                                  {"stage_times", Numbers{0.3, 0.6}}};
  const auto simulation = Started(scene, staged);
  EXPECT_NEAR(After(simulation.get(), 0.1, 3).points(1, 0), -0.3, 1e-12);
  EXPECT_NEAR(After(simulation.get(), 0.1, 3).points(1, 0), -0.3, 1e-12);
  EXPECT_NEAR(After(simulation.get(), 0.1, 1).points(1, 0), -0.7, 1e-12);
}

TEST(ResponseParameters, NameTheStagesThatListsDoNotFit) {
  const Scene scene = PressScene();  // 5 levels
  EXPECT_THAT(Complaint(scene, {{"absorption", Numbers(7, 0.1)}, {"stage_times", Numbers{1.0}}}),
              HasSubstr("absorption has 7 values, but the surface of body 'slab' has 5 levels and "
                        "there are 2 stages; give 1 or 5 or 10 values"));
  EXPECT_EQ(Complaint(scene, {{"absorption", Numbers(10, 0.1)}, {"stage_times", Numbers{1.0}}}),
            "");
  EXPECT_THAT(Complaint(scene, {{"stage_times", Numbers{1.0, 0.5}}}),
              HasSubstr("stage_times: stages must begin one after the other, but stage 3"));
}

TEST(ResponseStrip, MeasuresHowFarHowWideAndHowMuch) {
  // A plane presses a patch of a sheet down by 0.1: the answer is closed form for a rigid shift.
  Scene scene = PressScene(9);
  scene.obstacles[0].shape = Plane{-Vector3d::UnitY()};
  scene.obstacles[0].motion = Path::Still({0, -0.1, 0});
  const auto whole = Started(scene);
  Observation o = After(whole.get(), 0.01, 1);
  EXPECT_NEAR(*o.extras[4], 0.1, 1e-12);
  EXPECT_NEAR(*o.extras[5], 1.0, 1e-12);
  EXPECT_NEAR(*o.extras[6], -0.4, 1e-12);           // 2 m × 2 m × 0.1 m
  scene.obstacles[0].shape = Box{{0.3, 0.1, 0.3}};  // 3 × 3 vertices of a quarter metre each
  scene.obstacles[0].motion = Path::Still({0, 0.0, 0});
  const auto patch = Started(scene, With(AsInTheSource(), "absorption", Numbers{0.0}));
  o = After(patch.get(), 0.01, 1);
  EXPECT_NEAR(*o.extras[5], 9 * 0.0625 / 4.0, 1e-12);
  EXPECT_NEAR(*o.extras[6], -9 * 0.0625 * 0.1, 1e-12);
}

TEST(ResponseStrip, PushesAlongTheWayInAlsoInTheStepInWhichTheObstacleTurns) {
  Scene scene = PressScene();
  scene.obstacles[0].motion =
      PathThrough({0.0, 0.2, 0.4}, {{0, 0.45, 0}, {0, 0.25, 0}, {0, 0.9, 0}});
  scene.obstacles[0].friction = 1.0;
  const ParameterValues clay =
      With(With(AsInTheSource(), "absorption", Numbers{0.0}), "yield", Numbers{0.0});
  const auto simulation = Started(scene, clay);
  const Observation o = After(simulation.get(), 0.02, 20);
  const Eigen::Matrix3Xd moved = o.points - scene.InitialPoints();
  EXPECT_NEAR(moved.row(1).minCoeff(), -0.15, 1e-12);
  EXPECT_LT(moved.row(0).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT(moved.row(2).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(ResponseStrip, DividesStepsInWhichAnObstacleWouldPassThrough) {
  Scene scene = PressScene();
  scene.obstacles[0].motion = PathThrough({0.0, 0.1}, {{0, 1.95, 0}, {0, -1.95, 0}});
  const ParameterValues plastic = {{"yield", Numbers{0.0}}};
  const auto simulation = Started(scene, plastic);
  const Observation o = After(simulation.get(), 0.1, 1);  // 3.9 m, almost ten radii
  EXPECT_EQ(o.iterations, 10);
  EXPECT_LT(o.points.row(1).minCoeff(), -1.0);
  EXPECT_GT(*o.extras[2], 0.1);
}

TEST(ResponseStrip, SeesAnObstacleThatComesAndGoesWithinAStep) {
  Scene scene = PressScene();
  scene.obstacles[0].motion =
      PathThrough({0.0, 0.05, 0.1}, {{0, 1.25, 0}, {0, 0.15, 0}, {0, 1.25, 0}});
  const auto simulation = Started(scene, {{"yield", Numbers{0.0}}});
  EXPECT_GT(After(simulation.get(), 0.1, 1).extras[2].value(), 0.01);
}

TEST(ResponseStrip, PassesOfOneStepAreShorterStepsAndNotMoreOfThem) {
  Scene scene = PressScene();
  scene.obstacles[0].motion = PathThrough({0.0, 0.1}, {{0, 1.95, 0}, {0, -1.95, 0}});
  const ParameterValues slow = {{"relaxation_time", Numbers{0.02}},
                                {"damping_time", Numbers{0.01}}};
  const auto divided = Started(scene, slow), stepped = Started(scene, slow);
  const Observation one = After(divided.get(), 0.1, 1), ten = After(stepped.get(), 0.01, 10);
  EXPECT_EQ(one.iterations, ten.iterations);
  EXPECT_LT(DistanceBetween(one.points, ten.points).max, 1e-12);
}

TEST(ResponseStrip, FrictionDragsTheSurfaceAlong) {
  auto farthest = [](double friction) {
    Scene scene = PressScene();
    scene.obstacles[0].motion = PathThrough({0.0, 0.2}, {{-0.3, 0.25, 0}, {0.3, 0.25, 0}});
    scene.obstacles[0].friction = friction;
    const auto simulation = Started(scene, AsInTheSource());
    const Observation o = After(simulation.get(), 0.01, 20);
    return (o.points - scene.InitialPoints()).row(0).maxCoeff();
  };
  EXPECT_GT(farthest(0.5), 2.0 * farthest(0.0));
  EXPECT_GT(farthest(0.9), 1.5 * farthest(0.5));
  EXPECT_EQ(farthest(3.0), farthest(1.0));
}

TEST(ResponseStrip, ReportsObstaclesTooFastToDivideFor) {
  Scene scene = PressScene();
  scene.obstacles[0].motion = PathThrough({0.0, 0.1}, {{0, 500.0, 0}, {0, -500.0, 0}});
  const auto simulation = Started(scene);
  EXPECT_EQ(simulation->Advance(0.1).kind, StepOutcome::Kind::kNotConverged);
}

TEST(ResponseStrip, ShowsASwallowedSurfaceAndGoesOn) {
  Scene scene = PressScene();
  scene.obstacles[0].shape = Sphere{5.0};
  scene.obstacles[0].motion = Path::Still({0, 0.1, 0});
  const auto simulation = Started(scene);
  const Observation o = After(simulation.get(), 0.01, 1);
  EXPECT_EQ(*o.extras[1], 1.0);
  EXPECT_TRUE(o.points.allFinite());
  EXPECT_LT(MeasurePenetration(scene, o.time, o.points)->max, 1e-9);
}

TEST(ResponseStrip, ReportsABulgeThatFeedsItselfAsDiverged) {
  // Bulging into a half space makes the penetration it answers to deeper.
  Scene scene = PressScene();
  scene.obstacles[0].shape = Plane{-Vector3d::UnitY()};
  scene.obstacles[0].motion = Path::Still({0, -0.01, 0});
  const ParameterValues runaway = {{"absorption", Numbers{-1.0}},
                                   {"relaxation_time", Numbers{INFINITY}}};
  const auto simulation = Started(scene, runaway);
  const StepOutcome outcome = AdvanceUntilItStops(simulation.get(), 0.01, 100);
  EXPECT_EQ(outcome.kind, StepOutcome::Kind::kDiverged);
  EXPECT_THAT(outcome.quantity, HasSubstr("surface"));
}

TEST(ResponseStrip, MovesPlanarChainsToo) {
  Scene scene = Weightless({MakeChain("rope", {-1, 0, 0}, {1, 0, 0}, 33, 1.0)}, 2);
  scene.obstacles.push_back({"ball", Sphere{0.4}, Path::Still({0, 0.25, 0}), 0.0});
  const auto simulation = Started(scene, AsInTheSource());
  const Observation o = After(simulation.get(), 0.01, 20);
  EXPECT_NEAR(o.points(1, 16), -0.15, 5e-3);
  EXPECT_LT(MeasurePenetration(scene, o.time, o.points)->max, 2e-3);
  EXPECT_EQ(o.points.row(2).cwiseAbs().maxCoeff(), 0.0);  // stays in the plane
  EXPECT_LT(o.points(1, 0), -0.005);                      // the coarsest level answered
}

TEST(ResponseStrip, SurfacesOfOneSceneAnswerEachForItself) {
  Scene scene = PressScene();
  scene.bodies.push_back(MakeSheet("other", {1, 1}, {9, 9}, 1.0));
  scene.bodies[1].position = {5, 0, 0};
  const auto simulation = Started(scene);
  const Observation o = After(simulation.get(), 0.01, 40);
  const Eigen::Matrix3Xd start = scene.InitialPoints();
  EXPECT_LT(o.points.row(1).head(17 * 17).minCoeff(), -0.2);
  EXPECT_LT((o.points - start).rightCols(81).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_THAT(Complaint(scene, {{"absorption", Numbers(5, 0.1)}}),
              HasSubstr("body 'other' has 4 levels"));
}

}  // namespace
}  // namespace pliant::kinematic_response
