// contact_force.{pair}_N of formulations whose contact is a force: weights at rest, what holds on a slope, and the change of
// momentum in a bounce.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "models/scene/contact_pairs.h"
#include "models/scene/shapes.h"
#include "solvers/backends.h"
#include "solvers/data_table.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

constexpr double kGravity = 9.81, kSide = 0.2;  // m/s², m

// A way of contact: a formulation and its parameters.
struct Way {
  std::string name, backend;
  ParameterValues parameters;
  bool per_step = false;  // knows the mean over its last step
};
void PrintTo(const Way& way, std::ostream* out) { *out << way.name; }

// A lattice of one cell without modes: bodies are rigid.
MatrixTable NoModes() {
  MatrixTable table;
  table.scalars = {{"degree_x", 1}, {"degree_y", 1}, {"degree_z", 1}};
  return table;
}

Way Ffd(const std::string& name, ParameterValues more) {
  ParameterValues parameters = {{"modes", NoModes()},
                                {"contact_stiffness", 2e4},
                                {"contact_damping", 200.0},
                                {"integrator", std::string("rk4")}};
  for (auto& [key, value] : more) parameters[key] = value;
  return {name, "dynamic-ffd", parameters};
}

Way Linear(const std::string& name, ParameterValues more) {
  ParameterValues parameters = {
      {"contact_stiffness", 2e4}, {"contact_damping", 200.0}, {"integrator", std::string("rk4")}};
  for (auto& [key, value] : more) parameters[key] = value;
  return {name, "linear-deformation", parameters};
}

const std::string kBarrier = "barrier", kSurface = "surface";

std::vector<Way> Ways() {
  const ParameterValues barrier = {{"contact_between", kBarrier}, {"contact_thickness", 0.01}};
  Way impulses = {"linear_impulses", "linear-deformation", {{"contact", std::string("impulse")}}};
  Way elements = {
      "elements", "finite-elements", {{"contact_thickness", 1e-3}, {"newton_tolerance", 1e-12}}};
  impulses.per_step = elements.per_step = true;
  return {Ffd("ffd", {}),
          Ffd("ffd_surface", {{"obstacle_contact", kSurface}}),
          Ffd("ffd_barrier", barrier),
          Linear("linear", {}),
          Linear("linear_surface", {{"obstacle_contact", kSurface}}),
          Linear("linear_barrier", barrier),
          impulses,
          elements};
}

// A block of 8 kg, its lower side at this height [m]; `width` times as wide as high and as heavy as that makes it.
Body Cube(const std::string& name, double height, double width = 1.0) {
  const double side = width * kSide;
  Body cube = MakeBlock(name, {side, kSide, side}, {2, 2, 2}, 8.0 * width * width);
  Material material;
  material.density = 1000.0;
  material.youngs_modulus = 1e5;
  material.poisson_ratio = 0.3;
  material.stiffness_damping = 0.01;
  cube.material = material;
  cube.position = {0.0, height - cube.rest.row(1).minCoeff(), 0.0};
  return cube;
}

// Of a plane, or where edges and faces meet obstacles of the upper side of a box.
Scene OnAFloor(const Way& way, std::vector<Body> cubes, double friction = 0.0) {
  Scene scene;
  scene.name = "cubes";
  scene.gravity = {0.0, -kGravity, 0.0};
  scene.bodies = std::move(cubes);
  scene.obstacles.push_back(
      {.name = "floor", .shape = Plane{Vector3d::UnitY()}, .friction = friction});
  if (way.parameters.contains("obstacle_contact")) {
    scene.obstacles[0].shape = Box{{2.0, 0.5, 2.0}};
    scene.obstacles[0].motion = Path::Still({0.0, -0.5, 0.0});
  }
  return scene;
}

class Started {
 public:
  Started(const Way& way, const Scene& scene, ParameterValues more = {}) {
    ParameterValues parameters = way.parameters;
    for (auto& [key, value] : more) parameters[key] = value;
    const Backend& backend = *FindBackend(way.backend);
    Translation translation = backend.Translate(std::make_shared<const Scene>(scene), parameters);
    EXPECT_NE(translation.simulation, nullptr) << translation.record.WhyUnsupported();
    simulation_ = std::move(translation.simulation);
    // As the columns of a series: one for the scene, each body or each pair.
    for (const SeriesColumn& extra : backend.info().extras) {
      if (extra.name == "contact_force.{pair}_N") {
        for (const ContactPair& pair : ContactPairs(scene)) extras_.push_back(NameOf(scene, pair));
      } else if (extra.name.find("{pair}") != std::string::npos) {
        extras_.insert(extras_.end(), ContactPairs(scene).size(), "");
      } else {
        const bool of_bodies = extra.name.find("{body}") != std::string::npos;
        extras_.insert(extras_.end(), of_bodies ? scene.bodies.size() : 1, "");
      }
    }
  }
  void Run(double duration, double h) {
    for (int i = 0; i < static_cast<int>(std::lround(duration / h)); ++i) {
      ASSERT_NE(simulation_->Advance(h).kind, StepOutcome::Kind::kDiverged) << i;
    }
  }
  double Force(const std::string& pair) const {
    Observation seen;
    simulation_->Observe(&seen);
    EXPECT_EQ(seen.extras.size(), extras_.size());
    for (size_t i = 0; i < extras_.size(); ++i) {
      if (extras_[i] == pair) return seen.extras[i].value_or(NAN);
    }
    return NAN;
  }
  // kg m/s, along y.
  double Momentum() const {
    Observation seen;
    simulation_->Observe(&seen);
    if (seen.sums) return seen.sums->momentum.y();
    return seen.velocities->row(1).dot(simulation_->scene().Masses().transpose());
  }

 private:
  std::unique_ptr<Simulation> simulation_;
  std::vector<std::string> extras_;  // names of pairs, "" for others
};

class PairForces : public testing::TestWithParam<Way> {};
INSTANTIATE_TEST_SUITE_P(Ways, PairForces, testing::ValuesIn(Ways()),
                         [](const auto& info) { return info.param.name; });

// Elements are slow.
void Rest(const Way& way, Started* bodies) {
  if (way.backend == "finite-elements") {
    bodies->Run(1.5, 5e-3);
  } else {
    bodies->Run(3.0, 1e-3);
  }
}
// A cube on a block that is twice as wide: flush edges would push each other sideways.
Scene Stack(const Way& way, double friction) {
  // Where a barrier keeps them apart it would throw a cube that is much nearer than its weight brings it.
  const double gap = way.parameters.contains("contact_between") ? 0.0095 : 0.002;
  Scene scene =
      OnAFloor(way, {Cube("lower", 0.001, 2.0), Cube("upper", kSide + 0.001 + gap)}, friction);
  scene.contacts = {{0, 1, false, friction, 0.0}};
  return scene;
}

TEST_P(PairForces, OfAStackAtRestAreTheWeightsAboveThem) {
  Started stack(GetParam(), Stack(GetParam(), 0.3));
  Rest(GetParam(), &stack);
  const double weight = 8.0 * kGravity;
  EXPECT_NEAR(stack.Force("lower.floor"), 5.0 * weight, 0.02 * weight);
  EXPECT_NEAR(stack.Force("lower.upper"), weight, 5e-3 * weight);
  EXPECT_EQ(stack.Force("upper.floor"), 0.0);
}

// What holds a cube on a slope is opposite to its weight: the push is 0.94 of it, friction 0.34.
TEST_P(PairForces, OnASlopeCountFriction) {
  const double angle = 20.0 * std::numbers::pi / 180.0;
  Scene scene = OnAFloor(GetParam(), {Cube("cube", 0.001)}, 0.6);
  scene.gravity = kGravity * Vector3d(-std::sin(angle), -std::cos(angle), 0.0);
  Started slope(GetParam(), scene);
  Rest(GetParam(), &slope);
  EXPECT_NEAR(slope.Force("cube.floor"), 8.0 * kGravity, 0.01 * 8.0 * kGravity);
}

// The friction of a cube on a block, tilted with the floor.
TEST_P(PairForces, OfBodiesCountFriction) {
  const double angle = 15.0 * std::numbers::pi / 180.0;
  Scene scene = Stack(GetParam(), 0.6);
  scene.gravity = kGravity * Vector3d(-std::sin(angle), -std::cos(angle), 0.0);
  Started slope(GetParam(), scene);
  Rest(GetParam(), &slope);
  // Elements still swing after 1.5 s.
  const double tolerance = GetParam().backend == "finite-elements" ? 0.025 : 0.01;
  EXPECT_NEAR(slope.Force("lower.upper"), 8.0 * kGravity, tolerance * 8.0 * kGravity);
}

// ∫ F dt − m g t = Δp. Of the present state: by the trapezoidal rule, of second order.
TEST_P(PairForces, OverABounceAreTheChangeOfMomentum) {
  const Way& way = GetParam();
  if (way.per_step) {
    Scene scene = OnAFloor(GetParam(), {Cube("cube", 0.001)});
    scene.bodies[0].velocity = {0.0, -0.5, 0.0};
    Started bounce(way, scene);
    const double before = bounce.Momentum(), h = 1e-3;
    double impulse = 0.0;
    EXPECT_EQ(bounce.Force("cube.floor"), 0.0) << "there is no last step";
    for (int i = 0; i < 50; ++i) {
      bounce.Run(h, h);
      impulse += h * (bounce.Force("cube.floor") - 8.0 * kGravity);
    }
    EXPECT_GT(impulse, 1.0);
    EXPECT_NEAR(bounce.Momentum() - before, impulse, 1e-9);
    return;
  }
  // From the touch on, and not to the end of it: the force has no kink.
  Scene scene = OnAFloor(GetParam(), {Cube("cube", 0.0)});
  scene.bodies[0].velocity = {0.0, -0.2, 0.0};
  scene.bodies[0].material->stiffness_damping = 0.0;
  const ParameterValues undamped = {{"contact_damping", 0.0}};
  std::vector<double> errors;
  double change = 0.0;
  for (const double h : {4e-4, 2e-4, 1e-4}) {
    Started bounce(way, scene, undamped);
    const double before = bounce.Momentum();
    double impulse = 0.0, last = bounce.Force("cube.floor");
    for (int i = 0; i < static_cast<int>(std::lround(0.012 / h)); ++i) {
      bounce.Run(h, h);
      const double now = bounce.Force("cube.floor");
      impulse += h * (0.5 * (last + now) - 8.0 * kGravity);
      last = now;
    }
    change = std::abs(bounce.Momentum() - before);
    EXPECT_GT(change, 0.1);
    errors.push_back(std::abs(bounce.Momentum() - before - impulse));
  }
  RecordProperty("errors", std::to_string(errors[0]) + " " + std::to_string(errors[2]));
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2.0, 0.25) << errors[0] << ' ' << errors[1];
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2.0, 0.15) << errors[1] << ' ' << errors[2];
  EXPECT_LT(errors[2], 0.02 * change);
}

}  // namespace
}  // namespace pliant
