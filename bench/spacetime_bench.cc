// Jumps of the lamp by spacetime optimisation: a suite of problems on the mesh of 0.02 s, each from
// a straight line, and twenty perturbed starts at each distance. Every solution is checked (scaled
// violation below 1e-8); what is not solved is an error.
//
// Counters: cost J, evaluations of all rows (with derivatives or not), variables.

#include <benchmark/benchmark.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "bench/jump_suite.h"
#include "solvers/spacetime/lamp_jump.h"

namespace pliant {
namespace {

void Report(benchmark::State& state, const LampJumpMotion& motion) {
  const SpacetimeSummary& summary = motion.summary();
  if (!summary.converged() || !(summary.violation < 1e-8)) {
    state.SkipWithError(summary.BriefReport().c_str());
  }
  state.counters["cost"] = summary.final_cost;
  state.counters["evaluations"] = static_cast<double>(summary.evaluations);
  state.counters["variables"] = summary.variables;
}

void FromAStraightLine(benchmark::State& state, const LampJumpProblem& problem) {
  LampJumpMotion motion;
  for (auto _ : state) motion = SolveLampJump(problem, {});
  Report(state, motion);
}

// `solved` of twenty starts: nodes moved by up to 0.1 rad and 5 cm, rates by up to 0.5.
void FromPerturbedStarts(benchmark::State& state, const LampJumpProblem& problem) {
  constexpr int kStarts = 20, kSolved = 19;
  int solved = 0;
  for (auto _ : state) {
    solved = 0;
    for (unsigned seed = 1; seed <= kStarts; ++seed) {
      const LampTrajectory start = PerturbedLine(problem, 0.02, seed, {});
      const SpacetimeSummary summary = SolveLampJump(problem, {}, &start).summary();
      solved += summary.converged() && summary.violation < 1e-8 ? 1 : 0;
    }
  }
  state.counters["solved"] = solved;
  if (solved < kSolved) state.SkipWithError("fewer than 19 of 20 starts are solved");
}

// From 0.02 s to 0.0025 s; `order` is what the costs show, `coarse_error` what the first mesh
// lacks.
void Refined(benchmark::State& state, const LampJumpProblem& problem) {
  LampJumpOptions options;
  options.refinements = 3;
  LampJumpMotion motion;
  for (auto _ : state) motion = SolveLampJump(problem, options);
  Report(state, motion);
  if (!motion.observed_order) {
    state.SkipWithError("the costs show no order");
    return;
  }
  const double best = *motion.extrapolated_cost;
  state.counters["order"] = *motion.observed_order;
  state.counters["coarse_error"] = motion.levels.front().summary.final_cost / best - 1.0;
}

const bool kRegistered = [] {
  for (const NamedJump& named : JumpSuite()) {
    benchmark::RegisterBenchmark(("Jump/" + named.name).c_str(), FromAStraightLine, named.problem)
        ->Unit(benchmark::kMillisecond);
  }
  for (const auto& [name, distance, flight] :
       {std::tuple("0.3m", 0.3, 0.28), std::tuple("0.6m", 0.6, 0.36), std::tuple("0.9m", 0.9, 0.44),
        std::tuple("1.2m", 1.2, 0.52)}) {
    benchmark::RegisterBenchmark((std::string("PerturbedStarts/") + name).c_str(),
                                 FromPerturbedStarts, Jump(distance, flight))
        ->Unit(benchmark::kMillisecond)
        ->Iterations(1);
    benchmark::RegisterBenchmark((std::string("Refined/") + name).c_str(), Refined,
                                 Jump(distance, flight))
        ->Unit(benchmark::kMillisecond)
        ->Iterations(1);
  }
  return true;
}();

}  // namespace
}  // namespace pliant
