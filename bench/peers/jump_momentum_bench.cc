// What the mesh of a plan lets pass: the large suite of jumps on the mesh of 0.02 s, and on finer ones that begin with the plan of
// the coarser one. A row for each jump and mesh:
//
//   jump, interval of the mesh [s], J, share of the momentum of a flight that comes from nowhere (flight_momentum.h)
//
// or how the search ended, and at the end how many are plans on each mesh. Arguments: [REFINEMENTS, 2 unless given] [part of a name]
//
//   OPENBLAS_NUM_THREADS=1 build/bench/peers/bench_jump_momentum 2 friction

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "bench/large_jump_suite.h"
#include "solvers/spacetime/lamp_jump.h"

namespace pliant {
namespace {

constexpr double kStep = 0.02;  // s

void Run(int refinements, const std::string& part) {
  std::vector<int> plans(refinements + 1), converged(refinements + 1);
  int jumps = 0;
  for (const NamedJump& jump : LargeJumpSuite::Make()) {
    if (jump.name.find(part) == std::string::npos) continue;
    ++jumps;
    std::optional<LampTrajectory> coarser;
    for (int level = 0; level <= refinements; ++level) {
      LampJumpOptions options;
      options.step = std::ldexp(kStep, -level);
      const LampJumpMotion motion =
          SolveLampJump(jump.problem, options, coarser ? &*coarser : nullptr);
      converged[level] += motion.violates_nothing();
      plans[level] += motion.found();
      fmt::print("{:<22} {:<8g} {:>11.4f} {:>10.2e}  {}\n", jump.name, options.step,
                 motion.summary().final_cost, motion.momentum_defect(), motion.Message());
      std::fflush(stdout);
      if (!motion.violates_nothing()) break;
      coarser = motion.trajectory;
    }
  }
  for (int level = 0; level <= refinements; ++level) {
    fmt::print("{} jumps on {:g} s: {} violate nothing, {} are plans\n", jumps,
               std::ldexp(kStep, -level), converged[level], plans[level]);
  }
}

}  // namespace
}  // namespace pliant

int main(int arguments, char** values) {
  pliant::Run(arguments > 1 ? std::atoi(values[1]) : 2, arguments > 2 ? values[2] : "");
}
