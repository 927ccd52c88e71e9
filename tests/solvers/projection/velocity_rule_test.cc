// Two masses on a spring, by the rules for velocities (velocity_update.h), against the closed form
// of their motion.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "models/scene/shapes.h"
#include "tests/solvers/projection/scenes.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

constexpr double kOmega = 10.0;     // rad/s
constexpr double kAmplitude = 0.2;  // m

// Two upright rods of two masses m each, 1 m and the amplitude apart, whose ends are joined by
// springs of rest length 1 m: they swing against each other with ω² = 2 k/m.
Scene TwoRods() {
  const double m = 0.5, x = 1.0 + kAmplitude;
  Scene scene = Weightless({MakeChain("left", {0, 0, 0}, {0, 1, 0}, 2, 2.0 * m)});
  scene.bodies.push_back(MakeChain("right", {x, 0, 0}, {x, 1, 0}, 2, 2.0 * m));
  const double stiffness = 0.5 * kOmega * kOmega * m;
  for (int end = 0; end < 2; ++end) {
    scene.springs.push_back({"spring" + std::to_string(end),
                             {0, end},
                             PointRef{1, end},
                             Vector3d::Zero(),
                             stiffness,
                             0.0,
                             1.0});
  }
  return scene;
}

struct Swing {
  double error = 0.0;   // at the end, of distance and of its rate over ω [m]
  double growth = 0.0;  // largest energy over that of the start
};

Swing SwingOf(const std::string& formulation, const ParameterValues& parameters, double duration,
              double h) {
  const Scene scene = TwoRods();
  const Translation translation = TranslateBy(formulation, scene, parameters);
  Observation now;
  translation.simulation->Observe(&now);
  const double start = EnergyOf(scene, now);
  Swing swing;
  for (int i = 0; i < static_cast<int>(std::lround(duration / h)); ++i) {
    now = RunFor(translation.simulation.get(), 1, h);
    swing.growth = std::max(swing.growth, EnergyOf(scene, now) / start);
  }
  const double distance = now.points(0, 2) - now.points(0, 0);
  const double rate = (*now.velocities)(0, 2) - (*now.velocities)(0, 0);
  swing.error = std::hypot(distance - 1.0 - kAmplitude * std::cos(kOmega * duration),
                           rate / kOmega + kAmplitude * std::sin(kOmega * duration));
  return swing;
}

TEST(VelocityRule, KeepsTheSwingOfTwoMassesAtSecondOrder) {
  for (const char* formulation : kSweepingFormulations) {
    double last = 0.0;
    for (const double h : {0.02, 0.01, 0.005}) {
      const Swing swing = SwingOf(formulation, {}, 5.0, h);
      EXPECT_LT(swing.growth, 1.0 + 0.26 * std::pow(kOmega * h, 2)) << formulation << " " << h;
      EXPECT_LT(swing.error, 0.5 * kAmplitude * std::pow(kOmega * h, 2) * 5.0);
      if (last > 0.0) {
        EXPECT_NEAR(std::log2(last / swing.error), 2.0, 0.1) << formulation;
      }
      last = swing.error;
    }
  }
}

// The amplitude of `corrected` grows by √(1 + ½ (ω h)²) in every step, which the record says.
TEST(VelocityRule, CorrectedGrowsAsItsRecordSays) {
  const ParameterValues corrected = {{"velocity_update", std::string("corrected")}};
  for (const char* formulation : kSweepingFormulations) {
    for (const double h : {0.02, 0.01, 0.005}) {
      const double squared = std::pow(kOmega * h, 2), steps = 1.0 / h;
      const double growth = SwingOf(formulation, corrected, 1.0, h).growth;
      EXPECT_NEAR(std::log(growth), steps * std::log1p(0.5 * squared), 0.1) << h;
    }
    const auto warnings = [&](const ParameterValues& parameters, const Scene& scene) {
      return TranslateBy(formulation, scene, parameters).warnings;
    };
    EXPECT_THAT(warnings(corrected, TwoRods()),
                testing::ElementsAre(testing::HasSubstr("velocity_update = corrected")));
    EXPECT_THAT(warnings({}, TwoRods()), testing::IsEmpty());
    Scene without = TwoRods();
    without.springs.clear();
    without.gravity = {0.0, -kG, 0.0};
    EXPECT_THAT(warnings(corrected, without), testing::IsEmpty());
  }
}

}  // namespace
}  // namespace pliant
