// Motion synthesis as the thesis measures it [Faloutsos 1995, Sec. 5.2]: 60 trials of 1200 steps, a
// table of 11 points with 4 modes on the ground, there 0.12 s of CPU time for each trial. A trial
// is timed as a whole: numbers into the controller, translation, run, cost. Then restarts, against
// the number of threads. Each repetition restarts the search and must find the same best cost as
// the first.

#include <benchmark/benchmark.h>

#include <optional>
#include <string>

#include "experiments/searches/run_searches.h"
#include "solvers/search/restarts.h"

namespace pliant {
namespace {

SearchPlan Bounding(int restarts) {
  return ReadSearchPlan(ReadExperiment(PLIANT_SOURCE_DIR
                                       "/experiments/faloutsos-1995/faloutsos-bounding-speed.toml",
                                       {"optimize.restarts=" + std::to_string(restarts),
                                        "run.duration=1.2", "run.record_every=0.1"}));
}

void Search(benchmark::State& state, int restarts, int threads) {
  const SearchPlan plan = Bounding(restarts);
  const MotionNumbers numbers = plan.Problem()->numbers();
  std::vector<Restart> searches;
  for (const SearchChoice& choice : plan.searches) {
    searches.push_back(
        {[&] { return choice.method->Start(numbers, plan.trials, choice.seed, choice.parameters); },
         plan.trials,
         {}});
  }
  std::optional<double> best;
  for (auto _ : state) {
    const auto histories = RunRestarts(searches, [&] { return plan.Problem(); }, threads, {});
    const auto place = BestOf(histories);
    const double cost = place ? histories[place->search].trials[place->trial].score.cost : -1.0;
    if (cost < 0.0 || cost != best.value_or(cost)) {
      state.SkipWithError("another best motion than at first, or none");
    }
    best = cost;
  }
  state.counters["trial"] =
      benchmark::Counter(static_cast<double>(state.iterations() * plan.trials * restarts),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void ThesisExperiment(benchmark::State& state) { Search(state, 1, 1); }
BENCHMARK(ThesisExperiment)->Unit(benchmark::kMillisecond);

void Restarts(benchmark::State& state) { Search(state, 8, static_cast<int>(state.range(0))); }
BENCHMARK(Restarts)
    ->ArgName("threads")
    ->Arg(1)
    ->Arg(2)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

}  // namespace
}  // namespace pliant
