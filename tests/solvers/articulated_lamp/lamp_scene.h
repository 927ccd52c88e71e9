// A scene with the default lamp on level ground, made point by point.

#ifndef PLIANT_TESTS_SOLVERS_ARTICULATED_LAMP_LAMP_SCENE_H_
#define PLIANT_TESTS_SOLVERS_ARTICULATED_LAMP_LAMP_SCENE_H_

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/articulated_lamp/kinematics.h"
#include "models/scene/scene.h"
#include "solvers/articulated_lamp/backend.h"
#include "solvers/articulated_lamp/lamp_simulation.h"
#include "tests/scenes.h"

namespace pliant::articulated_lamp {

// Of a lamp, by its name in LampExtras().
inline double Extra(const Observation& o, const std::string& name) {
  const std::vector<SeriesColumn> extras = LampExtras();
  for (size_t i = 0; i < extras.size(); ++i) {
    if (extras[i].name == name) return o.extras.at(i).value();
  }
  throw std::out_of_range(name);
}

inline LampVector RestPose() {
  LampVector q = LampVector::Zero();
  q.tail<3>() << Radians(-25), Radians(50), 0.0;
  return q;
}

// Three points along each link beyond the base, at 0, c and 2 c, of masses a, m − 2 a, a with
// 2 a c² = I; the base is a box of six points.
inline Body LampBodyAt(const LampVector& q, const LampParameters& parameters = {}) {
  Body body;
  body.name = "lamp";
  const Lamp lamp(parameters);
  const auto links = LinkStates<double>(lamp, q, LampVector::Zero());
  std::vector<Eigen::Vector2d> points;
  std::vector<double> masses;
  const auto add = [&](int link, double along, double right, double mass) {
    const Eigen::Vector2d& u = links[link].direction;
    points.push_back(links[link].origin + along * u + right * Eigen::Vector2d(u.y(), -u.x()));
    masses.push_back(mass);
  };
  const LampLink& base = parameters.links[0];
  const double w = parameters.half_width, c = base.centre;
  const double corner = (base.inertia - base.mass * c * c) / (4.0 * w * w);
  const double middle = 0.5 * base.mass - 2.0 * corner;
  add(0, 0.0, 0.0, middle);
  for (const double side : {-w, w}) {
    add(0, 0.0, side, corner);
    add(0, 2.0 * c, side, corner);
  }
  add(0, 2.0 * c, 0.0, middle);
  body.marks = {{"base", 0}};
  const char* names[] = {"", "lower arm", "upper arm", "head"};
  for (int j = 1; j < kLampLinks; ++j) {
    const LampLink& link = parameters.links[j];
    const double end = 0.5 * link.inertia / (link.centre * link.centre);
    body.marks.emplace_back(names[j], static_cast<int>(points.size()));
    add(j, 0.0, 0.0, end);
    add(j, link.centre, 0.0, link.mass - 2.0 * end);
    add(j, 2.0 * link.centre, 0.0, end);
  }
  body.marks.emplace_back("tip", static_cast<int>(points.size()) - 1);
  body.rest = Eigen::Matrix3Xd::Zero(3, static_cast<Eigen::Index>(points.size()));
  body.mass.resize(body.rest.cols());
  for (size_t i = 0; i < points.size(); ++i) {
    body.rest.col(static_cast<Eigen::Index>(i)).head<2>() = points[i];
    body.mass[static_cast<Eigen::Index>(i)] = masses[i];
  }
  return body;
}

inline Scene LampScene(const LampVector& q = RestPose(), const LampParameters& parameters = {}) {
  Scene scene = SceneOf({LampBodyAt(q, parameters)}, 2);
  scene.name = "lamp";
  scene.obstacles.push_back({"ground", Plane{}, Path::Still(Eigen::Vector3d::Zero()), 0.8, 0.0});
  return scene;
}

// Jumps: a crouch, then a push with all it has.
inline ControlTable Hop() {
  ControlTable table;
  table.servos = {{"base hinge", 120.0, 3.0, -2.0, 2.0},
                  {"mid hinge", 120.0, 3.0, -2.0, 2.0},
                  {"head hinge", 20.0, 0.5, -2.0, 2.0}};
  ControlTable::Entry crouch, leap;
  crouch.name = "crouch";
  crouch.targets = {{"base hinge", -0.6}, {"mid hinge", 1.3}, {"head hinge", 0.3}};
  crouch.duration = 0.5;
  leap.name = "leap";
  leap.targets = {{"base hinge", -0.1}, {"mid hinge", 0.2}, {"head hinge", -0.3}};
  leap.is_final = true;
  table.poses = {crouch, leap};
  return table;
}

inline std::unique_ptr<Simulation> Translated(const Scene& scene,
                                              const ParameterValues& parameters) {
  Translation translation =
      TheBackend().Translate(std::make_shared<const Scene>(scene), parameters);
  EXPECT_NE(translation.simulation, nullptr) << translation.record.WhyUnsupported();
  return std::move(translation.simulation);
}

}  // namespace pliant::articulated_lamp

#endif  // PLIANT_TESTS_SOLVERS_ARTICULATED_LAMP_LAMP_SCENE_H_
