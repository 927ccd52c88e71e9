// An experiment whose best numbers are known: a sheet in free fall with a drift along x that is a
// sum of parameters. Its centre of mass ends (1 + drift) · 0.2 s further on, at a speed of 1 m/s.

#ifndef PLIANT_TESTS_EXPERIMENTS_SEARCHES_THROWING_H_
#define PLIANT_TESTS_EXPERIMENTS_SEARCHES_THROWING_H_

#include <string>

#include "experiments/searches/run_searches.h"
#include "tests/experiments/bundles.h"
#include "tests/experiments/complaints.h"

namespace pliant {

inline constexpr char kThrow[] = R"(
[backends.throw]
formulation = 'falling'
drift = 0.5
[optimize]
trials = 40
restarts = 2
[optimize.cost]
function = "1/distance"
[[optimize.vary]]
numbers = "drift"
lower = -2.0
upper = 3.0
)";

inline SearchPlan Throwing(const ScratchFolder& folder, const std::string& text = kThrow) {
  return ReadSearchPlan(FallingExperiment(folder, text));
}

// What the reader says about the file; "" when it is right.
inline std::string ThrowingError(const ScratchFolder& folder, const std::string& text) {
  return FileErrorOf([&] { Throwing(folder, text); });
}

}  // namespace pliant

#endif  // PLIANT_TESTS_EXPERIMENTS_SEARCHES_THROWING_H_
