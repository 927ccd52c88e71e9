// The step limits of springs and dampers: a run just below the limit stays bounded, one just above
// it grows. The limits themselves are held against closed forms.

#include "solvers/step_limit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/scene/shapes.h"
#include "tests/solvers/projection/scenes.h"

namespace pliant {
namespace {

using Eigen::Vector3d;
using Names = std::vector<std::string>;

constexpr double kLeft = 0.5, kRight = 1.5;  // kg, of each point
constexpr double kMobility = 1.0 / kLeft + 1.0 / kRight;

// Two upright rods 1 m apart, of two points each, joined by a spring without initial tension from
// end to end; with one spring only they turn about their centres.
Scene TwoRods(double stiffness, double damping, int springs) {
  Scene scene = Weightless({MakeChain("left", {0, 0, 0}, {0, 1, 0}, 2, 2.0 * kLeft)});
  scene.bodies.push_back(MakeChain("right", {1, 0, 0}, {1, 1, 0}, 2, 2.0 * kRight));
  scene.bodies[0].velocity = {1e-6, 0, 0};
  for (int end = 0; end < springs; ++end) {
    scene.springs.push_back({"spring" + std::to_string(end),
                             {0, end},
                             PointRef{1, end},
                             Vector3d::Zero(),
                             stiffness,
                             damping,
                             1.0});
  }
  return scene;
}

ParameterValues Rule(const char* update, bool rigid = false) {
  ParameterValues values = {{"velocity_update", std::string(update)},
                            {"tolerance", 1e-13},
                            {"max_sweeps", std::int64_t{10000}}};
  if (rigid) values["rigid_bodies"] = Names{"*"};
  return values;
}

std::vector<StepLimit> LimitsOf(const std::string& formulation, const Scene& scene,
                                const ParameterValues& parameters) {
  const Translation translation = TranslateBy(formulation, scene, parameters);
  const StepLimited* limited = translation.simulation->AsStepLimited();
  return limited == nullptr ? std::vector<StepLimit>{} : limited->StepLimits();
}

// The largest rate at which the first points approach each other within 400 steps of h [m/s]. It
// starts at 1e-6.
double LargestRate(const std::string& formulation, const Scene& scene,
                   const ParameterValues& parameters, double h) {
  const Translation translation = TranslateBy(formulation, scene, parameters);
  double largest = 0.0;
  for (int i = 0; i < 400 && largest < 1.0; ++i) {
    if (translation.simulation->Advance(h).kind == StepOutcome::Kind::kDiverged) {
      return std::numeric_limits<double>::infinity();
    }
    Observation now;
    translation.simulation->Observe(&now);
    largest = std::max(largest, std::abs((*now.velocities)(0, 2) - (*now.velocities)(0, 0)));
  }
  return largest;
}

void ExpectBothSides(const std::string& formulation, const Scene& scene,
                     const ParameterValues& parameters, const std::string& of, double expected) {
  const std::vector<StepLimit> limits = LimitsOf(formulation, scene, parameters);
  ASSERT_EQ(limits.size(), 1u) << formulation;
  EXPECT_EQ(limits[0].of, of);
  EXPECT_NEAR(limits[0].step, expected, 1e-12 * expected) << formulation;
  EXPECT_LT(LargestRate(formulation, scene, parameters, 0.98 * expected), 2e-5) << formulation;
  EXPECT_GT(LargestRate(formulation, scene, parameters, 1.02 * expected), 1e-3) << formulation;
}

TEST(StepLimitsOfSprings, VerletIsStableBelowTwoOverOmega) {
  const double k = 60.0, limit = 2.0 / std::sqrt(k * kMobility);
  for (const char* formulation : kSweepingFormulations) {
    ExpectBothSides(formulation, TwoRods(k, 0.0, 2), Rule("verlet"), "velocity Verlet with springs",
                    limit);
  }
}

TEST(StepLimitsOfSprings, VerletIsStableBelowTwoOverTheDampingRate) {
  const double c = 7.0;
  for (const char* formulation : kSweepingFormulations) {
    ExpectBothSides(formulation, TwoRods(0.0, c, 2), Rule("verlet"), "velocity Verlet with dampers",
                    2.0 / (c * kMobility));
  }
}

TEST(StepLimitsOfSprings, EulerCromerHasOneLimitOfBoth) {
  const double k = 60.0, c = 2.0, rate = c * kMobility, squared = k * kMobility;
  // Of ω² h² + 2 γ h = 4.
  const double limit = (std::sqrt(rate * rate + 4.0 * squared) - rate) / squared;
  for (const char* formulation : kSweepingFormulations) {
    ExpectBothSides(formulation, TwoRods(k, c, 2), Rule("euler-cromer"),
                    "Euler-Cromer with springs and dampers", limit);
  }
}

// At its end a free rod of two points has the mobility of that point: 1/M + r²/J.
TEST(StepLimitsOfSprings, RigidBodiesMoveAndTurn) {
  const double k = 60.0;
  for (const char* formulation : kSweepingFormulations) {
    ExpectBothSides(formulation, TwoRods(k, 0.0, 1), Rule("verlet", true),
                    "velocity Verlet with springs", 2.0 / std::sqrt(k * kMobility));
  }
}

TEST(StepLimitsOfSprings, NailedPointsDoNotMove) {
  Scene scene = TwoRods(60.0, 0.0, 2);
  for (int end = 0; end < 2; ++end) {
    scene.nails.push_back(NailWhereItStarts(scene, "nail" + std::to_string(end), {0, end}));
  }
  scene.bodies[0].velocity.setZero();
  scene.bodies[1].velocity = {1e-6, 0, 0};
  for (const char* formulation : kSweepingFormulations) {
    ExpectBothSides(formulation, scene, Rule("verlet"), "velocity Verlet with springs",
                    2.0 / std::sqrt(60.0 / kRight));
  }
}

// A chain of n points on n − 1 equal springs: ω² = 4 k/m sin²(π (n − 1)/(2 n)), 1 % below the bound
// 4 k/m for n = 16.
TEST(StepLimitsOfSprings, ChainOfSpringsIsBoundedFromTheSafeSide) {
  const double k = 20.0;
  Scene scene = Weightless({});
  for (int i = 0; i < 16; ++i) {
    const double x = 1.0 * i;
    scene.bodies.push_back(
        MakeChain("rod" + std::to_string(i), {x, 0, 0}, {x, 1, 0}, 2, 2.0 * kLeft));
    for (int end = 0; end < 2 && i > 0; ++end) {
      scene.springs.push_back({"spring" + std::to_string(2 * i + end),
                               {i - 1, end},
                               PointRef{i, end},
                               Vector3d::Zero(),
                               k,
                               0.0,
                               1.0});
    }
  }
  const double exact = 2.0 / std::sqrt(4.0 * k / kLeft * std::pow(std::sin(M_PI * 15.0 / 32.0), 2));
  for (const char* formulation : kSweepingFormulations) {
    const std::vector<StepLimit> limits = LimitsOf(formulation, scene, Rule("verlet"));
    ASSERT_EQ(limits.size(), 1u);
    EXPECT_LE(limits[0].step, exact);
    EXPECT_GE(limits[0].step, 0.99 * exact);
  }
}

TEST(StepLimitsOfSprings, NoneWithoutSpringsAndOfRulesThatHaveNone) {
  Scene without = TwoRods(60.0, 1.0, 2);
  without.springs.clear();
  for (const char* formulation : kSweepingFormulations) {
    EXPECT_TRUE(LimitsOf(formulation, without, Rule("verlet")).empty());
    EXPECT_TRUE(LimitsOf(formulation, TwoRods(60.0, 1.0, 2), Rule("corrected")).empty());
  }
}

}  // namespace
}  // namespace pliant
