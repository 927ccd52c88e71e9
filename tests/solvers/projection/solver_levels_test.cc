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

// After 0.12 s.
Observation Swung(const char* formulation, const Scene& scene, double h,
                  ParameterValues parameters) {
  return RunFor(TranslateBy(formulation, scene, parameters).simulation.get(),
                static_cast<int>(std::lround(0.12 / h)), h);
}

double Apart(const Observation& one, const Observation& other) {
  return (one.points - other.points).colwise().norm().maxCoeff();
}

TEST_P(SolverLevels, LeadToTheSamePlaceInFewerSweepsAtEveryTolerance) {
  const Scene scene = Flag(9);
  for (const double tolerance : {1e-5, 1e-7, 1e-9}) {
    const Observation alone = Swung(GetParam(), scene, 0.005, SweptTo(tolerance, 1)),
                      levels = Swung(GetParam(), scene, 0.005, SweptTo(tolerance, 4));
    EXPECT_GT((alone.points - scene.InitialPoints()).colwise().norm().maxCoeff(), 0.05);
    EXPECT_LT(Apart(alone, levels), 1e-5) << tolerance;
    EXPECT_LT(3 * *levels.iterations, *alone.iterations) << tolerance;
  }
}

// What is left between them at any tolerance is what sweeps in another order leave too: directions are
// those of the points as they are when their turn comes. It falls with the square of the step.
TEST_P(SolverLevels, DifferNoMoreThanSweepsInAnotherOrder) {
  const Scene scene = Flag(9);
  double apart[3], reordered[3];
  for (int i = 0; i < 3; ++i) {
    const double h = 0.01 / (1 << i);
    ParameterValues other = SweptTo(1e-9, 1);
    other["order"] = std::string("symmetric");
    const Observation alone = Swung(GetParam(), scene, h, SweptTo(1e-9, 1));
    apart[i] = Apart(alone, Swung(GetParam(), scene, h, SweptTo(1e-9, 4)));
    reordered[i] = Apart(alone, Swung(GetParam(), scene, h, other));
  }
  for (int i = 1; i < 3; ++i) EXPECT_LT(apart[i], 0.4 * apart[i - 1]);
  EXPECT_LT(apart[2], 2.0 * reordered[2]);
}

// How far the energy less the work of the wind rises above the lowest that it was [J].
double Made(const char* formulation, const Scene& scene, std::int64_t levels, double tolerance,
            double h) {
  const auto simulation =
      std::move(TranslateBy(formulation, scene, SweptTo(tolerance, levels)).simulation);
  double lowest = 0.0, rise = 0.0;
  for (int step = 0; step < static_cast<int>(std::lround(0.12 / h)); ++step) {
    const Observation seen = RunFor(simulation.get(), 1, h);
    const double balance = EnergyOf(scene, seen) - (*seen.work)[WorkClass::kForce];
    if (step == 0) lowest = balance;
    lowest = std::min(lowest, balance);
    rise = std::max(rise, balance - lowest);
  }
  return rise;
}

// No more than without levels, which make none either when the sweeps reach the tolerance.
TEST_P(SolverLevels, MakeNoMoreEnergyThanSweepsWithoutThem) {
  const Scene scene = Flag(9);
  for (const double h : {0.01, 0.005, 0.0025}) {
    for (const double tolerance : {4e-3, 1e-5, 1e-7}) {
      const double alone = Made(GetParam(), scene, 1, tolerance, h),
                   levels = Made(GetParam(), scene, 4, tolerance, h);
      EXPECT_LT(levels, alone + 1e-5) << h << " " << tolerance << ", of about 0.7 J";
    }
  }
}

}  // namespace
}  // namespace pliant
