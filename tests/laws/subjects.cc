#include "tests/laws/subjects.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "models/scene/shapes.h"
#include "models/scene/validate.h"
#include "solvers/backends.h"

namespace pliant::laws {
namespace {

using Eigen::Vector3d;

// A cubic lattice over a flat unit box: two squashes in the plane and a bend out of it, with the
// displacement of control point (i, j, k) at fractions (s, t, u) given by a formula.
MatrixTable SheetModes() {
  MatrixTable table;
  table.scalars = {{"degree_x", 3}, {"degree_y", 3}, {"degree_z", 3},
                   {"size_x", 1.0}, {"size_y", 1.0}, {"size_z", 1.0}};
  auto add = [&table](const std::string& name, double stiffness, auto displacement) {
    NamedMatrix mode;
    mode.name = name;
    mode.values = Eigen::MatrixXd(3, 64);
    mode.scalars = {{"stiffness", stiffness}, {"damping", 0.0}};
    for (int k = 0; k < 4; ++k) {
      for (int j = 0; j < 4; ++j) {
        for (int i = 0; i < 4; ++i) {
          mode.values.col(i + 4 * (j + 4 * k)) = displacement(i / 3.0 - 0.5, j / 3.0 - 0.5);
        }
      }
    }
    table.entries.push_back(mode);
  };
  add("squash-x", 5.0, [](double s, double) { return Vector3d(s, 0, 0); });
  add("squash-y", 8.0, [](double, double t) { return Vector3d(0, t, 0); });
  add("bend", 3.0, [](double s, double) { return Vector3d(0, 0, 1.0 - 9.0 * s * s); });
  return table;
}

ParameterValues With(ParameterValues base, const std::string& name, ParameterValue value) {
  base[name] = std::move(value);
  return base;
}

std::vector<Subject> MakeSubjects() {
  const ParameterValues ffd = {{"modes", SheetModes()}, {"contact_damping", 0.5}};
  const ParameterValues linear = {
      {"stretch_stiffness", 5.0}, {"damping", 0.0}, {"contact_damping", 0.5}};
  const std::string scheme = "integrator";
  std::vector<Subject> subjects;
  for (const auto& [name, order] : std::vector<std::pair<std::string, int>>{
           {"semi-implicit-euler", 1}, {"rk4", 4}, {"implicit-midpoint", 2}}) {
    subjects.push_back({"dynamic-ffd", name, With(ffd, scheme, name), order});
    subjects.push_back({"linear-deformation", name, With(linear, scheme, name), order});
  }
  subjects.push_back({"linear-deformation", "second-order",
                      With(With(linear, scheme, std::string("rk4")), "order", std::int64_t{2}), 4});
  subjects.push_back({"displacement-constraints", "one-level", {}, 1, true, false});
  subjects.push_back({"displacement-constraints",
                      "three-levels",
                      {{"force_fractions", std::vector<double>{0.4, 0.3, 0.3}}},
                      1,
                      true,
                      false});
  subjects.push_back({"position-based", "rigid", {}, 1, true, false});
  subjects.push_back({"kinematic-response", "default", {}, 1, false, false});
  subjects.push_back({"kinematic-response",
                      "riding",
                      {{"rides", std::string("always")}, {"contact_damping", 0.5}},
                      2});
  return subjects;
}

}  // namespace

std::string Name(const Subject& subject) {
  std::string name = subject.backend + "_" + subject.variant;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

void PrintTo(const Subject& subject, std::ostream* out) { *out << Name(subject); }

const std::vector<Subject>& Subjects() {
  static const std::vector<Subject> subjects = MakeSubjects();
  return subjects;
}

std::vector<Subject> SubjectsWithInertia() {
  std::vector<Subject> with;
  for (const Subject& subject : Subjects()) {
    if (subject.has_inertia) with.push_back(subject);
  }
  return with;
}

Scene RestingSheet() {
  Scene scene;
  scene.name = "sheet";
  scene.gravity.setZero();
  scene.bodies.push_back(MakeSheet("sheet", {1.0, 1.0}, {5, 5}, 2.0));
  scene.bodies[0].position = {0.2, 0.1, -0.3};
  return scene;
}

Scene FlyingSheet() {
  Scene scene = RestingSheet();
  scene.bodies[0].velocity = {0.5, -0.2, 0.3};
  scene.bodies[0].angular_velocity = {0.0, 0.0, 1.5};
  scene.bodies[0].stretch = Vector3d(1.05, 1.0, 1.0).asDiagonal();
  return scene;
}

Scene FallingSheet() {
  Scene scene = FlyingSheet();
  scene.gravity = {0.0, -9.81, 0.0};
  return scene;
}

Scene PressedSheet() {
  Scene scene = RestingSheet();
  const Eigen::Matrix3Xd start = scene.InitialPoints();
  for (int i = 0; i < scene.PointCount(); ++i) {
    Spring spring;
    spring.name = "foundation";
    spring.a = {0, i};
    spring.anchor = start.col(i);
    spring.stiffness = 4.0;
    scene.springs.push_back(spring);
  }
  Eigen::Matrix3Xd keys(3, 3);
  keys.col(0) = Vector3d(0.25, 0.05, 0.05);
  keys.col(1) = Vector3d(0.25, 0.05, -0.10);
  keys.col(2) = Vector3d(0.25, 0.05, 0.30);
  scene.obstacles.push_back(
      {"ball", Sphere{0.3}, Path({0.0, 0.2, 0.4}, keys, Path::Interpolation::kCubic), 0.0});
  return scene;
}

Scene Carried(const Scene& scene, const Eigen::Isometry3d& motion) {
  const Eigen::Matrix3d turn = motion.linear();
  auto carried_path = [&](const Path& path) {
    Eigen::Matrix3Xd keys = (turn * path.keys()).colwise() + motion.translation();
    return Path(path.times(), keys, path.interpolation());
  };
  Scene moved = scene;
  moved.gravity = turn * scene.gravity;
  for (Body& body : moved.bodies) {
    body.position = motion * body.position;
    body.orientation = Eigen::Quaterniond(turn) * body.orientation;
    body.velocity = turn * body.velocity;
    body.angular_velocity = turn * body.angular_velocity;
  }
  for (Obstacle& obstacle : moved.obstacles) {
    obstacle.motion = carried_path(obstacle.motion);
    if (auto* plane = std::get_if<Plane>(&obstacle.shape)) plane->normal = turn * plane->normal;
    if (auto* box = std::get_if<Box>(&obstacle.shape)) box->axes = turn * box->axes;
    if (auto* capsule = std::get_if<Capsule>(&obstacle.shape)) {
      capsule->half_axis = turn * capsule->half_axis;
    }
  }
  for (Nail& nail : moved.nails) nail.path = carried_path(nail.path);
  for (Spring& spring : moved.springs) spring.anchor = motion * spring.anchor;
  for (TimedForce& force : moved.forces) force.force = turn * force.force;
  for (Impulse& impulse : moved.impulses) impulse.impulse = turn * impulse.impulse;
  return moved;
}

std::unique_ptr<Simulation> Start(const Subject& subject, const Scene& scene) {
  Validate(scene);
  const Backend* backend = FindBackend(subject.backend);
  if (backend == nullptr) {
    ADD_FAILURE() << "no backend " << subject.backend;
    return nullptr;
  }
  Translation translation =
      backend->Translate(std::make_shared<const Scene>(scene), subject.parameters);
  EXPECT_NE(translation.simulation, nullptr) << translation.record.WhyUnsupported();
  return std::move(translation.simulation);
}

Observation RunFor(Simulation* simulation, double h, int steps) {
  for (int i = 0; i < steps; ++i) {
    const StepOutcome outcome = simulation->Advance(h);
    if (outcome.kind == StepOutcome::Kind::kDiverged) {
      ADD_FAILURE() << "diverged at step " << i << ": " << outcome.quantity;
      break;
    }
  }
  Observation observation;
  simulation->Observe(&observation);
  return observation;
}

}  // namespace pliant::laws
