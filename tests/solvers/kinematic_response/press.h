// A sheet that a ball presses, and the rules by which it responds, for the tests of the backend.

#ifndef PLIANT_TESTS_SOLVERS_KINEMATIC_RESPONSE_PRESS_H_
#define PLIANT_TESTS_SOLVERS_KINEMATIC_RESPONSE_PRESS_H_

#include <numbers>
#include <string>

#include "models/scene/shapes.h"
#include "tests/scenes.h"
#include "tests/solvers/kinematic_response/runs.h"

namespace pliant::kinematic_response {

// A sheet lying flat, facing +y, with a ball that dips into it, slides and leaves.
inline Scene PressScene(int points = 17) {
  Scene scene = Weightless({MakeSheet("slab", {2, 2}, {points, points}, 8.0)});
  scene.bodies[0].orientation = Eigen::AngleAxisd(-std::numbers::pi / 2, Eigen::Vector3d::UnitX());
  scene.obstacles.push_back(
      {"ball", Sphere{0.4},
       PathThrough(
           {0.0, 0.4, 0.8, 1.0},
           {{-0.31, 0.45, 0.04}, {-0.31, 0.15, 0.04}, {0.22, 0.15, 0.09}, {0.22, 0.9, 0.09}}),
       0.2});
  return scene;
}

inline const ParameterValues kHeld = {{"rides", std::string("never")}};

// The rules of the source, which were the defaults.
inline ParameterValues AsInTheSource() {
  return {{"rides", std::string("never")},
          {"casting", std::string("ray")},
          {"restriction", std::string("average")}};
}

}  // namespace pliant::kinematic_response

#endif  // PLIANT_TESTS_SOLVERS_KINEMATIC_RESPONSE_PRESS_H_
