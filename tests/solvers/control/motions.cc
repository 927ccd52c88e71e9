#include "tests/solvers/control/motions.h"

#include <Eigen/Geometry>
#include <utility>

#include "models/scene/shapes.h"
#include "tests/scenes.h"
#include "tests/solvers/dynamic_ffd/scenes.h"

namespace pliant::dynamic_ffd {

using Eigen::Vector3d;

Scene FallingTable(int dimension) {
  Scene scene = TableScene();
  scene.dimension = dimension;
  scene.gravity = {0, -9.81, 0};
  scene.bodies[0].position = {1, 2, 0};
  scene.bodies[0].orientation = Eigen::AngleAxisd(0.2, Vector3d::UnitZ());
  scene.bodies[0].velocity = {0.4, 0.3, 0};
  scene.bodies[0].angular_velocity = {0, 0, 2.0};
  return scene;
}

Scene FallingSheet() {
  Scene scene = SceneOf({MakeSheet("sheet", {1.0, 1.0}, {5, 5}, 2.0)});
  scene.bodies[0].position = {0.2, 3, -0.3};
  scene.bodies[0].orientation = Eigen::AngleAxisd(0.7, Vector3d(1, 2, 0).normalized());
  return scene;
}

KeyFrameTable::Key KeyAt(double time, std::map<std::string, double> pose,
                         const Vector3d& displacement, double turn, std::optional<int> pin) {
  return {.time = time,
          .pose = std::move(pose),
          .displacement = displacement,
          .turn = turn,
          .pin = pin};
}

KeyFrameTable Dash(Path::Interpolation interpolation) {
  KeyFrameTable table;
  table.interpolation = interpolation;
  table.keys = {
      KeyAt(0.0, {}, {0, 0, 0}, 0.0), KeyAt(0.25, {{"horizontal bend", 0.2}}, {0.3, -0.1, 0}, 0.1),
      KeyAt(0.5, {{"vertical shear", -0.3}}, {1.0, 0.2, 0}, 0.2),
      KeyAt(0.8, {{"horizontal bend", -0.1}, {"vertical squash", 0.2}}, {2.2, 0.6, 0}, 0.3)};
  table.keys[2].axis = {0, 0, -1};
  return table;
}

KeyFrameTable Tumble(Path::Interpolation interpolation) {
  KeyFrameTable table;
  table.interpolation = interpolation;
  table.keys = {KeyAt(0.0, {}, {0, 0, 0}, 0.0), KeyAt(0.3, {{"dome", 0.1}}, {0.3, 0.1, 0.2}, 1.0),
                KeyAt(0.5, {{"twist", -0.1}}, {0.5, 0.2, 0.4}, 1.5),
                KeyAt(0.8, {{"dome", -0.1}, {"squash x", 0.1}}, {1.0, 0.6, 0.1}, 2.0)};
  table.keys[1].axis = Vector3d(0, 1, 0);
  table.keys[2].axis = Vector3d(1, 1, 0).normalized();
  table.keys[3].axis = Vector3d(1, 1, 1).normalized();
  return table;
}

}  // namespace pliant::dynamic_ffd
