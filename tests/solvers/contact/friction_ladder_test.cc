// Coulomb's friction on a ladder of steps, in every formulation that has it: what lies on a slope sticks below the
// angle of friction and slides above it with a = g (sin α − μ cos α), at places between points, at points, and where
// two bodies meet.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "models/scene/shapes.h"
#include "models/scene/validate.h"
#include "solvers/backends.h"
#include "solvers/data_table.h"

namespace pliant {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

constexpr double kGravity = 9.81, kFriction = 0.3;
constexpr std::array kSteps = {2e-3, 1e-3, 5e-4};  // s

double Radians(double degrees) { return degrees * std::numbers::pi / 180.0; }

// The slope is along x: gravity is turned instead.
Vector3d GravityOn(double degrees) {
  return kGravity * Vector3d(-std::sin(Radians(degrees)), -std::cos(Radians(degrees)), 0.0);
}

Material Stiff(double thickness, double damping, double modulus) {
  Material material;
  material.density = 1000.0;
  material.youngs_modulus = modulus;
  material.poisson_ratio = 0.3;
  material.thickness = thickness;
  material.stiffness_damping = damping;
  return material;
}

// A beam of one edge lies on two balls, far from its points.
Scene OnBalls(double degrees) {
  Scene scene;
  scene.name = "balls";
  scene.dimension = 2;
  scene.gravity = GravityOn(degrees);
  scene.bodies = {MakeChain("body", {-1.5, 0.2, 0}, {1.5, 0.2, 0}, 2, 1.0)};
  scene.bodies[0].material = Stiff(0.1, 0.002, 1e10);
  for (const double x : {-0.5, 0.5}) {
    scene.obstacles.push_back(
        {x < 0 ? "left" : "right", Sphere{0.2}, Path::Still({x, 0, 0}), kFriction});
  }
  return scene;
}

// Its points lie on a plane.
Scene OnPlane(double degrees) {
  Scene scene = OnBalls(degrees);
  scene.obstacles = {{"plane", Plane{Vector3d::UnitY()}, Path::Still({0, 0.2, 0}), kFriction}};
  return scene;
}

// A block on a nailed plank, `gap` above it.
Scene OnPlank(double degrees, double gap) {
  Scene scene;
  scene.name = "plank";
  scene.dimension = 2;
  scene.gravity = GravityOn(degrees);
  scene.bodies = {MakeSheet("plank", {4.0, 0.5}, {2, 2}, 10.0),
                  MakeSheet("body", {0.5, 0.25}, {2, 2}, 1.0)};
  for (Body& body : scene.bodies) {
    body.material = Stiff(0.1, 0.002, 1e7);
    body.shape = ShapeKind::kProfile;  // with faces
  }
  scene.bodies[1].position = {1.03, 0.375 + gap, 0.0};
  for (int point = 0; point < 4; ++point) {
    scene.nails.push_back({"plank", {0, point}, Path::Still(scene.bodies[0].rest.col(point))});
  }
  BodyContact contact;
  contact.a = 0;
  contact.b = 1;
  contact.friction = kFriction;
  scene.contacts = {contact};
  return scene;
}

struct Way {
  std::string backend, name;
  ParameterValues parameters;
  // The speed at which it creeps where it should stick, at most, for each second of the step and without it [m/s]:
  // what is said of it in docs/formulations.md.
  double creep_by_step = 0.0, creep = 0.0;
  double gap = 0.0;  // m, between bodies at the start
};

const ParameterValues kSprings = {{"contact_stiffness", 1e5},
                                  {"contact_damping", 200.0},
                                  {"contact_tangential_stiffness", 1e5},
                                  {"contact_tangential_damping", 200.0}};

ParameterValues With(ParameterValues parameters, const ParameterValues& more) {
  parameters.insert(more.begin(), more.end());
  return parameters;
}

constexpr double kSticks = 10.0, kSlides = 25.0;  // degrees; friction holds up to 16.7
const double kAlong = kGravity * std::sin(Radians(kSticks));
constexpr double kSpringsCreep = 1e-5;

ParameterValues Rigid() {
  MatrixTable rigid;
  rigid.scalars = {{"degree_x", 1}, {"degree_y", 1}};
  return {{"modes", rigid}};
}

const ParameterValues kAffine = {{"stretch_stiffness", 1e3},
                                 {"volume_stiffness", 1e3},
                                 {"internal_energy", std::string("implicit")}};

std::vector<Way> OnObstacles() {
  const ParameterValues sweeps = {{"bounce", 0.0}, {"rigid_bodies", std::vector<std::string>{"*"}}};
  return {{"dynamic-ffd", "ffd", With(Rigid(), kSprings), 0.0, kSpringsCreep},
          {"linear-deformation", "springs", With(kAffine, kSprings), 0.0, kSpringsCreep},
          {"linear-deformation", "impulses", With(kAffine, {{"contact", std::string("impulse")}}),
           1.01 * kAlong},
          {"displacement-constraints", "displacement", sweeps, 1e-3},
          {"position-based", "position", sweeps, 1e-3},
          {"finite-elements", "elements", {{"contact_thickness", 1e-4}}, 0.0, 1e-3}};
}

std::vector<Way> OnBodies() {
  const ParameterValues sweeps = {{"bounce", 0.0}, {"rigid_bodies", std::vector<std::string>{"*"}}};
  const ParameterValues barrier = {{"contact_between", std::string("barrier")}};
  const ParameterValues nails = {{"constraint_stiffness", 1e6}, {"constraint_damping", 500.0}};
  const ParameterValues ffd = With(With(Rigid(), kSprings), nails),
                        affine = With(kAffine, kSprings);
  return {{"dynamic-ffd", "ffd", ffd, 0.0, kSpringsCreep},
          {"dynamic-ffd", "ffd_barrier", With(ffd, barrier), 0.0, 5e-5, 1e-3},
          {"linear-deformation", "springs", affine, 0.0, kSpringsCreep},
          {"linear-deformation", "barrier", With(affine, barrier), 0.0, 5e-5, 1e-3},
          {"displacement-constraints", "displacement", sweeps, 1e-3, 0.0, 1e-3},
          {"position-based", "position", sweeps, 1e-3, 0.0, 1e-3},
          {"finite-elements", "elements", {{"contact_thickness", 2e-3}}, 0.0, 1e-3, 1.98e-3}};
}

struct Motion {
  double acceleration, speed;  // down the slope: mean from 0.4 to 0.6 s
};

Motion MotionOf(const Way& way, const Scene& scene, double step) {
  Validate(scene);
  Translation translation =
      FindBackend(way.backend)->Translate(std::make_shared<const Scene>(scene), way.parameters);
  EXPECT_NE(translation.simulation, nullptr) << translation.record.WhyUnsupported();
  if (translation.simulation == nullptr) return {};
  const int body = static_cast<int>(scene.bodies.size()) - 1;
  const auto count = scene.bodies[body].rest.cols();
  Observation o;
  // By places: what a formulation calls velocity is its own matter.
  const auto advance = [&](double duration) {
    for (int i = 0; i < std::lround(duration / step); ++i) {
      EXPECT_EQ(translation.simulation->Advance(step).kind, StepOutcome::Kind::kAdvanced);
    }
    translation.simulation->Observe(&o);
    return -o.points.middleCols(scene.Offset(body), count).row(0).mean();
  };
  const double a = advance(0.4), b = advance(0.1), c = advance(0.1);
  return {(c - 2.0 * b + a) / 0.01, (c - a) / 0.2};
}

// Returns the relative errors of the acceleration at the three steps.
template <typename SceneAt>
std::array<double, 3> Climb(const Way& way, const SceneAt& scene) {
  const double exact =
      kGravity * (std::sin(Radians(kSlides)) - kFriction * std::cos(Radians(kSlides)));
  std::array<double, 3> errors;
  for (size_t k = 0; k < kSteps.size(); ++k) {
    const double step = kSteps[k];
    errors[k] = MotionOf(way, scene(kSlides), step).acceleration / exact - 1.0;
    const double creep = MotionOf(way, scene(kSticks), step).speed;
    EXPECT_LT(std::abs(creep), way.creep + way.creep_by_step * step) << way.name << ' ' << step;
    EXPECT_LT(std::abs(errors[k]), 1e-3) << way.name << ' ' << step;
    std::printf("%-13s h = %g s: acceleration off by %.1e, creeps with %.1e m/s\n",
                way.name.c_str(), step, errors[k], creep);
  }
  return errors;
}

// A penalty gives way where the load is larger: the beam tilts by ΔN/(K s), with balls a way s apart, which is 2.8 · 10⁻⁴ of the
// acceleration at any step. Displacements are of second order.
TEST(FrictionLadder, ABeamOnBallsBetweenItsPointsSlidesAndSticksAsCoulombSays) {
  for (Way way : OnObstacles()) {
    way.parameters["obstacle_contact"] = std::string("surface");
    const auto errors = Climb(way, OnBalls);
    if (way.name != "displacement" && way.name != "position") continue;
    EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2.0, 0.1);
    EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2.0, 0.1);
  }
}

TEST(FrictionLadder, PointsOnAPlaneSlideAndStickAsCoulombSays) {
  for (const Way& way : OnObstacles()) {
    for (const double error : Climb(way, OnPlane)) EXPECT_LT(std::abs(error), 1e-6) << way.name;
  }
}

// A surface that relaxes lets go of its springs of friction whenever a step does not press it: their dampers alone hold
// it, at any step.
TEST(FrictionLadder, ASurfaceThatRelaxesCreeps) {
  const ParameterValues rides = With(kSprings, {{"proxy", std::string("rigid")}});
  for (const double error : Climb({"kinematic-response", "response",
                                   With(rides, {{"relaxation_time", 0.0}}), 0.0, kSpringsCreep},
                                  OnPlane)) {
    EXPECT_LT(std::abs(error), 1e-9);
  }
  const Way relaxes = {"kinematic-response", "relaxes", With(rides, {{"relaxation_time", 0.02}}),
                       0.0, 2.0 * kAlong / (2.0 * 200.0)};
  Climb(relaxes, OnPlane);
  EXPECT_GT(MotionOf(relaxes, OnPlane(kSticks), kSteps.back()).speed, 1e-3);
}

// Displacements are off by what sweeps leave, a hundredth of h² g at most: to first order.
TEST(FrictionLadder, ABlockOnAPlankSlidesAndSticksAsCoulombSays) {
  for (const Way& way : OnBodies()) {
    const auto errors = Climb(way, [&](double angle) { return OnPlank(angle, way.gap); });
    if (way.name != "displacement" && way.name != "position") continue;
    EXPECT_LT(std::abs(errors[0]), 1e-5) << way.name;
    EXPECT_GT(std::log2(errors[0] / errors[1]), 0.9) << way.name;
    EXPECT_GT(std::log2(errors[1] / errors[2]), 0.9) << way.name;
  }
}

}  // namespace
}  // namespace pliant
