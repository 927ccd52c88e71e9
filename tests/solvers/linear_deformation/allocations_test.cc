// Steps of linearly deformable bodies take no memory.

#include <gtest/gtest.h>

#include "models/scene/shapes.h"
#include "tests/counted_allocations.h"
#include "tests/solvers/linear_deformation/scenes.h"

#ifdef PLIANT_COUNTS_ALLOCATIONS

namespace pliant::linear_deformation {
namespace {

using Eigen::Vector3d;

struct Case {
  std::string name;
  Scene scene;
  ParameterValues parameters;
};

// Three sheets in a row, the first on a moving nail, a spring at the last, above a floor that it
// soon touches.
Scene Sheets() {
  Scene scene;
  for (int i = 0; i < 3; ++i) {
    scene.bodies.push_back(MakeSheet("sheet" + std::to_string(i), {0.5, 0.5}, {3, 3}, 1.0));
    scene.bodies.back().position = Vector3d(0.5 * i, 0.0, 0.0);
    scene.bodies.back().angular_velocity = Vector3d(0.0, 1.0, 0.0);
    if (i > 0) scene.attachments.push_back({"joint" + std::to_string(i), {i - 1, 2}, {i, 0}});
  }
  const Vector3d hand = scene.InitialPoints().col(0);
  Eigen::Matrix3Xd keys = hand.replicate(1, 3);
  keys(0, 1) += 0.1;
  scene.nails = {{"hand", {0, 0}, Path({0.0, 0.2, 0.5}, keys, Path::Interpolation::kCubic)}};
  scene.springs = {{.name = "band",
                    .a = {2, 8},
                    .b = {},
                    .anchor = Vector3d(2.0, 1.0, 0.0),
                    .stiffness = 20.0,
                    .damping = 0.5}};
  scene.obstacles = {{"ball", Sphere{0.5}, Path::Still(Vector3d(1.3, -0.9, 0.0)), 0.2}};
  return scene;
}

Scene WithSlider(Scene scene) {
  Slider rail;
  rail.name = "rail";
  rail.point = {1, 4};
  rail.direction = Vector3d::UnitY();
  rail.through = scene.InitialPoints().col(13);
  scene.sliders = {rail};
  return scene;
}

std::vector<Case> Cases() {
  const ParameterValues implicit = {{"internal_energy", std::string("implicit")}};
  return {{"chain", Pendulum(60), {}},
          {"three links", Pendulum(3), {}},
          {"stiff chain", Pendulum(60), implicit},
          {"sheets", Sheets(), {}},
          {"stiff sheets", Sheets(), implicit},
          {"slider", WithSlider(Sheets()), {}},
          {"second order", Sheets(), {{"order", std::int64_t{2}}}},
          {"Runge-Kutta", Sheets(), {{"integrator", std::string("rk4")}}},
          {"midpoint", Sheets(), {{"integrator", std::string("implicit-midpoint")}}},
          {"contact by impulses, apart", Pendulum(5), {{"contact", std::string("impulse")}}}};
}

TEST(Allocations, StepsTakeNoMemory) {
  const long before_all = allocations;
  EXPECT_NE(std::make_unique<Scene>(), nullptr);
  ASSERT_GT(allocations, before_all) << "allocations are not counted";
  for (const Case& c : Cases()) {
    SCOPED_TRACE(c.name);
    const auto simulation = Translate(c.scene, c.parameters).simulation;
    for (int i = 0; i < 5; ++i) simulation->Advance(5e-4);
    const long before = allocations;
    for (int i = 0; i < 600; ++i) simulation->Advance(5e-4);
    EXPECT_EQ(allocations - before, 0);
    Observation o;
    simulation->Observe(&o);
    EXPECT_TRUE(o.points.allFinite());
  }
}

}  // namespace
}  // namespace pliant::linear_deformation

#endif
