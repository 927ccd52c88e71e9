#include "solvers/search/annealing.h"

#include <gtest/gtest.h>

#include <cmath>

#include "models/problem.h"
#include "solvers/search/hill_climbing.h"
#include "tests/solvers/search/valleys.h"

namespace pliant {
namespace {

SearchHistory Anneal(const MotionNumbers& numbers, const FunctionProblem::Function& function,
                     int budget, std::uint64_t seed, const AnnealingOptions& options) {
  FunctionProblem problem(numbers, function);
  Annealing search(numbers, budget, seed, options);
  return RunSearch(&search, &problem, budget, {}, {});
}

TEST(AcceptanceProbability, IsMetropolis) {
  EXPECT_EQ(AcceptanceProbability(-1.0, 0.5), 1.0);
  EXPECT_EQ(AcceptanceProbability(0.0, 0.5), 1.0);
  EXPECT_EQ(AcceptanceProbability(0.0, 0.0), 1.0);
  EXPECT_DOUBLE_EQ(AcceptanceProbability(1.0, 0.5), std::exp(-2.0));
  EXPECT_EQ(AcceptanceProbability(1e-300, 0.0), 0.0);
  EXPECT_EQ(AcceptanceProbability(INFINITY, 1e300), 0.0);
  EXPECT_EQ(AcceptanceProbability(-INFINITY, 1.0), 1.0);
}

// A cost that rises by the same Δ in each trial that follows an acceptance: how often one is
// accepted must be e^(−Δ/T).
TEST(Annealing, AcceptsUphillMovesAsOftenAsTheTemperatureSays) {
  for (const double ratio : {0.1, 0.7, 2.0}) {  // Δ/T
    const AnnealingOptions options = {.initial_temperature = 4.0, .cooling_rate = 1.0};
    const MotionNumbers numbers = Box(2, 0.0, 1.0, 0.5);
    Annealing search(numbers, 1000000, 11, options);
    search.Ask();
    search.Tell(Score(0.0));
    constexpr int kCount = 20000;
    int accepted = 0;
    for (int i = 0; i < kCount; ++i) {
      search.Ask();
      search.Tell(Score(search.current_cost() + ratio * 4.0));
      accepted += search.accepted() ? 1 : 0;
    }
    const double p = std::exp(-ratio);
    EXPECT_NEAR(accepted, kCount * p, 4.0 * std::sqrt(kCount * p * (1.0 - p))) << ratio;
  }
}

// The record says with which probability each trial was to be accepted, and why it was or was not.
TEST(Annealing, SaysWhyATrialWasAccepted) {
  const AnnealingOptions options = {
      .estimation_trials = 2, .initial_acceptance = 0.25, .cooling_rate = 1.0};
  Annealing search(Box(2, 0.0, 1.0, 0.5), 100, 3, options);
  MotionScore failed = Score(0.0);
  failed.failure = "diverged";
  const auto told = [&](const MotionScore& score) {
    search.Ask();
    search.Tell(score);
    return search.decision();
  };
  EXPECT_EQ(told(Score(10.0)), Decision::kStart);
  EXPECT_FALSE(search.acceptance());
  EXPECT_EQ(told(Score(14.0)), Decision::kNoChance);
  EXPECT_EQ(search.acceptance(), 0.0);
  EXPECT_EQ(told(Score(10.0)), Decision::kNotWorse);
  EXPECT_EQ(search.acceptance(), 1.0);
  int by_chance = 0, worse = 0;
  for (int i = 0; i < 4000; ++i) {
    const Decision decision = told(Score(search.current_cost() + 4.0));  // the difference it knows
    by_chance += decision == Decision::kByChance ? 1 : 0;
    worse += decision == Decision::kWorse ? 1 : 0;
    EXPECT_DOUBLE_EQ(*search.acceptance(), 0.25);
    EXPECT_EQ(search.accepted(), decision == Decision::kByChance);
  }
  EXPECT_EQ(by_chance + worse, 4000);
  EXPECT_NEAR(by_chance, 1000, 4 * std::sqrt(4000 * 0.25 * 0.75));
  EXPECT_EQ(told(failed), Decision::kFailed);
  EXPECT_EQ(search.acceptance(), 0.0);
}

TEST(Annealing, ADescentHasNoChance) {
  FunctionProblem problem(Box(3, -5.0, 5.0, -4.0), Bowl);
  HillClimbing descent(problem.numbers(), 1, {});
  for (const Trial& trial : RunSearch(&descent, &problem, 50, {}, {}).trials) {
    EXPECT_FALSE(trial.acceptance);
    EXPECT_NE(trial.decision, Decision::kByChance);
    EXPECT_NE(trial.decision, Decision::kNoChance);
  }
}

// At a fixed temperature the visited states have the distribution of Boltzmann: on two levels of
// equal width, e^(−Δ/T) to 1.
TEST(Annealing, VisitsStatesByBoltzmann) {
  const AnnealingOptions options = {.initial_temperature = 0.5,
                                    .cooling_rate = 1.0,
                                    .steps = AnnealingOptions::Steps::kUniform,
                                    .step_size = 1.0};
  constexpr int kCount = 40000;
  const SearchHistory history = Anneal(
      Box(1, 0.0, 1.0, 0.25),
      [](const Eigen::VectorXd& x) { return Score(x[0] < 0.5 ? 0.0 : 0.6); }, kCount, 5, options);
  int upper = 0;
  for (const Trial& trial : history.trials) upper += trial.current_cost > 0.3 ? 1 : 0;
  const double p = std::exp(-1.2) / (1.0 + std::exp(-1.2));
  EXPECT_NEAR(static_cast<double>(upper) / kCount, p, 0.012);  // neighbours are correlated
}

TEST(Annealing, FindsTheBottomOfABowl) {
  const AnnealingOptions options = {.cooling_rate = 0.99};
  const SearchHistory history = Anneal(Box(3, -5.0, 5.0, -4.0), Bowl, 3000, 1, options);
  const Trial* best = history.Best();
  ASSERT_NE(best, nullptr);
  EXPECT_LT((best->numbers - Eigen::Vector3d(1.0, 2.0, 3.0)).norm(), 0.35);
  EXPECT_LT(best->score.cost, 0.1);
}

// What annealing is for: a descent from (3.05, 3.05) stays in that valley, the annealing leaves it.
TEST(Annealing, LeavesValleysThatDescentStaysIn) {
  const MotionNumbers numbers = Box(2, -5.0, 5.0, 3.05);
  const HillClimbingOptions small_steps = {.step_size = 0.01};
  const AnnealingOptions options = {
      .initial_temperature = 10.0, .cooling_rate = 0.998, .step_size = 0.06};
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    FunctionProblem problem(numbers, Ripples);
    HillClimbing descent(numbers, seed, small_steps);
    const double stuck = RunSearch(&descent, &problem, 4000, {}, {}).Best()->score.cost;
    EXPECT_GT(stuck, 10.0) << seed;
    const SearchHistory history = Anneal(numbers, Ripples, 4000, seed, options);
    EXPECT_LT(history.Best()->score.cost, 1.5) << seed;
  }
}

TEST(Annealing, CoolsGeometrically) {
  const AnnealingOptions options = {.initial_temperature = 8.0, .cooling_rate = 0.5};
  const SearchHistory history = Anneal(Box(2, 0.0, 1.0, 0.5), Bowl, 5, 1, options);
  EXPECT_FALSE(history.trials[0].temperature);  // the start is not decided on
  EXPECT_EQ(history.trials[1].temperature, 8.0);
  EXPECT_EQ(history.trials[2].temperature, 4.0);
  EXPECT_EQ(history.trials[4].temperature, 1.0);
}

TEST(Annealing, CoolsLinearlyToTheEndOfTheBudget) {
  const AnnealingOptions options = {.initial_temperature = 8.0,
                                    .cooling = AnnealingOptions::Cooling::kLinear};
  const SearchHistory history = Anneal(Box(2, 0.0, 1.0, 0.5), Bowl, 9, 1, options);
  for (int i = 1; i < 9; ++i) EXPECT_DOUBLE_EQ(*history.trials[i].temperature, 9.0 - i) << i;
}

// What is left after the estimate is cooled by equal parts, to 0 and no further.
TEST(Annealing, CoolsLinearlyFromTheEstimateOn) {
  const AnnealingOptions options = {.estimation_trials = 4,
                                    .cooling = AnnealingOptions::Cooling::kLinear};
  constexpr int kBudget = 15;
  Annealing search(Box(2, 0.0, 1.0, 0.5), kBudget, 1, options);
  std::vector<double> temperatures;
  for (int i = 0; i < kBudget + 3; ++i) {
    search.Ask();
    search.Tell(Score(i % 2));
    if (search.temperature()) temperatures.push_back(*search.temperature());
  }
  ASSERT_EQ(temperatures.size(), static_cast<size_t>(kBudget - 5 + 3));
  for (size_t i = 0; i < temperatures.size(); ++i) {
    EXPECT_NEAR(temperatures[i],
                temperatures[0] * std::max(0.0, 1.0 - 0.1 * static_cast<double>(i)), 1e-12);
    EXPECT_GE(temperatures[i], 0.0);
  }
  EXPECT_GT(temperatures[0], 0.0);
}

TEST(Annealing, TrialsAfterItWasFrozenAreOfAnotherSearch) {
  AnnealingOptions options = {.initial_temperature = 8.0};
  const MotionNumbers numbers = Box(2, 0.0, 1.0, 0.5);
  const SearchHistory longer = Anneal(numbers, Bowl, 8, 1, options);
  options.frozen_temperature = 7.0;
  FunctionProblem problem(numbers, Bowl);
  Annealing search(numbers, 8, 1, options);
  EXPECT_THROW(RunSearch(&search, &problem, 8, longer.trials, {}), BadInput);
}

TEST(Annealing, PlateausAreNotInTheEstimate) {
  const AnnealingOptions options = {.estimation_trials = 4, .initial_acceptance = 0.5};
  Annealing search(Box(2, 0.0, 1.0, 0.5), 100, 1, options);
  for (const double cost : {10.0, 7.0, 7.0, 7.0, 7.0, 7.0}) {
    search.Ask();
    search.Tell(Score(cost));
  }
  EXPECT_DOUBLE_EQ(AcceptanceProbability(3.0, *search.temperature()), 0.5);
}

TEST(Annealing, APenalisedStartIsNotInTheEstimate) {
  const AnnealingOptions options = {.estimation_trials = 2, .initial_acceptance = 0.5};
  Annealing search(Box(2, 0.0, 1.0, 0.5), 100, 1, options);
  MotionScore penalised = Score(1e6);
  penalised.violation = 1.0;
  for (const MotionScore& score : {penalised, Score(10.0), Score(7.0), Score(7.0)}) {
    search.Ask();
    search.Tell(score);
  }
  EXPECT_DOUBLE_EQ(AcceptanceProbability(3.0, *search.temperature()), 0.5);
}

TEST(Annealing, EndsWhenFrozen) {
  const AnnealingOptions options = {
      .initial_temperature = 8.0, .cooling_rate = 0.5, .frozen_temperature = 1.0};
  const SearchHistory history = Anneal(Box(2, 0.0, 1.0, 0.5), Bowl, 100, 1, options);
  EXPECT_EQ(history.trials.size(), 4u);  // the start, then at 8, 4, 2
  EXPECT_FALSE(history.cancelled);
}

// During the estimate the search goes downhill only; then the median |Δ| to and from what was the
// current one is accepted with the probability asked for. Penalised and failed trials do not count.
TEST(Annealing, EstimatesTheTemperatureFromTheMedianDifference) {
  const AnnealingOptions options = {.estimation_trials = 6, .initial_acceptance = 0.2};
  const MotionNumbers numbers = Box(2, 0.0, 1.0, 0.5);
  Annealing search(numbers, 100, 1, options);
  MotionScore penalised = Score(1e9);
  penalised.violation = 1.0;
  MotionScore failed = Score(0.0);
  failed.failure = "diverged";
  const std::vector<MotionScore> told = {Score(10.0), Score(13.0), penalised, Score(8.0),
                                         failed,      Score(9.0),  Score(8.0)};
  for (const MotionScore& score : told) {
    EXPECT_FALSE(search.temperature());
    search.Ask();
    search.Tell(score);
    EXPECT_EQ(search.accepted(), score.cost <= search.current_cost() && score.failure.empty());
  }
  EXPECT_EQ(search.current_cost(), 8.0);
  search.Ask();
  search.Tell(Score(100.0));
  // Differences 3 (13 from 10), 2 (8 from 10), 1 (9 from 8); 8 from 8 says nothing.
  ASSERT_TRUE(search.temperature());
  EXPECT_DOUBLE_EQ(AcceptanceProbability(2.0, *search.temperature()), 0.2);
}

// As of a jump that falls short: all first trials are penalised, and the scale is theirs until
// differences without a penalty are known.
TEST(Annealing, APenalisedStartIsAnnealedAndTheScaleOfTheCostTakesOver) {
  const AnnealingOptions options = {
      .estimation_trials = 3, .initial_acceptance = 0.5, .cooling_rate = 0.5};
  Annealing search(Box(1, 0.0, 1.0, 0.5), 100, 1, options);
  const auto tell = [&search](double cost, double violation) {
    MotionScore score = Score(cost);
    score.violation = violation;
    search.Ask();
    search.Tell(score);
    return search.temperature();
  };
  for (const double cost : {900.0, 800.0, 600.0, 500.0}) EXPECT_FALSE(tell(cost, 1.0));
  const auto at_first = tell(400.0, 1.0);
  ASSERT_TRUE(at_first);
  EXPECT_DOUBLE_EQ(AcceptanceProbability(100.0, *at_first), 0.5) << "of 100, 200, 100";
  EXPECT_DOUBLE_EQ(*tell(10.0, 0.0), 0.5 * *at_first);  // from a penalised one: no scale
  for (const double cost : {9.0, 7.0, 6.0}) EXPECT_GT(tell(cost, 0.0), 0.0);
  EXPECT_DOUBLE_EQ(AcceptanceProbability(1.0, *tell(5.0, 0.0)), 0.5) << "of 1, 2, 1";
  EXPECT_DOUBLE_EQ(AcceptanceProbability(0.5, *tell(4.0, 0.0)), 0.5) << "and cooled";
}

TEST(Annealing, WithoutDifferencesThereIsNoTemperature) {
  const AnnealingOptions options = {.estimation_trials = 3};
  const SearchHistory history = Anneal(
      Box(1, 0.0, 1.0, 0.5), [](const Eigen::VectorXd&) { return Score(5.0); }, 50, 1, options);
  for (const Trial& trial : history.trials) EXPECT_FALSE(trial.temperature);
}

TEST(Annealing, MovesAsManyNumbersAsItIsTold) {
  for (const int moved : {0, 1, 3, 99}) {
    AnnealingOptions options = {.moved_numbers = moved};
    options.initial_temperature = 1e-9;  // stays at the start, which is the least
    const SearchHistory history = Anneal(
        Box(5, -1.0, 1.0, 0.0), [](const Eigen::VectorXd& x) { return Score(x.norm()); }, 200, 2,
        options);
    Eigen::VectorXi touched = Eigen::VectorXi::Zero(5);
    for (size_t t = 1; t < history.trials.size(); ++t) {
      const Eigen::VectorXd& x = history.trials[t].numbers;
      EXPECT_EQ((x.array() != 0.0).count(), moved == 0 || moved == 99 ? 5 : moved);
      touched += (x.array() != 0.0).cast<int>().matrix();
    }
    const double expected = 199.0 * (moved == 0 || moved == 99 ? 5 : moved) / 5.0;
    for (int k : touched) EXPECT_NEAR(k, expected, 40.0);
  }
}

TEST(Annealing, StepsAreAPartOfTheWidthOfTheBounds) {
  AnnealingOptions options = {.initial_temperature = 1e-9, .step_size = 0.1};
  MotionNumbers numbers = Box(2, -1.0, 1.0, 0.0);
  numbers.lower[1] = -100.0;
  numbers.upper[1] = 100.0;
  const auto cost = [](const Eigen::VectorXd& x) { return Score(x.norm()); };
  for (const auto steps : {AnnealingOptions::Steps::kUniform, AnnealingOptions::Steps::kNormal}) {
    options.steps = steps;
    const bool uniform = steps == AnnealingOptions::Steps::kUniform;
    constexpr int kCount = 4000;
    const SearchHistory history = Anneal(numbers, cost, kCount, 2, options);
    Eigen::Array2d square = Eigen::Array2d::Zero();
    double largest = 0.0;
    for (size_t t = 1; t < history.trials.size(); ++t) {
      const Eigen::Array2d x = history.trials[t].numbers.array();
      square += x.square() / (kCount - 1);
      largest = std::max(largest, std::abs(x[0]));
    }
    const double variance = 0.2 * 0.2 * (uniform ? 1.0 / 3.0 : 1.0);
    EXPECT_NEAR(square[0] / variance, 1.0, 0.12);
    EXPECT_NEAR(square[1] / (1e4 * variance), 1.0, 0.12);
    EXPECT_EQ(largest <= 0.2, uniform);
  }
}

TEST(Annealing, TakesAnythingFiniteAfterAFailedStart) {
  const AnnealingOptions options = {.initial_temperature = 1.0};
  Annealing search(Box(1, 0.0, 1.0, 0.5), 100, 1, options);
  const MotionScore failed = {.failure = "diverged"};
  search.Ask();
  search.Tell(failed);
  EXPECT_EQ(search.current_cost(), INFINITY);
  search.Ask();
  search.Tell(failed);
  EXPECT_FALSE(search.accepted());
  search.Ask();
  search.Tell(Score(7.0));
  EXPECT_TRUE(search.accepted());
  EXPECT_EQ(search.best_cost(), 7.0);
  search.Ask();
  search.Tell(failed);
  EXPECT_FALSE(search.accepted());
  EXPECT_EQ(search.current_cost(), 7.0);
}

// The scale of a cost function is a scale of the temperature and of nothing else: rows 3 and 4 of
// [Faloutsos 1995, Table 5.1] are one function.
TEST(Annealing, ScalingTheCostScalesTheTemperature) {
  AnnealingOptions options;
  const auto quarter = [](const Eigen::VectorXd& x) { return Score(0.25 * Ripples(x).cost); };
  const MotionNumbers numbers = Box(2, -5.0, 5.0, 3.0);
  const SearchHistory a = Anneal(numbers, Ripples, 200, 3, options);
  const SearchHistory b = Anneal(numbers, quarter, 200, 3, options);
  for (size_t t = 0; t < a.trials.size(); ++t) {
    EXPECT_EQ(a.trials[t].numbers, b.trials[t].numbers) << t;
    EXPECT_EQ(a.trials[t].accepted, b.trials[t].accepted) << t;
  }
}

}  // namespace
}  // namespace pliant
