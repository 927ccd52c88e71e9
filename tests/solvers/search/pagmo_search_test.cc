// The searches of pagmo: they try what pagmo's own loop tries, to the bit; they find minima in closed form; and without pagmo they say so.

#include "solvers/search/pagmo_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "models/problem.h"
#include "solvers/search/inverted_loop.h"
#include "solvers/search/search_methods.h"
#include "tests/reference/complaints.h"
#include "tests/solvers/search/pagmo_loop.h"
#include "tests/solvers/search/valleys.h"

namespace pliant {
namespace {

using testing::HasSubstr;

const std::vector<std::string> kPopulations = {"pagmo-sade", "pagmo-de1220", "pagmo-cmaes",
                                               "pagmo-xnes", "pagmo-pso-gen"};

std::vector<std::string> WithAnnealing() {
  std::vector<std::string> all = kPopulations;
  all.emplace_back("pagmo-simulated-annealing");
  return all;
}

SearchHistory SearchOf(const std::string& method, const MotionNumbers& numbers,
                       const FunctionProblem::Function& function, int budget, std::uint64_t seed,
                       const ParameterValues& parameters = {}) {
  FunctionProblem problem(numbers, function);
  const auto search = FindSearchMethod(method)->Start(numbers, budget, seed, parameters);
  return RunSearch(search.get(), &problem, budget, {}, {});
}

TEST(InvertedLoop, AsksInTheOrderOfTheOptimiser) {
  InvertedLoop loop([](const InvertedLoop::Cost& cost) {
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) sum += cost({static_cast<double>(i), sum});
  });
  for (int i = 0; i < 3; ++i) {
    ASSERT_NE(loop.Asked(), nullptr);
    EXPECT_EQ(*loop.Asked(), (std::vector<double>{static_cast<double>(i), 10.0 * i}));
    loop.Answer(10.0);
  }
  EXPECT_EQ(loop.Asked(), nullptr);
}

TEST(InvertedLoop, PassesErrorsOnAndMayBeLeftAtAnyTime) {
  EXPECT_THROW(InvertedLoop([](const InvertedLoop::Cost&) {
                 throw BadInput({"", "no", ""});
               }),
               BadInput);
  InvertedLoop later([](const InvertedLoop::Cost& cost) {
    cost({1.0});
    throw BadInput({"", "later", ""});
  });
  EXPECT_THROW(later.Answer(0.0), BadInput);
  EXPECT_EQ(later.Asked(), nullptr);
  bool destroyed = false;
  {
    const InvertedLoop left([&](const InvertedLoop::Cost& cost) {
      struct Sentinel {
        bool* destroyed;
        ~Sentinel() { *destroyed = true; }
      } sentinel{&destroyed};
      while (true) cost({0.0});
    });
  }
  EXPECT_TRUE(destroyed);  // the optimiser's own objects, too
}

TEST(PagmoSearch, WhereItIsNotInTheBuildItSaysWhatToInstall) {
  if (HasPagmo()) GTEST_SKIP() << "this build has pagmo";
  EXPECT_THAT(reference::ComplaintOf([] { SearchOf("pagmo-sade", Box(2, 0, 1, 0.5), Bowl, 9, 1); }),
              HasSubstr("libpagmo-dev"));
}

// pagmo's own loop, without Pliant: the same points in the same order.
TEST(PagmoSearch, TriesWhatPagmosOwnLoopTries) {
  if (!HasPagmo()) GTEST_SKIP() << "this build has no pagmo";
  const MotionNumbers numbers = Box(3, -5.0, 5.0, 3.0);
  for (const std::string& method : WithAnnealing()) {
    for (const std::uint64_t seed : {std::uint64_t{1}, std::uint64_t{1} << 40}) {
      const SearchHistory history = SearchOf(method, numbers, Ripples, 500, seed);
      const std::vector<Eigen::VectorXd> tried = PagmoLoop(method, numbers, Ripples, 500, seed);
      ASSERT_GE(tried.size(), history.trials.size()) << method;
      ASSERT_EQ(history.trials.size(), 500u) << method;
      for (size_t t = 0; t < history.trials.size(); ++t) {
        ASSERT_EQ(history.trials[t].numbers, tried[t]) << method << ", trial " << t;
      }
    }
  }
}

// |x − (1, 2, 3)|² is least at (1, 2, 3).
TEST(PagmoSearch, FindsTheMinimumOfABowl) {
  if (!HasPagmo()) GTEST_SKIP() << "this build has no pagmo";
  for (const std::string& method : kPopulations) {
    for (const std::uint64_t seed : {1, 2, 3}) {
      EXPECT_LT(SearchOf(method, Box(3, -5.0, 5.0, -4.0), Bowl, 6000, seed).Best()->score.cost,
                1e-6)
          << method << " " << seed;
    }
  }
  for (const std::uint64_t seed : {1, 2, 3}) {
    const ParameterValues cold = {{"start_temperature", 1.0}, {"end_temperature", 1e-6}};
    EXPECT_LT(SearchOf("pagmo-simulated-annealing", Box(3, -5.0, 5.0, -4.0), Bowl, 6000, seed, cold)
                  .Best()
                  ->score.cost,
              1e-2);
  }
}

// A temperature is recorded by those that have one to show: pagmo keeps its own to itself.
TEST(PagmoSearch, RecordsNoTemperatureAndNoAcceptance) {
  if (!HasPagmo()) GTEST_SKIP() << "this build has no pagmo";
  const SearchHistory history =
      SearchOf("pagmo-simulated-annealing", Box(2, -5.0, 5.0, 3.0), Ripples, 50, 1);
  for (const Trial& trial : history.trials) {
    EXPECT_FALSE(trial.temperature);
    EXPECT_FALSE(trial.acceptance);
  }
}

TEST(PagmoSearch, RefusesWhatPagmoWould) {
  if (!HasPagmo()) GTEST_SKIP() << "this build has no pagmo";
  const auto refused = [](const std::string& method, const ParameterValues& parameters,
                          const std::string& what) {
    reference::ExpectBadInput(
        what, [&] { SearchOf(method, Box(2, 0.0, 1.0, 0.5), Bowl, 10, 1, parameters); });
  };
  refused("pagmo-sade", {{"population", std::int64_t{6}}}, "population");
  refused("pagmo-xnes", {{"step_size", 1.5}}, "step_size");
  refused("pagmo-simulated-annealing", {{"end_temperature", 10.0}}, "end_temperature");
}

}  // namespace
}  // namespace pliant
