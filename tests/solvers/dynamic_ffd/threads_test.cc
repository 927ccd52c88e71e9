// Bodies on several threads move as on one, to the last bit.

#include <gtest/gtest.h>

#include "models/scene/shapes.h"
#include "tests/scenes.h"
#include "tests/solvers/dynamic_ffd/scenes.h"

namespace pliant::dynamic_ffd {
namespace {

Eigen::VectorXd EndOf(const Scene& scene, ParameterValues parameters, int threads) {
  parameters["threads"] = std::int64_t{threads};
  const Translation translation = Translated(scene, parameters);
  RunFor(translation.simulation.get(), 0.002, 100);
  return translation.simulation->Save();
}

// 21 sheets that are thrown, bend and fall on a rough plane; one of them hangs on a nail.
Scene ManySheets() {
  Scene scene = Weightless({});
  scene.gravity = {0.0, 0.0, -9.81};
  for (int b = 0; b < 21; ++b) {
    Body sheet = MakeSheet("sheet" + std::to_string(b), {1.0, 1.0}, {3, 3}, 1.0);
    sheet.position = {1.5 * b, 0.0, 0.02 * b};
    sheet.velocity = {0.0, 0.1 * b, 0.3};
    sheet.angular_velocity = {0.2, 0.1 * b, 0.0};
    scene.bodies.push_back(sheet);
  }
  Obstacle floor;
  floor.name = "floor";
  floor.shape = Plane{{0.0, 0.0, 1.0}};
  floor.friction = 0.3;
  scene.obstacles = {floor};
  scene.nails = {NailWhereItStarts(scene, "hook", {3, 0})};
  return scene;
}

TEST(Threads, MoveBodiesAsOneDoes) {
  const Scene scene = ManySheets();
  for (const char* scheme : {"semi-implicit-euler", "rk4"}) {
    const ParameterValues parameters = With(SheetModes(), scheme);
    const Eigen::VectorXd alone = EndOf(scene, parameters, 1);
    for (const int threads : {2, 3}) {
      EXPECT_EQ(EndOf(scene, parameters, threads), alone) << scheme << ", " << threads;
    }
  }
}

}  // namespace
}  // namespace pliant::dynamic_ffd
