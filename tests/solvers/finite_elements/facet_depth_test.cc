// What the common measures say of a curved element: they see the flat facets between the points of the scene, the contact of
// finite elements the curved faces.

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "models/contact/clearance.h"
#include "models/contact/contact_meter.h"
#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "tests/solvers/finite_elements/started.h"

namespace pliant::finite_elements {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

constexpr double kSide = 0.2, kRadius = 0.15, kThickness = 0.002;  // m

// A cube of one element, whose lower side is held, and a ball that comes down 2 cm deep on the middle of its upper side.
Scene PressedCube() {
  Scene scene;
  scene.name = "press";
  scene.gravity.setZero();
  scene.bodies = {MakeBlock("cube", {kSide, kSide, kSide}, {2, 2, 2}, 1.0)};
  Body& cube = scene.bodies[0];
  Material material;
  material.density = 1000.0;
  material.youngs_modulus = 1e5;
  material.poisson_ratio = 0.3;
  material.law = ElasticLaw::kNeoHookeanLog;
  cube.material = material;
  cube.mass = material.density * VolumeShares(cube, 0.0);
  for (int p = 0; p < cube.size(); ++p) {
    if (cube.rest(2, p) < 0.0)
      scene.nails.push_back({"sole", {0, p}, Path::Still(cube.rest.col(p))});
  }
  Matrix3Xd keys(3, 2);
  keys.setZero();
  keys(2, 0) = 0.5 * kSide + kRadius;
  keys(2, 1) = keys(2, 0) - 0.02;
  scene.obstacles = {{"ball", Sphere{kRadius}}};
  scene.obstacles[0].motion = Path({0.0, 0.5}, keys, Path::Interpolation::kLinear);
  return scene;
}

// The upper side of the element, whose nine nodes are at the ends and middles of its edges: q(σ, τ), σ and τ in [0, 1].
class UpperSide {
 public:
  UpperSide(const Matrix3Xd& rest, const Matrix3Xd& q) : nodes_(9) {
    for (int m = 0; m < rest.cols(); ++m) {
      if (rest(2, m) < 0.499 * kSide) continue;
      const auto place = [&](int axis) {
        return static_cast<int>(std::lround(2.0 * (rest(axis, m) / kSide + 0.5)));
      };
      nodes_[place(0) + 3 * place(1)] = q.col(m);
      ++found_;
    }
  }
  int found() const { return found_; }

  Vector3d At(double s, double t) const {
    const auto weight = [](int i, double u) {
      return i == 0   ? (1.0 - u) * (1.0 - 2.0 * u)
             : i == 1 ? 4.0 * u * (1.0 - u)
                      : u * (2.0 * u - 1.0);
    };
    Vector3d at = Vector3d::Zero();
    for (int i = 0; i < 9; ++i) at += weight(i % 3, s) * weight(i / 3, t) * nodes_[i];
    return at;
  }

  // Depth of 2 n² flat facets between its points in a ball.
  double DepthOfFacets(int n, const Vector3d& centre) const {
    double deepest = 0.0;
    PartCorners corners(3, 3);
    const auto take = [&](const Vector3d& a, const Vector3d& b, const Vector3d& c) {
      corners << a, b, c;
      deepest = std::max(deepest, -ClearanceOf(Sphere{kRadius}, centre, corners).distance);
    };
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        const double h = 1.0 / n;
        const Vector3d a = At(i * h, j * h), b = At((i + 1) * h, j * h),
                       c = At((i + 1) * h, (j + 1) * h), d = At(i * h, (j + 1) * h);
        take(a, b, c);
        take(a, c, d);
      }
    }
    return deepest;
  }

 private:
  std::vector<Vector3d> nodes_;
  int found_ = 0;
};

Matrix3Xd NodesOf(const Simulation& simulation) { return simulation.Arrays("nodes").at(0).values; }

// The barrier keeps the element out of the ball but for its thickness, while the facet between the corners of the cube, which
// hardly move, has the ball in it. The depth of finer facets on the same element tends to that of the element.
TEST(FacetDepth, OfACurvedElementIsThatOfTheFlatFacetsOfTheScene) {
  const Scene scene = PressedCube();
  const auto simulation = Start(scene, {{"contact_thickness", kThickness}});
  const Matrix3Xd rest = NodesOf(*simulation);
  for (int step = 0; step < 50; ++step) {
    ASSERT_EQ(simulation->Advance(0.01).kind, StepOutcome::Kind::kAdvanced) << step;
  }
  const Observation o = Observe(*simulation);
  const Vector3d centre = scene.obstacles[0].motion.At(o.time).position;
  ContactMeter meter(std::make_shared<const Scene>(scene));
  const double measured = meter.Measure(o.time, o.points).obstacle_depth.value();
  EXPECT_EQ(MeasurePenetration(scene, o.time, o.points)->max,
            0.0);  // its points are far from the ball

  const UpperSide side(rest, NodesOf(*simulation));
  ASSERT_EQ(side.found(), 9);
  const double curved = side.DepthOfFacets(64, centre);
  EXPECT_LT(curved, kThickness);
  EXPECT_GT(measured, 5.0 * kThickness);
  EXPECT_NEAR(measured, side.DepthOfFacets(1, centre), 1e-12);
  RecordProperty("measured_m", std::to_string(measured));
  RecordProperty("curved_m", std::to_string(curved));
  std::vector<double> errors;
  for (const int n : {4, 8, 16})
    errors.push_back(side.DepthOfFacets(n, centre) - side.DepthOfFacets(256, centre));
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2.0, 0.5);
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2.0, 0.5);
}

}  // namespace
}  // namespace pliant::finite_elements
