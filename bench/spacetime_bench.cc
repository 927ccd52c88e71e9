// Jumps of the lamp by spacetime optimisation: a suite of problems on the mesh of 0.02 s, each from
// a straight line, and twenty perturbed starts at each distance. Every solution is checked (scaled
// violation below 1e-8); what is not solved is an error. Rest/…: what is left of the jump of 0.3 m at some time, planned again from
// where the lamp is, on a mesh of 0.01 s; hinges off the plan by so many mrad, their rates by ten times as many mrad/s; cold: from the
// rest of the plan, warm: with its multipliers as well.
//
// Counters: cost J, evaluations of all rows (with derivatives or not), variables.

#include <benchmark/benchmark.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "bench/jump_suite.h"
#include "solvers/spacetime/lamp_jump.h"
#include "solvers/spacetime/remaining_jump.h"

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
  options.meshes.refinements = 3;
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

struct Rest {
  double time;  // s
  int off;      // mrad
  bool warm;
};

void PlannedAgain(benchmark::State& state, const Rest& rest) {
  const LampJumpProblem problem;
  LampJumpOptions options;
  options.step = 0.01;
  options.strategy = SpacetimeStrategy::kAugmentedLagrangian;
  const LampJumpMotion plan = SolveLampJump(problem, options);
  const articulated_lamp::Lamp lamp(problem.lamp, problem.gravity);
  const LampSample sample = plan.trajectory.At(lamp, rest.time);
  LampNode from{sample.q, sample.v};
  from.q.tail<3>() += 1e-3 * rest.off * Eigen::Vector3d(1.0, -1.0, 1.0);
  from.v.tail<3>() += 1e-2 * rest.off * Eigen::Vector3d(-1.0, 1.0, 1.0);
  const double began = plan.trajectory.phases[plan.trajectory.PhaseAt(rest.time)].start;
  const std::optional<RemainingJump> left =
      RemainingAt(problem, plan.trajectory, began, rest.time, from, 0.02);
  const LampJumpOnTheWay way{plan, rest.time};
  LampJumpMotion motion;
  for (auto _ : state) {
    motion = SolveLampJump(left->problem, options, &left->guess, rest.warm ? &way : nullptr);
  }
  Report(state, motion);
}

const bool kRegistered = [] {
  for (const double time : {0.1, 0.4, 0.7}) {
    for (const int off : {0, 1, 10}) {
      for (const bool warm : {false, true}) {
        const std::string name = "Rest/" + std::to_string(time).substr(0, 3) + "s/" +
                                 std::to_string(off) + "mrad/" + (warm ? "warm" : "cold");
        benchmark::RegisterBenchmark(name.c_str(), PlannedAgain, Rest{time, off, warm})
            ->Unit(benchmark::kMillisecond);
      }
    }
  }
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
