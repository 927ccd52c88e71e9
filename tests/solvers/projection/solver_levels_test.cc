// Sweeps through levels end where sweeps without them end.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/solvers/projection/scenes.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

class SolverLevels : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Formulations, SolverLevels, testing::ValuesIn(kSweepingFormulations),
                         [](const auto& info) { return std::string(info.param).substr(0, 8); });

// A flag that swings down from a corner while wind pulls the opposite one aside. (Between two nails
// that keep a row taut, sweeps of either kind take very long.)
Scene Flag(int points) {
  Scene scene = SceneOf({Sheet(points)});
  scene.nails.push_back(NailWhereItStarts(scene, "hook", {0, points * points - 1}));
  scene.forces.push_back({.name = "wind", .point = {0, 0}, .force = {0.01, 0.0, 0.04}});
  return scene;
}

ParameterValues SweptTo(double tolerance, std::int64_t levels) {
  return {
      {"solver_levels", levels}, {"tolerance", tolerance}, {"max_sweeps", std::int64_t{100000}}};
}

TEST_P(SolverLevels, LeadToTheSamePlaceInFewerSweeps) {
  const Scene scene = Flag(9);
  const auto run = [&](std::int64_t levels) {
    return RunFor(TranslateBy(GetParam(), scene, SweptTo(1e-9, levels)).simulation.get(), 24,
                  0.005);
  };
  const Observation alone = run(1), levels = run(4);
  EXPECT_GT((alone.points - scene.InitialPoints()).colwise().norm().maxCoeff(), 0.05);
  EXPECT_LT((alone.points - levels.points).colwise().norm().maxCoeff(), 1e-5);
  EXPECT_LT(3 * *levels.iterations, *alone.iterations);
}

// What the corrections make of the energy falls with the step, and none of it is made.
TEST_P(SolverLevels, MakeNoEnergy) {
  const Scene scene = Flag(9);
  double rises[3];
  for (int i = 0; i < 3; ++i) {
    const double h = 0.01 / (1 << i);
    const auto simulation = std::move(TranslateBy(GetParam(), scene, SweptTo(1e-7, 4)).simulation);
    double lowest = 0.0, rise = 0.0;
    for (int step = 0; step < 12 << i; ++step) {
      const Observation seen = RunFor(simulation.get(), 1, h);
      const double balance = EnergyOf(scene, seen) - (*seen.work)[WorkClass::kForce];
      if (step == 0) lowest = balance;
      lowest = std::min(lowest, balance);
      rise = std::max(rise, balance - lowest);
    }
    rises[i] = rise;
  }
  EXPECT_LT(rises[2], 0.02) << "of about 0.7 J";
  EXPECT_LT(rises[2], 0.7 * rises[0] + 1e-4);
  std::printf("made %g %g %g J\n", rises[0], rises[1], rises[2]);
}

}  // namespace
}  // namespace pliant
