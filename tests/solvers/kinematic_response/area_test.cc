// Surfaces that keep their area, and the events that surfaces report.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "solvers/kinematic_response/area.h"
#include "solvers/kinematic_response/body_surface.h"
#include "tests/scenes.h"
#include "tests/solvers/kinematic_response/runs.h"

namespace pliant::kinematic_response {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using testing::HasSubstr;

TEST(Area, GradientIsItsDerivative) {
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> uniform(-0.2, 0.2);
  for (const Body& body : {MakeSheet("sheet", {2, 2}, {3, 3}, 1.0), MakeRing("ring", 1, 6, 1.0)}) {
    const MultiresolutionSurface model = SurfaceOf(body, body.rest, Prolongation::kLinear);
    const AreaKeeper area(body, model, 0);
    GridVectors x = body.rest.transpose();
    x += GridVectors::NullaryExpr(x.rows(), 3, [&] { return uniform(generator); });
    GridVectors gradient(x.rows(), 3);
    area.Gradient(x, &gradient);
    const double h = 1e-6;
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      GridVectors more = x, less = x;
      more.data()[i] += h;
      less.data()[i] -= h;
      EXPECT_NEAR(gradient.data()[i], (area.Measure(more) - area.Measure(less)) / (2 * h), 1e-8);
    }
  }
}

// A curve or a sheet of 4 m that a ball presses 0.3 m into, from 0.5 s on.
Scene Pressed(Body body, int dimension) {
  Scene scene = Weightless({std::move(body)}, dimension);
  if (dimension == 3) {
    scene.bodies[0].orientation = Eigen::AngleAxisd(-std::numbers::pi / 2, Vector3d::UnitX());
  }
  scene.obstacles.push_back(
      {"ball", Sphere{0.5}, PathThrough({0.0, 0.5}, {{0, 0.5, 0}, {0, 0.2, 0}}), 0.0});
  return scene;
}

TEST(Area, OfAPressedCurveIsKeptByItsEndsComingIn) {
  const Scene scene = Pressed(MakeChain("curve", {-2, 0, 0}, {2, 0, 0}, 65, 1.0), 2);
  const ParameterValues local = {{"absorption", Numbers{0.0}}, {"relaxation_time", Numbers{0.2}}};
  const auto length = [&scene](const Matrix3Xd& x) {
    double sum = 0.0;
    for (const auto& [a, b] : scene.bodies[0].edges) sum += (x.col(b) - x.col(a)).norm();
    return sum;
  };
  const Observation without = After(Started(scene, local).get(), 0.01, 80);
  EXPECT_GT(length(without.points), 4.15);
  for (const int level : {0, 2}) {
    const auto keeping =
        Started(scene, With(With(local, "area_kept", 1.0), "area_level", std::int64_t{level}));
    const Observation with = After(keeping.get(), 0.01, 80);
    EXPECT_NEAR(length(with.points), 4.0, 1e-9) << level;
    EXPECT_GT(with.points(0, 0), -1.98) << level;  // an end came in
    EXPECT_NEAR(with.points(0, 0), -with.points(0, 64), 1e-6) << level;
    EXPECT_LT(MeasurePenetration(scene, with.time, with.points)->max, 0.02) << level;
  }
  // What is pressed does not follow: offsets of the finest level lift no vertex into the ball.
  const Observation finest = After(
      Started(scene, With(With(local, "area_kept", 1.0), "area_level", std::int64_t{6})).get(),
      0.01, 80);
  EXPECT_LT(MeasurePenetration(scene, finest.time, finest.points)->max, 5e-4);
  EXPECT_LT(length(finest.points), length(without.points) - 0.01);
  // Half of it is made good in each pass.
  const Observation half = After(Started(scene, With(local, "area_kept", 0.5)).get(), 0.01, 80);
  EXPECT_GT(length(half.points), 4.0);
  EXPECT_LT(length(half.points), length(without.points));
}

TEST(Area, OfSheetsAndClosedSurfacesIsKeptToo) {
  const std::vector<Body> bodies = {MakeSheet("sheet", {4, 4}, {33, 33}, 1.0),
                                    MakeTorus("ring", 1.0, 0.4, {48, 24}, 1.0)};
  for (const Body& body : bodies) {
    Scene scene = Pressed(body, 3);
    const bool torus = body.shape == ShapeKind::kTorus;
    if (torus) {
      scene.obstacles[0].motion = PathThrough({0.0, 0.5}, {{1, 0.9, 0}, {1, 0.7, 0}});
    }
    const ParameterValues local = {{"absorption", Numbers{0.0}}, {"relaxation_time", Numbers{0.2}}};
    const Observation without = After(Started(scene, local).get(), 0.02, 40);
    const Observation with = After(Started(scene, With(local, "area_kept", 1.0)).get(), 0.02, 40);
    const AreaKeeper area(body, SurfaceOf(body, scene.InitialPoints(), Prolongation::kLinear), 0);
    EXPECT_GT(std::abs(area.Measure(without.points.transpose()) / area.start() - 1.0), 5e-4);
    EXPECT_NEAR(area.Measure(with.points.transpose()) / area.start(), 1.0, 1e-9) << body.name;
  }
}

TEST(Area, NeedsALevelThatIsThereAndAHeldSurface) {
  const Scene scene = Pressed(MakeChain("curve", {-2, 0, 0}, {2, 0, 0}, 5, 1.0), 2);
  EXPECT_THAT(Complaint(scene, {{"area_kept", 0.5}, {"area_level", std::int64_t{3}}}),
              HasSubstr("area_level: there is no level 3 in the surface of body 'curve'"));
  EXPECT_THAT(Complaint(scene, {{"area_kept", 0.5}, {"rides", std::string("always")}}),
              HasSubstr("area_kept is for held surfaces"));
  EXPECT_THAT(Complaint(scene, {{"area_kept", 1.5}}), HasSubstr("between 0 and 1"));
  EXPECT_THAT(Complaint(scene, {{"self_contact_depth", -0.1}}), HasSubstr("at least 0"));
  EXPECT_THAT(Complaint(scene, {{"step_size", 0.0}}),
              HasSubstr("step_size = 0 is out of range; it must be more than 0 and at most 1"));
}

TEST(ResponseEvents, TellOnceOfASwallowedSurface) {
  Scene scene = Pressed(MakeChain("curve", {-2, 0, 0}, {2, 0, 0}, 17, 1.0), 2);
  const auto pressed = Started(scene, {});
  After(pressed.get(), 0.01, 20);
  EXPECT_TRUE(pressed->events().empty());
  scene.obstacles[0].shape = Sphere{9.0};
  const auto swallowed = Started(scene, {{"relaxation_time", Numbers{0.1}}});
  const Eigen::VectorXd before = swallowed->Save();
  After(swallowed.get(), 0.01, 20);
  ASSERT_EQ(swallowed->events().size(), 1u);
  EXPECT_THAT(swallowed->events()[0].what, HasSubstr("body 'curve' is swallowed"));
  swallowed->Restore(before);
  EXPECT_TRUE(swallowed->events().empty());
  After(swallowed.get(), 0.01, 20);
  EXPECT_EQ(swallowed->events().size(), 1u);
}

TEST(ResponseEvents, TellOnceOfDividedSteps) {
  Scene scene = Pressed(MakeChain("curve", {-2, 0, 0}, {2, 0, 0}, 17, 1.0), 2);
  scene.obstacles[0].shape = Sphere{0.6};
  scene.obstacles[0].motion = PathThrough({0.0, 0.2}, {{0, 2, 0}, {0, -2, 0}});
  const auto simulation = Started(scene, {});
  const Observation o = After(simulation.get(), 0.1, 2);
  EXPECT_EQ(*o.iterations, 8);  // 2 m a step, half the ball is 0.6 m
  ASSERT_EQ(simulation->events().size(), 1u);
  EXPECT_THAT(
      simulation->events()[0].what,
      HasSubstr(
          "steps are divided; this one takes 4 passes, because 'ball' and what it meets would move "
          "too far in one: by 3.33 times half of what it measures along its way"));
}

// A thin plate that slides along itself far above a curve divides nothing, nor does one that comes
// down face on but stays far away; one that comes near does.
TEST(ResponseEvents, PlatesFarAwayDivideNoStep) {
  struct Flight {
    Vector3d from, to;
    bool divides;
  };
  for (const Flight& flight : {Flight{{-2, 3, 0}, {2, 3, 0}, false},
                               {{0, 9, 0}, {0, 5, 0}, false},
                               {{-0.1, 0.05, 0}, {0.1, 0.05, 0}, false},
                               {{0, 2, 0}, {0, -2, 0}, true}}) {
    Scene scene = Pressed(MakeChain("curve", {-2, 0, 0}, {2, 0, 0}, 17, 1.0), 2);
    scene.obstacles[0].shape = Box{{0.5, 0.05, 0.5}};
    scene.obstacles[0].motion = PathThrough({0.0, 0.2}, {flight.from, flight.to});
    const auto simulation = Started(scene, {});
    const Observation o = After(simulation.get(), 0.1, 2);
    EXPECT_EQ(*o.iterations > 2, flight.divides) << *o.iterations;
  }
}

}  // namespace
}  // namespace pliant::kinematic_response
