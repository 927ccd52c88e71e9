// What the searches with a population are for.

#include <gtest/gtest.h>

#include <cmath>

#include "models/problem.h"
#include "solvers/search/search_methods.h"
#include "tests/reference/complaints.h"
#include "tests/solvers/search/valleys.h"

namespace pliant {
namespace {

SearchHistory Searched(const std::string& method, const MotionNumbers& numbers,
                       const FunctionProblem::Function& function, int budget, std::uint64_t seed,
                       const ParameterValues& parameters = {}) {
  FunctionProblem problem(numbers, function);
  const auto search = FindSearchMethod(method)->Start(numbers, budget, seed, parameters);
  return RunSearch(search.get(), &problem, budget, {}, {});
}

// A narrow valley across all axes: half axes from 1 to 1000, turned by Householder's reflection at
// (1, 2, …). Least at 0.7 in each number, where it is 0.
MotionScore Valley(const Eigen::VectorXd& x) {
  const auto n = x.size();
  Eigen::VectorXd mirror = Eigen::VectorXd::LinSpaced(n, 1.0, static_cast<double>(n));
  mirror.normalize();
  const Eigen::VectorXd z = x.array() - 0.7;
  const Eigen::VectorXd y = z - 2.0 * mirror.dot(z) * mirror;
  double sum = 0.0;
  for (Eigen::Index i = 0; i < n; ++i) {
    sum += std::pow(10.0, 6.0 * static_cast<double>(i) / static_cast<double>(n - 1)) * y[i] * y[i];
  }
  return Score(sum);
}

TEST(CmaEs, FollowsANarrowValleyThatStepsOfOneSizeCannot) {
  const MotionNumbers numbers = Box(5, -5.0, 5.0, 3.0);
  for (const std::uint64_t seed : {1, 2, 3}) {
    const double adapted = Searched("cma-es", numbers, Valley, 3000, seed).Best()->score.cost;
    const double round = Searched("hill-climbing", numbers, Valley, 3000, seed).Best()->score.cost;
    EXPECT_LT(adapted, 1e-10) << seed;
    EXPECT_GT(round, 1e-4) << seed;
  }
}

TEST(CmaEs, IsTheSameSearchInOtherUnits) {
  const MotionNumbers metres = Box(3, -5.0, 5.0, 3.0);
  MotionNumbers millimetres = metres;
  millimetres.lower *= 1000.0;
  millimetres.upper *= 1000.0;
  millimetres.start *= 1000.0;
  const auto scaled = [](const Eigen::VectorXd& x) { return Valley(x / 1000.0); };
  const SearchHistory a = Searched("cma-es", metres, Valley, 200, 5);
  const SearchHistory b = Searched("cma-es", millimetres, scaled, 200, 5);
  for (size_t t = 0; t < 200; ++t) {
    EXPECT_LT((1000.0 * a.trials[t].numbers - b.trials[t].numbers).norm(), 1e-6) << t;
  }
}

TEST(CmaEs, FindsWhatLiesOnABound) {
  const MotionNumbers numbers = Box(3, -5.0, 0.0, -2.0);  // 0.7 is beyond
  const auto bowl = [](const Eigen::VectorXd& x) {
    return Score((x.array() - 0.7).square().sum());
  };
  const SearchHistory history = Searched("cma-es", numbers, bowl, 1500, 1);
  EXPECT_NEAR(history.Best()->score.cost, 3 * 0.49, 1e-3);
}

TEST(CmaEs, AGenerationOfThreeIsTooSmall) {
  reference::ExpectBadInput("population", [&] {
    Searched("cma-es", Box(2, 0.0, 1.0, 0.5), Bowl, 10, 1, {{"population", std::int64_t{3}}});
  });
}

TEST(DifferentialEvolution, LeavesTheValleyItStartsIn) {
  const MotionNumbers numbers = Box(4, -5.0, 5.0, 3.0);
  for (const std::uint64_t seed : {1, 2, 3}) {
    const double evolved =
        Searched("differential-evolution", numbers, Ripples, 6000, seed).Best()->score.cost;
    const double descended =
        Searched("hill-climbing", numbers, Ripples, 6000, seed, {{"step_size", 0.02}})
            .Best()
            ->score.cost;
    EXPECT_LT(evolved, 1e-3) << seed;
    EXPECT_GT(descended, 1.0) << seed;
  }
}

TEST(DifferentialEvolution, ItsFirstGenerationIsTheStartAndAnEvenSpread) {
  const MotionNumbers numbers = Box(1, 0.0, 1.0, 0.5);
  const SearchHistory history = Searched("differential-evolution", numbers, Bowl, 20, 1);
  int low = 0;
  for (size_t t = 1; t < 20; ++t) low += history.trials[t].numbers[0] < 0.5 ? 1 : 0;
  EXPECT_GT(low, 3);
  EXPECT_LT(low, 16);
}

}  // namespace
}  // namespace pliant
