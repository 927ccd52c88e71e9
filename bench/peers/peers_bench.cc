// The time of a step of the falling chain in every engine that is installed, interleaved at random,
// with the stretch and the error of energy that go with it.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "bench/peers/chain.h"

namespace pliant {

std::vector<ChainEngine>& ChainEngines() {
  static std::vector<ChainEngine> engines;
  return engines;
}

namespace {

constexpr int kWarm = 10;      // steps that fill caches and scratch memory, not timed
constexpr int kSteps = 200;    // of a timed pass
constexpr int kJudged = 1000;  // one second, for stretch and energy

struct Judgement {
  double stretch, energy_error;
  bool falls;
};

Judgement Judge(const ChainEngine& engine, int bars) {
  const std::unique_ptr<Chain> chain = engine.make(bars);
  const double start = chain->KineticEnergy() + chain->PotentialEnergy();
  double stretch = 0.0, kinetic = 0.0;
  for (int i = 0; i < kJudged; ++i) {
    chain->Step();
    if (i % 50 != 49) continue;
    stretch = std::max(stretch, chain->Stretch());
    kinetic = std::max(kinetic, chain->KineticEnergy());
  }
  const double end = chain->KineticEnergy() + chain->PotentialEnergy();
  return {stretch, std::abs(end - start) / kinetic, std::isfinite(end) && kinetic > 1e-3};
}

// Each pass times the same fall of a fresh chain; another was judged over one second.
void BM_Chain(benchmark::State& state, const ChainEngine& engine, int bars,
              const Judgement& judgement) {
  if (!judgement.falls) state.SkipWithError("does not fall");
  for (auto _ : state) {
    state.PauseTiming();
    std::unique_ptr<Chain> chain = engine.make(bars);
    for (int i = 0; i < kWarm; ++i) chain->Step();
    state.ResumeTiming();
    for (int i = 0; i < kSteps; ++i) chain->Step();
    state.PauseTiming();
    chain.reset();
    state.ResumeTiming();
  }
  using benchmark::Counter;
  state.counters["step"] = Counter(kSteps, Counter::kIsIterationInvariantRate | Counter::kInvert);
  state.counters["stretch"] = judgement.stretch;
  state.counters["energy_error"] = judgement.energy_error;
}

}  // namespace
}  // namespace pliant

int main(int argc, char** argv) {
  std::vector<char*> arguments(argv, argv + argc);
  char interleaved[] = "--benchmark_enable_random_interleaving=true";
  char repetitions[] = "--benchmark_repetitions=5";
  char aggregates[] = "--benchmark_report_aggregates_only=true";
  arguments.insert(arguments.begin() + 1, {interleaved, repetitions, aggregates});
  int count = static_cast<int>(arguments.size());
  for (int bars : {3, 30, 100, 1000}) {
    for (const pliant::ChainEngine& engine : pliant::ChainEngines()) {
      if (bars > engine.most_bars) continue;
      // Once, when it is first run, not again for each repetition.
      const auto judged = std::make_shared<std::optional<pliant::Judgement>>();
      benchmark::RegisterBenchmark((engine.name + "/" + std::to_string(bars)).c_str(),
                                   [&engine, bars, judged](benchmark::State& state) {
                                     if (!*judged) *judged = pliant::Judge(engine, bars);
                                     pliant::BM_Chain(state, engine, bars, **judged);
                                   })
          ->Unit(benchmark::kMicrosecond);
    }
  }
  benchmark::Initialize(&count, arguments.data());
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
