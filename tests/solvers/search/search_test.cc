// What holds for every search of the table.

#include "solvers/search/search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "models/problem.h"
#include "solvers/cpu_clock.h"
#include "solvers/search/hill_climbing.h"
#include "solvers/search/pagmo_search.h"
#include "solvers/search/random_stream.h"
#include "solvers/search/search_methods.h"
#include "tests/reference/complaints.h"
#include "tests/solvers/search/valleys.h"

namespace pliant {
namespace {

using testing::HasSubstr;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

void ExpectSame(const Trial& a, const Trial& b) {
  EXPECT_EQ(a.numbers, b.numbers);
  EXPECT_EQ(a.score.cost, b.score.cost);
  EXPECT_EQ(a.score.terms, b.score.terms);
  EXPECT_EQ(a.score.failure, b.score.failure);
  EXPECT_EQ(a.accepted, b.accepted);
  EXPECT_EQ(a.current_cost, b.current_cost);
  EXPECT_EQ(a.best_cost, b.best_cost);
  EXPECT_EQ(a.temperature, b.temperature);
}

class EverySearch : public testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Search> Start(const MotionNumbers& numbers, int budget, std::uint64_t seed) {
    return FindSearchMethod(GetParam())->Start(numbers, budget, seed, {});
  }
  SearchHistory Run(const MotionNumbers& numbers, const FunctionProblem::Function& function,
                    int budget, std::uint64_t seed, std::span<const Trial> past = {},
                    const SearchHooks& hooks = {}) {
    FunctionProblem problem(numbers, function);
    const auto search = Start(numbers, budget, seed);
    return RunSearch(search.get(), &problem, budget, past, hooks);
  }
};

TEST_P(EverySearch, BeginsWithTheStartAndKeepsWithinTheBounds) {
  MotionNumbers numbers = Box(3, -1.0, 2.0, 1.9);
  const SearchHistory history = Run(numbers, Bowl, 500, 1);
  ASSERT_EQ(history.trials.size(), 500u);
  EXPECT_EQ(history.trials[0].numbers, numbers.start);
  EXPECT_TRUE(history.trials[0].accepted);
  for (const Trial& trial : history.trials) {
    EXPECT_TRUE((trial.numbers.array() >= -1.0).all() && (trial.numbers.array() <= 2.0).all());
  }
}

TEST_P(EverySearch, SameSeedSameHistoryAndAnotherSeedAnother) {
  const MotionNumbers numbers = Box(2, -5.0, 5.0, 3.0);
  const SearchHistory a = Run(numbers, Ripples, 100, 7), b = Run(numbers, Ripples, 100, 7);
  ASSERT_EQ(a.trials.size(), b.trials.size());
  for (size_t t = 0; t < a.trials.size(); ++t) ExpectSame(a.trials[t], b.trials[t]);
  const SearchHistory c = Run(numbers, Ripples, 100, 8);
  for (size_t t = 1; t < c.trials.size(); ++t) EXPECT_NE(a.trials[t].numbers, c.trials[t].numbers);
}

TEST_P(EverySearch, NeverLosesTheBest) {
  const SearchHistory history = Run(Box(2, -5.0, 5.0, 3.0), Ripples, 300, 4);
  double best = INFINITY;
  for (const Trial& trial : history.trials) {
    best = std::min(best, trial.score.cost);
    EXPECT_EQ(trial.best_cost, best);
    EXPECT_GE(trial.current_cost, best);
  }
  EXPECT_EQ(history.Best()->score.cost, best);
  EXPECT_LT(best, history.trials[0].score.cost);
}

TEST_P(EverySearch, ResumesBitForBit) {
  const MotionNumbers numbers = Box(3, -5.0, 5.0, 3.0);
  const SearchHistory whole = Run(numbers, Ripples, 120, 9);
  for (const size_t cut : {1u, 5u, 60u, 120u}) {
    FunctionProblem problem(numbers, Ripples);
    const auto search = Start(numbers, 120, 9);
    const SearchHistory resumed =
        RunSearch(search.get(), &problem, 120, std::span(whole.trials).first(cut), {});
    EXPECT_EQ(problem.evaluations, 120 - static_cast<int>(cut));
    ASSERT_EQ(resumed.trials.size(), 120u);
    for (size_t t = 0; t < 120; ++t) ExpectSame(resumed.trials[t], whole.trials[t]);
  }
}

// A problem that takes its time: two milliseconds of computing for each trial.
MotionScore Slow(const Eigen::VectorXd& x) {
  const double start = CpuSeconds();
  while (CpuSeconds() - start < 2e-3) {
  }
  return Bowl(x);
}

// However fast a method asks, it gets not one trial beyond its budget, of trials or of seconds.
TEST_P(EverySearch, NoTrialBeginsAfterTheBudget) {
  const MotionNumbers numbers = Box(3, -5.0, 5.0, 3.0);
  constexpr double kBudget = 0.1;
  SearchHooks hooks = {.seconds = kBudget};
  const SearchHistory timed = Run(numbers, Slow, 1000, 9, {}, hooks);
  ASSERT_GE(timed.trials.size(), 2u);
  EXPECT_LE(timed.trials.size(), 51u);
  EXPECT_FALSE(timed.cancelled);
  for (size_t t = 0; t + 1 < timed.trials.size(); ++t) {
    EXPECT_LT(timed.trials[t].seconds, kBudget);
    EXPECT_LT(timed.trials[t].seconds, timed.trials[t + 1].seconds);
  }
  EXPECT_GE(timed.trials.back().seconds, kBudget);
  // Remembered trials have used up their share, and all of it leaves none.
  const SearchHistory resumed = Run(numbers, Slow, 1000, 9, timed.trials, hooks);
  EXPECT_EQ(resumed.trials.size(), timed.trials.size());
  hooks.seconds = 1e3;
  EXPECT_EQ(Run(numbers, Bowl, 120, 9, {}, hooks).trials.size(), 120u);
}

// A trial is an evaluation, whatever a method makes of it: populations that do not fit are cut off.
TEST_P(EverySearch, EvaluatesAsOftenAsItsBudgetAndNotOnceMore) {
  for (const int budget : {1, 2, 7, 50}) {
    int evaluations = 0;
    const auto counted = [&](const Eigen::VectorXd& x) {
      ++evaluations;
      return Bowl(x);
    };
    const SearchHistory history = Run(Box(3, -5.0, 5.0, 3.0), counted, budget, 4);
    EXPECT_EQ(evaluations, budget);
    EXPECT_EQ(history.trials.size(), static_cast<size_t>(budget));
  }
}

TEST_P(EverySearch, RefusesToResumeAnotherSearch) {
  const MotionNumbers numbers = Box(3, -5.0, 5.0, 3.0);
  const SearchHistory other = Run(numbers, Ripples, 10, 1);
  EXPECT_THAT(reference::ComplaintOf([&] { Run(numbers, Ripples, 20, 2, other.trials); }),
              HasSubstr("another search, from trial 2"));
}

TEST_P(EverySearch, FailedTrialsAreInfinitelyBad) {
  const auto half = [](const Eigen::VectorXd& x) {
    if (x[0] < 0.0) {
      MotionScore failed = Score(-1000.0);  // whatever it says
      failed.failure = "diverged at step 7";
      return failed;
    }
    if (x[1] < 0.0) return Score(kNan);
    if (x[1] > 4.0) return Score(-INFINITY);
    return Bowl(x);
  };
  const SearchHistory history = Run(Box(2, -5.0, 5.0, 3.0), half, 400, 3);
  int failed = 0;
  for (size_t t = 1; t < history.trials.size(); ++t) {
    const Trial& trial = history.trials[t];
    const bool bad = trial.numbers[0] < 0.0 || trial.numbers[1] < 0.0 || trial.numbers[1] > 4.0;
    failed += bad ? 1 : 0;
    EXPECT_FALSE(bad && trial.accepted);
    EXPECT_TRUE(std::isfinite(trial.current_cost));
    EXPECT_TRUE(std::isfinite(trial.best_cost));
  }
  EXPECT_GT(failed, 0);
  EXPECT_GE(history.Best()->numbers[0], 0.0);
  EXPECT_GE(history.Best()->numbers[1], 0.0);
}

TEST_P(EverySearch, HasNoBestWhenAllFailed) {
  const auto fail = [](const Eigen::VectorXd&) { return Score(kNan); };
  const SearchHistory history = Run(Box(2, -5.0, 5.0, 3.0), fail, 20, 3);
  EXPECT_EQ(history.Best(), nullptr);
  EXPECT_EQ(history.trials.back().best_cost, INFINITY);
}

TEST_P(EverySearch, StopsBetweenTrialsAndSaysSo) {
  std::stop_source stop;
  SearchHooks hooks = {.stop = stop.get_token()};
  int seen = 0;
  hooks.on_trial = [&](const Trial&) {
    if (++seen == 12) stop.request_stop();
  };
  const SearchHistory history = Run(Box(2, -5.0, 5.0, 3.0), Ripples, 100, 3, {}, hooks);
  EXPECT_TRUE(history.cancelled);
  EXPECT_EQ(history.trials.size(), 12u);
}

TEST_P(EverySearch, WandersWhereAllCostsAreEqual) {
  const auto flat = [](const Eigen::VectorXd&) { return Score(3.0); };
  const SearchHistory history = Run(Box(2, -5.0, 5.0, 3.0), flat, 40, 6);
  for (const Trial& trial : history.trials) EXPECT_TRUE(trial.accepted);
  EXPECT_EQ(history.Best(), history.trials.data());  // the first of the lowest cost
}

TEST_P(EverySearch, TheBestIsTheFirstOfTheLowestCost) {
  const auto search = Start(Box(1, 0.0, 1.0, 0.5), 10, 1);
  std::vector<Eigen::VectorXd> asked;
  for (const double cost : {5.0, 2.0, 2.0, 4.0}) {
    asked.push_back(search->Ask());
    search->Tell(Score(cost));
  }
  EXPECT_EQ(search->best(), asked[1]);
}

const std::vector<std::string> kOwn = {"annealing", "hill-climbing", "cma-es",
                                       "differential-evolution", "random-search"};
const std::vector<std::string> kOfPagmo = {"pagmo-sade",    "pagmo-de1220",
                                           "pagmo-cmaes",   "pagmo-xnes",
                                           "pagmo-pso-gen", "pagmo-simulated-annealing"};

std::vector<std::string> Joined(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

INSTANTIATE_TEST_SUITE_P(Methods, EverySearch,
                         testing::ValuesIn(HasPagmo() ? Joined(kOwn, kOfPagmo) : kOwn),
                         [](const auto& info) {
                           std::string name = info.param;
                           name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
                           return name;
                         });

TEST(SearchMethods, EveryOneIsHeldToTheRules) {
  std::vector<std::string> names;
  for (const SearchMethod* method : SearchMethods()) names.push_back(method->name());
  EXPECT_EQ(names, Joined(kOwn, kOfPagmo));
  EXPECT_EQ(FindSearchMethod("annealin"), nullptr);
}

TEST(RandomSearch, SpreadsItsTrialsEvenlyBetweenTheBounds) {
  const auto search = FindSearchMethod("random-search")->Start(Box(1, -3.0, 1.0, 0.0), 1, 2, {});
  search->Ask();
  search->Tell(Score(0.0));
  constexpr int kCount = 4000;
  std::array<int, 4> seen{};
  for (int i = 0; i < kCount; ++i) {
    ++seen[static_cast<size_t>(search->Ask()[0] + 3.0)];
    search->Tell(Score(0.0));
  }
  for (const int count : seen) EXPECT_NEAR(count, kCount / 4, 5.0 * std::sqrt(kCount * 3.0 / 16.0));
}

TEST(SearchMethods, RefuseWrongOptions) {
  const MotionNumbers numbers = Box(1, 0.0, 1.0, 0.5);
  const SearchMethod* annealing = FindSearchMethod("annealing");
  EXPECT_THROW(annealing->Start(numbers, 10, 1, {{"cooling_rate", 1.5}}), BadInput);
  EXPECT_THROW(annealing->Start(numbers, 10, 1, {{"cooling_rat", 0.5}}), BadInput);
  MotionNumbers outside = numbers;
  outside.start[0] = 2.0;
  EXPECT_THROW(annealing->Start(outside, 10, 1, {}), BadInput);
  MotionNumbers empty_range = numbers;
  empty_range.upper = empty_range.lower;
  EXPECT_THROW(annealing->Start(empty_range, 10, 1, {}), BadInput);
}

TEST(Reflect, FoldsAtBothBoundsAsOftenAsItTakes) {
  EXPECT_EQ(Reflect(0.3, 0.0, 1.0), 0.3);
  EXPECT_DOUBLE_EQ(Reflect(1.2, 0.0, 1.0), 0.8);
  EXPECT_DOUBLE_EQ(Reflect(-0.2, 0.0, 1.0), 0.2);
  EXPECT_NEAR(Reflect(5.3, 0.0, 1.0), 0.7, 1e-12);
  EXPECT_NEAR(Reflect(-7.25, -1.0, 1.0), 0.75, 1e-12);
  EXPECT_EQ(Reflect(1.0, 0.0, 1.0), 1.0);
}

// As an exact bound, whatever the rounding: a number beyond its limits would be refused.
TEST(Reflect, NeverLeavesTheBounds) {
  RandomStream random(20);
  for (int i = 0; i < 200000; ++i) {
    const double lower = random.Normal(), upper = lower + random.Uniform();
    const double far = lower + (upper - lower) * std::round(6.0 * random.Normal());
    for (const double value : {far, std::nextafter(far, 1e9), std::nextafter(far, -1e9)}) {
      const double folded = Reflect(value, lower, upper);
      ASSERT_TRUE(folded >= lower && folded <= upper) << lower << " " << upper << " " << value;
    }
  }
}

// One success in five keeps the size of the steps.
TEST(HillClimbing, AdaptsItsStepsToOneSuccessInFive) {
  const MotionNumbers numbers = Box(2, 0.0, 1.0, 0.5);
  HillClimbing search(numbers, 1, {0.1});
  search.Ask();
  search.Tell(Score(10.0));
  EXPECT_EQ(search.step_size(), 0.1);
  search.Ask();
  search.Tell(Score(9.0));
  EXPECT_GT(search.step_size(), 0.1);
  for (int i = 0; i < 4; ++i) {
    search.Ask();
    search.Tell(Score(20.0));
  }
  EXPECT_NEAR(search.step_size(), 0.1, 1e-12);
  search.Ask();
  search.Tell(Score(20.0));
  EXPECT_LT(search.step_size(), 0.1);
}

TEST(HillClimbing, TakesNoStepBeyondTheWidthAndShrinksOnAPlateau) {
  HillClimbing search(Box(2, 0.0, 1.0, 0.5), 1, {0.1});
  for (int i = 0; i < 30; ++i) {
    search.Ask();
    search.Tell(Score(-i));
  }
  EXPECT_EQ(search.step_size(), 1.0);
  search.Ask();
  search.Tell(Score(-29.0));  // as good as the current one: taken, but no success
  EXPECT_TRUE(search.accepted());
  EXPECT_LT(search.step_size(), 1.0);
}

TEST(HillClimbing, ConvergesOnABowl) {
  const MotionNumbers numbers = Box(3, -5.0, 5.0, -4.0);
  FunctionProblem problem(numbers, Bowl);
  HillClimbing search(numbers, 1, {0.1});
  const SearchHistory history = RunSearch(&search, &problem, 1500, {}, {});
  EXPECT_LT(history.Best()->score.cost, 1e-12);
}

}  // namespace
}  // namespace pliant
