// What begins or ends does so exactly: timed forces give the same impulse in every formulation, whatever the step,
// and a scheme keeps its order across a force that begins and ends, a path that ends, and a nail that lets go.

#include <gtest/gtest.h>

#include <cmath>

#include "models/scene/metrics.h"
#include "tests/laws/subjects.h"

namespace pliant::laws {
namespace {

using Eigen::Vector3d;

class SwitchTimes : public testing::TestWithParam<Subject> {};
INSTANTIATE_TEST_SUITE_P(Backends, SwitchTimes, testing::ValuesIn(SubjectsWithInertia()),
                         [](const auto& info) { return Name(info.param); });

// A body at rest without gravity, pushed at its second point.
Scene Pushed(Matter matter, double from, double until) {
  Scene scene = Resting(matter);
  scene.gravity.setZero();
  scene.forces.push_back({"push", {0, 1}, Vector3d(0.0, 4.0, 0.0), from, until});
  return scene;
}

TEST_P(SwitchTimes, AForceGivesItsImpulseAtAnyStep) {
  if (GetParam().promises.momentum != Kept::kToRounding) GTEST_SKIP() << "promises no momentum";
  for (const double until : {0.02, 0.0205}) {
    const Scene scene = Pushed(GetParam().matter, 0.01, until);
    const double impulse = 4.0 * (until - 0.01);
    for (const double h : {0.001, 0.0025, 1.0 / 1024.0}) {
      const auto simulation = Start(GetParam(), scene);
      ASSERT_NE(simulation, nullptr);
      const Observation end =
          RunFor(simulation.get(), h, static_cast<int>(std::lround(0.025 / h)) + 1);
      EXPECT_NEAR(SumsOf(scene, end).momentum.y(), impulse, 1e-9 * impulse)
          << "until " << until << ", h = " << h;
    }
  }
}

// Distance between the ends of runs of the same length at h and at h/2 [m], for h = first, first/2, …
std::vector<double> Differences(const Subject& subject, const Scene& scene, double first) {
  constexpr int kSteps = 20, kRuns = 4;
  std::vector<double> differences;
  Eigen::Matrix3Xd before;
  for (int run = 0; run < kRuns; ++run) {
    const auto simulation = Start(subject, scene);
    const int refined = 1 << run;
    const Observation end = RunFor(simulation.get(), first / refined, kSteps * refined);
    if (run > 0) differences.push_back(DistanceBetween(end.points, before).rms);
    before = end.points;
  }
  return differences;
}

void ExpectOrder(const Subject& subject, const Scene& scene, double first) {
  const std::vector<double> differences = Differences(subject, scene, first);
  for (size_t i = 1; i < differences.size(); ++i) {
    if (differences[i] < 1e-13) continue;  // rounding
    const double order = std::log2(differences[i - 1] / differences[i]);
    EXPECT_GT(order, subject.promises.order - 0.4)
        << "between steps " << first / (1 << i) << " and " << first / (2 << i);
  }
}

TEST_P(SwitchTimes, AForceThatBeginsAndEndsKeepsTheOrder) {
  if (GetParam().promises.order < 2) GTEST_SKIP() << "any treatment keeps order 1";
  for (const double until : {0.12, 0.1234}) {  // at the end of a step, and within one
    Scene scene = Flying(GetParam().matter);
    scene.forces.push_back({"push", {0, 1}, Vector3d(0.3, 0.2, 0.0), 0.04, until});
    ExpectOrder(GetParam(), scene, 0.01);
  }
}

}  // namespace
}  // namespace pliant::laws
