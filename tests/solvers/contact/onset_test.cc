// What the onset of penalty contact, at no bound of a step, does to the order of a scheme: the force
// is continuous there and its slope is not, so that a step across it is off by O(h²) in velocity,
// whatever the order of the scheme. A bar falls flat onto a floor, without damping:
//
//   y(t) = H − ½ g t²  until t₁ = √(2H/g),   then  y = a (cos ω τ − 1) − (v₁/ω) sin ω τ,
//   τ = t − t₁, v₁ = g t₁, a = g/ω², ω² = n K/M of its n points

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>
#include <string>

#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "solvers/backends.h"
#include "tests/scenes.h"

namespace pliant {
namespace {

constexpr double kGravity = 9.81, kMass = 2.0, kStiffness = 500.0, kEnd = 0.4;
constexpr int kPoints = 2;

// Of a bar that falls by `height`: how far it is off at the end [m].
double ErrorOf(double height, int steps) {
  Scene scene = SceneOf({MakeChain("bar", {0, 0, 0}, {1, 0, 0}, kPoints, kMass)});
  scene.bodies[0].position = {0.0, height, 0.0};
  scene.gravity = {0.0, -kGravity, 0.0};
  scene.obstacles = {{"floor", Plane{}, Path::Still(Eigen::Vector3d::Zero())}};
  ParameterValues parameters = {{"integrator", std::string("rk4")},
                                {"contact_stiffness", kStiffness},
                                {"contact_damping", 0.0}};
  const Backend* backend = FindBackend("linear-deformation");
  const auto simulation =
      backend->Translate(std::make_shared<const Scene>(scene), parameters).simulation;
  for (int i = 0; i < steps; ++i) simulation->Advance(kEnd / steps);
  Observation end;
  simulation->Observe(&end);
  const double omega = std::sqrt(kPoints * kStiffness / kMass),
               t1 = std::sqrt(2.0 * height / kGravity), tau = kEnd - t1,
               a = kGravity / (omega * omega);
  const double y =
      tau > 0.0 ? a * (std::cos(omega * tau) - 1.0) - kGravity * t1 / omega * std::sin(omega * tau)
                : height - 0.5 * kGravity * kEnd * kEnd;
  return std::abs(end.points.row(1).minCoeff() - y);
}

TEST(OnsetOfContact, LeavesSecondOrderOfAFourthOrderScheme) {
  std::array<double, 4> rms{};
  constexpr int kHeights = 12;
  for (size_t i = 0; i < rms.size(); ++i) {
    for (int k = 0; k < kHeights; ++k) {
      const double error = ErrorOf(0.6 + 0.011 * k, 50 << i);
      rms[i] += error * error / kHeights;
    }
    rms[i] = std::sqrt(rms[i]);
  }
  const double order = std::log2(rms[0] / rms[3]) / 3.0;
  EXPECT_NEAR(order, 2.0, 0.3);
  EXPECT_LT(ErrorOf(2.0, 50), 1e-12) << "in the air RK4 is exact";
}

}  // namespace
}  // namespace pliant
