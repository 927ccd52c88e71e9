// The large suite of jumps by the methods of Pliant, and by Ipopt in the transcription of ipopt_jump.h: the same program from the same straight
// line, in turn in one process. A row for each jump:
//
//   jump, method that found it, J, J of Ipopt's own transcription, their ratio to the lesser of the two, CPU seconds of both and their ratio,
//   residuals of stationarity and feasibility, the momentum that comes from nowhere in both (flight_momentum.h); or how each ended
//
// and at the end how many each solves, median and worst of both ratios. What is solved has a scaled violation of at most
// 1e-8. Arguments: [either|both|interior-point|augmented-lagrangian] [part of a name]
//
//   OPENBLAS_NUM_THREADS=1 build/bench/peers/bench_jump_methods both torque

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "bench/large_jump_suite.h"
#include "bench/peers/cpu_seconds.h"
#include "bench/peers/ipopt_jump.h"
#include "solvers/spacetime/lamp_jump.h"
#include "solvers/spacetime/methods.h"
#include "solvers/spacetime/row_kinds.h"

namespace pliant {
namespace {

constexpr double kStep = 0.02;       // s, of the mesh
constexpr double kViolation = 1e-8;  // scaled
constexpr double kSameCost = 1.001;  // ratio of costs that count as equal

struct Ended {
  bool solved = false;
  double cost = 0.0, seconds = 0.0;
  double defect = 0.0;  // of the momentum of its flights

  bool is_plan() const { return solved && defect <= kMostMomentumDefect; }
};

struct Row {
  Ended pliant, ipopt;
  double cost_ratio() const { return pliant.cost / std::min(pliant.cost, ipopt.cost); }
  double time_ratio() const { return pliant.seconds / ipopt.seconds; }
};

Row Compare(const NamedJump& jump, SpacetimeStrategy strategy) {
  const LampJumpProgram jump_program(jump.problem, MeshOf(jump.problem, kStep));
  const SpacetimeProgram& program = jump_program.program();
  const Eigen::VectorXd guess = jump_program.Pack(StraightLine(jump.problem));
  Row row;
  Eigen::VectorXd x = guess, values;
  double start = CpuSeconds();
  const SpacetimeSummary summary = SolveBy(strategy, program, {}, &x);
  row.pliant = {summary.converged() && summary.violation <= kViolation, summary.final_cost,
                CpuSeconds() - start, MomentumDefect(jump_program.lamp(), jump_program.Unpack(x))};
  x = guess;
  start = CpuSeconds();
  const IpoptResult result = SolveByIpopt(program, {}, &x);
  row.ipopt.seconds = CpuSeconds() - start;
  program.Evaluate(x, &values);
  row.ipopt.cost = program.Cost(values);
  row.ipopt.defect = MomentumDefect(jump_program.lamp(), jump_program.Unpack(x));
  row.ipopt.solved = result.converged && WorstViolation(program, values) <= kViolation;
  const std::string ours = row.pliant.solved     ? fmt::format("{:.4f}", row.pliant.cost)
                           : summary.certificate ? "infeasible"
                                                 : "not found";
  const std::string theirs = row.ipopt.solved ? fmt::format("{:.4f}", row.ipopt.cost) : "not found";
  fmt::print(
      "{:<22} {:<20} {:>11} {:>11} {:>8} {:>8.2f} {:>8.2f} {:>7.2f} {:>9.1e} {:>9.1e} {:>8.1e} "
      "{:>8.1e}\n",
      jump.name, row.pliant.solved ? ToString(summary.method) : "", ours, theirs,
      row.pliant.solved && row.ipopt.solved ? fmt::format("{:.4f}", row.cost_ratio()) : "",
      row.pliant.seconds, row.ipopt.seconds, row.time_ratio(), summary.residuals.stationarity,
      summary.residuals.feasibility, row.pliant.defect, row.ipopt.defect);
  std::fflush(stdout);
  return row;
}

void PrintMedianAndWorst(const char* what, std::vector<double> ratios) {
  if (ratios.empty()) return;
  std::sort(ratios.begin(), ratios.end());
  fmt::print("{}: median {:.4f}, worst {:.4f} of {}\n", what, ratios[ratios.size() / 2],
             ratios.back(), ratios.size());
}

void Run(SpacetimeStrategy strategy, const std::string& part) {
  fmt::print("{:<22} {:<20} {:>11} {:>11} {:>8} {:>8} {:>8} {:>7} {:>9} {:>9} {:>8} {:>8}\n",
             "jump", "found by", "J", "J Ipopt", "J/best", "s", "s Ipopt", "ratio", "station.",
             "feasib.", "defect", "Ipopt's");
  int jumps = 0, ours = 0, theirs = 0, missed = 0, dearer = 0, cheaper = 0;
  int our_plans = 0, their_plans = 0, both = 0, dearer_plans = 0, cheaper_plans = 0;
  std::vector<double> costs, times;
  for (const NamedJump& jump : LargeJumpSuite::Make()) {
    if (jump.name.find(part) == std::string::npos) continue;
    const Row row = Compare(jump, strategy);
    ++jumps;
    ours += row.pliant.solved;
    theirs += row.ipopt.solved;
    missed += row.ipopt.solved && !row.pliant.solved;
    our_plans += row.pliant.is_plan();
    their_plans += row.ipopt.is_plan();
    if (row.pliant.is_plan() && row.ipopt.is_plan()) {
      ++both;
      dearer_plans += row.pliant.cost > kSameCost * row.ipopt.cost;
      cheaper_plans += row.ipopt.cost > kSameCost * row.pliant.cost;
    }
    if (!row.ipopt.solved) continue;
    times.push_back(row.time_ratio());
    if (!row.pliant.solved) continue;
    costs.push_back(row.cost_ratio());
    dearer += row.pliant.cost > kSameCost * row.ipopt.cost;
    cheaper += row.ipopt.cost > kSameCost * row.pliant.cost;
  }
  fmt::print(
      "{} jumps: Pliant solves {}, Ipopt alone {}; of those Pliant misses {}, ends dearer in {}, "
      "cheaper in {}\n",
      jumps, ours, theirs, missed, dearer, cheaper);
  fmt::print(
      "slow enough for the mesh: Pliant's {}, Ipopt's {}; of the {} that both have Pliant ends "
      "dearer in {}, "
      "cheaper in {}\n",
      our_plans, their_plans, both, dearer_plans, cheaper_plans);
  PrintMedianAndWorst("J to the best", costs);
  PrintMedianAndWorst("CPU time to Ipopt's, where that solves", times);
}

}  // namespace
}  // namespace pliant

int main(int arguments, char** values) {
  const std::string wanted = arguments > 1 ? values[1] : "either";
  for (const auto& [word, strategy] : pliant::StrategyWords()) {
    if (word != wanted) continue;
    pliant::Run(strategy, arguments > 2 ? values[2] : "");
    return 0;
  }
  std::fprintf(stderr, "no method '%s'\n", wanted.c_str());
  return 2;
}
