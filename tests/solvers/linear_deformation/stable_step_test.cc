#include "solvers/linear_deformation/stable_step.h"

#include <gtest/gtest.h>

#include <cmath>

#include "models/scene/shapes.h"
#include "solvers/integration/second_order.h"
#include "tests/solvers/linear_deformation/scenes.h"

namespace pliant::linear_deformation {
namespace {

using Eigen::Vector3d;

// A link of two masses of ½ kg at ±¼ m: its own stretch has ω² = 8 k_e/(m (L/2)²) = 128 k_e and
// decays at `damping`.
class StableStepOfALink : public testing::Test {
 protected:
  StableStepOfALink() {
    for (int i : {0, 1}) {
      scene_.bodies.push_back(MakeChain("link", {0, 0, 0}, {0.5, 0, 0}, 2, 1.0));
      scene_.bodies[i].position = Vector3d(0, i, 0);
    }
  }
  StableBodyStep Estimate(const LinearMaterial& material,
                          const PenaltyOptions& contact = {}) const {
    return EstimateStableStep(scene_, 0, LinearBody(scene_.bodies[0], 3, 1), material, contact);
  }
  Scene scene_;
};

TEST_F(StableStepOfALink, IsThatOfItsOwnStretchAndItsDecay) {
  EXPECT_NEAR(Estimate({5.0, 0.0, 0.0, 0.0}).free, StableEulerStep(640.0, 0.0), 1e-9);
  EXPECT_NEAR(Estimate({5.0, 0.0, 70.0, 0.0}).free, StableEulerStep(640.0, 70.0), 1e-9);
}

TEST_F(StableStepOfALink, CountsASpringOnceToAnAnchorAndTwiceToAPoint) {
  const LinearMaterial soft{0.0, 0.0, 0.0, 0.0};
  scene_.springs = {{.name = "band", .a = {0, 1}, .b = {}, .stiffness = 300.0, .damping = 4.0}};
  EXPECT_NEAR(Estimate(soft).free, StableEulerStep(300.0 / 0.5, 4.0 / 0.5), 1e-12);
  for (bool first : {true, false}) {  // whichever end the body is
    scene_.springs[0].a = first ? PointRef{0, 1} : PointRef{1, 0};
    scene_.springs[0].b = first ? PointRef{1, 0} : PointRef{0, 1};
    EXPECT_NEAR(Estimate(soft).free, StableEulerStep(600.0 / 0.5, 8.0 / 0.5), 1e-12);
  }
}

TEST_F(StableStepOfALink, DoesNotCountSpringsOfOtherBodies) {
  const LinearMaterial soft{0.0, 0.0, 0.0, 0.0};
  scene_.springs = {{.name = "band", .a = {1, 1}, .b = {}, .stiffness = 300.0, .damping = 4.0}};
  EXPECT_TRUE(std::isinf(Estimate(soft).free));
  scene_.springs[0].b = PointRef{1, 0};
  EXPECT_TRUE(std::isinf(Estimate(soft).free));
}

TEST_F(StableStepOfALink, InContactIsThatOfItsLightestPoint) {
  const LinearMaterial soft{0.0, 0.0, 0.0, 0.0};
  const StableBodyStep step = Estimate(soft, {1000.0, 3.0, 800.0, 5.0});
  EXPECT_TRUE(std::isinf(step.free));
  EXPECT_NEAR(step.all_contacts, StableEulerStep(1000.0 / 0.5, 5.0 / 0.5), 1e-12);
}

// For any body, a gap shrinks with steps of 0.98 times the reported limit and grows with 1.02
// times.
TEST(StableFeedbackStep, IsWhereAGapBeginsToGrow) {
  const double omega = 40.0;
  for (const auto& [name, scheme] :
       {std::pair<std::string, Scheme>{"semi-implicit-euler", Scheme::kSemiImplicitEuler},
        std::pair<std::string, Scheme>{"rk4", Scheme::kRungeKutta4}}) {
    for (double zeta : {0.2, 1.0, 3.0}) {
      Scene scene = Pendulum(1);
      scene.gravity.setZero();
      scene.nails[0].path = Path::Still({1e-9, 2e-9, 0});
      const auto growth = [&, &name = name](double h) {
        const auto simulation = Translate(scene, {{"integrator", name},
                                                  {"stretch_stiffness", 0.1},
                                                  {"damping", 0.0},
                                                  {"feedback_frequency", omega},
                                                  {"feedback_damping_ratio", zeta}})
                                    .simulation;
        const auto size = [&](const Observation& o) {
          return omega * *o.constraint_error + *o.constraint_rate;
        };
        const double early = size(RunFor(simulation.get(), 20.0 * h, h));
        return size(RunFor(simulation.get(), 40.0 * h, h)) / early;
      };
      const double limit = StableFeedbackStep({omega, zeta}, {.scheme = scheme});
      EXPECT_LT(growth(0.98 * limit), 0.5) << name << " " << zeta;
      EXPECT_GT(growth(1.02 * limit), 2.0) << name << " " << zeta;
    }
  }
  EXPECT_NEAR(StableFeedbackStep({1.0, 1.0}, {.scheme = Scheme::kSemiImplicitEuler}),
              2.0 * std::sqrt(2.0) - 2.0, 1e-12);
  EXPECT_NEAR(StableFeedbackStep({1.0, 1.0}, {.scheme = Scheme::kRungeKutta4}), 2.7853, 1e-4);
  EXPECT_TRUE(std::isinf(StableFeedbackStep({0.0, 1.0}, {.scheme = Scheme::kRungeKutta4})));
  EXPECT_TRUE(std::isinf(StableFeedbackStep({50.0, 1.0}, {.scheme = Scheme::kBogackiShampine})));
}

}  // namespace
}  // namespace pliant::linear_deformation
