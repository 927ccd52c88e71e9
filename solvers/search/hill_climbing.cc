#include "solvers/search/hill_climbing.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pliant {
namespace {

// A success and four failures leave the step unchanged.
constexpr double kGrowth = 1.5;
const double kShrinkage = std::pow(kGrowth, -0.25);
constexpr double kLargestStep = 1.0;

}  // namespace

void HillClimbingOptions::Bind(ParameterBinder& b) {
  b.Real("step_size", &step_size, "1", Between(1e-12, 1.0),
         "initial standard deviation of a move, divided by the width of the bounds");
}

HillClimbing::HillClimbing(MotionNumbers numbers, std::uint64_t seed,
                           const HillClimbingOptions& options)
    : Search(std::move(numbers)), random_(seed), step_size_(options.step_size) {}

void HillClimbing::DoAsk(Eigen::VectorXd* next) {
  for (Eigen::Index i = 0; i < next->size(); ++i) {
    (*next)[i] += step_size_ * random_.Normal() * (numbers().upper[i] - numbers().lower[i]);
  }
}

bool HillClimbing::DoAccept(double cost, bool /*feasible*/) {
  step_size_ = std::min(step_size_ * (cost < current_cost() ? kGrowth : kShrinkage), kLargestStep);
  return cost <= current_cost();
}

}  // namespace pliant
