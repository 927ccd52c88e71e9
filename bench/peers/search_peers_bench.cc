// Pliant's searches beside those of pagmo on the same motion problem, the jump that
// experiments/witkin-kass-1988/lamp-jump-search.toml searches: the same numbers within the same bounds from the same
// start, 2000 trials each, from eight seeds, in turn. Pliant has its own since a search has to be
// resumed trial by trial, and to make the same numbers on every machine; here is what that costs,
// or does not. Counters: best cost of a search, its median and quartiles over the seeds, how many
// landed where they should, and trials made by each.

#include <benchmark/benchmark.h>

#include <Eigen/Core>
#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <pagmo/algorithm.hpp>
#include <pagmo/algorithms/cmaes.hpp>
#include <pagmo/algorithms/de.hpp>
#include <pagmo/algorithms/sade.hpp>
#include <pagmo/population.hpp>
#include <pagmo/problem.hpp>
#include <string>
#include <utility>
#include <vector>

#include "experiments/files/experiment.h"
#include "experiments/searches/distribution.h"
#include "experiments/searches/run_searches.h"

namespace pliant {
namespace {

constexpr std::int64_t kTrials = 2000;
constexpr int kSeeds = 8;
constexpr unsigned kIndividuals = 20;  // 100 generations

// What a search has seen.
struct Seen {
  MotionProblem* problem;
  std::int64_t trials = 0;
  double cost = std::numeric_limits<double>::infinity();
  bool lands = false;

  double Try(const Eigen::VectorXd& numbers) {
    const MotionScore score = problem->Evaluate(numbers);
    ++trials;
    if (!score.failure.empty()) return 1e9;  // pagmo wants numbers
    if (score.cost < cost) {
      cost = score.cost;
      lands = score.violation == 0.0;
    }
    return score.cost;
  }
};

// As pagmo asks for it; copies look at the same.
struct PagmoProblem {
  Seen* seen = nullptr;

  pagmo::vector_double fitness(const pagmo::vector_double& x) const {
    return {seen->Try(Eigen::VectorXd::Map(x.data(), static_cast<Eigen::Index>(x.size())))};
  }
  std::pair<pagmo::vector_double, pagmo::vector_double> get_bounds() const {
    const MotionNumbers& numbers = seen->problem->numbers();
    return {{numbers.lower.begin(), numbers.lower.end()},
            {numbers.upper.begin(), numbers.upper.end()}};
  }
};

using PagmoMethod = std::function<pagmo::algorithm(unsigned generations, unsigned seed)>;

void ByPagmo(const PagmoMethod& method, unsigned seed, Seen* seen) {
  pagmo::population population{PagmoProblem{seen}, 0U, seed};
  const Eigen::VectorXd& start = seen->problem->numbers().start;
  population.push_back({start.begin(), start.end()});
  while (population.size() < kIndividuals)
    population.push_back(population.random_decision_vector());
  const auto generations = static_cast<unsigned>(kTrials / kIndividuals) - 1;
  method(generations, seed).evolve(population);
}

void ByPliant(const std::string& method, unsigned seed, Seen* seen) {
  const auto search =
      FindSearchMethod(method)->Start(seen->problem->numbers(), kTrials, seed, ParameterValues());
  const SearchHistory history = RunSearch(search.get(), seen->problem, kTrials, {}, {});
  seen->trials = static_cast<std::int64_t>(history.trials.size());
  const Trial* best = history.Best();
  if (best == nullptr) return;
  seen->cost = best->score.cost;
  seen->lands = best->score.violation == 0.0;
}

void Searches(benchmark::State& state, const std::function<void(unsigned, Seen*)>& search) {
  const SearchPlan plan = ReadSearchPlan(
      ReadExperiment(PLIANT_SOURCE_DIR "/experiments/witkin-kass-1988/lamp-jump-search.toml"));
  const auto problem = plan.Problem();
  std::vector<double> costs;
  int landed = 0;
  std::int64_t most = 0;
  for (auto _ : state) {
    Seen seen{problem.get()};
    search(static_cast<unsigned>(costs.size()) + 1, &seen);
    costs.push_back(seen.cost);
    landed += seen.lands;
    most = std::max(most, seen.trials);
  }
  if (most > kTrials) state.SkipWithError("it took more trials than it has");
  state.counters["lower_quartile"] = Quantile(costs, 0.25);
  state.counters["median"] = Quantile(costs, 0.5);
  state.counters["upper_quartile"] = Quantile(costs, 0.75);
  state.counters["landed"] = landed;
  state.counters["trials"] = static_cast<double>(most);
}

const bool kRegistered = [] {
  const auto add = [](const std::string& name, const std::function<void(unsigned, Seen*)>& search) {
    benchmark::RegisterBenchmark(name.c_str(), Searches, search)
        ->Iterations(kSeeds)
        ->Unit(benchmark::kMillisecond);
  };
  for (const char* method : {"cma-es", "differential-evolution", "annealing", "hill-climbing"}) {
    add(std::string("pliant/") + method,
        [method](unsigned seed, Seen* seen) { ByPliant(method, seed, seen); });
  }
  const std::vector<std::pair<std::string, PagmoMethod>> methods = {
      {"cmaes",
       [](unsigned generations, unsigned seed) {
         return pagmo::algorithm(pagmo::cmaes(generations, -1, -1, -1, -1, 0.5, 0.0, 0.0,
                                              /*memory=*/false, /*force_bounds=*/true, seed));
       }},
      {"de",
       [](unsigned generations, unsigned seed) {
         return pagmo::algorithm(pagmo::de(generations, 0.8, 0.9, 2U, 0.0, 0.0, seed));
       }},
      {"sade", [](unsigned generations, unsigned seed) {
         return pagmo::algorithm(
             pagmo::sade(generations, 2U, 1U, 0.0, 0.0, /*memory=*/false, seed));
       }}};
  for (const auto& [name, method] : methods) {
    add("pagmo/" + name,
        [method = method](unsigned seed, Seen* seen) { ByPagmo(method, seed, seen); });
  }
  return true;
}();

}  // namespace
}  // namespace pliant
