// Problems with known answers for the tests of searches.

#ifndef PLIANT_TESTS_SOLVERS_SEARCH_VALLEYS_H_
#define PLIANT_TESTS_SOLVERS_SEARCH_VALLEYS_H_

#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "solvers/search/motion_problem.h"

namespace pliant {

// Any function of numbers as a motion problem; its one term is the cost.
class FunctionProblem final : public MotionProblem {
 public:
  using Function = std::function<MotionScore(const Eigen::VectorXd&)>;

  FunctionProblem(MotionNumbers numbers, Function function)
      : numbers_(std::move(numbers)), function_(std::move(function)) {}

  const MotionNumbers& numbers() const override { return numbers_; }
  const std::vector<std::string>& terms() const override { return terms_; }
  MotionScore Evaluate(const Eigen::VectorXd& numbers) override {
    ++evaluations;
    return function_(numbers);
  }

  int evaluations = 0;

 private:
  MotionNumbers numbers_;
  std::vector<std::string> terms_ = {"value"};
  Function function_;
};

inline MotionScore Score(double cost) { return {.cost = cost, .terms = {cost}}; }

// `count` numbers in [lower, upper], all starting at `start`.
inline MotionNumbers Box(int count, double lower, double upper, double start) {
  MotionNumbers numbers;
  for (int i = 0; i < count; ++i) numbers.names.push_back("x" + std::to_string(i));
  numbers.lower = Eigen::VectorXd::Constant(count, lower);
  numbers.upper = Eigen::VectorXd::Constant(count, upper);
  numbers.start = Eigen::VectorXd::Constant(count, start);
  return numbers;
}

// |x − (1, 2, …)|²: least at (1, 2, …), where it is 0.
inline MotionScore Bowl(const Eigen::VectorXd& x) {
  double sum = 0.0;
  for (Eigen::Index i = 0; i < x.size(); ++i) sum += std::pow(x[i] - static_cast<double>(i + 1), 2);
  return Score(sum);
}

// x² in each number, with ripples that make each whole number a valley of its own: least at 0,
// where it is 0 [Rastrigin 1974].
inline MotionScore Ripples(const Eigen::VectorXd& x) {
  double sum = 0.0;
  for (double v : x) sum += v * v + 3.0 * (1.0 - std::cos(2.0 * std::numbers::pi * v));
  return Score(sum);
}

}  // namespace pliant

#endif  // PLIANT_TESTS_SOLVERS_SEARCH_VALLEYS_H_
