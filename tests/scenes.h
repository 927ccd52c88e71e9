// What scenes of many tests are made of.

#ifndef PLIANT_TESTS_SCENES_H_
#define PLIANT_TESTS_SCENES_H_

#include <Eigen/Core>
#include <string>
#include <utility>
#include <vector>

#include "models/scene/scene.h"

namespace pliant {

// Bodies under gravity, in space or in the plane z = 0.
inline Scene SceneOf(std::vector<Body> bodies, int dimension = 3) {
  Scene scene;
  scene.dimension = dimension;
  scene.bodies = std::move(bodies);
  return scene;
}
inline Scene Weightless(std::vector<Body> bodies, int dimension = 3) {
  Scene scene = SceneOf(std::move(bodies), dimension);
  scene.gravity.setZero();
  return scene;
}

// From place to place [m], there at these times [s].
inline Path PathThrough(std::vector<double> times, const std::vector<Eigen::Vector3d>& places,
                        Path::Interpolation interpolation = Path::Interpolation::kLinear) {
  Eigen::Matrix3Xd keys(3, static_cast<Eigen::Index>(places.size()));
  for (size_t i = 0; i < places.size(); ++i) keys.col(static_cast<Eigen::Index>(i)) = places[i];
  return {std::move(times), std::move(keys), interpolation};
}

// A nail that holds a point of the scene where it starts.
inline Nail NailWhereItStarts(const Scene& scene, const std::string& name, PointRef point) {
  return {name, point, Path::Still(scene.InitialPoints().col(scene.Index(point)))};
}

}  // namespace pliant

#endif  // PLIANT_TESTS_SCENES_H_
