// A body that lands, for tests of what carries surfaces.

#ifndef PLIANT_TESTS_SOLVERS_RESPONSE_CRATE_H_
#define PLIANT_TESTS_SOLVERS_RESPONSE_CRATE_H_

#include <Eigen/Core>

#include "models/scene/scene.h"
#include "tests/solvers/response/runs.h"

namespace pliant {

// A box-like outline of 3 kg above a floor.
inline Scene Crate(double height) {
  Scene scene;
  scene.name = "crate";
  scene.dimension = 2;
  scene.gravity = {0, -kGravity, 0};
  Body crate;
  crate.name = "crate";
  crate.shape = ShapeKind::kProfile;
  crate.rest = Eigen::Matrix3Xd(3, 8);
  crate.rest << -0.5, 0.0, 0.5, 0.5, 0.5, 0.0, -0.5, -0.5,  //
      0.0, 0.0, 0.0, 0.4, 0.8, 0.8, 0.8, 0.4,               //
      0, 0, 0, 0, 0, 0, 0, 0;
  crate.mass = Eigen::VectorXd::Constant(8, 3.0 / 8);
  for (int i = 0; i < 8; ++i) crate.edges.push_back({i, (i + 1) % 8});
  crate.position = {0, height, 0};
  scene.bodies.push_back(crate);
  scene.obstacles.push_back(
      {"floor", Plane{Eigen::Vector3d::UnitY()}, Path::Still(Eigen::Vector3d::Zero()), 0.0});
  return scene;
}
// Contact is a spring of 3 kN/m under each point; nothing is damped or kept.
inline ParameterValues OnSprings(ParameterValues proxy, double stiffness = 3000.0) {
  proxy["absorption"] = Numbers{0.0};
  proxy["relaxation_time"] = Numbers{0.0};
  proxy["contact_stiffness"] = stiffness;
  proxy["contact_damping"] = 0.0;
  return proxy;
}

}  // namespace pliant

#endif  // PLIANT_TESTS_SOLVERS_RESPONSE_CRATE_H_
