// Bodies that the scene says are rigid, and the methods that move them.

#ifndef PLIANT_TESTS_LAWS_RIGID_SCENES_H_
#define PLIANT_TESTS_LAWS_RIGID_SCENES_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "models/geometry/rotation.h"
#include "models/scene/shapes.h"
#include "solvers/backends.h"
#include "tests/observed.h"
#include "tests/scenes.h"

namespace pliant {

inline Translation TranslateBy(const std::string& backend, const Scene& scene,
                               const ParameterValues& parameters = {}) {
  const Backend* found = FindBackend(backend);
  EXPECT_NE(found, nullptr) << backend;
  return found->Translate(std::make_shared<const Scene>(scene), parameters);
}

inline Observation EndOf(const Translation& translation, double h, int steps) {
  EXPECT_NE(translation.simulation, nullptr) << translation.record.WhyUnsupported();
  if (translation.simulation == nullptr) return {};
  AdvanceUntilItStops(translation.simulation.get(), h, steps);
  EXPECT_NEAR(translation.simulation->time(), h * steps, 1e-12);
  return Observed(*translation.simulation);
}

inline const ParameterValues kRk4 = {{"integrator", std::string("rk4")}};
inline const ParameterValues kTight = {{"tolerance", 1e-9}, {"max_sweeps", std::int64_t{100000}}};

struct Method {
  std::string backend;
  ParameterValues parameters;
  double order;    // of its motion
  double largest;  // error at the shortest step [m]
};

// A backend without a line here fails EveryBackendKeepsABodyRigid.
inline const std::vector<Method>& Methods() {
  static const std::vector<Method> methods = {{"dynamic-ffd", {}, 1, 2e-2},
                                              {"dynamic-ffd", kRk4, 4, 1e-8},
                                              {"linear-deformation", {}, 1, 5e-2},
                                              {"linear-deformation", kRk4, 4, 1e-6},
                                              {"displacement-constraints", {}, 2, 1e-4},
                                              {"position-based", {}, 2, 1e-4},
                                              {"kinematic-response", {}, 2, 1e-4},
                                              {"finite-elements", {}, 2, 1e-4}};
  return methods;
}

inline std::string NameOf(const Method& method) {
  return method.backend + (method.parameters.empty() ? "" : ", rk4");
}

// 2 kg in the corners of a box of three moments.
inline Body Box(const std::string& name = "box") {
  Body box = MakeBlock(name, {0.4, 0.6, 1.0}, {2, 2, 2}, 2.0);
  box.rigid = true;
  return box;
}

inline Scene Tumbling() {
  Body box = Box();
  box.angular_velocity = Eigen::Vector3d(0.1, 5.0, 0.0);
  return Weightless({box});
}

// Largest change of a distance between points, over the distance.
inline double StrainOf(const Body& body, const Eigen::Matrix3Xd& x) {
  double largest = 0.0;
  for (int i = 0; i < body.size(); ++i) {
    for (int j = 0; j < i; ++j) {
      const double rest = (body.rest.col(i) - body.rest.col(j)).norm();
      largest = std::max(largest, std::abs((x.col(i) - x.col(j)).norm() / rest - 1.0));
    }
  }
  return largest;
}

// log₂ of the ratio of the last two errors.
inline double OrderOf(const std::vector<double>& errors) {
  return std::log2(errors[errors.size() - 2] / errors.back());
}

inline constexpr double kAmplitude = 2.0;  // rad

// A plate of 1 m × 0.6 m hangs at its corner 0, from rest at kAmplitude.
inline Scene Pendulum(double mirror = 1.0) {
  Body plate = MakeSheet("plate", {1.0, 0.6}, {3, 2}, 1.5);
  plate.rigid = true;
  const Eigen::Vector3d corner = plate.rest.col(0), arm = -corner;
  const double now = std::atan2(arm.y(), arm.x());
  const double wanted = -0.5 * std::numbers::pi + mirror * kAmplitude;
  plate.orientation = Turn(Eigen::Vector3d(0, 0, wanted - now));
  plate.position = -(plate.orientation * corner);
  Scene scene = SceneOf({plate}, 2);
  scene.nails = {NailWhereItStarts(scene, "hook", {0, 0})};
  return scene;
}

}  // namespace pliant

#endif  // PLIANT_TESTS_LAWS_RIGID_SCENES_H_
