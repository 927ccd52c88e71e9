// A disc between two rigid planes, in its range: contact much narrower than the disc. Closed form in plane strain, per length
// [Johnson 1985, Eqs. 4.43, 5.57]: with E* = E/(1 − ν²) and half the width a of the contact,
//
//   a² = 4 P R / (π E*),     approach of one plane to the centre  δ = P/(π E*) (2 ln(4 R/a) − 1).
//
// A quarter of the disc by symmetry, its elements graded towards the contact.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "solvers/finite_elements/contact.h"
#include "solvers/finite_elements/statics.h"
#include "tests/solvers/finite_elements/meshes.h"

namespace pliant::finite_elements {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

constexpr double kYoungOfBall = 1e5, kPoisson = 0.3, kRadius = 1.0, kPi = std::numbers::pi;
constexpr double kReduced = kYoungOfBall / (1.0 - kPoisson * kPoisson);

double ApproachOf(double a) {
  return a * a / (4.0 * kRadius) * (2.0 * std::log(4.0 * kRadius / a) - 1.0);
}
double ForceOf(double a) { return kPi * kReduced * a * a / (4.0 * kRadius); }

// x ≥ 0, y ≤ 0 of the unit disc: the square is mapped so that two of its sides are the arc.
Discretisation QuarterDisc(int sides) {
  const SolidMesh mesh = MappedRectangle(sides, sides, [](double s, double t) {
    const double u = s * s, v = t * t - 1.0;  // graded towards (0, −1)
    return Vector3d(u * std::sqrt(1.0 - 0.5 * v * v), v * std::sqrt(1.0 - 0.5 * u * u), 0.0);
  });
  return Single(mesh, Law(ElasticLaw::kLinear, kYoungOfBall, kPoisson, Law::Kind::kPlaneStrain),
                1000.0);
}

struct Pressed {
  double force = 0.0, half_width = 0.0;  // N/m, m
};

// The upper side of the quarter is led down by `approach` onto a plane that touches the disc.
Pressed Press(int sides, double approach, double thickness) {
  const Discretisation bodies = QuarterDisc(sides);
  Scene scene;
  scene.dimension = 2;
  scene.bodies.resize(1);
  scene.bodies[0].name = "disc";
  scene.bodies[0].material = Material{.density = 1000.0, .youngs_modulus = kYoungOfBall};
  scene.obstacles.push_back(
      {"plane", Plane{Vector3d::UnitY()}, Path::Still(Vector3d(0.0, -kRadius, 0.0))});
  Contact contact(scene, bodies, {.thickness = thickness});
  EXPECT_FALSE(contact.empty());

  Matrix3Xd q = bodies.part(0).rest();
  StaticLoad load;
  std::vector<double> end;
  for (int n = 0; n < q.cols(); ++n) {
    if (q(0, n) < 1e-12) {
      load.rows.push_back({{3 * n, 1.0}});
      end.push_back(0.0);
    }
    if (q(1, n) > -1e-12) {
      load.rows.push_back({{3 * n + 1, 1.0}});
      end.push_back(-approach);
    }
    load.zero.push_back(3 * n + 2);
  }
  load.begin = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(end.size()));
  load.end = Eigen::Map<Eigen::VectorXd>(end.data(), static_cast<Eigen::Index>(end.size()));
  load.force = Matrix3Xd::Zero(3, q.cols());
  load.contact = &contact;
  EXPECT_TRUE(SolveStatics(bodies, load, {.load_steps = 4}, &q).converged);

  Matrix3Xd forces = Matrix3Xd::Zero(3, q.cols());
  contact.AddForces(0.0, q, &forces);
  Pressed pressed;
  pressed.force = 2.0 * forces.row(1).sum();
  for (int n = 0; n < q.cols(); ++n) {
    const bool on_arc = std::abs(bodies.part(0).rest().col(n).norm() - kRadius) < 1e-9;
    if (on_arc && forces(1, n) > 1e-3 * forces.row(1).maxCoeff())
      pressed.half_width = std::max(pressed.half_width, q(0, n));
  }
  return pressed;
}

// The formula is that of half planes, good to some tenths of a percent here, so that finer elements come no nearer.
TEST(Hertz, ADiscBetweenPlanesPushesAsJohnsonSays) {
  for (const double a : {0.06, 0.12}) {
    for (const int sides : {12, 24}) {
      const Pressed pressed = Press(sides, ApproachOf(a), 5e-4 * 12.0 / sides);
      RecordProperty("off_" + std::to_string(sides) + "_" + std::to_string(a),
                     std::to_string(pressed.force / ForceOf(a) - 1.0));
      EXPECT_NEAR(pressed.force, ForceOf(a), 0.01 * ForceOf(a)) << sides;
      const double between_nodes = std::sqrt(a) / sides;  // of x = s² there
      EXPECT_NEAR(pressed.half_width, a, between_nodes) << sides;
    }
  }
}

// What the barrier changes is of first order in its thickness: it is soft, so that a thick one pushes less.
TEST(Hertz, TheThicknessOfTheBarrierIsOfFirstOrder) {
  const double approach = ApproachOf(0.12);
  std::vector<double> force;
  for (const double thickness : {8e-3, 4e-3, 2e-3})
    force.push_back(Press(12, approach, thickness).force);
  EXPECT_LT(force[0], force[1]);
  EXPECT_LT(force[1], force[2]);
  RecordProperty("order", std::to_string(std::log2((force[1] - force[0]) / (force[2] - force[1]))));
  EXPECT_NEAR(std::log2((force[1] - force[0]) / (force[2] - force[1])), 1.0, 0.25);
}

// Twice the width is four times the force, at an approach that grows by less.
TEST(Hertz, TheForceGrowsFasterThanTheApproach) {
  const double small = Press(24, ApproachOf(0.06), 2.5e-4).force,
               large = Press(24, ApproachOf(0.12), 2.5e-4).force;
  EXPECT_NEAR(large / small, 4.0, 0.08);
  EXPECT_LT(ApproachOf(0.12) / ApproachOf(0.06), 3.4);
}

}  // namespace
}  // namespace pliant::finite_elements
