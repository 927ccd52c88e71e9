// The time of a step of the hanging sheet in every engine that is installed, with as many sweeps as
// bring the rms stretch below 1 %, interleaved at random.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "bench/peers/sheet.h"

namespace pliant {

std::vector<SheetEngine>& SheetEngines() {
  static std::vector<SheetEngine> engines;
  return engines;
}

namespace {

constexpr double kTaut = 0.01;          // rms stretch
constexpr int kJudgedSteps = 50;        // half a second
constexpr int kMostSheetSweeps = 4096;  // an engine that needs more is said to fail

struct Needed {
  int sweeps;
  double stretch;  // largest rms
};

double LargestStretch(const SheetEngine& engine, int points, int sweeps) {
  const std::unique_ptr<HangingSheet> sheet = engine.make(points, sweeps);
  double largest = 0.0;
  for (int i = 0; i < kJudgedSteps; ++i) {
    sheet->Step();
    largest = std::max(largest, sheet->RmsStretch());
  }
  // A sheet that does not hang has no load.
  const double lowest = sheet->LowestPoint();
  return std::isfinite(lowest) && lowest > 0.9 ? largest : INFINITY;
}

// The fewest sweeps, but for an eighth.
Needed FewestSweeps(const SheetEngine& engine, int points) {
  int sweeps = 1;
  double stretch = LargestStretch(engine, points, sweeps);
  while (stretch > kTaut && sweeps < kMostSheetSweeps) {
    sweeps = std::max(sweeps + 1, sweeps + sweeps / 8);
    stretch = LargestStretch(engine, points, sweeps);
  }
  return {sweeps, stretch};
}

void BM_Sheet(benchmark::State& state, const SheetEngine& engine, int points,
              const Needed& needed) {
  if (!(needed.stretch <= kTaut)) state.SkipWithError("does not get below 1 %");
  for (auto _ : state) {
    state.PauseTiming();
    std::unique_ptr<HangingSheet> sheet = engine.make(points, needed.sweeps);
    sheet->Step();  // fills caches and scratch memory
    state.ResumeTiming();
    for (int i = 0; i < kJudgedSteps; ++i) sheet->Step();
    state.PauseTiming();
    sheet.reset();
    state.ResumeTiming();
  }
  using benchmark::Counter;
  state.counters["step"] =
      Counter(kJudgedSteps, Counter::kIsIterationInvariantRate | Counter::kInvert);
  state.counters["sweeps"] = needed.sweeps;
  state.counters["rms_stretch"] = needed.stretch;
}

}  // namespace
}  // namespace pliant

int main(int argc, char** argv) {
  std::vector<char*> arguments(argv, argv + argc);
  char interleaved[] = "--benchmark_enable_random_interleaving=true";
  char repetitions[] = "--benchmark_repetitions=9";
  char aggregates[] = "--benchmark_report_aggregates_only=true";
  arguments.insert(arguments.begin() + 1, {interleaved, repetitions, aggregates});
  int count = static_cast<int>(arguments.size());
  for (const int points : {17, 33, 65}) {
    for (const pliant::SheetEngine& engine : pliant::SheetEngines()) {
      // Once, when it is first run, not again for each repetition.
      const auto needed = std::make_shared<std::optional<pliant::Needed>>();
      benchmark::RegisterBenchmark((engine.name + "/" + std::to_string(points)).c_str(),
                                   [&engine, points, needed](benchmark::State& state) {
                                     if (!*needed) *needed = pliant::FewestSweeps(engine, points);
                                     pliant::BM_Sheet(state, engine, points, **needed);
                                   })
          ->Unit(benchmark::kMillisecond);
    }
  }
  benchmark::Initialize(&count, arguments.data());
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
