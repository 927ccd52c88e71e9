// The time of a step of the falling chain in every engine that is installed, interleaved at random,
// with the stretch and the error of energy that go with it.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
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

// Each pass times the same fall of a fresh chain; another is judged over one second.
void BM_Chain(benchmark::State& state, const ChainEngine& engine, int bars) {
  double stretch = 0.0, kinetic = 0.0;
  const std::unique_ptr<Chain> judged = engine.make(bars);
  const double start = judged->KineticEnergy() + judged->PotentialEnergy();
  for (int i = 0; i < kJudged; ++i) {
    judged->Step();
    if (i % 50 != 49) continue;
    stretch = std::max(stretch, judged->Stretch());
    kinetic = std::max(kinetic, judged->KineticEnergy());
  }
  const double end = judged->KineticEnergy() + judged->PotentialEnergy();
  if (!std::isfinite(end) || kinetic < 1e-3) state.SkipWithError("does not fall");
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
  state.counters["stretch"] = stretch;
  state.counters["energy_error"] = std::abs(end - start) / kinetic;
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
  for (int bars : {3, 100, 1000}) {
    for (const pliant::ChainEngine& engine : pliant::ChainEngines()) {
      if (bars > engine.most_bars) continue;
      benchmark::RegisterBenchmark(
          (engine.name + "/" + std::to_string(bars)).c_str(),
          [&engine, bars](benchmark::State& state) { pliant::BM_Chain(state, engine, bars); })
          ->Unit(benchmark::kMicrosecond);
    }
  }
  benchmark::Initialize(&count, arguments.data());
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
