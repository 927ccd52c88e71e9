// The time of a step of the waving sheets of waves.h in every engine that is installed, interleaved at random:
// with nothing that touches, and with about a thousand pairs of faces that cross.

#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

#include "bench/peers/waves.h"
#include "models/scene/shapes.h"

namespace pliant {

std::vector<PairEngine>& PairEngines() {
  static std::vector<PairEngine> engines;
  return engines;
}

WavingSheet MakeWavingSheet(int cells) {
  const Body body = MakeSheet("sheet", {1.0, 1.0}, {cells + 1, cells + 1}, 1.0);
  return {body.faces, body.rest};
}

void Wave(double phase, double height, double amplitude, WavingSheet* sheet) {
  Eigen::Matrix3Xd& x = sheet->x;
  for (Eigen::Index i = 0; i < x.cols(); ++i) {
    x(2, i) = height + amplitude * std::sin(5.0 * x(0, i) + phase) * std::cos(4.0 * x(1, i));
  }
}

namespace {

constexpr int kSteps = 20;

// Above the other by two widths of a cell: boxes of the upper levels overlap everywhere.
struct Apart {
  static constexpr const char* kName = "nothing touches";
  static void Place(int cells, int step, WavingSheet* below, WavingSheet* above) {
    Wave(0.01 * step, 0.0, 0.1, below);
    Wave(0.01 * step, 2.0 / cells, 0.1, above);
  }
  static bool Agrees(long pairs) { return pairs == 0; }
};

// Waves that cross along lines.
struct Crossing {
  static constexpr const char* kName = "faces cross";
  static void Place(int /*cells*/, int step, WavingSheet* below, WavingSheet* above) {
    Wave(0.01 * step, 0.0, 0.1, below);
    Wave(0.01 * step + 1.3, 0.0131, 0.07, above);
  }
  static bool Agrees(long pairs) { return pairs > 0; }
};

template <typename Task>
long PairsOfSteps(const PairEngine& engine, int cells, benchmark::State* state) {
  WavingSheet below = MakeWavingSheet(cells), above = below;
  for (Eigen::Index i = 0; i < above.x.cols(); ++i) {  // no face over its double
    above.x.col(i).head<2>() += Eigen::Vector2d(0.137, 0.211) / cells;
  }
  Task::Place(cells, 0, &below, &above);
  const std::unique_ptr<PairFinder> finder = engine.make(below, above);
  finder->Count(below, above);
  long pairs = 0;
  for (int step = 1; step <= kSteps; ++step) {
    if (state != nullptr) state->PauseTiming();
    Task::Place(cells, step, &below, &above);
    if (state != nullptr) state->ResumeTiming();
    pairs += finder->Count(below, above);
  }
  return pairs;
}

template <typename Task>
void BM_Waves(benchmark::State& state, const PairEngine& engine, int cells, long expected) {
  long pairs = 0;
  for (auto _ : state) {
    state.PauseTiming();
    state.ResumeTiming();
    pairs = PairsOfSteps<Task>(engine, cells, &state);
  }
  if (pairs != expected || !Task::Agrees(pairs))
    state.SkipWithError("finds other pairs than Pliant");
  using benchmark::Counter;
  state.counters["step"] = Counter(kSteps, Counter::kIsIterationInvariantRate | Counter::kInvert);
  state.counters["faces"] = 2.0 * cells * cells;
  state.counters["pairs"] = static_cast<double>(pairs) / kSteps;
}

template <typename Task>
void Register() {
  for (const int cells : {18, 36, 71, 142}) {
    long expected = -1;
    for (const PairEngine& engine : PairEngines()) {
      if (engine.name == "Pliant") expected = PairsOfSteps<Task>(engine, cells, nullptr);
    }
    for (const PairEngine& engine : PairEngines()) {
      benchmark::RegisterBenchmark(
          (std::string(Task::kName) + "/" + engine.name + "/" + std::to_string(2 * cells * cells))
              .c_str(),
          [engine, cells, expected](benchmark::State& state) {
            BM_Waves<Task>(state, engine, cells, expected);
          })
          ->Unit(benchmark::kMillisecond);
    }
  }
}

}  // namespace
}  // namespace pliant

int main(int argc, char** argv) {
  std::vector<char*> arguments(argv, argv + argc);
  char interleaved[] = "--benchmark_enable_random_interleaving=true";
  char repeated[] = "--benchmark_repetitions=5",
       summary[] = "--benchmark_report_aggregates_only=true";
  arguments.insert(arguments.begin() + 1, {interleaved, repeated, summary});
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  pliant::Register<pliant::Apart>();
  pliant::Register<pliant::Crossing>();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
