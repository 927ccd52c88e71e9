#include "solvers/simulation.h"

#include <gtest/gtest.h>

#include <vector>

namespace pliant {
namespace {

// Records where its steps begin and end.
class Clock final : public Simulation {
 public:
  Clock() : Simulation(std::make_shared<const Scene>()) {}
  std::vector<double> begins, ends;

 protected:
  StepOutcome DoAdvance(double) override {
    begins.push_back(time());
    ends.push_back(StepEnd());
    return {};
  }
  void DoObserve(Observation*) const override {}
  int DoStateSize() const override { return 0; }
  void DoSave(Eigen::Ref<Eigen::VectorXd>) const override {}
  void DoRestore(const Eigen::Ref<const Eigen::VectorXd>&) override {}
};

// Begin + step is a rounding off the next begin, one way or the other, in hundreds of these steps.
TEST(Simulation, AStepEndsExactlyWhereTheNextBegins) {
  Clock clock;
  for (double step : {0.01, 0.025, 1.0 / 60.0, 0.1}) {
    for (int i = 0; i < 500; ++i) clock.Advance(step);
  }
  const Eigen::VectorXd saved = clock.Save();
  clock.Restore(saved);
  clock.Advance(0.1);
  for (size_t i = 1; i < clock.begins.size(); ++i) {
    ASSERT_EQ(clock.ends[i - 1], clock.begins[i]) << "step " << i;
  }
}

}  // namespace
}  // namespace pliant
