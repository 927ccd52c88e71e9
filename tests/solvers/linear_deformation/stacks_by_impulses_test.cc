// Stacks in contact by impulses come to rest and stay there: at any step, with any number of points, seen from either side.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "models/scene/shapes.h"
#include "models/scene/validate.h"
#include "tests/solvers/linear_deformation/scenes.h"

namespace pliant::linear_deformation {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

struct Pile {
  const char* name;
  bool pyramid = false, rigid = true;
  int points = 2;
  double step = 1e-3;
  const char* integrator = "semi-implicit-euler";
  double mirror = 1.0;  // −1: the bodies from the other side, and in the other order
};

// Ten blocks of 1 m and 1 kg on a floor, three or six soft ones.
Scene SceneOfPile(const Pile& pile) {
  Scene scene;
  scene.dimension = 2;
  scene.gravity = {0.0, -9.81, 0.0};
  const auto add = [&](double x, double y) {
    Body block = MakeSheet("block-" + std::to_string(scene.bodies.size()), {1.0, 1.0},
                           {pile.points, pile.points}, 1.0);
    block.rigid = pile.rigid;
    block.position = {pile.mirror * x, y + 0.5, 0.0};
    scene.bodies.push_back(block);
  };
  // Soft ones swing as long as their damping lets a stack of them: fewer of them not so long.
  const int rows = pile.rigid ? (pile.pyramid ? 4 : 10) : 3;
  for (int row = 0; row < rows; ++row) {
    for (int i = 0; i < (pile.pyramid ? rows - row : 1); ++i) {
      add(pile.pyramid ? 1.02 * i + 0.51 * row : 0.0, row);
    }
  }
  if (pile.mirror < 0.0) std::reverse(scene.bodies.begin(), scene.bodies.end());
  const auto count = static_cast<int>(scene.bodies.size());
  for (int a = 0; a < count; ++a) {
    for (int b = a + 1; b < count; ++b) {
      const Vector3d between = scene.bodies[b].position - scene.bodies[a].position;
      if (std::abs(std::abs(between.y()) - 1.0) > 0.1 || std::abs(between.x()) > 0.9) continue;
      scene.contacts.push_back({a, b, false, 0.5, 0.0});
    }
  }
  Obstacle floor;
  floor.name = "floor";
  floor.shape = Plane{};
  floor.friction = 0.5;
  scene.obstacles = {floor};
  Validate(scene);
  return scene;
}

class Piles : public testing::TestWithParam<Pile> {};

TEST_P(Piles, ComeToRestAndStayThere) {
  const Pile& pile = GetParam();
  const Scene scene = SceneOfPile(pile);
  ParameterValues parameters = {{"contact", std::string("impulse")},
                                {"integrator", std::string(pile.integrator)}};
  if (!pile.rigid) parameters["damping"] = 400.0;
  const auto simulation = Translate(scene, parameters).simulation;
  const auto run = [&](double duration) {
    for (int i = 0; i < std::lround(duration / pile.step); ++i) {
      EXPECT_EQ(simulation->Advance(pile.step).kind, StepOutcome::Kind::kAdvanced);
    }
    Observation seen;
    simulation->Observe(&seen);
    return seen;
  };
  const Observation early = run(pile.rigid ? 0.7 : 2.5), late = run(0.3);
  EXPECT_LT(late.velocities->cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT((late.points - early.points).cwiseAbs().maxCoeff(), 1e-9);
  // A block may hold on to those above and below by friction as it came down.
  const Matrix3Xd way = late.points - scene.InitialPoints();
  if (pile.rigid) {
    EXPECT_LT(way.row(1).cwiseAbs().maxCoeff(), 2e-5);
    EXPECT_LT(way.row(0).cwiseAbs().maxCoeff(), 1e-5);
  }
  // Soft ones hold on to each other by friction while they settle by millimetres.
  EXPECT_LT(std::abs(way.row(0).mean()), pile.rigid ? 1e-6 : 1e-5);
}

INSTANTIATE_TEST_SUITE_P(
    Impulses, Piles,
    testing::Values(Pile{.name = "stack"}, Pile{.name = "half_step", .step = 5e-4},
                    Pile{.name = "two_ms", .step = 2e-3}, Pile{.name = "three_points", .points = 3},
                    Pile{.name = "mirrored", .mirror = -1.0},
                    Pile{.name = "rk4", .integrator = "rk4"},
                    Pile{.name = "midpoint", .integrator = "implicit-midpoint"},
                    Pile{.name = "soft", .rigid = false},
                    Pile{.name = "soft_rk4", .rigid = false, .integrator = "rk4"},
                    Pile{.name = "pyramid", .pyramid = true},
                    Pile{.name = "pyramid_half_step", .pyramid = true, .step = 5e-4},
                    Pile{.name = "pyramid_mirrored", .pyramid = true, .mirror = -1.0},
                    Pile{.name = "pyramid_three_points", .pyramid = true, .points = 3},
                    Pile{.name = "soft_pyramid", .pyramid = true, .rigid = false}),
    [](const auto& info) { return std::string(info.param.name); });

// Friction holds a block on a slope: it does not creep, on an obstacle or on another block.
TEST(StacksByImpulses, StickToASlope) {
  for (const double step : {2e-3, 1e-3}) {
    for (const char* integrator : {"semi-implicit-euler", "rk4"}) {
      SCOPED_TRACE(testing::Message() << step << " s, " << integrator);
      Scene scene = SceneOfPile({.name = "slope", .step = step});
      scene.bodies.resize(2);
      scene.contacts.resize(1);
      const double slope = 0.2;  // rad; friction holds up to 0.46
      scene.gravity = 9.81 * Vector3d(std::sin(slope), -std::cos(slope), 0.0);
      Validate(scene);
      const auto simulation = Translate(scene, {{"contact", std::string("impulse")},
                                                {"integrator", std::string(integrator)}})
                                  .simulation;
      const Matrix3Xd early = RunFor(simulation.get(), 1.0, step).points;
      const Observation late = RunFor(simulation.get(), 1.0, step);
      EXPECT_LT((late.points - early).cwiseAbs().maxCoeff(), 1e-9);
      EXPECT_LT(late.velocities->cwiseAbs().maxCoeff(), 1e-9);
    }
  }
}

}  // namespace
}  // namespace pliant::linear_deformation
