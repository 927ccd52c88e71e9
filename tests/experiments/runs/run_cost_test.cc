// What a run is said to cost, against what it costs.

#include "experiments/runs/run_cost.h"

#include <gtest/gtest.h>

#include <cmath>

#include "solvers/cpu_clock.h"
#include "tests/experiments/bundles.h"

namespace pliant {
namespace {

// Takes up CPU time: of each step so many seconds.
class Burning : public FallingSimulation {
 public:
  Burning(std::shared_ptr<const Scene> scene, double (*seconds)(int))
      : FallingSimulation(std::move(scene), {}), seconds_(seconds) {}

 protected:
  StepOutcome DoAdvance(double step) override {
    const double end = CpuSeconds() + seconds_(step_++);
    while (CpuSeconds() < end) {
    }
    return FallingSimulation::DoAdvance(step);
  }

 private:
  double (*seconds_)(int);
  int step_ = 0;
};

// The cost of all steps, of which `seconds` says how long each takes, as it is estimated.
double Estimated(int steps, double (*seconds)(int)) {
  const ScratchFolder folder;
  Experiment experiment = FallingExperiment(folder, Falling("a"));
  experiment.plan.duration = steps * experiment.backends[0].step;
  Burning simulation(experiment.scene, seconds);
  const RunCost cost = EstimateCost(experiment, 0, &simulation);
  EXPECT_EQ(cost.steps, steps);
  return cost.step_seconds.value_or(0.0);
}

TEST(RunCost, OfLikeStepsIsTheirNumber) {
  EXPECT_NEAR(Estimated(2000, [](int) { return 1e-3; }), 2.0, 0.2);
}

TEST(RunCost, OfAllStepsIsTheirSum) {
  EXPECT_NEAR(Estimated(20, [](int step) { return step < 10 ? 1e-4 : 1e-3; }), 0.011, 0.002);
}

// As of sweeps that close gaps: next to none in free fall, then more with each step until they settle.
TEST(RunCost, OfStepsThatTakeLongerAndLongerIsThatOfLaterOnes) {
  const auto settling = [](int step) { return 1e-4 + 2e-3 * (1.0 - std::exp(-step / 60.0)); };
  double all = 0.0;
  for (int step = 0; step < 3000; ++step) all += settling(step);
  EXPECT_NEAR(Estimated(3000, settling), all, 0.2 * all);
}

}  // namespace
}  // namespace pliant
