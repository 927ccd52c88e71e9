// What a step costs, counted in iterations: no more where it is smaller.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <utility>
#include <vector>

#include "models/scene/shapes.h"
#include "tests/scenes.h"
#include "tests/solvers/finite_elements/started.h"

namespace pliant::finite_elements {
namespace {

// A block of 2³ points that falls by a millimetre onto a slope, where friction holds it.
Scene OnASlope() {
  Body cube = MakeBlock("cube", {0.2, 0.2, 0.2}, {2, 2, 2}, 8.0);
  cube.material = Material{.density = 1000.0, .youngs_modulus = 1e5, .poisson_ratio = 0.3};
  cube.material->stiffness_damping = 0.01;
  cube.position = {0.0, 0.001 - cube.rest.row(1).minCoeff(), 0.0};
  Scene scene = SceneOf({cube});
  const double angle = 20.0 * std::numbers::pi / 180.0;
  scene.gravity = 9.81 * Eigen::Vector3d(-std::sin(angle), -std::cos(angle), 0.0);
  scene.obstacles.push_back(
      {"floor", Plane{Eigen::Vector3d::UnitY()}, Path::Still(Eigen::Vector3d::Zero()), 0.6});
  return scene;
}

// The stiffness of friction that holds grows as 1/h, and with it the rounding of forces: 10⁻¹² of the largest force is
// below it. Newton's iteration stops where rounding is all that is left, and the ledger closes as well.
TEST(Iterations, OfAStepAreFewerWhereItIsSmaller) {
  double larger = std::numeric_limits<double>::infinity();
  for (const double h : {5e-3, 2e-3, 1e-3, 5e-4}) {
    const auto simulation = Start(OnASlope(), {{"newton_tolerance", 1e-12}});
    const Observation start = Observe(*simulation);
    const auto steps = static_cast<int>(std::lround(0.15 / h));
    for (int i = 0; i < steps; ++i) {
      ASSERT_EQ(simulation->Advance(h).kind, StepOutcome::Kind::kAdvanced) << h << " " << i;
    }
    const Observation end = Observe(*simulation);
    const double each = static_cast<double>(*end.iterations) / steps;
    EXPECT_LT(each, larger) << h;
    larger = each;
    EXPECT_NEAR(TotalEnergy(end) - TotalEnergy(start), end.work->TotalWork(), 1e-11) << h;
    EXPECT_LT((end.sums->momentum - end.work->impulse - start.sums->momentum).norm(), 1e-9) << h;
  }
  EXPECT_LT(larger, 8.0);
}

// Two rubber blocks, of which one is thrown at the other. The tangent of a step in contact is symmetric, the derivative of
// its discrete gradient is not: by that tangent alone an iteration leaves up to 0.8 of what there was.
TEST(Iterations, InContactFindWhatASymmetricTangentLacks) {
  std::vector<Body> bodies;
  for (const double side : {-1.0, 1.0}) {
    Body block = MakeBlock(side < 0.0 ? "left" : "right", {0.1, 0.1, 0.1}, {2, 2, 2}, 1.1);
    block.material = Material{.density = 1100.0, .youngs_modulus = 1e5, .poisson_ratio = 0.45};
    block.position = {side * 0.06, side * 0.013, 0.0};
    if (side < 0.0) block.velocity = {2.0, 0.0, 0.0};
    bodies.push_back(block);
  }
  const auto simulation =
      Start(SceneOf(bodies), {{"locking_free", true}, {"contact_thickness", 4e-3}});
  const Observation start = Observe(*simulation);
  for (int i = 0; i < 6; ++i) {
    ASSERT_EQ(simulation->Advance(5e-3).kind, StepOutcome::Kind::kAdvanced) << i;
  }
  const Observation end = Observe(*simulation);
  EXPECT_NEAR(TotalEnergy(end) - TotalEnergy(start), end.work->TotalWork(), 1e-8);
  EXPECT_LT(*end.iterations, 250);  // 300 without acceleration
}

// Of a block that vibrates strongly, one iteration for every piece: no piece is solved.
class UnsolvableSteps {
 public:
  explicit UnsolvableSteps(ParameterValues parameters = {}) {
    Body block = MakeBlock("block", {0.2, 0.2, 0.2}, {2, 2, 2}, 8.0);
    block.material = Material{.density = 1000.0, .youngs_modulus = 1e5, .poisson_ratio = 0.3};
    block.stretch = Eigen::Vector3d(1.3, 0.9, 1.0).asDiagonal();
    Scene scene = SceneOf({block});
    scene.gravity = {0.0, -9.81, 0.0};
    parameters["newton_iterations"] = 1;
    simulation_ = Start(scene, parameters);
  }
  // Iterations of each step; all of them are recorded as not converged.
  std::vector<std::int64_t> Advance(int steps, double h) {
    std::vector<std::int64_t> iterations;
    std::int64_t before = 0;
    for (int i = 0; i < steps; ++i) {
      EXPECT_EQ(simulation_->Advance(h).kind, StepOutcome::Kind::kNotConverged) << i;
      const std::int64_t now = *Observe(*simulation_).iterations;
      iterations.push_back(now - before);
      before = now;
    }
    return iterations;
  }
  Observation Seen() const { return Observe(*simulation_); }

 private:
  std::unique_ptr<Simulation> simulation_;
};

// Seven until a 64th has not converged, six for what is left: 63 + 64 if every piece were divided. Each step is gone through to
// its end: an iteration keeps momentum, solved or not.
TEST(Iterations, OfAStepThatCannotBeSolvedAreFew) {
  UnsolvableSteps block;
  for (const std::int64_t each : block.Advance(10, 0.01)) EXPECT_LE(each, 13);
  const Observation end = block.Seen();
  EXPECT_NEAR(end.sums->momentum.y(), -9.81 * 0.1 * 8.0, 1e-9);
  EXPECT_TRUE(end.points.allFinite());
}

TEST(Iterations, OfAStepOfGivenErrorThatCannotBeSolvedAreFew) {
  UnsolvableSteps block({{"step_tolerance", 1e-3}, {"newton_tolerance", 1e-300}});
  // Three for each of 21 pieces down to 2⁻²⁰, and of those that follow, each twice as long.
  for (const std::int64_t each : block.Advance(2, 0.01)) EXPECT_LE(each, 3 * (21 + 21));
  EXPECT_NEAR(block.Seen().sums->momentum.y(), -9.81 * 0.02 * 8.0, 1e-9);
}

}  // namespace
}  // namespace pliant::finite_elements
