// How rigid bodies move, in every formulation: one motion, which is known.
//
//   a free box tumbles about its middle axis   tests/reference/tumbling.py (Euler's equations)
//   a plate hangs at a corner                  the period of a large swing, by the complete elliptic integral
//   a box slides down a slope                  s = ½ g (sin α − μ cos α) t²

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "models/scene/metrics.h"
#include "models/scene/validate.h"
#include "tests/laws/rigid_scenes.h"

namespace pliant {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

TEST(RigidBodies, TumbleAsEulersEquationsSay) {
  // From tests/reference/tumbling.py, after 2 s: its middle axis has turned away from the spin.
  const Vector3d lowest(0.10647822742953753, -0.4649555118118577, 0.39048528668725724);
  const Vector3d other(-0.10444666399176789, -0.1824786173722704, 0.5794760120858133);
  for (const Method& method : Methods()) {
    SCOPED_TRACE(NameOf(method));
    std::vector<double> errors;
    for (const int steps : {400, 800, 1600}) {
      const Observation end =
          EndOf(TranslateBy(method.backend, Tumbling(), method.parameters), 2.0 / steps, steps);
      ASSERT_EQ(end.points.cols(), 8);
      errors.push_back(
          std::max((end.points.col(0) - lowest).norm(), (end.points.col(1) - other).norm()));
    }
    // The fourth order ends at rounding, and at the digits of the reference.
    if (errors.back() > 1e-10) {
      EXPECT_NEAR(OrderOf(errors), method.order, 0.4) << errors[0];
    }
    EXPECT_LT(errors.back(), method.largest);
    RecordProperty(NameOf(method), std::to_string(errors.back()));
  }
}

TEST(RigidBodies, KeepTheirShapeWhileTheyTumble) {
  const std::map<std::string, double> largest = {
      {"dynamic-ffd", 1e-13},    {"displacement-constraints", 1e-13},
      {"position-based", 1e-13}, {"kinematic-response", 1e-13},
      {"finite-elements", 2e-7}, {"linear-deformation", 1e-6}};
  for (const auto& [backend, strain] : largest) {
    SCOPED_TRACE(backend);
    const bool rk4 = backend == "linear-deformation";
    const Scene scene = Tumbling();
    const Observation end =
        EndOf(TranslateBy(backend, scene, rk4 ? kRk4 : ParameterValues()), 0.0025, 800);
    EXPECT_LT(StrainOf(scene.bodies[0], end.points), strain);
  }
}

TEST(RigidBodies, KeepTheirMomentaWhileTheyTumble) {
  for (const Method& method : Methods()) {
    SCOPED_TRACE(NameOf(method));
    const Scene scene = Tumbling();
    const Translation translation = TranslateBy(method.backend, scene, method.parameters);
    ASSERT_NE(translation.simulation, nullptr);
    const auto momentum = [&] {
      const Observation o = Observed(*translation.simulation);
      Vector3d L = Vector3d::Zero();
      for (int i = 0; i < 8; ++i) {
        L += scene.bodies[0].mass[i] *
             Vector3d(o.points.col(i)).cross(Vector3d(o.velocities->col(i)));
      }
      return L;
    };
    const Vector3d before = momentum();
    AdvanceUntilItStops(translation.simulation.get(), 0.00125, 1600);
    EXPECT_LT((momentum() - before).norm() / before.norm(), method.order > 1 ? 1e-4 : 5e-2);
  }
}

// K of m = sin²(θ₀/2), by the arithmetic-geometric mean.
double CompleteIntegral(double amplitude) {
  double a = 1.0, b = std::cos(0.5 * amplitude);
  for (int i = 0; i < 20; ++i) {
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = mean;
  }
  return 0.5 * std::numbers::pi / a;
}

double QuarterPeriod(const Scene& scene) {
  const Body& plate = scene.bodies[0];
  double about_corner = 0.0;
  for (int i = 0; i < plate.size(); ++i) {
    about_corner += plate.mass[i] * (plate.rest.col(i) - plate.rest.col(0)).squaredNorm();
  }
  const double arm = plate.rest.col(0).norm();
  const double omega = std::sqrt(plate.mass.sum() * 9.81 * arm / about_corner);
  return CompleteIntegral(kAmplitude) / omega;
}

// How far the centre is beside the hook when it should be below it, over the arm.
double BesideTheHook(const std::string& backend, const ParameterValues& parameters, int steps) {
  const Scene scene = Pendulum();
  const Observation end =
      EndOf(TranslateBy(backend, scene, parameters), QuarterPeriod(scene) / steps, steps);
  return CentreOfMass(scene.bodies[0].mass, end.points).x() / scene.bodies[0].rest.col(0).norm();
}

TEST(RigidBodies, SwingAtACornerWithThePeriodOfTheEllipticIntegral) {
  const std::vector<Method> methods = {{"linear-deformation", {}, 1, 1e-2},
                                       {"linear-deformation", kRk4, 4, 1e-7},
                                       {"displacement-constraints", kTight, 1, 1e-2},
                                       {"position-based", kTight, 1, 1e-2},
                                       {"finite-elements", {}, 2, 1e-4}};
  for (const Method& method : methods) {
    SCOPED_TRACE(method.backend);
    std::vector<double> errors;
    for (const int steps : {200, 400, 800}) {
      errors.push_back(std::abs(BesideTheHook(method.backend, method.parameters, steps)));
    }
    if (errors.back() > 1e-9) {
      EXPECT_GT(OrderOf(errors), method.order - 0.4) << errors[0];
    }
    EXPECT_LT(errors.back(), method.largest);
  }
  // Its hook is a spring: the stiffer, the nearer.
  const auto by_spring = [](double stiffness) {
    return std::abs(BesideTheHook("dynamic-ffd",
                                  {{"integrator", std::string("rk4")},
                                   {"constraint_stiffness", stiffness},
                                   {"constraint_damping", 20.0}},
                                  4000));
  };
  EXPECT_LT(by_spring(1e5), 2e-3);
  EXPECT_LT(by_spring(1e5), 0.5 * by_spring(1e4));
}

TEST(RigidBodies, MirroredScenesHaveMirroredMotions) {
  for (const Method& method : Methods()) {
    SCOPED_TRACE(NameOf(method));
    Scene scene = Tumbling(), mirrored = scene;
    scene.gravity = mirrored.gravity = Vector3d(0.0, -9.81, 0.0);
    scene.bodies[0].velocity = {1.0, 2.0, 0.5};
    mirrored.bodies[0].velocity = {-1.0, 2.0, 0.5};
    mirrored.bodies[0].angular_velocity = {0.1, -5.0, 0.0};
    const Matrix3Xd one =
        EndOf(TranslateBy(method.backend, scene, method.parameters), 0.005, 100).points;
    Matrix3Xd other =
        EndOf(TranslateBy(method.backend, mirrored, method.parameters), 0.005, 100).points;
    other.row(0) *= -1.0;
    const double close = method.backend == "finite-elements" ? 1e-7 : 1e-9;
    for (int i = 0; i < 8; i += 2) {  // points i and i + 1 are mirror images at the start
      EXPECT_LT((one.col(i) - other.col(i + 1)).norm(), close) << i;
      EXPECT_LT((one.col(i + 1) - other.col(i)).norm(), close) << i;
    }
  }
  for (const std::string backend :
       {"linear-deformation", "displacement-constraints", "position-based", "finite-elements"}) {
    SCOPED_TRACE(backend);
    const Scene scene = Pendulum(), mirrored = Pendulum(-1.0);
    const auto centre = [&](const Scene& of) {
      return CentreOfMass(of.bodies[0].mass, EndOf(TranslateBy(backend, of), 0.005, 100).points);
    };
    const Vector3d one = centre(scene), other = centre(mirrored);
    EXPECT_NEAR(one.x(), -other.x(), 1e-6);
    EXPECT_NEAR(one.y(), other.y(), 1e-6);
  }
}

TEST(RigidBodies, SlideDownASlopeAgainstFriction) {
  constexpr double kSlope = 0.6, kFriction = 0.3, kTime = 0.5;
  Body box = MakeBlock("box", {0.4, 0.2, 0.3}, {3, 2, 2}, 2.0);
  box.rigid = true;
  box.position = {0, 0.1, 0};
  Scene scene = SceneOf({box});
  scene.gravity = 9.81 * Vector3d(std::sin(kSlope), -std::cos(kSlope), 0.0);
  Obstacle slope{"slope", Plane{}};
  slope.friction = kFriction;
  scene.obstacles = {slope};
  const double way = 0.5 * 9.81 * (std::sin(kSlope) - kFriction * std::cos(kSlope)) * kTime * kTime;
  const std::map<std::string, ParameterValues> methods = {
      {"dynamic-ffd", {}},
      {"linear-deformation", {}},
      {"displacement-constraints", {{"bounce", 0.0}}},
      {"position-based", {{"bounce", 0.0}}},
      {"kinematic-response", {}},
      {"finite-elements", {}}};
  for (const auto& [backend, parameters] : methods) {
    SCOPED_TRACE(backend);
    const Observation end = EndOf(TranslateBy(backend, scene, parameters), 5e-4, 1000);
    const Vector3d centre = CentreOfMass(box.mass, end.points);
    EXPECT_NEAR(centre.x(), way, 0.02 * way);
    // Springs of 4500 N/m at the six points of its lower face carry it.
    const bool springs = backend == "dynamic-ffd" || backend == "linear-deformation" ||
                         backend == "kinematic-response";
    const double sunk = springs ? 2.0 * 9.81 * std::cos(kSlope) / (6 * 4500.0) : 0.0;
    EXPECT_NEAR(centre.y(), 0.1 - sunk, backend == "finite-elements" ? 1e-3 : 2e-5);
    EXPECT_LT(StrainOf(box, end.points), 1e-3);
  }
}

}  // namespace
}  // namespace pliant
