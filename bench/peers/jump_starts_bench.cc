// Jumps of the large suite from several starts (solvers/spacetime/jump_starts.h), on the mesh of 0.02 s, beside Ipopt in the
// transcription of ipopt_jump.h from the straight line. A row for each jump whose name contains one of the parts:
//
//   jump; starts that converge; J of start 0, of the best start, of Ipopt's own transcription, and the least of all, the best known; the
//   first two divided by that; starts that end within 0.1 % of it; CPU seconds of start 0 and of all; and the costs at which
//   starts end, rounded to 0.1 %, with their number
//
// and at the end how many jumps are dearer than the best known, from start 0 and from the best start, and the worst ratio.
// Arguments: METHOD STARTS THREADS [PART…]
//
//   OPENBLAS_NUM_THREADS=1 build/bench/peers/bench_jump_starts either 20 2 torque 0.3m/plain

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "bench/large_jump_suite.h"
#include "bench/peers/cpu_seconds.h"
#include "bench/peers/ipopt_jump.h"
#include "solvers/spacetime/jump_starts.h"
#include "solvers/spacetime/methods.h"
#include "solvers/spacetime/row_kinds.h"

namespace pliant {
namespace {

constexpr double kStep = 0.02;       // s, of the mesh
constexpr double kViolation = 1e-8;  // scaled
constexpr double kSameCost = 1.001;  // ratio of costs that count as equal
constexpr double kNone = std::numeric_limits<double>::infinity();

double CostByIpopt(const LampJumpProblem& problem) {
  const LampJumpProgram jump(problem, MeshOf(problem, kStep));
  const SpacetimeProgram& program = jump.program();
  Eigen::VectorXd x = jump.Pack(StraightLine(problem)), values;
  const IpoptResult result = SolveByIpopt(program, {}, &x);
  program.Evaluate(x, &values);
  const bool solved = result.converged && WorstViolation(program, values) <= kViolation;
  return solved ? program.Cost(values) : kNone;
}

double CostOf(const JumpStartResult& start) {
  return start.termination == SpacetimeTermination::kConvergence ? start.cost : kNone;
}

// "20.11 (14), 24.5 (3)".
std::string CostsOf(const std::vector<JumpStartResult>& starts) {
  std::vector<double> costs;
  for (const JumpStartResult& start : starts) {
    if (CostOf(start) < kNone) costs.push_back(start.cost);
  }
  std::sort(costs.begin(), costs.end());
  std::string words;
  for (size_t i = 0; i < costs.size();) {
    size_t end = i;
    while (end < costs.size() && costs[end] <= kSameCost * costs[i]) ++end;
    words += fmt::format("{}{:.5g} ({})", i > 0 ? ", " : "", costs[i], end - i);
    i = end;
  }
  return words;
}

struct Tally {
  int jumps = 0, first_dearer = 0, best_dearer = 0;
  double first_worst = 1.0, best_worst = 1.0;
};

void Measure(const NamedJump& jump, SpacetimeStrategy strategy, int starts, int threads,
             Tally* tally) {
  LampJumpOptions options;
  options.step = kStep;
  options.strategy = strategy;
  double begin = CpuSeconds();
  SolveLampJump(jump.problem, options);
  const double alone = CpuSeconds() - begin;
  begin = CpuSeconds();
  const BestOfStarts best =
      SolveFromStarts(jump.problem, options, {.starts = starts, .threads = threads});
  const double all = CpuSeconds() - begin;
  const double first = CostOf(best.starts[0]), of_best = CostOf(best.starts[best.from]);
  const double ipopt = CostByIpopt(jump.problem), known = std::min(of_best, ipopt);
  const auto there = std::count_if(best.starts.begin(), best.starts.end(), [&](const auto& start) {
    return CostOf(start) <= kSameCost * known;
  });
  fmt::print(
      "{:<22} {:>2} of {:<3} {:>9.4f} {:>9.4f} {:>9.4f} {:>7.4f} {:>7.4f} {:>3} {:>7.2f} {:>8.2f}  "
      "{}\n",
      jump.name, best.converged(), starts, first, of_best, ipopt, first / known, of_best / known,
      there, alone, all, CostsOf(best.starts));
  std::fflush(stdout);
  ++tally->jumps;
  tally->first_dearer += first > kSameCost * known;
  tally->best_dearer += of_best > kSameCost * known;
  tally->first_worst = std::max(tally->first_worst, first / known);
  tally->best_worst = std::max(tally->best_worst, of_best / known);
}

bool Chosen(const std::string& name, const std::vector<std::string>& parts) {
  return parts.empty() || std::any_of(parts.begin(), parts.end(), [&](const std::string& part) {
           return name.find(part) != std::string::npos;
         });
}

void Run(SpacetimeStrategy strategy, int starts, int threads,
         const std::vector<std::string>& parts) {
  fmt::print("{:<22} {:>9} {:>9} {:>9} {:>9} {:>7} {:>7} {:>3} {:>7} {:>8}  {}\n", "jump",
             "converge", "start 0", "best", "Ipopt", "0/known", "b/known", "at", "s of 0",
             "s of all", "costs");
  Tally tally;
  for (const NamedJump& jump : LargeJumpSuite::Make()) {
    if (Chosen(jump.name, parts)) Measure(jump, strategy, starts, threads, &tally);
  }
  fmt::print(
      "{} jumps: start 0 ends dearer than the best known in {}, worst {:.4f}; the best of {} in "
      "{}, worst {:.4f}\n",
      tally.jumps, tally.first_dearer, tally.first_worst, starts, tally.best_dearer,
      tally.best_worst);
}

}  // namespace
}  // namespace pliant

int main(int arguments, char** values) {
  const std::vector<std::string> given(values + 1, values + arguments);
  if (given.size() >= 3) {
    const int starts = std::atoi(given[1].c_str()), threads = std::atoi(given[2].c_str());
    for (const auto& [word, strategy] : pliant::StrategyWords()) {
      if (word != given[0] || starts < 1 || threads < 1) continue;
      pliant::Run(strategy, starts, threads, {given.begin() + 3, given.end()});
      return 0;
    }
  }
  std::fprintf(stderr, "bench_jump_starts METHOD STARTS THREADS [PART…]\n");
  return 2;
}
