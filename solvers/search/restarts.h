// Several searches of one problem side by side: methods against each other, or one method from
// several seeds. Each search has its own problem, so the result is the same for any number of
// threads.

#ifndef PLIANT_SOLVERS_SEARCH_RESTARTS_H_
#define PLIANT_SOLVERS_SEARCH_RESTARTS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

#include "solvers/search/search.h"

namespace pliant {

struct Restart {
  std::function<std::unique_ptr<Search>()> start;
  std::int64_t budget = 0;                                   // evaluations
  std::vector<Trial> past;                                   // not to be evaluated again
  double seconds = std::numeric_limits<double>::infinity();  // of computing
};

struct RestartHooks {
  // Called after each evaluation, one call at a time, from the thread that made it; the order
  // between searches depends on timing.
  std::function<void(size_t search, const Trial& trial)> on_trial;
  std::stop_token stop;
};

// One history for each, in order. `make_problem` is called once by each thread. `threads` ≥ 1; no
// more are used than there are searches. When searches throw, the error of the first in order is
// thrown, after all threads have ended.
std::vector<SearchHistory> RunRestarts(
    const std::vector<Restart>& restarts,
    const std::function<std::unique_ptr<MotionProblem>()>& make_problem, int threads,
    const RestartHooks& hooks);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SEARCH_RESTARTS_H_
